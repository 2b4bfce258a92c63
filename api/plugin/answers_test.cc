// What a plug-in is asked, and what becomes of its answers: those of an exported implementation,
// and those of a binary that writes anything.
#include <gtest/gtest.h>

#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "api/fake/fake.h"
#include "api/plugin/adapt.h"
#include "api/plugin/export.h"
#include "api/plugin/translate.h"
#include "api/shuffle/operation.h"
#include "api/spi/implementation.h"
#include "api/spi/plugin_abi.h"

namespace fake_cpu {
spi::Implementation& GetImplementation();
}

namespace {

using spi::DataType;
using spi::Layout;

const dnnspec_plugin_table& Right() {
  static const dnnspec_plugin_table table = spi::Export<fake_cpu::GetImplementation>();
  return table;
}

// What the plug-in was asked last, and what is done to its answer.
struct {
  std::optional<spi::Operation> operation, forward;
  int candidate = 0;
  std::function<void(dnnspec_planned*)> change;
  int plans = 0;  // that were made and not given back
} asked;

dnnspec_status Watch(dnnspec_engine* engine, const dnnspec_request* request,
                     dnnspec_planned* planned) {
  asked.operation = spi::FromC(*request->operation);
  asked.forward = request->forward == nullptr ? std::nullopt : spi::FromC(*request->forward);
  asked.candidate = request->candidate;
  EXPECT_EQ(planned->bytes, sizeof(dnnspec_planned));
  EXPECT_EQ(planned->plan, nullptr);
  const dnnspec_status status = Right().plan_create(engine, request, planned);
  asked.plans += status == DNNSPEC_OK;
  if (asked.change) asked.change(planned);
  return status;
}

const dnnspec_plugin_table& Watched() {
  static const dnnspec_plugin_table table = [] {
    dnnspec_plugin_table made = Right();
    made.plan_create = &Watch;
    made.plan_destroy = [](dnnspec_plan* plan) { Right().plan_destroy(plan), --asked.plans; };
    return made;
  }();
  return table;
}

class Answers : public testing::Test {
 protected:
  Answers() {
    fake::Reset();
    asked = {};
  }
  ~Answers() override {
    EXPECT_EQ(asked.plans, 0);
    fake::Reset();
  }

  static Layout Open() { return spi::Any(DataType::kF32, {2, 20, 3}); }
  static spi::Operation Request() {
    return spi::MakeShuffle(spi::PropKind::kForwardTraining, Open(), Open(), {1, 4});
  }

  // The message of the failure when `change` is made to the answer.
  std::string Refusal(const std::function<void(dnnspec_planned*)>& change) {
    asked.change = change;
    const spi::Operation operation = Request();
    const absl::Status status = engine_->MakePlan({operation, nullptr, 0}).status();
    if (!status.ok()) {
      EXPECT_EQ(status.code(), absl::StatusCode::kInternal) << status;
    }
    return std::string(status.message());
  }

