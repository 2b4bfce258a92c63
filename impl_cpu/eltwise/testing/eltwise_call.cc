#include "impl_cpu/eltwise/testing/eltwise_call.h"

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <iterator>

#include "api/eltwise/operation.h"
#include "api/spi/types.h"

namespace impl_cpu {
namespace {

using spi::Algorithm;

constexpr spi::EltwiseParams kFunctions[] = {
    {Algorithm::kEltwiseRelu, 0.5f, 0},  {Algorithm::kEltwiseTanh, 0, 0},
    {Algorithm::kEltwiseLinear, 2, 1},   {Algorithm::kEltwiseExpUseDstForBwd, 0, 0},
    {Algorithm::kEltwiseClip, -1, 3},    {Algorithm::kEltwiseGeluErf, 0, 0},
    {Algorithm::kEltwisePow, 1, -1},     {Algorithm::kEltwiseLogistic, 0, 0},
    {Algorithm::kEltwiseSoftRelu, 0, 0}, {Algorithm::kEltwiseSwish, 1, 0},
    {Algorithm::kEltwiseGeluTanh, 0, 0},
};

}  // namespace

EltwiseCall::EltwiseCall(spi::Engine& engine, Random& random, int i, int64_t max_elements) {
  const auto number = static_cast<size_t>(i);
  const spi::EltwiseParams& params = kFunctions[number % std::size(kFunctions)];
  // Backward is of the first two.
  const spi::DataType type = kTypes[number / 2 % (i % 2 == 0 ? std::size(kTypes) : 2)];
  const Shape shape = RandomShape(random, max_elements);
  const spi::Layout data = RandomLayout(random, type, shape, true, false);
  const spi::Layout other = i % 3 == 0 ? data : RandomLayout(random, type, shape, true, false);
  operation = i % 2 == 0
                  ? spi::MakeEltwiseForward(spi::PropKind::kForwardTraining, params, data, other)
                  : spi::MakeEltwiseBackward(params, data, other, other);
  for (const spi::TensorArg& tensor : operation.tensors) {
    int64_t bytes = 0;
    EXPECT_TRUE(spi::SizeInBytes(tensor.layout, &bytes));
    data_.push_back(RandomData(random, type, static_cast<size_t>(bytes) + 64));
  }
  for (Bytes& bytes : data_) buffers_.push_back(*engine.Wrap(bytes.data(), bytes.size()));
}

std::vector<spi::Buffer*> EltwiseCall::Arguments() const {
  std::vector<spi::Buffer*> arguments;
  for (const auto& buffer : buffers_) arguments.push_back(buffer.get());
  return arguments;
}

}  // namespace impl_cpu
