#include <string>
#include <variant>

#include "absl/strings/str_cat.h"
#include "impl_cpu/strided/pipeline.h"

namespace impl_cpu {
namespace {

// `rows` is what copying rows is called.
const char* NameOf(const CopyRows& copy, const char* rows) {
  return copy.non_temporal ? "stream" : rows;
}
const char* NameOf(const Transpose&, const char*) { return "transpose"; }
const char* NameOf(const TransposeSplit&, const char*) { return "transpose-split"; }
const char* NameOf(const Permute&, const char*) { return "permute"; }
const char* NameOf(const Generic&, const char*) { return "generic"; }
const char* NameOf(const Convert&, const char*) { return "convert"; }
const char* NameOf(const ConvertTransposed&, const char*) { return "compute+transpose"; }
std::string NameOf(const StagedPlan& staged, const char*);

template <class Variant>
std::string NameOfActive(const Variant& variant, const char* rows) {
  return std::visit([rows](const auto& one) -> std::string { return NameOf(one, rows); }, variant);
}

std::string NameOf(const StagedPlan& staged, const char*) {
  return absl::StrCat(staged->in.has_value() ? NameOfActive(*staged->in, "pack") + "+" : "",
                      "convert", staged->combine.has_value() ? "+combine" : "",
                      staged->out.has_value() ? "+" + NameOfActive(*staged->out, "unpack") : "");
}

}  // namespace

std::string NameOf(const Pipeline& p) { return NameOfActive(p.strategy, "copy"); }

std::string ToString(const Pipeline& p) {
  const Boxes& b = p.boxes;
  return absl::StrCat("box ", b.batch.chunk, "x", b.rows.chunk, "x", b.cols.chunk, " of ",
                      b.batch.extent, "x", b.rows.extent, "x", b.cols.extent);
}

}  // namespace impl_cpu
