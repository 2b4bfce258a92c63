// Declares what the checks of data types share.
#ifndef DNNSPEC_CONFORMANCE_MEMORY_DATA_TYPES_H_
#define DNNSPEC_CONFORMANCE_MEMORY_DATA_TYPES_H_

#include <optional>
#include <vector>

#include "conformance/case/trial.h"
#include "conformance/memory/value_cases.h"
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
// The same by a transposition of 8 rows, or `most`, a power of two (fewer where their number does
// not divide the count): the path of kernels that work on blocks.
std::optional<Converted> ConvertTransposed(const ValueCase& c, Trial& trial, int64_t most = 8);

// Fails the trial at the first element that ORC-CVT does not accept.
bool ExpectConverted(const ValueCase& c, const Converted& converted, Trial& trial);

// The whole check: by ORC-CVT.
void ConvertsRight(const ValueCase& c, Trial& trial);
void ConvertsRightTransposed(const ValueCase& c, Trial& trial);

// "element 3 of src 1.5 (0x3fc0)".
std::string NameOfElement(const ValueCase& c, size_t k, spec::Bits source);

}  // namespace conformance

#endif  // DNNSPEC_CONFORMANCE_MEMORY_DATA_TYPES_H_
