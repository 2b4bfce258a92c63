// Faulty calls that make engines, streams and memories, or set and read attributes.
#include "conformance/model/calls.h"
#include "oneapi/dnnl/dnnl.hpp"

namespace conformance {
namespace {

using dnnl::memory;
using Desc = memory::desc;
using DataType = memory::data_type;
using FormatTag = memory::format_tag;
using EngineKind = dnnl::engine::kind;

template <class Wrong, class Right>
CallPair Pair(Wrong wrong, Right right) {
  return {[=](bool) {
            wrong();
            return Made::kObject;
          },
          [=](bool) {
            right();
            return Made::kObject;
          }};
}

Desc AnyMatrix(Random& random) {
  return Desc({random.Between(1, 6), random.Between(1, 6)}, DataType::f32,
              random.Chance(50) ? FormatTag::ab : FormatTag::ba);
}

CallPair EngineIndex(Random& random, const Device& device) {
  const EngineKind kind = device.engine.get_kind();
  const size_t count = dnnl::engine::get_count(kind);
  const size_t beyond = random.Pick({count, count + 1, count + 1000, ~size_t{0}});
  return Pair([=] { dnnl::engine(kind, beyond); }, [=] { dnnl::engine(kind, count - 1); });
}

CallPair EngineOfMissingKind(Random&, const Device& device) {
  const EngineKind kind = device.engine.get_kind();
  const size_t gpus = dnnl::engine::get_count(EngineKind::gpu);
  return Pair([=] { dnnl::engine(EngineKind::gpu, gpus); }, [=] { dnnl::engine(kind, 0); });
}

CallPair StreamOnNothing(Random&, const Device& device) {
  const dnnl::engine engine = device.engine;
  return Pair([] { dnnl::stream((dnnl::engine())); }, [=] { dnnl::stream made(engine); });
}

CallPair MemoryOfAny(Random& random, const Device& device) {
  const dnnl::engine engine = device.engine;
  const Desc plain = AnyMatrix(random);
  const Desc any(plain.dims(), plain.data_type(), FormatTag::any);
  void* const handle = random.Chance(50) ? DNNL_MEMORY_NONE : DNNL_MEMORY_ALLOCATE;
  return Pair([=] { memory(any, engine, handle); }, [=] { memory(plain, engine, handle); });
}

CallPair MemoryOfRunTime(Random& random, const Device& device) {
  const dnnl::engine engine = device.engine;
  const Desc plain = AnyMatrix(random);
  const Desc wild({plain.dims()[0], DNNL_RUNTIME_DIM_VAL}, DataType::f32, FormatTag::ab);
  return Pair([=] { memory(wild, engine, DNNL_MEMORY_NONE); },
              [=] { memory(plain, engine, DNNL_MEMORY_NONE); });
}

CallPair MemoryOnNothing(Random& random, const Device& device) {
  const dnnl::engine engine = device.engine;
  const Desc desc = AnyMatrix(random);
  return Pair([=] { memory(desc, dnnl::engine(), DNNL_MEMORY_NONE); },
              [=] { memory(desc, engine, DNNL_MEMORY_NONE); });
}

CallPair ScalesNone(Random&, const Device&) {
  return Pair([] { dnnl::primitive_attr().set_output_scales(0, {}); },
              [] { dnnl::primitive_attr().set_output_scales(0, {2.f}); });
}

CallPair ScalesNegativeMask(Random& random, const Device&) {
  const int mask = static_cast<int>(random.Between(-9, -1));
  return Pair([=] { dnnl::primitive_attr().set_output_scales(mask, {2.f}); },
              [] { dnnl::primitive_attr().set_output_scales(0, {2.f}); });
}

CallPair EltwiseAlgorithm(Random& random, const Device&) {
  const auto wrong = random.Pick({dnnl::algorithm::undef, dnnl::algorithm::convolution_direct,
                                  dnnl::algorithm::binary_add, dnnl::algorithm::pooling_max});
  return Pair(
      [=] { dnnl::post_ops().append_eltwise(1.f, wrong, 0.f, 0.f); },
      [] { dnnl::post_ops().append_eltwise(1.f, dnnl::algorithm::eltwise_relu, 0.f, 0.f); });
}

dnnl::post_ops Sums(int64_t count) {
  dnnl::post_ops ops;
  while (count-- > 0) ops.append_sum();
  return ops;
}

CallPair PostOpIndex(Random& random, const Device&) {
  const int64_t count = random.Between(1, 3);
  const dnnl::post_ops ops = Sums(count);
  const int beyond = static_cast<int>(count + random.Between(0, 2));
  return Pair([=] { ops.kind(beyond); }, [=] { ops.kind(0); });
}

CallPair PostOpParameters(Random& random, const Device&) {
  const dnnl::post_ops ops = Sums(1);
  const bool index = random.Chance(50);
  return Pair(
      [=] {
        float scale = 0, alpha = 0, beta = 0;
        dnnl::algorithm algorithm = dnnl::algorithm::undef;
        if (index)
          ops.get_params_sum(1, scale);
        else
          ops.get_params_eltwise(0, scale, algorithm, alpha, beta);
      },
      [=] {
        float scale = 0;
        ops.get_params_sum(0, scale);
      });
}

}  // namespace

std::vector<FaultyCall> ObjectFaults() {
  constexpr auto kInvalid = Refusal::kInvalidArguments;
  return {
      {"engine-index", kInvalid, false, false, false, EngineIndex},
      {"engine-of-missing-kind", kInvalid, false, false, false, EngineOfMissingKind},
      {"stream-on-nothing", kInvalid, false, false, false, StreamOnNothing},
      {"memory-of-any", kInvalid, false, false, false, MemoryOfAny},
      {"memory-of-run-time", kInvalid, false, false, false, MemoryOfRunTime},
      {"memory-on-nothing", kInvalid, false, false, false, MemoryOnNothing},
      {"scales-none", kInvalid, false, false, true, ScalesNone},
      {"scales-negative-mask", kInvalid, false, false, true, ScalesNegativeMask},
      {"eltwise-algorithm", kInvalid, false, false, false, EltwiseAlgorithm},
      {"post-op-index", kInvalid, false, false, false, PostOpIndex},
      {"post-op-parameters", kInvalid, false, false, false, PostOpParameters},
  };
}

}  // namespace conformance
