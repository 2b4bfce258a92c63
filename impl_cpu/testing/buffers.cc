#include "impl_cpu/testing/buffers.h"

#include <gtest/gtest.h>

#include <cstddef>
#include <utility>

#include "impl_cpu/memory/buffer.h"

namespace impl_cpu {

Buffers::Buffers(std::vector<spi::Bytes> contents) : contents_(std::move(contents)) {
  for (spi::Bytes& bytes : contents_) buffers_.push_back(WrapBuffer(bytes.data()));
}

std::vector<spi::Buffer*> Buffers::Arguments(const spi::Planned& planned) {
  std::vector<spi::Buffer*> arguments;
  for (const auto& buffer : buffers_) arguments.push_back(buffer.get());
  if (planned.scratchpad_bytes > 0) {
    scratchpad_.assign(planned.scratchpad_bytes, std::byte{0xff});
    scratchpad_buffer_ = WrapBuffer(scratchpad_.data());
    arguments.push_back(scratchpad_buffer_.get());
  }
  return arguments;
}

std::vector<spi::Bytes> ZerosFor(const spi::Operation& operation) {
  std::vector<spi::Bytes> contents;
  for (const spi::TensorArg& tensor : operation.tensors)
    contents.emplace_back(spi::BytesOf(tensor.layout));
  return contents;
}

std::vector<spi::Bytes> Executed(const spi::Planned& planned, std::vector<spi::Bytes> contents) {
  Buffers buffers(std::move(contents));
  class : public spi::Stream {
    absl::Status Wait() override { return absl::OkStatus(); }
  } stream;
  EXPECT_TRUE(planned.plan->Execute(stream, buffers.Arguments(planned)).ok());
  return buffers.contents();
}

}  // namespace impl_cpu
