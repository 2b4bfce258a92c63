// What a case costs before and after the subject is called: bookkeeping, the draw, its line, the
// data and the oracle. Items are cases, or elements where a name says so.
#include <cstdint>
#include <string>
#include <vector>

#include "benchmark/benchmark.h"
#include "conformance/case/fields.h"
#include "conformance/case/random.h"
#include "conformance/case/trial.h"
#include "conformance/judge/isolate.h"
#include "conformance/judge/judge.h"
#include "conformance/judge/process_state.h"
#include "conformance/judge/replay.h"
#include "conformance/judge/shared_state.h"
#include "conformance/reorder/cases.h"
#include "conformance/shuffle/cases.h"
#include "spec/memory/oracle.h"
#include "spec/numeric/convert.h"
#include "spec/reorder/oracle.h"

namespace conformance {
namespace {

// The loop around a check that does nothing but name two classes of input.
void Bookkeeping(benchmark::State& state) {
  SharedRunState* const shared = SharedRunState::Map();
  const RunOptions run_options;
  const Captured captured(-1, -1);
  ProcessState process;
  int64_t index = 0;
  for (auto _ : state) {
    shared->Begin(index++);
    shared->Account(RunGuarded(
        run_options, captured, &process, [] { return std::string("a line that nobody asks for"); },
        [](Trial& trial) {
          trial.Cover("rank 3");
          trial.Cover("f32");
        }));
  }
  state.SetItemsProcessed(state.iterations());
}
BENCHMARK(Bookkeeping);

// One child process, as each property and each shrinking step gets.
void Child(benchmark::State& state) {
  SharedRunState* const shared = SharedRunState::Map();
  const Limits limits = DefaultLimits(1);
  for (auto _ : state) {
    shared->Clear();
    const End end = Isolate(limits, shared, [](const Captured&) {});
    if (!end.finished()) state.SkipWithError("the child died");
  }
  state.SetItemsProcessed(state.iterations());
}
BENCHMARK(Child)->Unit(benchmark::kMicrosecond);

template <class C, C (*kDraw)(Random&)>
void Draw(benchmark::State& state) {
  Random random(1);
  for (auto _ : state) benchmark::DoNotOptimize(kDraw(random));
  state.SetItemsProcessed(state.iterations());
}

ReorderCase DrawReorder(Random& random) { return AnyReorderCase(random); }
ShuffleCase DrawShuffle(Random& random) { return AnyShuffleCase(random); }
BENCHMARK_TEMPLATE(Draw, ReorderCase, DrawReorder);
BENCHMARK_TEMPLATE(Draw, ShuffleCase, DrawShuffle);

// A line printed and read back, as shrinking and replaying do.
void LineThereAndBack(benchmark::State& state) {
  Random random(1);
  const ReorderCase c = AnyReorderCase(random);
  for (auto _ : state) {
    Fields fields;
    c.Print(&fields);
    benchmark::DoNotOptimize(ReorderCase::Parse(Fields::Parse(fields.ToString())));
  }
  state.SetItemsProcessed(state.iterations());
}
BENCHMARK(LineThereAndBack);

ReorderCase Large(const char* line) { return ReorderCase::Parse(Fields::Parse(line)); }

constexpr char kCopy[] = "src=f32:64x64:ab dst=f32:64x64:ba values=mixed seed=1";
constexpr char kScaled[] =
    "src=f32:64x64:ab dst=bf16:64x64:ba mask=2 scales=any beta=0.5 values=finite seed=1";

// The data of a case; items are elements.
void Data(benchmark::State& state, const char* line) {
  const ReorderCase c = Large(line);
  for (auto _ : state) benchmark::DoNotOptimize(c.Source());
  state.SetItemsProcessed(state.iterations() * spec::ElementCount(c.dims()));
}
BENCHMARK_CAPTURE(Data, copy, kCopy);
BENCHMARK_CAPTURE(Data, scaled, kScaled);

// The oracle's word on results that are right; items are elements.
void Oracle(benchmark::State& state, const char* line) {
  const ReorderCase c = Large(line);
  const std::vector<spec::Bits> source = c.Source(), old = c.Old();
  const std::vector<float> scales = c.Scales();
  std::vector<spec::ReorderElement> elements;
  std::vector<spec::Bits> results;
  for (size_t i = 0; i < source.size(); ++i) {
    elements.push_back(c.Element(static_cast<int64_t>(i), source[i], old[i], scales));
    results.push_back(spec::Expected(elements.back()));
  }
  for (auto _ : state)
    for (size_t i = 0; i < elements.size(); ++i)
      if (!spec::Accepts(elements[i], results[i], spec::Strictness::kPortable))
        state.SkipWithError("the oracle contradicts itself");
  state.SetItemsProcessed(state.iterations() * static_cast<int64_t>(elements.size()));
}
BENCHMARK_CAPTURE(Oracle, copy, kCopy);
BENCHMARK_CAPTURE(Oracle, scaled, kScaled);

}  // namespace
}  // namespace conformance
