#include "api/spi/operation.h"

#include <utility>
#include <variant>

namespace spi {
namespace {

// How many factors a mask means; kRunTimeValue where that is unknown.
int64_t CountOf(int mask, const Layout& layout) {
  int64_t count = 1;
  for (int j = 0; j < layout.rank; ++j)
    if ((mask >> j & 1) != 0 &&
        (layout.dims[j] == kRunTimeValue || __builtin_mul_overflow(count, layout.dims[j], &count)))
      return kRunTimeValue;
  return count;
}

bool IsDefault(const Attributes& attributes) {
  return attributes.scales.empty() && attributes.zero_points.empty() && attributes.post_ops.empty();
}

}  // namespace

bool SameAttributes(const Operation& a, const Operation& b) {
  if (a.attributes == nullptr || b.attributes == nullptr) return a.attributes == b.attributes;
  return *a.attributes == *b.attributes;
}

bool operator==(const Operation& a, const Operation& b) {
  return a.kind == b.kind && a.prop == b.prop && a.tensors == b.tensors && a.params == b.params &&
         SameAttributes(a, b);
}

void SetAttributes(std::shared_ptr<const Attributes> attributes, Operation* operation) {
  if (attributes == nullptr || IsDefault(*attributes)) return;
  const auto add = [operation](int argument, DataType type, int64_t size) {
    operation->tensors.push_back({argument, Access::kRead, Strided(type, {size})});
  };
  for (const Scales& scales : attributes->scales)
    if (scales.run_time)
      add(kArgOutputScales, DataType::kF32,
          CountOf(scales.mask, LayoutOf(*operation, scales.argument)));
  for (const ZeroPoint& zero : attributes->zero_points)
    if (zero.run_time) add(kArgZeroPoints | zero.argument, DataType::kS32, 1);
  for (const PostOp& op : attributes->post_ops) {
    const auto* const sum = std::get_if<SumOp>(&op);
    if (sum != nullptr && sum->scale != 0)
      for (TensorArg& tensor : operation->tensors)
        if (tensor.argument == kArgDst) tensor.access = Access::kReadWrite;
  }
  operation->attributes = std::move(attributes);
}

}  // namespace spi
