// Reorder as the caller asked for it:
//
//   dst(x) = scale(x) * (src(x) - src_zero_point) + beta * dst(x) + dst_zero_point
//
// in f32, each operation rounded by itself, from left to right.
//
// Source: oneDNN 2.x developer guide, "Reorder"; requirements REO-010 to REO-064 and REO-ZP-001 to
// REO-ZP-022.
#ifndef DNNSPEC_API_REORDER_OPERATION_H_
#define DNNSPEC_API_REORDER_OPERATION_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "api/spi/types.h"

namespace spi {

// What is subtracted from a source, or added to a destination, converted to f32 first.
struct ZeroPoint {
  int32_t value = 0;
  // It comes at execution, as one s32; `value` means nothing.
  bool run_time = false;

  // A 0 that is known in advance is none: nothing is computed.
  bool present() const { return run_time || value != 0; }
};

struct ReorderOperation {
  // Equal rank and dims. A zero stride occurs in src only.
  Layout src, dst;

  // Output scales: one for each index of the axes in scale_mask, row-major over those axes in
  // logical order; a single one if the mask is 0. Empty scales mean 1 everywhere.
  int scale_mask = 0;
  std::vector<float> scales;
  // The scales come at execution as kArgOutputScales: dense f32, as many as scale_count.
  bool run_time_scales = false;
  int64_t scale_count = 1;

  // With has_sum, beta * dst is added; dst is read as sum_type (same size as dst.type). A beta of 0
  // does not read dst at all.
  bool has_sum = false;
  float beta = 0;
  DataType sum_type = DataType::kUndef;

  // At run time they are kArgSrcZeroPoint and kArgDstZeroPoint.
  ZeroPoint src_zero_point, dst_zero_point;

  bool has_zero_points() const { return src_zero_point.present() || dst_zero_point.present(); }
};

// The first rule that `operation` breaks, in the order of spec/reorder/requirements.md, or Ok.
absl::Status Validate(const ReorderOperation& operation);

// One line: "reorder f32 2x3x4 s12,4,1 -> u8 s12,1,3 scale mask 2 sum 0.5 dst zero 10".
std::string ToString(const ReorderOperation& operation);

}  // namespace spi

#endif  // DNNSPEC_API_REORDER_OPERATION_H_
