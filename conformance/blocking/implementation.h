// An implementation as it is, but for what it answers for `any`: blocks and padding.
//
// The engines that come with this library answer `any` with plain layouts of data, as they may, so
// most requirements about formats that an implementation chooses hold of them without being tried.
// With this one in front of them they read and write blocked sources and destinations.
#ifndef DNNSPEC_CONFORMANCE_BLOCKING_IMPLEMENTATION_H_
#define DNNSPEC_CONFORMANCE_BLOCKING_IMPLEMENTATION_H_

#include <memory>

#include "api/spi/implementation.h"

namespace blocking {

// The engines, buffers and streams of `inner`, which must outlive it. What is asked with `any` is
// planned by `inner` in the layouts of ChooseLayouts, candidate by candidate; behind these come the
// candidates of `inner` with the layouts of its own choice. Nothing else is changed.
std::unique_ptr<spi::Implementation> InFrontOf(spi::Implementation& inner);

}  // namespace blocking

#endif  // DNNSPEC_CONFORMANCE_BLOCKING_IMPLEMENTATION_H_
