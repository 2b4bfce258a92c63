#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <string>
#include <vector>

#include "tools/testing/command.h"

namespace {

using testing::HasSubstr;
using testing::Not;
using tools::Outcome;
using tools::Scratch;

Outcome Bench(std::vector<std::string> arguments,
              const std::map<std::string, std::string>& environment = {}) {
  arguments.insert(arguments.begin(), "tools/benchmark/bench");
  return tools::Run(arguments, environment);
}

TEST(Bench, WritesTheTableAndThePlot) {
  const Scratch scratch;
  const Outcome outcome =
      Bench({"--filter=^tiny/", "--rounds=1", "--threads=1", "--out=" + (scratch / "new")});
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("tiny/f32 copy 16"));
  EXPECT_THAT(outcome.out, HasSubstr("of the copy"));
  const std::string json = scratch.Read("new/results.json");
  EXPECT_THAT(json, HasSubstr("\"threads\": \"1\""));
  EXPECT_THAT(json, HasSubstr("\"share of copy\""));
  EXPECT_THAT(json, Not(HasSubstr("create/")));
  EXPECT_THAT(scratch.Read("new/results.svg"), HasSubstr("1 thread<"));
}

TEST(Bench, TellsWhatConvolutionsAimAt) {
  const Outcome outcome = Bench({"--filter=^convolution create/", "--rounds=1", "--threads=1"});
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("list of convolutions"));
  EXPECT_THAT(outcome.out, HasSubstr("creation, shape not seen"));
}

TEST(Bench, ListsTheCases) {
  const Outcome outcome = Bench({"--list"});
  EXPECT_EQ(outcome.status, 0);
  EXPECT_THAT(outcome.out, HasSubstr("three channels/u8 nhwc->nchw 3"));
  EXPECT_THAT(outcome.out, HasSubstr("convolution ResNet-50/7x7 3->64, 224 stride 2"));
}

TEST(Bench, ExplainsItself) { EXPECT_THAT(Bench({"--help"}).out, HasSubstr("--filter=RE")); }

TEST(Bench, RefusesWhatItDoesNotKnowInOneLine) {
  for (const char* argument : {"--thread=2", "--threads=none", "--rounds=0"}) {
    const Outcome outcome = Bench({argument});
    EXPECT_EQ(outcome.status, 2);
    EXPECT_THAT(outcome.err, HasSubstr(std::string("bench: ")));
    EXPECT_THAT(outcome.err, HasSubstr(argument));
  }
}

}  // namespace
