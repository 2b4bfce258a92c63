#include "impl_cpu/inner_product/plan.h"

#include <gtest/gtest.h>

#include <cstring>
#include <limits>
#include <string>
#include <vector>

#include "api/inner_product/operation.h"
#include "impl_cpu/inner_product/testing/random_product.h"
#include "impl_cpu/testing/targets.h"

namespace impl_cpu {
namespace {

using spi::DataType;
using spi::PropKind;

constexpr DataType kF32 = DataType::kF32, kBF16 = DataType::kBF16, kF16 = DataType::kF16,
                   kS32 = DataType::kS32, kS8 = DataType::kS8, kU8 = DataType::kU8;
constexpr PropKind kProps[] = {PropKind::kForwardTraining, PropKind::kBackwardData,
                               PropKind::kBackwardWeights};
constexpr ProductTypes kFloatTypes[] = {
    kAllF32,
    {kBF16, kBF16, kF32, kF32},
    {kBF16, kBF16, kBF16, kBF16},
    {kF16, kF16, kF16, kF16},
    {kF32, kBF16, kF32, kBF16},
};

spi::Planned PlanOf(const spi::Operation& operation, int candidate) {
  auto planned = PlanInnerProduct({operation, nullptr, candidate});
  EXPECT_TRUE(planned.ok()) << planned.status();
  return planned.ok() ? *std::move(planned) : spi::Planned();
}

// Of the first tensor that differs; -1 if none does.
int FirstDifferent(const ProductData& a, const ProductData& b) {
  for (size_t i = 0; i < a.size(); ++i)
    if (a[i] != b[i]) return static_cast<int>(i);
  return -1;
}

void ExpectRight(const spi::Operation& operation, const ProductData& data) {
  const ProductData expected = Expected(operation, data);
  for (int candidate = 0; candidate < 2; ++candidate) {
    if (!PlanInnerProduct({operation, nullptr, candidate}).ok()) break;
    const spi::Planned planned = PlanOf(operation, candidate);
    ASSERT_NE(planned.plan, nullptr);
    const int different = FirstDifferent(Executed(planned, data), expected);
    ASSERT_EQ(different, -1) << planned.plan->Describe() << "\n"
                             << ([&] {
                                  std::string text;
                                  for (const spi::TensorArg& tensor : operation.tensors)
                                    text += ToString(tensor.layout) + "\n";
                                  return text;
                                })();
  }
}

TEST(InnerProductPlan, IsTheFormulaInEveryLayoutOfFloats) {
  ForEachTarget([] {
    Random random(7);
    for (const PropKind prop : kProps)
      for (const ProductTypes& types : kFloatTypes)
        for (int i = 0; i < 60; ++i) {
          const spi::Operation operation =
              RandomProduct(random, prop, types, RandomProductShape(random));
          ASSERT_NO_FATAL_FAILURE(ExpectRight(operation, DataFor(random, operation)));
        }
  });
}

TEST(InnerProductPlan, IsTheFormulaInEveryLayoutOfIntegers) {
  ForEachTarget([] {
    Random random(8);
    for (const DataType src : {kU8, kS8})
      for (const DataType dst : {kS32, kF32, kBF16, kU8, kS8})
        for (const DataType bias : {kS32, kF32, kU8, kS8})
          for (int i = 0; i < 20; ++i) {
            const spi::Operation operation =
                RandomProduct(random, PropKind::kForwardInference, {src, kS8, bias, dst},
                              RandomProductShape(random));
            ASSERT_NO_FATAL_FAILURE(ExpectRight(operation, DataFor(random, operation)));
          }
  });
}

}  // namespace
}  // namespace impl_cpu
