// ORC-SCALE, ORC-REO and ORC-REO-ZP: what each element of a reorder's destination must be.
#ifndef DNNSPEC_SPEC_REORDER_ORACLE_H_
#define DNNSPEC_SPEC_REORDER_ORACLE_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "spec/memory/oracle.h"
#include "spec/numeric/convert.h"

namespace spec {

// ORC-SCALE: how many scales a mask asks for, and which of them element x uses.
int64_t ScaleCount(int mask, const Dims& dims);
int64_t ScaleIndex(int mask, const Dims& dims, const Dims& x);

// One element: dst = alpha * (src - src_zero) + beta * old + dst_zero.
struct ReorderElement {
  Type from, to;
  Bits source;
  bool scaled = false;  // output scales other than the default are set
  float alpha = 1;
  bool sum = false;
  float beta = 0;
  Type old_type =
      Type::kF32;  // how `old` is read: the destination's type unless the post-op says so
  Bits old = 0;
  // Zero points that take part: those that are not a fixed 0.
  std::optional<int32_t> src_zero = {}, dst_zero = {};
};

// The value that the project profile wants on a CPU: cvt(T, fl(fl(alpha*p) + fl(beta*q))), with
// zero points as zero_points.h has it, the pair table when nothing is computed, and old not read
// when beta is 0.
Bits Expected(const ReorderElement& element);

// True when `got` is in the set that ORC-REO allows (interval; exact where it must be).
bool Accepts(const ReorderElement& element, Bits got, Strictness strictness);

// "1.5 (0x3fc0)" or "1.49999 to 1.50001", for a failure's text.
std::string ExpectedText(const ReorderElement& element, Strictness strictness);

}  // namespace spec

#endif  // DNNSPEC_SPEC_REORDER_ORACLE_H_
