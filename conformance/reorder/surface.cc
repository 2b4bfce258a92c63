// REO-001 to REO-005, REO-008, REO-031: the names and parameter orders, calls that are equivalent,
// and the example of the guide.
#include <string>
#include <type_traits>
#include <unordered_map>
#include <utility>
#include <vector>

#include "conformance/case/property.h"
#include "conformance/gen/choice.h"
#include "conformance/reorder/cases.h"
#include "conformance/reorder/run.h"
#include "conformance/subject/descriptor_text.h"
#include "conformance/subject/expect.h"
#include "spec/requirements.h"

namespace conformance {
namespace {

using dnnl::memory;
using spec::Bits;
using Desc = const memory::desc&;
using Engine = const dnnl::engine&;
using Attr = const dnnl::primitive_attr&;

void PdFromDescriptorsExists(const NoParameters&, Trial& trial) {
  trial.Expect(std::is_constructible_v<ReorderPd, Engine, Desc, Engine, Desc>,
               "primitive_desc(src_engine, src_md, dst_engine, dst_md)") &&
      trial.Expect(std::is_constructible_v<ReorderPd, Engine, Desc, Engine, Desc, Attr>,
                   "primitive_desc(src_engine, src_md, dst_engine, dst_md, attr)") &&
      trial.Expect(std::is_constructible_v<ReorderPd, Engine, Desc, Engine, Desc, Attr, bool>,
                   "primitive_desc(src_engine, src_md, dst_engine, dst_md, attr, allow_empty)") &&
      trial.Expect(std::is_default_constructible_v<ReorderPd>, "primitive_desc()") &&
      trial.Expect(std::is_default_constructible_v<dnnl::reorder>, "reorder()");
}

// The first descriptor is the source's: a swap shows in types and values.
void FirstDescriptorIsTheSource(const ReorderCase& c, Trial& trial) {
  ValuesAreRight(c, trial);
  if (c.src.type == c.dst.type && ToString(c.src) == ToString(c.dst)) trial.Vacuous();
}

void ExpectSameRun(const ReorderCase& c, ReorderSetUp& set_up, const std::vector<Bits>& expected,
                   const std::string& what, Trial& trial) {
  const std::vector<Bits> got = set_up.to.Load();
  ExpectSameBits(trial, "dst by " + what, c.dst.type, c.dims(), expected, got);
}

// Runs `way` on a fresh destination and expects what the plain way gave.
template <class Way>
bool RunsAlike(const ReorderCase& c, Reordered& plain, const std::string& what, Trial& trial,
               Way way) {
  ReorderSetUp& s = plain.set_up;
  s.to.Store(s.old);
  const auto done = Attempt([&] {
    way();
    s.device->stream.wait();
  });
  if (!done) {
    trial.Fail(what, "done", done.refusal);
    return false;
  }
  ExpectSameRun(c, s, plain.result, what, trial);
  return !trial.failed();
}

// A destination of another extent, for which descriptors and memories are refused alike: by an
// error, or with allow_empty by an object that answers no query.
void RefusalsOfMemoriesAreTheSame(const ReorderCase& c, ReorderSetUp& s, Trial& trial) {
  TensorSpec unfit{c.dst.type, c.dims(), {}};
  ++unfit.dims[c.seed % unfit.dims.size()];
  unfit.layout = Plainest(unfit.dims);
  const auto memory_of = Attempt([&] { return memory(MakeDesc(unfit), s.device->engine); });
  if (!memory_of) return trial.NotRun("no memory for another tensor");
  const dnnl::engine& engine = s.device->engine;
  const memory::desc src = s.pd.src_desc(), dst = MakeDesc(unfit);
  for (const bool allow_empty : {false, true}) {
    const auto answer = [](const Attempted<ReorderPd>& made) {
      if (!made) return std::string(made.refusal.is_error ? "a dnnl::error" : "an exception");
      return std::string(Attempt([&] { return made.value->get_kind(); }) ? "an object" : "empty");
    };
    const auto plain =
        Attempt([&] { return ReorderPd(engine, src, engine, dst, AttrOf(c), allow_empty); });
    const auto made = Attempt(
        [&] { return ReorderPd(s.from.memory(), *memory_of.value, AttrOf(c), allow_empty); });
    if (!trial.Expect(answer(made) == answer(plain),
                      std::string("primitive_desc(src_memory, dst_memory, attr") +
                          (allow_empty ? ", allow_empty" : "") + ") of other dims",
                      answer(plain) + ", as from descriptors", answer(made)))
      return;
  }
}

void PdFromMemoriesIsTheSame(const ReorderCase& c, Trial& trial) {
  auto plain = RunReorder(c, trial);
  if (!plain) return;
  ReorderSetUp& s = plain->set_up;
  const auto pd = Attempt([&] { return ReorderPd(s.from.memory(), s.to.memory(), AttrOf(c)); });
  if (!pd) return trial.Fail("primitive_desc(src_memory, dst_memory, attr)", "created", pd.refusal);
  const ReorderPd& made = *pd.value;
  const auto is_same_engine = [&](const dnnl::engine& got, const dnnl::engine& wanted,
                                  const char* name) {
    return trial.Expect(got.get_kind() == wanted.get_kind() && EqualIfComparable(got, wanted), name,
                        "as from descriptors");
  };
  ExpectDescriptor(trial, "src_desc()", "as from descriptors", s.pd.src_desc(), made.src_desc()) &&
      ExpectDescriptor(trial, "dst_desc()", "as from descriptors", s.pd.dst_desc(),
                       made.dst_desc()) &&
      ExpectDescriptor(trial, "scratchpad_desc()", "as from descriptors", s.pd.scratchpad_desc(),
                       made.scratchpad_desc()) &&
      is_same_engine(made.get_engine(), s.pd.get_engine(), "get_engine()") &&
      is_same_engine(made.get_src_engine(), s.pd.get_src_engine(), "get_src_engine()") &&
      is_same_engine(made.get_dst_engine(), s.pd.get_dst_engine(), "get_dst_engine()") &&
      RunsAlike(c, *plain, "primitive_desc(src_memory, dst_memory, attr)", trial, [&] {
        // No wait: the caller does.
        dnnl::reorder(made).execute(s.device->stream, s.from.memory(), s.to.memory());
      });
  if (!trial.failed()) RefusalsOfMemoriesAreTheSame(c, s, trial);
}

void ReorderFromMemoriesIsTheSame(const ReorderCase& c, Trial& trial) {
  auto plain = RunReorder(c, trial);
  if (!plain) return;
  ReorderSetUp& s = plain->set_up;
  RunsAlike(c, *plain, "reorder(src_memory, dst_memory, attr)", trial, [&] {
    dnnl::reorder(s.from.memory(), s.to.memory(), AttrOf(c))
        // No wait: the caller does.
        .execute(s.device->stream, s.from.memory(), s.to.memory());
  });
}

using Arguments = std::unordered_map<int, memory>;

// False where the subject's reorder hides the map form of its base, as the specification's does.
template <class Reorder>
auto ExecutesMap(Reorder& reorder, dnnl::stream& stream, const Arguments& arguments, int)
    // No wait: never evaluated.
    -> decltype(reorder.execute(stream, arguments), true) {
  // No wait: the caller does.
  reorder.execute(stream, arguments);
  return true;
}
template <class Reorder>
bool ExecutesMap(Reorder&, dnnl::stream&, const Arguments&, long) {
  return false;
}

// Both forms on a reorder object: the map form is not hidden.
void BothExecutesAreTheSame(const ReorderCase& c, Trial& trial) {
  auto plain = RunReorder(c, trial);
  if (!plain) return;
  ReorderSetUp& s = plain->set_up;
  const std::string call = "execute(stream, {{FROM, src}, {TO, dst}})";
  RunsAlike(c, *plain, call, trial, [&] {
    trial.Expect(ExecutesMap(s.primitive, s.device->stream,
                             {{DNNL_ARG_FROM, s.from.memory()}, {DNNL_ARG_TO, s.to.memory()}}, 0),
                 "reorder::" + call, "callable on a reorder", "hidden");
  });
}

// Project: what is wrong with a memory is an error of either form, with run-time dims too.
void BothExecutesRefuse(const ReorderCase& c, Trial& trial) {
  if (trial.portable()) return trial.NotRun("only the project profile has such arguments");
  auto set_up = SetUp(c, trial);
  if (!set_up) return;
  Device& device = *set_up->device;
  const bool run_time = c.seed % 2 == 0;
  trial.Cover(run_time ? "run-time dims" : "dims");
  const auto primitive = Attempt([&] {
    return dnnl::reorder(
        run_time ? ReorderPd(device.engine, OpenDesc(c.src), device.engine, OpenDesc(c.dst))
                 : set_up->pd);
  });
  if (!primitive) {
    trial.Expect(primitive.refusal.is_error, "reorder", "a dnnl::error",
                 primitive.refusal.ToString());
    return;
  }
  // Of one more row than the destination has, which dims that are given allow, or of another type.
  TensorSpec wrong = {c.src.type, c.dims(), Plainest(c.dims())};
  if (run_time && c.seed % 4 == 0)
    ++wrong.dims[0];
  else
    wrong.type = c.src.type == spec::Type::kF32 ? spec::Type::kS32 : spec::Type::kF32;
  wrong.layout = Plainest(wrong.dims);
  const auto other = Attempt([&] { return memory(MakeDesc(wrong), device.engine); });
  if (!other) return trial.NotRun("no memory for another tensor");
  memory from = *other.value, to = set_up->to.memory();
  const auto two = Attempt([&] {
    dnnl::reorder reorder = *primitive.value;
    // No wait: refused.
    reorder.execute(device.stream, from, to);
  });
  const auto map = Attempt([&] {
    const dnnl::primitive& base = *primitive.value;
    // No wait: refused.
    base.execute(device.stream, {{DNNL_ARG_FROM, from}, {DNNL_ARG_TO, to}});
  });
  ExpectRefused(trial, two, "execute(stream, src, dst)") &&
      ExpectRefused(trial, map, "execute(stream, {{FROM, src}, {TO, dst}})");
}

void ArgumentsHaveTwoNames(const ReorderCase& c, Trial& trial) {
  static_assert(DNNL_ARG_FROM == DNNL_ARG_SRC && DNNL_ARG_TO == DNNL_ARG_DST, "aliases");
  auto plain = RunReorder(c, trial);
  if (!plain) return;
  ReorderSetUp& s = plain->set_up;
  const auto argument = [&](int index) { return s.pd.query_md(dnnl::query::exec_arg_md, index); };
  ExpectDescriptor(trial, "exec_arg_md of DNNL_ARG_FROM", "src_desc()", s.pd.src_desc(),
                   argument(DNNL_ARG_FROM)) &&
      ExpectDescriptor(trial, "exec_arg_md of DNNL_ARG_TO", "dst_desc()", s.pd.dst_desc(),
                       argument(DNNL_ARG_TO)) &&
      RunsAlike(c, *plain, "execute with DNNL_ARG_SRC and DNNL_ARG_DST", trial, [&] {
        const dnnl::primitive& base = s.primitive;
        // No wait: the caller does.
        base.execute(s.device->stream,
                     {{DNNL_ARG_DST, s.to.memory()}, {DNNL_ARG_SRC, s.from.memory()}});
      });
}

// A primitive made for some memories runs on any that match.
void OtherMemoriesWork(const ReorderCase& c, Trial& trial) {
  auto set_up = SetUp(c, trial);
  if (!set_up) return;
  for (uint64_t round = 1; round <= 2; ++round) {
    const auto source =
        Values(c.values, c.src.type, c.dst.type, c.seed + round, spec::ElementCount(c.dims()));
    const Device& device = *set_up->device;
    auto fresh = Attempt([&] {
      return std::pair(Tensor(c.src, set_up->pd.src_desc(), device, c.to, c.seed + round),
                       Tensor(c.dst, set_up->pd.dst_desc(), device, c.from, c.seed - round));
    });
    if (!fresh) return trial.Fail("memory", "created", fresh.refusal);
    fresh.value->first.Store(source);
    fresh.value->second.Store(set_up->old);
    set_up->from = std::move(fresh.value->first);
    set_up->to = std::move(fresh.value->second);
    if (!Execute(c, *set_up, trial)) return;
    if (!ExpectReordered(c, source, set_up->old, set_up->scales, set_up->to.Load(), trial)) return;
  }
}

// The example of the guide: an f32 nchw image to another plain layout, with its attribute variant.
void ExampleWorks(const Choice& choice, Trial& trial) {
  Device* const device = DeviceFor(trial);
  if (device == nullptr) return;
  constexpr int64_t kN = 3, kC = 3, kH = 31, kW = 17;
  const memory::dims dims{kN, kC, kH, kW};
  const bool attributes = choice.what == "alpha-beta";
  const memory::desc src_desc(dims, memory::data_type::f32, memory::format_tag::nchw);
  const memory::desc dst_desc(dims, memory::data_type::f32, memory::format_tag::nhwc);
  memory src(src_desc, device->engine), dst(dst_desc, device->engine);
  const size_t count = kN * kC * kH * kW;
  const auto fill = [&](memory& to, float factor) {
    float* const mapped = to.map_data<float>();
    for (size_t i = 0; i < count; ++i) mapped[i] = factor * static_cast<float>(i);
    to.unmap_data(mapped);
  };
  fill(src, 1);
  fill(dst, 4);
  dnnl::primitive_attr attr;
  if (attributes) {
    dnnl::post_ops post_ops;
    post_ops.append_sum(0.5f);
    attr.set_output_scales(0, {2.0f});
    attr.set_post_ops(post_ops);
  }
  const ReorderPd pd(device->engine, src_desc, device->engine, dst_desc, attr);
  dnnl::reorder(pd).execute(device->stream, src, dst);
  device->stream.wait();
  float* const mapped = dst.map_data<float>();
  const std::vector<float> result(mapped, mapped + count);
  dst.unmap_data(mapped);
  for (int64_t k = 0; k < static_cast<int64_t>(count); ++k) {
    const spec::Dims x = spec::Unravel(k, dims);
    const int64_t at = ((x[0] * kH + x[2]) * kW + x[3]) * kC + x[1];
    const auto source = static_cast<float>(k), old = 4 * static_cast<float>(at);
    const float wanted = attributes ? 2 * source + 0.5f * old : source;
    if (result[at] == wanted) continue;
    return trial.Fail(ElementName("dst", dims, k), std::to_string(wanted),
                      std::to_string(result[at]));
  }
}

ReorderLimits Plain() {
  ReorderLimits limits;
  limits.layouts = Layouts::kStrides;
  limits.shape.max_elements = 512;
  limits.values = {ValueKind::kIndex};
  return limits;
}

ReorderLimits WithAttributes() {
  ReorderLimits limits = Plain();
  limits.layouts = Layouts::kAll;
  limits.attributes = true;
  limits.attribute_limits.run_time = false;
  limits.attribute_limits.exact = true;
  return limits;
}

// From sources that repeat elements, too.
ReorderLimits Everywhere() {
  ReorderLimits limits = WithAttributes();
  limits.zero_strides = true;
  return limits;
}

const bool kDefined[] = {
    Define(spec::REO_001, "surface", PdFromDescriptorsExists),
    Define<ReorderCase>(spec::REO_001, "order", AnyReorder(Plain()), FirstDescriptorIsTheSource),
    Define<ReorderCase>(spec::REO_002, "", AnyReorder(Everywhere()), PdFromMemoriesIsTheSame),
    Define<ReorderCase>(spec::REO_003, "", AnyReorder(Everywhere()), ReorderFromMemoriesIsTheSame),
    Define<ReorderCase>(spec::REO_004, "", AnyReorder(WithAttributes()), BothExecutesAreTheSame),
    Define<ReorderCase>(spec::REO_004, "refused", AnyReorder(Plain()), BothExecutesRefuse,
                        {"run-time dims", "dims"}),
    Define<ReorderCase>(spec::REO_005, "", AnyReorder(WithAttributes()), ArgumentsHaveTwoNames),
    Define<ReorderCase>(spec::REO_008, "", AnyReorder(WithAttributes()), OtherMemoriesWork),
    Define<Choice>(spec::REO_031, "", Choices({"copy", "alpha-beta"}), ExampleWorks),
};

}  // namespace
}  // namespace conformance
