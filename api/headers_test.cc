#include <gtest/gtest.h>

#include "api/headers_c.h"
#include "api/headers_cxx11.h"
#include "dnnl.hpp"
#include "oneapi/dnnl/dnnl.hpp"

namespace {

TEST(Headers, ServeTwoTranslationUnitsAndTwoStandards) {
  EXPECT_EQ(CplusplusOfCxx11(), 201103L);
  EXPECT_GE(__cplusplus, 201703L);
  EXPECT_EQ(UseAsCxx11(5), 60u);
  const dnnl::memory::desc md({5, 3}, dnnl::memory::data_type::f32, dnnl::memory::format_tag::ab);
  EXPECT_EQ(md.get_size(), 60u);
}

TEST(Headers, ServeC) {
  const dnnl::memory::desc md({5, 3}, dnnl::memory::data_type::f32, dnnl::memory::format_tag::ab);
  EXPECT_EQ(ReadAsC(&md.data), 233);
  EXPECT_EQ(MinorVersionAsC(), DNNL_VERSION_MINOR);
  EXPECT_STREQ(AlgorithmAsC(), "eltwise_relu");
}

}  // namespace
