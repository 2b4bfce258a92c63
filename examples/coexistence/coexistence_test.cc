// This library and stock oneDNN in one process, each with a program that was compiled with its
// header.
#include <gtest/gtest.h>

#include <cstring>
#include <exception>

#include "examples/coexistence/program.h"
#include "oneapi/dnnl/engine/error.hpp"

namespace {

TEST(Coexistence, EachProgramGetsTheLibraryOfItsHeader) {
  EXPECT_STREQ(HashOfOurs(), "dnnspec");
  EXPECT_STRNE(HashOfStock(), "dnnspec");
  for (int round = 0; round < 3; ++round) {
    EXPECT_STREQ(RunOurs(), nullptr);
    EXPECT_STREQ(RunStock(), nullptr);
  }
}

// The type has one name in both, so that either catches the other's; what oneDNN promises of it is
// there.
TEST(Coexistence, ErrorsOfBothAreCaughtByOneHandler) {
  for (const auto throws : {ThrowOurs, ThrowStock}) {
    try {
      throws();
      FAIL();
    } catch (const dnnl::error& e) {
      EXPECT_EQ(e.status, dnnl_invalid_arguments);
      EXPECT_STRNE(e.message, "");
      EXPECT_STREQ(e.what(), e.message);
    }
  }
}

}  // namespace
