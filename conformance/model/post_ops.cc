// Post-ops as reorders show them: ATTR-047 to ATTR-051, ATTR-053.
#include <algorithm>
#include <cmath>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "conformance/case/property.h"
#include "conformance/gen/attributes.h"
#include "conformance/gen/layouts.h"
#include "conformance/gen/values.h"
#include "conformance/model/cases.h"
#include "conformance/model/one_scale.h"
#include "conformance/reorder/cases.h"
#include "conformance/reorder/run.h"
#include "conformance/subject/attempt.h"
#include "conformance/subject/descriptor_text.h"
#include "conformance/subject/device.h"
#include "conformance/subject/expect.h"
#include "oneapi/dnnl/dnnl.hpp"
#include "spec/requirements.h"

namespace conformance {
namespace {

using dnnl::primitive_attr;

void SumReadsTheDestination(const ReorderCase& c, Trial& trial) {
  if (!c.attributes.sum) return trial.Vacuous();
  ValuesAreRight(c, trial);
}

void FormatStays(const ReorderCase& c, Trial& trial) {
  if (!c.attributes.sum) return trial.Vacuous();
  const auto set_up = SetUp(c, trial);
  if (!set_up) return;
  ExpectDescriptor(trial, "dst_desc() with a sum", "the descriptor given", MakeDesc(c.dst),
                   set_up->pd.dst_desc());
}

// ATTR-050: the destination read as another type of the same size, and of another size.
void TypedSums(const SeedCase& c, Trial& trial) {
  Device* const device = DeviceFor(trial);
  if (device == nullptr) return;
  Random random(Mix(c.seed));
  const std::pair<spec::Type, spec::Type> pairs[] = {{spec::Type::kU8, spec::Type::kS8},
                                                     {spec::Type::kS8, spec::Type::kU8},
                                                     {spec::Type::kF32, spec::Type::kS32},
                                                     {spec::Type::kS32, spec::Type::kF32}};
  const auto& [type, as] = random.Pick(pairs);
  const TensorSpec src{spec::Type::kF32, {16}, RowMajor({16})}, dst{type, {16}, RowMajor({16})};
  const auto make = [&](spec::Type read_as) {
    return Attempt([&] {
      dnnl::post_ops ops;
      ops.append_sum(1.f, DataTypeOf(read_as));
      primitive_attr attr;
      attr.set_post_ops(ops);
      return ReorderPd(device->engine, MakeDesc(src), device->engine, MakeDesc(dst), attr);
    });
  };
  const auto other_size = make(spec::BytesOf(type) == 1 ? spec::Type::kF32 : spec::Type::kS8);
  ExpectRefused(trial, other_size, "reorder with a sum of another size");
  const auto pd = make(as);
  trial.Record("sum with a data type", pd ? "offered" : "refused");
  if (!pd) {
    ExpectUnsupported(trial, pd.refusal, "reorder with a typed sum");
    return;
  }
  trial.Cover("typed sum");
  Tensor from(src, MakeDesc(src), *device, {}, 1), to(dst, MakeDesc(dst), *device, {}, 2);
  const auto values = Values(ValueKind::kIndex, src.type, src.type, c.seed, 16);
  // Small integers in the other type.
  const auto old = Values(ValueKind::kIndex, as, spec::Type::kS8, c.seed + 1, 16);
  from.Store(values);
  to.Store(old);
  const auto done = Attempt([&] {
    dnnl::reorder(*pd.value).execute(device->stream, from.memory(), to.memory());
    device->stream.wait();
  });
  if (!trial.Expect(static_cast<bool>(done), "execute", "done", done.refusal.ToString())) return;
  const std::vector<spec::Bits> got = to.Load();
  for (size_t i = 0; i < got.size(); ++i) {
    spec::ReorderElement element;
    element.from = src.type;
    element.to = type;
    element.source = values[i];
    element.sum = true;
    element.beta = 1;
    element.old_type = as;
    element.old = old[i];
    const auto strictness =
        trial.project() ? spec::Strictness::kProject : spec::Strictness::kPortable;
    if (spec::Accepts(element, got[i], strictness)) continue;
    return trial.Fail("dst[" + std::to_string(i) + "]", spec::ExpectedText(element, strictness),
                      spec::ToString(type, got[i]));
  }
}

// ATTR-051: refused, or each in its turn.
void SeveralPostOpsAreNotHalfDone(const SeedCase& c, Trial& trial) {
  Device* const device = DeviceFor(trial);
  if (device == nullptr) return;
  const bool eltwise = c.seed % 2 == 0;
  Random random(Mix(c.seed));
  OneScale one(random);
  for (float& value : one.target) value = static_cast<float>(random.Between(-9, 9));
  const bool eltwise_first = random.Chance(50);
  dnnl::post_ops ops;
  const auto square = [&] { ops.append_eltwise(1.f, dnnl::algorithm::eltwise_square, 0.f, 0.f); };
  if (eltwise && eltwise_first) square();
  ops.append_sum(2.f);
  if (eltwise && !eltwise_first) square();
  if (!eltwise) ops.append_sum(0.5f);
  primitive_attr attr;
  attr.set_post_ops(ops);
  const auto made = Attempt([&] {
    return dnnl::reorder(ReorderPd(device->engine, one.desc, device->engine, one.desc, attr));
  });
  const char* what = !eltwise        ? "two sums"
                     : eltwise_first ? "eltwise, then sum"
                                     : "sum, then eltwise";
  trial.Record(what, made ? "offered" : "refused");
  if (!made) {
    trial.Expect(made.refusal.is_error, what, "dnnl::error", made.refusal.ToString());
    return;
  }
  auto arguments = ArgumentsOf(one, *device);
  static_cast<const dnnl::primitive&>(*made.value).execute(device->stream, arguments);
  device->stream.wait();
  const std::vector<float> got = FloatsIn(arguments[DNNL_ARG_TO], one.target.size());
  for (size_t i = 0; i < got.size(); ++i) {
    float x = one.source[i];
    if (eltwise && eltwise_first) x *= x;
    x += 2 * one.target[i];
    if (eltwise && !eltwise_first) x *= x;
    if (!eltwise) x += 0.5f * one.target[i];
    if (!trial.Expect(got[i] == x, what, std::to_string(x), std::to_string(got[i]))) break;
  }
}

// A post-op that is exact for small numbers, and what it makes of `x` where the destination held
// `old`.
struct ExactOp {
  const char* name;
  void (*append)(dnnl::post_ops* ops, float scale);
  float (*apply)(float x, float old, float scale);
};

constexpr ExactOp kSumOp = {"sum", [](dnnl::post_ops* ops, float scale) { ops->append_sum(scale); },
                            [](float x, float old, float scale) { return x + scale * old; }};
constexpr ExactOp kFunctions[] = {
    {"relu",
     [](dnnl::post_ops* ops, float scale) {
       ops->append_eltwise(scale, dnnl::algorithm::eltwise_relu, 0.f, 0.f);
     },
     [](float x, float, float scale) { return scale * std::max(x, 0.f); }},
    {"linear",
     [](dnnl::post_ops* ops, float scale) {
       ops->append_eltwise(scale, dnnl::algorithm::eltwise_linear, -2.f, 3.f);
     },
     [](float x, float, float scale) { return scale * (-2 * x + 3); }},
    {"abs",
     [](dnnl::post_ops* ops, float scale) {
       ops->append_eltwise(scale, dnnl::algorithm::eltwise_abs, 0.f, 0.f);
     },
     [](float x, float, float scale) { return scale * std::abs(x); }},
};

// ATTR-047: two or three post-ops on an inner product, one of them a sum, in any order. Which
// chains it takes the documents leave open, but for a sum before a function.
void PostOpsRunInOrder(const SeedCase& c, Trial& trial) {
  Device* const device = DeviceFor(trial);
  if (device == nullptr) return;
  Random random(Mix(c.seed));
  OneScale one(random);
  for (float& value : one.target) value = static_cast<float>(random.Between(-9, 9));
  std::vector<const ExactOp*> chain(static_cast<size_t>(random.Between(2, 3)));
  for (const ExactOp*& op : chain) op = &random.Pick(kFunctions);
  chain[static_cast<size_t>(random.Between(0, static_cast<int64_t>(chain.size()) - 1))] = &kSumOp;
  dnnl::post_ops ops;
  std::string what;
  std::vector<float> expected = one.source;
  for (const ExactOp* op : chain) {
    const float scale = random.Pick({1.f, 1.f, 2.f, -1.f});
    op->append(&ops, scale);
    what += (what.empty() ? "" : ", ") + std::string(op->name) + ":" + std::to_string(scale);
    for (size_t i = 0; i < expected.size(); ++i)
      expected[i] = op->apply(expected[i], one.target[i], scale);
  }
  trial.Cover(chain[0] == &kSumOp ? "a sum first" : "a function first");
  primitive_attr attr;
  attr.set_post_ops(ops);
  const auto made = Attempt([&] { return ProductOf(one, attr, *device); });
  if (!made) return trial.LeftOpen(made.refusal, "an inner product with a chain of post-ops");
  auto arguments = ArgumentsOfProduct(one, *device);
  made.value->execute(device->stream, arguments);
  device->stream.wait();
  const std::vector<float> got = FloatsIn(arguments[DNNL_ARG_DST], expected.size());
  for (size_t i = 0; i < got.size(); ++i)
    if (!trial.Expect(got[i] == expected[i],
                      "dst of " + std::to_string(one.source[i]) + " onto " +
                          std::to_string(one.target[i]) + " with " + what,
                      std::to_string(expected[i]), std::to_string(got[i])))
      return;
}

// ATTR-053: what the 2.6.3 header has besides.
#define DNNSPEC_HAS_MEMBER(NAME)          \
  template <class T, class = void>        \
  struct Has_##NAME : std::false_type {}; \
  template <class T>                      \
  struct Has_##NAME<T, std::void_t<decltype(&T::NAME)>> : std::true_type {};
DNNSPEC_HAS_MEMBER(append_dw)
DNNSPEC_HAS_MEMBER(append_binary)
DNNSPEC_HAS_MEMBER(append_prelu)
#undef DNNSPEC_HAS_MEMBER

void FurtherPostOps(const NoParameters&, Trial& trial) {
  using Ops = dnnl::post_ops;
  trial.Record("depthwise post-ops", Has_append_dw<Ops>::value ? "offered" : "missing");
  trial.Record("binary post-ops", Has_append_binary<Ops>::value ? "offered" : "missing");
  trial.Record("prelu post-ops", Has_append_prelu<Ops>::value ? "offered" : "missing");
}

// A sum in some cases, by itself or after scales.
Cases<ReorderCase> Sums(bool scales) {
  ReorderLimits limits;
  limits.shape.max_elements = 2048;
  limits.attributes = true;
  limits.attribute_limits.scales = scales;
  limits.attribute_limits.masks = scales ? Masks::kSingle : Masks::kNone;
  limits.attribute_limits.run_time = false;
  limits.attribute_limits.sum = true;
  return AnyReorder(limits);
}

const bool defined[] = {
    Define(spec::ATTR_047, "", Seeds(), PostOpsRunInOrder),
    Define(spec::ATTR_048, "", Sums(/*scales=*/false), SumReadsTheDestination, {"sum"}),
    Define(spec::ATTR_049, "", Sums(/*scales=*/true), FormatStays, {"sum"}),
    Define(spec::ATTR_050, "", Seeds(), TypedSums),
    Define(spec::ATTR_051, "", Seeds(), SeveralPostOpsAreNotHalfDone),
    Define(spec::ATTR_053, "", FurtherPostOps),
};

}  // namespace
}  // namespace conformance
