// Cases that fill memory: one tensor, and a parent that is written part by part.
#ifndef DNNSPEC_CONFORMANCE_MEMORY_TENSOR_CASES_H_
#define DNNSPEC_CONFORMANCE_MEMORY_TENSOR_CASES_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "conformance/case/fields.h"
#include "conformance/case/property.h"
#include "conformance/case/random.h"
#include "conformance/gen/placement.h"
#include "conformance/gen/tensors.h"
#include "conformance/gen/values.h"
#include "conformance/memory/descriptor_case.h"

namespace conformance {

// The same descriptor in the words of the generators.
TensorSpec SpecOf(const DescriptorCase& view);

// A tensor, where its buffer lies and what is in it.
//   tensor=f32:2x3:s4,1 at=mid+1 seed=7
struct TensorCase {
  TensorSpec tensor;
  Placement at;
  uint64_t seed = 0;

  void Print(Fields* fields) const;
  static TensorCase Parse(const Fields& fields);
  std::vector<TensorCase> Simpler() const;

  // All different as far as the type allows; another salt gives other values.
  std::vector<spec::Bits> Values(uint64_t salt = 0) const;
};

// DescriptorCases of at most 4096 elements, spread over at most 2^20, as tensors.
Cases<TensorCase> Tensors(DescriptorOptions options);
// Always this tag.
Cases<TensorCase> TensorsOfTag(const spec::Tag& tag, int64_t count);
// Three axes in any order and with gaps, two of which have so many indices together that the tables
// of a transposition come round again: few, since each has up to 25 000 elements.
Cases<TensorCase> BroadTensors();
// Regions whose first element lies beyond 2^31 or 2^32 elements, of at most 64 elements that lie
// near each other: few, since each takes address space.
Cases<TensorCase> FarRegions();
// The same of whole tensors: one axis has steps of 2^31 elements or more.
Cases<TensorCase> FarTensors();
// Two axes, one of them with stride 1 and the other with a pitch, or both apart.
Cases<TensorCase> PitchedMatrices();

// A parent, cut along an axis into parts of these sizes, which are written in the type of the
// parent or in another.
//   parent=f32:4x6:s6,1 axis=1 parts=2,3,1 seed=7
//   parent=f32:4x6:s6,1 axis=1 parts=2,3,1 from=s8 seed=7
struct PartsCase {
  TensorSpec parent;
  int axis = 0;
  spec::Dims parts;
  uint64_t seed = 0;
  std::optional<spec::Type> from;  // the type that each part is converted from

  void Print(Fields* fields) const;
  static PartsCase Parse(const Fields& fields);
  std::vector<PartsCase> Simpler() const;
};

Cases<PartsCase> Parts();
Cases<PartsCase> ConvertedParts();

}  // namespace conformance

#endif  // DNNSPEC_CONFORMANCE_MEMORY_TENSOR_CASES_H_
