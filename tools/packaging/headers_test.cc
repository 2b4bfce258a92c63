// What a compiler makes of programs that include the installed headers, in the oldest standard that
// oneDNN 2.6 is for.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <iterator>
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

// Of `c++` or, for a program in C, `cc`.
tools::Outcome Compile(const std::string& text, bool as_c = false) {
  const tools::Scratch scratch;
  const std::string source = scratch.Write(as_c ? "program.c" : "program.cc", text);
  return tools::Run({as_c ? "cc" : "c++", as_c ? "-std=c99" : "-std=c++11", "-Wall", "-Wextra",
                     "-Wpedantic", "-Werror", "-fsyntax-only", "-I" + Headers(), source},
                    {{"PATH", std::getenv("PATH")}});
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

// Those that absent.hpp lists.
std::vector<std::string> Absent() {
  std::ifstream file(Headers() + "/oneapi/dnnl/model/absent.hpp");
  const std::string text((std::istreambuf_iterator<char>(file)), {});
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
