// f32 arithmetic as IEEE 754 defines it, one rounding to nearest even for each operation, whatever
// the caller's floating-point environment.
#ifndef DNNSPEC_SPEC_NUMERIC_ARITHMETIC_H_
#define DNNSPEC_SPEC_NUMERIC_ARITHMETIC_H_

namespace spec {

// fl(a * b) and fl(a + b). A NaN result is quiet, without a particular sign or payload.
float Multiply(float a, float b);
float Add(float a, float b);

// fl(value); NaN to NaN.
float Nearest(double value);
// The smallest float >= value: infinity above the largest finite one. Not for NaN.
float AtLeast(double value);
// The largest float <= value.
float AtMost(double value);

}  // namespace spec

#endif  // DNNSPEC_SPEC_NUMERIC_ARITHMETIC_H_
