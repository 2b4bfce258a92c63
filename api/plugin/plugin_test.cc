#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "api/engine/throw.h"
#include "api/fake/fake.h"
#include "api/fake/refusal.h"
#include "api/plugin/adapt.h"
#include "api/plugin/export.h"
#include "api/spi/implementation.h"
#include "api/spi/plugin_abi.h"
#include "oneapi/dnnl/dnnl.hpp"

namespace fake_cpu {
spi::Implementation& GetImplementation();
}
namespace fake_gpu {
spi::Implementation& GetImplementation();
}

namespace spi {

// In the place of implementation_table.
const std::vector<Implementation*>& Implementations() {
  static const dnnspec_plugin_table cpu = Export<fake_cpu::GetImplementation>();
  static const dnnspec_plugin_table gpu = Export<fake_gpu::GetImplementation>();
  // A plug-in knows its own by its table.
  static const dnnspec_plugin_table other_gpu = gpu;
  static const auto* const all = new std::vector<Implementation*>{
      Adapt(cpu).release(), Adapt(gpu).release(), Adapt(other_gpu).release()};
  return *all;
}

}  // namespace spi

namespace {

using dnnl::memory;
using dt = memory::data_type;
using tag = memory::format_tag;

// Dense fakes behind both sides of the ABI.
class Plugin : public testing::TestWithParam<dnnl::engine::kind> {
 protected:
  Plugin() { fake::Reset(); }

  memory Filled(const memory::desc& desc, std::vector<float> values) {
    memory made(desc, engine_);
    auto* const mapped = made.map_data<float>();
    std::copy(values.begin(), values.end(), mapped);
    made.unmap_data(mapped);
    return made;
  }

  static std::vector<float> Contents(memory of) {
    auto* const mapped = of.map_data<float>();
    const std::vector<float> values(mapped, mapped + of.get_desc().get_size() / sizeof(float));
    of.unmap_data(mapped);
    return values;
  }

