// What is printed when calls are refused: ERR-020.
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstdio>
#include <functional>
#include <string>

#include "conformance/case/property.h"
#include "conformance/model/calls.h"
#include "conformance/model/cases.h"
#include "conformance/model/samples.h"
#include "conformance/subject/attempt.h"
#include "conformance/subject/device.h"
#include "conformance/subject/fpmath.h"
#include "oneapi/dnnl/dnnl.hpp"
#include "spec/requirements.h"

namespace conformance {
namespace {

// While it lives, what the process writes to stdout and stderr goes to memory.
class Capture {
 public:
  Capture() : file_(memfd_create("captured", MFD_CLOEXEC)) {
    std::fflush(nullptr);
    for (int stream : {STDOUT_FILENO, STDERR_FILENO}) {
      saved_[stream] = dup(stream);
      dup2(file_, stream);
    }
  }
  ~Capture() { End(); }

  std::string End() {
    if (file_ < 0) return "";
    std::fflush(nullptr);
    for (int stream : {STDOUT_FILENO, STDERR_FILENO}) {
      dup2(saved_[stream], stream);
      close(saved_[stream]);
    }
    std::string text(static_cast<size_t>(lseek(file_, 0, SEEK_END)), '\0');
    if (pread(file_, text.data(), text.size(), 0) < 0) text.clear();
    close(file_);
    file_ = -1;
    return text;
  }

 private:
  int file_;
  int saved_[3] = {-1, -1, -1};
};

void RefusalsPrintNothing(const FaultCase& c, Trial& trial) {
  Device* const device = DeviceFor(trial);
  const FaultyCall* const call = DemandedFault(c, trial);
  if (device == nullptr || call == nullptr) return;
  Random random(Mix(c.seed));
  const CallPair pair = call->draw(random, *device);
  Capture capture;
  Attempt([&] { return pair.wrong(false); });
  if (call->allow_empty) Attempt([&] { return pair.wrong(true); });
  const std::string text = capture.End();
  trial.Expect(text.empty(), std::string("call ") + call->name + ", output", "none", text);
}

// Memories of more bytes than any machine has, of any type and rank.
void ShortageOfMemoryPrintsNothing(const SeedCase& c, Trial& trial) {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  return trial.NotRun("the sanitizer prints that memory is short");
#endif
  Device* const device = DeviceFor(trial);
  if (device == nullptr) return;
  Random random(Mix(c.seed));
  using dnnl::memory;
  memory::dims dims(static_cast<size_t>(random.Between(1, 6)), 1);
  for (int64_t bits = random.Between(57, 60); bits-- > 0;)
    dims[static_cast<size_t>(random.Between(0, static_cast<int64_t>(dims.size()) - 1))] *= 2;
  const auto type = random.Pick({memory::data_type::f32, memory::data_type::u8});
  memory::dims strides(dims.size(), 1);
  for (size_t j = dims.size() - 1; j-- > 0;) strides[j] = strides[j + 1] * dims[j + 1];
  const memory::desc desc(dims, type, strides);
  Capture capture;
  const auto made = Attempt([&] { return memory(desc, device->engine); });
  const std::string text = capture.End();
  if (made) return trial.Vacuous();  // MEM-031
  trial.Expect(text.empty(), "memory of " + std::to_string(desc.get_size() >> 50) + " PiB, output",
               "none", text);
}

// Requests that are well formed, but that this engine need not serve: all types of the source,
// attributes of others, and the implementation after the last one.
void UnservedRequestsPrintNothing(const SampleCase& c, Trial& trial) {
  const auto plan = PlanFor(c, trial);
  if (!plan) return;
  const dnnl::engine& engine = DeviceFor(trial)->engine;
  const auto prints = [&](const std::string& what, const std::function<void()>& call) {
    Capture capture;
    const auto done = Attempt(call);
    const std::string text = capture.End();
    if (!done) trial.Cover("refused");
    return !trial.Expect(text.empty(), c.kind + " " + what + ", output", "none", text);
  };
  const auto pd = Attempt([&] { return MakePd(*plan, engine); });
  if (!pd) return SampleRefused(*plan, pd.refusal, trial);
  constexpr int kMostImplementations = 64;
  if (prints("next_impl()", [&] {
        for (int i = 0; i < kMostImplementations && (*pd.value)->Next(); ++i) continue;
      }))
    return;
  for (const spec::Type type : spec::kTypes) {
    SamplePlan other = *plan;
    other.from.type = type;
    if (prints(std::string("from ") + spec::NameOf(type), [&] { MakePd(other, engine); })) return;
  }
  dnnl::primitive_attr attr;
  if (c.seed % 4 == 0) Attempt([&] { attr.set_zero_points(DNNL_ARG_SRC, 0, {3}); });
  if (c.seed % 4 == 1) attr.set_output_scales(0, {2.f});
  if (c.seed % 4 == 2) attr.set_rnn_data_qparams(2.f, 3.f);
  if (c.seed % 4 == 3) SetFpmathMode(&attr, 3);
  prints("with attributes", [&] { MakePd(*plan, engine, attr); });
}

// Few, for each is tried in many ways.
Cases<SampleCase> SomeSamples() {
  Cases<SampleCase> some = Samples();
  some.count = 300;
  return some;
}

const bool defined[] = {
    Define(spec::ERR_020, "", EveryFault(), RefusalsPrintNothing),
    Define(spec::ERR_020, "memory", Seeds(), ShortageOfMemoryPrintsNothing),
    Define(spec::ERR_020, "unserved", SomeSamples(), UnservedRequestsPrintNothing, {"refused"}),
};

}  // namespace
}  // namespace conformance
