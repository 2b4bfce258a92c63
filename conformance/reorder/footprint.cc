// REO-017 to REO-019, REO-064, MEM-029: which bytes a reorder touches, and that it touches none of
// an empty tensor.
#include <sys/mman.h>

#include <cstddef>
#include <cstdint>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "conformance/case/property.h"
#include "conformance/reorder/cases.h"
#include "conformance/reorder/run.h"
#include "spec/requirements.h"

namespace conformance {
namespace {

void GapsStayUntouched(const ReorderCase& c, Trial& trial) {
  auto run = RunReorder(c, trial);
  if (!run) return;
  const std::string gap = run->set_up.to.ChangedGap();
  if (!gap.empty()) trial.Fail("dst outside its elements", "untouched", gap);
}

void SourceStaysUntouched(const ReorderCase& c, Trial& trial) {
  auto run = RunReorder(c, trial);
  if (!run) return;
  const std::string changed = run->set_up.from.ChangedByte(run->set_up.source);
  if (!changed.empty()) trial.Fail("src", "untouched", changed);
}

void AttributesMoveNothing(const ReorderCase& c, Trial& trial) {
  auto run = RunReorder(c, trial);
  if (!run) return;
  const std::string gap = run->set_up.to.ChangedGap();
  if (!gap.empty()) return trial.Fail("dst outside its elements", "untouched", gap);
  const std::string changed = run->set_up.from.ChangedByte(run->set_up.source);
  if (!changed.empty()) trial.Fail("src", "untouched", changed);
}

// MEM-029: the buffers end with the last elements, before inaccessible pages.
void OnlyElementsAreTouched(const ReorderCase& c, Trial& trial) {
  if (trial.portable()) return trial.NotRun("pinned by the project profile only");
  const Device* const device = DeviceFor(trial);
  if (device == nullptr) return;
  if (!device->on_host) return trial.NotRun("the engine takes no host pointers");
  for (const TensorSpec* tensor : {&c.src, &c.dst}) {
    const int element_bytes = spec::BytesOf(tensor->type);
    const spec::Plain plain = PlainOf(*tensor);
    if (spec::SizeInBytes(plain, element_bytes) > spec::LeastSizeInBytes(plain, element_bytes))
      trial.Cover(tensor == &c.src ? "src padded at the end" : "dst padded at the end");
  }
  AttributesMoveNothing(c, trial);
}

Cases<ReorderCase> Tight() {
  ReorderLimits limits;
  limits.attribute_limits.zero_points = true;
  limits.transpositions = true;
  limits.values = {ValueKind::kFinite};
  const auto tight = [](const Placement& at) { return at.edge == Placement::Edge::kTight; };
  return {0,
          [limits](int64_t index, Random& random) {
            ReorderLimits some = limits;
            some.attributes = index % 3 > 0;
            some.attribute_limits.zero_points = index % 3 > 1;
            ReorderCase c = AnyReorderCase(random, some);
            c.from = c.to = {Placement::Edge::kTight, 0};
            return c;
          },
          [tight](const ReorderCase& c) { return tight(c.from) && tight(c.to); }};
}

// A handle that no one may look behind.
void* InaccessiblePage() {
  static void* const page = mmap(nullptr, 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  return page;
}

void EmptyDoesNothing(const ReorderCase& c, Trial& trial) {
  // The handles are for empty tensors only: a shrunk case may have elements again.
  if (!spec::IsEmpty(c.dims())) return trial.Vacuous();
  SawTensor(trial, c.src);
  if (!c.attributes.none()) trial.Cover("with attributes");
  if (c.attributes.mask != 0) trial.Cover("mask");
  if (c.attributes.zero_points()) trial.Cover("zero points");
  Device* const device = DeviceFor(trial);
  if (device == nullptr) return;
  const auto src = DescFor(c.src, trial);
  if (!src) return;
  const auto dst = DescFor(c.dst, trial);
  if (!dst) return;
  const auto pd =
      Attempt([&] { return ReorderPd(device->engine, *src, device->engine, *dst, AttrOf(c)); });
  if (!pd) {
    if (MayRefuse(c, trial)) return trial.Refused(pd.refusal, AskedOf(c), LegalityOf(c, trial));
    return trial.Fail("reorder::primitive_desc", "created", pd.refusal);
  }
  void* const handles[] = {DNNL_MEMORY_NONE, InaccessiblePage(), reinterpret_cast<void*>(1)};
  const char* const names[] = {"null handles", "handles of an inaccessible page", "handles of 1"};
  const int choice = static_cast<int>(c.seed % 3);
  const auto done = Attempt([&] {
    const auto memory = [&](const dnnl::memory::desc& desc) {
      return device->on_host ? dnnl::memory(desc, device->engine, handles[choice])
                             : dnnl::memory(desc, device->engine);
    };
    const RunTimeArguments run_time(c, device->engine, device->on_host);
    const dnnl::reorder reorder(*pd.value);
    const dnnl::primitive& base = reorder;
    std::unordered_map<int, dnnl::memory> arguments{{DNNL_ARG_FROM, memory(*src)},
                                                    {DNNL_ARG_TO, memory(*dst)}};
    run_time.AddTo(&arguments);
    base.execute(device->stream, arguments);
    device->stream.wait();
  });
  if (!done) {
    trial.Fail(std::string("execution with ") + names[choice], "done", done.refusal);
  }
}

// MAY: run-time shapes. Where they are offered, tensors without elements need no buffer there
// either.
void OpenAndEmptyDoesNothing(const ReorderCase& c, Trial& trial) {
  if (!spec::IsEmpty(c.dims())) return trial.Vacuous();
  Device* const device = DeviceFor(trial);
  if (device == nullptr) return;
  const auto src = DescFor(c.src, trial);
  if (!src) return;
  const auto dst = DescFor(c.dst, trial);
  if (!dst) return;
  const auto pd = Attempt(
      [&] { return ReorderPd(device->engine, OpenDesc(c.src), device->engine, OpenDesc(c.dst)); });
  trial.Record("reorder with run-time dims", pd ? "accepted" : "refused");
  if (!pd) {
    trial.Expect(pd.refusal.is_error, "run-time dims", "a dnnl::error", pd.refusal.ToString());
    return;
  }
  const auto done = Attempt([&] {
    const auto memory = [&](const dnnl::memory::desc& desc) {
      return dnnl::memory(desc, device->engine, DNNL_MEMORY_NONE);
    };
    dnnl::memory from = memory(*src), to = memory(*dst);
    dnnl::reorder(*pd.value).execute(device->stream, from, to);
    device->stream.wait();
  });
  if (!done) trial.Fail("execution with null handles", "done", done.refusal);
}

ReorderLimits All(bool attributes) {
  ReorderLimits limits;
  limits.attributes = attributes;
  limits.values = {attributes ? ValueKind::kFinite : ValueKind::kIndex};
  limits.transpositions = !attributes;
  return limits;
}

// The axes in `order`, outermost first; each of the innermost rows and each of the first axis have
// gaps behind them.
LayoutSpec WithGaps(Random& random, const spec::Dims& dims, const std::vector<int>& order) {
  LayoutSpec layout = RowMajor(dims);
  int64_t step = 1;
  for (size_t at = order.size(); at-- > 0;) {
    const auto axis = static_cast<size_t>(order[at]);
    if (at == 0 || at + 2 == order.size()) step += random.Between(1, 4);
    layout.strides[axis] = step;
    step *= dims[axis];
  }
  return layout;
}

// Many short runs of elements, each in another order in the destination and as long: shorter than
// a vector, about one, and a few of them. Their number is mostly prime, so that they stay short.
Cases<ReorderCase> Records() {
  return Drawn<ReorderCase>([](Random& random) {
    ReorderCase c;
    c.src.type = random.Pick(spec::kTypes);
    c.dst.type = random.Chance(70) ? c.src.type : random.Pick(spec::kTypes);
    const auto inner = static_cast<size_t>(random.Between(2, 3));
    spec::Dims dims{random.Pick({2, 3, 5, 7, 13, 31, 61, 127, 12, 64})};
    for (size_t j = 0; j < inner; ++j) dims.push_back(random.Between(2, inner == 2 ? 9 : 4));
    std::vector<int> order = AnyPermutation(random, static_cast<int>(inner));
    for (int& axis : order) ++axis;
    order.insert(order.begin(), 0);
    c.src.dims = c.dst.dims = dims;
    std::vector<int> in_order(dims.size());
    std::iota(in_order.begin(), in_order.end(), 0);
    // Of numbers of four bytes mostly, where there are gaps on both sides.
    const bool gaps = random.Chance(40);
    if (gaps && random.Chance(70)) c.src.type = c.dst.type = spec::Type::kF32;
    const bool rows = gaps && random.Chance(50);
    c.src.layout = gaps ? WithGaps(random, dims, in_order) : RowMajor(dims);
    c.dst.layout = rows ? WithGaps(random, dims, order) : DenseInOrder(dims, order);
    if (random.Chance(50)) std::swap(c.src.layout, c.dst.layout);
    if (random.Chance(gaps ? 50 : 20)) c.dst.layout.strides[0] += random.Between(1, 9);
    c.values = ValueKind::kIndex;
    c.from = AnyPlacement(random);
    c.to = AnyPlacement(random);
    c.seed = static_cast<uint64_t>(random.Between(0, 9999));
    return c;
  });
}

// Matrices of narrow elements that are turned over: each row begins on a word of four bytes and
// most end inside one, and behind each matrix of the destination there is room for a row more.
Cases<ReorderCase> Words() {
  return Drawn<ReorderCase>([](Random& random) {
    constexpr int64_t kWord = 4;  // elements: of bytes one, of others two
    ReorderCase c;
    c.src.type = c.dst.type =
        random.Pick({spec::Type::kU8, spec::Type::kS8, spec::Type::kBF16, spec::Type::kF16});
    const int64_t rows = random.Between(2, 3), columns = random.Between(16, 70),
                  length = kWord * random.Between(1, 16) + random.Between(1, 3);
    const auto row_of = [&](int64_t extent) {
      return kWord * (extent / kWord + random.Between(1, 2));
    };
    c.src.dims = c.dst.dims = {rows, length, columns};
    const int64_t from = row_of(length), to = row_of(columns);
    c.src.layout.strides = {from * (columns + random.Between(0, 1)), 1, from};
    c.dst.layout.strides = {to * (length + random.Between(1, 2)), to, 1};
    c.values = ValueKind::kIndex;
    c.seed = static_cast<uint64_t>(random.Between(0, 9999));
    return c;
  });
}

// Beside all that is computed.
Cases<ReorderCase> Computed() {
  return {0, [](int64_t index, Random& random) {
            ReorderLimits limits = All(true);
            limits.shape.max_elements = 4096;
            limits.transpositions = true;
            limits.attribute_limits.zero_points = index % 2 == 1;
            return AnyReorderCase(random, limits);
          }};
}

// Sources of any bits: signaling NaNs and what no other type holds stay as they are, too.
ReorderLimits AllBits() {
  ReorderLimits limits = All(false);
  limits.values.push_back(ValueKind::kBits);
  return limits;
}

// At least one axis of size 0; no scale belongs to it, for a mask would then ask for none at all. A
// mask of other axes asks for as many as ever.
Cases<ReorderCase> Empties(bool attributes) {
  return Drawn<ReorderCase>([attributes](Random& random) {
    ReorderLimits limits;
    limits.attributes = attributes;
    limits.attribute_limits.zero_points = attributes && random.Chance(30);
    limits.layouts = Layouts::kStrides;
    limits.attribute_limits.masks = Masks::kNone;
    limits.shape.max_elements = 512;
    if (random.Chance(60)) limits.from = limits.to = {spec::Type::kF32};
    ReorderCase c = AnyReorderCase(random, limits);
    spec::Dims dims = c.dims();
    const int64_t last = static_cast<int64_t>(dims.size()) - 1;
    dims[random.Between(0, last)] = 0;
    if (random.Chance(20)) dims[random.Between(0, last)] = 0;
    LayoutLimits layouts;
    layouts.odd_unit_strides = false;
    c.src = AnyTensor(random, c.src.type, dims, layouts);
    c.dst = AnyTensor(random, c.dst.type, dims, layouts);
    if (c.attributes.scaled() && random.Chance(60)) {
      int mask = static_cast<int>(random.Between(1, (1 << dims.size()) - 1));
      for (size_t j = 0; j < dims.size(); ++j)
        if (dims[j] == 0) mask &= ~(1 << j);
      c.attributes.mask = mask;
      if (mask != 0) c.attributes.scales = ScaleKind::kPowersOfTwo;
    }
    return c;
  });
}

const std::vector<std::string> kLayouts{"gapped",    "permuted",    "region",    "tag",
                                        "to gapped", "to permuted", "to region", "to tag",
                                        "tail",      "size-1 dim",  "large"};

const bool kDefined[] = {
    Define<ReorderCase>(spec::REO_017, "", AnyReorder(All(false)), GapsStayUntouched, kLayouts),
    Define<ReorderCase>(spec::REO_017, "records", Records(), GapsStayUntouched,
                        {"permuted", "to gapped", "page behind"}),
    Define<ReorderCase>(spec::REO_017, "words", Words(), GapsStayUntouched,
                        {"permuted", "to gapped"}),
    Define<ReorderCase>(spec::REO_017, "attributes", Computed(), GapsStayUntouched,
                        {"to gapped", "to region", "sum", "mask", "zero point of dst"}),
    Define<ReorderCase>(spec::REO_018, "", AnyReorder(AllBits()), SourceStaysUntouched, kLayouts),
    Define<ReorderCase>(spec::REO_018, "attributes", Computed(), SourceStaysUntouched,
                        {"permuted", "region", "sum", "mask", "zero point of src"}),
    Define<ReorderCase>(spec::REO_019, "", Empties(false), EmptyDoesNothing, {"empty", "region"}),
    Define<ReorderCase>(spec::REO_019, "attributes", Empties(true), EmptyDoesNothing,
                        {"empty", "region", "with attributes", "mask", "zero points"}),
    Define<ReorderCase>(spec::REO_019, "run-time", Empties(false), OpenAndEmptyDoesNothing),
    Define<ReorderCase>(spec::REO_064, "", AnyReorder(All(true)), AttributesMoveNothing, kLayouts),
    Define<ReorderCase>(spec::MEM_029, "reorders", Tight(), OnlyElementsAreTouched),
};

}  // namespace
}  // namespace conformance
