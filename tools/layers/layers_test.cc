// The table of spec/decisions/0001-one-flow.md, against what Bazel says.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <string>
#include <vector>

namespace {

using testing::AnyOf;
using testing::Contains;
using testing::Each;
using testing::MatchesRegex;
using testing::Not;
using testing::StartsWith;

// The labels of all rules that a layer is made of.
std::vector<std::string> DepsOf(const std::string& layer) {
  std::ifstream file("tools/layers/" + layer + "_deps");
  std::vector<std::string> labels;
  for (std::string line; std::getline(file, line);) labels.push_back(line);
  EXPECT_FALSE(labels.empty()) << layer;
  return labels;
}

// Those of them that are in this repository.
std::vector<std::string> OwnDepsOf(const std::string& layer) {
  std::vector<std::string> labels = DepsOf(layer);
  labels.erase(std::remove_if(labels.begin(), labels.end(),
                              [](const std::string& label) { return label.rfind("//", 0) != 0; }),
               labels.end());
  return labels;
}

TEST(Layers, ApiNeverSeesTheAnswers) {
  const std::vector<std::string> deps = DepsOf("api");
  EXPECT_THAT(deps, Contains(StartsWith("//api/spi:")));
  EXPECT_THAT(deps, Each(Not(StartsWith("//spec"))));
  EXPECT_THAT(deps, Each(Not(StartsWith("//conformance"))));
}

TEST(Layers, WhoUsesApiNeedsNoTestLibrary) {
  for (const char* library : {"@googletest", "@rapidcheck", "@google_benchmark", "@onednn"}) {
    EXPECT_THAT(DepsOf("api"), Each(Not(StartsWith(library))));
  }
}

TEST(Layers, ImplCpuSeesTheServiceInterfaceAndItself) {
  EXPECT_THAT(OwnDepsOf("impl_cpu"), Each(AnyOf(StartsWith("//impl_cpu"), StartsWith("//api/spi:"),
                                                MatchesRegex("//api/[a-z_]+:operation"))));
}

TEST(Layers, TheServiceInterfaceIsOperationsAndTypes) {
  EXPECT_THAT(OwnDepsOf("spi"),
              Each(AnyOf(StartsWith("//api/spi:"), MatchesRegex("//api/[a-z_]+:operation"))));
}

TEST(Layers, TypesDependOnNothing) {
  EXPECT_THAT(DepsOf("types"), testing::ElementsAre("//api/spi:types"));
}

TEST(Layers, SpecDependsOnNothingButTheToolThatReadsIt) {
  EXPECT_THAT(OwnDepsOf("spec"),
              Each(AnyOf(StartsWith("//spec"), StartsWith("//tools/requirements:"))));
}

}  // namespace
