// A property whose cases change the process that they run in, of a requirement that it has nothing
// to do with.
#include <sys/stat.h>

#include <cfenv>

#include "conformance/case/property.h"
#include "conformance/case/testing/toys.h"
#include "spec/requirements.h"

namespace conformance {
namespace {

void Changes(const Number& number, Trial&) {
  if (number.value == 500) umask(0123);
  if (number.value == 501) std::fesetround(FE_UPWARD);
}

const bool defined = Define(spec::SHU_001, "", AnyNumber(), Changes);

}  // namespace
}  // namespace conformance
