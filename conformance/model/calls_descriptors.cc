// Faulty calls that make memory descriptors.
#include <climits>

#include "conformance/gen/shapes.h"
#include "conformance/memory/descriptor_case.h"
#include "conformance/model/calls.h"
#include "conformance/subject/tensor.h"
#include "oneapi/dnnl/dnnl.hpp"
#include "spec/memory/oracle.h"

namespace conformance {
namespace {

using Desc = dnnl::memory::desc;
using Dims = dnnl::memory::dims;
using DataType = dnnl::memory::data_type;
using FormatTag = dnnl::memory::format_tag;

constexpr FormatTag kRows[] = {FormatTag::a,    FormatTag::ab,    FormatTag::abc,
                               FormatTag::abcd, FormatTag::abcde, FormatTag::abcdef};

Dims AnyDims(Random& random, int min_rank = 1, int max_rank = 6) {
  Dims dims(random.Between(min_rank, max_rank));
  for (int64_t& dim : dims) dim = random.Between(1, 6);
  return dims;
}

DataType AnyDataType(Random& random) { return DataTypeOf(random.Pick(spec::kTypes)); }

size_t AnyAxis(Random& random, const Dims& dims) {
  return static_cast<size_t>(random.Between(0, static_cast<int64_t>(dims.size()) - 1));
}

CallPair ByTag(const Dims& wrong, const Dims& right, DataType type, FormatTag tag) {
  return {[=](bool allow_empty) { return Of(Desc(wrong, type, tag, allow_empty)); },
          [=](bool allow_empty) { return Of(Desc(right, type, tag, allow_empty)); }};
}

CallPair ByStrides(const Dims& dims, const Dims& wrong, const Dims& right, DataType type) {
  return {[=](bool allow_empty) { return Of(Desc(dims, type, wrong, allow_empty)); },
          [=](bool allow_empty) { return Of(Desc(dims, type, right, allow_empty)); }};
}

CallPair TagRank(Random& random, const Device&) {
  const Dims right = AnyDims(random);
  Dims wrong = right;
  if (right.size() > 1 && random.Chance(50))
    wrong.pop_back();
  else
    wrong.push_back(random.Between(1, 4));
  return ByTag(wrong, right, AnyDataType(random), kRows[right.size() - 1]);
}

CallPair TagNegativeDim(Random& random, const Device&) {
  const Dims right = AnyDims(random);
  Dims wrong = right;
  wrong[AnyAxis(random, wrong)] = -random.Between(1, 99);
  return ByTag(wrong, right, AnyDataType(random), kRows[right.size() - 1]);
}

CallPair AnyNegativeDim(Random& random, const Device&) {
  const Dims right = AnyDims(random);
  Dims wrong = right;
  wrong[AnyAxis(random, wrong)] = -random.Between(1, 99);
  return ByTag(wrong, right, AnyDataType(random), FormatTag::any);
}

CallPair AnyRunTimeDim(Random& random, const Device&) {
  const Dims right = AnyDims(random);
  Dims wrong = right;
  wrong[AnyAxis(random, wrong)] = DNNL_RUNTIME_DIM_VAL;
  return ByTag(wrong, right, AnyDataType(random), FormatTag::any);
}

CallPair UndefType(Random& random, const Device&) {
  const Dims dims = AnyDims(random);
  const FormatTag tag = random.Chance(50) ? FormatTag::any : kRows[dims.size() - 1];
  const DataType type = AnyDataType(random);
  return {[=](bool allow_empty) { return Of(Desc(dims, DataType::undef, tag, allow_empty)); },
          [=](bool allow_empty) { return Of(Desc(dims, type, tag, allow_empty)); }};
}

CallPair RankLimit(Random& random, const Device&) {
  return ByTag(Dims(random.Between(13, 40), 1), Dims(12, 1), AnyDataType(random), FormatTag::any);
}

CallPair StridesTie(Random& random, const Device&) {
  Dims dims = AnyDims(random, 2);
  const size_t j = AnyAxis(random, Dims(dims.size() - 1));
  dims[j] = random.Between(2, 5);
  dims[j + 1] = random.Between(2, 5);
  const Dims right = RowMajorStrides(dims);
  Dims wrong = right;
  wrong[j] = random.Chance(50) ? wrong[j + 1] : wrong[j] - 1;
  return ByStrides(dims, wrong, right, AnyDataType(random));
}

CallPair StridesNegative(Random& random, const Device&) {
  Dims dims = AnyDims(random);
  const size_t j = AnyAxis(random, dims);
  dims[j] = random.Between(2, 5);
  const Dims right = RowMajorStrides(dims);
  Dims wrong = right;
  wrong[j] = -wrong[j];
  return ByStrides(dims, wrong, right, AnyDataType(random));
}

CallPair StridesShort(Random& random, const Device&) {
  const Dims dims = AnyDims(random, 2);
  const Dims right = RowMajorStrides(dims);
  Dims wrong = right;
  wrong.pop_back();
  return ByStrides(dims, wrong, right, AnyDataType(random));
}

Desc Parent(Random& random, Dims* dims) {
  *dims = AnyDims(random, 2);
  (*dims)[0] = random.Between(2, 6);
  return Desc(*dims, AnyDataType(random), kRows[dims->size() - 1]);
}

CallPair Submemory(const Desc& parent, const Region& wrong, const Region& right) {
  return {[=](bool allow_empty) {
            return Of(parent.submemory_desc(wrong.dims, wrong.offsets, allow_empty));
          },
          [=](bool allow_empty) {
            return Of(parent.submemory_desc(right.dims, right.offsets, allow_empty));
          }};
}

CallPair SubmemoryOutside(Random& random, const Device&) {
  Dims dims;
  const Desc parent = Parent(random, &dims);
  const Region right = DrawRegion(random, dims, /*empty=*/false);
  Region wrong = right;
  const size_t j = AnyAxis(random, dims);
  if (random.Chance(50))
    wrong.offsets[j] = dims[j] - wrong.dims[j] + 1;
  else
    wrong.dims[j] = dims[j] - wrong.offsets[j] + 1;
  return Submemory(parent, wrong, right);
}

CallPair SubmemoryNegative(Random& random, const Device&) {
  Dims dims;
  const Desc parent = Parent(random, &dims);
  const Region right = DrawRegion(random, dims, /*empty=*/false);
  Region wrong = right;
  const size_t j = AnyAxis(random, dims);
  (random.Chance(50) ? wrong.offsets : wrong.dims)[j] = -1;
  return Submemory(parent, wrong, right);
}

CallPair SubmemoryShort(Random& random, const Device&) {
  Dims dims;
  const Desc parent = Parent(random, &dims);
  const Region right = DrawRegion(random, dims, /*empty=*/false);
  Region wrong = right;
  (random.Chance(50) ? wrong.offsets : wrong.dims).pop_back();
  return Submemory(parent, wrong, right);
}

CallPair SubmemoryOfAny(Random& random, const Device&) {
  Dims dims;
  const Desc plain = Parent(random, &dims);
  const Desc any(dims, plain.data_type(), FormatTag::any);
  const Region region = DrawRegion(random, dims, /*empty=*/false);
  return {[=](bool allow_empty) {
            return Of(any.submemory_desc(region.dims, region.offsets, allow_empty));
          },
          [=](bool allow_empty) {
            return Of(plain.submemory_desc(region.dims, region.offsets, allow_empty));
          }};
}

CallPair Reshape(const Desc& parent, const Dims& wrong, const Dims& right) {
  return {[=](bool allow_empty) { return Of(parent.reshape(wrong, allow_empty)); },
          [=](bool allow_empty) { return Of(parent.reshape(right, allow_empty)); }};
}

CallPair ReshapeProduct(Random& random, const Device&) {
  Dims dims;
  const Desc parent = Parent(random, &dims);
  Dims wrong = dims;
  ++wrong[AnyAxis(random, wrong)];
  return Reshape(parent, wrong, dims);
}

CallPair ReshapeImpossible(Random& random, const Device&) {
  const Dims dims{random.Between(2, 6), random.Between(2, 6)};
  const Desc columns(dims, AnyDataType(random), FormatTag::ba);
  return Reshape(columns, {dims[0] * dims[1]}, {dims[0], 1, dims[1]});
}

CallPair ReshapeNegative(Random& random, const Device&) {
  Dims dims;
  const Desc parent = Parent(random, &dims);
  Dims wrong = dims;
  wrong[0] = -wrong[0];
  wrong[1] = -wrong[1];
  return Reshape(parent, wrong, dims);
}

CallPair ReshapeToNothing(Random& random, const Device&) {
  Dims dims;
  const Desc parent = Parent(random, &dims);
  return Reshape(parent, {}, dims);
}

CallPair ReshapeOfZero(Random& random, const Device&) {
  Dims dims;
  const Desc parent = Parent(random, &dims);
  return {[=](bool allow_empty) { return Of(Desc().reshape(dims, allow_empty)); },
          [=](bool allow_empty) { return Of(parent.reshape(dims, allow_empty)); }};
}

CallPair Permute(Random& random, void (*spoil)(Random& random, std::vector<int>* axes)) {
  Dims dims;
  const Desc parent = Parent(random, &dims);
  const std::vector<int> right = AnyPermutation(random, static_cast<int>(dims.size()));
  std::vector<int> wrong = right;
  spoil(random, &wrong);
  return {[=](bool allow_empty) { return Of(parent.permute_axes(wrong, allow_empty)); },
          [=](bool allow_empty) { return Of(parent.permute_axes(right, allow_empty)); }};
}

CallPair PermuteRepeated(Random& random, const Device&) {
  return Permute(random, [](Random&, std::vector<int>* axes) { (*axes)[0] = (*axes)[1]; });
}

CallPair PermuteOutside(Random& random, const Device&) {
  return Permute(random, [](Random& r, std::vector<int>* axes) {
    (*axes)[0] = r.Pick({-1, static_cast<int>(axes->size()), INT_MAX, INT_MIN});
  });
}

CallPair PermuteShort(Random& random, const Device&) {
  return Permute(random, [](Random&, std::vector<int>* axes) { axes->pop_back(); });
}

}  // namespace

std::vector<FaultyCall> DescriptorFaults() {
  constexpr auto kInvalid = Refusal::kInvalidArguments;
  return {
      {"desc-tag-rank", kInvalid, true, true, false, TagRank},
      {"desc-tag-negative", kInvalid, true, true, false, TagNegativeDim},
      {"desc-any-negative", kInvalid, true, true, false, AnyNegativeDim},
      {"desc-any-run-time", kInvalid, true, true, false, AnyRunTimeDim},
      {"desc-type-undef", kInvalid, true, true, false, UndefType},
      {"desc-rank-limit", kInvalid, true, false, true, RankLimit},
      {"desc-strides-tie", kInvalid, true, true, false, StridesTie},
      {"desc-strides-negative", kInvalid, true, true, false, StridesNegative},
      {"desc-strides-short", kInvalid, true, false, false, StridesShort},
      {"submemory-outside", kInvalid, true, true, false, SubmemoryOutside},
      {"submemory-negative", kInvalid, true, true, false, SubmemoryNegative},
      {"submemory-short", kInvalid, true, false, false, SubmemoryShort},
      {"submemory-of-any", kInvalid, true, true, false, SubmemoryOfAny},
      {"reshape-product", kInvalid, true, true, false, ReshapeProduct},
      {"reshape-impossible", kInvalid, true, true, false, ReshapeImpossible},
      {"reshape-negative", kInvalid, true, true, false, ReshapeNegative},
      {"reshape-to-nothing", kInvalid, true, false, false, ReshapeToNothing},
      {"reshape-of-zero", kInvalid, true, true, false, ReshapeOfZero},
      {"permute-repeated", kInvalid, true, true, false, PermuteRepeated},
      {"permute-outside", kInvalid, true, true, false, PermuteOutside},
      {"permute-short", kInvalid, true, false, false, PermuteShort},
  };
}

}  // namespace conformance
