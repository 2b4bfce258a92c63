#include "conformance/gen/layouts.h"

#include <algorithm>
#include <numeric>

namespace conformance {
namespace {

// The dims that the tag or the strides describe.
const spec::Dims& BaseDims(const LayoutSpec& layout, const spec::Dims& dims) {
  return layout.is_region() ? layout.parents.back().dims : dims;
}

const char* WordOf(const std::string& tag) {
  for (const spec::Tag& known : spec::SeedTags())
    if (tag == known.name) return known.word;
  return nullptr;
}

bool Fits(const spec::Dims& dims, const LayoutSpec::Parent& parent) {
  if (parent.dims.size() != dims.size() || parent.offsets.size() != dims.size()) return false;
  for (size_t j = 0; j < dims.size(); ++j)
    if (parent.offsets[j] < 0 || parent.offsets[j] + dims[j] > parent.dims[j]) return false;
  return true;
}

// Axes from the outermost to the innermost.
std::vector<int> AnyOrder(Random& random, int rank) {
  std::vector<int> order(rank);
  std::iota(order.begin(), order.end(), 0);
  const int64_t style = random.Between(1, 100);
  if (style <= 30) return order;
  if (style <= 40) {
    std::reverse(order.begin(), order.end());
  } else if (style <= 55) {
    if (rank > 1) std::swap(order[rank - 1], order[rank - 2]);
  } else if (style <= 65) {  // axis 1 innermost, as in nhwc
    if (rank > 2) std::rotate(order.begin() + 1, order.begin() + 2, order.end());
  } else {
    order = AnyPermutation(random, rank);
  }
  return order;
}

spec::Dims AnyStrides(Random& random, const spec::Dims& dims, bool gaps) {
  const int64_t count = std::max<int64_t>(1, spec::ElementCount(dims));
  spec::Dims strides(dims.size());
  int64_t step = gaps && random.Chance(40) ? random.Between(1, 4) : 1;
  int64_t room = std::max<int64_t>(16, 64 / count) / step;  // by how much gaps may still multiply
  const std::vector<int> order = AnyOrder(random, static_cast<int>(dims.size()));
  for (auto axis = order.rbegin(); axis != order.rend(); ++axis) {
    strides[*axis] = step;
    step *= std::max<int64_t>(1, dims[*axis]);
    if (!gaps || !random.Chance(45)) continue;
    const int64_t wider =
        random.Chance(70) ? step + random.Between(1, 7) : step * random.Between(2, 3);
    const int64_t growth = (wider + step - 1) / step;
    if (growth > room) continue;
    room /= growth;
    step = wider;
  }
  return strides;
}

// A layout that is no region.
LayoutSpec AnyBase(Random& random, const spec::Dims& dims, const LayoutLimits& limits) {
  LayoutSpec layout;
  const std::vector<std::string>& tags = TagsOfRank(static_cast<int>(dims.size()));
  if (limits.tags && !tags.empty() && random.Chance(35)) {
    layout.tag = random.Pick(tags);
    return layout;
  }
  layout.strides = AnyStrides(random, dims, limits.gaps && random.Chance(50));
  const int64_t last = static_cast<int64_t>(dims.size()) - 1;
  if (limits.zero_strides && random.Chance(60)) {
    for (int64_t& stride : layout.strides)
      if (random.Chance(40)) stride = 0;
    if (random.Chance(50)) layout.strides[random.Between(0, last)] = 0;
  }
  if (limits.odd_unit_strides && random.Chance(25)) {
    for (size_t j = 0; j < dims.size(); ++j)
      if (dims[j] == 1) layout.strides[j] = random.Pick({1, 2, 3, 5, 16, 77});
  }
  return layout;
}

// Puts `dims` into one to three parents; returns the dims of the outermost. Four regions in ten are
// cut out of a single axis, as in-place concatenation does.
spec::Dims AnyParents(Random& random, const spec::Dims& dims,
                      std::vector<LayoutSpec::Parent>* parents) {
  spec::Dims base = dims;
  int64_t room = 8;
  const int64_t depth = random.Chance(70) ? 1 : random.Between(2, 3);
  const int64_t last = static_cast<int64_t>(dims.size()) - 1;
  const int64_t only = random.Chance(40) ? random.Between(0, last) : -1;
  for (int64_t level = 0; level < depth; ++level) {
    LayoutSpec::Parent parent{base, spec::Dims(base.size(), 0)};
    for (int64_t j = 0; j <= last; ++j) {
      if (only >= 0 && j != only) continue;
      const int64_t before = random.Chance(50) ? 0 : random.Between(1, 3);
      const int64_t after = random.Chance(50) ? 0 : random.Between(1, 3);
      const int64_t growth = (base[j] + before + after) / std::max<int64_t>(1, base[j]) + 1;
      if (before + after == 0 || growth > room) continue;
      room /= growth;
      parent.dims[j] += before + after;
      parent.offsets[j] = before;
    }
    base = parent.dims;
    parents->push_back(std::move(parent));
  }
  return base;
}

// Regions of the same dims that are cut out of less.
std::vector<LayoutSpec> TighterRegions(const LayoutSpec& layout, const spec::Dims& dims) {
  std::vector<LayoutSpec> tighter;
  if (layout.parents.size() > 1) {  // one parent instead of two, at the sum of their offsets
    LayoutSpec merged = layout;
    for (size_t j = 0; j < dims.size(); ++j)
      merged.parents[1].offsets[j] += layout.parents[0].offsets[j];
    merged.parents.erase(merged.parents.begin());
    tighter.push_back(std::move(merged));
    return tighter;
  }
  const LayoutSpec::Parent& parent = layout.parents[0];
  const auto offer = [&](size_t axis, int64_t extent, int64_t offset) {
    tighter.push_back(layout);
    tighter.back().parents[0].dims[axis] = extent;
    tighter.back().parents[0].offsets[axis] = offset;
  };
  for (size_t j = 0; j < dims.size(); ++j) {
    const int64_t end = parent.offsets[j] + dims[j];
    if (parent.dims[j] > dims[j]) offer(j, dims[j], 0);
    if (parent.offsets[j] > 1) offer(j, dims[j] + 1, 1);
    if (parent.offsets[j] > 0 && parent.dims[j] > end) offer(j, end, parent.offsets[j]);
  }
  return tighter;
}

}  // namespace

std::optional<spec::Plain> Resolve(const LayoutSpec& layout, const spec::Dims& dims) {
  const spec::Dims& base = BaseDims(layout, dims);
  spec::Plain plain;
  plain.dims = base;
  if (layout.tag.empty()) {
    if (layout.strides.size() != base.size()) return std::nullopt;
    plain.strides = layout.strides;
  } else {
    const char* word = WordOf(layout.tag);
    if (word == nullptr) return std::nullopt;
    const std::optional<spec::Dims> strides = spec::StridesOfTag(word, base);
    if (!strides) return std::nullopt;
    plain.strides = *strides;
  }
  for (size_t i = layout.parents.size(); i-- > 0;) {
    const spec::Dims& inner = i == 0 ? dims : layout.parents[i - 1].dims;
    if (!Fits(inner, layout.parents[i])) return std::nullopt;
    plain = spec::Submemory(plain, inner, layout.parents[i].offsets);
  }
  return plain;
}

std::string ToString(const LayoutSpec& layout) {
  std::string text = layout.tag.empty() ? "s" + Join(layout.strides, ',') : layout.tag;
  for (size_t i = layout.parents.size(); i-- > 0;) {
    const LayoutSpec::Parent& parent = layout.parents[i];
    text = "sub(" + Join(parent.dims, 'x') + ":" + text + "@" + Join(parent.offsets, ',') + ")";
  }
  return text;
}

std::optional<LayoutSpec> ParseLayout(std::string_view text) {
  LayoutSpec layout;
  while (text.substr(0, 4) == "sub(" && text.back() == ')') {
    const size_t colon = text.find(':'), at = text.rfind('@');
    if (colon == text.npos || at == text.npos || at < colon) return std::nullopt;
    const auto dims = Split(text.substr(4, colon - 4), 'x');
    const auto offsets = Split(text.substr(at + 1, text.size() - at - 2), ',');
    if (!dims || !offsets) return std::nullopt;
    layout.parents.push_back({*dims, *offsets});
    text = text.substr(colon + 1, at - colon - 1);
  }
  if (text.empty()) return std::nullopt;
  if (text[0] == 's') {
    const auto strides = Split(text.substr(1), ',');
    if (!strides) return std::nullopt;
    layout.strides = *strides;
  } else {
    layout.tag = std::string(text);
    if (WordOf(layout.tag) == nullptr) return std::nullopt;
  }
  return layout;
}

LayoutSpec AnyLayout(Random& random, const spec::Dims& dims, const LayoutLimits& limits) {
  if (limits.regions && random.Chance(20)) return AnyRegion(random, dims, limits);
  return AnyBase(random, dims, limits);
}

LayoutSpec AnyRegion(Random& random, const spec::Dims& dims, const LayoutLimits& limits) {
  std::vector<LayoutSpec::Parent> parents;
  LayoutSpec layout = AnyBase(random, AnyParents(random, dims, &parents), limits);
  layout.parents = std::move(parents);
  return layout;
}

LayoutSpec AnyRegionOfTag(Random& random, const spec::Dims& dims, const std::string& tag) {
  LayoutSpec layout;
  layout.tag = tag;
  AnyParents(random, dims, &layout.parents);
  return layout;
}

std::pair<LayoutSpec, LayoutSpec> AnyTransposition(Random& random, spec::Dims* shape, bool gaps,
                                                   bool blocks) {
  const int rank = static_cast<int>(shape->size());
  const int inner = std::min(rank, static_cast<int>(random.Between(2, 3)));
  const std::vector<int> order = AnyOrder(random, rank);
  if (blocks) {
    int64_t room = 16;
    for (int64_t& extent : *shape) {
      extent = std::min(room, random.Pick<int64_t>({1, 1, 2, 3}));
      room /= extent;
    }
    for (int i = 1; i <= std::min(rank, 2); ++i)
      (*shape)[order[rank - i]] = random.Pick<int64_t>({8, 8, 16, 24, 32});
  }
  const spec::Dims& dims = *shape;
  std::vector<int> other(order.end() - inner, order.end());
  std::rotate(other.begin(), other.begin() + random.Between(1, std::max(1, inner - 1)) % inner,
              other.end());
  std::pair<LayoutSpec, LayoutSpec> pair;
  const auto fill = [&](LayoutSpec& layout, const std::vector<int>& axes, int64_t step) {
    layout.strides.resize(rank);
    for (size_t i = axes.size(); i-- > 0;) {
      layout.strides[axes[i]] = step;
      step *= std::max<int64_t>(1, dims[axes[i]]);
    }
    return step;
  };
  int64_t step = fill(pair.first, {order.end() - inner, order.end()}, 1);
  fill(pair.second, other, 1);
  int64_t room = 8;
  for (int i = rank - inner; i-- > 0;) {
    if (gaps && random.Chance(40) && room > 1) {
      step += random.Between(1, std::min<int64_t>(step, 9));
      room /= 2;
    }
    pair.first.strides[order[i]] = pair.second.strides[order[i]] = step;
    step *= std::max<int64_t>(1, dims[order[i]]);
  }
  return pair;
}

LayoutSpec RowMajor(const spec::Dims& dims) {
  std::vector<int> order(dims.size());
  std::iota(order.begin(), order.end(), 0);
  return DenseInOrder(dims, order);
}

LayoutSpec DenseInOrder(const spec::Dims& dims, const std::vector<int>& order) {
  LayoutSpec layout;
  layout.strides.resize(dims.size());
  int64_t step = 1;
  for (auto axis = order.rbegin(); axis != order.rend(); ++axis) {
    layout.strides[*axis] = step;
    step *= std::max<int64_t>(1, dims[*axis]);
  }
  return layout;
}

LayoutSpec Plainest(const spec::Dims& dims) {
  if (dims.size() > 6) return RowMajor(dims);
  LayoutSpec layout;
  layout.tag = std::string("abcdef").substr(0, dims.size());
  return layout;
}

const std::vector<std::string>& TagsOfRank(int rank) {
  static const auto* by_rank = [] {
    auto* table = new std::vector<std::vector<std::string>>(13);
    for (const spec::Tag& tag : spec::SeedTags())
      (*table)[std::string_view(tag.word).size()].push_back(tag.name);
    return table;
  }();
  return (*by_rank)[rank];
}

LayoutSpec CutLayout(const LayoutSpec& layout, const spec::Dims& dims, const Cut& cut) {
  LayoutSpec result;
  for (const LayoutSpec::Parent& parent : layout.parents)
    result.parents.push_back({CutEntry(parent.dims, cut), CutEntry(parent.offsets, cut)});
  if (layout.tag.empty()) {
    result.strides = CutEntry(layout.strides, cut);
  } else if (cut.extent == Cut::kDrop) {
    const spec::Dims& base = BaseDims(layout, dims);
    result.strides = CutEntry(*spec::StridesOfTag(WordOf(layout.tag), base), cut);
  } else {
    result.tag = layout.tag;
  }
  return result;
}

std::vector<LayoutSpec> PlainerLayouts(const LayoutSpec& layout, const spec::Dims& dims) {
  std::vector<LayoutSpec> plainer;
  const std::string self = ToString(layout);
  const auto offer = [&](LayoutSpec candidate) {
    const std::string text = ToString(candidate);
    if (text == self) return false;
    plainer.push_back(std::move(candidate));
    return true;
  };
  if (!offer(Plainest(dims)) || (!layout.tag.empty() && !layout.is_region())) return plainer;
  const std::optional<spec::Plain> plain = Resolve(layout, dims);
  if (!plain) return plainer;
  std::vector<int> order(dims.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(),
                   [&](int a, int b) { return plain->strides[a] > plain->strides[b]; });
  // Dense already: what is left to lose is the order, and the tag's name.
  const LayoutSpec dense = DenseInOrder(dims, order);
  if (!offer(dense) || !layout.is_region()) return plainer;
  LayoutSpec without_start;
  without_start.strides = plain->strides;
  offer(without_start);
  for (LayoutSpec& tighter : TighterRegions(layout, dims)) offer(std::move(tighter));
  LayoutSpec dense_parent = layout;
  const LayoutSpec plain_base = Plainest(BaseDims(layout, dims));
  dense_parent.tag = plain_base.tag;
  dense_parent.strides = plain_base.strides;
  offer(dense_parent);
  return plainer;
}

}  // namespace conformance
