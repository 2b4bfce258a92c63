// REO-006, REO-011, REO-012, REO-022 to REO-024, REO-029, REO-061: what is accepted, what is
// refused, and what descriptors tell.
#include <cmath>
#include <iterator>
#include <string>
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

using spec::Bits;
using spec::Type;

Attempted<ReorderPd> TryReorder(const dnnl::memory::desc& src, const dnnl::memory::desc& dst,
                                Device& device, const dnnl::primitive_attr& attr = {}) {
  return Attempt([&] { return ReorderPd(device.engine, src, device.engine, dst, attr); });
}

void DescriptorsAndEnginesAreWhatWasGiven(const ReorderCase& c, Trial& trial) {
  const auto set_up = SetUp(c, trial);
  if (!set_up) return;
  const auto src = MakeDesc(c.src), dst = MakeDesc(c.dst);
  const dnnl::engine& engine = set_up->device->engine;
  const ReorderPd& pd = set_up->pd;
  const auto is_given = [&](const dnnl::engine& got, const char* name) {
    return trial.Expect(got.get_kind() == engine.get_kind() && EqualIfComparable(got, engine), name,
                        "the engine given");
  };
  ExpectDescriptor(trial, "src_desc()", "the descriptor given", src, pd.src_desc()) &&
      ExpectDescriptor(trial, "dst_desc()", "the descriptor given", dst, pd.dst_desc()) &&
      is_given(pd.get_src_engine(), "get_src_engine()") &&
      is_given(pd.get_dst_engine(), "get_dst_engine()");
}

// Two tensors that do not fit are refused, each with itself is accepted.
void OtherShapesAreRefused(const ShapePair& pair, Trial& trial) {
  Device* const device = DeviceFor(trial);
  if (device == nullptr) return;
  const auto src = DescFor(pair.src, trial);
  if (!src) return;
  const auto dst = DescFor(pair.dst, trial);
  if (!dst) return;
  trial.Cover(pair.src.rank() == pair.dst.rank() ? "other extent" : "other rank");
  if (pair.src.rank() > 6) trial.Cover("beyond rank 6");
  if (pair.src.type != pair.dst.type) trial.Cover("other type");
  if (spec::IsEmpty(pair.src.dims) || spec::IsEmpty(pair.dst.dims)) trial.Cover("empty");
  if (!ExpectRefused(trial, TryReorder(*src, *dst, *device),
                     Join(pair.src.dims, 'x') + " -> " + Join(pair.dst.dims, 'x')))
    return;
  for (const auto* desc : {&*src, &*dst}) {
    const auto same = TryReorder(*desc, *desc, *device);
    if (same) continue;
    const TensorSpec& own = desc == &*src ? pair.src : pair.dst;
    const std::string type = spec::NameOf(own.type);
    if (MayRefuseRank(trial, own.rank()) || (trial.portable() && own.type != Type::kF32))
      return trial.Refused(same.refusal, {"reorder", "", {type, type}, own.rank(), {}});
    return trial.Fail("equal shapes", "accepted", same.refusal);
  }
}

void AnyIsRefused(const ReorderCase& c, Trial& trial) {
  const auto set_up = SetUp(c, trial);  // the accepted neighbour
  if (!set_up) return;
  const auto src = MakeDesc(c.src), dst = MakeDesc(c.dst);
  Device& device = *set_up->device;
  ExpectRefused(trial, TryReorder(WithAny(c.src.type, c.src.dims), dst, device),
                "format_tag::any as source") &&
      ExpectRefused(trial, TryReorder(src, WithAny(c.dst.type, c.dst.dims), device),
                    "format_tag::any as destination") &&
      ExpectRefused(
          trial,
          TryReorder(WithAny(c.src.type, c.src.dims), WithAny(c.dst.type, c.dst.dims), device),
          "format_tag::any on both sides");
}

void ZeroDescriptorIsRefused(const ReorderCase& c, Trial& trial) {
  const auto set_up = SetUp(c, trial);
  if (!set_up) return;
  const auto src = MakeDesc(c.src), dst = MakeDesc(c.dst);
  const dnnl::memory::desc zero;
  Device& device = *set_up->device;
  ExpectRefused(trial, TryReorder(zero, dst, device), "the zero descriptor as source") &&
      ExpectRefused(trial, TryReorder(src, zero, device), "the zero descriptor as destination") &&
      ExpectRefused(trial, TryReorder(zero, zero, device), "the zero descriptor on both sides");
}

