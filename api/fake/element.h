// The arithmetic of the fake implementations: one element at a time, by coordinates.
#ifndef DNNSPEC_API_FAKE_ELEMENT_H_
#define DNNSPEC_API_FAKE_ELEMENT_H_

#include "api/reorder/operation.h"
#include "api/shuffle/operation.h"

namespace fake {

// `scales` is null unless they come at run time.
void Run(const spi::ReorderOperation& operation, const void* src, void* dst, const float* scales);
void Run(const spi::ShuffleOperation& operation, const void* from, void* to);

}  // namespace fake

#endif  // DNNSPEC_API_FAKE_ELEMENT_H_
