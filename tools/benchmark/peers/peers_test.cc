// What the benchmark and the programs of peers say to each other, and that a result that is not
// ours is found.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include "tools/benchmark/cases.h"
#include "tools/benchmark/peers/loops.h"
#include "tools/benchmark/peers/process.h"
#include "tools/benchmark/peers/request.h"

namespace bench {
namespace {

using testing::HasSubstr;

constexpr char kFake[] = "tools/benchmark/peers/fake";

Case Transposition() {
  Case c;
  c.src = Dense("f32", {3, 5}, "ab");
  c.dst = Dense("f32", {3, 5}, "ba");
  return c;
}

TEST(Request, KeepsAllThatThereIsToCompute) {
  for (const Case& c : AllCases()) {
    if (c.kind != Kind::kReorder && c.kind != Kind::kShuffle) continue;
    Case back;
    ASSERT_TRUE(FromText(ToText(c), &back)) << c.name;
    EXPECT_EQ(back.kind, c.kind) << c.name;
    EXPECT_EQ(back.src.strides, c.src.strides) << c.name;
    EXPECT_EQ(back.dst.dims, c.dst.dims) << c.name;
    EXPECT_EQ(back.dst.type, c.dst.type) << c.name;
    EXPECT_EQ(back.beta, c.beta) << c.name;
    EXPECT_EQ(ToText(back), ToText(c)) << c.name;
  }
}

TEST(Request, IsRefusedWhereSomethingIsMissing) {
  const std::string text = ToText(Transposition());
  Case c;
  EXPECT_TRUE(FromText(text, &c));
  EXPECT_FALSE(FromText(text.substr(0, text.rfind(' ')), &c));
  EXPECT_FALSE(FromText("reorder 99 1", &c));
  EXPECT_FALSE(FromText("softmax 1 1 f32 1 f32 1 -1 0 0 0 0 1 0 1", &c));
}

TEST(Loops, AreOneWhereTheyContinueOneAnother) {
  Case c = Transposition();
  EXPECT_EQ(LoopsOf(c).size(), 2u);
  EXPECT_EQ(LoopsOf(c)[0].src, 1);
  c.dst = c.src;
  ASSERT_EQ(LoopsOf(c).size(), 1u);
  EXPECT_EQ(LoopsOf(c)[0].count, 15);
}

// Runs `c` with the fake peer on 4096 bytes, source first, that hold 0, 1, 2, ...
struct Execution {
  explicit Execution(const Case& c) {
    why = peers.Add(kFake);
    memory = peers.Map(4096);
    auto* const values = reinterpret_cast<float*>(memory);
    for (int i = 0; i < 1024; ++i) values[i] = static_cast<float>(i);
    if (!why.empty()) return;
    Peer& peer = *peers.all()[0];
    began = peer.Begin(c, 0, 2048, 4096);
    if (began) seconds = peer.Run(1);
    ended = peer.ended();
    result.assign(memory + 2048, memory + 2048 + c.dst.span_bytes());
  }
  ~Execution() { Peers::Unmap(memory, 4096); }

  Peers peers;
  std::string why;
  uint8_t* memory = nullptr;
  bool began = false, ended = false;
  double seconds = 0;
  std::vector<uint8_t> result;
};

class PeerTest : public testing::Test {
 protected:
  ~PeerTest() override { unsetenv("FAKE_PEER"); }
  static void Misbehave(const char* how) { setenv("FAKE_PEER", how, 1); }
};

std::vector<uint8_t> Transposed() {
  std::vector<float> values;
  for (int column = 0; column < 5; ++column)
    for (int row = 0; row < 3; ++row) values.push_back(static_cast<float>(row * 5 + column));
  std::vector<uint8_t> bytes(values.size() * sizeof(float));
  std::memcpy(bytes.data(), values.data(), bytes.size());
  return bytes;
}

TEST_F(PeerTest, ComputesInSharedMemoryAndTellsTheTime) {
  const Case c = Transposition();
  const Execution run(c);
  ASSERT_EQ(run.why, "");
  EXPECT_EQ(run.peers.all()[0]->name(), "fake");
  EXPECT_EQ(run.peers.all()[0]->instructions(), "unknown");
  ASSERT_TRUE(run.began);
  EXPECT_TRUE(std::isfinite(run.seconds));
  EXPECT_EQ(Difference(c, Transposed().data(), run.result.data()), "");
}

TEST_F(PeerTest, IsNotComparedWhereItComputesSomethingElse) {
  Misbehave("wrong");
  const Case c = Transposition();
  const Execution run(c);
  ASSERT_TRUE(run.began);
  EXPECT_THAT(Difference(c, Transposed().data(), run.result.data()), HasSubstr("element 0 is"));
}

TEST_F(PeerTest, MayHaveNoOperator) {
  Case c = Transposition();
  c.scale_mask = 0;
  EXPECT_FALSE(Execution(c).began);
}

TEST_F(PeerTest, MayEndInTheMiddle) {
  Misbehave("dies");
  const Execution run(Transposition());
  EXPECT_TRUE(run.ended);
  EXPECT_FALSE(std::isfinite(run.seconds));
  EXPECT_FALSE(run.peers.all()[0]->Begin(Transposition(), 0, 2048, 4096));
}

TEST_F(PeerTest, IsNotThereWhereItDoesNotStart) {
  Peers peers;
  EXPECT_EQ(peers.Add("/no/such/program"), "/no/such/program does not start");
  EXPECT_EQ(peers.Add("/bin/true"), "/bin/true does not start");
  EXPECT_TRUE(peers.all().empty());
}

TEST(Difference, AllowsARoundingOfArithmeticOnly) {
  Case c;
  c.src = c.dst = Dense("s8", {4}, "a");
  const uint8_t ours[] = {1, 2, 3, 255}, near[] = {1, 3, 3, 255}, far[] = {1, 4, 3, 255};
  EXPECT_EQ(Difference(c, ours, ours), "");
  EXPECT_EQ(Difference(c, ours, near), "element 1 is 3, not 2");
  c.scale_mask = 0;
  EXPECT_EQ(Difference(c, ours, near), "");
  EXPECT_EQ(Difference(c, ours, far), "element 1 is 4, not 2");
}

}  // namespace
}  // namespace bench
