#include "impl_cpu/product/product_plan.h"

#include <cstdint>

#include "absl/strings/str_cat.h"
#include "api/spi/strided/nest.h"
#include "impl_cpu/numeric/subnormals.h"
#include "impl_cpu/plain/kernel.h"

namespace impl_cpu {
namespace {

using spi::DataType;

bool ServesTypes(const spi::Operation& operation, const ProductTensors& tensors) {
  if (!spi::IsForward(operation.prop) || IsFloat(tensors.src.type))
    return IsFloat(tensors.src.type) && IsFloat(tensors.weights.type) &&
           IsFloat(tensors.dst.type) && (tensors.bias == nullptr || IsFloat(tensors.bias->type));
  return IsByte(tensors.src.type) && tensors.weights.type == DataType::kS8;
}

bool ServesScales(const spi::Operation& operation) {
  if (operation.attributes == nullptr) return true;
  for (const spi::Scales& scales : operation.attributes->scales)
    if (scales.mask != 0 && scales.mask != 1 << 1) return false;
  return true;
}

}  // namespace

bool IsFloat(DataType type) {
  return type == DataType::kF32 || type == DataType::kBF16 || type == DataType::kF16;
}

bool IsByte(DataType type) { return type == DataType::kU8 || type == DataType::kS8; }

absl::Status CheckServed(const char* primitive, const spi::Operation& operation,
                         const ProductTensors& tensors) {
  if (!ServesTypes(operation, tensors))
    return absl::UnimplementedError(
        absl::StrCat("cpu: ", primitive, ": these data types are not served"));
  if (!ServesScales(operation))
    return absl::UnimplementedError(
        absl::StrCat("cpu: ", primitive, ": this mask of scales is not served"));
  return absl::OkStatus();
}

int SideBySide(DataType type) {
  return type == DataType::kS8 ? 4 : type == DataType::kBF16 ? 2 : 1;
}

spi::Layout Ordered(const spi::Layout& asked, absl::Span<const spi::Block> blocks,
                    absl::Span<const int> axes) {
  spi::Layout layout = spi::Strided(asked.type, {asked.dims.data(), asked.rank}, blocks);
  for (const spi::Block& block : blocks)
    if (spi::PaddedDim(layout, block.axis) % block.size != 0) return Ordered(asked, {}, axes);
  int64_t stride = 1;
  for (const spi::Block& block : blocks) stride *= block.size;
  for (size_t j = axes.size(); j-- > 0;) {
    layout.strides[static_cast<size_t>(axes[j])] = stride;
    stride = spi::SaturatedProduct(stride, spi::StepsAlong(layout, axes[j]));
  }
  return layout;
}

absl::Status ProductPlan::Execute(spi::Stream&, spi::Buffers buffers) const {
  const KeepsSubnormals keeps(true);
  Run(buffers);
  for (const auto& [buffer, problem] : padding_)
    ZeroPadding(problem, static_cast<std::byte*>(buffers[buffer]->handle()));
  return absl::OkStatus();
}

ProductPlan::ProductPlan(const spi::Operation& operation) {
  for (size_t i = 0; i < operation.tensors.size(); ++i) {
    const spi::TensorArg& tensor = operation.tensors[i];
    if (!spi::Writes(tensor.access) || spi::IsEmpty(tensor.layout) ||
        !spi::HasPadding(tensor.layout))
      continue;
    Problem problem;
    problem.arithmetic.dst = tensor.layout.type;
    problem.padding = spi::PaddingOf(tensor.layout);
    padding_.emplace_back(i, std::move(problem));
  }
}

}  // namespace impl_cpu
