// REO-025, REO-026: offsets beyond 2^31 and 2^32 bytes, and many elements.
#include <cstring>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "conformance/case/property.h"
#include "conformance/reorder/cases.h"
#include "conformance/reorder/run.h"
#include "conformance/subject/buffer.h"
#include "conformance/subject/reserved.h"
#include "spec/requirements.h"

namespace conformance {
namespace {

using spec::Bits;

// Empty: refused, which is said to `trial`.
std::optional<ReorderPd> PdFor(const ReorderCase& c, const dnnl::memory::desc& src,
                               const dnnl::memory::desc& dst, const Device& device, Trial& trial) {
  auto pd = Attempt([&] { return ReorderPd(device.engine, src, device.engine, dst); });
  if (pd) return std::move(pd.value);
  if (MayRefuse(c, trial)) {
    trial.Refused(pd.refusal, AskedOf(c));
  } else {
    trial.Fail("reorder::primitive_desc", "created", pd.refusal);
  }
  return std::nullopt;
}

void HugeOffsetsWork(const ReorderCase& c, Trial& trial) {
  Device* const device = DeviceFor(trial);
  if (device == nullptr) return;
  if (!device->on_host) return trial.NotRun("needs host memory that is reserved, not committed");
  const auto src = DescFor(c.src, trial);
  if (!src) return;
  const auto dst = DescFor(c.dst, trial);
  if (!dst) return;
  const auto pd = PdFor(c, *src, *dst, *device, trial);
  if (!pd) return;
  const spec::Plain from = PlainOf(c.src), to = PlainOf(c.dst);
  const int from_bytes = spec::BytesOf(c.src.type), to_bytes = spec::BytesOf(c.dst.type);
  const Reserved in(BytesFor(spec::SizeInBytes(from, from_bytes), src->get_size(), from_bytes));
  const Reserved out(BytesFor(spec::SizeInBytes(to, to_bytes), dst->get_size(), to_bytes));
  if (in.start() == nullptr || out.start() == nullptr)
    return trial.NotRun("no address space of " + std::to_string(in.bytes() >> 30) + " and " +
                        std::to_string(out.bytes() >> 30) + " GiB");
  const std::vector<int64_t> from_offsets = OffsetsOf(from), to_offsets = OffsetsOf(to);
  SawOffsets(trial, from_offsets, from_bytes);
  SawOffsets(trial, to_offsets, to_bytes);
  const std::vector<Bits> source = c.Source();
  for (size_t k = 0; k < source.size(); ++k)
    std::memcpy(in.start() + from_offsets[k] * from_bytes, &source[k], from_bytes);
  const auto done = Attempt([&] {
    dnnl::memory in_memory(*src, device->engine, in.start());
    dnnl::memory out_memory(*dst, device->engine, out.start());
    dnnl::reorder(*pd).execute(device->stream, in_memory, out_memory);
    device->stream.wait();
  });
  if (!done) return trial.Fail("execute and wait", "done", done.refusal);
  std::vector<Bits> result(source.size(), 0);
  for (size_t k = 0; k < source.size(); ++k)
    std::memcpy(&result[k], out.start() + to_offsets[k] * to_bytes, to_bytes);
  if (ExpectReordered(c, source, source, {}, result, trial))
    ExpectNothingWrapped(out, to_offsets, to_bytes, trial);
}

// Element k of the source holds this; all different below 2^32 for 4-byte types.
uint32_t Word(int64_t k) { return static_cast<uint32_t>(k) * 0x9e3779b1u + 12345; }

void ManyElementsWork(const ReorderCase& c, Trial& trial) {
  Device* const device = DeviceFor(trial);
  if (device == nullptr) return;
  const auto src = DescFor(c.src, trial);
  if (!src) return;
  const auto dst = DescFor(c.dst, trial);
  if (!dst) return;
  const auto pd = PdFor(c, *src, *dst, *device, trial);
  if (!pd) return;
  const auto ran = Attempt([&] {
    return std::pair(dnnl::memory(*src, device->engine), dnnl::memory(*dst, device->engine));
  });
  if (!ran) return trial.Fail("memory", "created", ran.refusal);
  dnnl::memory in = ran.value->first, out = ran.value->second;
  const spec::Plain from = PlainOf(c.src), to = PlainOf(c.dst);
  const int bytes = spec::BytesOf(c.src.type);
  const int64_t last = c.dims().back(), rows = spec::ElementCount(c.dims()) / last;
  // Calls visit(k, offset) for each element, without a table of all offsets.
  const auto walk = [&](const spec::Plain& plain, auto visit) {
    for (int64_t row = 0; row < rows; ++row) {
      int64_t offset = spec::OffsetOf(plain, spec::Unravel(row * last, plain.dims));
      for (int64_t i = 0; i < last; ++i, offset += plain.strides.back())
        if (!visit(row * last + i, offset * bytes)) return;
    }
  };
  std::byte* mapped = in.map_data<std::byte>();
  walk(from, [&](int64_t k, int64_t at) {
    const uint32_t word = Word(k);
    std::memcpy(mapped + at, &word, bytes);
    return true;
  });
  in.unmap_data(mapped);
  const auto done = Attempt([&] {
    dnnl::reorder(*pd).execute(device->stream, in, out);
    device->stream.wait();
  });
  if (!done) return trial.Fail("reorder", "done", done.refusal);
  mapped = out.map_data<std::byte>();
  walk(to, [&](int64_t k, int64_t at) {
    uint32_t wanted = Word(k), got = 0;
    if (bytes < 4) wanted &= (1u << (8 * bytes)) - 1;
    std::memcpy(&got, mapped + at, bytes);
    if (got == wanted ||
        (trial.portable() && spec::IsNan(c.src.type, wanted) && spec::IsNan(c.src.type, got)))
      return true;
    trial.Fail(ElementName("dst", c.dims(), k), spec::ToString(c.dst.type, wanted),
               spec::ToString(c.dst.type, got));
    return false;
  });
  out.unmap_data(mapped);
}

// Row-major, so that a sampled element lies at its number: 2^24 of them and an odd end, of which
// the rest, and every 4099th, is looked at. Small integers, and powers of two for scales.
void ManyElementsAreComputed(const ReorderCase& c, Trial& trial) {
  Device* const device = DeviceFor(trial);
  if (device == nullptr) return;
  const auto src = DescFor(c.src, trial), dst = DescFor(c.dst, trial);
  if (!src || !dst) return;
  const auto pd =
      Attempt([&] { return ReorderPd(device->engine, *src, device->engine, *dst, AttrOf(c)); });
  if (!pd) {
    if (MayRefuse(c, trial)) return trial.Refused(pd.refusal, AskedOf(c), LegalityOf(c, trial));
    return trial.Fail("reorder::primitive_desc", "created", pd.refusal);
  }
  const auto made = Attempt([&] {
    return std::pair(dnnl::memory(*src, device->engine), dnnl::memory(*dst, device->engine));
  });
  if (!made) return trial.Fail("memory", "created", made.refusal);
  dnnl::memory in = made.value->first, out = made.value->second;
  const int64_t count = spec::ElementCount(c.dims());
  const int out_bytes = spec::BytesOf(c.dst.type);
  constexpr int kValues = 15;
  const auto fill = [&](dnnl::memory& memory, spec::Type type, int64_t step) {
    Bits values[kValues];
    for (int i = 0; i < kValues; ++i) values[i] = BitsOf(type, static_cast<float>(i));
    const int bytes = spec::BytesOf(type);
    auto* const mapped = memory.map_data<std::byte>();
    for (int64_t k = 0; k < count; ++k)
      std::memcpy(mapped + k * bytes, &values[k * step % kValues], bytes);
    memory.unmap_data(mapped);
  };
  fill(in, c.src.type, 1);
  fill(out, c.dst.type, 7);
  const auto done = Attempt([&] {
    dnnl::reorder(*pd.value).execute(device->stream, in, out);
    device->stream.wait();
  });
  if (!done) return trial.Fail("reorder", "done", done.refusal);
  const std::vector<float> scales = c.Scales();
  auto* const mapped = out.map_data<std::byte>();
  for (int64_t k = 0; k < count && !trial.failed(); k += k < (1 << 24) - 4099 ? 4099 : 1) {
    Bits got = 0;
    std::memcpy(&got, mapped + k * out_bytes, out_bytes);
    const spec::ReorderElement element =
        c.Element(k, BitsOf(c.src.type, static_cast<float>(k % kValues)),
                  BitsOf(c.dst.type, static_cast<float>(k * 7 % kValues)), scales);
    if (!spec::Accepts(element, got, StrictnessOf(c, trial)))
      trial.Fail(ElementName("dst", c.dims(), k),
                 spec::ExpectedText(element, StrictnessOf(c, trial)),
                 spec::ToString(c.dst.type, got));
  }
  out.unmap_data(mapped);
}

ReorderCase Case(const std::string& src, const std::string& dst) {
  ReorderCase c;
  c.src = *ParseTensor(src);
  c.dst = *ParseTensor(dst);
  c.values = ValueKind::kIndex;
  return c;
}

// One axis far apart, on either side or both; also with the far axis innermost in order, three
// axes, and regions that start far away.
std::vector<ReorderCase> HugeOffsets() {
  return {
      Case("u8:2x5:s4294967303,1", "u8:2x5:ab"),
      Case("u8:2x5:ab", "u8:2x5:s4294967303,1"),
      Case("u8:3x5:s2147483655,1", "u8:3x5:ba"),
      Case("u8:3x5:ba", "u8:3x5:s2147483655,1"),
      Case("s8:2x17:s4294967303,1", "s8:2x17:s4294967311,1"),
      Case("f32:2x5:s1073741831,1", "f32:2x5:ab"),
      Case("f32:2x5:ab", "f32:2x5:s1073741831,1"),
      Case("f32:5x3:s536870917,1", "f32:5x3:ba"),
      Case("f32:5x3:ba", "f32:5x3:s536870917,1"),
      Case("f32:3x16:s1073741831,1", "f32:3x16:s1073741847,1"),
      Case("f32:16x2:s1,1073741831", "f32:16x2:ab"),
      Case("f32:16x2:ab", "f32:16x2:s1,1073741831"),
      Case("f32:2x3x8:s1073741831,9,1", "f32:2x3x8:acb"),
      Case("f32:2x3x8:acb", "f32:2x3x8:s1073741831,9,1"),
      Case("s32:2x33:s1073741831,1", "f32:2x33:ba"),
      Case("f32:2x33:ba", "s8:2x33:s4294967303,1"),
      Case("bf16:2x16:s2147483655,1", "bf16:2x16:ab"),
      Case("u8:1x5:sub(3x9:s2147483655,1@2,3)", "u8:1x5:ab"),
      Case("u8:1x5:ab", "u8:1x5:sub(3x9:s2147483655,1@2,3)"),
      Case("f32:1x5:ab", "f32:1x5:sub(3x9:s1073741831,1@2,3)"),
  };
}

// 2^24 elements and a few more: one more is what f32 cannot count.
std::vector<ReorderCase> ManyElements() {
  return {
      Case("f32:4096x4097:ab", "f32:4096x4097:ba"),
      Case("s8:16777259:a", "s8:16777259:a"),
      Case("u8:16777217:a", "u8:16777217:a"),
      Case("u8:257x256x257:abc", "u8:257x256x257:cba"),
      Case("s32:16x64x128x129:nchw", "s32:16x64x128x129:nhwc"),
      Case("bf16:4099x4096:ab", "bf16:4099x4096:s4101,1"),
  };
}

// More small matrices, all turned over, than one dimension of a dispatch has workgroups: 65535 of
// Vulkan and OpenCL. A kernel that turns matrices over has a workgroup for each at least.
std::vector<ReorderCase> ManyMatrices() {
  return {Case("u8:65539x4x16:s80,1,5", "u8:65539x4x16:abc")};
}

// A conversion, a scale for each column, and a sum.
std::vector<ReorderCase> ManyComputed() {
  std::vector<ReorderCase> cases{Case("f32:16777217:a", "s8:16777217:a"),
                                 Case("f32:16777217:a", "f32:16777217:a"),
                                 Case("u8:4096x4099:ab", "f32:4096x4099:ab")};
  cases[1].attributes.sum = true;
  cases[1].attributes.beta = 0.5f;
  cases[2].attributes.scales = ScaleKind::kPowersOfTwo;
  cases[2].attributes.mask = 2;
  return cases;
}

// The check compares words: a failure must not be shrunk to a conversion.
Cases<ReorderCase> OfOneType(Cases<ReorderCase> cases) {
  cases.contains = [](const ReorderCase& c) { return c.src.type == c.dst.type; };
  return cases;
}

const bool kDefined[] = {
    Define<ReorderCase>(spec::REO_025, "", Listed(HugeOffsets()), HugeOffsetsWork,
                        {"beyond 2^31 bytes", "beyond 2^32 bytes"}),
    Define<ReorderCase>(spec::REO_026, "", OfOneType(Listed(ManyElements())), ManyElementsWork),
    Define<ReorderCase>(spec::REO_026, "matrices", OfOneType(Listed(ManyMatrices())),
                        ManyElementsWork),
    Define<ReorderCase>(spec::REO_026, "computed", Listed(ManyComputed()), ManyElementsAreComputed),
    Define<ReorderCase>(spec::REO_026, "networks", NetworkReorders(), ValuesAreRight,
                        {"over 2^20 elements", "mask", "sum"}),
};

}  // namespace
}  // namespace conformance
