// Measures the table of cases on Google Benchmark, whose own flags apply too.

#include <benchmark/benchmark.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <string>
#include <system_error>
#include <vector>

#include "tools/benchmark/cases.h"
#include "tools/benchmark/copy.h"
#include "tools/benchmark/instructions.h"
#include "tools/benchmark/measure.h"
#include "tools/benchmark/peers/process.h"
#include "tools/benchmark/results.h"

namespace bench {
namespace {

constexpr const char* kUsage =
    R"(bench: reorder, shuffle, inner product, eltwise and convolution against a plain copy, the peak and
stock oneDNN

  --filter=RE     only the cases "group/name" in which RE is found
  --threads=N     for all contestants; default: those of the machine
  --out=DIR       writes results.json and results.svg there
  --rounds=N      how often the contestants take turns; default 21
  --nostock       without stock oneDNN
  --peer=PROGRAM  also a library behind such a program (tools/benchmark/peers)
  --isa=CAP       every library kept to SSE4, AVX2 or AVX512; refused if one says that it uses more
  --info          also prints which implementation each library chose
  --list          prints the names of the cases and measures nothing

Columns: microseconds of a call, GB/s read and written, the share of the copy limit (the best plain
copy of the same bytes in the same rounds), and how many times as fast as stock oneDNN. Of inner
products and convolutions, in the place of GB/s, 10^9 operations a second, and with one thread the
share of the peak (f32 multiply-adds in registers in the same rounds); of those in other types, or
of the algorithm "auto", also how many times as fast as direct ones in f32. A "~" marks a case that something else on the machine
disturbed. With one thread, processor time is measured instead of time. At the end, of each list of
these, the geometric mean and the worst, beside what they aim at. With peers also how many
times as fast as the best of them and stock oneDNN, and a table of classes.
)";

// The flags of Google Benchmark are left in `rest`.
struct Flags {
  Effort effort;
  int threads = 0;
  std::string out, cap;
  std::vector<std::string> peers;  // programs
  bool info = false;
  std::vector<std::string> rest;
};

int Fail(const std::string& message) {
  std::fprintf(stderr, "bench: %s\n", message.c_str());
  return 2;
}

// "--name=value": the value, if `argument` is that flag.
bool Value(const std::string& argument, const std::string& name, std::string* value) {
  const std::string start = "--" + name + "=";
  if (argument.compare(0, start.size(), start) != 0) return false;
  *value = argument.substr(start.size());
  return true;
}

bool Positive(const std::string& text, int* value) {
  *value = std::atoi(text.c_str());
  return *value > 0;
}

// Libraries read their thread counts and limits when they are loaded, so the program starts again
// unless all variables have these values.
void RestartWith(const std::map<std::string, std::string>& variables, char** argv) {
  bool same = true;
  for (const auto& [name, value] : variables) {
    const char* const now = std::getenv(name.c_str());
    same &= now != nullptr && value == now;
    setenv(name.c_str(), value.c_str(), 1);
  }
  if (!same) execv("/proc/self/exe", argv);
}

std::string NameOf(const Case& c) { return c.group + "/" + c.name; }

std::string Cell(double value, int precision) {
  char text[32];
  std::snprintf(text, sizeof(text), "%.*f", precision, value);
  return value > 0 ? text : "-";
}

// One line for each case as soon as it is measured.
class LineReporter : public benchmark::BenchmarkReporter {
 public:
  LineReporter(const std::map<std::string, Row>* rows, const Flags& flags)
      : rows_(*rows), info_(flags.info), peers_(!flags.peers.empty()) {}
  bool ReportContext(const Context&) override {
    std::printf("%-64s %10s %8s %7s %8s%s\n", "case", "us", "G/s", "limit%", "x stock",
                peers_ ? "   x best" : "");
    return true;
  }
  void ReportRuns(const std::vector<Run>& runs) override {
    for (const Run& run : runs) {
      std::string name = run.benchmark_name();
      name = name.substr(0, name.find("/iterations:"));
      const Result& r = rows_.at(name).result;
      if (!r.ran) {
        std::printf("%-64s refused\n", name.c_str());
        continue;
      }
      std::printf("%-64s %10s %8s %7s %8s%s", name.c_str(), Cell(r.seconds * 1e6, 3).c_str(),
                  Cell((r.bytes + r.flops) / r.seconds * 1e-9, 1).c_str(),
                  Cell(100 * (r.copy_share + r.peak_share), 0).c_str(),
                  Cell(r.stock_ratio, 2).c_str(), r.spread > kDisturbed ? " ~" : "");
      if (const PeerResult* best = r.best_peer(); peers_ && best != nullptr)
        std::printf(" %8.2f  %s", best->ratio, best->name.c_str());
      if (r.direct_ratio > 0) std::printf("  %.2f x direct f32", r.direct_ratio);
      for (const PeerResult& peer : r.peers)
        if (info_ && peers_ && peer.ratio > 0)
          std::printf("  %s %.2f |", peer.name.c_str(), peer.ratio);
      if (info_) std::printf("  %s | %s", r.info.c_str(), r.stock_info.c_str());
      std::printf("\n");
      std::fflush(stdout);
    }
  }

