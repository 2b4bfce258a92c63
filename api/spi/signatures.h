// The signatures of all primitives, and what works by them: the checks that are the same for each.
#ifndef DNNSPEC_API_SPI_SIGNATURES_H_
#define DNNSPEC_API_SPI_SIGNATURES_H_

#include <array>
#include <string>
#include <variant>

#include "absl/status/status.h"
#include "api/spi/operation.h"
#include "api/spi/operations.h"

namespace spi {

// In the order of Params. Written by the build from topics.bzl.
extern const std::array<const Signature*, std::variant_size_v<Params>> kSignatures;

// That of the primitive whose parameters `operation` has.
inline const Signature& SignatureOf(const Operation& operation) {
  return *kSignatures[operation.params.index()];
}

// InvalidArgument with the first rule that a request breaks: arguments that the signature has, none
// missing, with rank, type and, where none is allowed to be chosen, a layout; then the primitive's
// own; as many scales as their mask means, and sums that read as many bytes as an element has; no
// element of what is written twice in one place. Dims and strides are known.
//
// "shuffle: dst.strides[0] = 0 repeats one element dst.dims[0] = 2 times (MD-014)"
absl::Status CheckRequest(const Operation& request);

// Places among the tensors of an operation; -1: there are none.
struct InPlaceTensors {
  int read = -1, written = -1;
};

// Of which tensor, that is read, another one may occupy exactly the memory, if their layouts let
// it.
InPlaceTensors InPlaceOf(const Operation& operation);

// Whether there are such.
inline bool IsElementwise(const Operation& operation) { return InPlaceOf(operation).written >= 0; }

// One line: "shuffle forward_training src:f32 2x6x4 s24,4,1 dst:f32 2x6x4 s24,4,1 axis 1 group 3";
// arguments of attributes by their numbers.
std::string ToString(const Operation& operation);

}  // namespace spi

#endif  // DNNSPEC_API_SPI_SIGNATURES_H_
