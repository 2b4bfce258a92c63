// What a compiler makes of programs that include the installed headers, in the oldest standard that
// oneDNN 2.6 is for.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <regex>
#include <set>
#include <string>
#include <vector>

#include "tools/testing/command.h"

namespace {

using testing::HasSubstr;
using testing::Not;

std::string Headers() {
  return std::string(std::getenv("TEST_SRCDIR")) + "/" + std::getenv("TEST_WORKSPACE") +
         "/tools/packaging/include";
}

std::map<std::string, std::string> Environment() { return {{"PATH", std::getenv("PATH")}}; }

// The flag by which the compiler reports every error.
std::string AllErrors() {
  const bool clang =
      tools::Run({"c++", "--version"}, Environment()).out.find("clang") != std::string::npos;
  return clang ? "-ferror-limit=0" : "-fmax-errors=0";
}

// Of `c++` or, for a program in C, `cc`.
tools::Outcome Compile(const std::string& text, bool as_c = false) {
  static const std::string all_errors = AllErrors();
  const tools::Scratch scratch;
  const std::string source = scratch.Write(as_c ? "program.c" : "program.cc", text);
  return tools::Run(
      {as_c ? "cc" : "c++", as_c ? "-std=c99" : "-std=c++11", "-Wall", "-Wextra", "-Wpedantic",
       "-Werror", all_errors, "-fsyntax-only", "-I" + Headers(), source},
      Environment());
}

int Count(const std::string& text, const std::string& part) {
  int count = 0;
  for (auto at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++count;
  return count;
}

TEST(InstalledHeaders, CompileInTheOldestStandards) {
  for (const char* const name : {"dnnl.hpp", "oneapi/dnnl/dnnl.hpp"})
    EXPECT_EQ(Compile("#include <" + std::string(name) + ">\n").err, "") << name;
  for (const char* const name : {"dnnl.h", "oneapi/dnnl/dnnl_types.h", "dnnl_debug.h"})
    EXPECT_EQ(Compile("#include <" + std::string(name) + ">\nint x;\n", true).err, "") << name;
}

TEST(InstalledHeaders, MayBePrecededAndFollowedByDeclarations) {
  const std::string declarations =
      "namespace dnnl { struct memory; struct engine; struct primitive; struct reorder; "
      "struct matmul; }\n";
  EXPECT_EQ(Compile(declarations + "#include <dnnl.hpp>\n" + declarations +
                    "dnnl::memory* one(dnnl::memory& m) { return &m; }\n")
                .err,
            "");
}

TEST(InstalledHeaders, BringTheStandardHeadersThatOneDnnBrings) {
  EXPECT_EQ(Compile("#include <dnnl.hpp>\n"
                    "void f(std::vector<int>& v, std::unordered_map<int, std::string>& m) {\n"
                    "  std::sort(v.begin(), v.end());\n"
                    "  std::shared_ptr<int> p = std::make_shared<int>(std::abs(v[0]));\n"
                    "  m[*p] = std::to_string(std::distance(std::begin(v), std::end(v)));\n"
                    "}\n")
                .err,
            "");
}

// Every primitive of oneDNN 2.6, whether it is here or not.
const char* const kPrimitives[] = {
    "augru_backward",
    "augru_forward",
    "batch_normalization_backward",
    "batch_normalization_forward",
    "binary",
    "concat",
    "convolution_backward_data",
    "convolution_backward_weights",
    "convolution_forward",
    "deconvolution_backward_data",
    "deconvolution_backward_weights",
    "deconvolution_forward",
    "eltwise_backward",
    "eltwise_forward",
    "gru_backward",
    "gru_forward",
    "inner_product_backward_data",
    "inner_product_backward_weights",
    "inner_product_forward",
    "layer_normalization_backward",
    "layer_normalization_forward",
    "lbr_augru_backward",
    "lbr_augru_forward",
    "lbr_gru_backward",
    "lbr_gru_forward",
    "logsoftmax_backward",
    "logsoftmax_forward",
    "lrn_backward",
    "lrn_forward",
    "lstm_backward",
    "lstm_forward",
    "matmul",
    "pooling_backward",
    "pooling_forward",
    "pooling_v2_backward",
    "pooling_v2_forward",
    "prelu_backward",
    "prelu_forward",
    "reduction",
    "reorder",
    "resampling_backward",
    "resampling_forward",
    "shuffle_backward",
    "shuffle_forward",
    "softmax_backward",
    "softmax_forward",
    "softmax_v2_backward",
    "softmax_v2_forward",
    "sum",
    "vanilla_rnn_backward",
    "vanilla_rnn_forward",
};

// What else of oneDNN 2.6.3's names in namespace dnnl is here.
const char* const kNames[] = {
    "algorithm",
    "convert_to_c",
    "cpu_isa",
    "cpu_isa_hints",
    "engine",
    "error",
    "fpmath_mode",
    "get_cpu_isa_hints",
    "get_default_fpmath_mode",
    "get_effective_cpu_isa",
    "get_primitive_cache_capacity",
    "handle",
    "handle_traits",
    "memory",
    "normalization_flags",
    "post_ops",
    "primitive",
    "primitive_attr",
    "primitive_desc",
    "primitive_desc_base",
    "prop_kind",
    "query",
    "rnn_direction",
    "rnn_flags",
    "scratchpad_mode",
    "set_cpu_isa_hints",
    "set_default_fpmath_mode",
    "set_jit_dump",
    "set_jit_profiling_flags",
    "set_jit_profiling_jitdumpdir",
    "set_max_cpu_isa",
    "set_primitive_cache_capacity",
    "set_verbose",
    "status",
    "stream",
    "validate_container_size",
    "version",
    "version_t",
};

std::string Read(const std::filesystem::path& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

// Every word of the headers that may be a name.
std::vector<std::string> Words() {
  std::set<std::string> words;
  static const std::regex word("[A-Za-z_][A-Za-z0-9_]*");
  for (const auto& entry : std::filesystem::recursive_directory_iterator(Headers())) {
    if (!entry.is_regular_file()) continue;
    const std::string text = Read(entry.path());
    for (std::sregex_iterator i(text.begin(), text.end(), word), end; i != end; ++i)
      if (i->str().compare(0, 5, "DNNL_") != 0) words.insert(i->str());  // no macros
  }
  return {words.begin(), words.end()};
}

// Those of `words` that name something in namespace dnnl.
std::vector<std::string> NamesInDnnl(const std::vector<std::string>& words) {
  // A line may use what is declared there or give another name to a namespace: a word without an
  // error in one of its two lines is a name.
  std::string text = "#include <dnnl.hpp>\nnamespace program {\n";
  for (std::size_t k = 0; k < words.size(); ++k)
    text += "using dnnl::" + words[k] + ";\nnamespace n" + std::to_string(k) +
            " = dnnl::" + words[k] + ";\n";
  const tools::Outcome outcome = Compile(text + "}\n");
  std::set<std::size_t> wrong;  // lines, from 0 for the first of the first word
  static const std::regex error("program\\.cc:([0-9]+):[0-9]+: error:");
  for (std::sregex_iterator i(outcome.err.begin(), outcome.err.end(), error), end; i != end; ++i)
    wrong.insert(std::stoul((*i)[1]) - 3);
  std::vector<std::string> names;
  for (std::size_t k = 0; k < words.size(); ++k)
    if (wrong.count(2 * k) == 0 || wrong.count(2 * k + 1) == 0) names.push_back(words[k]);
  return names;
}

TEST(InstalledHeaders, HaveNoNameInDnnlThatOneDnnHasNot) {
  std::set<std::string> known(std::begin(kPrimitives), std::end(kPrimitives));
  known.insert(std::begin(kNames), std::end(kNames));
  EXPECT_THAT(NamesInDnnl(Words()), testing::ElementsAreArray(known));
}

TEST(InstalledHeaders, LeaveOtherNamesToProgramsThatUseTheNamespace) {
  EXPECT_EQ(
      Compile("#include <dnnl.hpp>\n"
              "using namespace dnnl;\n"
              "struct state { int access; };\n"
              "enum class flags { none };\n"
              "template <typename T> struct is_bitmask { static const bool value = false; };\n"
              "template <typename T> using if_bitmask = T;\n"
              "template <typename T> struct reference { T* to; };\n"
              "struct anything {};\n"
              "namespace impl { state one() { return state(); } }\n"
              "int f(reference<state> a, anything, if_bitmask<int> arg) {\n"
              "  auto all = normalization_flags::use_scale | normalization_flags::use_shift;\n"
              "  all &= ~normalization_flags::none;\n"
              "  const auto order = stream::flags::in_order | stream::flags::out_of_order;\n"
              "  return is_bitmask<flags>::value + a.to->access + impl::one().access + arg +\n"
              "         (order == stream::flags::in_order) + static_cast<int>(all);\n"
              "}\n")
          .err,
      "");
}

// Those that absent.hpp lists.
std::vector<std::string> Absent() {
  const std::string text = Read(Headers() + "/oneapi/dnnl/model/absent.hpp");
  std::vector<std::string> found;
  for (const std::string name : kPrimitives)
    if (Count(text, "\nDNNSPEC_ABSENT(" + name + ");") == 1) found.push_back(name);
  EXPECT_EQ(static_cast<int>(found.size()), Count(text, "\nDNNSPEC_ABSENT("));
  return found;
}

TEST(InstalledHeaders, EveryPrimitiveCanBeNamedAndHeldEmpty) {
  std::string text = "#include <dnnl.hpp>\nstruct holder {\n";
  for (const std::string name : kPrimitives)
    text += "  dnnl::" + name + " " + name + "_;\n  dnnl::" + name + "::primitive_desc " + name +
            "_pd_;\n";
  EXPECT_EQ(Compile(text + "};\nholder empty() { holder h; holder copy = h; return copy; }\n").err,
            "");
}

TEST(InstalledHeaders, AbsentPrimitivesSayInOneSentenceThatTheyAre) {
  const std::vector<std::string> absent = Absent();
  ASSERT_FALSE(absent.empty());
  std::string text = "#include <dnnl.hpp>\nvoid f(dnnl::engine e, dnnl::memory::desc md) {\n";
  for (const std::string& name : absent)
    text += "  dnnl::" + name + "::primitive_desc " + name + "_pd({md, md, {1, 1}, {0}}, e);\n";
  const tools::Outcome outcome = Compile(text + "}\n");
  EXPECT_NE(outcome.status, 0);
  for (const std::string& name : absent)
    EXPECT_THAT(outcome.err, HasSubstr("dnnspec has no dnnl::" + name +
                                       ", one of the primitives in oneapi/dnnl/model/absent.hpp"));
}

TEST(InstalledHeaders, AbsentPrimitivesSayNothingElse) {
  const tools::Outcome outcome = Compile(
      "#include <dnnl.hpp>\n"
      "using namespace dnnl;\n"
      "void f(engine e, stream s, memory::desc a, memory m) {\n"
      "  auto direct = algorithm::deconvolution_direct;\n"
      "  deconvolution_forward::desc d(prop_kind::forward_inference, direct, a, a, a, a, {1, 1},\n"
      "                                {0, 0}, {0, 0});\n"
      "  deconvolution_forward::primitive_desc pd(d, e);\n"
      "  deconvolution_forward deconv(pd);\n"
      "  if (pd.weights_desc() != a) deconv.execute(s, {{DNNL_ARG_SRC, m}, {DNNL_ARG_DST, m}});\n"
      "}\n");
  EXPECT_NE(outcome.status, 0);
  EXPECT_EQ(Count(outcome.err, "error:"), 2) << outcome.err;  // of the two constructors
  EXPECT_EQ(Count(outcome.err, "dnnspec has no dnnl::deconvolution_forward"), 2) << outcome.err;
}

// A program reads names in the messages of its compiler.
TEST(InstalledHeaders, LeaveNoNamespaceOfOursInMessages) {
  const tools::Outcome outcome =
      Compile("#include <dnnl.hpp>\nint f(dnnl::memory m) { return m.get_desc(1); }\n");
  EXPECT_NE(outcome.status, 0);
  EXPECT_THAT(outcome.err, HasSubstr("dnnl::memory"));
  EXPECT_THAT(outcome.err, Not(HasSubstr("dnnl::dnnspec")));
}

}  // namespace
