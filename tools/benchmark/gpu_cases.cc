#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "tools/benchmark/cases.h"

namespace bench {
namespace {

// A reorder between two dense layouts of 4-dimensional tensors of about `bytes` bytes.
Case Reorder(const std::string& name, const std::string& from, const std::string& to,
             const std::string& from_order, const std::string& to_order, int64_t channels,
             int64_t width, double bytes) {
  const auto wide = static_cast<double>(std::max(SizeOf(from), SizeOf(to)));
  const auto plane = static_cast<double>(channels * width);
  const auto rows = std::max<int64_t>(1, static_cast<int64_t>(bytes / wide / plane));
  Case c;
  c.group = "reorder";
  c.name = name;
  const Dims dims = {1, channels, rows, width};
  c.src = Dense(from, dims, from_order);
  c.dst = Dense(to, dims, to_order);
  return c;
}

Case Shuffle(const std::string& name, const std::string& type, const std::string& order,
             int64_t channels, int64_t group, double bytes) {
  Case c = Reorder(name, type, type, order, order, channels, 56, bytes);
  c.group = "shuffle";
  c.kind = Kind::kShuffle;
  c.axis = 1;
  c.group_size = group;
  return c;
}

void AddMoves(double bytes, std::vector<Case>* list) {
  auto& cases = *list;
  for (const char* type : {"f32", "f16", "s8"}) {
    const std::string t = type;
    cases.push_back(Reorder(t + " nchw to nhwc", t, t, "abcd", "acdb", 64, 56, bytes));
    cases.push_back(Reorder(t + " nhwc to nchw", t, t, "acdb", "abcd", 64, 56, bytes));
    cases.push_back(Reorder(t + " nchw to nhwc, odd", t, t, "abcd", "acdb", 61, 53, bytes));
    cases.push_back(Shuffle(t + " shuffle nchw", t, "abcd", 240, 3, bytes));
    cases.push_back(Shuffle(t + " shuffle nhwc", t, "acdb", 240, 3, bytes));
  }
  for (const auto& [from, to] : std::vector<std::pair<std::string, std::string>>{
           {"f32", "bf16"}, {"f32", "f16"}, {"f32", "s8"}, {"bf16", "f32"}, {"s8", "f32"}}) {
    cases.push_back(Reorder(from + " to " + to, from, to, "abcd", "abcd", 64, 56, bytes));
  }
  cases.push_back(
      Reorder("f32 nchw to s8 nhwc, scaled", "f32", "s8", "abcd", "acdb", 64, 56, bytes));
  cases.back().scale_mask = 0;
}

void AddEltwises(double bytes, std::vector<Case>* cases) {
  const auto add = [&](const Eltwise& eltwise, const std::string& type, bool forward) {
    Case c = Reorder(type + " " + eltwise.algorithm + (forward ? "" : ", backward"), type, type,
                     "abcd", "abcd", 64, 56, bytes);
    c.group = "eltwise";
    c.kind = Kind::kEltwise;
    c.eltwise = eltwise;
    c.forward = forward;
    cases->push_back(c);
  };
  for (const Eltwise& eltwise :
       {Eltwise{"relu"}, Eltwise{"linear", 0.5f, 0.25f}, Eltwise{"tanh"}, Eltwise{"exp"},
        Eltwise{"log"}, Eltwise{"logistic"}, Eltwise{"gelu_erf"}, Eltwise{"pow", 1, 1.7f}}) {
    add(eltwise, "f32", true);
  }
  add({"relu"}, "f32", false);
  add({"gelu_erf"}, "f32", false);
  add({"relu"}, "bf16", true);
  add({"gelu_erf"}, "bf16", true);
}

void AddSquare(int64_t side, const std::string& src, const std::string& weights,
               const std::string& dst, std::vector<Case>* cases) {
  Case c;
  const std::string extent = std::to_string(side);
  c.group = "inner product";
  c.name = src + " " + extent + " x " + extent + " x " + extent;
  c.kind = Kind::kInnerProduct;
  c.product = {Direction::kForward, side, side, {side}, src, weights, dst};
  cases->push_back(c);
}

}  // namespace

std::vector<Case> GpuCases(double bytes, int64_t batch) {
  std::vector<Case> cases;
  AddMoves(bytes, &cases);
  AddEltwises(bytes, &cases);
  const int64_t side = bytes < (1 << 26) ? 512 : 4096;
  AddSquare(side, "f32", "f32", "f32", &cases);
  AddSquare(side, "bf16", "bf16", "bf16", &cases);
  AddSquare(side, "u8", "s8", "f32", &cases);
  for (const Case& c : InnerProductCases()) cases.push_back(c);
  for (Case& c : ConvolutionCases()) {
    if (c.kind != Kind::kConvolution || c.convolution.chooses) continue;
    c.convolution.batch = batch;
    cases.push_back(std::move(c));
  }
  return cases;
}

}  // namespace bench
