#include "api/testing/interpreter.h"

#include <algorithm>
#include <cstdlib>
#include <utility>
#include <variant>

#include "absl/strings/str_cat.h"
#include "api/testing/interpreter_table.h"
#include "api/testing/right.h"
#include "api/testing/tensors.h"
#include "spec/numeric/convert.h"

namespace spi {
namespace {

// Calls `use` for each element that is to be written, which may set it; then clears the padding.
void ForEachResult(const Operation& operation, absl::Span<void* const> buffers, Use use) {
  static_assert(kInterpreters.size() == std::variant_size_v<Params>);
  kInterpreters[operation.params.index()](Tensors(operation, buffers), use);
}

std::vector<void*> AddressesOf(std::vector<Bytes>* buffers) {
  std::vector<void*> addresses;
  for (Bytes& buffer : *buffers) addresses.push_back(buffer.data());
  return addresses;
}

}  // namespace

size_t BytesOf(const Layout& layout) {
  int64_t bytes = 0;
  if (!SizeInBytes(layout, &bytes)) std::abort();
  return static_cast<size_t>(bytes);
}

uint32_t Convert(DataType from, DataType to, uint32_t bits) {
  return spec::Copy(TypeOf(from), TypeOf(to), bits);
}

void Interpret(const Operation& operation, absl::Span<void* const> buffers) {
  ForEachResult(operation, buffers,
                [](int, Tensor& to, int64_t k, const Right& right) { to.Set(k, right.value()); });
}

Interpretation::Interpretation(Operation operation, std::vector<Bytes> before)
    : operation_(std::move(operation)), before_(std::move(before)), after_(before_) {
  Interpret(operation_, AddressesOf(&after_));
}

std::string Interpretation::Mismatch(const std::vector<Bytes>& got) const {
  if (got == after_) return "";
  if (got.size() != before_.size()) return "not as many buffers";
  std::vector<Bytes> allowed = before_;
  std::string mismatch;
  const auto use = [&](int argument, Tensor& to, int64_t k, const Right& right) {
    const auto position = static_cast<size_t>(Find(operation_, argument));
    const spec::Bits is = to.In(got[position].data(), k);
    if (is != to.In(after_[position].data(), k) && mismatch.empty() && !right.Allows(is))
      mismatch = absl::StrCat("argument ", argument, ": element ", k, " of ",
                              ToString(LayoutOf(operation_, argument)), " is ",
                              spec::ToString(to.type, is), ", not ", right.Text());
    to.Set(k, is);
  };
  ForEachResult(operation_, AddressesOf(&allowed), use);
  for (size_t i = 0; i < got.size() && mismatch.empty(); ++i) {
    const auto [at, want] =
        std::mismatch(got[i].begin(), got[i].end(), allowed[i].begin(), allowed[i].end());
    if (at == got[i].end() && want == allowed[i].end()) continue;
    mismatch = absl::StrCat("argument ", operation_.tensors[i].argument, ": byte ",
                            at - got[i].begin(), " changed, or is padding and not 0, of ",
                            ToString(operation_.tensors[i].layout));
  }
  return mismatch;
}

}  // namespace spi
