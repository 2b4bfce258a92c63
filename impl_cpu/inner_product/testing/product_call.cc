#include "impl_cpu/inner_product/testing/product_call.h"

#include <utility>

#include "api/spi/types.h"

namespace impl_cpu {
namespace {

using spi::DataType;
using spi::PropKind;

constexpr PropKind kProps[] = {PropKind::kForwardTraining, PropKind::kBackwardData,
                               PropKind::kBackwardWeights};
constexpr ProductTypes kFloats[] = {
    kAllF32, {DataType::kBF16, DataType::kBF16, DataType::kF32, DataType::kBF16}};
constexpr ProductTypes kBytes[] = {{DataType::kU8, DataType::kS8, DataType::kF32, DataType::kU8},
                                   {DataType::kS8, DataType::kS8, DataType::kS32, DataType::kS32}};

spi::Operation OperationOf(spi::Engine& engine, Random& random, int i) {
  const bool bytes = i % 4 == 3;
  const PropKind prop = bytes ? PropKind::kForwardInference : kProps[i % 3];
  const ProductTypes& types = (bytes ? kBytes : kFloats)[i / 4 % 2];
  const ProductShape shape = RandomProductShape(random);
  if (i / 8 % 2 == 0) return RandomProduct(random, prop, types, shape);
  const spi::Operation open = OpenProduct(prop, types, shape, true);
  return WithChosen(open, engine.MakePlan({open, nullptr, 0})->chosen);
}

}  // namespace

ProductCall::ProductCall(spi::Engine& engine, Random& random, int i)
    : ProductCall(engine, random, OperationOf(engine, random, i)) {}

ProductCall::ProductCall(spi::Engine& engine, Random& random, spi::Operation of)
    : operation(std::move(of)), engine_(engine), data_(DataFor(random, operation)) {
  for (Bytes& bytes : data_) buffers_.push_back(*engine.Wrap(bytes.data(), bytes.size()));
}

std::vector<spi::Buffer*> ProductCall::Arguments(const spi::Planned& planned) {
  std::vector<spi::Buffer*> arguments;
  for (const auto& buffer : buffers_) arguments.push_back(buffer.get());
  if (planned.scratchpad_bytes > 0) {
    scratchpad_.assign(planned.scratchpad_bytes, std::byte{0xff});
    scratchpad_buffer_ = *engine_.Wrap(scratchpad_.data(), scratchpad_.size());
    arguments.push_back(scratchpad_buffer_.get());
  }
  return arguments;
}

}  // namespace impl_cpu