  const memory::desc rows{{2, 3}, dt::f32, tag::ab}, columns{{2, 3}, dt::f32, tag::ba};
  const dnnl::engine engine_{GetParam(), 0};
  dnnl::stream stream_{engine_};
};

INSTANTIATE_TEST_SUITE_P(Kinds, Plugin,
                         testing::Values(dnnl::engine::kind::cpu, dnnl::engine::kind::gpu));

TEST_P(Plugin, CarriesLayoutsAndBuffers) {
  memory src = Filled(rows, {0, 1, 2, 3, 4, 5}), dst(columns, engine_);
  dnnl::reorder(src, dst).execute(stream_, src, dst);
  stream_.wait();
  EXPECT_EQ(Contents(dst), (std::vector<float>{0, 3, 1, 4, 2, 5}));
}

TEST_P(Plugin, CarriesScalesAndSums) {
  memory src = Filled(rows, {0, 1, 2, 3, 4, 5}), dst = Filled(rows, {1, 1, 1, 1, 1, 1});
  dnnl::primitive_attr attr;
  attr.set_output_scales(1 << 1, {1, 10, 100});
  dnnl::post_ops ops;
  ops.append_sum(.5f);
  attr.set_post_ops(ops);
  dnnl::reorder(src, dst, attr).execute(stream_, src, dst);
  stream_.wait();
  EXPECT_EQ(Contents(dst), (std::vector<float>{.5f, 10.5f, 200.5f, 3.5f, 40.5f, 500.5f}));
}

TEST_P(Plugin, CarriesScalesThatComeAtExecution) {
  memory src = Filled(rows, {0, 1, 2, 3, 4, 5}), dst(rows, engine_);
  dnnl::primitive_attr attr;
  attr.set_output_scales(1 << 1, {DNNL_RUNTIME_F32_VAL});
  memory scales = Filled({{3}, dt::f32, tag::a}, {1, 10, 100});
  dnnl::reorder(dnnl::reorder::primitive_desc(src, dst, attr))
      .execute(stream_,
               {{DNNL_ARG_SRC, src}, {DNNL_ARG_DST, dst}, {DNNL_ARG_ATTR_OUTPUT_SCALES, scales}});
  stream_.wait();
  EXPECT_EQ(Contents(dst), (std::vector<float>{0, 10, 200, 3, 40, 500}));
}

TEST_P(Plugin, CarriesZeroPoints) {
  memory src = Filled(rows, {0, 1, 2, 3, 4, 5}), dst(rows, engine_);
  memory point({{1}, dt::s32, tag::x}, engine_);
  auto* const mapped = point.map_data<int32_t>();
  *mapped = 7;
  point.unmap_data(mapped);
  dnnl::primitive_attr attr;
  attr.set_output_scales(0, {2});
  attr.set_zero_points(DNNL_ARG_SRC, 0, {3});
  attr.set_zero_points(DNNL_ARG_DST, 0, {-100});
  dnnl::reorder(src, dst, attr).execute(stream_, src, dst);
  stream_.wait();
  EXPECT_EQ(Contents(dst), (std::vector<float>{-106, -104, -102, -100, -98, -96}));
  for (int arg : {DNNL_ARG_SRC, DNNL_ARG_DST}) {
    dnnl::primitive_attr later;
    later.set_zero_points(arg, 0, {DNNL_RUNTIME_S32_VAL});
    dnnl::reorder(dnnl::reorder::primitive_desc(src, dst, later))
        .execute(
            stream_,
            {{DNNL_ARG_SRC, src}, {DNNL_ARG_DST, dst}, {DNNL_ARG_ATTR_ZERO_POINTS | arg, point}});
    stream_.wait();
    const float shift = arg == DNNL_ARG_SRC ? -7.f : 7.f;
    EXPECT_EQ(Contents(dst),
              (std::vector<float>{shift, shift + 1, shift + 2, shift + 3, shift + 4, shift + 5}));
  }
}

TEST_P(Plugin, CarriesShufflesBothWays) {
  const memory::desc line({1, 6}, dt::f32, tag::ab);
  const dnnl::shuffle_forward::primitive_desc forward(
      {dnnl::prop_kind::forward_training, line, 1, 3}, engine_);
  const dnnl::shuffle_backward::primitive_desc backward({line, 1, 3}, engine_, forward);
  memory src = Filled(line, {0, 1, 2, 3, 4, 5}), mid(line, engine_), dst(line, engine_);
  dnnl::shuffle_forward(forward).execute(stream_, {{DNNL_ARG_SRC, src}, {DNNL_ARG_DST, mid}});
  dnnl::shuffle_backward(backward).execute(stream_,
                                           {{DNNL_ARG_DIFF_DST, mid}, {DNNL_ARG_DIFF_SRC, dst}});
  stream_.wait();
  EXPECT_EQ(Contents(mid), (std::vector<float>{0, 3, 1, 4, 2, 5}));
  EXPECT_EQ(Contents(dst), (std::vector<float>{0, 1, 2, 3, 4, 5}));
}

TEST_P(Plugin, CarriesEltwiseBothWaysAndInPlace) {
  using Forward = dnnl::eltwise_forward;
  using Backward = dnnl::eltwise_backward;
  const auto relu = dnnl::algorithm::eltwise_relu_use_dst_for_bwd;
  const Forward::primitive_desc forward(
      Forward::desc(dnnl::prop_kind::forward_training, relu, rows, 0.5f), engine_);
  const memory::desc any({2, 3}, dt::f32, tag::any);
  const Backward::primitive_desc backward(Backward::desc(relu, any, rows, 0.5f), engine_, forward);
  memory data = Filled(rows, {-2, -1, 0, 1, 2, 3}), gradient = Filled(rows, {1, 2, 3, 4, 5, 6});
  Forward(forward).execute(stream_, {{DNNL_ARG_SRC, data}, {DNNL_ARG_DST, data}});
  Backward(backward).execute(
      stream_,
      {{DNNL_ARG_DST, data}, {DNNL_ARG_DIFF_DST, gradient}, {DNNL_ARG_DIFF_SRC, gradient}});
  stream_.wait();
  EXPECT_EQ(Contents(data), (std::vector<float>{-1, -0.5f, 0, 1, 2, 3}));
  EXPECT_EQ(Contents(gradient), (std::vector<float>{0.5f, 1, 1.5f, 4, 5, 6}));
}

TEST_P(Plugin, CarriesConvolutionsBothWays) {
  using Forward = dnnl::convolution_forward;
  using Backward = dnnl::convolution_backward_data;
  const auto direct = dnnl::algorithm::convolution_direct;
  const memory::desc line({1, 1, 5}, dt::f32, tag::abc), taps({1, 1, 2}, dt::f32, tag::abc),
      half({1, 1, 2}, dt::f32, tag::abc);
  const Forward::primitive_desc forward(Forward::desc(dnnl::prop_kind::forward_training, direct,
                                                      line, taps, half, {3}, {1}, {1}, {0}),
                                        engine_);
  const Backward::primitive_desc backward(
      Backward::desc(direct, line, taps, half, {3}, {1}, {1}, {0}), engine_, forward);
  memory src = Filled(line, {1, 2, 3, 4, 5}), weights = Filled(taps, {1, 10}), dst(half, engine_),
         diff_src(line, engine_);
  Forward(forward).execute(stream_,
                           {{DNNL_ARG_SRC, src}, {DNNL_ARG_WEIGHTS, weights}, {DNNL_ARG_DST, dst}});
  Backward(backward).execute(
      stream_,
      {{DNNL_ARG_WEIGHTS, weights}, {DNNL_ARG_DIFF_DST, dst}, {DNNL_ARG_DIFF_SRC, diff_src}});
  stream_.wait();
  EXPECT_EQ(Contents(dst), (std::vector<float>{20, 53}));
  EXPECT_EQ(Contents(diff_src), (std::vector<float>{0, 200, 53, 0, 530}));
}

TEST(Transfer, GoesBetweenTheHostAndADevice) {
  fake::Reset();
  fake::controls().gpu_transfers = true;
  const dnnl::engine cpu(dnnl::engine::kind::cpu, 0), gpu(dnnl::engine::kind::gpu, 0);
  dnnl::stream stream(gpu);
  const memory::desc rows{{2, 3}, dt::f32, tag::ab}, columns{{2, 3}, dt::f32, tag::ba};
  std::vector<float> from = {0, 1, 2, 3, 4, 5}, to(6);
  memory src(rows, cpu, from.data()), mid(columns, gpu), dst(rows, cpu, to.data());
  dnnl::reorder(src, mid).execute(stream, src, mid);
  dnnl::reorder(mid, dst).execute(stream, mid, dst);
  stream.wait();
  EXPECT_EQ(to, from);
  EXPECT_EQ(fake::counts().transfers, 2);
  EXPECT_EQ(fake::counts().executions, 2);
}

TEST(Transfer, GoesBetweenTwoDevicesOfOnePlugin) {
  fake::Reset();
  fake::controls().gpu_transfers = true;
  const dnnl::engine first(dnnl::engine::kind::gpu, 0), second(dnnl::engine::kind::gpu, 1);
  const memory::desc line{{3}, dt::f32, tag::a};
  memory src(line, first), dst(line, second);
  auto* const mapped = src.map_data<float>();
  std::copy_n(std::vector<float>{1, 2, 3}.begin(), 3, mapped);
  src.unmap_data(mapped);
  dnnl::stream stream(first);
  dnnl::reorder(src, dst).execute(stream, src, dst);
  stream.wait();
  const auto* const got = dst.map_data<float>();
  EXPECT_EQ(std::vector<float>(got, got + 3), (std::vector<float>{1, 2, 3}));
  EXPECT_EQ(fake::counts().transfers, 1);
}

// Two implementations have nothing in common but the host's memory.
TEST(Transfer, GoesThroughTheHostBetweenTwoPlugins) {
  fake::Reset();
  fake::controls().gpu_transfers = true;
  const dnnl::engine first(dnnl::engine::kind::gpu, 0), second(dnnl::engine::kind::gpu, 2);
  const memory::desc line{{3}, dt::f32, tag::a};
  memory src(line, first), dst(line, second);
  auto* const mapped = src.map_data<float>();
  std::copy_n(std::vector<float>{1, 2, 3}.begin(), 3, mapped);
  src.unmap_data(mapped);
  dnnl::stream stream(first);
  dnnl::reorder(src, dst).execute(stream, src, dst);
  stream.wait();
  const auto* const got = dst.map_data<float>();
  EXPECT_EQ(std::vector<float>(got, got + 3), (std::vector<float>{1, 2, 3}));
  EXPECT_EQ(fake::counts().transfers, 0);
}

TEST_P(Plugin, CarriesTheNumberOfCandidatesAndWhatAPlanSays) {
  fake::controls().candidates = 2;
  const memory::desc line({1, 6}, dt::f32, tag::ab);
  dnnl::shuffle_forward::primitive_desc pd({dnnl::prop_kind::forward_training, line, 1, 3},
                                           engine_);
  EXPECT_NE(std::string(pd.impl_info_str()).find(":fake0"), std::string::npos);
  ASSERT_TRUE(pd.next_impl());
  EXPECT_NE(std::string(pd.impl_info_str()).find(":fake1"), std::string::npos);
  EXPECT_FALSE(pd.next_impl());
}

TEST_P(Plugin, CarriesTheScratchpad) {
  fake::controls().scratchpad_bytes = 64;
  const dnnl::reorder::primitive_desc pd(engine_, rows, engine_, columns);
  EXPECT_EQ(pd.scratchpad_desc().get_size(), 0u);  // the library's own by default
  memory src = Filled(rows, {0, 1, 2, 3, 4, 5}), dst(columns, engine_);
  dnnl::reorder(pd).execute(stream_, src, dst);
  stream_.wait();
  EXPECT_EQ(Contents(dst), (std::vector<float>{0, 3, 1, 4, 2, 5}));
}

TEST_P(Plugin, CarriesStatusesAndWhatExplainsThem) {
  const auto make = [&] { dnnl::reorder::primitive_desc(engine_, rows, engine_, columns); };
  EXPECT_EQ(fake::Refusal(make), "");
  fake::controls().plan_status = absl::UnimplementedError("not today");
  EXPECT_EQ(fake::Refusal(make).rfind("unimplemented: ", 0), 0u) << fake::Refusal(make);
  fake::controls().plan_status = absl::ResourceExhaustedError("no room");
  EXPECT_EQ(fake::Refusal(make), "out_of_memory: no room");
  fake::controls().plan_status = absl::InternalError("the device is gone");
  EXPECT_EQ(fake::Refusal(make), "runtime_error: the device is gone");
}

// A plug-in may not say that a legal request is unimplemented once it has made the plan.
TEST_P(Plugin, TurnsUnimplementedExecutionsIntoFailures) {
  memory src = Filled(rows, {0, 1, 2, 3, 4, 5}), dst(columns, engine_);
  const dnnl::reorder reorder(src, dst);
  fake::controls().execution_status = absl::UnimplementedError("changed my mind");
  const std::string refusal = fake::Refusal([&] {
    reorder.execute(stream_, src, dst);
    stream_.wait();
  });
  EXPECT_EQ(refusal.rfind("runtime_error: ", 0), 0u) << refusal;
  EXPECT_NE(refusal.find("changed my mind"), std::string::npos) << refusal;
}

TEST_P(Plugin, GivesEverythingBackOnce) {
  const int buffers = fake::counts().live_buffers, plans = fake::counts().live_plans;
  for (int i = 0; i < 600; ++i) {
    memory src = Filled(rows, {0, 1, 2, 3, 4, 5}), dst(columns, engine_);
    dnnl::reorder(src, dst).execute(stream_, src, dst);
  }
  EXPECT_LT(fake::counts().live_buffers, buffers + 600);
  stream_.wait();
  // The stream and the engine of this test are still there, and the stream has a scratchpad.
  EXPECT_EQ(fake::counts().live_buffers, buffers + 1);
  EXPECT_EQ(fake::counts().live_plans, plans);
}

TEST(TableProblem, NamesBothVersions) {
  dnnspec_plugin_table table = spi::Export<fake_cpu::GetImplementation>();
  EXPECT_EQ(spi::TableProblem(table), "");
  table.version = 7;
  EXPECT_EQ(spi::TableProblem(table), "its ABI version is 7, and this program's is 2");
  table.version = 1;
  EXPECT_EQ(spi::TableProblem(table), "its ABI version is 1, and this program's is 2");
}

TEST(TableProblem, NamesEveryEntryThatIsMissing) {
  dnnspec_plugin_table table = spi::Export<fake_cpu::GetImplementation>();
  table.stream_wait = nullptr;
  table.plan_create = nullptr;
  EXPECT_EQ(spi::TableProblem(table), "its table lacks stream_wait, plan_create");
}

TEST(TableProblem, NamesATableThatIsTooShortAndAKindThatIsNone) {
  dnnspec_plugin_table table = spi::Export<fake_cpu::GetImplementation>();
  table.bytes = 40;
  EXPECT_EQ(spi::TableProblem(table), "its table has 40 bytes, and version 2 has 152");
  table = spi::Export<fake_cpu::GetImplementation>();
  table.engine_kind = 3;
  EXPECT_EQ(spi::TableProblem(table), "its engine_kind is 3, neither 1 (CPU) nor 2 (GPU)");
}

TEST(TableProblem, NamesANameThatReportsCannotCarry) {
  dnnspec_plugin_table table = spi::Export<fake_cpu::GetImplementation>();
  const std::string longest(64, 'n'), longer(65, 'n');
  table.name = longest.c_str();
  EXPECT_EQ(spi::TableProblem(table), "");
  table.name = longer.c_str();
  EXPECT_EQ(spi::TableProblem(table), "its name is longer than 64 characters");
  for (const char* name : {"two words", "a\nb", "\xc3\xa9"}) {
    table.name = name;
    EXPECT_EQ(spi::TableProblem(table),
              "its name has a character that is not printable ASCII, or a space");
  }
}

TEST(TableProblem, NamesALibraryVersionThatReportsCannotCarry) {
  dnnspec_plugin_table table = spi::Export<fake_cpu::GetImplementation>();
  EXPECT_EQ(table.library_version, nullptr);
  const std::string longest(64, '7'), longer(65, '7');
  for (const char* version : {"2.6.3", "1.0-rc1+git~a_B", longest.c_str()}) {
    table.library_version = version;
    EXPECT_EQ(spi::TableProblem(table), "");
    EXPECT_STREQ(spi::Adapt(table)->version(), version);
  }
  for (const char* version : {"", "1 2", "1,2", "1\n", "\xc3\xa9", longer.c_str()}) {
    table.library_version = version;
    EXPECT_EQ(spi::TableProblem(table),
              "its library_version is not 1 to 64 letters, digits and .+~_-");
  }
}

// What a plug-in answers that says OK and gives nothing.
std::string SaidBy(const dnnspec_plugin_table& table) {
  fake::Reset();
  const auto implementation = spi::Adapt(table);
  const auto engine = implementation->MakeEngine(0);
  if (!engine.ok()) return std::string(engine.status().message());
  const auto stream = (*engine)->MakeStream(spi::kInOrder);
  if (!stream.ok()) return std::string(stream.status().message());
  const auto buffer = (*engine)->Allocate(16);
  if (!buffer.ok()) return std::string(buffer.status().message());
  const auto mapped = (*buffer)->Map();
  if (!mapped.ok()) return std::string(mapped.status().message());
  return std::string((*buffer)->Unmap(*mapped).message());
}

TEST(Adapt, SaysWhichCallGaveNothing) {
  const dnnspec_plugin_table right = spi::Export<fake_cpu::GetImplementation>();
  EXPECT_EQ(SaidBy(right), "");
  dnnspec_plugin_table table = right;
  table.engine_create = [](size_t, dnnspec_engine**) -> dnnspec_status { return DNNSPEC_OK; };
  EXPECT_EQ(SaidBy(table), "engine_create answered OK and gave no engine");
  table = right;
  table.stream_create = [](dnnspec_engine*, uint32_t, dnnspec_stream**) -> dnnspec_status {
    return DNNSPEC_OK;
  };
  EXPECT_EQ(SaidBy(table), "stream_create answered OK and gave no stream");
  table = right;
  table.buffer_create = [](dnnspec_engine*, int32_t, size_t, void**,
                           dnnspec_buffer**) -> dnnspec_status { return DNNSPEC_OK; };
  EXPECT_EQ(SaidBy(table), "buffer_create answered OK and gave no buffer");
  table = right;
  table.buffer_map = [](dnnspec_buffer*, void**) -> dnnspec_status { return DNNSPEC_OK; };
  EXPECT_EQ(SaidBy(table), "buffer_map answered OK and gave no address");
}

// The table has one status for a device that failed and for a handle that is not its storage.
TEST(Adapt, AHandleThatIsNoStorageOfTheEngineIsAFailure) {
  fake::Reset();
  dnnspec_plugin_table table = spi::Export<fake_gpu::GetImplementation>();
  table.buffer_create = [](dnnspec_engine*, int32_t, size_t, void**,
                           dnnspec_buffer**) -> dnnspec_status { return DNNSPEC_FAILED; };
  table.last_error = [] { return "no storage of this device"; };
  const auto implementation = spi::Adapt(table);
  const auto engine = implementation->MakeEngine(0);
  ASSERT_TRUE(engine.ok());
  int host = 0;
  const absl::Status status = (*engine)->Wrap(&host, sizeof(host)).status();
  EXPECT_EQ(status.message(), "no storage of this device");
  EXPECT_EQ(api::CodeOf(status), dnnl_runtime_error);
}

TEST(Adapt, TakesWhatAPluginSaysInOneLine) {
  dnnspec_plugin_table table = spi::Export<fake_cpu::GetImplementation>();
  table.engine_create = [](size_t, dnnspec_engine**) -> dnnspec_status { return DNNSPEC_FAILED; };
  table.last_error = [] { return "two\nlines, \x1b[31mred"; };
  EXPECT_EQ(SaidBy(table), "two lines,  [31mred");
}

TEST(Adapt, TellsTheNumberOfAStatusThatTheTableDoesNotDefine) {
  dnnspec_plugin_table table = spi::Export<fake_cpu::GetImplementation>();
  table.engine_create = [](size_t, dnnspec_engine**) -> dnnspec_status { return 42; };
  table.last_error = []() -> const char* { return nullptr; };
  EXPECT_EQ(SaidBy(table), "status 42, which the plug-in table does not define");
  table.last_error = [] { return "no engine"; };
  EXPECT_EQ(SaidBy(table), "status 42, which the plug-in table does not define: no engine");
  table.engine_create = [](size_t, dnnspec_engine**) -> dnnspec_status { return DNNSPEC_FAILED; };
  EXPECT_EQ(SaidBy(table), "no engine");
}

}  // namespace
