// MD-008, MEM-028, PRIM-040 and REO-017 for what libraries copy in other ways than less:
// non-temporal stores want addresses that the buffers of a caller need not have, and rows that
// follow each other.
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "conformance/case/fields.h"
#include "conformance/case/property.h"
#include "conformance/gen/placement.h"
#include "conformance/gen/shapes.h"
#include "conformance/gen/tensors.h"
#include "conformance/subject/attempt.h"
#include "conformance/subject/buffer.h"
#include "conformance/subject/device.h"
#include "conformance/subject/tensor.h"
#include "oneapi/dnnl/dnnl.hpp"
#include "spec/memory/oracle.h"
#include "spec/numeric/convert.h"
#include "spec/requirements.h"

namespace conformance {
namespace {

using spec::Bits;

// A reorder between buffers of the caller.
//   src=f32:4194311:a dst=bf16:4194311:a to=mid+1
struct PlacedCopy {
  TensorSpec src, dst;  // equal dims
  Placement from, to;

  void Print(Fields* fields) const {
    SetTensor(fields, "src", src);
    SetTensor(fields, "dst", dst);
    SetPlacement(fields, "from", from);
    SetPlacement(fields, "to", to);
  }
  static PlacedCopy Parse(const Fields& fields) {
    PlacedCopy c{GetTensor(fields, "src"), GetTensor(fields, "dst"), GetPlacement(fields, "from"),
                 GetPlacement(fields, "to")};
    if (c.src.dims != c.dst.dims) fields.Reject("dst", "has other dims than src");
    if (spec::IsEmpty(c.dst.dims)) fields.Reject("dst", "has no elements");
    return c;
  }
  std::vector<PlacedCopy> Simpler() const {
    std::vector<PlacedCopy> simpler;
    if (ToString(from) != "mid") simpler.push_back({src, dst, {}, to});
    if (ToString(to) != "mid") simpler.push_back({src, dst, from, {}});
    if (src.type != dst.type) simpler.push_back({{dst.type, src.dims, src.layout}, dst, from, to});
    for (const Cut& cut : Cuts(dst.dims))
      simpler.push_back({CutTensor(src, cut), CutTensor(dst, cut), from, to});
    return simpler;
  }
};

// Elements hold small integers, which every type has; those of neighbours, rows and lines differ.
constexpr int kValues = 127;
int ValueAt(int64_t k) { return static_cast<int>((k ^ k >> 7) % kValues); }

std::array<Bits, kValues> ValuesOf(spec::Type type) {
  std::array<Bits, kValues> values{};
  for (int i = 0; i < kValues; ++i)
    values[i] = spec::Copy(spec::Type::kS32, type, static_cast<Bits>(i));
  return values;
}

// Calls visit(k, offset in bytes) for each element, row-major, until one is false.
template <class Visit>
void Walk(const TensorSpec& tensor, Visit visit) {
  const spec::Plain plain = PlainOf(tensor);
  const int bytes = spec::BytesOf(tensor.type);
  const int64_t last = tensor.dims.back(), rows = spec::ElementCount(tensor.dims) / last;
  for (int64_t row = 0; row < rows; ++row) {
    int64_t offset = spec::OffsetOf(plain, spec::Unravel(row * last, plain.dims));
    for (int64_t i = 0; i < last; ++i, offset += plain.strides.back())
      if (!visit(row * last + i, offset * bytes)) return;
  }
}

constexpr int kGuard = 0x5a;

bool AreGuards(const std::byte* begin, const std::byte* end) {
  return std::all_of(begin, end, [](std::byte b) { return b == std::byte{kGuard}; });
}

// A tensor in a buffer of its own, which is filled with guards.
struct Placed {
  dnnl::memory::desc desc;
  Buffer buffer;

