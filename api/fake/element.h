// The arithmetic of the fake implementations: one element at a time, by coordinates.
#ifndef DNNSPEC_API_FAKE_ELEMENT_H_
#define DNNSPEC_API_FAKE_ELEMENT_H_

#include <cstdint>

#include "api/reorder/operation.h"
#include "api/shuffle/operation.h"

namespace fake {

// What comes at execution; null what does not.
struct RunTimeValues {
  const float* scales = nullptr;
  const int32_t* src_zero_point = nullptr;
  const int32_t* dst_zero_point = nullptr;
};

void Run(const spi::ReorderView& operation, const void* src, void* dst, const RunTimeValues& given);
void Run(const spi::ShuffleView& operation, const void* from, void* to);

}  // namespace fake

#endif  // DNNSPEC_API_FAKE_ELEMENT_H_
