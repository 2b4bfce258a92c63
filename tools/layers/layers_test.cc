// The table of spec/decisions/0001-one-flow.md, against what Bazel says.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

namespace {

using testing::AnyOf;
using testing::AnyOfArray;
using testing::Contains;
using testing::Each;
using testing::MatchesRegex;
using testing::Not;
using testing::StartsWith;

// The labels that a query of this folder found.
std::vector<std::string> LabelsOf(const std::string& query) {
  std::ifstream file("tools/layers/" + query);
  std::vector<std::string> labels;
  for (std::string line; std::getline(file, line);) labels.push_back(line);
  EXPECT_FALSE(labels.empty()) << query;
  return labels;
}

// The labels of all rules that a layer is made of.
std::vector<std::string> DepsOf(const std::string& layer) { return LabelsOf(layer + "_deps"); }

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

TEST(Layers, TheInterpreterOfTestsSeesTheAnswersAndNoImplementation) {
  const std::vector<std::string> deps = OwnDepsOf("interpreter");
  EXPECT_THAT(deps, Contains(StartsWith("//spec/reorder:")));
  EXPECT_THAT(deps,
              Each(AnyOf(StartsWith("//spec/"), StartsWith("//api/testing:"),
                         StartsWith("//api/spi:"), MatchesRegex("//api/[a-z_]+:(operation|params)"),
                         MatchesRegex("//api/[a-z_]+/testing:interpret"))));
}

TEST(Layers, WhoUsesApiNeedsNoTestLibrary) {
  for (const char* library : {"@googletest", "@rapidcheck", "@google_benchmark", "@onednn"}) {
    EXPECT_THAT(DepsOf("api"), Each(Not(StartsWith(library))));
  }
}

TEST(Layers, ImplCpuSeesTheServiceInterfaceAndItself) {
  EXPECT_THAT(OwnDepsOf("impl_cpu"), Each(AnyOf(StartsWith("//impl_cpu"), StartsWith("//api/spi:"),
                                                StartsWith("//api/spi/strided:"),
                                                MatchesRegex("//api/[a-z_]+:(operation|params)"))));
}

TEST(Layers, TheServiceInterfaceKnowsThePlainParametersOfPrimitivesAlone) {
  EXPECT_THAT(OwnDepsOf("spi"),
              Each(AnyOf(StartsWith("//api/spi:"), MatchesRegex("//api/[a-z_]+:params"))));
}

TEST(Layers, TypesDependOnLayoutsAlone) {
  EXPECT_THAT(OwnDepsOf("types"),
              testing::UnorderedElementsAre("//api/spi:types", "//api/spi:layout"));
}

TEST(Layers, SpecDependsOnNothingButTheToolThatReadsIt) {
  EXPECT_THAT(OwnDepsOf("spec"),
              Each(AnyOf(StartsWith("//spec"), StartsWith("//tools/requirements:"))));
}

// The words of an environment variable that the BUILD file sets from topics.bzl.
std::vector<std::string> WordsOf(const char* variable) {
  const char* const value = std::getenv(variable);
  std::istringstream words(value == nullptr ? "" : value);
  std::vector<std::string> found;
  for (std::string word; words >> word;) found.push_back(word);
  EXPECT_FALSE(found.empty()) << variable;
  return found;
}

// The packages of a folder below conformance/, and what else of ours its libraries may use: an
// end of '/' stands for all below. No folder may use one that is not named here.
const std::map<std::string, std::set<std::string>>& SuiteArrows() {
  static const auto* const arrows = [] {
    auto* const made = new std::map<std::string, std::set<std::string>>;
    std::set<std::string> before = {"spec/"};
    for (const char* folder : {"case", "judge", "verdict", "report", "reproduce", "cli"}) {
      (*made)[folder] = before;
      before.insert(std::string("conformance/") + folder);
    }
    // What a program knows of its subject, without the subject's header.
    (*made)["cli"].insert({"conformance/subject", "tools/sanitizers"});
    (*made)["gen"] = {"spec/", "conformance/case"};
    (*made)["subject"] = {"spec/", "conformance/case", "conformance/gen"};
    // Alone in seeing what implementations provide: it puts a shared object in their place.
    (*made)["plugin"] = {"api/", "conformance/subject"};
    std::set<std::string> topics = {"spec/", "conformance/case", "conformance/gen",
                                    "conformance/subject"};
    for (const std::string& topic : WordsOf("TOPICS")) {
      (*made)[topic] = topics;
      topics.insert("conformance/" + topic);
    }
    // Its cases name no primitive: topics give it samples.
    (*made)["model"] = {"spec/", "conformance/case", "conformance/gen", "conformance/subject",
                        "conformance/memory"};
    return made;
  }();
  return *arrows;
}

bool IsAllowed(const std::set<std::string>& allowed, const std::string& package) {
  return std::any_of(allowed.begin(), allowed.end(), [&package](const std::string& entry) {
    return entry.back() == '/' ? (package + "/").rfind(entry, 0) == 0 : package == entry;
  });
}

// "conformance/case" of "//conformance/case:trial"; "" for what is not in this repository.
std::string PackageOf(const std::string& label) {
  return label.rfind("//", 0) == 0 ? label.substr(2, label.find(':') - 2) : "";
}

// One target uses another.
struct Edge {
  std::string from, to;
};

// The edges between different packages, without those to the root.
std::vector<Edge> EdgesOf(const std::string& graph) {
  std::ifstream file("tools/layers/" + graph + "_graph");
  std::vector<Edge> edges;
  for (std::string line; std::getline(file, line);) {
    // `  "//conformance/judge:judge" -> "//conformance/case:trial"`
    std::vector<std::string> quoted;
    std::istringstream words(line);
    for (std::string part; std::getline(words, part, '"');) quoted.push_back(part);
    if (quoted.size() < 4 || quoted[2] != " -> ") continue;
    const std::string to = PackageOf(quoted[3]);
    if (to.empty() || to == PackageOf(quoted[1])) continue;
    edges.push_back({quoted[1], quoted[3]});
  }
  return edges;
}

TEST(Layers, TheSuiteIsAChain) {
  std::map<std::string, int> edges;
  for (const Edge& edge : EdgesOf("suite")) {
    const std::string from = PackageOf(edge.from), to = PackageOf(edge.to);
    if (from.rfind("conformance/", 0) != 0) continue;
    const std::string folder = from.substr(from.find('/') + 1);
    ++edges[folder];
    const auto arrows = SuiteArrows().find(folder);
    ASSERT_NE(arrows, SuiteArrows().end()) << from << " has no place in the chain";
    EXPECT_TRUE(IsAllowed(arrows->second, to)) << edge.from << " uses " << edge.to;
  }
  for (const auto& [folder, allowed] : SuiteArrows()) EXPECT_GT(edges[folder], 0) << folder;
}

TEST(Layers, BlockingSubjectsSeeTheServiceInterfaceAlone) {
  int edges = 0;
  for (const Edge& edge : EdgesOf("blocking")) {
    if (PackageOf(edge.from) != "conformance/blocking") continue;
    ++edges;
    EXPECT_THAT(edge.to,
                AnyOf(StartsWith("//api/spi:"), testing::StrEq("//api/convolution:operation")))
        << edge.from;
  }
  EXPECT_GT(edges, 0);
}

TEST(Layers, TheSuiteSeesOfTheLibraryWhatProgramsSee) {
  EXPECT_THAT(LabelsOf("visible_to_topics"), testing::UnorderedElementsAre("//api:api"));
  int edges = 0;
  for (const Edge& edge : EdgesOf("suite")) {
    const std::string from = PackageOf(edge.from), to = PackageOf(edge.to);
    if ((from + "/").rfind("conformance/", 0) != 0 || (to + "/").rfind("api/", 0) != 0) continue;
    if (from == "conformance/plugin") continue;
    ++edges;
    EXPECT_THAT(edge.to, AnyOf("//api:api", "//api:headers", "//api:short_names",
                               "//api/vulkan_interop:vulkan_interop"))
        << edge.from;
  }
  EXPECT_GT(edges, 0);
}

// "memory" of "//api/memory:layout", "." of "//api:headers". What a primitive's operation is in
// plain values, its params.h and operation.h, counts as part of spi, which lists those of all in
// files that are written from topics.bzl.
std::string PartOfApi(const std::string& label) {
  const std::string package = PackageOf(label), target = label.substr(label.find(':') + 1);
  if (package == "api") return ".";
  return target == "params" || target == "operation" ? "spi"
                                                     : package.substr(package.find('/') + 1);
}

// Which parts of api a part uses, each one of those before it. A primitive stands for all of them.
const std::vector<std::pair<std::string, std::set<std::string>>>& ApiArrows() {
  static const auto* const arrows = new std::vector<std::pair<std::string, std::set<std::string>>>{
      {"types", {}},
      {"spi", {}},
      {"spi/strided", {"spi"}},
      {"plugin", {"spi"}},
      {"engine", {"spi", "types"}},
      {"memory", {"engine", "spi", "types"}},
      {"model", {"engine", "memory", "spi", "types"}},
      {"product", {"engine", "memory", "model", "spi", "types"}},
      {"PRIMITIVE", {"engine", "memory", "model", "product", "spi", "types"}},
      {"c_api", {"PRIMITIVE", "engine", "memory", "model", "types"}},
      {".", {"PRIMITIVE", "c_api", "engine", "memory", "model", "types"}},
      {"vulkan_interop", {".", "engine", "memory", "model", "spi"}}};
  return *arrows;
}

TEST(Layers, ApiPointsDownwardsOnly) {
  std::set<std::string> before;
  for (const auto& [part, uses] : ApiArrows()) {
    EXPECT_THAT(uses, Each(AnyOfArray(before))) << part;
    before.insert(part);
  }
}

TEST(Layers, ApiHasNoOtherArrows) {
  std::map<std::string, std::set<std::string>> seen;
  for (const Edge& edge : EdgesOf("api")) {
    if ((PackageOf(edge.from) + "/").rfind("api/", 0) != 0) continue;
    if ((PackageOf(edge.to) + "/").rfind("api/", 0) != 0) continue;
    const std::string from = PartOfApi(edge.from), to = PartOfApi(edge.to);
    if (from != to) seen[from].insert(to);
  }
  std::vector<std::string> in_c = WordsOf("IN_C");
  in_c.push_back("reorder");  // made by a C function of its own, from no operation descriptor
  const std::vector<std::string> primitives = WordsOf("PRIMITIVES");
  for (const auto& [user, used] : {std::pair(".", primitives), std::pair("c_api", in_c)}) {
    for (const std::string& primitive : used)
      EXPECT_EQ(seen[user].erase(primitive), 1u) << user << " does not use " << primitive;
    seen[user].insert("PRIMITIVE");
  }
  for (const std::string& primitive : primitives) {
    EXPECT_FALSE(seen[primitive].empty()) << primitive;
    seen["PRIMITIVE"].insert(seen[primitive].begin(), seen[primitive].end());
    seen.erase(primitive);
  }
  std::map<std::string, std::set<std::string>> pinned;
  for (const auto& [part, uses] : ApiArrows())
    if (!uses.empty()) pinned[part] = uses;
  EXPECT_EQ(seen, pinned);
}

TEST(Layers, ImplVulkanPointsDownwardsOnly) {
  // Folders that are no layer are topics: above all layers, and none above another. The root of
  // the folder, which makes the table of topics, is above these.
  const std::vector<std::string> layers = {"glsl",  "device",  "memory",
                                           "model", "strided", "product"};
  const auto level = [&layers](const std::string& package) {
    if (package == "impl_vulkan") return layers.size() + 1;
    const auto found =
        std::find(layers.begin(), layers.end(), package.substr(package.find('/') + 1));
    return static_cast<size_t>(found - layers.begin());
  };
  std::set<std::string> seen;
  for (const Edge& edge : EdgesOf("impl_vulkan")) {
    const std::string from = PackageOf(edge.from), to = PackageOf(edge.to);
    if (from.rfind("impl_vulkan", 0) != 0) continue;
    seen.insert(from);
    if (to.rfind("impl_vulkan", 0) == 0) {
      EXPECT_GT(level(from), level(to)) << edge.from << " uses " << edge.to;
    } else {
      EXPECT_THAT(edge.to, AnyOf(StartsWith("//api/spi:"), StartsWith("//api/spi/strided:"),
                                 MatchesRegex("//api/[a-z_]+:operation")))
          << edge.from;
    }
  }
  // All but glsl, which uses nothing.
  EXPECT_GE(seen.size(), layers.size() + 2);
}

TEST(Layers, ImplCpuHasNoOtherArrows) {
  // Which packages of it a package uses. A primitive may use all of these, and no other primitive;
  // nobody uses the root, which uses every primitive.
  const std::map<std::string, std::set<std::string>> arrows = {
      {"", {"isa", "memory", "numeric", "threads"}},
      {"strided", {"convert", "isa", "move", "numeric", "plain", "threads"}},
      {"move", {"isa"}},
      {"convert", {"move", "numeric"}},
      {"elementwise", {"numeric"}},
      {"plain", {"numeric"}},
      {"product", {"convert", "elementwise", "isa", "move", "numeric", "plain", "threads"}}};
  std::set<std::string> shared;
  for (const auto& [from, uses] : arrows) shared.insert(uses.begin(), uses.end());
  for (const auto& [from, uses] : arrows) shared.insert(from);
  shared.erase("");
  std::map<std::string, std::set<std::string>> seen;
  const std::string root = "impl_cpu";
  for (const Edge& edge : EdgesOf("impl_cpu")) {
    const std::string from = PackageOf(edge.from), to = PackageOf(edge.to);
    if (from.rfind(root, 0) != 0 || to.rfind(root, 0) != 0) continue;
    seen[from == root ? "" : from.substr(root.size() + 1)].insert(to.substr(root.size() + 1));
  }
  for (const std::string& primitive : WordsOf("PRIMITIVES")) {
    EXPECT_EQ(seen[""].erase(primitive), 1u) << primitive;
    for (const std::string& used : seen[primitive])
      EXPECT_EQ(shared.count(used), 1u) << primitive << " uses " << used;
    seen.erase(primitive);
  }
  EXPECT_EQ(seen, arrows);
}

}  // namespace