  bool GuardsStand() const {
    const std::byte* const zone = buffer.data() - buffer.zone_before();
    return AreGuards(zone, buffer.data()) &&
           AreGuards(zone + buffer.zone_bytes() - Buffer::kZone, zone + buffer.zone_bytes());
  }
  bool IsAllGuard() const {
    const std::byte* const zone = buffer.data() - buffer.zone_before();
    return AreGuards(zone, zone + buffer.zone_bytes());
  }
};

std::optional<Placed> Place(const TensorSpec& tensor, const Placement& at, Trial& trial) {
  const auto desc = DescFor(tensor, trial);
  if (!desc) return std::nullopt;
  const int bytes = spec::BytesOf(tensor.type);
  Placed placed{*desc,
                Buffer(BytesFor(spec::SizeInBytes(PlainOf(tensor), bytes), desc->get_size(), bytes),
                       bytes, at)};
  std::memset(placed.buffer.data() - placed.buffer.zone_before(), kGuard,
              static_cast<size_t>(placed.buffer.zone_bytes()));
  return placed;
}

void AnyAddressWillDo(const PlacedCopy& c, Trial& trial) {
  Device* const device = DeviceFor(trial);
  if (device == nullptr) return;
  if (!device->on_host) return trial.NotRun("the engine takes no host pointers");
  auto from = Place(c.src, c.from, trial), to = Place(c.dst, c.to, trial);
  if (!from || !to) return;
  const int src_bytes = spec::BytesOf(c.src.type), dst_bytes = spec::BytesOf(c.dst.type);
  const auto sources = ValuesOf(c.src.type), results = ValuesOf(c.dst.type);
  Walk(c.src, [&](int64_t k, int64_t at) {
    std::memcpy(from->buffer.data() + at, &sources[ValueAt(k)], src_bytes);
    return true;
  });
  const auto pd = Attempt([&] {
    return dnnl::reorder::primitive_desc(device->engine, from->desc, device->engine, to->desc);
  });
  if (!pd) {
    trial.Refused(
        pd.refusal,
        {"reorder", "", {spec::NameOf(c.src.type), spec::NameOf(c.dst.type)}, c.dst.rank(), {}});
    return;
  }
  const auto done = Attempt([&] {
    dnnl::memory in(from->desc, device->engine, from->buffer.data());
    dnnl::memory out(to->desc, device->engine, to->buffer.data());
    dnnl::reorder(*pd.value).execute(device->stream, in, out);
    device->stream.wait();
  });
  if (!done) return trial.Fail("reorder", "done", done.refusal);
  Walk(c.dst, [&](int64_t k, int64_t at) {
    Bits got = 0;
    std::memcpy(&got, to->buffer.data() + at, dst_bytes);
    const Bits wanted = results[ValueAt(k)];
    return got == wanted ||
           trial.Expect(false, ElementName("dst", c.dst.dims, k),
                        spec::ToString(c.dst.type, wanted), spec::ToString(c.dst.type, got));
  });
  if (!trial.Expect(from->GuardsStand() && to->GuardsStand(), "beside the buffers", "untouched",
                    "changed"))
    return;
  Walk(c.dst, [&](int64_t, int64_t at) {
    std::memset(to->buffer.data() + at, kGuard, static_cast<size_t>(dst_bytes));
    return true;
  });
  trial.Expect(to->IsAllGuard(), "between the elements of dst", "untouched", "changed");
}

PlacedCopy Case(std::string_view src, std::string_view dst, int64_t from, int64_t to) {
  return {*ParseTensor(src),
          *ParseTensor(dst),
          {Placement::Edge::kMiddle, from},
          {Placement::Edge::kMiddle, to}};
}

// More than 16 MiB each, at every distance in vectors from a line of 64 bytes, and at one element
// from it: dense, in rows, transposed, and converted. Some have rows of whole lines, of which all
// are off if the first is.
std::vector<PlacedCopy> LargeCopies() {
  return {
      Case("f32:4194311:a", "f32:4194311:a", 0, 1),
      Case("f32:4194311:a", "f32:4194311:a", 1, 4),
      Case("f32:4194311:a", "f32:4194311:a", 3, 8),
      Case("f32:4194311:a", "f32:4194311:a", 0, 12),
      Case("bf16:8388611:a", "bf16:8388611:a", 1, 7),
      Case("f32:2049x2051:ab", "f32:2049x2051:s2053,1", 1, 1),
      Case("f32:2049x2051:ab", "f32:2049x2051:ba", 1, 4),
      Case("bf16:2049x4099:ba", "bf16:2049x4099:ab", 0, 1),
      Case("s32:4194311:a", "f32:4194311:a", 1, 4),
      Case("f32:4194311:a", "u8:4194311:a", 0, 17),
      Case("s8:4194311:a", "s32:4194311:a", 1, 1),
      Case("s32:2049x2051:ab", "f32:2049x2051:ba", 0, 4),
      Case("f32:1033x2051:ab", "f32:1033x2051:ba", 0, 0),
      Case("f32:1040x2051:ab", "f32:1040x2051:ba", 0, 1),
      Case("s32:1031x2064:ba", "s32:1031x2064:ab", 1, 8),
      Case("u8:2112x4099:ab", "u8:2112x4099:ba", 0, 16),
      Case("bf16:2051x2080:ba", "bf16:2051x2080:ab", 1, 1),
      Case("f32:528x2051x2:abc", "f32:528x2051x2:bac", 0, 2),
      Case("f32:272x2051x4:abc", "f32:272x2051x4:bac", 0, 4),
      Case("f32:2064x2051:ab", "s8:2064x2051:s2112,1", 0, 3),
      Case("f32:1031x2051:ab", "f32:1031x2051:s2064,1", 0, 1),
      Case("s32:1040x2051:ab", "f32:1040x2051:ba", 0, 1),
      Case("f32:1408x2051:ab", "bf16:1408x2051:ba", 0, 8),
  };
}

// As large, into rows with gaps between them, of a few lines to a few pages: moved and turned over,
// some in several matrices, and one narrowed.
std::vector<PlacedCopy> GappedCopies() {
  return {
      Case("f32:1031x2051:ab", "f32:1031x2051:s2057,1", 0, 0),
      Case("bf16:8209x557:ab", "bf16:8209x557:s576,1", 0, 3),
      Case("f32:2819x1013:ab", "bf16:2819x1013:s1024,1", 1, 0),
      Case("f32:13x173x1031:abc", "f32:13x173x1031:s180013,1033,1", 0, 0),
      Case("f32:7x613x544:acb", "f32:7x613x544:s340000,544,1", 0, 0),
      Case("u8:699053x3x4:abc", "u8:699053x3x4:s13,1,3", 0, 0),
  };
}

// The same of what is converted: to as many bytes, to fewer and to more, and from rows with gaps.
std::vector<PlacedCopy> GappedConversions() {
  return {
      Case("s32:4099x517:ab", "f32:4099x517:s520,1", 0, 0),
      Case("bf16:10501x277:ab", "f32:10501x277:s283,1", 0, 3),
      Case("f32:3331x1031:ab", "s8:3331x1031:s1088,1", 0, 5),
      Case("u8:12553x277:s281,1", "f32:12553x277:s288,1", 0, 0),
      Case("f32:13x173x1031:abc", "s32:13x173x1031:s180013,1033,1", 0, 0),
      Case("s32:4099x517:ba", "f32:4099x517:s521,1", 0, 0),
      Case("s32:7x613x544:abc", "f32:7x613x544:s340032,1,624", 0, 0),
  };
}

// Of each width, what several threads share: transpositions of two axes and of more, images and
// filters of networks, rows with gaps between them and elements that lie apart.
std::vector<PlacedCopy> SharedMoves() {
  return {
      Case("f32:521x577:ab", "f32:521x577:ba", 0, 0),
      Case("s32:577x521:ba", "s32:577x521:s523,1", 0, 0),
      Case("u8:1031x1019:ba", "u8:1031x1019:ab", 0, 0),
      Case("s8:1200x901:ab", "s8:1200x901:s1,1203", 0, 1),
      Case("bf16:601x803:ab", "bf16:601x803:ba", 0, 0),
      Case("f16:37x91x97:abc", "f16:37x91x97:cba", 0, 0),
      Case("f32:67x65x63:abc", "f32:67x65x63:bca", 0, 0),
      Case("f32:61x3x1100:abc", "f32:61x3x1100:acb", 0, 0),
      Case("bf16:130x131x20:abc", "bf16:130x131x20:bac", 0, 0),
      Case("u8:8x64x33x35:abcd", "u8:8x64x33x35:acdb", 0, 0),
      Case("f32:4x33x40x41:acdb", "f32:4x33x40x41:abcd", 0, 0),
      Case("f32:256x64x3x3:abcd", "f32:256x64x3x3:cdba", 0, 0),
      Case("s8:512x130x3x3:abcd", "s8:512x130x3x3:cdba", 0, 0),
      Case("bf16:3x129x5x4x41:abcde", "bf16:3x129x5x4x41:cdeba", 0, 0),
      Case("f32:2x3x17x16x15x13:abcdef", "f32:2x3x17x16x15x13:defcab", 0, 0),
      Case("s32:500x301:s1204,4", "s32:500x301:ab", 0, 0),
      Case("f32:500x301:ab", "f32:500x301:s903,3", 0, 0),
      Case("u8:901x700:s1402,2", "u8:901x700:s2803,4", 0, 0),
      Case("f16:700x401:s802,2", "f16:700x401:ba", 0, 0),
  };
}

const bool kDefined[] = {
    Define<PlacedCopy>(spec::MD_008, "shared", Listed(SharedMoves()), AnyAddressWillDo),
    Define<PlacedCopy>(spec::PRIM_040, "large", Listed(GappedCopies()), AnyAddressWillDo),
    Define<PlacedCopy>(spec::REO_017, "large", Listed(GappedConversions()), AnyAddressWillDo),
    Define<PlacedCopy>(spec::MEM_028, "large", Listed(LargeCopies()), AnyAddressWillDo),
};

}  // namespace
}  // namespace conformance
