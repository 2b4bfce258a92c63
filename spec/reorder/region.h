// The f32 intermediates that a result may come of, as an interval.
#ifndef DNNSPEC_SPEC_REORDER_REGION_H_
#define DNNSPEC_SPEC_REORDER_REGION_H_

#include "spec/numeric/convert.h"

namespace spec {

struct Region {
  float low, high;
};

// All f32 from value - bound to value + bound; infinite beyond the largest finite one.
Region RegionAround(double value, double bound);

// `got` comes of converting an intermediate in `region`, by what portable allows of conversions.
bool Holds(const Region& region, Type to, Bits got);

}  // namespace spec

#endif  // DNNSPEC_SPEC_REORDER_REGION_H_