// MAY: run-time dims or strides. What is accepted must be executed right.
void RunTimeShapes(const ReorderCase& c, Trial& trial) {
  auto set_up = SetUp(c, trial);
  if (!set_up) return;
  const spec::Plain src = PlainOf(c.src), dst = PlainOf(c.dst);
  const bool dims_too = c.seed % 2 == 0;
  // A region's memory says where it begins, where all of the placement is open (PRIM-034).
  if ((src.offset != 0 || dst.offset != 0) && (trial.portable() || !dims_too))
    return trial.Vacuous();
  spec::Dims dims = c.dims();
  const size_t axis = c.seed / 2 % dims.size();
  const auto open = [&](const TensorSpec& tensor) {
    spec::Dims strides = PlainOf(tensor).strides;
    if (dims_too && !tensor.layout.tag.empty() && !tensor.layout.is_region() && c.seed % 3 != 0) {
      trial.Cover("a run-time dim of a tag");
      TensorSpec by_tag = tensor;
      by_tag.dims[axis] = DNNL_RUNTIME_DIM_VAL;
      return MakeDesc(by_tag);
    }
    if (dims_too) {
      dims[axis] = DNNL_RUNTIME_DIM_VAL;
      strides.assign(strides.size(), DNNL_RUNTIME_DIM_VAL);
    } else {
      strides[axis] = DNNL_RUNTIME_DIM_VAL;
    }
    return dnnl::memory::desc(dims, DataTypeOf(tensor.type), strides);
  };
  if (dims_too && (c.attributes.mask >> axis & 1) != 0)
    trial.Cover(c.attributes.run_time ? "run-time scales of a run-time dim"
                                      : "scales of a run-time dim");
  const dnnl::engine& engine = set_up->device->engine;
  const auto pd =
      Attempt([&] { return ReorderPd(engine, open(c.src), engine, open(c.dst), AttrOf(c)); });
  trial.Record(std::string("reorder with run-time ") + (dims_too ? "dims" : "strides"),
               pd ? "accepted" : "refused");
  if (!pd) {
    trial.Expect(pd.refusal.is_error, "run-time shape", "a dnnl::error", pd.refusal.ToString());
    return;
  }
  const auto primitive = Attempt([&] { return dnnl::reorder(*pd.value); });
  if (!primitive) return trial.Fail("reorder", "created", primitive.refusal);
  set_up->primitive = *primitive.value;
  if (!Execute(c, *set_up, trial)) return;
  ExpectReordered(c, set_up->source, set_up->old, set_up->scales, set_up->to.Load(), trial);
}

// spec/reading.md, "Unsupported is not wrong": refused at creation, each time alike, or accepted
// each time and executed.
void RefusalsAreStable(const ReorderCase& c, Trial& trial) {
  Device* const device = DeviceFor(trial);
  if (device == nullptr) return;
  const auto src = DescFor(c.src, trial);
  if (!src) return;
  const auto dst = DescFor(c.dst, trial);
  if (!dst) return;
  std::string first;
  for (int round = 0; round < 3; ++round) {
    const auto pd = TryReorder(*src, *dst, *device, AttrOf(c));
    if (!pd &&
        !ExpectRefusal(trial, pd.refusal, "reorder " + AskedOf(c).Request(), LegalityOf(c, trial)))
      return;
    const std::string answer = pd ? "accepted" : "status " + std::to_string(pd.refusal.status);
    if (round == 0) first = answer;
    if (!trial.Expect(answer == first, "the same request again", first, answer)) return;
  }
  trial.Record("reorder " + AskedOf(c).Request(), first);
  if (first == "accepted") RunReorder(c, trial);
}

// What is not offered is unimplemented: a request that is well formed is no invalid argument, and
// no device has failed.
void RefusalsSayUnimplemented(const ReorderCase& c, Trial& trial) {
  Device* const device = DeviceFor(trial);
  if (device == nullptr) return;
  const auto src = DescFor(c.src, trial), dst = DescFor(c.dst, trial);
  if (!src || !dst) return;
  const auto pd = TryReorder(*src, *dst, *device, AttrOf(c));
  if (!pd && !pd.refusal.MayBe(Refusal::kUnimplemented))
    trial.Deviate("the status of a refusal, reorder " + AskedOf(c).Request(),
                  std::to_string(Refusal::kUnimplemented), pd.refusal.ToString());
}

