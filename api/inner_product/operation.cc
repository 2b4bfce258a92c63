#include "api/inner_product/operation.h"

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"

namespace spi {
namespace {

template <typename... Args>
absl::Status Invalid(const Args&... args) {
  return absl::InvalidArgumentError(absl::StrCat("inner_product: ", args...));
}

absl::Status CheckRanks(const InnerProductView& operation, const ProductNames& names) {
  const int rank = operation.src.rank;
  if (rank < 2 || rank > 5)
    return Invalid(names.src, ".rank = ", rank, " is not in [2, 5] (IP-003)");
  if (operation.weights.rank != rank)
    return Invalid(names.weights, ".rank = ", operation.weights.rank, " is not ", names.src,
                   ".rank = ", rank, " (IP-003)");
  if (operation.dst.rank != 2)
    return Invalid(names.dst, ".rank = ", operation.dst.rank, " is not 2 (IP-003)");
  if (operation.bias != nullptr && operation.bias->rank != 1)
    return Invalid(names.bias, ".rank = ", operation.bias->rank, " is not 1 (IP-005)");
  return absl::OkStatus();
}

absl::Status CheckDims(const InnerProductView& operation, const ProductNames& names) {
  const auto same = [](const char* a_name, const Layout& a, int i, const char* b_name,
                       const Layout& b, int j, const char* requirement) {
    if (a.dims[i] == b.dims[j]) return absl::OkStatus();
    return Invalid(a_name, ".dims[", i, "] = ", a.dims[i], " is not ", b_name, ".dims[", j,
                   "] = ", b.dims[j], " (", requirement, ")");
  };
  const Layout &src = operation.src, &weights = operation.weights, &dst = operation.dst;
  absl::Status status = same(names.dst, dst, 0, names.src, src, 0, "IP-004");
  if (status.ok()) status = same(names.dst, dst, 1, names.weights, weights, 0, "IP-004");
  for (int j = 1; j < src.rank && status.ok(); ++j)
    status = same(names.weights, weights, j, names.src, src, j, "IP-004");
  if (status.ok() && operation.bias != nullptr)
    status = same(names.bias, *operation.bias, 0, names.weights, weights, 0, "IP-005");
  for (int j = 0; j < weights.rank && status.ok(); ++j)
    if (weights.dims[j] == 0) status = Invalid(names.weights, ".dims[", j, "] = 0 (IP-006)");
  return status;
}

absl::Status Validate(const Operation& request) {
  const InnerProductView operation(request);
  const ProductNames names = ProductNamesOf(operation.prop);
  const absl::Status status = CheckRanks(operation, names);
  return status.ok() ? CheckDims(operation, names) : status;
}

}  // namespace

constexpr Signature kInnerProductSignature = {
    PrimitiveKind::kInnerProduct,
    "inner_product",
    kProductArguments,
    "IP-003",
    "MD-014",
    kProductAttributes,
    {},
    nullptr,
    Validate,
    nullptr,
};

Operation MakeInnerProduct(PropKind prop, const Layout& src, const Layout& weights,
                           const Layout* bias, const Layout& dst) {
  return MakeProduct(PrimitiveKind::kInnerProduct, prop, InnerProductParams(), src, weights, bias,
                     dst);
}

}  // namespace spi
