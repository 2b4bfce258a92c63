// Two memories on one VkBuffer of the application, each with an offset: their handles do not
// tell what they share (PRIM-050).
#include <gtest/gtest.h>

#include <cstring>
#include <memory>
#include <numeric>
#include <string>
#include <vector>

#include "api/vulkan_interop/testing/native_device.h"
#include "oneapi/dnnl/dnnl_vulkan.hpp"

namespace {

namespace vk = dnnl::vulkan_interop;
using dnnl::memory;

constexpr VkBufferUsageFlags kAll = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT |
                                    VK_BUFFER_USAGE_TRANSFER_SRC_BIT |
                                    VK_BUFFER_USAGE_TRANSFER_DST_BIT;

TEST(Sharing, OfAnExternalBufferIsToldByItsOffsets) {
  if (dnnl::engine::get_count(dnnl::engine::kind::gpu) == 0)
    GTEST_SKIP() << "no GPU engine: no Vulkan, or an implementation without it";
  std::string why;
  const std::unique_ptr<native::Device> device = native::Device::Open(&why);
  if (device == nullptr) GTEST_SKIP() << why;
  const dnnl::engine engine = vk::make_engine(device->Info());
  const native::Buffer buffer = device->MakeBuffer(4096, kAll);
  std::vector<float> values(48);
  std::iota(values.begin(), values.end(), 0.f);
  std::memcpy(buffer.host, values.data(), 4 * values.size());
  const memory::desc rows({4, 6}, memory::data_type::f32, memory::format_tag::ab),
      columns({4, 6}, memory::data_type::f32, memory::format_tag::ba);
  dnnl::stream stream(engine);
  const auto run = [&](const memory::desc& to, VkDeviceSize offset) {
    const dnnl::reorder reorder(dnnl::reorder::primitive_desc(engine, rows, engine, to));
    const memory src = vk::make_memory(rows, engine, buffer.From(0)),
                 dst = vk::make_memory(to, engine, buffer.From(offset));
    try {
      reorder.dnnl::primitive::execute(stream, {{DNNL_ARG_FROM, src}, {DNNL_ARG_TO, dst}});
      stream.wait();
      return std::string();
    } catch (const dnnl::error& error) {
      return std::string(error.what());
    }
  };
  EXPECT_NE(run(columns, 0).find("PRIM-050"), std::string::npos);
  EXPECT_NE(run(columns, 92), "");
  EXPECT_NE(run(rows, 4), "");
  EXPECT_EQ(std::memcmp(buffer.host, values.data(), 4 * values.size()), 0);
  EXPECT_EQ(run(rows, 0), "");
  EXPECT_EQ(run(columns, 96), "");
  for (int i = 0; i < 4; ++i)
    for (int j = 0; j < 6; ++j)
      values[static_cast<size_t>(24 + j * 4 + i)] = static_cast<float>(i * 6 + j);
  EXPECT_EQ(std::memcmp(buffer.host, values.data(), 4 * values.size()), 0);
  device->WaitIdle();
  device->Free(buffer);
}

}  // namespace