// Every pair of types with no attribute and with each kind of them.
Cases<ReorderCase> SupportMatrix() {
  constexpr int64_t kPairs = 36, kKinds = 6;
  return {kPairs * kKinds, [](int64_t index, Random& random) {
            const TypePair pair = TypePairs()[index % kPairs];
            ReorderLimits limits;
            limits.from = {pair.from};
            limits.to = {pair.to};
            limits.layouts = Layouts::kTags;
            limits.shape.max_elements = 512;
            ReorderCase c = AnyReorderCase(random, limits);
            c.values = ValueKind::kFinite;
            const int64_t kind = index / kPairs;
            if (kind == 1 || kind >= 4) c.attributes.scales = ScaleKind::kLiteral;
            if (kind == 2 || kind == 3) c.attributes.scales = ScaleKind::kPowersOfTwo;
            if (kind == 2 || kind == 3) c.attributes.mask = 1 << (c.dst.rank() - 1);
            c.attributes.run_time = kind == 3 || kind == 5;
            c.attributes.sum = kind == 4;
            c.attributes.literal = 0.5f;
            c.attributes.beta = 2;
            return c;
          }};
}

// Attributes outside the table of the guide: refused, or applied exactly.
struct Extra {
  const char* name;
  // dst, for a source x (a small integer) and the old destination q. NaN: no formula is known.
  float (*result)(float x, float q);
};
constexpr Extra kExtras[] = {
    {"eltwise", [](float x, float) { return x * x; }},
    {"sum-eltwise", [](float x, float q) { return (x + 2 * q) * (x + 2 * q); }},
    {"eltwise-sum", [](float x, float q) { return x * x + 2 * q; }},
    // Both read what the destination held before (ATTR-048).
    {"half-a-square", [](float x, float) { return 0.5f * x * x; }},
    {"abs", [](float x, float) { return std::fabs(x); }},
    {"linear", [](float x, float) { return 2 * x + 1; }},
    {"relu", [](float x, float) { return std::fmax(x, 0.0f); }},
    {"two-sums", [](float x, float q) { return x + 2 * q + 3 * q; }},
    {"scale-of-src", [](float x, float) { return 2 * x; }},
    {"scales-of-an-axis-of-src", [](float x, float) { return 2 * x; }},
    {"scale-of-dst", [](float, float) { return std::nanf(""); }},
    {"zero-points-of-an-axis-of-src", [](float x, float) { return x - 3; }},
    {"zero-point-of-src", [](float x, float) { return x - 3; }},
    {"zero-point-of-dst", [](float x, float) { return x + 3; }},
    {"scale-and-zero-points", [](float x, float) { return 2 * (x - 3) + 5; }},
    {"rnn-data-parameters", [](float, float) { return std::nanf(""); }},
    {"rnn-weights-parameters", [](float, float) { return std::nanf(""); }},
};

