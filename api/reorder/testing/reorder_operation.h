// A reorder as tests write it: field by field, legal or not, and then as an Operation where one is
// asked for.
#ifndef DNNSPEC_API_REORDER_TESTING_REORDER_OPERATION_H_
#define DNNSPEC_API_REORDER_TESTING_REORDER_OPERATION_H_

#include <cstdint>
#include <vector>

#include "api/reorder/operation.h"
#include "api/spi/attributes.h"
#include "api/spi/layout.h"
#include "api/spi/operation.h"

namespace spi {

// The fields of ReorderView.
struct ReorderOperation {
  Layout src, dst;
  int scale_mask = 0;
  std::vector<float> scales;
  bool run_time_scales = false;
  int64_t scale_count = 1;
  bool has_sum = false;
  float beta = 0;
  DataType sum_type = DataType::kUndef;
  ZeroPoint src_zero_point, dst_zero_point;

  bool has_zero_points() const { return src_zero_point.present() || dst_zero_point.present(); }
  operator Operation() const;  // NOLINT(google-explicit-constructor)
};

}  // namespace spi

#endif  // DNNSPEC_API_REORDER_TESTING_REORDER_OPERATION_H_
