#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <string>

#include "tools/testing/command.h"

namespace conformance {
namespace {

using testing::HasSubstr;

// What a compiler says of the header where dnnl.hpp holds `text`.
tools::Outcome CompileWith(const std::string& text) {
  tools::Scratch folder;
  folder.Write("include/oneapi/dnnl/dnnl.hpp", text);
  return tools::Run({"/usr/bin/c++", "-std=c++17", "-fsyntax-only", "-I", folder / "include", "-x",
                     "c++", "conformance/subject/api_version.h"},
                    {{"PATH", "/usr/bin:/bin"}});
}

TEST(ApiVersion, OfOneDnn3IsRefusedInWords) {
  if (!std::filesystem::exists("/usr/bin/c++")) GTEST_SKIP() << "there is no c++";
  const tools::Outcome outcome = CompileWith("#define DNNL_VERSION_MAJOR 3\n");
  EXPECT_NE(outcome.status, 0);
  EXPECT_THAT(outcome.err, HasSubstr("this dnnl.hpp is of oneDNN 3 or newer"));
}

TEST(ApiVersion, OfOneDnn2AndOfNoneIsTaken) {
  if (!std::filesystem::exists("/usr/bin/c++")) GTEST_SKIP() << "there is no c++";
  for (const char* text : {"#define DNNL_VERSION_MAJOR 2\n", "namespace dnnl {}\n"}) {
    const tools::Outcome outcome = CompileWith(text);
    EXPECT_EQ(outcome.status, 0) << outcome.err;
  }
}

}  // namespace
}  // namespace conformance
