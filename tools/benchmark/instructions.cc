#include "tools/benchmark/instructions.h"

#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include "tools/benchmark/cases.h"
#include "tools/benchmark/peers/process.h"
#include "tools/benchmark/subject.h"

namespace bench {
namespace {

constexpr const char* kLevels[] = {"SSE4", "AVX2", "AVX512"};

// 0 for what is none of them.
size_t LevelOf(const std::string& instructions) {
  for (size_t i = 0; i < 3; ++i)
    if (instructions == kLevels[i]) return i + 1;
  return 0;
}

// Of a plan's description: "cpu:copy:AVX3_DL f32->f32 ...".
std::string OurInstructions() {
  float memory[2] = {};
  Case c;
  c.src = c.dst = Dense("f32", {1}, "a");
  const auto ours = MakeOurs(c, memory, memory + 1);
  if (ours == nullptr) return "unknown";
  std::string info = ours->Info();
  info = info.substr(0, info.find(' '));
  const std::string target = info.substr(info.rfind(':') + 1);
  if (target.compare(0, 4, "AVX3") == 0) return "AVX512";
  for (const char* none : {"SCALAR", "EMU128", "SSE2", "SSSE3", "SSE4"})
    if (target == none) return "SSE4";
  return target == "AVX2" ? "AVX2" : "unknown";
}

}  // namespace

std::map<std::string, std::string> VariablesOf(const std::string& cap) {
  const size_t level = LevelOf(cap);
  if (level == 0) return {};
  const auto pick = [level](const char* sse4, const char* avx2, const char* avx512) {
    return level == 1 ? sse4 : level == 2 ? avx2 : avx512;
  };
  constexpr char kNotSse4[] = "AVX,FP16,FMA3,AVX2,AVX512F,AVX512-COMMON,AVX512-SKX";
  constexpr char kNotAvx2[] = "AVX512F,AVX512-COMMON,AVX512-SKX";
  return {
      {"DNNSPEC_MAX_ISA", pick("SSE4", "AVX2", "AVX3_DL")},
      {"DNNSPEC_PEER_ISA", cap},
      {"ONEDNN_MAX_CPU_ISA", pick("SSE41", "AVX2", "AVX512_CORE_BF16")},
      {"OPENBLAS_CORETYPE", pick("Nehalem", "Haswell", "SkylakeX")},
      {"OPENCV_CPU_DISABLE", pick(kNotSse4, kNotAvx2, "")},
  };
}

std::vector<InUse> InstructionsInUse(const Peers& peers) {
  std::vector<InUse> all = {{"ours", OurInstructions()}};
  if (const std::string stock = StockInstructions(); !stock.empty())
    all.push_back({"stock oneDNN", stock});
  for (const auto& peer : peers.all())
    all.push_back({peer->name() + " " + peer->version(), peer->instructions()});
  return all;
}

std::string ToString(const std::vector<InUse>& all) {
  std::string line;
  for (const InUse& one : all)
    line += (line.empty() ? "" : ", ") + one.library + " " + one.instructions;
  return line;
}

std::string Beyond(const std::string& cap, const std::vector<InUse>& all) {
  for (const InUse& one : all)
    if (LevelOf(one.instructions) > LevelOf(cap)) return one.library + " uses " + one.instructions;
  return "";
}

}  // namespace bench
