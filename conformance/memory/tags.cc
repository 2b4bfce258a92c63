// Format tags: MD-003, MD-004, MD-040, MD-041 and the general rules of format tags.
#include <algorithm>
#include <string>
#include <string_view>

#include "conformance/case/property.h"
#include "conformance/gen/shapes.h"
#include "conformance/memory/cases.h"
#include "conformance/memory/descriptor_case.h"
#include "conformance/memory/descriptors.h"
#include "conformance/memory/tag_table.h"
#include "conformance/subject/descriptor_text.h"
#include "oneapi/dnnl/dnnl.hpp"
#include "spec/memory/oracle.h"
#include "spec/requirements.h"

namespace conformance {
namespace {

std::string Call(const TagCase& c) { return "desc(dims " + Text(c.dims) + ", " + c.tag + ")"; }

// A tag by its name alone.
struct TagName {
  std::string tag;

  void Print(Fields* fields) const { fields->Set("tag", tag); }
  static TagName Parse(const Fields& fields) { return {fields.Text("tag")}; }
  std::vector<TagName> Simpler() const { return {}; }
};

std::vector<TagName> NamesOf(const std::vector<spec::Tag>& tags, bool aliases_only) {
  std::vector<TagName> names;
  for (const spec::Tag& tag : tags)
    if (!aliases_only || std::string_view(tag.name) != tag.word) names.push_back({tag.name});
  return names;
}

// The descriptor with the strides that ORC-TAG gives; nullopt, with the case marked, if it cannot
// be made or the dims do not fit the tag or are empty.
std::optional<Desc> BuiltByStrides(const TagCase& c, Trial& trial) {
  const auto strides = spec::StridesOfTag(WordOf(c.tag), c.dims);
  if (!strides || spec::IsEmpty(c.dims)) {
    trial.Vacuous();
    return std::nullopt;
  }
  return Built(DescriptorCase{c.type, c.dims, *strides, {}}, trial);
}

void TagGivesDimsTypeAndLayout(const TagCase& c, Trial& trial) {
  if (!FindTag(c.tag)) return trial.NotRun("the header has no tag " + c.tag);
  if (WordOf(c.tag).size() != c.dims.size()) return trial.Vacuous();
  const auto desc = Accepted(trial, Call(c), [&] { return WithTag(c); });
  if (!desc) return;
  trial.Expect(desc->dims() == c.dims, "dims()", Text(c.dims), Text(desc->dims()));
  ExpectType(trial, "data_type()", DataTypeOf(c.type), desc->data_type());
  const auto by_strides = BuiltByStrides(c, trial);
  if (by_strides) {
    trial.Cover("rank " + std::to_string(c.dims.size()));
    ExpectSame(trial, Call(c) + " == the same by strides", "an equal descriptor", *by_strides,
               *desc);
  }
}

void WrongRanksAreRefused(const TagCase& c, Trial& trial) {
  const std::string word = WordOf(c.tag);
  if (!FindTag(c.tag)) return trial.NotRun("the header has no tag " + c.tag);
  if (word.empty() || c.dims.empty() || c.dims.size() == word.size()) return trial.Vacuous();
  if (!RankIsOffered(trial, word.size())) return;
  TagCase neighbour = c;
  neighbour.dims.resize(word.size(), 2);
  trial.Cover(c.dims.size() < word.size() ? "lower" : "higher");
  if (!Accepted(trial, Call(neighbour), [&] { return WithTag(neighbour); })) return;
  Refused(trial, Call(c), [&] { return WithTag(c); });
}

// Every tag, those of the 2.6.3 header too, with every rank from 1 to 13 but its own.
Cases<TagCase> EveryWrongRank() {
  constexpr int64_t kRanks = 13;
  std::vector<spec::Tag> tags = spec::SeedTags();
  tags.insert(tags.end(), spec::CompatTags().begin(), spec::CompatTags().end());
  const auto count = static_cast<int64_t>(tags.size());
  return {count * (kRanks - 1), [tags](int64_t index, Random& random) {
            const spec::Tag& tag = tags[static_cast<size_t>(index / (kRanks - 1))];
            int64_t rank = 1 + index % (kRanks - 1);
            if (rank >= static_cast<int64_t>(std::string_view(tag.word).size())) ++rank;
            spec::Dims dims(rank);
            for (int64_t& dim : dims) dim = random.Chance(5) ? 0 : random.Between(1, 4);
            return TagCase{tag.name, random.Pick(spec::kTypes), dims};
          }};
}

void TagEqualsItsStrides(const TagCase& c, Trial& trial) {
  const auto by_strides = BuiltByStrides(c, trial);
  const auto desc = Built(c, trial);
  if (desc && by_strides)
    ExpectSame(trial, Call(c) + " == by strides", "an equal descriptor", *by_strides, *desc);
}

void LongTagEqualsItsStrides(const TagCase& c, Trial& trial) {
  const int64_t longest = *std::max_element(c.dims.begin(), c.dims.end());
  for (const int bits : {24, 32, 53})
    if (longest >> bits > 0) trial.Cover("beyond 2^" + std::to_string(bits));
  TagEqualsItsStrides(c, trial);
}

void AliasEqualsItsTarget(const TagCase& c, Trial& trial) {
  const std::string word = WordOf(c.tag);
  if (word == c.tag || word.size() != c.dims.size()) return trial.Vacuous();
  const auto desc = Built(c, trial), target = Built(TagCase{word, c.type, c.dims}, trial);
  if (desc && target)
    ExpectSame(trial, Call(c) + " == by " + word, "an equal descriptor", *target, *desc);
}

void EnumeratorExists(const TagName& name, Trial& trial) {
  trial.Expect(FindTag(name.tag).has_value(), "format_tag::" + name.tag, "an enumerator", "none");
}

std::vector<TagName> All72() {
  std::vector<TagName> names = NamesOf(spec::SeedTags(), /*aliases_only=*/false);
  names.push_back({"undef"});
  names.push_back({"any"});
  return names;
}

void AliasHasTheValueOfItsTarget(const TagName& name, Trial& trial) {
  const auto tag = FindTag(name.tag), target = FindTag(WordOf(name.tag));
  if (!tag || !target) return trial.NotRun("the header lacks the alias or its target");
  trial.Expect(*tag == *target, "format_tag::" + name.tag, "format_tag::" + WordOf(name.tag),
               "another value");
}

// The word that the letters of an alias spell when they are numbered in the order of their domain;
// "" for a name in no domain.
std::string WordSpelledBy(const std::string& alias) {
  if (alias == "x") return "a";
  // Activations, RNN data and statistics, (grouped) weights, RNN states, weights, projection, bias.
  for (std::string_view domain : {"ncdhw", "tnc", "goidhw", "ldnc", "ldigo", "ldio", "ldgo"}) {
    std::string order;
    for (char letter : domain)
      if (alias.find(letter) != std::string::npos) order += letter;
    if (order.size() != alias.size()) continue;
    std::string word;
    for (char letter : alias) word += static_cast<char>('a' + order.find(letter));
    return word;
  }
  return "";
}

void AliasSpellsItsTarget(const TagName& name, Trial& trial) {
  const std::string word = WordSpelledBy(name.tag);
  const auto tag = FindTag(name.tag), target = FindTag(word);
  if (!tag || !target) return trial.NotRun("the header lacks the alias or its target");
  trial.Expect(*tag == *target, "format_tag::" + name.tag, "format_tag::" + word, "another value");
}

// MD-052: read outermost first, the dims that the word names are those of a row-major tensor.
void LettersNameLogicalDims(const TagCase& c, Trial& trial) {
  const std::string word = WordOf(c.tag);
  const auto desc = Built(c, trial);
  if (!desc || word.size() != c.dims.size() || spec::IsEmpty(c.dims)) return;
  DescriptorCase rows{c.type, {}, {}, {}};
  std::vector<int> axes;
  for (char letter : word) {
    axes.push_back(letter - 'a');
    rows.dims.push_back(c.dims[axes.back()]);
  }
  rows.strides = RowMajorStrides(rows.dims);
  const auto in_memory_order = Built(rows, trial);
  if (!in_memory_order) return;
  ExpectSame(trial, Call(c) + " == desc(" + Text(rows) + ") with axes " + Text(axes),
             "an equal descriptor", in_memory_order->permute_axes(axes), *desc);
}

void GiodhwSwapsTheFirstTwo(const TagCase& c, Trial& trial) {
  const auto tag = FindTag("giodhw"), target = FindTag("acbdef");
  const auto desc = Built(c, trial);
  if (!desc || c.dims.size() != 6) return;
  const auto swapped = Built(TagCase{"acbdef", c.type, c.dims}, trial);
  const auto plain = Built(TagCase{"goidhw", c.type, c.dims}, trial);
  if (!swapped || !plain) return;
  trial.Expect(tag == target, "format_tag::giodhw", "format_tag::acbdef", "another value");
  ExpectSame(trial, Call(c) + " == by acbdef", "an equal descriptor", *swapped, *desc);
  if (c.dims[1] < 2 || c.dims[2] < 2 || spec::IsEmpty(c.dims)) return trial.Vacuous();
  trial.Cover("distinct");
  trial.Expect(*desc != *plain, Call(c) + " == by goidhw", "false", "true");
}

Cases<TagCase> Giodhw() {
  return {0, [](int64_t index, Random& random) {
            TagCase c{"giodhw", random.Pick(spec::kTypes), {}};
            for (int j = 0; j < 6; ++j) c.dims.push_back(random.Between(1, 7));
            if (index % 2 == 0) c.dims[1] = c.dims[2] = random.Between(2, 5);
            return c;
          }};
}

void SynonymsAreEqual(const TagCase& c, Trial& trial) {
  const auto desc = Built(c, trial);
  if (!desc) return;
  bool alone = true;
  for (const spec::Tag& synonym : spec::SeedTags()) {
    if (synonym.word != WordOf(c.tag) || synonym.name == c.tag) continue;
    const auto other = Built(TagCase{synonym.name, c.type, c.dims}, trial);
    if (!other) return;
    alone = false;
    ExpectSame(trial, Call(c) + " == by " + synonym.name, "an equal descriptor", *other, *desc);
  }
  if (alone) trial.Vacuous();
}

void GatesAreAnOrdinaryDim(const TagCase& c, Trial& trial) {
  if (c.tag.find('g') == std::string::npos || c.tag.find('l') == std::string::npos)
    return trial.Vacuous();
  TagEqualsItsStrides(c, trial);
}

Cases<TagCase> Gates() {
  return {0, [](int64_t index, Random& random) {
            constexpr const char* kTags[] = {"ldigo", "ldgoi", "ldgo"};
            TagCase c{kTags[index % 3], random.Pick(spec::kTypes), {}};
            for (size_t j = 0; j < c.tag.size(); ++j) c.dims.push_back(random.Between(1, 7));
            return c;
          }};
}

void CompatTagIsOffered(const TagCase& c, Trial& trial) {
  if (!FindTag(c.tag)) return trial.Deviate("format_tag::" + c.tag, "an enumerator", "none");
  if (!RankIsOffered(trial, c.dims.size())) return;
  const auto by_strides = BuiltByStrides(c, trial);
  Refusal refusal;
  const auto desc = Try([&] { return WithTag(c); }, &refusal);
  if (!by_strides) return;
  if (!desc || !Same(*desc, *by_strides))
    trial.Deviate(Call(c), "equal to the same by strides", desc ? "unequal" : refusal.ToString());
}

Cases<TagCase> AnyCompatTag() {
  return {0, [](int64_t index, Random& random) {
            const auto& tags = spec::CompatTags();
            return OneTag(tags[index % static_cast<int64_t>(tags.size())]).at(index, random);
          }};
}

// An obligation on the suite: whatever tag it can name is plain.
void NamesPlainTagsOnly(const NoParameters&, Trial& trial) {
  for (const NamedTag& named : NamedTags()) {
    const std::string name = named.name;
    if (name == "any" || name == "undef") continue;
    const std::string word = WordOf(name);
    spec::Dims ones(word.size(), 1);
    trial.Expect(spec::StridesOfTag(word, ones).has_value(), "format_tag::" + name,
                 "a permutation of letters", "'" + word + "'");
  }
}

// M x N matrices with a leading dimension of `pitch`.
struct MatrixCase {
  int64_t rows = 1, columns = 1, pitch = 1;

