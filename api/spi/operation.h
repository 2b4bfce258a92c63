// A computation as a value: which primitive, on which tensors, with which parameters.
//
//   Operation shuffle;
//   shuffle.kind = PrimitiveKind::kShuffle;
//   shuffle.prop = PropKind::kForwardTraining;
//   shuffle.tensors = {{kArgSrc, Access::kRead, layout}, {kArgDst, Access::kWrite, layout}};
//   shuffle.params = ShuffleParams{/*axis=*/1, /*group_size=*/3};
//
// What is the same for all primitives works on this value: checks, queries, printing, the
// arguments of an execution. A primitive adds its parameters (api/TOPIC/params.h) and one
// Signature.
#ifndef DNNSPEC_API_SPI_OPERATION_H_
#define DNNSPEC_API_SPI_OPERATION_H_

#include <cstdint>
#include <memory>
#include <string>
#include <utility>

#include "absl/container/inlined_vector.h"
#include "absl/status/status.h"
#include "absl/types/span.h"
#include "api/spi/attributes.h"
#include "api/spi/layout.h"
#include "api/spi/params.h"
#include "api/spi/types.h"

namespace spi {

// Beside ArgumentIndex: what a forward training hands to its backward.
constexpr int kArgWorkspace = 64;

// Values as in dnnl_primitive_kind_t.
enum class PrimitiveKind : int32_t {
  kUndef = 0,
  kReorder = 1,
  kShuffle = 2,
  kConcat = 3,
  kSum = 4,
  kConvolution = 5,
  kDeconvolution = 6,
  kEltwise = 7,
  kSoftmax = 8,
  kPooling = 9,
  kLrn = 10,
  kBatchNormalization = 11,
  kLayerNormalization = 12,
  kInnerProduct = 13,
  kRnn = 14,
  kBinary = 16,
  kLogSoftmax = 17,
  kMatmul = 18,
  kResampling = 19,
  kPoolingV2 = 20,
  kReduction = 21,
  kPrelu = 22,
  kSoftmaxV2 = 23,
};

// Values as in dnnl_prop_kind_t. kUndef: the primitive has no direction.
enum class PropKind : int32_t {
  kUndef = 0,
  kForwardTraining = 64,
  kForwardInference = 96,
  kBackward = 128,
  kBackwardData = 160,
  kBackwardWeights = 192,
  kBackwardBias = 193,
};

// What is not backward is read and written as forward is.
constexpr bool IsForward(PropKind prop) { return prop < PropKind::kBackward; }

enum class Access : uint8_t { kRead = 1, kWrite = 2, kReadWrite = 3 };
constexpr bool Writes(Access access) { return access != Access::kRead; }

// One tensor of an operation.
struct TensorArg {
  int argument = 0;  // DNNL_ARG_
  Access access = Access::kRead;
  Layout layout;
};

inline bool operator==(const TensorArg& a, const TensorArg& b) {
  return a.argument == b.argument && a.access == b.access && a.layout == b.layout;
}

struct Operation {
  PrimitiveKind kind = PrimitiveKind::kUndef;
  PropKind prop = PropKind::kUndef;
  // In the order of the signature, then those of attributes. What the caller left out is not
  // listed. Two are inline; more are on the heap.
  absl::InlinedVector<TensorArg, 2> tensors;
  Params params;                                 // of the same primitive as `kind`
  std::shared_ptr<const Attributes> attributes;  // null: the default ones
};

// By value. Equal operations compute the same of equal tensors.
bool operator==(const Operation& a, const Operation& b);
inline bool operator!=(const Operation& a, const Operation& b) { return !(a == b); }
// The same of what modifies them alone: no attributes are equal to none.
bool SameAttributes(const Operation& a, const Operation& b);

// The place of an argument among the tensors; -1 where it is not listed.
inline int Find(const Operation& operation, int argument) {
  for (size_t i = 0; i < operation.tensors.size(); ++i)
    if (operation.tensors[i].argument == argument) return static_cast<int>(i);
  return -1;
}

// The layout of an argument; of kind kNone where it is not listed.
inline const Layout& LayoutOf(const Operation& operation, int argument) {
  static constexpr Layout kAbsent{};
  for (const TensorArg& tensor : operation.tensors)
    if (tensor.argument == argument) return tensor.layout;
  return kAbsent;
}

// True where some tensor has a layout that only the implementation which chose it can read. One
// that chooses none refuses the operation: a caller may have written the descriptor by hand.
inline bool HasOpaqueLayout(const Operation& operation) {
  for (const TensorArg& tensor : operation.tensors)
    if (tensor.layout.kind == LayoutKind::kOpaque) return true;
  return false;
}

// True where no tensor that is written has an element: there is nothing to do.
inline bool WritesNothing(const Operation& operation) {
  for (const TensorArg& tensor : operation.tensors)
    if (Writes(tensor.access) && !IsEmpty(tensor.layout)) return false;
  return true;
}

// Gives `operation`, whose other tensors are there, attributes, with what follows from them:
// the tensors of run-time values, and that a sum reads kArgDst. Scales are of kArgDst. Where its
// dims are not known, the size of a tensor of scales is kRunTimeValue; so it is beyond 63 bits.
void SetAttributes(std::shared_ptr<const Attributes> attributes, Operation* operation);

// One argument of a primitive, as the generic checks know it.
struct ArgumentRule {
  int argument;
  const char* name;          // "src": in messages
  uint8_t forward;           // Access in forward operations, as bits; 0: it does not occur
  uint8_t backward;          // the same in backward operations, of data where there are two sorts
  uint8_t backward_weights;  // the same in backward operations of weights
  bool optional;             // may be left out
  const char* any;           // the requirement that refuses kAny; null: it is allowed
};

// A written tensor that may occupy exactly the memory of a read one.
struct InPlace {
  int written, read;
};

// What the generic checks know of a primitive: a row of constants.
struct Signature {
  PrimitiveKind kind;
  const char* name;  // "shuffle"
  absl::Span<const ArgumentRule> arguments;
  // Requirements that messages cite: what has no or too many axes, and what is written and has a
  // stride of 0.
  const char* rank;
  const char* repeated;
  AttributeSupport attributes;
  absl::Span<const InPlace> in_place;
  // Whether each element that is written comes from that element of its pair alone, which is what
  // in place needs; null: always. A tensor that is read and written is never in place of another.
  bool (*elementwise)(const Operation& operation);
  // The relations between dims, parameters and attributes, of what passes the generic checks:
  // the first that is broken, in the order of the requirements, or Ok.
  absl::Status (*validate)(const Operation& operation);
  // " axis 1 group 3"; null: there are no parameters.
  std::string (*print)(const Operation& operation);
};

}  // namespace spi

#endif  // DNNSPEC_API_SPI_OPERATION_H_
