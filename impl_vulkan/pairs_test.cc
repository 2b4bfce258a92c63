// Every pair of types, with every kind of arithmetic, over every value that fits into 16 bits and
// over f32 and s32 values around the places where conversions change their mind.
#include <gtest/gtest.h>

#include <cstring>
#include <string>
#include <tuple>
#include <vector>

#include "api/reorder/testing/reorder_operation.h"
#include "api/testing/interpreter.h"
#include "api/testing/random_operation.h"
#include "impl_vulkan/testing/device.h"

namespace impl_vulkan {
namespace {

enum class Computes { kNothing, kScale, kScales, kSum };

class Pairs : public ::testing::TestWithParam<std::tuple<spi::DataType, spi::DataType, Computes>> {
};

std::string NameOfPair(const ::testing::TestParamInfo<Pairs::ParamType>& info) {
  constexpr const char* kComputes[] = {"alone", "with_a_scale", "with_scales", "with_a_sum"};
  return std::string(spi::NameOf(std::get<0>(info.param))) + "_to_" +
         spi::NameOf(std::get<1>(info.param)) + "_" +
         kComputes[static_cast<int>(std::get<2>(info.param))];
}

spi::Layout Matrix(spi::DataType type, int64_t rows, int64_t columns) {
  return spi::Strided(type, {rows, columns});
}

TEST_P(Pairs, AreExact) {
  static Implementation& implementation = testing::Keep(Preferences::FromEnvironment());
  SKIP_WITHOUT_DEVICE(implementation);
  const auto [from, to, computes] = GetParam();
  const int64_t columns = 4;
  const int64_t rows = spi::SizeOf(from) == 1 ? 64 : 16384;
  spi::ReorderOperation operation;
  operation.src = Matrix(from, rows, columns);
  operation.dst = Matrix(to, rows, columns);
  if (computes == Computes::kScale) operation.scales = {0.3f};
  if (computes == Computes::kScales) {
    operation.scale_mask = 2;
    operation.scale_count = columns;
    operation.scales = {-1, 0.5f, 3e38f, 1e-38f};
  }
  if (computes == Computes::kSum) {
    operation.has_sum = true;
    operation.beta = -0.7f;
  }
  spi::Random random(static_cast<uint32_t>(from) * 64 + static_cast<uint32_t>(to));
  std::vector<spi::Bytes> before = spi::BuffersFor(random, operation);
  if (const auto size = static_cast<size_t>(spi::SizeOf(from)); size <= 2) {
    for (size_t i = 0; i < before[0].size() / size; ++i)
      std::memcpy(&before[0][i * size], &i, size);
  }
  auto engine = implementation.MakeEngine(0);
  ASSERT_TRUE(engine.ok()) << engine.status();
  EXPECT_EQ(testing::Run(**engine, {operation, before}, 1), "");
}

INSTANTIATE_TEST_SUITE_P(All, Pairs,
                         ::testing::Combine(::testing::ValuesIn(spi::kTypes),
                                            ::testing::ValuesIn(spi::kTypes),
                                            ::testing::Values(Computes::kNothing, Computes::kScale,
                                                              Computes::kScales, Computes::kSum)),
                         NameOfPair);

}  // namespace
}  // namespace impl_vulkan
