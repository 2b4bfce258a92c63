// The input space of the reorder properties.
#ifndef DNNSPEC_CONFORMANCE_REORDER_CASES_H_
#define DNNSPEC_CONFORMANCE_REORDER_CASES_H_

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "conformance/case/fields.h"
#include "conformance/case/property.h"
#include "conformance/case/random.h"
#include "conformance/gen/attributes.h"
#include "conformance/gen/placement.h"
#include "conformance/gen/tensors.h"
#include "conformance/gen/values.h"
#include "spec/memory/oracle.h"
#include "spec/numeric/convert.h"
#include "spec/reorder/oracle.h"

namespace conformance {

// One reorder: `src=f32:2x3x4:abc dst=s8:2x3x4:s12,1,3 mask=2 scales=pow2 beta=0.5 values=mixed
// seed=7`, and where they are not "mid", `from=` and `to=` for the placement of the two buffers.
struct ReorderCase {
  TensorSpec src, dst;  // equal dims
  AttributesSpec attributes;
  ValueKind values = ValueKind::kMixed;  // of the source, and of the destination before a sum
  Placement from, to;
  uint64_t seed = 0;

  const spec::Dims& dims() const { return dst.dims; }

  std::vector<spec::Bits> Source() const;
  // What the destination holds before: for a sum it is read.
  std::vector<spec::Bits> Old() const;
  std::vector<float> Scales() const;

  // Row-major element `k` as the oracle wants it.
  spec::ReorderElement Element(int64_t k, spec::Bits source, spec::Bits old,
                               const std::vector<float>& scales) const;
  // The same with the scale of the element known; for walks that must not allocate.
  spec::ReorderElement ElementWith(float alpha, spec::Bits source, spec::Bits old) const;

  void Print(Fields* fields) const;
  static ReorderCase Parse(const Fields& fields);
  std::vector<ReorderCase> Simpler() const;
  // For the comparison of values with the oracle (reorder/run.h).
  std::string Statements(Profile profile, std::string_view where, std::string_view expected) const;
};

// True when a copy of the source's bytes is what the destination must hold: equal types, equal
// places, nothing computed.
bool IsByteCopy(const ReorderCase& c);

// True when `got` is the zero that `element` of a case without attributes becomes where narrowing
// flushes subnormals, as a device may (A-48, XENG-016). Whatever else differs is wrong there too.
bool IsFlushed(const ReorderCase& c, const spec::ReorderElement& element, spec::Bits got);

// Which layouts a draw may give, besides dense ones.
enum class Layouts {
  kTags,     // tags only (ranks up to 6)
  kStrides,  // dense and gapped strides
  kRegions,  // regions of tags and strides
  kAll,      // all of these, and size-1 axes with odd strides
};

// What a draw may give.
struct ReorderLimits {
  ShapeLimits shape{1, 12, 65536, /*may_be_empty=*/false, /*large=*/false};
  std::vector<spec::Type> from, to;  // empty: AnyType
  bool same_type = false;            // to is from
  bool same_layout = false;          // the destination's layout is the source's
  Layouts layouts = Layouts::kAll;
  bool zero_strides = false;  // in sources
  // One case in four is an AnyTransposition.
  bool transpositions = false;
  bool attributes = false;
  AttributesLimits attribute_limits;
  // Empty: kIndex, kMixed (without attributes) or kFinite (with them).
  std::vector<ValueKind> values;
};

ReorderCase AnyReorderCase(Random& random, const ReorderLimits& limits = {});
// Whether a draw could give `c`, as far as types, rank, attributes and values go, or simpler
// values.
bool Fits(const ReorderCase& c, const ReorderLimits& limits);
Cases<ReorderCase> AnyReorder(const ReorderLimits& limits = {});

// A reorder of each of NetworkTensors to the layout that programs bring it to, and one back:
// conversions, with scales and sums among them.
Cases<ReorderCase> NetworkReorders();

// All ordered pairs of types, by row.
struct TypePair {
  spec::Type from, to;
};
std::vector<TypePair> TypePairs();

// A reorder between tensors that need not fit: `src=f32:2x3:ab dst=f32:3x2:ab`.
struct ShapePair {
  TensorSpec src, dst;

  void Print(Fields* fields) const;
  static ShapePair Parse(const Fields& fields);
  std::vector<ShapePair> Simpler() const;
};

// Dims that differ: an extent, the rank, two axes exchanged.
Cases<ShapePair> OtherShapes();
// Dims that differ in one axis, which has size 1 on one side.
Cases<ShapePair> BroadcastShapes();

}  // namespace conformance

#endif  // DNNSPEC_CONFORMANCE_REORDER_CASES_H_
