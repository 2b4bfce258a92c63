#include "conformance/reorder/run.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <unordered_map>
#include <utility>

#include "conformance/subject/buffers_seen.h"
#include "conformance/subject/expect.h"
#include "conformance/subject/tensor.h"

namespace conformance {
namespace {

using spec::Bits;
using spec::Type;

// The values of an attribute call are those of the case, but for run-time scales the wildcard.
std::vector<float> ScaleArgument(const ReorderCase& c) {
  if (c.attributes.run_time) return {DNNL_RUNTIME_F32_VAL};
  return c.Scales();
}

// Next to +-1, and not it.
bool IsBesideOne(float factor) {
  const float distance = std::fabs(std::fabs(factor) - 1);
  return distance > 0 && distance < 0x1p-10f;
}

void SawCase(const ReorderCase& c, Trial& trial) {
  SawTensor(trial, c.src);
  SawPlacement(trial, c.from);
  SawPlacement(trial, c.to);
  SawValues(trial, c.values);
  for (const std::string& name : ClassesOf(c.dst)) trial.Cover("to " + name);
  const AttributesSpec& a = c.attributes;
  if (a.scaled()) trial.Cover(a.mask == 0 ? "common scale" : "mask");
  if (a.run_time) trial.Cover("run-time scales");
  if (a.sum) trial.Cover("sum");
  if (a.src_zero.present) trial.Cover("zero point of src");
  if (a.dst_zero.present) trial.Cover("zero point of dst");
  if (a.src_zero.run_time || a.dst_zero.run_time) trial.Cover("run-time zero point");
  if (a.sum && a.scaled()) trial.Cover("scales and sum");
  if (a.scales == ScaleKind::kLiteral && IsBesideOne(a.literal)) trial.Cover("scale beside 1");
  if (a.sum && IsBesideOne(a.beta)) trial.Cover("sum factor beside 1");
  const int holes = a.mask & (a.mask + 1);  // 0 if the low bits are all set
  if (a.mask != 0 && holes != 0 && (a.mask & (a.mask - 1)) != 0) trial.Cover("mask with a hole");
}

}  // namespace

dnnl::memory::desc OpenDesc(const TensorSpec& tensor) {
  const spec::Dims open(tensor.dims.size(), DNNL_RUNTIME_DIM_VAL);
  return dnnl::memory::desc(open, DataTypeOf(tensor.type), open);
}

dnnl::primitive_attr AttrOf(const ReorderCase& c) {
  dnnl::primitive_attr attr;
  if (c.attributes.scaled()) attr.set_output_scales(c.attributes.mask, ScaleArgument(c));
  if (c.attributes.sum) {
    dnnl::post_ops post_ops;
    post_ops.append_sum(c.attributes.beta);
    attr.set_post_ops(post_ops);
  }
  const auto set_zero_point = [&attr](int arg, const ZeroPointSpec& zero) {
    if (zero.present)
      attr.set_zero_points(arg, 0, {zero.run_time ? DNNL_RUNTIME_S32_VAL : zero.value});
  };
  set_zero_point(DNNL_ARG_SRC, c.attributes.src_zero);
  set_zero_point(DNNL_ARG_DST, c.attributes.dst_zero);
  return attr;
}

bool MayRefuse(const ReorderCase& c, const Trial& trial) {
  if (MayRefuseRank(trial, c.dst.rank())) return true;
  if (trial.project() && trial.engine() != EngineChoice::kGpu) return false;
  if (c.src.type != Type::kF32 || c.dst.type != Type::kF32) return true;
  return c.attributes.mask != 0 || c.attributes.run_time || c.attributes.zero_points();
}

Legality LegalityOf(const ReorderCase& c, const Trial& trial) {
  return LegalityOfZeroPoints(c.attributes.zero_points(), trial);
}

Asked AskedOf(const ReorderCase& c) {
  Asked asked{
      "reorder", "", {spec::NameOf(c.src.type), spec::NameOf(c.dst.type)}, c.dst.rank(), {}};
  const auto add = [&asked](bool present, const char* what) {
    if (present) asked.features.emplace_back(what);
  };
  add(c.attributes.scaled() && c.attributes.mask == 0, "scale");
  add(c.attributes.mask != 0, "mask");
  add(c.attributes.run_time, "run-time scales");
  add(c.attributes.sum, "sum");
  add(c.attributes.zero_points(), "zero points");
  return asked;
}

spec::Strictness StrictnessOf(const ReorderCase& c, const Trial& trial) {
  const bool gpu = trial.engine() == EngineChoice::kGpu;
  // arithmetic on a device may be fused and may flush subnormals.
  if (trial.portable() || (gpu && !c.attributes.none())) return spec::Strictness::kPortable;
  return spec::Strictness::kProject;
}

RunTimeArguments::RunTimeArguments(const ReorderCase& c, const dnnl::engine& engine, bool on_host) {
  if (c.attributes.run_time) {
    std::vector<Bits> scales;
    for (float scale : c.Scales()) scales.push_back(WordOf(scale));
    Add(DNNL_ARG_ATTR_OUTPUT_SCALES, "scale", Type::kF32, scales, engine, on_host);
  }
  const auto zero_point = [&](int arg, const char* name, const ZeroPointSpec& zero) {
    if (zero.run_time)
      Add(DNNL_ARG_ATTR_ZERO_POINTS | arg, name, Type::kS32, {static_cast<Bits>(zero.value)},
          engine, on_host);
  };
  zero_point(DNNL_ARG_SRC, "zero point of src", c.attributes.src_zero);
  zero_point(DNNL_ARG_DST, "zero point of dst", c.attributes.dst_zero);
}

void RunTimeArguments::Add(int index, const char* name, Type type, const std::vector<Bits>& values,
                           const dnnl::engine& engine, bool on_host) {
  given_.push_back(std::make_unique<Given>(Given{index, name, values, {}, {}}));
  Given& made = *given_.back();
  const auto count = static_cast<dnnl::memory::dim>(values.size());
  const dnnl::memory::desc desc({count}, DataTypeOf(type), dnnl::memory::format_tag::x);
  if (on_host) {
    made.host = values;
    made.memory = dnnl::memory(desc, engine, made.host.data());
    return;
  }
  made.memory = dnnl::memory(desc, engine);
  Bits* const mapped = made.memory.map_data<Bits>();
  std::copy(values.begin(), values.end(), mapped);
  made.memory.unmap_data(mapped);
}

void RunTimeArguments::AddTo(std::unordered_map<int, dnnl::memory>* arguments) const {
  for (const auto& given : given_) (*arguments)[given->index] = given->memory;
}

bool RunTimeArguments::ExpectUnchanged(Trial& trial) const {
  for (const auto& given : given_) {
    std::vector<Bits> now = given->host;
    if (now.empty()) {
      Bits* const mapped = given->memory.map_data<Bits>();
      now.assign(mapped, mapped + given->values.size());
      given->memory.unmap_data(mapped);
    }
    const Type type = given->index == DNNL_ARG_ATTR_OUTPUT_SCALES ? Type::kF32 : Type::kS32;
    for (size_t k = 0; k < now.size(); ++k) {
      if (!trial.Expect(now[k] == given->values[k],
                        given->name + " " + std::to_string(k) + " after the execution",
                        spec::ToString(type, given->values[k]), spec::ToString(type, now[k])))
        return false;
    }
  }
  return true;
}

std::optional<ReorderSetUp> SetUp(const ReorderCase& c, Trial& trial) {
  SawCase(c, trial);
  return SetUp(c, c.Source(), c.Old(), trial);
}

std::optional<ReorderSetUp> SetUp(const ReorderCase& c, const std::vector<Bits>& source,
                                  const std::vector<Bits>& old, Trial& trial) {
  Device* const device = DeviceFor(trial);
  if (device == nullptr) return std::nullopt;
  const auto src = DescFor(c.src, trial);
  if (!src) return std::nullopt;
  const auto dst = DescFor(c.dst, trial);
  if (!dst) return std::nullopt;
  auto pd =
      Attempt([&] { return ReorderPd(device->engine, *src, device->engine, *dst, AttrOf(c)); });
  if (!pd) {
    if (MayRefuse(c, trial)) {
      trial.Refused(pd.refusal, AskedOf(c), LegalityOf(c, trial));
    } else {
      trial.Fail("reorder::primitive_desc, " + AskedOf(c).Request(), "created", pd.refusal);
    }
    return std::nullopt;
  }
  auto set_up = Attempt([&] {
    return ReorderSetUp{device,
                        *pd,
                        dnnl::reorder(*pd),
                        Tensor(c.src, *src, *device, c.from, c.seed),
                        Tensor(c.dst, *dst, *device, c.to, ~c.seed),
                        source,
                        old,
                        c.Scales()};
  });
  if (!set_up) {
    trial.Fail("reorder and memories", "created", set_up.refusal);
    return std::nullopt;
  }
  set_up->from.Store(source);
  set_up->to.Store(old);
  // With a stride of 0 several elements share a place: what counts is what is there.
  const spec::Plain plain = PlainOf(c.src);
  if (std::count(plain.strides.begin(), plain.strides.end(), 0) > 0)
    set_up->source = set_up->from.Load();
  return std::move(set_up.value);
}

bool Execute(const ReorderCase& c, ReorderSetUp& set_up, Trial& trial) {
  bool untouched = true;
  const auto done = Attempt([&] {
    dnnl::stream& stream = set_up.device->stream;
    const RunTimeArguments run_time(c, set_up.device->engine, set_up.device->on_host);
    if (run_time.none()) {
      set_up.primitive.execute(stream, set_up.from.memory(), set_up.to.memory());
    } else {
      // The map of the base class: oneDNN 2.x's reorder has it, the specification's hides it.
      const dnnl::primitive& base = set_up.primitive;
      std::unordered_map<int, dnnl::memory> arguments{{DNNL_ARG_FROM, set_up.from.memory()},
                                                      {DNNL_ARG_TO, set_up.to.memory()}};
      run_time.AddTo(&arguments);
      base.execute(stream, arguments);
    }
    stream.wait();
    untouched = run_time.ExpectUnchanged(trial);
  });
  if (!done) trial.Fail("execute and wait", "done", done.refusal);
  return done && untouched;
}

std::optional<Reordered> RunReorder(const ReorderCase& c, Trial& trial) {
  SawCase(c, trial);
  return RunReorder(c, c.Source(), c.Old(), trial);
}

std::optional<Reordered> RunReorder(const ReorderCase& c, const std::vector<Bits>& source,
                                    const std::vector<Bits>& old, Trial& trial) {
  auto set_up = SetUp(c, source, old, trial);
  if (!set_up || !Execute(c, *set_up, trial)) return std::nullopt;
  std::vector<Bits> result = set_up->to.Load();
  return Reordered{std::move(*set_up), std::move(result)};
}

bool ExpectReordered(const ReorderCase& c, const std::vector<Bits>& source,
                     const std::vector<Bits>& old, const std::vector<float>& scales,
                     const std::vector<Bits>& result, Trial& trial, std::string_view name) {
  const spec::Strictness strictness = StrictnessOf(c, trial);
  const bool may_flush = trial.engine() == EngineChoice::kGpu;
  const int mask = c.attributes.mask;
  spec::Dims x(c.dims().size(), 0);
  for (size_t i = 0; i < result.size(); ++i) {
    const auto k = static_cast<int64_t>(i);
    float alpha = 1;  // unless there are scales
    if (c.attributes.scaled())
      alpha = mask == 0 ? scales[0] : scales[spec::ScaleIndex(mask, c.dims(), x)];
    if (mask != 0) spec::Next(c.dims(), &x);
    const spec::ReorderElement element = c.ElementWith(alpha, source[i], old[i]);
    if (spec::Accepts(element, result[i], strictness)) continue;
    if (may_flush && IsFlushed(c, element, result[i])) continue;
    std::string where =
        ElementName(name, c.dims(), k) + " of src " + spec::ToString(c.src.type, source[i]);
    if (element.scaled) where += ", alpha " + spec::ToString(Type::kF32, WordOf(element.alpha));
    if (element.src_zero) where += ", zero point of src " + std::to_string(*element.src_zero);
    if (element.dst_zero) where += ", zero point of dst " + std::to_string(*element.dst_zero);
    if (element.sum) where += ", old dst " + spec::ToString(c.dst.type, old[i]);
    trial.Fail(where, spec::ExpectedText(element, strictness),
               spec::ToString(c.dst.type, result[i]));
    return false;
  }
  return true;
}

void ValuesAreRight(const ReorderCase& c, Trial& trial) {
  const auto run = RunReorder(c, trial);
  if (!run) return;
  const ReorderSetUp& s = run->set_up;
  ExpectReordered(c, s.source, s.old, s.scales, run->result, trial, "dst");
  if (IsByteCopy(c)) trial.Vacuous();
}

void ValuesAreRightOnEveryPair(const ReorderCase& c, Trial& trial) {
  ValuesAreRight(c, trial);
  const AttributesSpec& a = c.attributes;
  if (trial.project() || trial.result() != CaseResult::kNotRun || a.mask != 0 || a.run_time ||
      MayRefuseRank(trial, c.dst.rank()))
    return;
  Device* const device = DeviceFor(trial);
  if (device == nullptr) return;
  const auto make = [&](const dnnl::primitive_attr& attr) {
    return Attempt([&] {
      return ReorderPd(device->engine, MakeDesc(c.src), device->engine, MakeDesc(c.dst), attr);
    });
  };
  if (!make({})) return;
  const auto pd = make(AttrOf(c));
  if (!pd)
    trial.Fail("reorder::primitive_desc, " + AskedOf(c).Request(), "created, as without attributes",
               pd.refusal);
}

}  // namespace conformance
