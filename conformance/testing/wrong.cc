#include "conformance/testing/wrong.h"

#include "tools/testing/command.h"

namespace conformance {

using nlohmann::json;

void PrintTo(const Wrong& wrong, std::ostream* out) { *out << wrong.name; }

std::string TestNameOf(const testing::TestParamInfo<Wrong>& wrong) {
  std::string name = wrong.param.name;
  for (char& c : name)
    if (c == '-') c = '_';
  return name;
}

json RunWrong(const std::string& runner, const std::string& fault, const std::string& property,
              const std::string& bystander, int cases) {
  tools::Scratch scratch;
  const tools::Outcome outcome =
      tools::Run({runner, "--jobs=1", "--cases=" + std::to_string(cases),
                  "--filter=^(" + property + "|" + bystander + ")$", "--out=" + scratch / "out",
                  "--reproducers=-"},
                 {{"WRONG", fault}, {"ONEDNN_MAX_CPU_ISA", "AVX2"}, {"PATH", "/bin:/usr/bin"}});
  EXPECT_LE(outcome.status, 1) << outcome.err;
  return json::parse(scratch.Read("out/results.json"));
}

std::string VerdictOf(const json& results, const std::string& property) {
  for (const json& requirement : results["requirements"])
    for (const json& one : requirement["properties"])
      if (one["name"] == property) return one.value("verdict", "not_run");
  return "not there";
}

}  // namespace conformance
