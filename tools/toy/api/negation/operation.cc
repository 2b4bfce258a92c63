#include "api/negation/operation.h"

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"

namespace spi {
namespace {

template <typename... Args>
absl::Status Invalid(const Args&... args) {
  return absl::InvalidArgumentError(absl::StrCat("negation: ", args...));
}

absl::Status Validate(const Operation& operation) {
  const Layout &src = operation.tensors[0].layout, &dst = operation.tensors[1].layout;
  if (src.type != DataType::kF32)
    return Invalid("src.type = ", NameOf(src.type), " is not f32 (NEG-002)");
  if (dst.type != DataType::kF32)
    return Invalid("dst.type = ", NameOf(dst.type), " is not f32 (NEG-002)");
  if (src.rank != dst.rank)
    return Invalid("src.rank = ", src.rank, " is not dst.rank = ", dst.rank, " (NEG-002)");
  for (int j = 0; j < src.rank; ++j)
    if (src.dims[j] != dst.dims[j])
      return Invalid("src.dims[", j, "] = ", src.dims[j], " is not dst.dims[", j,
                     "] = ", dst.dims[j], " (NEG-002)");
  return absl::OkStatus();
}

constexpr ArgumentRule kArguments[] = {
    {kArgSrc, "src", static_cast<uint8_t>(Access::kRead), 0, 0, false, "NEG-002"},
    {kArgDst, "dst", static_cast<uint8_t>(Access::kWrite), 0, 0, false, "NEG-002"},
};
constexpr InPlace kInPlace[] = {{kArgDst, kArgSrc}};

}  // namespace

// oneDNN has no kind of this name: the nearest that it has.
constexpr Signature kNegationSignature = {
    PrimitiveKind::kEltwise, "negation", kArguments, "NEG-002", "MD-014",
    {0, "NEG-002"},          kInPlace,   nullptr,    Validate,  nullptr,
};

void FillNegation(const Layout& src, const Layout& dst, Operation* operation) {
  operation->kind = PrimitiveKind::kEltwise;
  operation->prop = PropKind::kForwardInference;
  operation->params = NegationParams();
  operation->tensors.resize(2);
  operation->tensors[0] = {kArgSrc, Access::kRead, src};
  operation->tensors[1] = {kArgDst, Access::kWrite, dst};
}

}  // namespace spi
