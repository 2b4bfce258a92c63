#include "conformance/gen/networks.h"

#include <vector>

namespace conformance {

const std::vector<NetworkTensor>& NetworkTensors() {
  static const auto& tensors = *new std::vector<NetworkTensor>{
      {"images of ImageNet", {8, 3, 224, 224}, 1, 3, {0, 2, 3, 1}},
      {"ResNet-50, second stage", {2, 256, 56, 56}, 1, 4, {0, 2, 3, 1}},
      {"ResNet-50, fourth stage", {6, 1024, 14, 14}, 1, 32, {0, 2, 3, 1}},
      {"ShuffleNet v1, second stage, groups of 3", {6, 240, 28, 28}, 1, 3, {0, 2, 3, 1}},
      {"ShuffleNet v1, fourth stage, groups of 8", {24, 960, 7, 7}, 1, 8, {0, 2, 3, 1}},
      {"ShuffleNet v2, second stage", {12, 116, 28, 28}, 1, 2, {0, 2, 3, 1}},
      {"MobileNet v2, first stage", {8, 96, 56, 57}, 1, 6, {0, 2, 3, 1}},
      {"video, C3D", {1, 64, 16, 56, 56}, 1, 4, {0, 2, 3, 4, 1}},
      {"transformer, 12 heads", {4, 512, 768}, 2, 12, {0, 2, 1}},
      {"weights, 3 x 3", {512, 512, 3, 3}, 1, 2, {2, 3, 1, 0}},
      {"embedding", {30522, 50}, 1, 5, {1, 0}},
      {"audio, stereo", {1, 2, 600011}, 1, 2, {0, 2, 1}},
  };
  return tensors;
}

}  // namespace conformance
