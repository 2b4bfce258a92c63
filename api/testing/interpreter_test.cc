#include "api/testing/interpreter.h"

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "api/reorder/operation.h"
#include "api/reorder/testing/reorder_operation.h"
#include "api/spi/layout.h"
#include "api/spi/operation.h"
#include "api/testing/values.h"

namespace spi {
namespace {

constexpr DataType kF32 = DataType::kF32, kS32 = DataType::kS32, kS8 = DataType::kS8;

TEST(Interpreter, MayReplaceEachElementInPlace) {
  ReorderOperation operation;
  operation.src = Strided(kF32, {3});
  operation.dst = Strided(kS32, {3});
  operation.scales = {2};
  Bytes both = Floats({1.5f, -2, 4});
  Interpret(operation, {both.data(), both.data()});
  EXPECT_EQ(ValuesOf<int32_t>(both), std::vector<int32_t>({3, -4, 8}));
}

TEST(Interpreter, RefusesWhatIsWrittenBesideTheElements) {
  const Block block = {0, 4};
  Layout gapped = Strided(kS8, {2});
  gapped.strides[0] = 2;
  for (const auto& [layout, place] :
       {std::pair(Strided(kS8, {3}, {&block, 1}), 3), std::pair(gapped, 1)}) {
    const Operation operation = MakeReorder(Strided(kS8, {layout.dims[0]}), layout);
    const Interpretation right(operation, {Bytes(3, std::byte{1}), Bytes(6, std::byte{7})});
    EXPECT_EQ(right.Mismatch(right.after()), "");
    for (const int wrong : {place, 5}) {
      std::vector<Bytes> got = right.after();
      got[1][static_cast<size_t>(wrong)] = std::byte{2};
      EXPECT_EQ(right.Mismatch(got).substr(0, 20),
                "argument 17: byte " + std::to_string(wrong) + " ");
    }
    std::vector<Bytes> got = right.after();
    got[0][0] = std::byte{2};
    EXPECT_EQ(right.Mismatch(got).substr(0, 19), "argument 1: byte 0 ");
  }
}

TEST(Interpreter, OfNothingWritesNothing) {
  const Layout empty = Strided(kF32, {2, 0});
  const Interpretation right(MakeReorder(empty, empty), {{}, {}});
  EXPECT_EQ(right.Mismatch({{}, {}}), "");
}

}  // namespace
}  // namespace spi
