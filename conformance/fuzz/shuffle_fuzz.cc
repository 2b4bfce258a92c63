// Shuffle against its oracle: layouts, axes and groups out of the fuzzer's bytes.
#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "conformance/fuzz/tensors.h"
#include "conformance/gen/shapes.h"
#include "conformance/shuffle/cases.h"
#include "conformance/shuffle/run.h"
#include "tools/fuzz/bytes.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace conformance;
  tools::Bytes bytes(data, size);
  ShuffleCase c;
  c.data = TensorFrom(bytes, DimsFrom(bytes));
  c.forward = bytes.Flag();
  c.axis = static_cast<int>(bytes.Between(0, c.data.rank() - 1));
  const std::vector<int64_t> groups = Divisors(std::max<int64_t>(c.size(), 1));
  c.group = bytes.Pick<int64_t>(groups);
  c.values = ValueKind::kBits;
  c.seed = bytes.Word() % 1000;

  Fields fields;
  c.Print(&fields);
  const std::string line = "SHU-031 " + fields.ToString();
  Trial trial(Profile::kProject, EngineChoice::kCpu);
  auto run = RunShuffle(c, trial);
  MustHold(trial, line);
  if (!run) return 0;
  ExpectSameBits(trial, "dst", c.data.type, c.data.dims, ExpectedShuffle(c, run->source),
                 run->result);
  const std::string outside = run->to.ChangedGap();
  trial.Expect(outside.empty(), "dst", "only elements are written", outside);
  MustHold(trial, line);
  return 0;
}
