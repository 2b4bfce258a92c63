#include "conformance/memory/data_types.h"

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
  return Run(c, ConversionOf(c.from, c.to, c.Elements()), trial);
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
  const auto converted = Convert(c, trial);
  if (converted) ExpectConverted(c, *converted, trial);
}

void ConvertsRightTransposed(const ValueCase& c, Trial& trial) {
  const auto converted = ConvertTransposed(c, trial);
  if (converted) ExpectConverted(c, *converted, trial);
}

}  // namespace conformance
