#include "examples/plugin-opencv/matrices.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <limits>
#include <vector>

namespace plugin {
namespace {

// Where elements lie that are moved.
struct Place {
  uint8_t* at;
  int depth;

  Place Further(int64_t elements) const { return {at + elements * CV_ELEM_SIZE1(depth), depth}; }
};

Place PlaceOf(const Tensor& tensor, const dnnspec_argument& argument) {
  const int64_t size = SizeOf(tensor.type);
  return {StartOf(tensor, argument), size == 1 ? CV_8U : size == 2 ? CV_16U : CV_32S};
}

cv::Mat MatrixOf(const Place& place, int64_t rows, int64_t columns, int64_t step) {
  return cv::Mat(static_cast<int>(rows), static_cast<int>(columns), place.depth, place.at,
                 static_cast<size_t>(std::max(step, columns)) * CV_ELEM_SIZE1(place.depth));
}

void CopyPlane(const Place& from, const std::array<Axis, 2>& src, const Place& to,
               const std::array<Axis, 2>& dst) {
  // The destination has the other axis innermost.
  if (src[1].extent > 1 && AreRows(src[0], src[1]) && AreRows(dst[1], dst[0]))
    return cv::transpose(MatrixOf(from, src[0].extent, src[1].extent, src[0].stride),
                         MatrixOf(to, src[1].extent, src[0].extent, dst[1].stride));
  ForRows(src, dst, [&](int64_t at_src, int64_t at_dst, const Rows& rows) {
    MatrixOf(from.Further(at_src), rows.count, rows.length, rows.src_step)
        .copyTo(MatrixOf(to.Further(at_dst), rows.count, rows.length, rows.dst_step));
  });
}

void CopyAxes(const Place& from, const std::vector<Axis>& src, const Place& to,
              const std::vector<Axis>& dst) {
  const Split split = SplitOf(src, dst);
  ForEach(split.outer_a, split.outer_b, 0, 0, 0, [&](int64_t at_src, int64_t at_dst) {
    CopyPlane(from.Further(at_src), split.a, to.Further(at_dst), split.b);
  });
}

bool IsInteger(int depth) { return depth < CV_32F; }

}  // namespace

bool HasMatrix(const Tensor& tensor) {
  return Elements(tensor.axes) <= std::numeric_limits<int>::max();
}

void Copy(const Tensor& src, const dnnspec_argument& from, const Tensor& dst,
          const dnnspec_argument& to) {
  CopyAxes(PlaceOf(src, from), src.axes, PlaceOf(dst, to), dst.axes);
}

cv::Mat Gather(const Tensor& tensor, const dnnspec_argument& argument) {
  cv::Mat row(1, static_cast<int>(Elements(tensor.axes)), DepthOf(tensor.type));
  const Place place = PlaceOf(tensor, argument);
  CopyAxes(place, tensor.axes, {row.data, place.depth}, Dense(tensor.axes));
  return row;
}

void Scatter(const cv::Mat& row, const Tensor& tensor, const dnnspec_argument& argument) {
  const Place place = PlaceOf(tensor, argument);
  CopyAxes({row.data, place.depth}, Dense(tensor.axes), place, tensor.axes);
}

int DepthOf(int32_t type) {
  switch (type) {
    case DNNSPEC_F32:
      return CV_32F;
    case DNNSPEC_F16:
      return CV_16F;
    case DNNSPEC_S32:
      return CV_32S;
    case DNNSPEC_S8:
      return CV_8S;
    case DNNSPEC_U8:
      return CV_8U;
    default:
      return CV_16U;
  }
}

cv::Mat Convert(const cv::Mat& values, int depth) {
  cv::Mat result = values;
  // Half precision has no way to some depths, but one to f32.
  if (values.depth() == CV_16F || depth == CV_16F) values.convertTo(result, CV_32F);
  if (IsInteger(depth) && !IsInteger(result.depth())) {
    // convertTo saturates what an int32_t holds, and takes any other number for the least one.
    const cv::Scalar low(depth == CV_32S ? INT32_MIN : depth == CV_8S ? INT8_MIN : 0);
    const cv::Scalar high(depth == CV_32S ? INT32_MAX : depth == CV_8S ? INT8_MAX : UINT8_MAX);
    result.convertTo(result, CV_64F);
    cv::min(result, high, result);
    cv::max(result, low, result);
  }
  cv::Mat converted;
  result.convertTo(converted, depth);
  return converted;
}

}  // namespace plugin
