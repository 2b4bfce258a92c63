// Random eltwise operations with their data, and the right answer: the functions of the shaders,
// which functions_test.cc judges, in C++, and everything about tensors one element at a time.
#ifndef DNNSPEC_IMPL_VULKAN_ELTWISE_TESTING_TRIAL_H_
#define DNNSPEC_IMPL_VULKAN_ELTWISE_TESTING_TRIAL_H_

#include <cstdint>
#include <string>
#include <vector>

#include "api/spi/implementation.h"
#include "api/spi/operation.h"
#include "api/testing/interpreter.h"

namespace impl_vulkan {
namespace testing {

// An operation, and of each of its tensors the bytes before and after.
struct EltwiseTrial {
  spi::Operation operation;
  bool in_place = false;  // what is written is also the tensor before it
  std::vector<spi::Bytes> before, after;
};

// Random bytes, or numbers near 0, for `operation`; and what follows.
EltwiseTrial TrialOf(const spi::Operation& operation, bool in_place, uint32_t seed);

// Random in everything: algorithms, parameters, directions, types, shapes, layouts, in place or
// not.
EltwiseTrial RandomEltwise(uint32_t seed, int64_t most_elements);

// Runs it once on fresh memory. "" if all tensors are afterwards as they should be, to the bit.
std::string Run(spi::Engine& engine, const EltwiseTrial& trial, int candidate);

}  // namespace testing
}  // namespace impl_vulkan

#endif  // DNNSPEC_IMPL_VULKAN_ELTWISE_TESTING_TRIAL_H_
