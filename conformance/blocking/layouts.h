// What the blocking subjects answer for `any`: blocks and padding, whatever the engine would
// choose.
#ifndef DNNSPEC_CONFORMANCE_BLOCKING_LAYOUTS_H_
#define DNNSPEC_CONFORMANCE_BLOCKING_LAYOUTS_H_

#include <vector>

#include "api/spi/layout.h"
#include "api/spi/operation.h"

namespace blocking {

// A layout for each kAny of an inner product or a convolution, in their order. Sources,
// destinations and their gradients have one by their dims alone, so what one primitive gives the
// next takes as it is: four kinds of blocks, of channels and of other axes too. Weights have one
// for each direction, of which no two are equal (CONV-070). A bias is dense (CONV-061), and what
// blocks would make larger than 63 bits can count is row-major.
//
// Empty for any other primitive: eltwise and shuffle take the layout of another tensor (ELT-009,
// SHU-011), and reorder has no `any` (OPT-018).
std::vector<spi::Layout> ChooseLayouts(const spi::Operation& operation);

}  // namespace blocking

#endif  // DNNSPEC_CONFORMANCE_BLOCKING_LAYOUTS_H_
