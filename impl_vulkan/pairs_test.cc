// Every pair of types, with every kind of arithmetic, over every value that fits into 16 bits and
// over f32 and s32 values around the places where conversions change their mind.
#include <gtest/gtest.h>

#include <string>
#include <tuple>

#include "impl_vulkan/testing/device.h"

namespace impl_vulkan {
namespace {

using testing::Bytes;
using testing::Difference;
using testing::Generator;

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
  Generator generator(static_cast<uint32_t>(from) * 64 + static_cast<uint32_t>(to));
  Bytes source = generator.Data(from, rows * columns);
  if (spi::SizeOf(from) <= 2) {
    for (int64_t i = 0; i < rows * columns; ++i) {
      testing::Store(&source, from, i, static_cast<uint32_t>(i));
    }
  }
  const Bytes before = generator.Data(to, rows * columns);

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
  Bytes expected = before;
  testing::Run(operation, {}, source, &expected);
  auto engine = implementation.MakeEngine(0);
  ASSERT_TRUE(engine.ok()) << engine.status();
  EXPECT_EQ(Difference(testing::RunOn(**engine, operation, source, before, {}, 1), expected), "");
}

INSTANTIATE_TEST_SUITE_P(All, Pairs,
                         ::testing::Combine(::testing::ValuesIn(testing::kTypes),
                                            ::testing::ValuesIn(testing::kTypes),
                                            ::testing::Values(Computes::kNothing, Computes::kScale,
                                                              Computes::kScales, Computes::kSum)),
                         NameOfPair);

}  // namespace
}  // namespace impl_vulkan
