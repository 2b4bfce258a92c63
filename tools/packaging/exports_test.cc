// What libdnnspec.so offers to the dynamic loader.
#include <gtest/gtest.h>

#include <cstdlib>
#include <sstream>
#include <string>

#include "tools/testing/command.h"

namespace {

bool Has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

// Of other libraries' symbols none has this one's name: a process may hold stock oneDNN too
// (api/types/abi.h). Implicit members, and what catch handlers compare, are the same in both.
TEST(Exports, AreToldFromStockOneDnns) {
  const std::string library = std::string(std::getenv("TEST_SRCDIR")) + "/" +
                              std::getenv("TEST_WORKSPACE") + "/tools/packaging/libdnnspec.so";
  const tools::Outcome outcome =
      tools::Run({"nm", "-D", "-C", "--defined-only", library}, {{"PATH", std::getenv("PATH")}});
  ASSERT_EQ(outcome.status, 0) << outcome.err;
  std::istringstream lines(outcome.out);
  int functions = 0;
  for (std::string line; std::getline(lines, line);) {
    const bool tagged = Has(line, "[abi:dnnspec]") || Has(line, "_dnnspec@@DNNSPEC_0");
    functions += tagged;
    EXPECT_TRUE(tagged || Has(line, "dnnspec::state::reference<") ||
                Has(line, "dnnl::vulkan_interop::") || Has(line, "for dnnl::error@@") ||
                Has(line, " A DNNSPEC_0") || Has(line, "dnnl::primitive_desc::~primitive_desc()"))
        << line;
    EXPECT_TRUE(Has(line, "DNNSPEC_0")) << line;
  }
  EXPECT_GT(functions, 200);
}

}  // namespace
