// ELT-083: offsets beyond 2^31 and 2^32 bytes.
#include <cstring>
#include <string>
#include <vector>

#include "conformance/case/property.h"
#include "conformance/eltwise/cases.h"
#include "conformance/eltwise/run.h"
#include "conformance/subject/buffer.h"
#include "conformance/subject/reserved.h"
#include "spec/requirements.h"

namespace conformance {
namespace {

using spec::Bits;

void HugeOffsetsWork(const EltwiseCase& c, Trial& trial) {
  Device* const device = DeviceFor(trial);
  if (device == nullptr) return;
  if (!device->on_host) return trial.NotRun("needs host memory that is reserved, not committed");
  const auto descs = DescsOf(c, trial);
  if (!descs) return;
  const auto primitive = PrimitiveOf(c, *descs, *device, trial);
  if (!primitive) return;
  const int bytes = spec::BytesOf(c.data.type);
  const spec::Plain plain = PlainOf(c.data);
  const int64_t size = BytesFor(spec::SizeInBytes(plain, bytes), descs->data.get_size(), bytes);
  const Reserved in(size), diff(c.forward() ? bytes : size), out(size);
  if (in.start() == nullptr || diff.start() == nullptr || out.start() == nullptr)
    return trial.NotRun("no address space of thrice " + std::to_string(size >> 30) + " GiB");
  const std::vector<int64_t> offsets = OffsetsOf(plain);
  SawOffsets(trial, offsets, bytes);
  const auto width = static_cast<size_t>(bytes);
  const std::vector<Bits> source = c.Source(), gradient = c.Gradient();
  for (size_t k = 0; k < source.size(); ++k)
    std::memcpy(in.start() + offsets[k] * bytes, &source[k], width);
  for (size_t k = 0; k < gradient.size(); ++k)
    std::memcpy(diff.start() + offsets[k] * bytes, &gradient[k], width);
  const auto done = Attempt([&] {
    const dnnl::memory from(descs->data, device->engine, in.start());
    const dnnl::memory to(descs->data, device->engine, out.start());
    if (c.forward()) {
      primitive->execute(device->stream, {{DNNL_ARG_SRC, from}, {DNNL_ARG_DST, to}});
    } else {
      const dnnl::memory diff_dst(descs->data, device->engine, diff.start());
      primitive->execute(device->stream, {{c.by_result() ? DNNL_ARG_DST : DNNL_ARG_SRC, from},
                                          {DNNL_ARG_DIFF_DST, diff_dst},
                                          {DNNL_ARG_DIFF_SRC, to}});
    }
    device->stream.wait();
  });
  if (!done) return trial.Fail("execute and wait", "done", done.refusal);
  std::vector<Bits> result(source.size(), 0);
  for (size_t k = 0; k < source.size(); ++k)
    std::memcpy(&result[k], out.start() + offsets[k] * bytes, width);
  if (ExpectOracle(c, source, gradient, result, trial))
    ExpectNothingWrapped(out, offsets, bytes, trial);
}

std::vector<EltwiseCase> HugeOffsets() {
  std::vector<EltwiseCase> cases;
  const auto add = [&](EltwiseDirection direction, const spec::Eltwise& function,
                       const char* data) {
    EltwiseCase c;
    c.direction = direction;
    c.function = function;
    c.data = *ParseTensor(data);
    if (!c.forward()) c.gradient = c.data.layout;
    cases.push_back(c);
  };
  for (const char* data :
       {"f32:2x6:s1073741831,1", "f32:4x6:s1,1073741831", "u8:2x12:s4294967303,1",
        "f32:1x6x4:sub(3x6x9:s1073741831,9,1@2,0,3)", "s32:2x4x2x3:s1073741831,1,12,4",
        "bf16:2x70:s2147483655,1", "s8:3x70:s2147483655,1"})
    add(EltwiseDirection::kForward, {spec::EltwiseAlgorithm::kLinear, 1, 1}, data);
  for (const char* data :
       {"f32:2x70:s1073741831,1", "f32:4x6:s1,1073741831", "bf16:2x70:s2147483655,1",
        "f32:1x6x4:sub(3x6x9:s1073741831,9,1@2,0,3)"}) {
    add(EltwiseDirection::kBackward, {spec::EltwiseAlgorithm::kRelu, 0.5f}, data);
    add(EltwiseDirection::kBackwardByResult, {spec::EltwiseAlgorithm::kTanh}, data);
  }
  return cases;
}

const bool kDefined = Define<EltwiseCase>(spec::ELT_083, "", Listed(HugeOffsets()), HugeOffsetsWork,
                                          {"beyond 2^31 bytes", "beyond 2^32 bytes"});

}  // namespace
}  // namespace conformance
