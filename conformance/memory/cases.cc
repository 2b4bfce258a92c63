#include "conformance/memory/cases.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include "conformance/gen/shapes.h"

namespace conformance {
namespace {

// "2,3;6", "-" for none, "~" for an empty vector.
void SetLists(Fields* fields, std::string_view key, const std::vector<spec::Dims>& lists) {
  std::string text;
  for (const spec::Dims& list : lists) {
    if (!text.empty()) text += ';';
    text += list.empty() ? "~" : Join(list, ',');
  }
  fields->Set(key, text.empty() ? "-" : text);
}

std::vector<spec::Dims> GetLists(const Fields& fields, std::string_view key) {
  const std::string text = fields.Text(key);
  std::vector<spec::Dims> lists;
  if (text == "-") return lists;
  for (size_t at = 0; at <= text.size();) {
    const size_t end = std::min(text.find(';', at), text.size());
    const std::string_view item = std::string_view(text).substr(at, end - at);
    const auto numbers = item == "~" ? spec::Dims() : ParseNumbers(item);
    if (!numbers || (numbers->empty() && item != "~")) {
      fields.Reject(key, "is not lists of numbers joined by ';'");
      return {};
    }
    lists.push_back(*numbers);
    at = end + 1;
  }
  return lists;
}

spec::Dims DimsOfRank(Random& random, int rank, bool empty) {
  ShapeLimits limits;
  limits.min_rank = limits.max_rank = rank;
  limits.may_be_empty = false;
  spec::Dims dims = !empty && random.Chance(12) ? LongDims(random, rank) : AnyShape(random, limits);
  if (empty) {
    dims[random.Between(0, rank - 1)] = 0;
    if (random.Chance(30)) dims[random.Between(0, rank - 1)] = 0;
    if (random.Chance(10)) dims.assign(rank, 0);
  }
  return dims;
}

TagCase DrawTag(Random& random, const spec::Tag& tag, bool empty) {
  const int rank = static_cast<int>(std::string_view(tag.word).size());
  return {tag.name, random.Pick(spec::kTypes), DimsOfRank(random, rank, empty)};
}

}  // namespace

void TagCase::Print(Fields* fields) const {
  fields->Set("tag", tag);
  SetType(fields, "type", type);
  fields->SetInts("dims", dims);
}

TagCase TagCase::Parse(const Fields& fields) {
  return {fields.Text("tag"), GetType(fields, "type"), fields.Ints("dims")};
}

std::vector<TagCase> TagCase::Simpler() const {
  std::vector<TagCase> cases;
  for (const Cut& cut : Cuts(dims)) {
    if (cut.extent == Cut::kDrop) continue;  // the rank belongs to the tag
    cases.push_back({tag, type, CutDims(dims, cut)});
  }
  if (type != spec::Type::kF32) cases.push_back({tag, spec::Type::kF32, dims});
  return cases;
}

Cases<TagCase> AnyTag(bool empty) {
  return {0, [empty](int64_t index, Random& random) {
            const auto& tags = spec::SeedTags();
            return DrawTag(random, tags[index % static_cast<int64_t>(tags.size())], empty);
          }};
}

Cases<TagCase> OneTag(const spec::Tag& tag) {
  return {0, [tag](int64_t, Random& random) { return DrawTag(random, tag, /*empty=*/false); }};
}

Cases<TagCase> LongTags() {
  return {0, [](int64_t index, Random& random) {
            const auto& tags = spec::SeedTags();
            const spec::Tag& tag = tags[index % static_cast<int64_t>(tags.size())];
            const int bits = random.Pick({24, 31, 32, 53});
            TagCase c{tag.name, random.Pick(spec::kTypes), {}};
            // With six axes the largest strides, in bytes, stay below 2^62.
            for (size_t j = 0; j < std::string_view(tag.word).size(); ++j)
              c.dims.push_back(random.Between(1, bits > 32 ? 2 : 5));
            c.dims[random.Between(0, static_cast<int64_t>(c.dims.size()) - 1)] =
                (int64_t{1} << bits) + 2 * random.Between(0, 99) + 1;
            return c;
          }};
}

Cases<TagCase> WordlessTag(const std::string& tag, int max_rank, bool empty) {
  return {0, [tag, max_rank, empty](int64_t index, Random& random) {
            return TagCase{tag, random.Pick(spec::kTypes),
                           DimsOfRank(random, RankAt(index, 1, max_rank), empty)};
          }};
}

std::string WordOf(const std::string& tag) {
  for (const auto* tags : {&spec::SeedTags(), &spec::CompatTags()})
    for (const spec::Tag& known : *tags)
      if (tag == known.name) return known.word;
  return "";
}

void PairCase::Print(Fields* fields) const {
  first.Print(fields);
  second.Print(fields, "2");
}

PairCase PairCase::Parse(const Fields& fields) {
  return {DescriptorCase::Parse(fields), DescriptorCase::Parse(fields, "2")};
}

std::vector<PairCase> PairCase::Simpler() const {
  std::vector<PairCase> cases;
  // The same axis of both first, so that the one difference stays the one difference.
  const std::vector<DescriptorCase> firsts = first.Simpler(), seconds = second.Simpler();
  if (firsts.size() == seconds.size())
    for (size_t i = 0; i < firsts.size(); ++i) cases.push_back({firsts[i], seconds[i]});
  for (const DescriptorCase& view : firsts) cases.push_back({view, second});
  for (const DescriptorCase& view : seconds) cases.push_back({first, view});
  return cases;
}

void ReshapeCase::Print(Fields* fields) const {
  from.Print(fields);
  SetLists(fields, "to", to);
}

ReshapeCase ReshapeCase::Parse(const Fields& fields) {
  return {DescriptorCase::Parse(fields), GetLists(fields, "to")};
}

std::vector<ReshapeCase> ReshapeCase::Simpler() const {
  std::vector<ReshapeCase> cases;
  for (size_t step = 0; step < to.size() && to.size() > 1; ++step) {
    cases.push_back(*this);
    cases.back().to.erase(cases.back().to.begin() + static_cast<std::ptrdiff_t>(step));
  }
  // A factor that leaves the view leaves one dim of each target too.
  const auto without = [&](const DescriptorCase& view, int64_t factor) {
    ReshapeCase smaller{view, to};
    for (spec::Dims& dims : smaller.to) {
      const auto holder = std::find_if(dims.begin(), dims.end(),
                                       [&](int64_t dim) { return dim > 0 && dim % factor == 0; });
      if (holder == dims.end()) return;
      *holder /= factor;
    }
    cases.push_back(std::move(smaller));
  };
  for (size_t j = 0; j < from.dims.size() && from.regions.empty(); ++j) {
    if (from.dims[j] < 2) continue;
    for (int64_t factor : Divisors(from.dims[j])) {
      if (factor == 1) continue;
      DescriptorCase view = from;
      view.dims[j] /= factor;
      without(view, factor);
    }
  }
  for (const DescriptorCase& view : from.Simpler()) {
    cases.push_back({view, to});
    const int64_t before = spec::ElementCount(from.FinalDims());
    const int64_t after = spec::ElementCount(view.FinalDims());
    if (before > after && after > 0 && before % after == 0) without(view, before / after);
  }
  for (size_t step = 0; step < to.size(); ++step) {
    for (size_t j = 0; j < to[step].size() && to[step].size() > 1; ++j) {
      if (to[step][j] != 1) continue;
      cases.push_back(*this);
      cases.back().to[step].erase(cases.back().to[step].begin() + static_cast<std::ptrdiff_t>(j));
    }
  }
  return cases;
}

void PermuteCase::Print(Fields* fields) const {
  from.Print(fields);
  std::vector<spec::Dims> lists;
  for (const std::vector<int>& permutation : permutations)
    lists.emplace_back(permutation.begin(), permutation.end());
  SetLists(fields, "permutations", lists);
}

PermuteCase PermuteCase::Parse(const Fields& fields) {
  PermuteCase parsed{DescriptorCase::Parse(fields), {}};
  for (const spec::Dims& list : GetLists(fields, "permutations"))
    parsed.permutations.emplace_back(list.begin(), list.end());
  return parsed;
}

std::vector<PermuteCase> PermuteCase::Simpler() const {
  std::vector<PermuteCase> cases;
  for (size_t step = 0; step < permutations.size() && permutations.size() > 1; ++step) {
    cases.push_back(*this);
    auto& fewer = cases.back().permutations;
    fewer.erase(fewer.begin() + static_cast<std::ptrdiff_t>(step));
  }
  for (const DescriptorCase& view : from.Simpler()) {
    PermuteCase smaller{view, permutations};
    // One axis less: the highest number leaves each permutation.
    if (view.dims.size() + 1 == from.dims.size()) {
      for (std::vector<int>& permutation : smaller.permutations) {
        if (permutation.empty()) continue;
        permutation.erase(std::max_element(permutation.begin(), permutation.end()));
      }
    }
    cases.push_back(std::move(smaller));
  }
  return cases;
}

bool IsPermutation(const std::vector<int>& permutation, size_t rank) {
  if (permutation.size() != rank) return false;
  std::vector<bool> taken(rank, false);
  for (int entry : permutation) {
    if (entry < 0 || static_cast<size_t>(entry) >= rank || taken[entry]) return false;
    taken[entry] = true;
  }
  return true;
}

}  // namespace conformance
