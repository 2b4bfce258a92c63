// Buffers between guards, at random distances from an aligned address.
#ifndef DNNSPEC_IMPL_CPU_TESTING_GUARDED_BUFFERS_H_
#define DNNSPEC_IMPL_CPU_TESTING_GUARDED_BUFFERS_H_

#include <algorithm>
#include <cstddef>
#include <memory>
#include <vector>

#include "api/spi/implementation.h"
#include "api/spi/types.h"
#include "api/testing/interpreter.h"
#include "api/testing/random_operation.h"
#include "impl_cpu/memory/buffer.h"
#include "impl_cpu/testing/guarded.h"

namespace impl_cpu {

class GuardedBuffers {
 public:
  // In the order of the tensors of `operation`, whole elements from the aligned address.
  GuardedBuffers(spi::Random& random, const spi::Operation& operation,
                 const std::vector<spi::Bytes>& contents) {
    for (size_t i = 0; i < contents.size(); ++i) {
      const int64_t element = spi::SizeOf(operation.tensors[i].layout.type);
      const auto misalignment = static_cast<size_t>(spi::Uniform(random, 0, 15) * element);
      guarded_.push_back(std::make_unique<Guarded>(contents[i], misalignment));
      buffers_.push_back(WrapBuffer(guarded_.back()->data()));
    }
  }

  // They live as long as this.
  std::vector<spi::Buffer*> Arguments() const {
    std::vector<spi::Buffer*> arguments;
    for (const auto& buffer : buffers_) arguments.push_back(buffer.get());
    return arguments;
  }
  std::vector<spi::Bytes> contents() const {
    std::vector<spi::Bytes> contents;
    for (const auto& guarded : guarded_) contents.push_back(guarded->contents());
    return contents;
  }
  bool intact() const {
    return std::all_of(guarded_.begin(), guarded_.end(),
                       [](const auto& guarded) { return guarded->intact(); });
  }

 private:
  std::vector<std::unique_ptr<Guarded>> guarded_;
  std::vector<std::shared_ptr<spi::Buffer>> buffers_;
};

}  // namespace impl_cpu

#endif  // DNNSPEC_IMPL_CPU_TESTING_GUARDED_BUFFERS_H_
