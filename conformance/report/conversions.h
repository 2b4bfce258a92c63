// Sums up what a run found for each pair of data types that a tensor may be converted between.
#ifndef DNNSPEC_CONFORMANCE_REPORT_CONVERSIONS_H_
#define DNNSPEC_CONFORMANCE_REPORT_CONVERSIONS_H_

#include <string>
#include <vector>

#include "conformance/report/document.h"

namespace conformance {

// Of one pair.
struct Conversion {
  // The worst that a property saw of the pair (RecordedProperty::verdict); where nothing was judged
  // "not_claimed", "refused" or "not_run".
  std::string verdict = "not_run";
  // The requirements that have this verdict, where it is none of a pass; each once.
  std::vector<std::string> ids;
  // Those that a case with attributes fails.
  std::vector<std::string> with_attributes;
};

// The pairs that tables of them have, in the order of rows and columns.
inline constexpr const char* kConvertedTypes[] = {"f32", "bf16", "f16", "s32", "s8", "u8"};
inline constexpr size_t kConvertedTypeCount = 6;

struct Conversions {
  // By source and destination.
  Conversion of[kConvertedTypeCount][kConvertedTypeCount];
  bool empty = true;  // nothing in the run is about a pair
};

// Made from what names a pair: properties (REO-040/f32-s8), classes of input ("f32 to s8"), and the
// cases of failures ("src=f32:... dst=s8:...").
Conversions ConversionsOf(const RecordedRun& run);

}  // namespace conformance

#endif  // DNNSPEC_CONFORMANCE_REPORT_CONVERSIONS_H_
