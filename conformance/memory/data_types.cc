#include "conformance/memory/data_types.h"

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <string>
#include <utility>

#include "conformance/subject/conversion.h"

namespace conformance {
namespace {

using spec::Bits;

std::optional<Converted> Run(const ValueCase& c, const Conversion& conversion, Trial& trial) {
  if (conversion.source.empty()) {
    trial.Vacuous();
    return std::nullopt;
  }
  trial.Cover(std::string(spec::NameOf(c.from)) + " to " + spec::NameOf(c.to));
  auto result = RunConversion(conversion, trial);
  if (!result) return std::nullopt;
  return Converted{conversion.source, std::move(*result)};
}

}  // namespace

spec::Strictness StrictnessOfConversion(spec::Type from, spec::Type to, const Trial& trial) {
  // on a device narrowing is arithmetic, and may flush.
  const bool narrowing = from != to && spec::IsFloat(to);
  const bool gpu = trial.engine() == EngineChoice::kGpu;
  return trial.portable() || (gpu && narrowing) ? spec::Strictness::kPortable
                                                : spec::Strictness::kProject;
}

std::optional<Converted> Convert(const ValueCase& c, Trial& trial) {
  return ConvertIn(Arrangement::kDense, c, trial);
}

std::vector<Arrangement> ArrangementsOf(const ValueCase& c) {
  constexpr Arrangement kOthers[] = {Arrangement::kTransposed, Arrangement::kTiles,
                                     Arrangement::kApart, Arrangement::kRows};
  std::vector<Arrangement> all{Arrangement::kDense};
  const bool listed = c.draw_count == 0 && c.around_count == 0 && c.seed == 0;
  const uint64_t ticket = c.around_count > 0 ? 4 * static_cast<uint64_t>(c.to) + 2 : c.seed;
  for (uint64_t i = 0; i < std::size(kOthers); ++i)
    if (listed || ticket % 8 == 2 * i) all.push_back(kOthers[i]);
  return all;
}

Conversion ConversionIn(Arrangement arrangement, const ValueCase& c) {
  std::vector<Bits> source = c.Elements();
  const auto count = static_cast<int64_t>(source.size());
  if (count == 0 || arrangement == Arrangement::kDense)
    return ConversionOf(c.from, c.to, std::move(source));
  const bool apart = arrangement == Arrangement::kApart;
  const int64_t rows = arrangement == Arrangement::kTransposed ? 8
                       : arrangement == Arrangement::kTiles    ? 64
                       : apart                                 ? 1
                                                               : 5;
  const int64_t least = arrangement == Arrangement::kTiles ? 16 : 1;
  const int64_t columns = std::max(least, (count + rows - 1) / rows);
  for (int64_t k = count; k < rows * columns; ++k)
    source.push_back(source[static_cast<size_t>(k % count)]);
  Conversion conversion = ConversionOf(c.from, c.to, std::move(source));
  const spec::Dims dims = apart ? spec::Dims{columns} : spec::Dims{rows, columns};
  conversion.src.dims = conversion.dst.dims = dims;
  conversion.src.layout = conversion.dst.layout = RowMajor(dims);
  const auto step = static_cast<int64_t>(c.seed / 8 % 3);
  if (apart) {
    conversion.src.layout.strides[0] = 2 + step;
    conversion.dst.layout.strides[0] = 3 - step;
  } else if (arrangement == Arrangement::kRows) {
    conversion.src.layout.strides[0] += 1 + step;
    conversion.dst.layout.strides[0] += 3;
  } else {
    conversion.dst.layout = DenseInOrder(dims, {1, 0});
  }
  return conversion;
}

std::optional<Converted> ConvertIn(Arrangement arrangement, const ValueCase& c, Trial& trial) {
  return Run(c, ConversionIn(arrangement, c), trial);
}

std::optional<Converted> ConvertTransposed(const ValueCase& c, Trial& trial, int64_t most) {
  Conversion conversion = ConversionOf(c.from, c.to, c.Elements());
  const auto count = static_cast<int64_t>(conversion.source.size());
  int64_t rows = most;
  while (count % rows != 0) rows /= 2;
  const spec::Dims dims{rows, count / rows};
  conversion.src.dims = conversion.dst.dims = dims;
  conversion.src.layout = DenseInOrder(dims, {0, 1});
  conversion.dst.layout = DenseInOrder(dims, {1, 0});
  return Run(c, conversion, trial);
}

std::string NameOfElement(const ValueCase& c, size_t k, Bits source) {
  return "element " + std::to_string(k) + " of src " + spec::ToString(c.from, source);
}

bool ExpectConverted(const ValueCase& c, const Converted& converted, Trial& trial) {
  const spec::Strictness strictness = StrictnessOfConversion(c.from, c.to, trial);
  for (size_t k = 0; k < converted.source.size(); ++k) {
    const Bits source = converted.source[k], got = converted.result[k];
    if (spec::AcceptsCopy(c.from, c.to, source, got, strictness)) continue;
    trial.Fail(NameOfElement(c, k, source),
               spec::ToString(c.to, spec::AcceptableCopies(c.from, c.to, source, strictness)),
               spec::ToString(c.to, got));
    return false;
  }
  return true;
}

void ConvertsRight(const ValueCase& c, Trial& trial) {
  InArrangements(c, trial,
                 [&](const Converted& converted) { ExpectConverted(c, converted, trial); });
}

void ConvertsRightTransposed(const ValueCase& c, Trial& trial) {
  const auto converted = ConvertTransposed(c, trial);
  if (converted) ExpectConverted(c, *converted, trial);
}

}  // namespace conformance
