#include "conformance/judge/shared_state.h"

#include <gtest/gtest.h>

namespace conformance {
namespace {

bool AreOfOneKind(const char* a, const char* b) {
  return FailureKind("here", "1", a) == FailureKind("here", "1", b);
}

TEST(FailureKind, NumbersDoNotMatter) {
  EXPECT_TRUE(AreOfOneKind("4814050.5 (0x4a92e9c5)", "12 (0x41400000)"));
  EXPECT_TRUE(AreOfOneKind("-1e-40", "3"));
  EXPECT_TRUE(AreOfOneKind("nan", "-inf"));
  EXPECT_TRUE(AreOfOneKind("dims 2x3x4", "dims 7"));
  EXPECT_TRUE(AreOfOneKind("strides 12, 4, 1", "strides 1"));
  EXPECT_FALSE(AreOfOneKind("dst[1,0,2] is u8", "dst[5] is s32"));
  EXPECT_TRUE(AreOfOneKind("dst[1,0,2] is u8", "dst[5] is u8"));
}

TEST(FailureKind, WordsMatter) {
  EXPECT_FALSE(AreOfOneKind("3", "no error"));
  EXPECT_FALSE(AreOfOneKind("error", "no error"));
  EXPECT_FALSE(AreOfOneKind("info", "inf"));
  EXPECT_FALSE(FailureKind("left", "1", "2") == FailureKind("right", "1", "2"));
}

TEST(FailureKind, EachTextCountsForItself) {
  EXPECT_FALSE(FailureKind("a", "b", "") == FailureKind("a", "", "b"));
}

TEST(InlineText, CutsBetweenCharacters) {
  InlineText<6> text;
  text.Set("abcd");
  EXPECT_EQ(text.Text(), "abcd");
  text.Set("abcdefgh");
  EXPECT_EQ(text.Text(), "abcde");
  EXPECT_TRUE(text.Is("abcdefgh"));
  EXPECT_FALSE(text.Is("abcd"));
  text.Set("abcd\xc3\xa9z");  // five bytes would end inside the e with its accent
  EXPECT_EQ(text.Text(), "abcd");
  EXPECT_TRUE(text.Is("abcd\xc3\xa9z"));
}

TEST(Tally, CountsInTwoColumnsUntilItIsFull) {
  auto* const tally = new Tally();
  tally->Add("odd", 0);
  tally->Add("even", 1);
  tally->Add("odd", 1);
  ASSERT_EQ(tally->size(), 2);
  EXPECT_EQ((*tally)[0].text.Text(), "odd");
  EXPECT_EQ((*tally)[0].counts[0], 1);
  EXPECT_EQ((*tally)[0].counts[1], 1);
  for (int i = 0; i < 2 * Tally::kRows; ++i) tally->Add(std::to_string(i), 0);
  EXPECT_EQ(tally->size(), Tally::kRows);
  delete tally;
}

TEST(SharedRunState, ATallySaysWhenATextFoundNoRoom) {
  SharedRunState* const state = SharedRunState::Map();
  state->Clear();
  for (int i = 0; i < Tally::kRows; ++i) state->classes.Add("class " + std::to_string(i), 0);
  state->classes.Add("class 0", 0);
  EXPECT_EQ(state->classes.size(), Tally::kRows);
  EXPECT_FALSE(state->classes.full());
  state->classes.Add("one more", 0);
  EXPECT_EQ(state->classes.size(), Tally::kRows);
  EXPECT_TRUE(state->classes.full());
  state->Clear();
  EXPECT_FALSE(state->classes.full());
}

TEST(SharedRunState, RemembersTheFirstFailureOfEachKind) {
  SharedRunState* const state = SharedRunState::Map();
  state->Clear();
  for (int i = 0; i < 5; ++i) {
    Trial trial(Profile::kPortable, EngineChoice::kCpu);
    trial.Fail(i == 3 ? "left" : "right", "1", std::to_string(i));
    state->Begin(i);
    state->Account(trial);
  }
  ASSERT_EQ(state->failure_count, 2);
  EXPECT_EQ(state->failures[0].index, 0);
  EXPECT_EQ(state->failures[0].count, 4);
  EXPECT_EQ(state->failures[1].index, 3);
  EXPECT_EQ(state->done, 5);
  state->Clear();
  EXPECT_EQ(state->failure_count, 0);
  EXPECT_EQ(state->done, 0);
  EXPECT_EQ(state->total_done, 5);
}

TEST(SharedRunState, AVacuousCaseShowsItsClasses) {
  // "Empty" and "group 1" are classes that an implementation which does nothing gets right, too.
  SharedRunState* const state = SharedRunState::Map();
  state->Clear();
  Trial trial(Profile::kPortable, EngineChoice::kCpu);
  trial.Cover("empty");
  trial.Vacuous();
  state->Account(trial);
  ASSERT_EQ(state->classes.size(), 1);
  EXPECT_EQ(state->classes[0].counts[0], 1);
}

TEST(SharedRunState, AClassThatWasRefusedIsKeptApart) {
  SharedRunState* const state = SharedRunState::Map();
  state->Clear();
  Trial trial(Profile::kPortable, EngineChoice::kCpu);
  trial.Cover("f16");
  trial.NotRun("no f16");
  state->Account(trial);
  EXPECT_EQ(state->classes[0].counts[0], 0);
  EXPECT_EQ(state->classes[0].counts[1], 1);
}

}  // namespace
}  // namespace conformance
