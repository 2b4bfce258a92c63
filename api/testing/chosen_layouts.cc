#include "api/testing/chosen_layouts.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <initializer_list>
#include <iterator>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "api/convolution/testing/convolution_operation.h"
#include "api/eltwise/operation.h"
#include "api/inner_product/testing/inner_product_operation.h"
#include "api/spi/signatures.h"

namespace spi {
namespace {

using Shape = std::vector<int64_t>;

std::string Answers(Engine& engine, const Operation& operation) {
  std::vector<std::string> answers;
  for (int candidate = 0;; ++candidate) {
    const absl::StatusOr<Planned> planned = engine.MakePlan({operation, nullptr, candidate});
    if (!planned.ok()) {
      EXPECT_EQ(planned.status().code(), absl::StatusCode::kUnimplemented) << planned.status();
      break;
    }
    std::string answer;
    for (const Layout& layout : planned->chosen)
      absl::StrAppend(&answer, answer.empty() ? "" : ", ", ToString(layout));
    if (answers.empty() || answers.back() != answer) answers.push_back(std::move(answer));
  }
  if (answers.empty()) return "unimplemented";
  std::string text;
  for (const std::string& answer : answers)
    absl::StrAppend(&text, text.empty() ? "" : " | ", answer);
  return text;
}

struct Types {
  DataType src, weights, dst;
  bool forward_only;
};
constexpr Types kTypes[] = {
    {DataType::kF32, DataType::kF32, DataType::kF32, false},
    {DataType::kBF16, DataType::kBF16, DataType::kF32, false},
    {DataType::kF16, DataType::kF16, DataType::kF16, false},
    {DataType::kU8, DataType::kS8, DataType::kS32, true},
    {DataType::kS8, DataType::kS8, DataType::kU8, true},
};

// Outputs, and the source: one, odd, whole panels, one more; a fully connected layer behind an
// image, a video; transformers.
struct Sizes {
  int64_t outputs;
  Shape src;
};
const Sizes kSizes[] = {
    {1, {1, 1}},          {1, {3, 17}},       {7, {2, 5}},        {16, {4, 16}},
    {17, {4, 33}},        {30, {2, 3, 5}},    {10, {2, 6, 4, 4}}, {100, {1, 512, 7, 7}},
    {6, {2, 3, 2, 4, 4}}, {1000, {32, 2048}}, {3072, {128, 768}}, {0, {2, 3}},
};

enum Open : unsigned { kSrc = 1, kWeights = 2, kDst = 4, kPlainNhwc = 8 };

// The axes of `dims` stored in the order of nhwc: channels last.
Layout ChannelsLast(DataType type, const Shape& dims) {
  Layout layout = Strided(type, dims);
  int64_t stride = dims[1];
  layout.strides[1] = 1;
  for (size_t axis = dims.size(); axis-- > 2; stride *= dims[axis]) layout.strides[axis] = stride;
  layout.strides[0] = stride;
  return layout;
}

InnerProductOperation InnerProductOf(PropKind prop, const Types& types, const Sizes& sizes,
                                     unsigned open) {
  Shape weights = sizes.src;
  weights[0] = sizes.outputs;
  const Shape dst = {sizes.src[0], sizes.outputs};
  InnerProductOperation operation;
  operation.prop = prop;
  operation.src = open & kSrc         ? Any(types.src, sizes.src)
                  : open & kPlainNhwc ? ChannelsLast(types.src, sizes.src)
                                      : Strided(types.src, sizes.src);
  operation.weights =
      open & kWeights ? Any(types.weights, weights) : Strided(types.weights, weights);
  operation.dst = open & kDst ? Any(types.dst, dst) : Strided(types.dst, dst);
  return operation;
}

void InnerProducts(Engine& engine, std::string* text) {
  for (const PropKind prop : {PropKind::kForwardTraining, PropKind::kForwardInference,
                              PropKind::kBackwardData, PropKind::kBackwardWeights})
    for (const Types& types : kTypes)
      for (const Sizes& sizes : kSizes)
        for (const unsigned open :
             {kSrc | kWeights | kDst, unsigned{kWeights}, kSrc | kDst, kWeights | kPlainNhwc}) {
          if (types.forward_only && !IsForward(prop)) continue;
          if (open & kPlainNhwc && sizes.src.size() < 4) continue;
          const Operation operation = InnerProductOf(prop, types, sizes, open);
          absl::StrAppend(text, ToString(operation), ": ", Answers(engine, operation), "\n");
        }
}

// Weights have groups where their rank says so. Padding is half of a kernel on both sides.
struct Window {
  Shape src, weights;
  int64_t stride;
};
// One of everything, pointwise, first and inner layers of networks, depthwise, groups, lines,
// volumes, nothing.
const Window kWindows[] = {
    {{1, 1, 1, 1}, {1, 1, 1, 1}, 1},        {{2, 30, 7, 7}, {17, 30, 1, 1}, 1},
    {{1, 3, 224, 224}, {64, 3, 7, 7}, 2},   {{1, 64, 14, 14}, {64, 64, 3, 3}, 1},
    {{1, 33, 14, 14}, {33, 1, 1, 3, 3}, 2}, {{2, 12, 5, 5}, {3, 5, 4, 3, 3}, 1},
    {{2, 32, 9}, {20, 32, 3}, 1},           {{1, 8, 4, 4, 4}, {16, 8, 3, 3, 3}, 1},
    {{0, 16, 5, 5}, {16, 16, 3, 3}, 1},
};

ConvolutionOperation ConvolutionOf(PropKind prop, const Types& types, const Window& window,
                                   unsigned open) {
  const Shape &src = window.src, &weights = window.weights;
  const size_t grouped = weights.size() - src.size();
  Shape dst = src;
  dst[1] = weights[grouped] * (grouped != 0 ? weights[0] : 1);
  ConvolutionOperation operation;
  operation.prop = prop;
  for (size_t axis = 2; axis < src.size(); ++axis) {
    const int64_t kernel = weights[grouped + axis], padding = kernel / 2;
    operation.params.strides[axis - 2] = window.stride;
    operation.params.padding_l[axis - 2] = operation.params.padding_r[axis - 2] = padding;
    dst[axis] = (src[axis] - kernel + 2 * padding) / window.stride + 1;
  }
  operation.src = open & kSrc         ? Any(types.src, src)
                  : open & kPlainNhwc ? ChannelsLast(types.src, src)
                                      : Strided(types.src, src);
  operation.weights =
      open & kWeights ? Any(types.weights, weights) : Strided(types.weights, weights);
  operation.dst = open & kDst         ? Any(types.dst, dst)
                  : open & kPlainNhwc ? ChannelsLast(types.dst, dst)
                                      : Strided(types.dst, dst);
  return operation;
}

void Convolutions(Engine& engine, std::string* text) {
  for (const PropKind prop :
       {PropKind::kForwardInference, PropKind::kBackwardData, PropKind::kBackwardWeights})
    for (const Types& types : kTypes)
      for (const Window& window : kWindows)
        for (const unsigned open :
             {kSrc | kWeights | kDst, unsigned{kWeights}, kSrc | kDst, kWeights | kPlainNhwc}) {
          if (types.forward_only && !IsForward(prop)) continue;
          const Operation operation = ConvolutionOf(prop, types, window, open);
          absl::StrAppend(text, ToString(operation), ": ", Answers(engine, operation), "\n");
        }
}

// Data of eltwise: row-major, channels last, blocked with padding, every second row.
std::vector<Layout> DataLayouts(DataType type) {
  std::vector<Layout> layouts;
  for (const Shape& dims : {Shape{3, 17}, Shape{2, 20, 5, 4}}) {
    layouts.push_back(Strided(type, dims));
    layouts.push_back(ChannelsLast(type, dims));
    layouts.push_back(Strided(type, dims, {{1, 16}}));
    layouts.push_back(Strided(type, dims));
    layouts.back().strides[0] *= 2;
    layouts.back().offset = 6;
  }
  return layouts;
}

// Backward alone takes `any`, for its gradients.
void Eltwises(Engine& engine, std::string* text) {
  for (const Algorithm algorithm : {Algorithm::kEltwiseRelu, Algorithm::kEltwiseTanhUseDstForBwd})
    for (const DataType type : {DataType::kF32, DataType::kBF16, DataType::kS32})
      for (const Layout& data : DataLayouts(type)) {
        const Layout open = Any(type, {data.dims.data(), data.rank});
        const Operation operation = MakeEltwiseBackward({algorithm, 0, 0}, data, open, open);
        absl::StrAppend(text, ToString(operation), ": ", Answers(engine, operation), "\n");
      }
}

std::vector<std::string> Lines(const std::string& text) { return absl::StrSplit(text, '\n'); }

}  // namespace

std::string ChosenLayouts(Engine& engine) {
  std::string text;
  InnerProducts(engine, &text);
  Convolutions(engine, &text);
  Eltwises(engine, &text);
  return text;
}

void ExpectChosenLayouts(Engine& engine, const std::string& path) {
  const std::string now = ChosenLayouts(engine);
  if (const char* const file = std::getenv("DNNSPEC_WRITE_GOLDEN")) {
    std::ofstream(file) << now;
    return;
  }
  std::ifstream file(path);
  ASSERT_TRUE(file.good()) << path;
  const std::vector<std::string> wanted =
      Lines({std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()});
  const std::vector<std::string> lines = Lines(now);
  EXPECT_EQ(lines.size(), wanted.size());
  for (size_t i = 0; i < lines.size() && i < wanted.size(); ++i)
    ASSERT_EQ(lines[i], wanted[i]) << path << ":" << i + 1;
}

}  // namespace spi
