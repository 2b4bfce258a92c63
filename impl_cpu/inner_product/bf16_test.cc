// Inner products of bf16, beside the plain implementation: the instruction that multiplies bf16
// takes numbers that are subnormal for zeros, as factors, as products and as sums.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "api/testing/interpreter.h"
#include "api/testing/random_operation.h"
#include "hwy/targets.h"
#include "impl_cpu/inner_product/plan.h"
#include "impl_cpu/inner_product/testing/random_product.h"
#include "impl_cpu/numeric/storage.h"
#include "impl_cpu/testing/buffers.h"
#include "impl_cpu/testing/targets.h"

namespace impl_cpu {
namespace {

using spi::Bytes;
using spi::DataType;
using spi::PropKind;
using spi::Random;

constexpr DataType kF32 = DataType::kF32, kBF16 = DataType::kBF16;
constexpr PropKind kProps[] = {PropKind::kForwardTraining, PropKind::kBackwardData,
                               PropKind::kBackwardWeights};

spi::Planned PlanOf(const spi::Operation& operation, int candidate) {
  auto planned = PlanInnerProduct({operation, nullptr, candidate});
  EXPECT_TRUE(planned.ok()) << planned.status();
  return planned.ok() ? *std::move(planned) : spi::Planned();
}

// What is written is of a type of its own; layouts are chosen, or row-major.
spi::Operation Bf16Product(PropKind prop, const ProductShape& shape, bool chosen,
                           DataType written = kF32) {
  ProductTypes types = {kBF16, kBF16, written, kBF16};
  (spi::IsForward(prop)              ? types.dst
   : prop == PropKind::kBackwardData ? types.src
                                     : types.weights) = written;
  if (!chosen) return PlainProduct(prop, types, shape, true);
  const spi::Operation open = OpenProduct(prop, types, shape, true);
  return WithChosen(open, PlanOf(open, 0).chosen);
}

bool IsOfPairs(const spi::Operation& operation) {
  return PlanOf(operation, 0).plan->Describe().find(" of bf16") != std::string::npos;
}

// Whether the best of the instruction sets that are allowed now has an instruction for them.
bool MultipliesBf16() {
#if defined(__x86_64__)
  return hwy::SupportedTargets() % (2 * HWY_AVX3_DL) != 0 && __builtin_cpu_supports("avx512bf16");
#else
  return false;
#endif
}

// Every bit, or any NaN for a NaN.
void ExpectEqual(DataType type, const Bytes& got, const Bytes& wanted, const std::string& what) {
  ASSERT_EQ(got.size(), wanted.size()) << what;
  const auto size = static_cast<size_t>(spi::SizeOf(type));
  for (size_t at = 0; at + size <= got.size(); at += size) {
    const float a = LoadWidened(type, &got[at]), b = LoadWidened(type, &wanted[at]);
    if (std::isnan(a) && std::isnan(b)) continue;
    ASSERT_EQ(std::memcmp(&a, &b, sizeof(a)), 0)
        << what << ": " << a << " for " << b << " at " << at / size;
  }
}

void ExpectLikePlain(const spi::Operation& operation, const std::vector<Bytes>& data) {
  if (!PlanInnerProduct({operation, nullptr, 1}).ok()) return;  // there is nothing else
  const spi::Planned planned = PlanOf(operation, 0);
  const std::vector<Bytes> got = Executed(planned, data);
  const std::vector<Bytes> wanted = Executed(PlanOf(operation, 1), data);
  for (size_t i = 0; i < operation.tensors.size(); ++i) {
    const spi::TensorArg& tensor = operation.tensors[i];
    if (!spi::Writes(tensor.access)) continue;
    ASSERT_NO_FATAL_FAILURE(
        ExpectEqual(tensor.layout.type, got[i], wanted[i], planned.plan->Describe()));
  }
}

void Multiply(float factor, Bytes* bytes) {
  for (size_t at = 0; at + 2 <= bytes->size(); at += 2)
    StoreNarrowed(factor * LoadWidened(kBF16, bytes->data() + at), kBF16, bytes->data() + at);
}

const std::vector<ProductShape>& Shapes() {
  static const auto* const shapes = new std::vector<ProductShape>{
      {2, 20, {14}}, {13, 17, {21}}, {30, 40, {520}}, {5, 33, {8, 3, 3}}, {19, 11, {9, 5}}};
  return *shapes;
}

TEST(InnerProductOfBf16, KeepsWhatIsSubnormal) {
  ForEachTarget([] {
    Random random(21);
    int pairs = 0;
    for (const PropKind prop : kProps)
      for (const auto& [first, second] :
           {std::pair(0x1p-133f, 0x1p40f), std::pair(0x1p40f, 0x1p-130f),
            std::pair(0x1p-70f, 0x1p-66f), std::pair(0.f, 1.f)})
        for (const ProductShape& shape : Shapes())
          for (const bool chosen : {false, true}) {
            const spi::Operation operation = Bf16Product(prop, shape, chosen);
            pairs += IsOfPairs(operation);
            std::vector<Bytes> data = spi::IntegersFor(random, operation, true);
            bool is_first = true;
            for (size_t i = 0; i < data.size(); ++i) {
              const spi::TensorArg& tensor = operation.tensors[i];
              if (spi::Writes(tensor.access)) continue;
              if (tensor.layout.type == kBF16) {
                Multiply(is_first ? first : second, &data[i]);
                is_first = false;
              } else {  // bias
                for (size_t at = 0; at + 4 <= data[i].size(); at += 4)
                  StoreNarrowed(first == 0 ? 0x1p-140f : 0.f, kF32, data[i].data() + at);
              }
            }
            ASSERT_NO_FATAL_FAILURE(ExpectLikePlain(operation, data));
          }
    if (MultipliesBf16()) {
      EXPECT_GE(pairs, 60);
    } else {
      EXPECT_EQ(pairs, 0);
    }
  });
}

// The instruction that rounds to bf16 takes sums that are subnormal for zeros.
TEST(InnerProductOfBf16, KeepsResultsThatAreSubnormal) {
  ForEachTarget([] {
    Random random(26);
    for (const PropKind prop : kProps)
      for (const ProductShape& shape :
           {ProductShape{2, 20, {14}}, ProductShape{70, 1, {130}}, ProductShape{70, 3, {272}},
            ProductShape{3, 272, {70}}, ProductShape{30, 40, {520}}})
        for (const bool chosen : {false, true}) {
          const spi::Operation operation = Bf16Product(prop, shape, chosen, kBF16);
          std::vector<Bytes> data = spi::IntegersFor(random, operation, true);
          for (size_t i = 0; i < data.size(); ++i) {
            const spi::TensorArg& tensor = operation.tensors[i];
            if (!spi::Writes(tensor.access))
              Multiply(tensor.layout.rank == 1 ? 0 : 0x1p-66f, &data[i]);
          }
          ASSERT_NO_FATAL_FAILURE(ExpectLikePlain(operation, data));
        }
  });
}

// Where k is summed in several parts, the others do not tell of it.
TEST(InnerProductOfBf16, KeepsOneSubnormalNumberOfAnyPart) {
  ForEachTarget([] {
    Random random(22);
    for (const int64_t rows : {3, 4, 25})
      for (const int64_t k : {0, 255, 256, 511, 512, 777, 1100}) {
        const spi::Operation operation =
            Bf16Product(PropKind::kForwardTraining, {rows, 37, {1101}}, true);
        std::vector<Bytes> data = spi::IntegersFor(random, operation, true);
        for (Bytes& bytes : data)
          if (&bytes != &data[1]) bytes.assign(bytes.size(), std::byte{0});
        const auto at = [&](size_t tensor, int64_t row) {
          return data[tensor].data() +
                 2 * spi::OffsetOf(operation.tensors[tensor].layout, {row, k});
        };
        for (int64_t row = 0; row < rows; ++row) StoreNarrowed(0x1.8p60f, kBF16, at(0, row));
        for (int64_t o = 0; o < 37; ++o)
          StoreNarrowed(o == 30 ? 0x1.8p-130f : 3.f, kBF16, at(1, o));
        ASSERT_NO_FATAL_FAILURE(ExpectLikePlain(operation, data));
      }
  });
}

// Sums that are subnormal after one part stay what they are in the parts behind it.
TEST(InnerProductOfBf16, KeepsASubnormalSumOfAnyPart) {
  ForEachTarget([] {
    Random random(25);
    for (const int64_t rows : {4, 40})
      for (const int64_t k : {0, 600, 2047, 2048, 4100}) {
        const spi::Operation operation =
            Bf16Product(PropKind::kForwardTraining, {rows, 37, {4101}}, true);
        std::vector<Bytes> data = spi::IntegersFor(random, operation, true);
        for (Bytes& bytes : data) bytes.assign(bytes.size(), std::byte{0});
        const auto at = [&](size_t tensor, int64_t row) {
          return data[tensor].data() +
                 2 * spi::OffsetOf(operation.tensors[tensor].layout, {row, k});
        };
        for (int64_t row = 0; row < rows; ++row) StoreNarrowed(1.f, kBF16, at(0, row));
        for (int64_t o = 0; o < 37; ++o) StoreNarrowed(0x1.8p-130f, kBF16, at(1, o));
        ASSERT_NO_FATAL_FAILURE(ExpectLikePlain(operation, data));
      }
  });
}

TEST(InnerProductOfBf16, KeepsInfinitiesAndNaN) {
  ForEachTarget([] {
    Random random(23);
    for (const PropKind prop : kProps)
      for (const ProductShape& shape : Shapes())
        for (const auto& [chosen, written] : {std::pair(false, kF32), std::pair(true, kF32),
                                              std::pair(false, kBF16), std::pair(true, kBF16)})
          for (const float special :
               {std::numeric_limits<float>::infinity(), -std::numeric_limits<float>::infinity(),
                std::numeric_limits<float>::quiet_NaN()}) {
            const spi::Operation operation = Bf16Product(prop, shape, chosen, written);
            std::vector<Bytes> data = spi::IntegersFor(random, operation, true);
            for (size_t i = 0; i < data.size(); ++i) {
              const spi::Layout& layout = operation.tensors[i].layout;
              if (layout.type != kBF16 || spi::Writes(operation.tensors[i].access)) continue;
              spi::Dims last = {};
              for (int axis = 0; axis < layout.rank; ++axis)
                last[static_cast<size_t>(axis)] = layout.dims[static_cast<size_t>(axis)] - 1;
              StoreNarrowed(special, kBF16, data[i].data() + 2 * spi::OffsetOf(layout, last));
            }
            ASSERT_NO_FATAL_FAILURE(ExpectLikePlain(operation, data));
          }
  });
}

TEST(InnerProductOfBf16, IsTheFormulaForSeveralPartsAndBlocks) {
  ForEachTarget([] {
    Random random(24);
    for (const PropKind prop : kProps)
      for (const ProductShape& shape :
           {ProductShape{31, 33, {1101}}, ProductShape{1101, 31, {33}}, ProductShape{3, 1101, {34}},
            ProductShape{210, 35, {70}}, ProductShape{18, 35, {4100}}})
        for (const bool chosen : {false, true}) {
          const spi::Operation operation = Bf16Product(prop, shape, chosen);
          ASSERT_NO_FATAL_FAILURE(
              ExpectLikePlain(operation, spi::IntegersFor(random, operation, true)));
        }
  });
}

}  // namespace
}  // namespace impl_cpu
