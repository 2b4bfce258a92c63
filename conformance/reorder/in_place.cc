// PRIM-050 for reorder: regions of one tensor, which may interleave along every axis, and the
// exception, a reorder that replaces each element on its own bytes.
#include <algorithm>
#include <iterator>
#include <string>
#include <unordered_map>
#include <vector>

#include "conformance/case/property.h"
#include "conformance/reorder/cases.h"
#include "conformance/reorder/run.h"
#include "conformance/subject/attempt.h"
#include "conformance/subject/tensor.h"
#include "oneapi/dnnl/dnnl.hpp"
#include "spec/memory/oracle.h"
#include "spec/requirements.h"

namespace conformance {
namespace {

using spec::Type;

void ElementsAreReplacedInPlace(const ReorderCase& c, Trial& trial) {
  if (trial.portable()) return trial.NotRun("pinned by the project profile only");
  auto set_up = SetUp(c, trial);
  if (!set_up) return;
  const RunTimeArguments run_time(c, set_up->device->engine, set_up->device->on_host);
  // One memory, or one for each descriptor.
  const dnnl::memory from = set_up->from.memory();
  const bool one = c.src.type == c.dst.type && c.seed % 2 == 0;
  trial.Cover(one ? "1 memory" : "2 memories");
  const dnnl::memory to =
      one ? from : dnnl::memory(MakeDesc(c.dst), set_up->device->engine, from.get_data_handle());
  std::unordered_map<int, dnnl::memory> arguments{{DNNL_ARG_FROM, from}, {DNNL_ARG_TO, to}};
  run_time.AddTo(&arguments);
  const auto done = Attempt([&] {
    const dnnl::primitive& base = set_up->primitive;
    base.execute(set_up->device->stream, arguments);
    set_up->device->stream.wait();
  });
  if (!trial.Expect(static_cast<bool>(done), "execute in place", "done", done.refusal.ToString()))
    return;
  const std::vector<spec::Bits> result = set_up->from.Load();
  if (!ExpectReordered(c, set_up->source, set_up->old, set_up->scales, result, trial, "the buffer"))
    return;
  const std::string gap = set_up->from.ChangedGap();
  if (!gap.empty()) trial.Fail("the buffer outside the elements", "untouched", gap);
  if (IsByteCopy(c)) trial.Vacuous();
}

// Pairs of types of one size, equal layouts, no sum.
Cases<ReorderCase> InPlace() {
  Cases<ReorderCase> cases = Drawn<ReorderCase>([](Random& random) {
    static const std::vector<std::vector<Type>> kSizes = {
        {Type::kF32, Type::kS32}, {Type::kBF16, Type::kF16}, {Type::kS8, Type::kU8}};
    ReorderLimits limits;
    limits.shape.large = random.Chance(10);
    limits.from = limits.to = kSizes[static_cast<size_t>(random.Between(0, 2))];
    limits.same_layout = true;
    limits.attributes = random.Chance(60);
    limits.attribute_limits.sum = false;
    limits.values = {limits.attributes ? ValueKind::kFinite : ValueKind::kMixed};
    return AnyReorderCase(random, limits);
  });
  cases.contains = [](const ReorderCase& c) {
    return spec::BytesOf(c.src.type) == spec::BytesOf(c.dst.type) && !c.attributes.sum &&
           spec::SameLayout(PlainOf(c.src), PlainOf(c.dst));
  };
  return cases;
}

// Where the elements of a region lie among those of its parent, by row-major numbers.
std::vector<int64_t> NumbersInParent(const TensorSpec& region) {
  const LayoutSpec::Parent& parent = region.layout.parents[0];
  std::vector<int64_t> numbers;
  spec::Dims x(region.dims.size(), 0);
  do {
    int64_t number = 0;
    for (size_t j = 0; j < x.size(); ++j)
      number = number * parent.dims[j] + parent.offsets[j] + x[j];
    numbers.push_back(number);
  } while (spec::Next(region.dims, &x));
  return numbers;
}

void RegionsShareNoByte(const ReorderCase& c, Trial& trial) {
  if (trial.portable()) return trial.NotRun("pinned by the project profile only");
  Device* const device = DeviceFor(trial);
  if (device == nullptr) return;
  const LayoutSpec::Parent& parent = c.src.layout.parents[0];
  TensorSpec whole{c.src.type, parent.dims, c.src.layout};
  whole.layout.parents.clear();
  const auto src = DescFor(c.src, trial), dst = DescFor(c.dst, trial), all = DescFor(whole, trial);
  if (!src || !dst || !all) return;
  const auto made =
      Attempt([&] { return dnnl::reorder(ReorderPd(device->engine, *src, device->engine, *dst)); });
  if (!made && MayRefuse(c, trial))
    return trial.Refused(made.refusal, AskedOf(c), LegalityOf(c, trial));
  if (!made) return trial.Fail("reorder of regions", "created", made.refusal);
  const std::vector<int64_t> from = NumbersInParent(c.src), to = NumbersInParent(c.dst);
  std::vector<spec::Bits> values =
      Values(ValueKind::kIndex, c.src.type, c.src.type, c.seed, spec::ElementCount(parent.dims));
  Tensor buffer(whole, *all, *device, c.from, c.seed);
  buffer.Store(values);
  dnnl::memory in = buffer.memory(), out = buffer.memory();
  // One memory, or one for each descriptor.
  if (c.seed % 2 == 0) {
    in = dnnl::memory(*src, device->engine, in.get_data_handle());
    out = dnnl::memory(*dst, device->engine, out.get_data_handle());
  }
  // No wait: a call for two callers; one is refused, one waits.
  const auto execute = [&] { made.value->execute(device->stream, in, out); };
  // Both are sorted.
  std::vector<int64_t> shared;
  std::set_intersection(from.begin(), from.end(), to.begin(), to.end(), std::back_inserter(shared));
  const std::string axes = std::to_string(
      std::count_if(c.dims().begin(), c.dims().end(), [](int64_t extent) { return extent > 1; }));
  if (!shared.empty() && from != to) {
    trial.Cover("shared, " + axes + " axes");
    if (!ExpectRefusedByExecute("execute on regions that share elements", execute, device->stream,
                                trial))
      return;
    const std::string changed = buffer.ChangedByte(values);
    if (!changed.empty()) trial.Fail("the buffer", "untouched", changed);
    return;
  }
  trial.Cover((shared.empty() ? "apart, " : "in place, ") + axes + " axes");
  const auto done = Attempt([&] {
    execute();
    device->stream.wait();
  });
  if (!trial.Expect(static_cast<bool>(done), "execute on regions without a common element", "done",
                    done.refusal.ToString()))
    return;
  for (size_t k = 0; k < from.size(); ++k) values[to[k]] = values[from[k]];
  if (!ExpectSameBits(trial, "the parent", c.src.type, parent.dims, values, buffer.Load())) return;
  const std::string gap = buffer.ChangedGap();
  if (!gap.empty()) trial.Fail("the buffer outside the elements", "untouched", gap);
}

// Two regions of one parent. Half of them are combs: every second or third index of up to three
// axes, so that the two interleave along all of these.
Cases<ReorderCase> TwoRegions() {
  Cases<ReorderCase> cases = Drawn<ReorderCase>([](Random& random) {
    ReorderCase c;
    spec::Dims dims;
    LayoutSpec::Parent from, to;
    const auto add = [&](int64_t extent, int64_t all) {
      dims.push_back(extent);
      for (LayoutSpec::Parent* parent : {&from, &to}) {
        parent->dims.push_back(all);
        parent->offsets.push_back(random.Between(0, all - extent));
      }
    };
    const bool comb = random.Chance(50);
    const auto axes = static_cast<int>(random.Between(1, comb ? 3 : 5));
    for (int j = 0; j < axes; ++j) {
      const int64_t extent = random.Between(comb ? 2 : 1, 4);
      add(extent, comb ? extent : random.Between(extent, 2 * extent + 1));
      if (comb) add(1, random.Between(2, 3));
    }
    LayoutLimits limits;
    limits.tags = limits.regions = limits.odd_unit_strides = false;
    c.src.type = c.dst.type = AnyType(random);
    c.src.dims = c.dst.dims = dims;
    c.src.layout = random.Chance(50) ? RowMajor(from.dims) : AnyLayout(random, from.dims, limits);
    c.dst.layout = c.src.layout;
    c.src.layout.parents = {from};
    c.dst.layout.parents = {to};
    c.values = ValueKind::kIndex;
    c.from = AnyPlacement(random);
    c.seed = static_cast<uint64_t>(random.Between(0, 9999));
    return c;
  });
  cases.contains = [](const ReorderCase& c) {
    const LayoutSpec &from = c.src.layout, &to = c.dst.layout;
    return c.src.type == c.dst.type && c.attributes.none() && from.parents.size() == 1 &&
           to.parents.size() == 1 && from.tag == to.tag && from.strides == to.strides &&
           from.parents[0].dims == to.parents[0].dims;
  };
  return cases;
}

const bool kDefined[] = {
    Define<ReorderCase>(spec::PRIM_050, "interleaved", TwoRegions(), RegionsShareNoByte,
                        {"apart, 1 axes", "apart, 2 axes", "apart, 3 axes", "apart, 4 axes",
                         "shared, 2 axes", "shared, 3 axes", "in place, 1 axes"}),
    Define<ReorderCase>(
        spec::PRIM_050, "in-place", InPlace(), ElementsAreReplacedInPlace,
        {"1 memory", "2 memories", "gapped", "permuted", "region", "tail", "large"}),
};

}  // namespace
}  // namespace conformance
