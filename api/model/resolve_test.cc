// What comes of the answers of an implementation: a test-only one answers what the tests choose.
#include "api/model/resolve.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <memory>
#include <string>

#include "absl/status/status.h"
#include "api/fake/fake.h"
#include "api/spi/implementation.h"
#include "api/spi/signatures.h"

namespace fake_cpu {
spi::Implementation& GetImplementation();
}

namespace api {
namespace {

using spi::DataType;
using spi::Layout;

constexpr uint16_t kOwner = 3;

class Resolving : public testing::Test {
 protected:
  Resolving() { fake::Reset(); }
  ~Resolving() override { fake::Reset(); }

  // What both tensors leave open.
  static Layout Open() { return spi::Any(DataType::kF32, {2, 20, 3}); }

  // A training shuffle of two open tensors, or of `given`.
  static spi::Operation Request(const Layout& given = Open()) {
    return spi::MakeShuffle(spi::PropKind::kForwardTraining, given, given, {1, 4});
  }

  // Asks the implementation.
  absl::Status Resolved(spi::Operation* operation) {
    const absl::StatusOr<spi::Planned> planned = engine_->MakePlan({*operation, nullptr, 0});
    EXPECT_TRUE(planned.ok());
    return Resolve(*planned, kOwner, operation);
  }

  // The message, and that the fault is the implementation's.
  std::string Refusal(spi::Operation operation = Request()) {
    const absl::Status status = Resolved(&operation);
    if (!status.ok()) {
      EXPECT_EQ(status.code(), absl::StatusCode::kInternal);
    }
    return std::string(status.message());
  }

