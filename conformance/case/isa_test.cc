#include "conformance/case/isa.h"

#include <gtest/gtest.h>

#include <string>

namespace conformance {
namespace {

TEST(IsaCondition, HoldsOnItsSideOnly) {
  const IsaRange below = ParseIsaCondition("isa<avx512_core");
  const IsaRange from = ParseIsaCondition("isa>=avx512_core");
  EXPECT_EQ(below.error + from.error, "");
  for (const Isa isa : {Isa::kNone, Isa::kSse41, Isa::kAvx2}) {
    EXPECT_TRUE(below.Holds(isa)) << NameOf(isa);
    EXPECT_FALSE(from.Holds(isa)) << NameOf(isa);
  }
  for (const Isa isa : {Isa::kAvx512Core, Isa::kAvx512CoreBf16}) {
    EXPECT_FALSE(below.Holds(isa)) << NameOf(isa);
    EXPECT_TRUE(from.Holds(isa)) << NameOf(isa);
  }
}

TEST(IsaCondition, OverlapsWhereSomeIsaIsInBoth) {
  const IsaRange below = ParseIsaCondition("isa<avx2"), from = ParseIsaCondition("isa>=avx2");
  EXPECT_FALSE(below.Overlaps(from));
  EXPECT_FALSE(from.Overlaps(below));
  EXPECT_TRUE(below.Overlaps(ParseIsaCondition("isa<sse41")));
  EXPECT_TRUE(from.Overlaps(ParseIsaCondition("isa<avx512_core")));
  EXPECT_TRUE(from.Overlaps(IsaRange()));
}

TEST(IsaCondition, ThatCannotBeReadSaysWhatCan) {
  for (const char* word : {"isa<", "isa<avx9", "isa>avx2", "isa=avx2", "isa>=AVX2", "isa<none"}) {
    EXPECT_TRUE(IsIsaCondition(word)) << word;
    EXPECT_EQ(ParseIsaCondition(word).error,
              "'" + std::string(word) +
                  "' is neither isa<NAME nor isa>=NAME; names are sse41 avx avx2 avx512_core "
                  "avx512_core_vnni avx512_core_bf16");
  }
  for (const char* word : {"isa", "isation.md", "findings/isa<avx2.md", ""})
    EXPECT_FALSE(IsIsaCondition(word)) << word;
}

#if defined(__x86_64__)
TEST(IsaOfMachine, HasAName) { EXPECT_STRNE(NameOf(IsaOfMachine()), ""); }
#endif

}  // namespace
}  // namespace conformance
