#include "conformance/gen/blocks.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "conformance/gen/tensors.h"

namespace conformance {
namespace {

constexpr int64_t kMostPlaces = int64_t{1} << 20;

int64_t BlockSize(const std::vector<spec::Block>& blocks) {
  int64_t size = 1;
  for (const spec::Block& block : blocks) size *= block.size;
  return size;
}

// How many steps of its stride each axis makes.
spec::Dims StepsOf(const spec::Blocked& layout) {
  spec::Dims steps = spec::PaddedDims(layout);
  for (const spec::Block& block : layout.blocks) steps[block.axis] /= block.size;
  return steps;
}

std::vector<int> AxesByStride(const spec::Blocked& layout) {
  std::vector<int> order(layout.dims.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(),
                   [&](int a, int b) { return layout.strides[a] > layout.strides[b]; });
  return order;
}

// Strides of whole blocks, with the axes in `order`, outermost first; `gap(step)` comes after each.
template <class Gap>
void Lay(const std::vector<int>& order, spec::Blocked* layout, Gap gap) {
  layout->strides.assign(layout->dims.size(), 1);
  const spec::Dims steps = StepsOf(*layout);
  int64_t step = BlockSize(layout->blocks);
  for (auto axis = order.rbegin(); axis != order.rend(); ++axis) {
    layout->strides[*axis] = step;
    step = step * std::max<int64_t>(1, steps[*axis]) + gap();
  }
}

void LayDensely(const std::vector<int>& order, spec::Blocked* layout) {
  Lay(order, layout, [] { return int64_t{0}; });
  layout->offset = 0;
}

// That each stride steps over all that lies inside it, and the places can be listed.
bool IsLegal(const spec::Blocked& layout) {
  int64_t places = 1, inside = BlockSize(layout.blocks);
  for (int64_t padded : spec::PaddedDims(layout)) {
    if (padded > kMostPlaces || (places *= std::max<int64_t>(1, padded)) > kMostPlaces)
      return false;
  }
  std::vector<int> order = AxesByStride(layout);
  const spec::Dims steps = StepsOf(layout);
  std::reverse(order.begin(), order.end());
  for (int axis : order) {
    if (steps[axis] <= 1) continue;
    if (layout.strides[axis] < inside || layout.strides[axis] > kMostPlaces) return false;
    inside = layout.strides[axis] * steps[axis];
    if (inside > 64 * kMostPlaces) return false;
  }
  return layout.offset >= 0 && layout.offset <= kMostPlaces;
}

std::optional<std::vector<spec::Block>> ParseBlocks(std::string_view text, size_t rank) {
  std::vector<spec::Block> blocks;
  if (text == "-") return blocks;
  if (text.empty() || text.back() == ',') return std::nullopt;
  while (!text.empty()) {
    const size_t comma = std::min(text.find(','), text.size());
    const std::string_view one = text.substr(0, comma);
    text.remove_prefix(std::min(comma + 1, text.size()));
    const size_t at = one.find('@');
    if (at == one.npos) return std::nullopt;
    const auto size = Split(one.substr(0, at), ','), axis = Split(one.substr(at + 1), ',');
    if (!size || !axis || size->size() != 1 || axis->size() != 1) return std::nullopt;
    const int64_t s = (*size)[0], a = (*axis)[0];
    if (s < 1 || s > 4096 || a < 0 || a >= static_cast<int64_t>(rank) || blocks.size() == 6)
      return std::nullopt;
    blocks.push_back({static_cast<int>(a), s});
    if (BlockSize(blocks) > kMostPlaces) return std::nullopt;
  }
  return blocks;
}

}  // namespace

std::string ToString(const BlockedTensor& tensor) {
  const spec::Blocked& layout = tensor.layout;
  std::string blocks;
  for (const spec::Block& block : layout.blocks) {
    blocks +=
        (blocks.empty() ? "" : ",") + std::to_string(block.size) + "@" + std::to_string(block.axis);
  }
  std::string text = std::string(spec::NameOf(tensor.type)) + ":" + Join(layout.dims, 'x') + ":s" +
                     Join(layout.strides, ',') + ":b" + (blocks.empty() ? "-" : blocks);
  if (layout.offset != 0) text += ":o" + std::to_string(layout.offset);
  return text;
}

std::optional<BlockedTensor> ParseBlockedTensor(std::string_view text) {
  std::vector<std::string_view> parts;
  for (size_t end = 0; end != text.npos;) {
    end = text.find(':');
    parts.push_back(text.substr(0, end));
    if (end != text.npos) text.remove_prefix(end + 1);
  }
  if (parts.size() < 4 || parts.size() > 5 || parts[2].substr(0, 1) != "s" ||
      parts[3].substr(0, 1) != "b" || (parts.size() == 5 && parts[4].substr(0, 1) != "o"))
    return std::nullopt;
  const auto type = ParseType(parts[0]);
  const auto dims = Split(parts[1], 'x'), strides = Split(parts[2].substr(1), ',');
  if (!type || !dims || !strides || dims->size() > 12 || strides->size() != dims->size())
    return std::nullopt;
  if (std::any_of(dims->begin(), dims->end(),
                  [](int64_t dim) { return dim < 0 || dim > kMostPlaces; }))
    return std::nullopt;
  const auto blocks = ParseBlocks(parts[3].substr(1), dims->size());
  if (!blocks) return std::nullopt;
  BlockedTensor tensor{*type, {*dims, *strides, *blocks, 0}};
  if (parts.size() == 5) {
    const auto offset = Split(parts[4].substr(1), ',');
    if (!offset || offset->size() != 1 || (*offset)[0] == 0) return std::nullopt;
    tensor.layout.offset = (*offset)[0];
  }
  if (!IsLegal(tensor.layout)) return std::nullopt;
  return tensor;
}

void SetBlockedTensor(Fields* fields, std::string_view key, const BlockedTensor& tensor) {
  fields->Set(key, ToString(tensor));
}

BlockedTensor GetBlockedTensor(const Fields& fields, std::string_view key) {
  if (const auto tensor = ParseBlockedTensor(fields.Text(key))) return *tensor;
  fields.Reject(key, "is no tensor in blocks such as s8:2x19:s32,16:b16@1 or u8:3:s1:b-:o4");
  return {spec::Type::kF32, {{1}, {1}, {}, 0}};
}

std::vector<spec::Block> AnyBlocks(Random& random, int rank) {
  std::vector<spec::Block> blocks;
  int64_t room = 128;
  const int64_t count = random.Chance(45) ? 1 : random.Between(2, 3);
  const bool again = random.Chance(30);  // several of one axis
  for (int64_t k = 0; k < count; ++k) {
    const int64_t size = random.Pick<int64_t>({2, 3, 4, 4, 8, 8, 16, 5});
    if (size > room) continue;
    room /= size;
    const int axis =
        again && !blocks.empty() ? blocks[0].axis : static_cast<int>(random.Between(0, rank - 1));
    blocks.push_back({axis, size});
  }
  return blocks;
}

BlockedTensor AnyBlockedTensor(Random& random, spec::Type type, const spec::Dims& dims,
                               const std::vector<spec::Block>& blocks) {
  BlockedTensor tensor{type, {dims, {}, blocks, 0}};
  std::vector<int> order(dims.size());
  std::iota(order.begin(), order.end(), 0);
  if (random.Chance(60)) order = AnyPermutation(random, static_cast<int>(dims.size()));
  const bool gaps = random.Chance(40);
  Lay(order, &tensor.layout,
      [&] { return gaps && random.Chance(50) ? random.Between(1, 7) : int64_t{0}; });
  if (random.Chance(35)) tensor.layout.offset = random.Between(1, 9);
  return tensor;
}

BlockedTensor DenselyBlocked(spec::Type type, const spec::Dims& dims,
                             const std::vector<spec::Block>& blocks) {
  BlockedTensor tensor{type, {dims, {}, blocks, 0}};
  std::vector<int> order(dims.size());
  std::iota(order.begin(), order.end(), 0);
  Lay(order, &tensor.layout, [] { return int64_t{0}; });
  return tensor;
}

BlockedTensor CutBlocked(const BlockedTensor& tensor, const Cut& cut) {
  BlockedTensor result = tensor;
  result.layout.dims = CutDims(tensor.layout.dims, cut);
  result.layout.strides = CutEntry(tensor.layout.strides, cut);
  if (cut.extent != Cut::kDrop) return result;
  std::vector<spec::Block>& blocks = result.layout.blocks;
  blocks.erase(std::remove_if(blocks.begin(), blocks.end(),
                              [&](const spec::Block& block) { return block.axis == cut.axis; }),
               blocks.end());
  for (spec::Block& block : blocks) {
    if (block.axis > cut.axis) --block.axis;
  }
  return result;
}

std::vector<BlockedTensor> SimplerLayouts(const BlockedTensor& tensor) {
  std::vector<BlockedTensor> simpler;
  const auto offer = [&](BlockedTensor candidate) {
    const std::string text = ToString(candidate);
    if (text != ToString(tensor)) simpler.push_back(std::move(candidate));
  };
  for (size_t k = 0; k < tensor.layout.blocks.size(); ++k) {
    BlockedTensor fewer = tensor;
    fewer.layout.blocks.erase(fewer.layout.blocks.begin() + static_cast<std::ptrdiff_t>(k));
    LayDensely(AxesByStride(tensor.layout), &fewer.layout);
    offer(std::move(fewer));
  }
  std::vector<int> row_major(tensor.dims().size());
  std::iota(row_major.begin(), row_major.end(), 0);
  for (const std::vector<int>& order : {row_major, AxesByStride(tensor.layout)}) {
    BlockedTensor dense = tensor;
    LayDensely(order, &dense.layout);
    offer(std::move(dense));
  }
  BlockedTensor at_start = tensor;
  at_start.layout.offset = 0;
  offer(std::move(at_start));
  return simpler;
}

std::vector<std::string> ClassesOf(const BlockedTensor& tensor) {
  const spec::Blocked& layout = tensor.layout;
  std::vector<std::string> classes{spec::NameOf(tensor.type)};
  bool twice = false;
  for (size_t i = 0; i < layout.blocks.size(); ++i) {
    for (size_t j = 0; j < i; ++j) twice |= layout.blocks[i].axis == layout.blocks[j].axis;
  }
  spec::Blocked dense = layout;
  LayDensely(AxesByStride(layout), &dense);
  if (layout.blocks.size() > 1) classes.push_back("several blocks");
  if (twice) classes.push_back("one axis twice");
  if (dense.strides != layout.strides) classes.push_back("gapped blocks");
  if (layout.offset != 0) classes.push_back("start");
  if (spec::PaddedDims(layout) != layout.dims) classes.push_back("padding");
  return classes;
}

}  // namespace conformance