  const std::shared_ptr<spi::Engine> engine_ = *fake_cpu::GetImplementation().MakeEngine(0);
};

TEST_F(Resolving, ChangesNothingWhereNothingWasOpen) {
  fake::controls().scratchpad_bytes = 0;
  spi::Operation operation = Request(spi::Strided(DataType::kF32, {2, 20, 3}));
  ASSERT_TRUE(Resolved(&operation).ok());
  EXPECT_EQ(operation, Request(spi::Strided(DataType::kF32, {2, 20, 3})));
}

TEST_F(Resolving, PutsEachLayoutInThePlaceOfItsTensor) {
  const Layout blocked = spi::Strided(DataType::kF32, {2, 20, 3}, {{1, 16}});
  const Layout plain = spi::Strided(DataType::kF32, {2, 20, 3});
  fake::controls().chosen = {blocked, plain};
  fake::controls().scratchpad_bytes = 0;
  spi::Operation operation = Request();
  ASSERT_TRUE(Resolved(&operation).ok());
  ASSERT_EQ(operation.tensors.size(), 2u);
  EXPECT_EQ(operation.tensors[0].layout, blocked);
  EXPECT_EQ(operation.tensors[1].layout, plain);
  // One that is not open keeps its own.
  operation = Request();
  operation.tensors[0].layout = plain;
  fake::controls().chosen = {blocked};
  ASSERT_TRUE(Resolved(&operation).ok());
  EXPECT_EQ(operation.tensors[0].layout, plain);
  EXPECT_EQ(operation.tensors[1].layout, blocked);
}

TEST_F(Resolving, AppendsWorkspaceAndScratchpad) {
  fake::controls().workspace = spi::Opaque(DataType::kU8, {2, 20, 3}, 1, 256);
  fake::controls().scratchpad_bytes = 40;
  spi::Operation operation = Request();
  ASSERT_TRUE(Resolved(&operation).ok());
  ASSERT_EQ(operation.tensors.size(), 4u);
  EXPECT_EQ(operation.tensors[2].argument, spi::kArgWorkspace);
  EXPECT_EQ(operation.tensors[2].access, spi::Access::kWrite);
  EXPECT_EQ(operation.tensors[2].layout.owner, kOwner);
  EXPECT_EQ(operation.tensors[3].argument, spi::kArgScratchpad);
  EXPECT_EQ(operation.tensors[3].access, spi::Access::kReadWrite);
  EXPECT_EQ(operation.tensors[3].layout, spi::Strided(DataType::kU8, {40}));
}

TEST_F(Resolving, StampsWhatIsOpaque) {
  const Layout opaque = spi::Opaque(DataType::kF32, {2, 20, 3}, 7, 1024);
  fake::controls().chosen = {opaque, spi::Strided(DataType::kF32, {2, 20, 3})};
  spi::Operation operation = Request();
  ASSERT_TRUE(Resolved(&operation).ok());
  EXPECT_EQ(operation.tensors[0].layout.owner, kOwner);
  EXPECT_EQ(operation.tensors[0].layout.opaque_format, 7);
  EXPECT_EQ(operation.tensors[1].layout.owner, 0);
}

TEST_F(Resolving, TellsALayoutThatDoesNotFit) {
  const Layout right = spi::Strided(DataType::kF32, {2, 20, 3});
  const std::string prefix = "shuffle: the implementation's answer: DNNL_ARG_SRC: the layout ";
  const auto refusal = [&](const Layout& wrong) {
    fake::controls().chosen = {wrong, right};
    return Refusal();
  };
  EXPECT_EQ(refusal(spi::Strided(DataType::kF32, {2, 24, 3})),
            prefix + "f32 2x24x3 s72,3,1 does not answer f32 2x20x3 any");
  EXPECT_EQ(refusal(spi::Strided(DataType::kS32, {2, 20, 3})),
            prefix + "s32 2x20x3 s60,3,1 does not answer f32 2x20x3 any");
  EXPECT_EQ(refusal(spi::Strided(DataType::kF32, {2, 20})),
            prefix + "f32 2x20 s20,1 does not answer f32 2x20x3 any");
  EXPECT_EQ(refusal(Open()), prefix + "f32 2x20x3 any is none");
  EXPECT_EQ(refusal(spi::Opaque(DataType::kF32, {2, 20, 3}, 0, 1024)),
            prefix + "f32 2x20x3 opaque 0 (1024 bytes) has no format or no size");
  EXPECT_EQ(refusal(spi::Opaque(DataType::kF32, {2, 20, 3}, 1, -4)),
            prefix + "f32 2x20x3 opaque 1 (-4 bytes) has no format or no size");
  Layout repeats = right;
  repeats.strides[1] = 0;
  EXPECT_EQ(refusal(repeats), prefix + "f32 2x20x3 s60,0,1 repeats one element");
  Layout negative = right;
  negative.strides[0] = -60;
  EXPECT_EQ(refusal(negative).rfind(prefix + "f32 2x20x3 s-60,3,1: ", 0), 0u) << refusal(negative);
  Layout later = right;
  later.strides[0] = spi::kRunTimeValue;
  EXPECT_EQ(refusal(later), prefix + "f32 2x20x3 sruntime,3,1 is known at execution only");
  Layout endless = right;
  endless.strides[0] = std::numeric_limits<int64_t>::max();
  EXPECT_NE(refusal(endless), "");
  EXPECT_EQ(refusal(right), "");
}

// The dim rounded up to blocks, of a tensor without elements.
TEST_F(Resolving, TellsBlocksThatDoNotFit63Bits) {
  const auto refusal = [&](int64_t dim) {
    const Layout answer = spi::Strided(DataType::kS8, {dim, 0}, {{0, 16}});
    fake::controls().chosen = {answer, answer};
    const Layout open = spi::Any(DataType::kS8, {dim, 0});
    return Refusal(spi::MakeShuffle(spi::PropKind::kForwardTraining, open, open, {1, 1}));
  };
  constexpr int64_t kMost = std::numeric_limits<int64_t>::max();
  EXPECT_EQ(refusal(kMost - 15), "");
  EXPECT_EQ(refusal(kMost),
            "shuffle: the implementation's answer: DNNL_ARG_SRC: the layout "
            "s8 9223372036854775807x0 s0,16 b16@0: it: padded_dims[0] = 9223372036854775807 does "
            "not fit dims[0] = 9223372036854775807 in blocks of 16 (MD-059)");
}

TEST_F(Resolving, TellsTooFewAndTooMany) {
  const Layout right = spi::Strided(DataType::kF32, {2, 20, 3});
  fake::controls().chosen = {right};
  EXPECT_EQ(Refusal(),
            "shuffle: the implementation's answer: DNNL_ARG_DST: no layout for f32 2x20x3 any");
  fake::controls().chosen = {right, right, right};
  EXPECT_EQ(Refusal(), "shuffle: the implementation's answer: 3 layouts for 2 that were open");
}

TEST_F(Resolving, OnlyTrainingHasAWorkspace) {
  fake::controls().workspace = spi::Strided(DataType::kU8, {16});
  EXPECT_EQ(Refusal(), "");
  spi::Operation inference = Request();
  inference.prop = spi::PropKind::kForwardInference;
  EXPECT_EQ(Refusal(inference),
            "shuffle: the implementation's answer: a workspace outside forward training");
  fake::controls().workspace = spi::Any(DataType::kU8, {16});
  EXPECT_EQ(
      Refusal(),
      "shuffle: the implementation's answer: DNNL_ARG_WORKSPACE: the layout u8 16 any is none");
}

TEST_F(Resolving, AScratchpadHasASizeOf63Bits) {
  fake::controls().scratchpad_bytes = std::numeric_limits<size_t>::max();
  EXPECT_EQ(Refusal(),
            "shuffle: the implementation's answer: a scratchpad of 18446744073709551615 bytes");
}

TEST_F(Resolving, NoPlanIsNoAnswer) {
  spi::Operation operation = Request();
  EXPECT_EQ(Resolve({}, kOwner, &operation).message(),
            "shuffle: the implementation's answer: no plan");
}

}  // namespace
}  // namespace api