// May throw: a library need not know the attribute at all.
dnnl::primitive_attr AttributeNamed(const std::string& name, const spec::Dims& dims) {
  dnnl::primitive_attr attr;
  dnnl::post_ops post_ops;
  using dnnl::algorithm;
  const auto square = [&] { post_ops.append_eltwise(1, algorithm::eltwise_square, 0, 0); };
  if (name == "eltwise" || name == "eltwise-sum") square();
  if (name == "sum-eltwise" || name == "eltwise-sum" || name == "two-sums") post_ops.append_sum(2);
  if (name == "sum-eltwise") square();
  if (name == "two-sums") post_ops.append_sum(3);
  if (name == "half-a-square") post_ops.append_eltwise(0.5f, algorithm::eltwise_square, 0, 0);
  if (name == "abs") post_ops.append_eltwise(1, algorithm::eltwise_abs, 0, 0);
  if (name == "linear") post_ops.append_eltwise(1, algorithm::eltwise_linear, 2, 1);
  if (name == "relu") post_ops.append_eltwise(1, algorithm::eltwise_relu, 0, 0);
  if (post_ops.len() > 0) attr.set_post_ops(post_ops);
  if (name == "scale-of-src") attr.set_scales(DNNL_ARG_SRC, 0, {2.0f});
  if (name == "scale-of-dst") attr.set_scales(DNNL_ARG_DST, 0, {2.0f});
  const int last = 1 << (dims.size() - 1);
  if (name == "scales-of-an-axis-of-src")
    attr.set_scales(DNNL_ARG_SRC, last, std::vector<float>(dims.back(), 2.0f));
  if (name == "zero-points-of-an-axis-of-src")
    attr.set_zero_points(DNNL_ARG_SRC, last, std::vector<int32_t>(dims.back(), 3));
  if (name == "zero-point-of-src" || name == "scale-and-zero-points")
    attr.set_zero_points(DNNL_ARG_SRC, 0, {3});
  if (name == "zero-point-of-dst") attr.set_zero_points(DNNL_ARG_DST, 0, {3});
  if (name == "scale-and-zero-points") {
    attr.set_zero_points(DNNL_ARG_DST, 0, {5});
    attr.set_output_scales(0, {2.0f});
  }
  if (name == "rnn-data-parameters") attr.set_rnn_data_qparams(2, 1);
  if (name == "rnn-weights-parameters") attr.set_rnn_weights_qparams(0, {2.0f});
  return attr;
}

// What `extra` must be refused with, or make of small integers.
void IsRefusedOrExact(const Extra& extra, const ReorderCase& c, Trial& trial) {
  Device* const device = DeviceFor(trial);
  if (device == nullptr) return;
  const std::string name = extra.name;
  const auto attr = Attempt([&] { return AttributeNamed(name, c.dims()); });
  if (!attr) return trial.LeftOpen(attr.refusal, "the attribute " + name);
  const auto src = DescFor(c.src, trial), dst = DescFor(c.dst, trial);
  if (!src || !dst) return;
  const auto pd = TryReorder(*src, *dst, *device, *attr.value);
  trial.Record("reorder with " + name, pd ? "accepted" : "refused");
  if (!pd) {
    ExpectLeftOpen(trial, pd.refusal, name);
    return;
  }
  if (std::isnan(extra.result(0, 0)))
    return trial.Fail("reorder with " + name, "refused", "accepted");
  const Type from = c.src.type, to = c.dst.type;
  // Small enough for every type; below 0 too where the type goes there.
  const float least_x = from == Type::kU8 ? 0 : -3, least_q = to == Type::kU8 ? 0 : -1;
  std::vector<Bits> source, old, expected;
  for (int64_t k = 0; k < spec::ElementCount(c.dims()); ++k) {
    const float x = static_cast<float>(k % 7) + least_x, q = static_cast<float>(k % 3) + least_q;
    source.push_back(BitsOf(from, x));
    old.push_back(BitsOf(to, q));
    expected.push_back(spec::Convert(to, extra.result(x, q)));
  }
  Tensor in(c.src, *src, *device, c.from, 1), out(c.dst, *dst, *device, c.to, 2);
  in.Store(source);
  out.Store(old);
  const auto done = Attempt([&] {
    dnnl::reorder(*pd.value).execute(device->stream, in.memory(), out.memory());
    device->stream.wait();
  });
  if (!done) return trial.Fail("execute and wait", "done", done.refusal);
  ExpectSameBits(trial, "dst with " + name, to, c.dims(), expected, out.Load());
}

// `what=eltwise:s8-f32:ba`: attribute, types, and the layout of the destination.
void OtherAttributesAreRefusedOrExact(const Choice& choice, Trial& trial) {
  const size_t colon = choice.what.find(':'), dash = choice.what.find('-', colon);
  const size_t last = choice.what.rfind(':');
  if (colon == std::string::npos || dash == std::string::npos) return;
  const auto from = ParseType(choice.what.substr(colon + 1, dash - colon - 1));
  const auto to = ParseType(choice.what.substr(dash + 1, last - dash - 1));
  ReorderCase c;
  const spec::Dims dims{2, 17};
  c.src = {*from, dims, Plainest(dims)};
  c.dst = c.src;
  c.dst.type = *to;
  c.dst.layout.tag = choice.what.substr(last + 1);
  for (const Extra& extra : kExtras)
    if (choice.what.substr(0, colon) == extra.name) return IsRefusedOrExact(extra, c, trial);
}

