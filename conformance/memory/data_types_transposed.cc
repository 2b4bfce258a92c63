// DT-005, DT-011, DT-012, DT-016, DT-021 to DT-025 by transpositions of many rows, which libraries
// make in tiles of whole vectors: with kernels of their own for many pairs of types.
#include <cstdint>
#include <tuple>
#include <utility>
#include <vector>

#include "conformance/case/property.h"
#include "conformance/memory/data_types.h"
#include "conformance/memory/value_cases.h"
#include "spec/numeric/convert.h"
#include "spec/requirements.h"

namespace conformance {
namespace {

using spec::Type;

void ConvertsRightInTiles(const ValueCase& c, Trial& trial) {
  const auto converted = ConvertTransposed(c, trial, int64_t{16} << c.seed % 4);
  if (converted) ExpectConverted(c, *converted, trial);
}

// Each pair out of `from` and `to` in turn, whole rows of 16 elements at least. Of floats no NaN
// and no infinity, which have requirements of their own. Few: a device compiles something for each.
Cases<ValueCase> Tiles(const std::vector<Type>& from, const std::vector<Type>& to) {
  std::vector<std::pair<Type, Type>> pairs;
  for (Type source : from)
    for (Type target : to)
      if (source != target) pairs.emplace_back(source, target);
  const auto count = static_cast<int64_t>(pairs.size());
  return {12 * count, [pairs, count](int64_t index, Random& random) {
            ValueCase c;
            std::tie(c.from, c.to) = pairs[static_cast<size_t>(index % count)];
            const bool whole = !spec::IsFloat(c.from);
            c.kind = !whole              ? ValueKind::kFinite
                     : random.Chance(50) ? ValueKind::kMixed
                                         : ValueKind::kBits;
            c.seed = static_cast<uint64_t>(4 * random.Between(0, 2499) + index / count % 4);
            c.draw_count = 128 * random.Between(16, 32);
            return c;
          }};
}

const bool kDefined[] = {
    Define<ValueCase>(spec::DT_005, "transposed", Tiles({Type::kF16, Type::kBF16}, {Type::kF32}),
                      ConvertsRightInTiles),
    Define<ValueCase>(spec::DT_011, "transposed", Tiles({Type::kF32}, {Type::kBF16}),
                      ConvertsRightInTiles),
    Define<ValueCase>(spec::DT_012, "transposed", Tiles({Type::kF32}, {Type::kF16}),
                      ConvertsRightInTiles),
    Define<ValueCase>(spec::DT_016, "transposed", Tiles(FloatTypes(), IntegerTypes()),
                      ConvertsRightInTiles, {"f32 to s32", "f32 to s8", "f32 to u8"}),
    Define<ValueCase>(spec::DT_021, "transposed", Tiles(IntegerTypes(), IntegerTypes()),
                      ConvertsRightInTiles, {"s32 to s8", "u8 to s8", "u8 to s32", "s8 to s32"}),
    Define<ValueCase>(spec::DT_022, "transposed", Tiles({Type::kS32}, {Type::kF32}),
                      ConvertsRightInTiles),
    Define<ValueCase>(spec::DT_023, "transposed", Tiles({Type::kS8, Type::kU8}, FloatTypes()),
                      ConvertsRightInTiles),
    Define<ValueCase>(spec::DT_024, "transposed", Tiles({Type::kS32}, {Type::kBF16}),
                      ConvertsRightInTiles),
    Define<ValueCase>(spec::DT_025, "transposed",
                      Tiles({Type::kF16, Type::kBF16}, {Type::kF16, Type::kBF16}),
                      ConvertsRightInTiles),
};

}  // namespace
}  // namespace conformance
