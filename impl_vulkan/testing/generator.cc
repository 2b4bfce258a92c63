#include <algorithm>
#include <cstring>
#include <numeric>

#include "impl_vulkan/testing/reference.h"

namespace impl_vulkan {
namespace testing {
namespace {

using spi::DataType;

// f32 bits around ties, bounds and special values of every type.
constexpr uint32_t kEdges[] = {
    0x00000000, 0x80000000, 0x00000001, 0x80000001, 0x007fffff, 0x00800000, 0x33000000, 0x33000001,
    0x38800000, 0x387fe000, 0x387fffff, 0x3f000000, 0x3fc00000, 0x40200000, 0xbf000000, 0x42fe0000,
    0x42ff0000, 0x43000000, 0xc3000000, 0xc3008000, 0x437f0000, 0x437f8000, 0x43800000, 0x477fe000,
    0x477fefff, 0x477ff000, 0x47800000, 0x4b7fffff, 0x4b800001, 0x4effffff, 0x4f000000, 0xcf000000,
    0xcf000001, 0x7f7f7fff, 0x7f7f8000, 0x7f7fffff, 0x7f800000, 0xff800000, 0x7fc00000, 0x7fa00001,
    0xffc12345, 0x3f808000, 0x3f818000, 0x3f801000, 0x3f803000};

bool HasZeroStride(const spi::Layout& layout) {
  return std::find(layout.strides.begin(), layout.strides.begin() + layout.rank, 0) !=
         layout.strides.begin() + layout.rank;
}

}  // namespace

std::vector<int64_t> Generator::Dims(int64_t most_elements) {
  constexpr int64_t kSizes[] = {1, 2, 2, 3, 3, 4, 5, 7, 8, 9, 12, 16, 17, 31, 33, 64, 65, 130};
  const uint32_t rank = OneIn(8) ? 1 + Below(12) : 1 + Below(5);
  std::vector<int64_t> dims;
  int64_t count = 1;
  for (uint32_t j = 0; j < rank; ++j) {
    const int64_t size = OneOf(kSizes);
    dims.push_back(count * size <= most_elements ? size : 1);
    count *= dims.back();
  }
  std::shuffle(dims.begin(), dims.end(), random_);
  if (OneIn(40)) dims[Below(rank)] = 0;
  return dims;
}

spi::Layout Generator::Layout(DataType type, const std::vector<int64_t>& dims, bool blocks,
                              bool zero_strides) {
  spi::Layout layout = spi::Strided(type, dims);
  layout.strides = {};
  layout.offset = OneIn(2) ? 0 : Below(11);
  int64_t block = 1;
  spi::Dims product;
  product.fill(1);
  if (blocks) {
    constexpr int32_t kBlocks[] = {2, 3, 4, 8, 16};
    const uint32_t count = 1 + Below(2);
    for (uint32_t i = 0; i < count; ++i) {
      const uint32_t axis = Below(static_cast<uint32_t>(dims.size()));
      const int32_t size = OneOf(kBlocks);
      layout.blocks[static_cast<size_t>(layout.block_count++)] = {static_cast<int>(axis), size};
      product[axis] *= size;
      block *= size;
    }
  }
  std::vector<size_t> order(dims.size());
  std::iota(order.begin(), order.end(), size_t{0});
  if (!OneIn(3)) std::shuffle(order.begin(), order.end(), random_);
  int64_t stride = block * (OneIn(6) ? 1 + Below(3) : 1);
  for (auto axis = order.rbegin(); axis != order.rend(); ++axis) {
    const int64_t outer = (dims[*axis] + product[*axis] - 1) / product[*axis];
    if (zero_strides && OneIn(5) && product[*axis] == 1) continue;
    layout.strides[*axis] = stride;
    stride *= std::max<int64_t>(outer, 1);
    if (OneIn(5)) stride += Below(6);
  }
  return layout;
}

std::vector<float> Generator::Scales(int64_t count) {
  constexpr float kScales[] = {0.5f, 2, 1, -1, 0.1f, 3.7f, 1e-3f, 1e20f, 1e-20f, 0};
  std::vector<float> scales;
  for (int64_t i = 0; i < count; ++i) {
    scales.push_back(OneIn(2) ? OneOf(kScales) : static_cast<float>(Below(2000)) / 100 - 10);
  }
  return scales;
}

spi::ReorderOperation Generator::Reorder(int64_t most_elements) {
  spi::ReorderOperation operation;
  const std::vector<int64_t> dims = Dims(most_elements);
  const DataType from = OneOf(kTypes), to = OneIn(3) ? from : OneOf(kTypes);
  operation.src = Layout(from, dims, OneIn(5), OneIn(6));
  operation.dst = Layout(to, dims, OneIn(5), false);
  if (OneIn(5)) {  // the same order on both sides
    const DataType type = operation.dst.type;
    operation.dst = operation.src;
    if (HasZeroStride(operation.dst)) operation.dst = Layout(type, dims, false, false);
    operation.dst.type = type;
  }
  if (OneIn(3)) {
    if (OneIn(2))
      operation.scale_mask = static_cast<int>(Below(1u << std::min<size_t>(dims.size(), 5)));
    for (size_t j = 0; j < dims.size(); ++j) {
      if (operation.scale_mask >> j & 1) operation.scale_count *= dims[j];
    }
    operation.run_time_scales = OneIn(3);
    if (!operation.run_time_scales) operation.scales = Scales(operation.scale_count);
  }
  if (OneIn(4)) {
    operation.has_sum = true;
    operation.beta = Scales(1)[0];
    if (OneIn(4)) {
      DataType old = OneOf(kTypes);
      while (spi::SizeOf(old) != spi::SizeOf(to)) old = OneOf(kTypes);
      operation.sum_type = old;
    }
  }
  for (spi::ZeroPoint* zero : {&operation.src_zero_point, &operation.dst_zero_point}) {
    if (!OneIn(4)) continue;
    constexpr int32_t kZeros[] = {0,   1,    -1,  5,    127,      128,
                                  255, -128, 300, 1000, 16777217, 2147483647};
    zero->value = OneOf(kZeros);
    zero->run_time = OneIn(3);
  }
  return operation;
}

spi::ShuffleOperation Generator::Shuffle(int64_t most_elements) {
  spi::ShuffleOperation operation;
  std::vector<int64_t> dims = Dims(most_elements);
  const uint32_t axis = Below(static_cast<uint32_t>(dims.size()));
  if (OneIn(2) && dims[axis] != 0) {
    constexpr int64_t kChannels[] = {4, 6, 12, 24, 48, 60, 96};
    dims[axis] = OneOf(kChannels);
  }
  operation.forward = OneIn(2);
  operation.axis = static_cast<int>(axis);
  do {
    operation.group_size = 1 + Below(static_cast<uint32_t>(std::max<int64_t>(dims[axis], 1)));
  } while (dims[axis] % operation.group_size != 0);
  const DataType type = OneOf(kTypes);
  const bool blocks = OneIn(4);
  operation.from = Layout(type, dims, blocks, OneIn(8));
  operation.to = OneIn(2) ? operation.from : Layout(type, dims, OneIn(4), false);
  if (HasZeroStride(operation.to)) operation.to = Layout(type, dims, false, false);
  return operation;
}

Bytes Generator::Data(DataType type, int64_t elements) {
  Bytes bytes(static_cast<size_t>(elements * spi::SizeOf(type)));
  for (uint8_t& byte : bytes) byte = static_cast<uint8_t>(random_() >> 7);
  if (type != DataType::kF32) return bytes;
  for (int64_t i = 0; i < elements; ++i) {
    uint32_t bits = 0;
    if (OneIn(4)) {
      bits = OneOf(kEdges);
    } else if (OneIn(2)) {
      const float value = static_cast<float>(Below(1400)) / 2 - 350;
      std::memcpy(&bits, &value, sizeof bits);
    } else {
      continue;
    }
    Store(&bytes, type, i, bits);
  }
  return bytes;
}

}  // namespace testing
}  // namespace impl_vulkan