 private:
  const std::map<std::string, Row>& rows_;
  const bool info_, peers_;
};

// Starts the programs, and says which are not there.
void Start(const std::vector<std::string>& programs, Peers* peers) {
  for (const std::string& program : programs) {
    const std::string why = peers->Add(program);
    if (!why.empty()) std::printf("not measured: %s\n", why.c_str());
  }
}

// What the libraries say of themselves; empty unless one does not keep to the cap.
std::string CheckInstructions(const std::string& cap, const Peers& peers) {
  if (cap.empty() && peers.all().empty()) return "";
  const std::vector<InUse> all = InstructionsInUse(peers);
  std::printf("instructions%s: %s\n", cap.empty() ? "" : (" up to " + cap).c_str(),
              ToString(all).c_str());
  return cap.empty() ? "" : Beyond(cap, all);
}

void PrintSummaries(const Rows& rows, bool peers) {
  std::printf("\n%s\n", ToString(Summarize(rows)).c_str());
  std::printf("%s", ToString(AgainstAims(rows)).c_str());
  if (!peers) return;
  std::printf("\n%s", ToString(AgainstPeers(rows)).c_str());
  std::printf("%s", NotCompared(rows).c_str());
}

int Main(Flags flags, const char* program) {
  Peers peers;
  Start(flags.peers, &peers);
  if (!peers.all().empty()) flags.effort.peers = &peers;
  const std::string beyond = CheckInstructions(flags.cap, peers);
  if (!beyond.empty()) return Fail("--isa=" + flags.cap + " has not taken effect: " + beyond);
  const std::vector<Case> cases = AllCases();
  std::map<std::string, Row> measured;
  std::vector<std::string> order;
  for (const Case& c : cases) {
    const auto run = [&](benchmark::State& state) {
      const Result result = Measure(c, flags.effort);
      for (auto _ : state) state.SetIterationTime(result.seconds);
      measured[NameOf(c)] = {c.group, c.name, result};
      order.push_back(NameOf(c));
      if (!result.ran) return state.SkipWithError("refused");
      if (result.bytes > 0) state.counters["GB/s"] = 1e-9 * result.bytes / result.seconds;
      if (result.flops > 0) state.counters["GFLOP/s"] = 1e-9 * result.flops / result.seconds;
      if (result.peak_share > 0) state.counters["share of peak"] = result.peak_share;
      if (result.copy_share > 0) state.counters["share of copy"] = result.copy_share;
      if (result.stock_ratio > 0) state.counters["times stock"] = result.stock_ratio;
      if (result.direct_ratio > 0) state.counters["times direct f32"] = result.direct_ratio;
      for (const PeerResult& peer : result.peers)
        if (flags.effort.peers != nullptr && peer.ratio > 0)
          state.counters["times " + peer.name] = peer.ratio;
      state.counters["spread"] = result.spread;
      state.SetLabel(result.info);
    };
    benchmark::RegisterBenchmark(NameOf(c).c_str(), run)->Iterations(1)->UseManualTime();
  }
  if (!flags.out.empty()) {
    std::error_code error;
    std::filesystem::create_directories(flags.out, error);
    if (error) return Fail("cannot make " + flags.out + ": " + error.message());
    flags.rest.push_back("--benchmark_out=" + flags.out + "/results.json");
    flags.rest.push_back("--benchmark_out_format=json");
  }
  std::vector<char*> arguments = {const_cast<char*>(program)};
  for (std::string& flag : flags.rest) arguments.push_back(flag.data());
  int count = static_cast<int>(arguments.size());
  benchmark::Initialize(&count, arguments.data());
  if (count > 1) return Fail(std::string("unknown argument ") + arguments[1] + "; see --help");
  benchmark::AddCustomContext("threads", std::to_string(ThreadCount()));
  LineReporter reporter(&measured, flags);
  if (benchmark::RunSpecifiedBenchmarks(&reporter) == 0) return 2;  // the library has said why

  Rows rows;
  for (const std::string& name : order) rows.push_back(measured[name]);
  if (rows.empty()) return 0;
  PrintSummaries(rows, !flags.peers.empty());
  if (flags.out.empty()) return 0;
  const int threads = ThreadCount();
  std::ofstream(flags.out + "/results.svg") << PlotSvg(
      "Beside a plain copy, " + std::to_string(threads) + (threads == 1 ? " thread" : " threads"),
      rows);
  std::printf("%s/results.json, %s/results.svg\n", flags.out.c_str(), flags.out.c_str());
  return 0;
}

}  // namespace
}  // namespace bench

int main(int argc, char** argv) {
  bench::Flags flags;
  std::string value;
  for (int i = 1; i < argc; ++i) {
    const std::string argument = argv[i];
    if (argument == "--help" || argument == "-h") {
      std::fputs(bench::kUsage, stdout);
      return 0;
    }
    if (bench::Value(argument, "filter", &value)) {
      flags.rest.push_back("--benchmark_filter=" + value);
    } else if (bench::Value(argument, "threads", &value)) {
      if (!bench::Positive(value, &flags.threads))
        return bench::Fail("--threads=" + value + " is not a number of threads");
    } else if (bench::Value(argument, "rounds", &value)) {
      if (!bench::Positive(value, &flags.effort.rounds))
        return bench::Fail("--rounds=" + value + " is not a number of rounds");
    } else if (bench::Value(argument, "out", &value)) {
      flags.out = value;
    } else if (bench::Value(argument, "peer", &value)) {
      flags.peers.push_back(value);
    } else if (bench::Value(argument, "isa", &value)) {
      if (bench::VariablesOf(value).empty())
        return bench::Fail("--isa=" + value + " is none of SSE4, AVX2 and AVX512");
      flags.cap = value;
    } else if (argument == "--nostock") {
      flags.effort.stock = false;
    } else if (argument == "--info") {
      flags.info = true;
    } else if (argument == "--list") {
      flags.rest.push_back("--benchmark_list_tests");
    } else {
      flags.rest.push_back(argument);
    }
  }
  std::map<std::string, std::string> variables = bench::VariablesOf(flags.cap);
  if (flags.threads > 0)
    variables["OMP_NUM_THREADS"] = variables["DNNSPEC_NUM_THREADS"] = std::to_string(flags.threads);
  bench::RestartWith(variables, argv);
  return bench::Main(flags, argv[0]);
}
