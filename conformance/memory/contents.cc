// Where elements lie: the offset formula as the data shows it, in tensors, regions, reshaped and
// permuted descriptors.
#include <algorithm>
#include <cstring>
#include <numeric>

#include "conformance/case/property.h"
#include "conformance/gen/layouts.h"
#include "conformance/gen/tensors.h"
#include "conformance/gen/values.h"
#include "conformance/memory/cases.h"
#include "conformance/memory/descriptors.h"
#include "conformance/memory/reshape_cases.h"
#include "conformance/memory/tensor_cases.h"
#include "conformance/memory/transfer.h"
#include "conformance/subject/attempt.h"
#include "conformance/subject/buffer.h"
#include "conformance/subject/device.h"
#include "conformance/subject/reorder_io.h"
#include "conformance/subject/reserved.h"
#include "conformance/subject/tensor.h"
#include "oneapi/dnnl/dnnl.hpp"
#include "spec/memory/oracle.h"
#include "spec/numeric/convert.h"
#include "spec/requirements.h"

namespace conformance {
namespace {

using spec::Bits;

TensorCase CaseOf(const DescriptorCase& view) { return {SpecOf(view), {}, 0}; }

void FormulaHolds(const TensorCase& c, Trial& trial) {
  if (spec::IsEmpty(c.tensor.dims)) return trial.Vacuous();
  auto filled = Fill(c, trial);
  if (!filled) return;
  SawTensor(trial, c.tensor);
  const std::vector<Bits> others = OtherValues(c);
  ReadsAndWrites(filled->tensor.memory(), c.tensor.dims,
                 {filled->values, filled->values, others, others}, *filled, trial);
}

void PitchedFormulaHolds(const TensorCase& c, Trial& trial) {
  const spec::Dims &dims = c.tensor.dims, &strides = c.tensor.layout.strides;
  if (dims.size() != 2 || strides.size() != 2) return trial.Vacuous();
  if (strides[1] == 1 && strides[0] > dims[1]) trial.Cover("pitched rows");
  if (strides[0] == 1 && strides[1] > dims[0]) trial.Cover("pitched columns");
  if (strides[0] > 1 && strides[1] > 1) trial.Cover("no stride of 1");
  FormulaHolds(c, trial);
}

// MD-072: the first element lies at the handle itself.
void FirstElementIsAtTheHandle(const TensorCase& c, Trial& trial) {
  if (c.tensor.layout.is_region() || spec::IsEmpty(c.tensor.dims)) return trial.Vacuous();
  auto filled = Fill(c, trial);
  if (!filled) return;
  if (!filled->device->on_host) return trial.NotRun("the engine takes no host pointers");
  Bits first = 0;
  std::memcpy(&first, filled->tensor.memory().get_data_handle(), spec::BytesOf(c.tensor.type));
  const auto read =
      ReadViaReorder(filled->tensor.memory(), c.tensor.type, c.tensor.dims, *filled->device, trial);
  if (!read) return;
  trial.Expect(read->front() == first, "the first element", spec::ToString(c.tensor.type, first),
               spec::ToString(c.tensor.type, read->front()));
}

// MD-078: the region, and the plain tensor that starts where it starts.
void RegionIsAShiftedTensor(const TensorCase& c, Trial& trial) {
  const spec::Plain layout = PlainOf(c.tensor);
  if (layout.offset == 0 || spec::IsEmpty(c.tensor.dims)) return trial.Vacuous();
  auto filled = Fill(c, trial);
  if (!filled) return;
  SawTensor(trial, c.tensor);
  if (!filled->device->on_host) return trial.NotRun("the engine takes no host pointers");
  const auto plain = Built(DescriptorCase{c.tensor.type, layout.dims, layout.strides, {}}, trial);
  if (!plain) return;
  auto* const start = static_cast<std::byte*>(filled->tensor.memory().get_data_handle()) +
                      layout.offset * spec::BytesOf(c.tensor.type);
  const dnnl::memory shifted(*plain, filled->device->engine, start);
  const std::vector<Bits> others = OtherValues(c);
  ReadsAndWrites(shifted, layout.dims, {filled->values, filled->values, others, others}, *filled,
                 trial);
  if (trial.failed()) return;
  const auto read =
      ReadViaReorder(filled->tensor.memory(), c.tensor.type, layout.dims, *filled->device, trial);
  if (read) ExpectSameBits(trial, "region", c.tensor.type, layout.dims, others, *read);
}

// What 32 bits do not reach, in memory that is reserved and not committed.
void FarTensorsHoldTheirElements(const TensorCase& c, Trial& trial) {
  Device* const device = DeviceFor(trial);
  if (device == nullptr || spec::IsEmpty(c.tensor.dims)) return trial.Vacuous();
  if (!device->on_host) return trial.NotRun("needs host memory that is reserved, not committed");
  const auto desc = DescFor(c.tensor, trial);
  if (!desc) return;
  const spec::Type type = c.tensor.type;
  const spec::Plain layout = PlainOf(c.tensor);
  const int bytes = spec::BytesOf(type);
  const Reserved buffer(BytesFor(spec::SizeInBytes(layout, bytes), desc->get_size(), bytes));
  if (buffer.start() == nullptr)
    return trial.NotRun("no address space of " + std::to_string(buffer.bytes() >> 30) + " GiB");
  const std::vector<int64_t> offsets = OffsetsOf(layout);
  SawOffsets(trial, offsets, bytes);
  const std::vector<Bits> values = c.Values(), others = OtherValues(c);
  for (size_t k = 0; k < values.size(); ++k)
    std::memcpy(buffer.start() + offsets[k] * bytes, &values[k], bytes);
  const dnnl::memory memory(*desc, device->engine, buffer.start());
  const auto read = ReadViaReorder(memory, type, c.tensor.dims, *device, trial);
  if (!read || !ExpectSameBits(trial, "read", type, c.tensor.dims, values, *read) ||
      !WriteViaReorder(others, type, c.tensor.dims, memory, *device, trial))
    return;
  std::vector<Bits> written(others.size(), 0);
  for (size_t k = 0; k < written.size(); ++k)
    std::memcpy(&written[k], buffer.start() + offsets[k] * bytes, bytes);
  if (ExpectSameBits(trial, "written", type, c.tensor.dims, others, written))
    ExpectNothingWrapped(buffer, offsets, bytes, trial);
}

// Writes values of type `from` to a part, which is of another type or not.
bool WritePart(const std::vector<Bits>& values, spec::Type from, const TensorSpec& part,
               dnnl::memory memory, Device& device, Trial& trial) {
  if (from == part.type) return WriteViaReorder(values, from, part.dims, memory, device, trial);
  const TensorSpec rows{from, part.dims, RowMajor(part.dims)};
  const auto desc = DescFor(rows, trial);
  if (!desc) return false;
  Tensor tensor(rows, *desc, device, {}, /*seed=*/1);
  tensor.Store(values);
  const auto reorder = Attempt([&] { return dnnl::reorder(tensor.memory(), memory); });
  if (!reorder) {
    trial.Refused(reorder.refusal,
                  {"reorder", "", {spec::NameOf(from), spec::NameOf(part.type)}, part.rank(), {}});
    return false;
  }
  const auto done = Attempt([&] {
    reorder.value->execute(device.stream, tensor.memory(), memory);
    device.stream.wait();
  });
  if (!done) trial.Fail("reorder to a part", "executed", done.refusal);
  return static_cast<bool>(done);
}

// MD-077.
void PartsMakeTheWhole(const PartsCase& c, Trial& trial) {
  const TensorCase parent{c.parent, {}, c.seed};
  auto filled = Fill(parent, trial);
  if (!filled) return;
  SawTensor(trial, c.parent);
  if (c.parts.size() > 1) trial.Cover("several parts");
  if (c.parent.layout.is_region()) trial.Cover("region");
  std::vector<Bits> whole = filled->values;
  const spec::Type type = c.parent.type, from = c.from.value_or(type);
  const std::vector<Bits> others =
      Values(ValueKind::kIndex, from, type, c.seed + 1, spec::ElementCount(c.parent.dims));
  Region region{c.parent.dims, spec::Dims(c.parent.rank(), 0)};
  for (int64_t part : c.parts) {
    region.dims[c.axis] = part;
    const dnnl::memory memory(SubmemoryOf(filled->desc, region), filled->device->engine,
                              filled->tensor.memory().get_data_handle());
    std::vector<Bits> written(spec::ElementCount(region.dims));
    for (size_t k = 0; k < written.size(); ++k) {
      spec::Dims x = spec::Unravel(static_cast<int64_t>(k), region.dims);
      x[c.axis] += region.offsets[c.axis];
      const int64_t at = spec::Ravel(x, c.parent.dims);
      written[k] = others[at];
      // Both types hold it exactly.
      whole[at] = from == type ? others[at] : spec::Convert(type, spec::Widen(from, others[at]));
    }
    if (!WritePart(written, from, {type, region.dims, {}}, memory, *filled->device, trial)) return;
    if (!ExpectSameBits(trial, "parent", c.parent.type, c.parent.dims, whole,
                        filled->tensor.Load())) {
      return;
    }
    const std::string changed = filled->tensor.ChangedByte(whole);
    if (!trial.Expect(changed.empty(), "outside the part", "untouched", changed)) return;
    region.offsets[c.axis] += part;
  }
}

// MD-086 and MD-096: both descriptors over one buffer, in row-major order of their own dims.
void ReshapedReadsTheSame(const ReshapeCase& c, Trial& trial) {
  if (c.to.size() != 1 || c.to[0].empty() || spec::IsEmpty(c.from.FinalDims()) ||
      c.from.Verdict(trial.profile()) == spec::Validity::kMustReject) {
    return trial.Vacuous();
  }
  auto filled = Fill(CaseOf(c.from), trial);
  if (!filled) return;
  Refusal refusal;
  const auto shaped = Try([&] { return filled->desc.reshape(c.to[0]); }, &refusal);
  if (!shaped) return trial.Vacuous();
  SeeLayout(c.from, trial);
  if (c.from.Layout().offset != 0) trial.Cover("start");
  if (c.from.FinalDims() == c.to[0]) trial.Vacuous();
  const dnnl::memory memory(*shaped, filled->device->engine,
                            filled->tensor.memory().get_data_handle());
  const std::vector<Bits> others = OtherValues(CaseOf(c.from));
  ReadsAndWrites(memory, c.to[0], {filled->values, filled->values, others, others}, *filled, trial);
}

void ReshapedRegionReadsTheSame(const ReshapeCase& c, Trial& trial) {
  if (!c.from.IsWellFormed() || c.from.Layout().offset == 0) return trial.Vacuous();
  ReshapedReadsTheSame(c, trial);
}

// values[x] at y with y[axes[i]] = x[i].
std::vector<Bits> Moved(const std::vector<Bits>& values, const spec::Dims& dims,
                        const std::vector<int>& axes, spec::Dims* moved_dims) {
  moved_dims->resize(dims.size());
  for (size_t i = 0; i < dims.size(); ++i) (*moved_dims)[axes[i]] = dims[i];
  std::vector<Bits> moved(values.size());
  for (size_t k = 0; k < values.size(); ++k) {
    const spec::Dims x = spec::Unravel(static_cast<int64_t>(k), dims);
    spec::Dims y(x.size());
    for (size_t i = 0; i < x.size(); ++i) y[axes[i]] = x[i];
    moved[spec::Ravel(y, *moved_dims)] = values[k];
  }
  return moved;
}

// MD-106.
void PermutedReadsMoved(const PermuteCase& c, Trial& trial) {
  if (c.permutations.size() != 1 || !c.from.IsWellFormed() || spec::IsEmpty(c.from.FinalDims()) ||
      !IsPermutation(c.permutations[0], c.from.dims.size()) ||
      c.from.Verdict(trial.profile()) == spec::Validity::kMustReject) {
    return trial.Vacuous();
  }
  auto filled = Fill(CaseOf(c.from), trial);
  if (!filled) return;
  const std::vector<int>& axes = c.permutations[0];
  const auto permuted = Accepted(trial, "permute_axes(" + Text(axes) + ")",
                                 [&] { return filled->desc.permute_axes(axes); });
  if (!permuted) return;
  SeeLayout(c.from, trial);
  if (c.from.Layout().offset != 0) trial.Cover("start");
  const dnnl::memory memory(*permuted, filled->device->engine,
                            filled->tensor.memory().get_data_handle());
  spec::Dims dims;
  const std::vector<Bits> others = OtherValues(CaseOf(c.from));
  const std::vector<Bits> shown = Moved(filled->values, c.from.FinalDims(), axes, &dims);
  if (shown == filled->values) trial.Vacuous();
  ReadsAndWrites(memory, dims,
                 {filled->values, shown, others, Moved(others, c.from.FinalDims(), axes, &dims)},
                 *filled, trial);
}

Cases<PermuteCase> Permutations() {
  return {0, [](int64_t index, Random& random) {
            DescriptorOptions options;
            options.regions = 1;
            options.max_elements = 2048;
            options.max_extent = int64_t{1} << 20;
            PermuteCase c{DrawDescriptor(index, random, options), {}};
            c.permutations = {AnyPermutation(random, static_cast<int>(c.from.dims.size()))};
            return c;
          }};
}

// MD-044: one tensor made by two calls whose descriptors may compare equal.
bool CountsForPortable(const DescriptorCase& view) {
  if (view.Layout().offset != 0) return false;  // get_size() of regions, as in MD-031
  return std::any_of(view.strides.begin(), view.strides.end(), [](int64_t s) { return s != 0; });
}

void EqualsAreInterchangeable(const PairCase& c, Trial& trial) {
  if (!c.first.IsWellFormed() || !c.second.IsWellFormed() || spec::IsEmpty(c.first.FinalDims()) ||
      c.first.type != c.second.type || c.first.FinalDims() != c.second.FinalDims()) {
    return trial.Vacuous();
  }
  if (trial.portable() && !CountsForPortable(c.first)) return trial.Vacuous();
  const auto first = Built(c.first, trial), second = Built(c.second, trial);
  if (!first || !second) return;
  if (*first != *second) return trial.Vacuous();
  auto from = Fill(CaseOf(c.first), trial);
  auto to = Fill({SpecOf(c.second), {}, 1}, trial);
  if (!from || !to) return;
  if (!from->device->on_host) return trial.NotRun("the engine takes no host pointers");
  if (c.first.strides != c.second.strides) trial.Cover("other strides");
  if (!c.first.regions.empty() || !c.second.regions.empty()) trial.Cover("region");
  // Sizes that differ, or are none, are another requirement's business.
  const auto bytes = std::min(
      {static_cast<int64_t>(from->desc.get_size()), from->tensor.bytes(), to->tensor.bytes()});
  std::memcpy(to->tensor.memory().get_data_handle(), from->tensor.memory().get_data_handle(),
              bytes);
  const auto read =
      ReadViaReorder(to->tensor.memory(), c.second.type, to->spec.dims, *to->device, trial);
  if (read) ExpectSameBits(trial, "copy", c.second.type, to->spec.dims, from->values, *read);
}

// The parts of the axis with the longest steps lie farther apart: no longer the same tensor.
void WidenOutermost(Random& random, DescriptorCase* view) {
  const auto longest = std::max_element(view->strides.begin(), view->strides.end());
  if (longest != view->strides.end()) *longest += random.Between(1, 9);
}

Cases<PairCase> LikelyEqual() {
  return {0, [](int64_t index, Random& random) {
            DescriptorOptions options;
            options.regions = index % 3 == 0 ? 2 : 0;
            options.max_elements = 2048;
            options.max_extent = int64_t{1} << 20;
            PairCase c;
            c.first = DrawDescriptor(index, random, options);
            if (index % 3 == 1) {
              const auto last = static_cast<int64_t>(c.first.dims.size()) - 1;
              c.first.dims[random.Between(0, last)] = 1;
            }
            c.second = c.first;
            // Other strides on dims of 1, and the region reached in one step.
            for (size_t j = 0; j < c.first.dims.size(); ++j)
              if (c.first.dims[j] == 1) c.second.strides[j] = random.Between(1, 50);
            if (c.second.regions.size() > 1) {
              Region total = c.second.regions.back();
              for (size_t j = 0; j < total.offsets.size(); ++j)
                total.offsets[j] += c.second.regions[0].offsets[j];
              c.second.regions = {total};
            }
            if (index % 4 == 3) WidenOutermost(random, &c.second);
            return c;
          }};
}

DescriptorOptions NoRegions() {
  DescriptorOptions options;
  options.loose_ones = options.far_ones = true;
  return options;
}

DescriptorOptions OnlyRegions() {
  DescriptorOptions options;
  options.least_regions = 1;
  options.regions = 3;
  return options;
}

// MD-T-<tag>: a reorder to row-major reads what ORC-TAG says.
bool DefineEachTag() {
  for (const spec::Tag& tag : spec::SeedTags()) {
    const std::string id = std::string("MD-T-") + tag.name;
    Define(*spec::FindRequirement(id.c_str()), "contents", TensorsOfTag(tag, 100), FormulaHolds);
  }
  return true;
}

const bool defined[] = {
    Define(spec::MD_007, "", PitchedMatrices(), PitchedFormulaHolds,
           {"pitched rows", "pitched columns", "no stride of 1"}),
    Define(spec::MD_008, "", Tensors(NoRegions()), FormulaHolds,
           {"rank 1", "rank 6", "permuted", "gapped"}),
    Define(spec::MD_008, "broad", BroadTensors(), FormulaHolds, {"permuted", "gapped"}),
    Define(spec::MD_008, "far", FarTensors(), FarTensorsHoldTheirElements,
           {"beyond 2^31 bytes", "beyond 2^32 bytes"}),
    Define(spec::MD_044, "", LikelyEqual(), EqualsAreInterchangeable, {"other strides"}),
    Define(spec::MD_071, "", Tensors(OnlyRegions()), FormulaHolds, {"region"}),
    Define(spec::MD_071, "far", FarRegions(), FarTensorsHoldTheirElements,
           {"beyond 2^31 bytes", "beyond 2^32 bytes"}),
    Define(spec::MD_072, "", Tensors(NoRegions()), FirstElementIsAtTheHandle),
    Define(spec::MD_077, "", Parts(), PartsMakeTheWhole, {"several parts"}),
    Define(spec::MD_077, "converted", ConvertedParts(), PartsMakeTheWhole,
           {"several parts", "region", "f32", "bf16", "f16", "s32", "s8", "u8"}),
    Define(spec::MD_078, "", Tensors(OnlyRegions()), RegionIsAShiftedTensor, {"region"}),
    Define(spec::MD_086, "", AnyReshape(), ReshapedReadsTheSame, {"gapped", "permuted"}),
    Define(spec::MD_096, "", AnyReshape(), ReshapedRegionReadsTheSame, {"start"}),
    Define(spec::MD_106, "contents", Permutations(), PermutedReadsMoved, {"gapped", "start"}),
    DefineEachTag(),
};

}  // namespace
}  // namespace conformance
