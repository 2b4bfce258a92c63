#include "conformance/subject/tensor.h"

#include <algorithm>
#include <unordered_map>
#include <utility>

namespace conformance {
namespace {

using FormatTag = dnnl::memory::format_tag;

constexpr size_t kLeastRankLimit = 6;  // MD-024

const std::unordered_map<std::string_view, FormatTag>& FormatTags() {
#define DNNSPEC_TAG(name) \
  { #name, FormatTag::name }
  // clang-format off
  static const auto* tags = new std::unordered_map<std::string_view, FormatTag>{
      DNNSPEC_TAG(a), DNNSPEC_TAG(ab), DNNSPEC_TAG(ba), DNNSPEC_TAG(abc), DNNSPEC_TAG(acb),
      DNNSPEC_TAG(bac), DNNSPEC_TAG(bca), DNNSPEC_TAG(cba), DNNSPEC_TAG(abcd), DNNSPEC_TAG(abdc),
      DNNSPEC_TAG(acdb), DNNSPEC_TAG(bacd), DNNSPEC_TAG(bcda), DNNSPEC_TAG(cdba),
      DNNSPEC_TAG(dcab), DNNSPEC_TAG(abcde), DNNSPEC_TAG(abdec), DNNSPEC_TAG(acbde),
      DNNSPEC_TAG(acdeb), DNNSPEC_TAG(bacde), DNNSPEC_TAG(bcdea), DNNSPEC_TAG(cdeba),
      DNNSPEC_TAG(decab), DNNSPEC_TAG(abcdef), DNNSPEC_TAG(acbdef), DNNSPEC_TAG(defcab),
      DNNSPEC_TAG(x), DNNSPEC_TAG(nc), DNNSPEC_TAG(cn), DNNSPEC_TAG(tn), DNNSPEC_TAG(nt),
      DNNSPEC_TAG(ncw), DNNSPEC_TAG(nwc), DNNSPEC_TAG(nchw), DNNSPEC_TAG(nhwc),
      DNNSPEC_TAG(chwn), DNNSPEC_TAG(ncdhw), DNNSPEC_TAG(ndhwc), DNNSPEC_TAG(oi),
      DNNSPEC_TAG(io), DNNSPEC_TAG(oiw), DNNSPEC_TAG(owi), DNNSPEC_TAG(wio), DNNSPEC_TAG(iwo),
      DNNSPEC_TAG(oihw), DNNSPEC_TAG(hwio), DNNSPEC_TAG(ohwi), DNNSPEC_TAG(ihwo),
      DNNSPEC_TAG(iohw), DNNSPEC_TAG(oidhw), DNNSPEC_TAG(dhwio), DNNSPEC_TAG(odhwi),
      DNNSPEC_TAG(iodhw), DNNSPEC_TAG(idhwo), DNNSPEC_TAG(goiw), DNNSPEC_TAG(wigo),
      DNNSPEC_TAG(goihw), DNNSPEC_TAG(hwigo), DNNSPEC_TAG(giohw), DNNSPEC_TAG(goidhw),
      DNNSPEC_TAG(giodhw), DNNSPEC_TAG(dhwigo), DNNSPEC_TAG(tnc), DNNSPEC_TAG(ntc),
      DNNSPEC_TAG(ldnc), DNNSPEC_TAG(ldigo), DNNSPEC_TAG(ldgoi), DNNSPEC_TAG(ldio),
      DNNSPEC_TAG(ldoi), DNNSPEC_TAG(ldgo)};
  // clang-format on
#undef DNNSPEC_TAG
  return *tags;
}

}  // namespace

dnnl::memory::data_type DataTypeOf(spec::Type type) {
  using DataType = dnnl::memory::data_type;
  switch (type) {
    case spec::Type::kF16:
      return DataType::f16;
    case spec::Type::kBF16:
      return DataType::bf16;
    case spec::Type::kF32:
      return DataType::f32;
    case spec::Type::kS32:
      return DataType::s32;
    case spec::Type::kS8:
      return DataType::s8;
    case spec::Type::kU8:
      return DataType::u8;
  }
  return DataType::undef;
}

FormatTag FormatTagOf(std::string_view name) {
  const auto found = FormatTags().find(name);
  return found == FormatTags().end() ? FormatTag::undef : found->second;
}

bool RankIsOffered(Trial& trial, size_t rank) {
  constexpr size_t kLimit = 12;  // the project's reading of MD-024
  if (rank <= kLeastRankLimit) return true;
  if (trial.project()) {
    if (rank > kLimit) trial.Vacuous();
    return rank <= kLimit;
  }
  const auto any = Attempt([&] { return WithAny(spec::Type::kF32, spec::Dims(rank, 1)); });
  if (any) return true;
  trial.LeftOpen(any.refusal, "a descriptor of rank " + std::to_string(rank));
  return false;
}

bool MayRefuseRank(const Trial& trial, int rank) {
  return rank > static_cast<int>(kLeastRankLimit) &&
         (trial.portable() || trial.engine() == EngineChoice::kGpu);
}

dnnl::memory::desc WithAny(spec::Type type, const spec::Dims& dims) {
  return {dims, DataTypeOf(type), FormatTag::any};
}

dnnl::memory::desc MakeDesc(const TensorSpec& tensor) {
  const LayoutSpec& layout = tensor.layout;
  const spec::Dims& base = layout.is_region() ? layout.parents.back().dims : tensor.dims;
  const auto type = DataTypeOf(tensor.type);
  dnnl::memory::desc desc = layout.tag.empty()
                                ? dnnl::memory::desc(base, type, layout.strides)
                                : dnnl::memory::desc(base, type, FormatTagOf(layout.tag));
  for (size_t i = layout.parents.size(); i-- > 0;) {
    const spec::Dims& inner = i == 0 ? tensor.dims : layout.parents[i - 1].dims;
    desc = desc.submemory_desc(inner, layout.parents[i].offsets);
  }
  return desc;
}

std::optional<dnnl::memory::desc> DescFor(const TensorSpec& tensor, Trial& trial) {
  auto desc = Attempt([&] { return MakeDesc(tensor); });
  if (desc) return desc.value;
  if (desc.refusal.is_error && !RankIsOffered(trial, tensor.dims.size())) return std::nullopt;
  const spec::StridesVerdict verdict = JudgeDescriptor(tensor);
  const spec::Validity validity = trial.project() ? verdict.project : verdict.portable;
  if (validity == spec::Validity::kEither) {
    trial.LeftOpen(desc.refusal, "a descriptor with strides that the documents leave open");
  } else {
    trial.Fail("memory::desc of " + ToString(tensor), "created", desc.refusal);
  }
  return std::nullopt;
}

Tensor::Tensor(const TensorSpec& spec, const dnnl::memory::desc& desc, const Device& device,
               const Placement& placement, uint64_t seed) {
  const spec::Plain plain = PlainOf(spec);
  const int element_bytes = spec::BytesOf(spec.type);
  if (!device.on_host) {
    memory_ = dnnl::memory(desc, device.engine);
    bytes_ = static_cast<int64_t>(memory_.get_desc().get_size());
    footprint_.emplace(OffsetsOf(plain), element_bytes, 0, bytes_, seed);
    return;
  }
  // A region's handle is its parent's, and the buffer is as large as the parent's size says, or the
  // subject itself.
  TensorSpec whole = spec;
  if (spec.layout.is_region()) {
    whole.dims = spec.layout.parents.back().dims;
    whole.layout.parents.clear();
  }
  const int64_t least = std::max(spec::SizeInBytes(PlainOf(whole), element_bytes),
                                 spec::LeastSizeInBytes(plain, element_bytes));
  bytes_ = placement.edge == Placement::Edge::kTight
               ? spec::LeastSizeInBytes(plain, element_bytes)
               : BytesFor(least, desc.get_size(), element_bytes);
  buffer_.emplace(bytes_, element_bytes, placement);
  memory_ = dnnl::memory(desc, device.engine, buffer_->data());
  footprint_.emplace(OffsetsOf(plain), element_bytes, buffer_->zone_before(), buffer_->zone_bytes(),
                     seed);
}

template <class Use>
auto Tensor::OnHost(Use use) {
  if (buffer_) return use(buffer_->data());
  std::byte* mapped = memory_.map_data<std::byte>();
  auto result = use(mapped);
  memory_.unmap_data(mapped);
  return result;
}

void Tensor::Store(const std::vector<spec::Bits>& values) {
  OnHost([&](std::byte* data) {
    footprint_->Store(data, values);
    return Returned{};
  });
}

std::vector<spec::Bits> Tensor::Load() {
  return OnHost([&](std::byte* data) { return footprint_->Load(data); });
}

std::string Tensor::ChangedGap() {
  return OnHost([&](std::byte* data) { return footprint_->ChangedGap(data); });
}

std::string Tensor::ChangedByte(const std::vector<spec::Bits>& values) {
  return OnHost([&](std::byte* data) { return footprint_->ChangedByte(data, values); });
}

std::string ElementName(std::string_view tensor, const spec::Dims& dims, int64_t k) {
  return std::string(tensor) + "[" + Join(spec::Unravel(k, dims), ',') + "]";
}

bool ExpectSameBits(Trial& trial, std::string_view tensor, spec::Type type, const spec::Dims& dims,
                    const std::vector<spec::Bits>& expected, const std::vector<spec::Bits>& got) {
  const auto [wanted, found] = std::mismatch(expected.begin(), expected.end(), got.begin());
  if (wanted == expected.end()) return true;
  trial.Fail(ElementName(tensor, dims, wanted - expected.begin()), spec::ToString(type, *wanted),
             spec::ToString(type, *found));
  return false;
}

void SawTensor(Trial& trial, const TensorSpec& tensor) {
  for (const std::string& name : ClassesOf(tensor)) trial.Cover(name);
  for (const std::string& name : ClassesOfShape(tensor.dims)) trial.Cover(name);
}

}  // namespace conformance
