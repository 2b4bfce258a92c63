// Random sums of products with data whose result is exact, and what the right answers are made of:
// one element at a time, in double precision, sharing nothing with the implementation.
#ifndef DNNSPEC_IMPL_VULKAN_PRODUCT_TESTING_TRIAL_H_
#define DNNSPEC_IMPL_VULKAN_PRODUCT_TESTING_TRIAL_H_

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "api/spi/attributes.h"
#include "api/spi/implementation.h"
#include "api/spi/operation.h"
#include "impl_vulkan/testing/reference.h"

namespace impl_vulkan {
namespace testing {

// An operation, and of each of its tensors the bytes before and after.
struct SumTrial {
  spi::Operation operation;
  std::vector<Bytes> before, after;
};

// Small integers for `operation`, which is resolved, in memory full of random bytes; nothing
// happened yet. Output scales are powers of two.
SumTrial Filled(const spi::Operation& operation, uint32_t seed);

// The types of source, weights, bias and destination.
struct Types {
  spi::DataType src, weights, bias, dst;
};
// Some that are served.
Types RandomTypes(Generator* generator, spi::PropKind prop);

// Output scales and post-ops of a forward operation whose results stay exact.
std::shared_ptr<const spi::Attributes> RandomAttributes(Generator* generator,
                                                        spi::DataType destination,
                                                        int64_t channels);

// A sum, rounded to f32, as an element.
uint32_t Rounded(spi::DataType type, double sum);

// Writes what a formula says to the tensors of a trial.
class Answer {
 public:
  explicit Answer(SumTrial* trial) : trial_(*trial) {}

  // Element `x` of an argument before the execution.
  float Read(int argument, const spi::Dims& x) const;
  // A forward's sum with all that follows, as element `x` of the destination.
  uint32_t Finished(double sum, int64_t channel, const spi::Dims& x) const;
  // All elements of an argument, and zeros to its padding.
  void Write(int argument, const std::function<uint32_t(const spi::Dims& x)>& element);

 private:
  size_t Position(int argument) const {
    return static_cast<size_t>(spi::Find(trial_.operation, argument));
  }

  SumTrial& trial_;
};

// Runs it on fresh memory. "" if all tensors are afterwards as they should be.
std::string Run(spi::Engine& engine, const SumTrial& trial, int candidate);

}  // namespace testing
}  // namespace impl_vulkan

#endif  // DNNSPEC_IMPL_VULKAN_PRODUCT_TESTING_TRIAL_H_
