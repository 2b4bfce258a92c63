// Tensors as OpenCV's matrices, which have rows apart and columns without gaps.
#ifndef DNNSPEC_EXAMPLES_PLUGIN_OPENCV_MATRICES_H_
#define DNNSPEC_EXAMPLES_PLUGIN_OPENCV_MATRICES_H_

#include <cstdint>
#include <opencv2/core.hpp>

#include "api/spi/plugin_abi.h"
#include "examples/plugin-cpu/tensors.h"

namespace plugin {

// Extents in OpenCV are int: whether those of a tensor are, and of a row of all its elements.
bool HasMatrix(const Tensor& tensor);

// Bits go to the places with the same indices. Types are of one size.
void Copy(const Tensor& src, const dnnspec_argument& from, const Tensor& dst,
          const dnnspec_argument& to);

// All elements in a row, the last axis innermost, and back.
cv::Mat Gather(const Tensor& tensor, const dnnspec_argument& argument);
void Scatter(const cv::Mat& row, const Tensor& tensor, const dnnspec_argument& argument);

// What a matrix of elements of this type has; that of bf16, which OpenCV only moves, is CV_16U.
int DepthOf(int32_t type);

// Values rounded to nearest even, and saturated.
cv::Mat Convert(const cv::Mat& values, int depth);

}  // namespace plugin

#endif  // DNNSPEC_EXAMPLES_PLUGIN_OPENCV_MATRICES_H_
