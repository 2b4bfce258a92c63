// A tensor as text and as a value: `f32:2x3x4:nchw`, `u8:5:sub(9:s3@2)`.
#ifndef DNNSPEC_CONFORMANCE_GEN_TENSORS_H_
#define DNNSPEC_CONFORMANCE_GEN_TENSORS_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "conformance/case/fields.h"
#include "conformance/case/random.h"
#include "conformance/gen/layouts.h"
#include "conformance/gen/shapes.h"
#include "spec/memory/oracle.h"
#include "spec/numeric/convert.h"

namespace conformance {

struct TensorSpec {
  spec::Type type = spec::Type::kF32;
  spec::Dims dims;
  LayoutSpec layout;

  int rank() const { return static_cast<int>(dims.size()); }
};

// Where the elements lie. The layout of `tensor` fits its dims (ParseTensor sees to that).
spec::Plain PlainOf(const TensorSpec& tensor);

// What must become of the descriptor of `tensor`: kMustAccept, unless some strides (of the tensor
// or of a parent) leave the implementation a choice. Never generated: kMustReject.
spec::StridesVerdict JudgeDescriptor(const TensorSpec& tensor);

std::string ToString(const TensorSpec& tensor);
std::optional<TensorSpec> ParseTensor(std::string_view text);

std::optional<spec::Type> ParseType(std::string_view name);

// The two as a field of a case. A field that does not parse, or has more than kMostElementsOfCase
// elements (limits.h), is rejected and gives f32:1:a.
void SetTensor(Fields* fields, std::string_view key, const TensorSpec& tensor);
TensorSpec GetTensor(const Fields& fields, std::string_view key);

// f32 more often than the others.
spec::Type AnyType(Random& random);

TensorSpec AnyTensor(Random& random, spec::Type type, const spec::Dims& dims,
                     const LayoutLimits& limits = {});

TensorSpec CutTensor(const TensorSpec& tensor, const Cut& cut);

// The tensor with axis i moved to position permutation[i], at the same addresses.
TensorSpec PermuteTensor(const TensorSpec& tensor, const std::vector<int>& permutation);
// For each row-major number of the permuted tensor, the number that the element had before.
std::vector<int64_t> NumbersBeforePermutation(const spec::Dims& dims,
                                              const std::vector<int>& permutation);

// The offset of each element in row-major order of the coordinates, in elements.
std::vector<int64_t> OffsetsOf(const spec::Plain& layout);

// The classes of input that a tensor belongs to, as properties name them in must_cover: "rank 3",
// "f32", and of "tag", "dense strides", "permuted", "gapped", "region", "zero stride", "empty",
// "size-1 dim", "odd size-1 stride", "tail" (an extent above 4 that no vector width divides),
// "large" (4096 elements and more) those that hold.
std::vector<std::string> ClassesOf(const TensorSpec& tensor);

// More of them, of the shape alone: "rank 3 with extents >= 2", the same with 3, "extent over
// 256", "extent over 65534", "over 2^20 elements".
std::vector<std::string> ClassesOfShape(const spec::Dims& dims);

}  // namespace conformance

#endif  // DNNSPEC_CONFORMANCE_GEN_TENSORS_H_