// The same for any layout and size, where other kernels may forget to look.
void NoKernelIgnoresThem(const ReorderCase& c, Trial& trial) {
  const Extra& extra = kExtras[c.seed % std::size(kExtras)];
  trial.Cover(extra.name);
  SawTensor(trial, c.src);
  IsRefusedOrExact(extra, c, trial);
}

std::vector<std::string> ExtraNames() {
  std::vector<std::string> names;
  for (const Extra& extra : kExtras)
    for (const TypePair& pair : TypePairs())
      for (const char* tag : {":ab", ":ba"})
        names.push_back(std::string(extra.name) + ":" + spec::NameOf(pair.from) + "-" +
                        spec::NameOf(pair.to) + tag);
  return names;
}

ReorderLimits All() {
  ReorderLimits limits;
  limits.shape.max_elements = 512;
  return limits;
}

ReorderLimits Strided() {
  ReorderLimits limits;
  limits.layouts = Layouts::kStrides;
  limits.shape.max_elements = 512;
  return limits;
}

ReorderLimits Exact() {
  ReorderLimits limits = All();
  limits.values = {ValueKind::kIndex};
  return limits;
}

// f32 to f32, with all that has a sign or a payload.
ReorderLimits Bits32() {
  ReorderLimits limits = Strided();
  limits.from = limits.to = {Type::kF32};
  limits.values = {ValueKind::kMixed};
  return limits;
}

// With attributes, which are for the tensors that come at execution: in one case of two a scale for
// each index of the axis whose extent is open.
Cases<ReorderCase> Computed() {
  return Drawn<ReorderCase>([](Random& random) {
    ReorderLimits limits = All();
    limits.attributes = true;
    limits.attribute_limits.zero_points = random.Chance(30);
    limits.values = {ValueKind::kFinite, ValueKind::kIndex};
    ReorderCase c = AnyReorderCase(random, limits);
    if (random.Chance(50)) {
      c.attributes.scales = random.Chance(70) ? ScaleKind::kPowersOfTwo : ScaleKind::kAny;
      c.attributes.mask |= 1 << (c.seed / 2 % c.dims().size());
      c.attributes.run_time = random.Chance(50);
    }
    return c;
  });
}

// Sources that repeat elements too.
ReorderLimits Repeated() {
  ReorderLimits limits = All();
  limits.zero_strides = true;
  return limits;
}

const bool kDefined[] = {
    Define<ReorderCase>(spec::REO_006, "", AnyReorder(Repeated()),
                        DescriptorsAndEnginesAreWhatWasGiven,
                        {"gapped", "permuted", "region", "tag"}),
    Define<ShapePair>(spec::REO_011, "", OtherShapes(), OtherShapesAreRefused,
                      {"other extent", "other rank", "empty", "other type"}),
    Define<ShapePair>(spec::REO_012, "", BroadcastShapes(), OtherShapesAreRefused, {"other type"}),
    Define<ReorderCase>(spec::REO_022, "", AnyReorder(Strided()), AnyIsRefused),
    Define<ReorderCase>(spec::REO_023, "", AnyReorder(Strided()), ZeroDescriptorIsRefused),
    Define<ReorderCase>(spec::REO_024, "", AnyReorder(Exact()), RunTimeShapes),
    Define<ReorderCase>(spec::REO_024, "bits", AnyReorder(Bits32()), RunTimeShapes),
    Define<ReorderCase>(spec::REO_024, "attributes", Computed(), RunTimeShapes,
                        {"scales of a run-time dim", "run-time scales of a run-time dim", "sum",
                         "zero point of src", "zero point of dst"}),
    Define<ReorderCase>(spec::REO_029, "", SupportMatrix(), RefusalsAreStable),
    Define<ReorderCase>(spec::ERR_004, "reorder", SupportMatrix(), RefusalsSayUnimplemented),
    Define<Choice>(spec::REO_061, "", Choices(ExtraNames()), OtherAttributesAreRefusedOrExact),
    Define<ReorderCase>(spec::REO_061, "everywhere", AnyReorder(All()), NoKernelIgnoresThem,
                        {"eltwise", "scale-of-src", "zero-point-of-src", "region", "gapped"}),
};

}  // namespace
}  // namespace conformance
