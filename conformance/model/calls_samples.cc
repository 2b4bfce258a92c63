// Faulty calls that make, query and execute primitives of every kind that the subject has samples
// of, and of the operation descriptors of those that compute.
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "conformance/model/calls.h"
#include "conformance/model/holder.h"
#include "conformance/model/samples.h"
#include "oneapi/dnnl/dnnl.hpp"

namespace conformance {
namespace {

using dnnl::memory;
using dnnl::prop_kind;
using Operation = std::shared_ptr<const SampleOperation>;

Operation AnyOperation(Random& random, const Device& device,
                       bool (*fits)(const SampleKind& kind) = nullptr) {
  return AnyServedPlan(random, device.engine, fits).Operation();
}

// Made with `attr` on `wrong`, and with none where it belongs.
CallPair Creation(const Operation& operation, const dnnl::engine& wrong,
                  const dnnl::primitive_attr& attr, const Device& device) {
  return {[=](bool allow_empty) { return Of(operation->On(wrong, attr, allow_empty)->Base()); },
          [=, engine = device.engine](bool allow_empty) {
            return Of(operation->On(engine, {}, allow_empty)->Base());
          }};
}

// What no primitive but those of recurrent networks takes (ATTR-062).
CallPair SampleWithRnn(Random& random, const Device& device) {
  dnnl::primitive_attr attr;
  if (random.Chance(50)) {
    attr.set_rnn_data_qparams(2.f, 3.f);
  } else {
    attr.set_rnn_weights_qparams(0, {2.f});
  }
  return Creation(AnyOperation(random, device), device.engine, attr, device);
}

CallPair SampleOnNothing(Random& random, const Device& device) {
  return Creation(AnyOperation(random, device), dnnl::engine(), {}, device);
}

CallPair SampleWithTwoScales(Random& random, const Device& device) {
  dnnl::primitive_attr attr;
  attr.set_output_scales(0, {2.f, 3.f});
  const auto fits = [](const SampleKind& kind) { return kind.scaled_axes != 0; };
  return Creation(AnyOperation(random, device, fits), device.engine, attr, device);
}

CallPair SampleQuery(Random& random, const Device& device) {
  const dnnl::primitive_desc_base pd =
      MakePd(AnyServedPlan(random, device.engine), device.engine)->Base();
  const auto what = random.Pick(
      {dnnl::query::undef, dnnl::query::impl_info_str, dnnl::query::memory_consumption_s64});
  return {[=](bool) { return Of(pd.query_md(what)); },
          [=](bool) { return Of(pd.query_md(dnnl::query::scratchpad_md)); }};
}

// A sample with its memories, and the execution of it that `spoil` made wrong.
using Spoil = std::function<void(Arguments* arguments, dnnl::stream* stream)>;

CallPair ExecutionOf(const SamplePlan& plan, uint64_t seed, const Device& device,
                     const Spoil& spoil) {
  const Sample sample = MakeSample(plan, device.engine);
  const auto bench = std::make_shared<Bench>(sample, device, seed);
  Arguments wrong = bench->arguments();
  const dnnl::stream stream = device.stream;
  dnnl::stream wrong_stream = stream;
  spoil(&wrong, &wrong_stream);
  return {[bench, primitive = sample.primitive, wrong, wrong_stream](bool) {
            primitive.execute(wrong_stream, wrong);
            return Made::kObject;
          },
          [bench, primitive = sample.primitive, stream](bool) {
            primitive.execute(stream, bench->arguments());
            dnnl::stream(stream).wait();
            return Made::kObject;
          }};
}

int AnyArgument(const SamplePlan& plan, Random& random) { return random.Pick(ArgumentsOf(plan)); }

CallPair SampleWithoutArgument(Random& random, const Device& device) {
  const SamplePlan plan = AnyServedPlan(random, device.engine);
  const int arg = AnyArgument(plan, random);
  const bool empty = random.Chance(50);
  return ExecutionOf(plan, random.Bits(), device, [=](Arguments* arguments, dnnl::stream*) {
    arguments->erase(arg);
    if (empty) arguments->emplace(arg, memory());
  });
}

CallPair SampleOnEmptyStream(Random& random, const Device& device) {
  return ExecutionOf(AnyServedPlan(random, device.engine), random.Bits(), device,
                     [](Arguments*, dnnl::stream* stream) { *stream = dnnl::stream(); });
}

CallPair SampleWithoutBuffer(Random& random, const Device& device) {
  const SamplePlan plan = AnyServedPlan(random, device.engine);
  const int arg = AnyArgument(plan, random);
  return ExecutionOf(plan, random.Bits(), device, [=](Arguments* arguments, dnnl::stream*) {
    (*arguments)[arg] = memory(arguments->at(arg).get_desc(), device.engine, DNNL_MEMORY_NONE);
  });
}

// Of another type, or one element too short.
CallPair SampleWithOtherMemory(Random& random, const Device& device) {
  const SamplePlan plan = AnyServedPlan(random, device.engine);
  const int arg = AnyArgument(plan, random);
  const int64_t reach = Reach(*plan.TensorOf(arg));
  const memory::desc other =
      random.Chance(50) ? Flat(spec::Type::kS32, reach) : Flat(spec::Type::kF32, reach - 1);
  return ExecutionOf(plan, random.Bits(), device, [=](Arguments* arguments, dnnl::stream*) {
    (*arguments)[arg] = memory(other, device.engine);
  });
}

// Makes a primitive descriptor, with something wrong in it where it is told so; may throw.
using Make = Made (*)(bool wrong, uint64_t dice, const dnnl::engine& engine);

Made MakeProduct(bool wrong, uint64_t dice, const dnnl::engine& engine) {
  using Product = dnnl::inner_product_forward;
  memory::dims src{2, 6}, weights{3, 6}, dst{2, 3};
  if (wrong) ++(dice % 3 == 0 ? src[1] : dice % 3 == 1 ? weights[0] : dst[0]);
  return Of(Product::primitive_desc(
      Product::desc(prop_kind::forward_inference, Rows(src), Rows(weights), Rows(dst)), engine));
}

Made MakeConvolution(bool wrong, uint64_t dice, const dnnl::engine& engine) {
  using Convolution = dnnl::convolution_forward;
  memory::dims src{1, 2, 3, 3}, weights{4, 2, 1, 1}, dst{1, 4, 3, 3};
  if (wrong) ++(dice % 4 == 0 ? src[1] : dice % 4 == 1 ? weights[0] : dst[dice % 4]);
  return Of(Convolution::primitive_desc(
      Convolution::desc(prop_kind::forward_inference, dnnl::algorithm::convolution_direct,
                        Rows(src), Rows(weights), Rows(dst), {1, 1}, {0, 0}, {0, 0}),
      engine));
}

Made MakeEltwise(bool wrong, uint64_t dice, const dnnl::engine& engine) {
  using Eltwise = dnnl::eltwise_forward;
  using dnnl::algorithm;
  constexpr algorithm kOthers[] = {algorithm::undef, algorithm::convolution_direct,
                                   algorithm::pooling_max, algorithm::binary_add};
  return Of(Eltwise::primitive_desc(
      Eltwise::desc(prop_kind::forward_inference,
                    wrong ? kOthers[dice % 4] : algorithm::eltwise_abs, Rows({2, 3}), 0.f, 0.f),
      engine));
}

// A subject need not have every primitive.
CallPair OperationOfAny(Random& random, const Device& device) {
  const Make make = random.Pick({MakeProduct, MakeConvolution, MakeEltwise});
  const uint64_t dice = random.Bits() >> 1;
  const dnnl::engine engine = device.engine;
  if (!Attempt([&] { return make(false, dice, engine); }))
    return SampleOnEmptyStream(random, device);
  return {[=](bool) { return make(true, dice, engine); },
          [=](bool) { return make(false, dice, engine); }};
}

}  // namespace

std::vector<FaultyCall> SampleFaults() {
  constexpr auto kInvalid = Refusal::kInvalidArguments;
  constexpr auto kUnimplemented = Refusal::kUnimplemented;
  return {
      {"sample-rnn", kUnimplemented, true, true, false, SampleWithRnn},
      {"sample-on-nothing", kInvalid, true, false, false, SampleOnNothing},
      {"sample-two-scales", kInvalid, true, true, true, SampleWithTwoScales},
      {"sample-query", kInvalid, false, false, false, SampleQuery},
      {"sample-without-argument", kInvalid, false, false, false, SampleWithoutArgument},
      {"sample-on-empty-stream", kInvalid, false, false, false, SampleOnEmptyStream},
      {"sample-without-buffer", kInvalid, false, false, true, SampleWithoutBuffer},
      {"sample-with-other-memory", kInvalid, false, false, true, SampleWithOtherMemory},
      {"sample-operation", kInvalid, false, false, false, OperationOfAny},
  };
}

}  // namespace conformance
