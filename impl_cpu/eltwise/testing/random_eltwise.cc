#include "impl_cpu/eltwise/testing/random_eltwise.h"

#include <cstddef>
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

spi::Operation EltwiseFor(spi::Random& random, int i, int64_t max_elements) {
  const auto number = static_cast<size_t>(i);
  const spi::EltwiseParams& params = kFunctions[number % std::size(kFunctions)];
  // Backward is of the first two.
  const spi::DataType type = spi::kTypes[number / 2 % (i % 2 == 0 ? std::size(spi::kTypes) : 2)];
  const spi::Shape shape = spi::RandomShape(random, max_elements);
  const auto layout = [&] { return spi::RandomLayout(random, type, shape, true, false); };
  const spi::Layout data = layout(), other = i % 3 == 0 ? data : layout();
  if (i % 2 == 0)
    return spi::MakeEltwiseForward(spi::PropKind::kForwardTraining, params, data, other);
  return spi::MakeEltwiseBackward(params, data, other, other);
}

}  // namespace impl_cpu
