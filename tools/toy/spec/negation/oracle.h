// ORC-NEG: the definition of negation.
#ifndef DNNSPEC_SPEC_NEGATION_ORACLE_H_
#define DNNSPEC_SPEC_NEGATION_ORACLE_H_

#include "spec/numeric/convert.h"

namespace spec {

// Of the bits of an f32.
inline Bits Negated(Bits bits) { return bits ^ 0x80000000u; }

}  // namespace spec

#endif  // DNNSPEC_SPEC_NEGATION_ORACLE_H_
