// Reorder against its oracle: layouts, types and attributes out of the fuzzer's bytes.
#include <cstdint>
#include <string>

#include "conformance/fuzz/tensors.h"
#include "conformance/reorder/cases.h"
#include "conformance/reorder/run.h"
#include "spec/reorder/oracle.h"
#include "tools/fuzz/bytes.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace conformance;
  tools::Bytes bytes(data, size);
  ReorderCase c;
  const spec::Dims dims = DimsFrom(bytes);
  c.src = TensorFrom(bytes, dims);
  c.dst = TensorFrom(bytes, dims);
  AttributesSpec& a = c.attributes;
  a.scales = bytes.Pick<ScaleKind>({ScaleKind::kNone, ScaleKind::kPowersOfTwo, ScaleKind::kAny});
  if (a.scaled()) {
    a.mask = static_cast<int>(bytes.Word() & ((1u << dims.size()) - 1));
    // No scale belongs to an axis of extent 0, and no scales at all are refused.
    if (spec::ScaleCount(a.mask, dims) == 0) a.mask = 0;
    a.run_time = bytes.Flag();
  }
  a.sum = bytes.Flag();
  if (a.sum) a.beta = bytes.Pick<float>({1, 0, -1, 0.5f, 3, 0.1f});
  // What arithmetic does with infinities is another matter than where it is done.
  c.values = a.none() ? ValueKind::kMixed : ValueKind::kFinite;
  c.seed = bytes.Word() % 1000;

  Trial trial(Profile::kProject, EngineChoice::kCpu);
  ValuesAreRight(c, trial);
  Fields fields;
  c.Print(&fields);
  MustHold(trial, "REO-042 " + fields.ToString());
  return 0;
}
