#include "api/product/operation.h"

#include <cstddef>
#include <cstdint>

namespace spi {
namespace {

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

constexpr auto kReads = static_cast<uint8_t>(Access::kRead);
constexpr auto kWrites = static_cast<uint8_t>(Access::kWrite);

}  // namespace

constexpr ArgumentRule kProductArguments[8] = {
    {kArgSrc, "src", kReads, 0, kReads, false, nullptr},
    {kArgWeights, "weights", kReads, kReads, 0, false, nullptr},
    {kArgBias, "bias", kReads, 0, 0, true, nullptr},
    {kArgDiffDst, "diff_dst", 0, kReads, kReads, false, nullptr},
    {kArgDst, "dst", kWrites, 0, 0, false, nullptr},
    {kArgDiffSrc, "diff_src", 0, kWrites, 0, false, nullptr},
    {kArgDiffWeights, "diff_weights", 0, 0, kWrites, false, nullptr},
    {kArgDiffBias, "diff_bias", 0, 0, kWrites, true, nullptr},
};

Operation MakeProduct(PrimitiveKind kind, PropKind prop, const Params& params, const Layout& src,
                      const Layout& weights, const Layout* bias, const Layout& dst) {
  const Arguments arguments = ArgumentsOf(prop);
  Operation operation;
  operation.kind = kind;
  operation.prop = prop;
  operation.params = params;
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

ProductView::ProductView(const Operation& operation)
    : prop(operation.prop),
      src(LayoutOf(operation, ArgumentsOf(prop).src)),
      weights(LayoutOf(operation, ArgumentsOf(prop).weights)),
      bias([&operation, this]() -> const Layout* {
        const int at = Find(operation, ArgumentsOf(prop).bias);
        return at < 0 ? nullptr : &operation.tensors[static_cast<size_t>(at)].layout;
      }()),
      dst(LayoutOf(operation, ArgumentsOf(prop).dst)) {}

}  // namespace spi
