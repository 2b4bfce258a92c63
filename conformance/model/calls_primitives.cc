// Faulty calls that make, query and execute primitives.
#include <memory>

#include "conformance/model/calls.h"
#include "oneapi/dnnl/dnnl.hpp"

namespace conformance {
namespace {

using dnnl::memory;
using Desc = memory::desc;
using DataType = memory::data_type;
using FormatTag = memory::format_tag;
using Forward = dnnl::shuffle_forward;
using Backward = dnnl::shuffle_backward;
using ReorderPd = dnnl::reorder::primitive_desc;

memory::dims AnyDims(Random& random) {
  return {random.Between(1, 4), random.Between(1, 3) * 2, random.Between(1, 4)};
}

Desc Rows(const memory::dims& dims) { return Desc(dims, DataType::f32, FormatTag::abc); }
Desc Mixed(const memory::dims& dims) { return Desc(dims, DataType::f32, FormatTag::bca); }

dnnl::primitive_attr WithEltwise() {
  dnnl::post_ops ops;
  ops.append_eltwise(1.f, dnnl::algorithm::eltwise_relu, 0.f, 0.f);
  dnnl::primitive_attr attr;
  attr.set_post_ops(ops);
  return attr;
}

dnnl::primitive_attr WithScale(float scale) {
  dnnl::primitive_attr attr;
  attr.set_output_scales(0, {scale});
  return attr;
}

// What no reorder may take, however much it can do (ATTR-062).
dnnl::primitive_attr WithRnnParameters() {
  dnnl::primitive_attr attr;
  attr.set_rnn_data_qparams(2.f, 3.f);
  return attr;
}

dnnl::primitive_attr OtherThanScratchpad(Random& random) {
  return random.Chance(50) ? WithScale(2.f) : WithEltwise();
}

CallPair Reorder(const Desc& src, const Desc& dst, const dnnl::primitive_attr& attr,
                 const Desc& right_src, const Desc& right_dst, const Device& device) {
  const dnnl::engine engine = device.engine;
  return {
      [=](bool allow_empty) { return Of(ReorderPd(engine, src, engine, dst, attr, allow_empty)); },
      [=](bool allow_empty) {
        return Of(ReorderPd(engine, right_src, engine, right_dst, {}, allow_empty));
      }};
}

CallPair ReorderShapes(Random& random, const Device& device) {
  const memory::dims dims = AnyDims(random);
  memory::dims other = dims;
  ++other[random.Between(0, 2)];
  return Reorder(Rows(dims), Mixed(other), {}, Rows(dims), Mixed(dims), device);
}

CallPair ReorderMemoryShapes(Random& random, const Device& device) {
  const memory::dims dims = AnyDims(random);
  memory::dims other = dims;
  ++other[random.Between(0, 2)];
  const memory from(Rows(dims), device.engine, DNNL_MEMORY_NONE);
  const memory to(Mixed(dims), device.engine, DNNL_MEMORY_NONE);
  const memory unfit(Mixed(other), device.engine, DNNL_MEMORY_NONE);
  return {[=](bool allow_empty) { return Of(ReorderPd(from, unfit, {}, allow_empty)); },
          [=](bool allow_empty) { return Of(ReorderPd(from, to, {}, allow_empty)); }};
}

CallPair ReorderAny(Random& random, const Device& device) {
  const memory::dims dims = AnyDims(random);
  const Desc any(dims, DataType::f32, FormatTag::any);
  const bool source = random.Chance(50);
  return Reorder(source ? any : Rows(dims), source ? Mixed(dims) : any, {}, Rows(dims), Mixed(dims),
                 device);
}

CallPair ReorderZero(Random& random, const Device& device) {
  const memory::dims dims = AnyDims(random);
  const bool source = random.Chance(50);
  return Reorder(source ? Desc() : Rows(dims), source ? Mixed(dims) : Desc(), {}, Rows(dims),
                 Mixed(dims), device);
}

CallPair ReorderRnn(Random& random, const Device& device) {
  const memory::dims dims = AnyDims(random);
  return Reorder(Rows(dims), Mixed(dims), WithRnnParameters(), Rows(dims), Mixed(dims), device);
}

CallPair ReorderOnNothing(Random& random, const Device& device) {
  const memory::dims dims = AnyDims(random);
  const Desc src = Rows(dims), dst = Mixed(dims);
  const dnnl::engine engine = device.engine, none;
  const bool source = random.Chance(50);
  return {
      [=](bool allow_empty) {
        return Of(
            ReorderPd(source ? none : engine, src, source ? engine : none, dst, {}, allow_empty));
      },
      [=](bool allow_empty) { return Of(ReorderPd(engine, src, engine, dst, {}, allow_empty)); }};
}

// memory() on either side, or on both.
CallPair ReorderOfNothing(Random& random, const Device& device) {
  const memory::dims dims = AnyDims(random);
  const memory from(Rows(dims), device.engine, DNNL_MEMORY_NONE);
  const memory to(Mixed(dims), device.engine, DNNL_MEMORY_NONE);
  const int64_t live = random.Between(0, 2);
  return {[=](bool allow_empty) {
            return Of(
                ReorderPd(live == 1 ? from : memory(), live == 2 ? to : memory(), {}, allow_empty));
          },
          [=](bool allow_empty) { return Of(ReorderPd(from, to, {}, allow_empty)); }};
}

constexpr dnnl::prop_kind kForward = dnnl::prop_kind::forward_training;

Made MakeForward(dnnl::prop_kind kind, const Desc& data, int axis, int group,
                 const dnnl::engine& engine) {
  return Of(Forward::primitive_desc(Forward::desc(kind, data, axis, group), engine));
}

Made MakeBackward(const Desc& data, int axis, int group, const dnnl::engine& engine) {
  const Forward::primitive_desc hint(Forward::desc(kForward, data, 1, 2), engine);
  return Of(Backward::primitive_desc(Backward::desc(data, axis, group), engine, hint));
}

CallPair ShuffleAxis(Random& random, const Device& device) {
  const Desc data = Rows(AnyDims(random));
  const dnnl::engine engine = device.engine;
  const int axis = random.Pick({-1, 3, 4, 100});
  return {[=](bool) { return MakeForward(kForward, data, axis, 1, engine); },
          [=](bool) { return MakeForward(kForward, data, 2, 1, engine); }};
}

CallPair ShuffleGroup(Random& random, const Device& device) {
  const memory::dims dims = AnyDims(random);
  const dnnl::engine engine = device.engine;
  const int size = static_cast<int>(dims[1]);
  const int group = random.Pick({0, -1, -size, size + 1, 2 * size});
  return {[=](bool) { return MakeForward(kForward, Rows(dims), 1, group, engine); },
          [=](bool) { return MakeForward(kForward, Rows(dims), 1, size, engine); }};
}

CallPair ShuffleKind(Random& random, const Device& device) {
  const Desc data = Rows(AnyDims(random));
  const dnnl::engine engine = device.engine;
  const auto kind = random.Pick({dnnl::prop_kind::undef, dnnl::prop_kind::backward,
                                 dnnl::prop_kind::backward_data, dnnl::prop_kind::backward_weights,
                                 dnnl::prop_kind::backward_bias});
  return {[=](bool) { return MakeForward(kind, data, 1, 2, engine); },
          [=](bool) { return MakeForward(kForward, data, 1, 2, engine); }};
}

CallPair ShuffleAny(Random& random, const Device& device) {
  const memory::dims dims = AnyDims(random);
  const dnnl::engine engine = device.engine;
  const Desc any(dims, DataType::f32, FormatTag::any);
  return {[=](bool) { return MakeForward(kForward, any, 1, 2, engine); },
          [=](bool) { return MakeForward(kForward, Rows(dims), 1, 2, engine); }};
}

CallPair ShuffleBackwardGroup(Random& random, const Device& device) {
  const memory::dims dims = AnyDims(random);
  const dnnl::engine engine = device.engine;
  const int size = static_cast<int>(dims[1]);
  const int group = random.Pick({0, -1, size + 1});
  return {[=](bool) { return MakeBackward(Rows(dims), 1, group, engine); },
          [=](bool) { return MakeBackward(Rows(dims), 1, size, engine); }};
}

CallPair ShuffleScales(Random& random, const Device& device) {
  const Forward::desc op(kForward, Rows(AnyDims(random)), 1, 2);
  const dnnl::engine engine = device.engine;
  const dnnl::primitive_attr attr = OtherThanScratchpad(random);
  return {
      [=](bool allow_empty) { return Of(Forward::primitive_desc(op, engine, attr, allow_empty)); },
      [=](bool allow_empty) { return Of(Forward::primitive_desc(op, engine, {}, allow_empty)); }};
}

CallPair ShuffleBackwardScales(Random& random, const Device& device) {
  const Desc data = Rows(AnyDims(random));
  const dnnl::engine engine = device.engine;
  const Forward::primitive_desc hint(Forward::desc(kForward, data, 1, 2), engine);
  const Backward::desc op(data, 1, 2);
  const dnnl::primitive_attr attr = OtherThanScratchpad(random);
  return {[=](bool allow_empty) {
            return Of(Backward::primitive_desc(op, engine, hint, attr, allow_empty));
          },
          [=](bool allow_empty) {
            return Of(Backward::primitive_desc(op, engine, hint, {}, allow_empty));
          }};
}

CallPair ShuffleOnNothing(Random& random, const Device& device) {
  const Forward::desc op(kForward, Rows(AnyDims(random)), 1, 2);
  const dnnl::engine engine = device.engine;
  return {
      [=](bool allow_empty) {
        return Of(Forward::primitive_desc(op, dnnl::engine(), {}, allow_empty));
      },
      [=](bool allow_empty) { return Of(Forward::primitive_desc(op, engine, {}, allow_empty)); }};
}

CallPair ShuffleWithoutHint(Random& random, const Device& device) {
  const Desc data = Rows(AnyDims(random));
  const dnnl::engine engine = device.engine;
  const Forward::primitive_desc hint(Forward::desc(kForward, data, 1, 2), engine);
  const Backward::desc op(data, 1, 2);
  return {
      [=](bool allow_empty) {
        return Of(Backward::primitive_desc(op, engine, Forward::primitive_desc(), {}, allow_empty));
      },
      [=](bool allow_empty) {
        return Of(Backward::primitive_desc(op, engine, hint, {}, allow_empty));
      }};
}

CallPair PrimitiveOfNothing(Random& random, const Device& device) {
  const memory::dims dims = AnyDims(random);
  const ReorderPd pd(device.engine, Rows(dims), device.engine, Mixed(dims));
  return {[](bool) {
            dnnl::reorder made((ReorderPd()));
            return Made::kObject;
          },
          [=](bool) {
            dnnl::reorder made(pd);
            return Made::kObject;
          }};
}

CallPair QueryKind(Random& random, const Device& device) {
  const memory::dims dims = AnyDims(random);
  const ReorderPd pd(device.engine, Rows(dims), device.engine, Mixed(dims));
  const auto what = random.Pick(
      {dnnl::query::undef, dnnl::query::impl_info_str, dnnl::query::memory_consumption_s64});
  return {[=](bool) { return Of(pd.query_md(what)); },
          [=](bool) { return Of(pd.query_md(dnnl::query::src_md)); }};
}

using Arguments = std::unordered_map<int, memory>;

using Spoil = std::function<void(Arguments*, dnnl::stream*)>;

// With all strides and some dims left to the execution.
Desc Opened(const memory::dims& dims, Random& random) {
  memory::dims open = dims;
  for (int64_t& dim : open)
    if (random.Chance(50)) dim = DNNL_RUNTIME_DIM_VAL;
  return Desc(open, DataType::f32, memory::dims(dims.size(), DNNL_RUNTIME_DIM_VAL));
}

// Asks for the execution with the map, or with both memories alone (REO-004): one that is missing
// is an empty one then.
void Execute(const dnnl::reorder& reorder, bool alone, const dnnl::stream& stream,
             Arguments arguments) {
  const dnnl::primitive& base = reorder;
  if (!alone) {
    // No wait: who calls does, where it is not refused.
    base.execute(stream, arguments);
  } else {
    // No wait: likewise.
    reorder.execute(stream, arguments[DNNL_ARG_FROM], arguments[DNNL_ARG_TO]);
  }
}

// A reorder with all that it needs, and how its arguments may be spoilt. Its shapes may come with
// the execution, where such a reorder is offered.
CallPair Execution(Random& random, const Device& device, const Spoil& spoil,
                   bool run_time_scale = false) {
  const memory::dims dims = AnyDims(random);
  dnnl::primitive_attr attr;
  if (run_time_scale) attr = WithScale(DNNL_RUNTIME_F32_VAL);
  dnnl::reorder reorder(ReorderPd(device.engine, Rows(dims), device.engine, Mixed(dims), attr));
  if (random.Chance(40)) {
    const Desc open = Opened(dims, random);
    const auto made = Attempt(
        [&] { return dnnl::reorder(ReorderPd(device.engine, open, device.engine, open, attr)); });
    if (made) reorder = *made.value;
  }
  Arguments right = {{DNNL_ARG_FROM, memory(Rows(dims), device.engine)},
                     {DNNL_ARG_TO, memory(Mixed(dims), device.engine)}};
  if (run_time_scale) {
    const memory scale(Desc({1}, DataType::f32, FormatTag::x), device.engine);
    right.emplace(DNNL_ARG_ATTR_OUTPUT_SCALES, scale);
  }
  Arguments wrong = right;
  const dnnl::stream stream = device.stream;
  dnnl::stream wrong_stream = stream;
  spoil(&wrong, &wrong_stream);
  const bool alone = random.Chance(40);
  return {[=](bool) {
            Execute(reorder, alone, wrong_stream, wrong);
            return Made::kObject;
          },
          [=](bool) {
            Execute(reorder, alone && !run_time_scale, stream, right);
            dnnl::stream(stream).wait();
            return Made::kObject;
          }};
}

CallPair ExecuteWithoutSource(Random& random, const Device& device) {
  return Execution(random, device, [](Arguments* a, dnnl::stream*) { a->erase(DNNL_ARG_FROM); });
}

CallPair ExecuteWithoutDestination(Random& random, const Device& device) {
  return Execution(random, device, [](Arguments* a, dnnl::stream*) { a->erase(DNNL_ARG_TO); });
}

CallPair ExecuteWithEmptyMemory(Random& random, const Device& device) {
  const int which = random.Pick({DNNL_ARG_FROM, DNNL_ARG_TO});
  return Execution(random, device, [=](Arguments* a, dnnl::stream*) { (*a)[which] = memory(); });
}

CallPair ExecuteWithoutScales(Random& random, const Device& device) {
  const bool empty = random.Chance(50);
  const Spoil spoil = [=](Arguments* a, dnnl::stream*) {
    a->erase(DNNL_ARG_ATTR_OUTPUT_SCALES);
    if (empty) a->emplace(DNNL_ARG_ATTR_OUTPUT_SCALES, memory());
  };
  return Execution(random, device, spoil, /*run_time_scale=*/true);
}

// Another tensor of as many bytes.
CallPair ExecuteWithOtherDescriptor(Random& random, const Device& device) {
  const int which = random.Pick({DNNL_ARG_FROM, DNNL_ARG_TO});
  const dnnl::engine engine = device.engine;
  return Execution(random, device, [=](Arguments* a, dnnl::stream*) {
    const Desc right = a->at(which).get_desc();
    (*a)[which] = memory(Desc(right.dims(), DataType::s32, FormatTag::abc), engine);
  });
}

CallPair ExecuteWithoutBuffer(Random& random, const Device& device) {
  const int which = random.Pick({DNNL_ARG_FROM, DNNL_ARG_TO});
  const dnnl::engine engine = device.engine;
  return Execution(random, device, [=](Arguments* a, dnnl::stream*) {
    (*a)[which] = memory(a->at(which).get_desc(), engine, DNNL_MEMORY_NONE);
  });
}

CallPair ExecuteOnNothing(Random& random, const Device& device) {
  return Execution(random, device,
                   [](Arguments*, dnnl::stream* stream) { *stream = dnnl::stream(); });
}

}  // namespace

std::vector<FaultyCall> PrimitiveFaults() {
  constexpr auto kInvalid = Refusal::kInvalidArguments;
  constexpr auto kUnimplemented = Refusal::kUnimplemented;
  return {
      {"reorder-shapes", kInvalid, true, true, false, ReorderShapes},
      {"reorder-memory-shapes", kInvalid, true, true, false, ReorderMemoryShapes},
      {"reorder-any", kInvalid, true, true, false, ReorderAny},
      {"reorder-zero", kInvalid, true, true, false, ReorderZero},
      {"reorder-rnn", kUnimplemented, true, true, false, ReorderRnn},
      {"reorder-on-nothing", kInvalid, true, false, false, ReorderOnNothing},
      {"reorder-of-nothing", kInvalid, true, false, false, ReorderOfNothing},
      {"shuffle-axis", kInvalid, false, false, false, ShuffleAxis},
      {"shuffle-group", kInvalid, false, false, false, ShuffleGroup},
      {"shuffle-kind", kInvalid, false, false, false, ShuffleKind},
      {"shuffle-any", kInvalid, false, false, false, ShuffleAny},
      {"shuffle-backward-group", kInvalid, false, false, false, ShuffleBackwardGroup},
      {"shuffle-scales", kUnimplemented, true, true, false, ShuffleScales},
      {"shuffle-backward-scales", kUnimplemented, true, true, false, ShuffleBackwardScales},
      {"shuffle-on-nothing", kInvalid, true, false, false, ShuffleOnNothing},
      {"shuffle-without-hint", kInvalid, true, false, false, ShuffleWithoutHint},
      {"primitive-of-nothing", kInvalid, false, false, false, PrimitiveOfNothing},
      {"query-kind", kInvalid, false, false, false, QueryKind},
      {"execute-without-source", kInvalid, false, false, false, ExecuteWithoutSource},
      {"execute-without-destination", kInvalid, false, false, false, ExecuteWithoutDestination},
      {"execute-with-empty-memory", kInvalid, false, false, false, ExecuteWithEmptyMemory},
      {"execute-on-nothing", kInvalid, false, false, false, ExecuteOnNothing},
      // A portable subject may refuse run-time scales when the primitive is made; ATTR-031 asks
      // those that take them.
      {"execute-without-scales", kInvalid, false, false, true, ExecuteWithoutScales},
      {"execute-with-other-descriptor", kInvalid, false, false, true, ExecuteWithOtherDescriptor},
      {"execute-without-buffer", kInvalid, false, false, true, ExecuteWithoutBuffer},
  };
}

}  // namespace conformance
