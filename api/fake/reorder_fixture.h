// Gives tests of reorder a CPU engine of api/fake and two layouts of one tensor.
#ifndef DNNSPEC_API_FAKE_REORDER_FIXTURE_H_
#define DNNSPEC_API_FAKE_REORDER_FIXTURE_H_

#include <gtest/gtest.h>

#include <string>

#include "api/fake/fake.h"
#include "api/fake/refusal.h"
#include "oneapi/dnnl/reorder/reorder.hpp"

namespace api {

class Reorder : public testing::Test {
 protected:
  using pd = dnnl::reorder::primitive_desc;

  Reorder() { fake::Reset(); }

  // The message, and that `allow_empty` gives an empty descriptor exactly then (ERR-009).
  std::string Refusal(const dnnl::memory::desc& src, const dnnl::memory::desc& dst,
                      const dnnl::primitive_attr& attr = dnnl::primitive_attr()) {
    const std::string message = fake::Refusal([&] { pd(cpu, src, cpu, dst, attr); });
    EXPECT_EQ(static_cast<bool>(pd(cpu, src, cpu, dst, attr, true)), message.empty());
    return message;
  }

  const dnnl::engine cpu{dnnl::engine::kind::cpu, 0};
  dnnl::stream queue{cpu};
  const dnnl::memory::desc rows{{2, 3}, dnnl::memory::data_type::f32, dnnl::memory::format_tag::ab};
  const dnnl::memory::desc columns{
      {2, 3}, dnnl::memory::data_type::f32, dnnl::memory::format_tag::ba};
};

}  // namespace api

#endif  // DNNSPEC_API_FAKE_REORDER_FIXTURE_H_
