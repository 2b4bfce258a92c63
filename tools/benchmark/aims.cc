#include <cmath>
#include <cstdio>
#include <regex>
#include <string>
#include <vector>

#include "tools/benchmark/results.h"

namespace bench {
namespace {

double ValueOf(Aim::Of of, const Result& result) {
  switch (of) {
    case Aim::Of::kStock:
      return result.stock_ratio;
    case Aim::Of::kDirect:
      return result.direct_ratio;
    case Aim::Of::kSeconds:
      return result.seconds;
  }
  return 0;
}

Outcome OutcomeOf(const Aim& aim, const Rows& rows) {
  Outcome outcome;
  outcome.aim = aim;
  const std::regex cases(aim.cases);
  double logarithms = 0;
  for (const Row& row : rows) {
    const std::string name = row.group + "/" + row.name;
    const double value = ValueOf(aim.of, row.result);
    if (value <= 0 || !std::regex_search(name, cases)) continue;
    logarithms += std::log(value);
    const bool worse = aim.of == Aim::Of::kSeconds ? value > outcome.worst : value < outcome.worst;
    if (outcome.cases++ > 0 && !worse) continue;
    outcome.worst = value;
    outcome.worst_case = name;
  }
  if (outcome.cases > 0) outcome.geomean = std::exp(logarithms / outcome.cases);
  return outcome;
}

std::string Number(Aim::Of of, double value) {
  if (value == 0) return "-";
  char text[32];
  if (of == Aim::Of::kSeconds) {
    std::snprintf(text, sizeof(text), "%.2f us", 1e6 * value);
  } else {
    std::snprintf(text, sizeof(text), "%.2f", value);
  }
  return text;
}

}  // namespace

const std::vector<Aim>& Aims() {
  using Of = Aim::Of;
  static const std::vector<Aim>* const aims = new std::vector<Aim>{
      {"ResNet-50", "^convolution ResNet-50/", Of::kStock, 1.05, 0.85},
      {"MobileNet, ShuffleNet, ResNeXt-50", "^convolution (MobileNet|ShuffleNet|ResNeXt)",
       Of::kStock, 1.4, 0.9},
      {"depthwise of these", "^convolution (MobileNet|ShuffleNet).*/depthwise ", Of::kStock, 1.1,
       0},
      {"1-D", "^convolution 1-D/", Of::kStock, 0, 0},
      {"3-D", "^convolution 3-D/", Of::kStock, 0, 0},
      {"tiny, with the call", "^convolution tiny/", Of::kStock, 1.5, 0},
      {"backward data", "^convolution backward data/", Of::kStock, 0.95, 0},
      {"backward weights", "^convolution backward weights/", Of::kStock, 0.8, 0},
      {"u8 x s8", "^convolution u8 x s8/", Of::kStock, 0, 0},
      {"u8 x s8 against f32, AVX2", "^convolution u8 x s8/", Of::kDirect, 1.5, 0},
      {"u8 x s8 against f32, VNNI", "^convolution u8 x s8/", Of::kDirect, 2.5, 0},
      {"bf16", "^convolution bf16/", Of::kStock, 0, 0},
      {"bf16 against f32", "^convolution bf16/", Of::kDirect, 1, 0},
      {"bf16 against f32, backward data", "^convolution bf16 backward data/", Of::kDirect, 1, 0},
      {"bf16 against f32, backward weights", "^convolution bf16 backward weights/", Of::kDirect, 1,
       0},
      {"inner product u8 x s8", "^inner product u8 x s8/", Of::kStock, 0, 0},
      {"inner product u8 x s8 against f32", "^inner product u8 x s8/", Of::kDirect, 0, 0},
      {"inner product bf16", "^inner product bf16/", Of::kStock, 0, 0},
      {"inner product bf16 against f32", "^inner product bf16/", Of::kDirect, 1, 0},
      {"the same, backward data", "^inner product bf16 backward data/", Of::kDirect, 1, 0},
      {"the same, backward weights", "^inner product bf16 backward weights/", Of::kDirect, 1, 0},
      {"3x3, algorithm auto", "^convolution auto 3x3", Of::kStock, 0, 0},
      {"3x3, auto against direct", "^convolution auto 3x3", Of::kDirect, 1.4, 0},
      {"ResNet-50, algorithm auto", "^convolution auto ResNet-50/", Of::kStock, 1.05, 0.85},
      {"creation, shape not seen", "^convolution create/.*not seen", Of::kSeconds, 5e-6, 0},
  };
  return *aims;
}

std::vector<Outcome> AgainstAims(const Rows& rows) {
  std::vector<Outcome> outcomes;
  for (const Aim& aim : Aims()) {
    outcomes.push_back(OutcomeOf(aim, rows));
    if (outcomes.back().cases == 0) outcomes.pop_back();
  }
  return outcomes;
}

std::string ToString(const std::vector<Outcome>& outcomes) {
  if (outcomes.empty()) return "";
  char line[256];
  std::snprintf(line, sizeof(line), "%-36s %5s %9s %8s %9s %8s\n", "list", "cases", "geomean",
                "aim", "worst", "aim");
  std::string table = line;
  for (const Outcome& o : outcomes) {
    const Aim::Of of = o.aim.of;
    std::snprintf(line, sizeof(line), "%-36s %5d %9s %8s %9s %8s  ", o.aim.list, o.cases,
                  Number(of, o.geomean).c_str(), Number(of, o.aim.geomean).c_str(),
                  Number(of, o.worst).c_str(), Number(of, o.aim.worst).c_str());
    table += line + o.worst_case + "\n";
  }
  return table;
}

}  // namespace bench
