// SHU-031 for layouts whose offsets exceed 2^31 and 2^32 bytes.
#include <cstring>
#include <string>
#include <vector>

#include "conformance/case/property.h"
#include "conformance/shuffle/cases.h"
#include "conformance/shuffle/run.h"
#include "conformance/subject/buffer.h"
#include "conformance/subject/reserved.h"
#include "spec/requirements.h"

namespace conformance {
namespace {

using spec::Bits;

void HugeOffsetsWork(const ShuffleCase& c, Trial& trial) {
  Device* const device = DeviceFor(trial);
  if (device == nullptr) return;
  if (!device->on_host) return trial.NotRun("needs host memory that is reserved, not committed");
  const auto desc = DescFor(c.data, trial);
  if (!desc) return;
  const auto primitive = PrimitiveFor(c, *desc, *device, trial);
  if (!primitive) return;
  const spec::Plain plain = PlainOf(c.data);
  const int bytes = spec::BytesOf(c.data.type);
  const int64_t size = BytesFor(spec::SizeInBytes(plain, bytes), desc->get_size(), bytes);
  const Reserved in(size), out(size);
  if (in.start() == nullptr || out.start() == nullptr)
    return trial.NotRun("no address space of twice " + std::to_string(size >> 30) + " GiB");
  const std::vector<int64_t> offsets = OffsetsOf(plain);
  SawOffsets(trial, offsets, bytes);
  const std::vector<Bits> source = c.Source();
  for (size_t k = 0; k < source.size(); ++k)
    std::memcpy(in.start() + offsets[k] * bytes, &source[k], bytes);
  const auto done = Attempt([&] {
    const dnnl::memory from(*desc, device->engine, in.start());
    const dnnl::memory to(*desc, device->engine, out.start());
    primitive->execute(device->stream, {{c.forward ? DNNL_ARG_SRC : DNNL_ARG_DIFF_DST, from},
                                        {c.forward ? DNNL_ARG_DST : DNNL_ARG_DIFF_SRC, to}});
    device->stream.wait();
  });
  if (!done) return trial.Fail("execute and wait", "done", done.refusal);
  std::vector<Bits> result(source.size(), 0);
  for (size_t k = 0; k < source.size(); ++k)
    std::memcpy(&result[k], out.start() + offsets[k] * bytes, bytes);
  if (ExpectSameBits(trial, "dst", c.data.type, c.data.dims, ExpectedShuffle(c, source), result))
    ExpectNothingWrapped(out, offsets, bytes, trial);
}

ShuffleCase Case(bool forward, const std::string& data, int axis, int64_t group) {
  ShuffleCase c;
  c.forward = forward;
  c.data = *ParseTensor(data);
  c.axis = axis;
  c.group = group;
  c.values = ValueKind::kIndex;
  return c;
}

// The shuffled axis or another one far apart; a region that starts far away.
std::vector<ShuffleCase> HugeOffsets() {
  return {
      Case(true, "f32:2x6:s1073741831,1", 1, 2),
      Case(true, "f32:6x3:s536870917,1", 0, 3),
      Case(false, "f32:6x3:s536870917,1", 0, 2),
      Case(true, "f32:4x6:s1,1073741831", 1, 3),
      Case(true, "u8:2x12:s4294967303,1", 1, 3),
      Case(false, "s8:4x5:s2147483655,1", 0, 2),
      Case(true, "bf16:2x8x3:s2147483655,3,1", 1, 4),
      Case(true, "f32:1x6x4:sub(3x6x9:s1073741831,9,1@2,0,3)", 1, 2),
      Case(true, "f32:2x6x4:s1073741831,1,6", 1, 2),
      Case(true, "s32:2x4x2x3:s1073741831,1,12,4", 1, 2),
  };
}

const bool kDefined =
    Define<ShuffleCase>(spec::SHU_031, "far", Listed(HugeOffsets()), HugeOffsetsWork,
                        {"beyond 2^31 bytes", "beyond 2^32 bytes"});

}  // namespace
}  // namespace conformance
