// Reorder as an operation:
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
#include <memory>
#include <optional>

#include "absl/types/span.h"
#include "api/spi/operation.h"

namespace spi {

extern const Signature kReorderSignature;

// An operation of two tensors, with these attributes.
Operation MakeReorder(const Layout& src, const Layout& dst,
                      std::shared_ptr<const Attributes> attributes = nullptr);

// What a reorder's operation says, by names. Points into it.
struct ReorderView {
  explicit ReorderView(const Operation& operation);

  // Equal rank and dims. A zero stride occurs in src only.
  const Layout& src;
  const Layout& dst;

  // Output scales: one for each index of the axes in scale_mask, row-major over those axes in
  // logical order; a single one if the mask is 0. Empty scales mean 1 everywhere.
  int scale_mask = 0;
  absl::Span<const float> scales;
  // The scales come at execution as kArgOutputScales: dense f32, as many as scale_count.
  bool run_time_scales = false;
  int64_t scale_count = 1;

  // With has_sum, beta * dst is added; dst is read as sum_type (same size as dst.type). A beta of 0
  // does not read dst at all, but the value passes through f32 all the same (REO-053).
  bool has_sum = false;
  float beta = 0;
  DataType sum_type = DataType::kUndef;

  // At run time they are kArgSrcZeroPoint and kArgDstZeroPoint.
  ZeroPoint src_zero_point, dst_zero_point;

  bool has_zero_points() const { return src_zero_point.present() || dst_zero_point.present(); }
};

// Nothing for another primitive.
inline std::optional<ReorderView> AsReorder(const Operation& operation) {
  if (operation.kind != PrimitiveKind::kReorder) return std::nullopt;
  return std::optional<ReorderView>(std::in_place, operation);
}

}  // namespace spi

#endif  // DNNSPEC_API_REORDER_OPERATION_H_
