// Measures the table of cases with Google Benchmark, whose flags apply. See --help.

#include <benchmark/benchmark.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <string>
#include <vector>

#include "tools/benchmark/cases.h"
#include "tools/benchmark/copy.h"
#include "tools/benchmark/measure.h"

namespace bench {
namespace {

std::map<std::string, Result>& Results() {
  static auto* const results = new std::map<std::string, Result>;
  return *results;
}

std::string NameOf(const Case& c) { return c.group + "/" + c.name; }

void RunCase(benchmark::State& state, const Case& c, const Effort& effort) {
  const Result result = Measure(c, effort);
  for (auto _ : state) state.SetIterationTime(result.seconds);
  if (!result.ran) return state.SkipWithError("refused");
  if (result.bytes > 0) state.counters["GB/s"] = 1e-9 * result.bytes / result.seconds;
  if (result.copy_share > 0) state.counters["copy%"] = 100 * result.copy_share;
  if (result.stock_ratio > 0) state.counters["x stock"] = result.stock_ratio;
  Results()[NameOf(c)] = result;
}

// One line for each case as soon as it is measured.
class LineReporter : public benchmark::BenchmarkReporter {
 public:
  bool ReportContext(const Context&) override {
    std::printf("%-64s %10s %8s %6s %8s\n", "case", "us", "GB/s", "copy%", "x stock");
    return true;
  }
  void ReportRuns(const std::vector<Run>& runs) override {
    for (const Run& run : runs) {
      std::string name = run.benchmark_name();
      name = name.substr(0, name.find("/iterations:"));
      const auto it = Results().find(name);
      if (it == Results().end()) {
        std::printf("%-64s refused\n", name.c_str());
        continue;
      }
      const Result& r = it->second;
      const auto cell = [](double value, int precision) {
        char text[32];
        std::snprintf(text, sizeof(text), "%.*f", precision, value);
        return value > 0 ? std::string(text) : std::string("-");
      };
      std::printf("%-64s %10s %8s %6s %8s", name.c_str(), cell(r.seconds * 1e6, 3).c_str(),
                  cell(r.bytes / r.seconds * 1e-9, 1).c_str(), cell(100 * r.copy_share, 0).c_str(),
                  cell(r.stock_ratio, 2).c_str());
      if (std::getenv("DNNSPEC_BENCH_INFO") != nullptr)
        std::printf("  %s | %s", r.info.c_str(), r.stock_info.c_str());
      std::printf("\n");
      std::fflush(stdout);
    }
  }
};

}  // namespace
}  // namespace bench

int main(int argc, char** argv) {
  bench::Effort effort;
  bool small = false;
  std::vector<char*> rest;
  for (int i = 0; i < argc; ++i) {
    if (std::strncmp(argv[i], "--rounds=", 9) == 0) {
      effort.rounds = std::max(1, std::atoi(argv[i] + 9));
    } else if (std::strcmp(argv[i], "--small") == 0) {
      small = true;
    } else if (std::strcmp(argv[i], "--thread_time") == 0) {
      effort.thread_time = true;
    } else if (std::strcmp(argv[i], "--nostock") == 0) {
      effort.stock = false;
    } else {
      rest.push_back(argv[i]);
    }
  }
  int count = static_cast<int>(rest.size());
  std::vector<bench::Case> cases = bench::AllCases();
  if (small) {
    for (bench::Case& c : cases) {
      while (c.src.bytes() + c.dst.bytes() > (512 << 10) && c.src.dims[0] > 1)
        c.src.dims[0] = c.dst.dims[0] = (c.src.dims[0] + 1) / 2;
    }
  }
  for (const bench::Case& c : cases) {
    benchmark::RegisterBenchmark(
        bench::NameOf(c).c_str(),
        [&c, &effort](benchmark::State& state) { bench::RunCase(state, c, effort); })
        ->Iterations(1)
        ->UseManualTime();
  }
  benchmark::Initialize(&count, rest.data());
  if (benchmark::ReportUnrecognizedArguments(count, rest.data())) return 2;
  bench::LineReporter reporter;
  benchmark::RunSpecifiedBenchmarks(&reporter);
  return 0;
}
