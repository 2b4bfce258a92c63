#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <string>

#include "tools/testing/command.h"

namespace {

using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;
using tools::Outcome;
using tools::Scratch;

Outcome Check(const std::string& file) {
  return tools::Run({std::filesystem::canonical("tools/check_instructions"), file},
                    {{"PATH", "/usr/bin:/bin"}});
}

// Checks an object file with one function of the mangled name `symbol` and these instructions.
class CheckInstructions : public testing::Test {
 protected:
  Outcome CheckFunction(const std::string& symbol, const std::string& instructions) {
    const std::string source = scratch_.Write(
        "f.s", ".type " + symbol + ",@function\n" + symbol + ":\n" + instructions + "\n");
    const std::string object = scratch_ / "f.o";
    const Outcome assembled = tools::Run({"as", source, "-o", object}, {{"PATH", "/usr/bin:/bin"}});
    EXPECT_EQ(assembled.status, 0) << assembled.err;
    return Check(object);
  }

  Scratch scratch_;
};

constexpr char kEverywhere[] = "_ZN8impl_cpu4PlanEv";
constexpr char kScalar[] = "_ZN8impl_cpu8N_SCALAR4MoveEv";
constexpr char kSsse3[] = "_ZN8impl_cpu7N_SSSE34MoveEv";
constexpr char kSse4[] = "_ZN8impl_cpu6N_SSE44MoveEv";
constexpr char kAvx2[] = "_ZN8impl_cpu6N_AVX24MoveEv";
constexpr char kAvx3[] = "_ZN8impl_cpu6N_AVX34MoveEv";
constexpr char kAvx3Dl[] = "_ZN8impl_cpu9N_AVX3_DL4MoveEv";

TEST_F(CheckInstructions, AcceptsWhatATargetPromises) {
  const char* const kRight[][2] = {
      {kEverywhere,
       "addps %xmm0,%xmm1\nnopw 0x0(%rax,%rax,1)\ntzcnt %rax,%rbx\n1: jmp 1b\ncall 1b"},
      {kScalar, "mulss %xmm0,%xmm1"},
      {kSsse3, "pshufb %xmm0,%xmm1"},
      {kSse4, "pmulld %xmm0,%xmm1\npopcnt %rax,%rbx"},
      {kAvx2, "vpaddd %ymm0,%ymm1,%ymm2\nvfmadd231ps %ymm0,%ymm1,%ymm2\nvcvtph2ps %xmm0,%ymm1"},
      {kAvx3, "vpaddd %zmm0,%zmm1,%zmm2{%k1}\nvpaddd %ymm16,%ymm1,%ymm2\nkmovq %k1,%rax"},
      {kAvx3Dl, "vpermb %zmm0,%zmm1,%zmm2\nvpdpbusd %zmm0,%zmm1,%zmm2"},
  };
  for (const auto& [symbol, instructions] : kRight) {
    const Outcome outcome = CheckFunction(symbol, instructions);
    EXPECT_EQ(outcome.status, 0) << symbol << "\n" << outcome.out << outcome.err;
  }
}

TEST_F(CheckInstructions, RefusesWhatItDoesNotAndNamesTheFunction) {
  const char* const kWrong[][3] = {
      {kEverywhere, "pshufb %xmm0,%xmm1",
       "impl_cpu::Plan(): pshufb %xmm0,%xmm1: not of every x86-64"},
      {kEverywhere, "shlx %rax,%rbx,%rcx", "not of every x86-64: encoded with VEX"},
      {kScalar, "roundss $1,%xmm0,%xmm1",
       "N_SCALAR::Move(): roundss $0x1,%xmm0,%xmm1: not of SCALAR"},
      {kSsse3, "pmulld %xmm0,%xmm1", "not of SSSE3"},
      {kSse4, "vpaddd %xmm0,%xmm1,%xmm2", "not of SSE4: encoded with VEX"},
      {kAvx2, "vpaddd %zmm0,%zmm1,%zmm2", "not of AVX2: encoded with EVEX"},
      // In words there is nothing of AVX-512 here.
      {kAvx2, "{evex} vaddps %ymm0,%ymm1,%ymm2", "not of AVX2: encoded with EVEX"},
      {kAvx2, "{vex} vpdpbusd %ymm0,%ymm1,%ymm2", "not of AVX2"},
      {kAvx3, "vpermb %zmm0,%zmm1,%zmm2", "not of AVX3"},
      // What Highway 1.0.3 lets the compiler use and does not look for.
      {kAvx3Dl, "{vex} vpdpbusd %ymm0,%ymm1,%ymm2",
       "N_AVX3_DL::Move(): {vex} vpdpbusd %ymm0,%ymm1,%ymm2: not of AVX3_DL"},
      {kAvx3Dl, "vdpbf16ps %zmm0,%zmm1,%zmm2", "not of AVX3_DL"},
  };
  for (const auto& [symbol, instruction, problem] : kWrong) {
    const Outcome outcome = CheckFunction(symbol, "addps %xmm0,%xmm1\n" + std::string(instruction));
    // (an instruction of SSE is right in every one of them)
    EXPECT_EQ(outcome.status, 1) << symbol << " " << instruction << outcome.err;
    EXPECT_THAT(outcome.out, HasSubstr(problem));
    EXPECT_THAT(outcome.out, Not(HasSubstr("addps %xmm0,%xmm1: ")));
  }
}

TEST_F(CheckInstructions, RefusesATargetThatItDoesNotKnow) {
  const Outcome outcome = CheckFunction("_ZN8impl_cpu6N_AVX94MoveEv", "ret");
  EXPECT_EQ(outcome.status, 2);
  EXPECT_THAT(outcome.err, HasSubstr("nobody wrote down what Highway promises for AVX9"));
}

TEST_F(CheckInstructions, RefusesWhatHasNoCodeInOneLine) {
  for (const std::string& file : {scratch_ / "missing", scratch_.Write("text", "text\n")}) {
    const Outcome outcome = Check(file);
    EXPECT_EQ(outcome.status, 2);
    EXPECT_THAT(outcome.err, StartsWith("check_instructions: " + file));
  }
}

TEST(Shipped, CodeForEachInstructionSetKeepsToIt) {
  const Outcome outcome = Check("tools/packaging/libdnnspec.so");
  EXPECT_EQ(outcome.status, 0) << outcome.out << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("for every machine: "));
#if defined(__x86_64__)
  for (const char* target : {"SSSE3", "SSE4", "AVX2", "AVX3", "AVX3_DL"})
    EXPECT_THAT(outcome.out, HasSubstr("\n" + std::string(target) + ": "));
#endif
}

}  // namespace
