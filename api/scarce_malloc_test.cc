// What out_of_memory_test.cc cannot see: memory is short for C code and the runtime of C++ too,
// which must not need any on the way of an exception.
#include "tools/testing/scarce_malloc.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <string>

#include "dnnl.hpp"

namespace {

using dnnl::memory;

TEST(ScarceMalloc, MakesAnErrorOfTheNameOfAnImplementation) {
  const dnnl::engine cpu(dnnl::engine::kind::cpu, 0);
  const memory::dims shape = {8, 8};
  const memory::desc rows(shape, memory::data_type::f32, memory::format_tag::ab),
      columns(shape, memory::data_type::s8, memory::format_tag::ba);
  // A lasting shortage first: what the C library loads for an exception it loads once.
  for (bool all_after : {true, false}) {
    for (int64_t enough = 0;; ++enough) {
      ASSERT_LT(enough, 100);
      const dnnl::reorder::primitive_desc pd(cpu, rows, cpu, columns);
      dnnl_status_t status = dnnl_success;
      tools::LimitMalloc(enough, all_after);
      try {
        pd.impl_info_str();
      } catch (const dnnl::error& error) {
        status = error.status;
      }
      const bool done = tools::UnlimitMalloc() == 0;
      EXPECT_EQ(status, done ? dnnl_success : dnnl_out_of_memory) << "allocation " << enough;
      // There is memory again.
      EXPECT_EQ(std::string(pd.impl_info_str()).rfind("cpu:", 0), 0u);
      EXPECT_EQ(pd.impl_info_str(), pd.impl_info_str());
      if (done) break;
    }
  }
}

}  // namespace
