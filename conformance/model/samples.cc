#include "conformance/model/samples.h"

#include "conformance/gen/placement.h"
#include "conformance/gen/values.h"
#include "conformance/memory/descriptor_case.h"
#include "conformance/memory/tensor_cases.h"
#include "conformance/subject/attempt.h"
#include "spec/memory/oracle.h"
#include "spec/shuffle/oracle.h"

namespace conformance {
namespace {

using Forward = dnnl::shuffle_forward;
using Backward = dnnl::shuffle_backward;
using Product = dnnl::inner_product_forward;

// Calls use(pd, make), where make(pd) is a primitive of the descriptor.
template <class Use>
void WithPd(const SamplePlan& plan, const dnnl::engine& engine, const dnnl::primitive_attr& attr,
            Use use) {
  const dnnl::memory::desc from = MakeDesc(plan.from);
  if (plan.kind == "reorder") {
    const dnnl::reorder::primitive_desc pd(engine, from, engine, MakeDesc(plan.to), attr);
    return use(pd, [](const auto& made) { return dnnl::primitive(dnnl::reorder(made)); });
  }
  if (plan.kind == "product") {
    const Product::desc op(dnnl::prop_kind::forward_inference, from, MakeDesc(plan.weights),
                           MakeDesc(plan.to));
    const Product::primitive_desc pd(op, attr, engine);
    return use(pd, [](const auto& made) { return dnnl::primitive(Product(made)); });
  }
  const Forward::primitive_desc forward(
      Forward::desc(dnnl::prop_kind::forward_training, from, plan.axis, plan.group), engine,
      plan.kind == "forward" ? attr : dnnl::primitive_attr());
  if (plan.kind == "forward")
    return use(forward, [](const auto& made) { return dnnl::primitive(Forward(made)); });
  const Backward::primitive_desc backward(Backward::desc(from, plan.axis, plan.group), engine,
                                          forward, attr);
  use(backward, [](const auto& made) { return dnnl::primitive(Backward(made)); });
}

// Differs from `bits` in value, and is no NaN if `bits` is a small integer.
spec::Bits Another(spec::Bits bits) { return bits ^ 0x00400000; }

// Which input an output of a product is.
int64_t InputOf(int64_t output, int64_t outputs, const std::vector<spec::Bits>& values) {
  const uint64_t turn = values.empty() ? 0 : Mix(values[0]) % static_cast<uint64_t>(outputs);
  return (output + static_cast<int64_t>(turn)) % outputs;
}

}  // namespace

std::vector<spec::Bits> SamplePlan::Values(uint64_t seed) const {
  return conformance::Values(ValueKind::kIndex, from.type, from.type, seed,
                             spec::ElementCount(from.dims));
}

std::vector<spec::Bits> SamplePlan::Results(const std::vector<spec::Bits>& values) const {
  if (kind == "reorder") return values;
  std::vector<spec::Bits> results(values.size());
  if (kind == "product") {
    const int64_t outputs = to.dims[1];
    for (size_t k = 0; k < results.size(); ++k) {
      const int64_t row = static_cast<int64_t>(k) / outputs * outputs;
      results[k] = values[row + InputOf(static_cast<int64_t>(k) - row, outputs, values)];
    }
    return results;
  }
  const int64_t size = to.dims[axis];
  for (size_t k = 0; k < results.size(); ++k) {
    spec::Dims x = spec::Unravel(static_cast<int64_t>(k), to.dims);
    x[axis] = kind == "forward" ? spec::ShuffleSource(x[axis], size, group)
                                : spec::ShuffleBackwardSource(x[axis], size, group);
    results[k] = values[spec::Ravel(x, from.dims)];
  }
  return results;
}

std::vector<spec::Bits> SamplePlan::Weights(const std::vector<spec::Bits>& values) const {
  constexpr spec::Bits kOne = 0x3f800000;
  const int64_t outputs = to.dims[1];
  std::vector<spec::Bits> matrix(outputs * outputs);
  for (int64_t o = 0; o < outputs; ++o) matrix[o * outputs + InputOf(o, outputs, values)] = kOne;
  return matrix;
}

namespace {

SamplePlan ProductPlan(const spec::Dims& dims) {
  SamplePlan plan;
  plan.kind = "product";
  const auto rows_of = [](const spec::Dims& of) {
    return TensorSpec{spec::Type::kF32, of, RowMajor(of)};
  };
  const int64_t inputs = dims[1] * dims[2];
  plan.from = rows_of(dims);
  plan.weights = rows_of({inputs, dims[1], dims[2]});
  plan.to = rows_of({dims[0], inputs});
  return plan;
}

SamplePlan PlanOf(const std::string& kind, const spec::Dims& dims, Random& random) {
  SamplePlan plan;
  plan.kind = kind;
  DescriptorCase view;
  view.dims = dims;
  view.strides = DrawStrides(random, view.dims, random.Chance(50));
  plan.from = SpecOf(view);
  if (kind == "reorder") view.strides = DrawStrides(random, view.dims, random.Chance(50));
  plan.to = SpecOf(view);
  plan.axis = 1;
  plan.group = static_cast<int>(view.dims[1]) / 2;
  return plan;
}

}  // namespace

SamplePlan DrawSample(const std::string& kind, Random& random) {
  const int64_t rows = random.Between(1, 4), channels = 2 * random.Between(1, 6);
  // Of a product also so many rows that what is cut into blocks of them ends anywhere.
  if (kind == "product")
    return ProductPlan(
        {random.Chance(50) ? rows : random.Between(5, 32), channels, random.Between(1, 5)});
  return PlanOf(kind, {rows, channels, random.Between(1, 5)}, random);
}

SamplePlan DrawLargeSample(const std::string& kind, Random& random) {
  const int64_t rows = random.Between(20, 40), channels = 2 * random.Between(30, 60);
  if (kind == "product") return ProductPlan({rows, channels, random.Between(1, 3)});
  return PlanOf(kind, {rows, channels, random.Between(30, 60)}, random);
}

Sample MakeSample(const SamplePlan& plan, const dnnl::engine& engine,
                  const dnnl::primitive_attr& attr) {
  Sample sample{plan, MakeDesc(plan.from), MakeDesc(plan.to), {}, {}};
  WithPd(plan, engine, attr, [&](const auto& pd, auto make) {
    sample.pd = pd;
    sample.primitive = make(pd);
  });
  return sample;
}

dnnl::primitive_desc_base MakePdAlone(const SamplePlan& plan, const dnnl::engine& engine) {
  dnnl::primitive_desc_base alone;
  WithPd(plan, engine, {}, [&](const auto& pd, auto) { alone = pd; });
  return alone;
}

std::vector<dnnl::primitive> MakePrimitives(const SamplePlan& plan, const dnnl::engine& engine,
                                            int count) {
  std::vector<dnnl::primitive> primitives;
  WithPd(plan, engine, {}, [&](const auto& pd, auto make) {
    while (count-- > 0) primitives.push_back(make(pd));
  });
  return primitives;
}

std::optional<Sample> SampleOf(const SampleCase& c, Trial& trial,
                               const dnnl::primitive_attr& attr) {
  Device* const device = DeviceFor(trial);
  if (device == nullptr) return std::nullopt;
  Random random(Mix(c.seed));
  auto sample =
      Attempt([&] { return MakeSample(DrawSample(c.kind, random), device->engine, attr); });
  trial.Cover(c.kind);
  if (!sample) SampleRefused(c.kind, sample.refusal, trial);
  return std::move(sample.value);
}

void SampleRefused(const std::string& kind, const Refusal& refusal, Trial& trial) {
  if (kind == "product" && refusal.is_error && refusal.MayBe(Refusal::kUnimplemented))
    return trial.NotRun("no inner product of f32");
  trial.Fail(kind, "created", refusal.ToString());
}

Bench::Bench(const Sample& sample, const Device& device, uint64_t seed)
    : plan(sample.plan),
      values(plan.Values(seed)),
      old(plan.Values(seed + 1)),
      from(plan.from, sample.from, device, Placement(), seed),
      to(plan.to, sample.to, device, Placement(), ~seed) {
  for (spec::Bits& bits : old) bits = Another(bits);
  from.Store(values);
  to.Store(old);
  if (plan.kind == "product") {
    weights.emplace(plan.weights, MakeDesc(plan.weights), device, Placement(), seed + 2);
    weights->Store(plan.Weights(values));
  }
}

Arguments Bench::arguments() {
  Arguments all = {{plan.from_arg(), from.memory()}, {plan.to_arg(), to.memory()}};
  if (weights) all.emplace(DNNL_ARG_WEIGHTS, weights->memory());
  return all;
}

bool Bench::IsDone(const std::string& where, Trial& trial) {
  const std::vector<spec::Bits> results = plan.Results(values);
  if (!ExpectSameBits(trial, where, plan.to.type, plan.to.dims, results, to.Load())) return false;
  const std::string source = from.ChangedByte(values), target = to.ChangedByte(results);
  const std::string matrix = weights ? weights->ChangedByte(plan.Weights(values)) : "";
  return trial.Expect(matrix.empty(), where + ", weights", "untouched", matrix) &&
         trial.Expect(source.empty(), where + ", source", "untouched", source) &&
         trial.Expect(target.empty(), where + ", outside the destination", "untouched", target);
}

void Bench::Reset() { to.Store(old); }

bool RunBench(const dnnl::primitive& primitive, Bench& bench, const dnnl::stream& stream,
              Trial& trial) {
  const auto done = Attempt([&] {
    primitive.execute(stream, bench.arguments());
    dnnl::stream(stream).wait();
  });
  return trial.Expect(static_cast<bool>(done), "execute and wait", "done", done.refusal.ToString());
}

void RefusedUntouched(const Sample& sample, const Arguments& arguments, Bench& bench,
                      Device& device, const std::string& what, Trial& trial) {
  if (!ExpectRefusedByExecute(
          // No wait: refused.
          "execute " + what, [&] { sample.primitive.execute(device.stream, arguments); },
          device.stream, trial))
    return;
  const std::string changed = bench.to.ChangedByte(bench.old);
  trial.Expect(changed.empty(), "destination after execute " + what, "untouched", changed);
}

Cases<SampleCase> Samples() { return Samples({"reorder", "forward", "backward"}); }

Cases<SampleCase> AllSamples() { return Samples({"reorder", "forward", "backward", "product"}); }

Cases<SampleCase> Samples(const std::vector<std::string>& kinds) {
  return {0, [kinds](int64_t index, Random& random) {
            return SampleCase{kinds[index % static_cast<int64_t>(kinds.size())],
                              static_cast<uint64_t>(random.Between(0, 99999))};
          }};
}

}  // namespace conformance
