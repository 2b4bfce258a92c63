// Checks and completes the answer of an implementation, once for all primitives.
#ifndef DNNSPEC_API_MODEL_RESOLVE_H_
#define DNNSPEC_API_MODEL_RESOLVE_H_

#include <cstdint>

#include "absl/status/status.h"
#include "api/spi/implementation.h"

namespace api {

// `operation` holds the request and becomes the resolved operation: chosen layouts take the place
// of kAny, the workspace and the scratchpad are appended, and what is opaque is stamped with
// `owner`, which names the implementation.
//
// kInternal, naming the argument and the layout, unless each kAny is answered by one layout of its
// type and dims, strided or opaque, that descriptors may have too; nothing else is answered; and
// only a forward training has a workspace. `operation` means nothing then. Costs nothing where
// nothing is chosen.
absl::Status Resolve(const spi::Planned& planned, uint16_t owner, spi::Operation* operation);

// The place of an implementation in the table, from 1: what opaque layouts are stamped with.
uint16_t OwnerOf(const spi::Implementation& implementation);

// kUnimplemented, naming the argument, where a tensor has an opaque layout that another
// implementation than `owner` chose: it cannot read it.
absl::Status CheckOwner(const spi::Operation& operation, uint16_t owner);

}  // namespace api

#endif  // DNNSPEC_API_MODEL_RESOLVE_H_
