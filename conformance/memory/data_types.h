// Declares what the checks of data types share.
#ifndef DNNSPEC_CONFORMANCE_MEMORY_DATA_TYPES_H_
#define DNNSPEC_CONFORMANCE_MEMORY_DATA_TYPES_H_

#include <optional>
#include <vector>

#include "conformance/case/trial.h"
#include "conformance/memory/value_cases.h"
#include "conformance/subject/conversion.h"
#include "spec/numeric/convert.h"

namespace conformance {

// Which results of a conversion the trial accepts.
spec::Strictness StrictnessOfConversion(spec::Type from, spec::Type to, const Trial& trial);

// The elements of a case and what the subject made of them. nullopt after recording the outcome in
// `trial` when it refused or failed, or there are none.
struct Converted {
  std::vector<spec::Bits> source, result;
};
std::optional<Converted> Convert(const ValueCase& c, Trial& trial);

// How elements lie in both tensors: in a row, in short rows and columns, the same in tiles of whole
// vectors, with gaps between them, in rows that lie apart.
enum class Arrangement { kDense, kTransposed, kTiles, kApart, kRows };
// A conversion of the elements of a case, repeated until they fill such tensors.
Conversion ConversionIn(Arrangement arrangement, const ValueCase& c);
// The first of them, and of cases that list their elements all others; of drawn ones one other, in
// every second case.
std::vector<Arrangement> ArrangementsOf(const ValueCase& c);
std::optional<Converted> ConvertIn(Arrangement arrangement, const ValueCase& c, Trial& trial);

// Calls check(converted) for each of the case's arrangements, until one is refused or fails.
template <class Check>
void InArrangements(const ValueCase& c, Trial& trial, Check check) {
  for (const Arrangement arrangement : ArrangementsOf(c)) {
    const auto converted = ConvertIn(arrangement, c, trial);
    if (!converted) return;
    check(*converted);
    if (trial.failed()) return;
  }
}

// The same by a transposition of 8 rows, or `most`, a power of two (fewer where their number does
// not divide the count): the path of kernels that work on blocks.
std::optional<Converted> ConvertTransposed(const ValueCase& c, Trial& trial, int64_t most = 8);

// Fails the trial at the first element that ORC-CVT does not accept.
bool ExpectConverted(const ValueCase& c, const Converted& converted, Trial& trial);

// The whole check: by ORC-CVT, in each arrangement.
void ConvertsRight(const ValueCase& c, Trial& trial);
void ConvertsRightTransposed(const ValueCase& c, Trial& trial);

// "element 3 of src 1.5 (0x3fc0)".
std::string NameOfElement(const ValueCase& c, size_t k, spec::Bits source);

}  // namespace conformance

#endif  // DNNSPEC_CONFORMANCE_MEMORY_DATA_TYPES_H_
