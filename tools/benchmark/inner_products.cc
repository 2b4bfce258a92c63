#include <cstdint>
#include <string>
#include <vector>

#include "tools/benchmark/cases.h"

namespace bench {
namespace {

struct Layer {
  const char* name;
  int64_t batch;
  Dims inputs;
  int64_t outputs;
};

// Of image networks, transformers and recommenders; of one row, one output, and next to nothing.
const std::vector<Layer>& Layers() {
  static const std::vector<Layer>* const layers = new std::vector<Layer>{
      {"ResNet-50 fc, 1", 1, {2048}, 1000},
      {"ResNet-50 fc, 16", 16, {2048}, 1000},
      {"ResNet-50 fc, 64", 64, {2048}, 1000},
      {"VGG fc7, 1", 1, {4096}, 4096},
      {"VGG fc7, 8", 8, {4096}, 4096},
      {"AlexNet fc6 cut, 16", 16, {256, 6, 6}, 1024},
      {"LeNet fc, 64", 64, {16, 5, 5}, 120},
      {"transformer qkv, 128", 128, {768}, 768},
      {"transformer up, 128", 128, {768}, 3072},
      {"transformer down, 128", 128, {3072}, 768},
      {"transformer step, 4", 4, {512}, 2048},
      {"recommender bottom, 128", 128, {13}, 512},
      {"recommender middle, 128", 128, {512}, 256},
      {"recommender top, 128", 128, {479}, 1024},
      {"recommender wide, 512", 512, {1024}, 512},
      {"one output, 128", 128, {256}, 1},
      {"one output, 2048", 2048, {512}, 1},
      {"one output, one row", 1, {4096}, 1},
      {"three outputs, 64", 64, {1024}, 3},
      {"ten outputs, 32", 32, {84}, 10},
      {"tiny, 1x16x16", 1, {16}, 16},
      {"tiny, 4x8x10", 4, {8}, 10},
  };
  return *layers;
}

void AddLayers(const std::string& group, Direction direction, const std::string& src,
               const std::string& weights, const std::string& dst, std::vector<Case>* cases) {
  for (const Layer& layer : Layers()) {
    Case c;
    c.group = group;
    c.name = layer.name;
    c.kind = Kind::kInnerProduct;
    c.product = {direction, layer.batch, layer.outputs, layer.inputs, src, weights, dst};
    cases->push_back(c);
  }
}

}  // namespace

double InnerProduct::flops() const {
  double flops = 2.0 * static_cast<double>(batch) * static_cast<double>(outputs);
  for (const int64_t extent : inputs) flops *= static_cast<double>(extent);
  return flops;
}

std::vector<Case> InnerProductCases() {
  std::vector<Case> cases;
  AddLayers("inner product f32", Direction::kForward, "f32", "f32", "f32", &cases);
  AddLayers("inner product backward data", Direction::kBackwardData, "f32", "f32", "f32", &cases);
  AddLayers("inner product backward weights", Direction::kBackwardWeights, "f32", "f32", "f32",
            &cases);
  AddLayers("inner product u8 x s8", Direction::kForward, "u8", "s8", "f32", &cases);
  AddLayers("inner product bf16", Direction::kForward, "bf16", "bf16", "bf16", &cases);
  AddLayers("inner product bf16 backward data", Direction::kBackwardData, "bf16", "bf16", "bf16",
            &cases);
  AddLayers("inner product bf16 backward weights", Direction::kBackwardWeights, "bf16", "bf16",
            "bf16", &cases);
  return cases;
}

}  // namespace bench
