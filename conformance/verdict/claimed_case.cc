// Which lines of cases a claim covers.
#include <algorithm>
#include <cctype>
#include <charconv>
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "conformance/verdict/claims.h"

namespace conformance {
namespace {

constexpr std::string_view kBlanks = " \t\r";

std::vector<std::string_view> Words(std::string_view line) {
  std::vector<std::string_view> words;
  for (;;) {
    line.remove_prefix(std::min(line.find_first_not_of(kBlanks), line.size()));
    if (line.empty()) return words;
    words.push_back(line.substr(0, line.find_first_of(kBlanks)));
    line.remove_prefix(words.back().size());
  }
}

bool IsType(std::string_view word) {
  const auto& types = ClaimableTypes();
  return std::find(types.begin(), types.end(), word) != types.end();
}

// "2x3x4" and "2,3,4"; nullopt if that is no list of numbers.
std::optional<std::vector<int64_t>> Numbers(std::string_view text, char between) {
  std::vector<int64_t> numbers;
  for (;;) {
    const std::string_view item = text.substr(0, text.find(between));
    int64_t number = 0;
    const auto [stop, problem] = std::from_chars(item.data(), item.data() + item.size(), number);
    if (item.empty() || problem != std::errc() || stop != item.data() + item.size())
      return std::nullopt;
    numbers.push_back(number);
    if (item.size() == text.size()) return numbers;
    text.remove_prefix(item.size() + 1);
  }
}

// Whether the elements of a tensor fill memory without gaps, in some order of the axes.
bool IsDense(const std::vector<int64_t>& dims, const std::vector<int64_t>& strides) {
  std::vector<std::pair<int64_t, int64_t>> axes;  // stride, extent
  for (size_t j = 0; j < dims.size(); ++j)
    if (dims[j] == 0)
      return true;
    else if (dims[j] > 1)
      axes.emplace_back(strides[j], dims[j]);
  std::sort(axes.begin(), axes.end());
  int64_t step = 1;
  for (const auto& [stride, extent] : axes) {
    if (stride != step) return false;
    step *= extent;
  }
  return true;
}

// What follows the data type of a tensor: "2x3:ab", "2x3:s3,1", "2x3:sub(...)", "2x32:s32,1:b16@1",
// and without dims, where a case has them elsewhere, "ab", "any".
struct Presented {
  std::optional<std::vector<int64_t>> dims;
  std::string layout;  // of ClaimableLayouts(); empty: the line does not say
};

Presented PresentedBy(std::string_view text) {
  Presented tensor;
  const size_t colon = std::min(text.find(':'), text.size());
  tensor.dims = Numbers(text.substr(0, colon), 'x');
  if (tensor.dims) text.remove_prefix(std::min(colon + 1, text.size()));
  if (text.empty()) return tensor;
  if (text == "any") {
    tensor.layout = "any";
  } else if (text.substr(0, 4) == "sub(") {
    tensor.layout = "regions";
  } else if (const auto strides = Numbers(text.substr(1, text.find(':') - 1), ',');
             text[0] == 's' && strides) {
    const size_t more = std::min(text.find(':'), text.size());
    const std::string_view blocks = text.substr(more);
    const bool dense =
        tensor.dims && tensor.dims->size() == strides->size() && IsDense(*tensor.dims, *strides);
    tensor.layout = blocks.substr(0, 2) == ":b" && blocks.substr(0, 3) != ":b-" ? "blocked"
                    : dense && blocks.find(":o") == std::string_view::npos      ? "dense"
                                                                                : "strided";
  } else {
    const bool plain =
        std::all_of(text.begin(), text.end(), [](unsigned char c) { return std::islower(c) != 0; });
    tensor.layout = plain ? "dense" : "blocked";
  }
  return tensor;
}

// The attributes that a word of a line asks for: `mask=2`, `alpha=0.5`, `rt=1`, `zs=3`, `zdrt=3`,
// `beta=1` of reorders; `scale=channel`, `post=sum:1,relu:1:0:0` of what is computed.
std::set<std::string> AttributesOf(std::string_view key, std::string_view value) {
  if (key == "mask")
    return value == "0" ? std::set<std::string>{"scales"}
                        : std::set<std::string>{"scales", "masks"};
  if (key == "scale")
    return value == "common" ? std::set<std::string>{"scales"}
                             : std::set<std::string>{"scales", "masks"};
  if (key == "rt") return {"run_time"};
  if (key == "beta") return {"sum"};
  if (key == "zs" || key == "zd") return {"zero_points"};
  if (key == "zsrt" || key == "zdrt") return {"zero_points", "run_time"};
  std::set<std::string> attributes;
  if (key != "post") return attributes;
  for (;;) {
    const std::string_view op = value.substr(0, value.find(','));
    attributes.insert(op.substr(0, op.find(':')) == "sum" ? "sum" : "eltwise");
    if (op.size() == value.size()) return attributes;
    value.remove_prefix(op.size() + 1);
  }
}

// The same of what a refusal names: "mask", "run-time scales", "sum", "eltwise", "eltwise relu".
std::set<std::string> AttributesOf(std::string_view feature) {
  if (feature == "scale") return {"scales"};
  if (feature == "mask") return {"scales", "masks"};
  if (feature == "run-time scales") return {"scales", "run_time"};
  if (feature == "zero points") return {"zero_points"};
  if (feature == "run-time zero points") return {"zero_points", "run_time"};
  if (feature == "sum") return {"sum"};
  if (feature.substr(0, feature.find(' ')) == "eltwise") return {"eltwise"};
  return {};
}

std::string DirectionOf(std::string_view value) {
  return value == "fwd" ? "forward" : value == "bwd_weights" ? "backward_weights" : "backward_data";
}

// Of a case written by hand, whose name begins with one: "bwd_data:rank-1", "backward-data"; else
// "".
std::string DirectionOfName(std::string_view name) {
  const std::string_view first = name.substr(0, name.find(':'));
  if (first == "fwd" || first == "bwd_data" || first == "bwd_weights") return DirectionOf(first);
  if (name == "backward-weights") return "backward_weights";
  return name == "backward-data" ? "backward_data" : "";
}

// Of what was refused: "forward", "backward", "backward weights"; "" where there is none.
std::string DirectionOf(const Asked& refused) {
  if (refused.prop.empty() || refused.prop == "forward") return refused.prop;
  return refused.prop == "backward weights" ? "backward_weights" : "backward_data";
}

// Whether a claim names directions, and not this one.
bool LeavesOut(const TopicClaim& claim, const std::string& direction) {
  return claim.directions && !direction.empty() && claim.directions->count(direction) == 0;
}

std::string Unclaimed(std::string_view what) { return "not claimed: " + std::string(what); }

// Why one word `key=value` is not claimed; notes the types of a reorder's sides.
std::string OutsideOf(const TopicClaim& claim, std::string_view key, std::string_view value,
                      std::string_view* from, std::string_view* to) {
  const std::string direction = key == "dir"    ? DirectionOf(value)
                                : key == "what" ? DirectionOfName(value)
                                                : "";
  if (LeavesOut(claim, direction)) return Unclaimed(direction);
  if (claim.attributes)
    for (const std::string& attribute : AttributesOf(key, value))
      if (claim.attributes->count(attribute) == 0) return Unclaimed(attribute);
  Presented tensor;
  if (key.substr(0, 4) == "dims") tensor.dims = Numbers(value, ',');
  const std::string_view type = value.substr(0, value.find(':'));
  if (IsType(type)) {
    if (claim.types.count(std::string(type)) == 0) return Unclaimed(type);
    if (key == "src" || key == "from") *from = type;
    if (key == "dst" || key == "to") *to = type;
    if (type.size() < value.size()) tensor = PresentedBy(value.substr(type.size() + 1));
  }
  if (tensor.dims && tensor.dims->size() <= kHighestRank && !claim.ranks.test(tensor.dims->size()))
    return Unclaimed("rank " + std::to_string(tensor.dims->size()));
  if (claim.layouts && !tensor.layout.empty() && claim.layouts->count(tensor.layout) == 0)
    return Unclaimed("layout " + tensor.layout);
  return "";
}

}  // namespace

std::set<std::string> TypesIn(std::string_view line) {
  std::set<std::string> types;
  for (const std::string_view word : Words(line)) {
    const std::string_view value = word.substr(word.find('=') + 1);
    const std::string_view type = value.substr(0, value.find(':'));
    if (IsType(type)) types.emplace(type);
  }
  return types;
}

std::string OutsideOf(const TopicClaim& claim, std::string_view line) {
  std::string_view from, to;
  const std::vector<std::string_view> words = Words(line);
  const bool has_algorithm = std::any_of(words.begin(), words.end(), [](std::string_view word) {
    return word.substr(0, 4) == "alg=";
  });
  for (const std::string_view word : words) {
    const size_t equals = word.find('=');
    if (equals == std::string_view::npos) continue;
    if (has_algorithm && word.substr(0, equals) == "beta") continue;  // not of a sum
    const std::string why =
        OutsideOf(claim, word.substr(0, equals), word.substr(equals + 1), &from, &to);
    if (!why.empty()) return why;
  }
  if (!from.empty() && !to.empty() && claim.except.count({std::string(from), std::string(to)}) > 0)
    return Unclaimed(std::string(from) + "->" + std::string(to));
  return "";
}

std::string OutsideOf(const TopicClaim& claim, const Asked& refused) {
  constexpr std::string_view kBias = "bias ";
  if (const std::string direction = DirectionOf(refused); LeavesOut(claim, direction))
    return Unclaimed(direction);
  for (const std::string& type : refused.types)
    if (claim.types.count(type) == 0) return Unclaimed(type);
  for (const std::string& feature : refused.features) {
    if (feature.substr(0, kBias.size()) == kBias) {
      const std::string type = feature.substr(kBias.size());
      if (claim.types.count(type) == 0) return Unclaimed(type);
    }
    if (!claim.attributes) continue;
    for (const std::string& attribute : AttributesOf(feature))
      if (claim.attributes->count(attribute) == 0) return Unclaimed(attribute);
  }
  return "";
}

}  // namespace conformance
