#include "api/inner_product/operation.h"

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"

namespace spi {
namespace {

template <typename... Args>
absl::Status Invalid(const Args&... args) {
  return absl::InvalidArgumentError(absl::StrCat("inner_product: ", args...));
}

// The arguments of a direction.
struct Arguments {
  int src, weights, bias, dst;
};

constexpr Arguments ArgumentsOf(PropKind prop) {
  switch (prop) {
    case PropKind::kBackwardData:
      return {kArgDiffSrc, kArgWeights, kArgBias, kArgDiffDst};
    case PropKind::kBackwardWeights:
      return {kArgSrc, kArgDiffWeights, kArgDiffBias, kArgDiffDst};
    default:
      return {kArgSrc, kArgWeights, kArgBias, kArgDst};
  }
}

// The words for them in messages.
struct Names {
  const char *src, *weights, *bias, *dst;
};

constexpr Names NamesOf(PropKind prop) {
  switch (prop) {
    case PropKind::kBackwardData:
      return {"diff_src", "weights", "bias", "diff_dst"};
    case PropKind::kBackwardWeights:
      return {"src", "diff_weights", "diff_bias", "diff_dst"};
    default:
      return {"src", "weights", "bias", "dst"};
  }
}

absl::Status CheckRanks(const InnerProductView& operation, const Names& names) {
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

absl::Status CheckDims(const InnerProductView& operation, const Names& names) {
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
  const Names names = NamesOf(operation.prop);
  const absl::Status status = CheckRanks(operation, names);
  return status.ok() ? CheckDims(operation, names) : status;
}

constexpr auto kReads = static_cast<uint8_t>(Access::kRead);
constexpr auto kWrites = static_cast<uint8_t>(Access::kWrite);
constexpr ArgumentRule kArguments[] = {
    {kArgSrc, "src", kReads, 0, kReads, false, nullptr},
    {kArgWeights, "weights", kReads, kReads, 0, false, nullptr},
    {kArgBias, "bias", kReads, 0, 0, true, nullptr},
    {kArgDiffDst, "diff_dst", 0, kReads, kReads, false, nullptr},
    {kArgDst, "dst", kWrites, 0, 0, false, nullptr},
    {kArgDiffSrc, "diff_src", 0, kWrites, 0, false, nullptr},
    {kArgDiffWeights, "diff_weights", 0, 0, kWrites, false, nullptr},
    {kArgDiffBias, "diff_bias", 0, 0, kWrites, true, nullptr},
};

}  // namespace

constexpr Signature kInnerProductSignature = {
    PrimitiveKind::kInnerProduct,
    "inner_product",
    kArguments,
    "IP-003",
    "MD-014",
    {AttributeSupport::kOutputScales | AttributeSupport::kPostOps | AttributeSupport::kFpmathMode,
     "ATTR-006"},
    {},
    nullptr,
    Validate,
    nullptr,
};

Operation MakeInnerProduct(PropKind prop, const Layout& src, const Layout& weights,
                           const Layout* bias, const Layout& dst) {
  const Arguments arguments = ArgumentsOf(prop);
  Operation operation;
  operation.kind = PrimitiveKind::kInnerProduct;
  operation.prop = prop;
  operation.params = InnerProductParams();
  operation.tensors.reserve(5);  // with a scratchpad
  const auto add = [&operation](int argument, Access access, const Layout& layout) {
    operation.tensors.push_back({argument, access, layout});
  };
  switch (prop) {
    case PropKind::kBackwardData:
      add(arguments.weights, Access::kRead, weights);
      add(arguments.dst, Access::kRead, dst);
      add(arguments.src, Access::kWrite, src);
      break;
    case PropKind::kBackwardWeights:
      add(arguments.src, Access::kRead, src);
      add(arguments.dst, Access::kRead, dst);
      add(arguments.weights, Access::kWrite, weights);
      if (bias != nullptr) add(arguments.bias, Access::kWrite, *bias);
      break;
    default:
      add(arguments.src, Access::kRead, src);
      add(arguments.weights, Access::kRead, weights);
      if (bias != nullptr) add(arguments.bias, Access::kRead, *bias);
      add(arguments.dst, Access::kWrite, dst);
  }
  return operation;
}

InnerProductView::InnerProductView(const Operation& operation)
    : prop(operation.prop),
      src(LayoutOf(operation, ArgumentsOf(prop).src)),
      weights(LayoutOf(operation, ArgumentsOf(prop).weights)),
      bias([&operation, this]() -> const Layout* {
        const int at = Find(operation, ArgumentsOf(prop).bias);
        return at < 0 ? nullptr : &operation.tensors[static_cast<size_t>(at)].layout;
      }()),
      dst(LayoutOf(operation, ArgumentsOf(prop).dst)) {}

}  // namespace spi