  void Print(Fields* fields) const {
    fields->SetInt("rows", rows);
    fields->SetInt("columns", columns);
    fields->SetInt("pitch", pitch);
  }
  static MatrixCase Parse(const Fields& fields) {
    return {fields.Int("rows"), fields.Int("columns"), fields.Int("pitch")};
  }
  std::vector<MatrixCase> Simpler() const {
    std::vector<MatrixCase> cases;
    if (rows > 1) cases.push_back({rows / 2, columns, pitch});
    if (columns > 1) cases.push_back({rows, columns / 2, pitch});
    if (pitch > 1) cases.push_back({rows, columns, pitch - 1});
    return cases;
  }
};

void MatrixExamplesAgree(const MatrixCase& c, Trial& trial) {
  const dnnl::memory::dims dims{c.rows, c.columns};
  const auto f32 = dnnl::memory::data_type::f32;
  const auto check = [&](const dnnl::memory::dims& strides, FormatTag tag, int64_t dense) {
    const Desc by_strides(dims, f32, strides), by_tag(dims, f32, tag);
    // With one row (or column) the pitch stands on a dim of 1 (MD-043).
    const bool lone = tag == FormatTag::ab ? c.rows == 1 : c.columns == 1;
    if (c.pitch == dense) {
      trial.Cover("dense");
      ExpectSame(trial, "desc(strides " + Text(strides) + ") == by its tag", "an equal descriptor",
                 by_tag, by_strides);
    } else if (c.pitch > dense && !lone) {
      trial.Cover("pitched");
      trial.Expect(by_strides != by_tag, "desc(strides " + Text(strides) + ") == by its tag",
                   "false", "true");
    }
  };
  if (c.rows < 1 || c.columns < 1) return trial.Vacuous();
  if (c.pitch >= c.columns) check({c.pitch, 1}, FormatTag::ab, c.columns);
  if (c.pitch >= c.rows) check({1, c.pitch}, FormatTag::ba, c.rows);
}

Cases<MatrixCase> Matrices() {
  return {0, [](int64_t index, Random& random) {
            MatrixCase c{random.Between(1, 40), random.Between(1, 40), 0};
            c.pitch = index % 3 == 0   ? c.columns
                      : index % 3 == 1 ? c.rows
                                       : std::max(c.rows, c.columns) + random.Between(1, 9);
            return c;
          }};
}

void AlphabeticalIsRowMajor(const TagCase& c, Trial& trial) {
  const auto desc = Built(c, trial);
  const auto rows = Built(DescriptorCase{c.type, c.dims, RowMajorStrides(c.dims), {}}, trial);
  if (!desc || !rows || !std::is_sorted(c.tag.begin(), c.tag.end())) return;
  trial.Cover(c.tag);
  ExpectSame(trial, Call(c) + " == by row-major strides", "an equal descriptor", *rows, *desc);
}

Cases<TagCase> Alphabetical() {
  return {0, [](int64_t index, Random& random) {
            const std::string tag = std::string("abcdef").substr(0, 1 + index % 6);
            return OneTag({tag.c_str(), tag.c_str()}).at(index, random);
          }};
}

const bool defined[] = {
    Define(spec::MD_003, "", AnyTag(/*empty=*/false), TagGivesDimsTypeAndLayout,
           {"rank 1", "rank 4", "rank 6"}),
    Define(spec::MD_004, "", EveryWrongRank(), WrongRanksAreRefused, {"lower", "higher"}),
    Define(spec::MD_040, "", AnyTag(/*empty=*/false), TagEqualsItsStrides),
    Define(spec::MD_041, "", AnyTag(/*empty=*/false), AliasEqualsItsTarget),
    Define(spec::MD_050, "", Listed(All72()), EnumeratorExists),
    Define(spec::MD_051, "", AnyTag(/*empty=*/false), TagEqualsItsStrides),
    Define(spec::MD_051, "long", LongTags(), LongTagEqualsItsStrides,
           {"beyond 2^24", "beyond 2^32", "beyond 2^53"}),
    Define(spec::MD_052, "", AnyTag(/*empty=*/false), LettersNameLogicalDims),
    Define(spec::MD_053, "", Listed(NamesOf(spec::SeedTags(), /*aliases_only=*/true)),
           AliasHasTheValueOfItsTarget),
    Define(spec::MD_054, "", Listed(NamesOf(spec::SeedTags(), /*aliases_only=*/true)),
           AliasSpellsItsTarget),
    Define(spec::MD_055, "", Giodhw(), GiodhwSwapsTheFirstTwo, {"distinct"}),
    Define(spec::MD_056, "", AnyTag(/*empty=*/false), SynonymsAreEqual),
    Define(spec::MD_057, "", Gates(), GatesAreAnOrdinaryDim),
    Define(spec::MD_058, "", AnyCompatTag(), CompatTagIsOffered),
    Define(spec::MD_059, "", NamesPlainTagsOnly),
    Define(spec::MD_060, "", Matrices(), MatrixExamplesAgree, {"dense", "pitched"}),
    Define(spec::MD_061, "", Alphabetical(), AlphabeticalIsRowMajor,
           {"a", "ab", "abc", "abcd", "abcde", "abcdef"}),
};

}  // namespace
}  // namespace conformance
