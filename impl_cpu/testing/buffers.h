// Buffers for an execution, with contents that a test gives and reads.
#ifndef DNNSPEC_IMPL_CPU_TESTING_BUFFERS_H_
#define DNNSPEC_IMPL_CPU_TESTING_BUFFERS_H_

#include <memory>
#include <vector>

#include "api/spi/implementation.h"
#include "api/spi/operation.h"
#include "api/testing/interpreter.h"

namespace impl_cpu {

class Buffers {
 public:
  // In the order of the tensors.
  explicit Buffers(std::vector<spi::Bytes> contents);

  Buffers(const Buffers&) = delete;
  Buffers& operator=(const Buffers&) = delete;

  // In the same order; behind them a scratchpad full of NaNs, where `planned` wants one. They live
  // as long as this and the next call.
  std::vector<spi::Buffer*> Arguments(const spi::Planned& planned);

  const std::vector<spi::Bytes>& contents() const { return contents_; }

 private:
  std::vector<spi::Bytes> contents_;
  std::vector<std::shared_ptr<spi::Buffer>> buffers_;
  spi::Bytes scratchpad_;
  std::shared_ptr<spi::Buffer> scratchpad_buffer_;
};

// Zeros for each tensor, where no result is looked at.
std::vector<spi::Bytes> ZerosFor(const spi::Operation& operation);

// What buffers hold after an execution.
std::vector<spi::Bytes> Executed(const spi::Planned& planned, std::vector<spi::Bytes> contents);

}  // namespace impl_cpu

#endif  // DNNSPEC_IMPL_CPU_TESTING_BUFFERS_H_