  const std::unique_ptr<spi::Implementation> implementation_ = spi::Adapt(Watched());
  const std::shared_ptr<spi::Engine> engine_ = *implementation_->MakeEngine(0);
};

TEST_F(Answers, FollowTheWholeRequest) {
  fake::controls().candidates = 3;
  spi::Operation forward = Request(), backward = Request();
  forward.tensors[0].layout = spi::Strided(DataType::kF32, {2, 20, 3}, {{1, 16}});
  forward.tensors.push_back(
      {spi::kArgWorkspace, spi::Access::kWrite, spi::Opaque(DataType::kU8, {9}, 5, 64)});
  backward.prop = spi::PropKind::kBackwardData;
  ASSERT_TRUE(engine_->MakePlan({backward, &forward, 2}).ok());
  EXPECT_EQ(asked.operation, backward);
  EXPECT_EQ(asked.forward, forward);
  EXPECT_EQ(asked.candidate, 2);
  ASSERT_TRUE(engine_->MakePlan({backward, nullptr, 0}).ok());
  EXPECT_EQ(asked.forward, std::nullopt);
  EXPECT_EQ(engine_->MakePlan({backward, nullptr, 3}).status().code(),
            absl::StatusCode::kUnimplemented);
}

TEST_F(Answers, ComeBackAsTheyWere) {
  const Layout blocked = spi::Strided(DataType::kF32, {2, 20, 3}, {{1, 16}});
  const Layout opaque = spi::Opaque(DataType::kF32, {2, 20, 3}, 7, 1024);
  fake::controls().chosen = {blocked, opaque};
  fake::controls().workspace = spi::Opaque(DataType::kU8, {2, 20}, 3, 512);
  fake::controls().scratchpad_bytes = 40;
  const spi::Operation operation = Request();
  const auto planned = engine_->MakePlan({operation, nullptr, 0});
  ASSERT_TRUE(planned.ok()) << planned.status();
  EXPECT_EQ(planned->chosen, (std::vector<Layout>{blocked, opaque}));
  ASSERT_NE(planned->workspace, nullptr);
  EXPECT_EQ(*planned->workspace, *fake::controls().workspace);
  EXPECT_EQ(planned->scratchpad_bytes, 40u);
  EXPECT_EQ(planned->plan->Describe(), "cpu:fake0");
}

// Buffers go in the order of the tensors, then the workspace and the scratchpad.
TEST_F(Answers, NameWhatAnExecutionGets) {
  static std::vector<int> arguments;
  dnnspec_plugin_table table = Right();
  table.plan_execute = [](const dnnspec_plan* plan, dnnspec_stream* stream,
                          const dnnspec_argument* given, size_t count) {
    for (size_t i = 0; i < count; ++i) {
      arguments.push_back(given[i].argument);
      EXPECT_EQ(given[i].host, nullptr);
    }
    return Right().plan_execute(plan, stream, given, count);
  };
  const auto engine = *spi::Adapt(table)->MakeEngine(0);
  const auto stream = *engine->MakeStream(spi::kInOrder);
  const std::shared_ptr<spi::Buffer> buffer = *engine->Allocate(4096);
  const std::shared_ptr<spi::Buffer> other = *engine->Allocate(4096);
  fake::controls().workspace = spi::Strided(DataType::kU8, {16});
  const spi::Operation operation =
      spi::MakeShuffle(spi::PropKind::kForwardTraining, spi::Strided(DataType::kF32, {2, 20, 3}),
                       spi::Strided(DataType::kF32, {2, 20, 3}), {1, 4});
  for (const bool scratchpad : {true, false}) {
    arguments.clear();
    fake::controls().scratchpad_bytes = scratchpad ? 16 : 0;
    const auto planned = engine->MakePlan({operation, nullptr, 0});
    ASSERT_TRUE(planned.ok());
    std::vector<spi::Buffer*> buffers = {buffer.get(), other.get(), buffer.get()};
    std::vector<int> wanted = {spi::kArgSrc, spi::kArgDst, spi::kArgWorkspace};
    if (scratchpad) buffers.push_back(other.get()), wanted.push_back(spi::kArgScratchpad);
    EXPECT_TRUE(planned->plan->Execute(*stream, buffers).ok());
    EXPECT_EQ(arguments, wanted);
  }
}

// Those of a host may send several arguments without a buffer: empty tensors, and what lies with
// it.
TEST_F(Answers, MayBeGivenHostMemoryMoreThanOnce) {
  static float from[2][3] = {{1, 2, 3}, {4, 5, 6}}, to[3][2] = {}, scratchpad[4];
  dnnspec_plugin_table table = Right();
  table.plan_execute = [](const dnnspec_plan* plan, dnnspec_stream* stream, const dnnspec_argument*,
                          size_t) {
    const dnnspec_argument host[] = {{DNNSPEC_ARG_SRC, 0, nullptr, from},
                                     {DNNSPEC_ARG_DST, 0, nullptr, to},
                                     {DNNSPEC_ARG_SCRATCHPAD, 0, nullptr, scratchpad}};
    return Right().plan_execute(plan, stream, host, 3);
  };
  const auto engine = *spi::Adapt(table)->MakeEngine(0);
  const auto stream = *engine->MakeStream(spi::kInOrder);
  fake::controls().scratchpad_bytes = sizeof scratchpad;
  spi::Layout turned = spi::Strided(DataType::kF32, {2, 3});
  turned.strides = {1, 2};
  const spi::Operation operation = spi::MakeShuffle(
      spi::PropKind::kForwardTraining, spi::Strided(DataType::kF32, {2, 3}), turned, {1, 1});
  const auto planned = engine->MakePlan({operation, nullptr, 0});
  ASSERT_TRUE(planned.ok());
  const std::shared_ptr<spi::Buffer> buffer = *engine->Allocate(4096);
  spi::Buffer* const buffers[] = {buffer.get(), buffer.get(), buffer.get()};
  EXPECT_TRUE(planned->plan->Execute(*stream, buffers).ok());
  EXPECT_EQ(to[0][1], 4);
  EXPECT_EQ(to[2][0], 3);
}

TEST_F(Answers, ThatLeaveALayoutOpenAreNamed) {
  const std::string prefix = "shuffle: the implementation's answer: DNNL_ARG_";
  EXPECT_EQ(Refusal([](dnnspec_planned* planned) { planned->chosen[1] = {}; }),
            prefix + "DST: no layout for f32 2x20x3 any");
  EXPECT_EQ(Refusal([](dnnspec_planned* planned) { planned->chosen[0] = {}; }),
            prefix + "SRC: no layout for f32 2x20x3 any");
  // As many as the implementation behind an exported table gave.
  fake::controls().chosen = {spi::Strided(DataType::kF32, {2, 20, 3})};
  EXPECT_EQ(Refusal(nullptr), "shuffle: 1 layouts for 2 that were open");
}

TEST_F(Answers, ThatNoLayoutCanHaveAreNamed) {
  const std::string prefix = "shuffle: the implementation's answer: DNNL_ARG_";
  EXPECT_EQ(Refusal([](dnnspec_planned* planned) {
              planned->chosen[1].kind = 9;
              planned->chosen[1].rank = 200;
            }),
            prefix + "DST: a layout of kind 9, data type 3, rank 200, 0 blocks is none");
  EXPECT_EQ(Refusal([](dnnspec_planned* planned) {
              planned->chosen[0].block_count = 1;
              planned->chosen[0].blocks[0] = {77, 0};
            }),
            prefix + "SRC: a layout of kind 1, data type 3, rank 3, 1 blocks 0@77 is none");
  EXPECT_EQ(Refusal([](dnnspec_planned* planned) {
              planned->workspace.kind = DNNSPEC_LAYOUT_STRIDED;
              planned->workspace.rank = -1;
            }),
            prefix + "WORKSPACE: a layout of kind 1, data type 0, rank -1, 0 blocks is none");
}

// The owner is api's to say.
TEST_F(Answers, OwnNothing) {
  fake::controls().chosen = {spi::Opaque(DataType::kF32, {2, 20, 3}, 7, 1024),
                             spi::Strided(DataType::kF32, {2, 20, 3})};
  asked.change = [](dnnspec_planned* planned) {
    planned->chosen[0].owner = planned->chosen[1].owner = 77;
  };
  const spi::Operation operation = Request();
  const auto planned = engine_->MakePlan({operation, nullptr, 0});
  ASSERT_TRUE(planned.ok());
  EXPECT_EQ(planned->chosen, fake::controls().chosen);
}

// Host and room are the host's, whatever a plug-in leaves in the fields.
TEST_F(Answers, HaveTheRoomThatTheyWereGiven) {
  EXPECT_EQ(Refusal([](dnnspec_planned* planned) {
              planned->chosen = nullptr;
              planned->chosen_count = std::numeric_limits<uint32_t>::max();
              planned->bytes = 0;
            }),
            "");
}

TEST_F(Answers, WithoutAPlanAreNamed) {
  dnnspec_plugin_table table = Right();
  table.plan_create = [](dnnspec_engine*, const dnnspec_request*,
                         dnnspec_planned*) -> dnnspec_status { return DNNSPEC_OK; };
  table.transfer_create = [](dnnspec_engine*, dnnspec_engine*, dnnspec_engine*,
                             const dnnspec_request*,
                             dnnspec_planned*) -> dnnspec_status { return DNNSPEC_OK; };
  const auto engine = *spi::Adapt(table)->MakeEngine(0);
  const spi::Operation operation = Request();
  EXPECT_EQ(engine->MakePlan({operation, nullptr, 0}).status().message(),
            "plan_create answered OK and gave no plan");
  EXPECT_EQ(engine->MakeTransferPlan({operation, nullptr, 0}, *engine, *engine).status().message(),
            "transfer_create answered OK and gave no plan");
  table.transfer_create = nullptr;
  EXPECT_EQ(spi::TableProblem(table), "");
  EXPECT_EQ(engine->MakeTransferPlan({operation, nullptr, 0}, *engine, *engine).status().code(),
            absl::StatusCode::kUnimplemented);
}

}  // namespace
