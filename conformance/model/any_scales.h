// Scales of any bits, for checks of attributes and post-ops as containers, and their bits as text.
#ifndef DNNSPEC_CONFORMANCE_MODEL_ANY_SCALES_H_
#define DNNSPEC_CONFORMANCE_MODEL_ANY_SCALES_H_

#include <cstdint>
#include <string>
#include <vector>

#include "conformance/case/random.h"

namespace conformance {

// One to `most` of them, of several now and then many more, infinities and NaNs included, but not
// the run-time wildcard; in some all are equal, 1 among them, or all but one.
std::vector<float> AnyScales(Random& random, int64_t most);

// "{1065353216,1073741824}": equal exactly where all bits are.
std::string WordsOf(const std::vector<float>& values);

}  // namespace conformance

#endif  // DNNSPEC_CONFORMANCE_MODEL_ANY_SCALES_H_
