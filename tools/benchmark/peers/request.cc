#include "tools/benchmark/peers/request.h"

#include <cstddef>
#include <cstdint>
#include <sstream>
#include <string>

#include "tools/benchmark/cases.h"

namespace bench {
namespace {

constexpr size_t kMaxRank = 12;

void Write(const Dims& values, std::ostream* out) {
  for (int64_t value : values) *out << ' ' << value;
}

void Read(std::istream* in, size_t count, Dims* values) {
  values->resize(count);
  for (int64_t& value : *values) *in >> value;
}

}  // namespace

std::string ToText(const Case& c) {
  std::ostringstream out;
  out.precision(9);
  out << (c.kind == Kind::kShuffle ? "shuffle " : "reorder ") << c.src.dims.size();
  Write(c.src.dims, &out);
  out << ' ' << c.src.type;
  Write(c.src.strides, &out);
  out << ' ' << c.dst.type;
  Write(c.dst.strides, &out);
  out << ' ' << c.scale_mask << ' ' << c.sum << ' ' << c.beta << ' ' << c.src_zero << ' '
      << c.dst_zero << ' ' << c.forward << ' ' << c.axis << ' ' << c.group_size;
  return out.str();
}

bool FromText(const std::string& text, Case* c) {
  std::istringstream in(text);
  std::string kind;
  size_t rank = 0;
  in >> kind >> rank;
  if (!in || rank > kMaxRank || (kind != "shuffle" && kind != "reorder")) return false;
  *c = Case();
  c->kind = kind == "shuffle" ? Kind::kShuffle : Kind::kReorder;
  Read(&in, rank, &c->src.dims);
  c->dst.dims = c->src.dims;
  in >> c->src.type;
  Read(&in, rank, &c->src.strides);
  in >> c->dst.type;
  Read(&in, rank, &c->dst.strides);
  in >> c->scale_mask >> c->sum >> c->beta >> c->src_zero >> c->dst_zero >> c->forward >> c->axis >>
      c->group_size;
  return !in.fail();
}

}  // namespace bench
