#include "conformance/memory/value_cases.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <optional>
#include <utility>

#include "conformance/gen/shapes.h"
#include "conformance/gen/tensors.h"

namespace conformance {
namespace {

using spec::Bits;
using spec::Type;

// More would make lines that no one can read.
constexpr size_t kMostListed = 64;

uint64_t LimitOf(Type type) { return uint64_t{1} << (8 * spec::BytesOf(type)); }

std::string Hexadecimal(const std::vector<Bits>& bits) {
  std::string text;
  for (Bits value : bits) {
    char word[16];
    std::snprintf(word, sizeof(word), "%s%x", text.empty() ? "" : ",", value);
    text += word;
  }
  return text;
}

// Nothing if some item is no hexadecimal number below `limit`.
std::optional<std::vector<Bits>> ParseHexadecimal(const std::string& text, uint64_t limit) {
  std::vector<Bits> bits;
  for (size_t at = 0; at <= text.size();) {
    const size_t end = std::min(text.find(',', at), text.size());
    const std::string item = text.substr(at, end - at);
    if (item.empty() || item.size() > 8 ||
        item.find_first_not_of("0123456789abcdef") != std::string::npos)
      return std::nullopt;
    const uint64_t value = std::strtoull(item.c_str(), nullptr, 16);
    if (value >= limit) return std::nullopt;
    bits.push_back(static_cast<Bits>(value));
    at = end + 1;
  }
  return bits;
}

// "A+B" as two numbers that are not negative, the second not 0.
std::optional<std::pair<int64_t, int64_t>> ParseSpan(const std::string& text) {
  const auto numbers = Split(text, '+');
  if (!numbers || numbers->size() != 2 || (*numbers)[0] < 0 || (*numbers)[1] < 1)
    return std::nullopt;
  return std::pair((*numbers)[0], (*numbers)[1]);
}

Type ParseTypeField(const Fields& fields, const char* key) {
  if (const auto type = ParseType(fields.Text(key))) return *type;
  fields.Reject(key, "is none of f16, bf16, f32, s32, s8, u8");
  return Type::kF32;
}

// The f32 words around value `bits` of a 16-bit float type; none for infinities and NaNs.
void AppendAround(Type type, Bits bits, std::vector<Bits>* words) {
  if (spec::IsNan(type, bits) || spec::IsInfinite(type, bits)) return;
  const uint32_t low = WordOf(spec::Widen(type, bits));
  // Beyond the last finite value: as far again as from the one before.
  const uint32_t high = spec::IsInfinite(type, bits + 1)
                            ? low + (low - WordOf(spec::Widen(type, bits - 1)))
                            : WordOf(spec::Widen(type, bits + 1));
  // A word of bf16 is half a word of f32. The mean of two neighbours in f16 is exact in f32.
  const uint32_t half =
      type == Type::kBF16 ? low + (high - low) / 2 : WordOf(FloatOf(low) / 2 + FloatOf(high) / 2);
  words->insert(words->end(), {low, half - 1, half, half + 1});
}

}  // namespace

std::vector<Bits> ValueCase::Elements() const {
  if (around_count > 0) {
    std::vector<Bits> words;
    for (int64_t i = 0; i < around_count; ++i)
      AppendAround(to, static_cast<Bits>(first + i), &words);
    return words;
  }
  if (all_count > 0) {
    std::vector<Bits> elements(all_count);
    for (int64_t i = 0; i < all_count; ++i) elements[i] = static_cast<Bits>(first + i);
    return elements;
  }
  return draw_count > 0 ? Values(kind, from, to, seed, draw_count) : bits;
}

void ValueCase::Print(Fields* fields) const {
  fields->Set("from", spec::NameOf(from));
  fields->Set("to", spec::NameOf(to));
  if (all_count > 0) {
    fields->Set("all", std::to_string(first) + "+" + std::to_string(all_count));
  } else if (around_count > 0) {
    fields->Set("around", std::to_string(first) + "+" + std::to_string(around_count));
  } else if (draw_count > 0) {
    fields->Set("draw", std::string(NameOf(kind)) + "@" + std::to_string(seed) + "+" +
                            std::to_string(draw_count));
  } else {
    fields->Set("bits", Hexadecimal(bits));
  }
}

ValueCase ValueCase::Parse(const Fields& fields) {
  ValueCase c;
  c.from = ParseTypeField(fields, "from");
  c.to = ParseTypeField(fields, "to");
  const auto limit = static_cast<int64_t>(LimitOf(c.from));
  if (fields.Has("all")) {
    const auto span = ParseSpan(fields.Text("all"));
    if (span && span->first + span->second <= limit && span->second <= 1 << 20) {
      std::tie(c.first, c.all_count) = *span;
    } else {
      fields.Reject("all", "is no range of bit patterns, first+count");
    }
  } else if (fields.Has("around")) {
    const auto span = ParseSpan(fields.Text("around"));
    const bool half = c.from == Type::kF32 && (c.to == Type::kF16 || c.to == Type::kBF16);
    if (half && span && span->first + span->second <= 65536) {
      std::tie(c.first, c.around_count) = *span;
    } else {
      fields.Reject("around", "is no range of bit patterns of a 16-bit float, first+count");
    }
  } else if (fields.Has("draw")) {
    const std::string text = fields.Text("draw");
    const size_t at = std::min(text.find('@'), text.size());
    const auto kind = ParseValueKind(text.substr(0, at));
    const auto span = ParseSpan(text.substr(std::min(at + 1, text.size())));
    if (kind && span && span->second <= 1 << 20) {
      c.kind = *kind;
      c.seed = static_cast<uint64_t>(span->first);
      c.draw_count = span->second;
    } else {
      fields.Reject("draw", "is not kind@seed+count");
    }
  } else if (auto bits = ParseHexadecimal(fields.Text("bits"), LimitOf(c.from))) {
    c.bits = std::move(*bits);
  } else {
    fields.Reject("bits", "is no list of hexadecimal bit patterns of the type, joined by ','");
  }
  return c;
}

std::vector<ValueCase> ValueCase::Simpler() const {
  std::vector<ValueCase> simpler;
  const std::vector<Bits> elements = Elements();
  if (elements.size() < 2) return simpler;
  const auto offer = [&](std::vector<Bits> part) {
    simpler.push_back(These(from, to, std::move(part)));
  };
  const size_t half = elements.size() / 2;
  const int64_t span = all_count + around_count;
  if (span > 1 && elements.size() > kMostListed) {
    for (const auto& [start, count] :
         {std::pair(int64_t{0}, span / 2), {span / 2, span - span / 2}}) {
      simpler.push_back(*this);
      simpler.back().first = first + start;
      (all_count > 0 ? simpler.back().all_count : simpler.back().around_count) = count;
    }
    return simpler;
  }
  if (elements.size() <= kMostListed)
    for (Bits element : elements) offer({element});
  // Runs, not single elements: what fails only beside others, or in a vector's tail, needs them.
  const size_t run = std::min(half, kMostListed);
  for (size_t at = 0; at < elements.size(); at += run)
    offer({elements.begin() + at, elements.begin() + std::min(at + run, elements.size())});
  if (elements.size() <= kMostListed) offer({elements.begin(), elements.end() - 1});
  return simpler;
}

void ArithmeticCase::Print(Fields* fields) const {
  fields->Set("from", spec::NameOf(from));
  fields->Set("to", spec::NameOf(to));
  SetAttributes(fields, attributes);
  fields->Set("values", NameOf(values));
  fields->SetInt("seed", static_cast<int64_t>(seed));
  fields->SetInt("count", count);
}

ArithmeticCase ArithmeticCase::Parse(const Fields& fields) {
  ArithmeticCase c;
  c.from = ParseTypeField(fields, "from");
  c.to = ParseTypeField(fields, "to");
  c.attributes = GetAttributes(fields);
  if (c.attributes.mask != 0) fields.Reject("mask", "is not 0");
  if (c.attributes.run_time) fields.Reject("rt", "is not 0");
  if (const auto kind = ParseValueKind(fields.Text("values"))) {
    c.values = *kind;
  } else {
    fields.Reject("values", "is none of index, bits, mixed, finite");
  }
  c.seed = static_cast<uint64_t>(fields.Int("seed"));
  c.count = fields.Int("count");
  if (c.count < 1 || c.count > 1 << 20) {
    fields.Reject("count", "is not in 1 to 2^20");
    c.count = 1;
  }
  return c;
}

std::vector<ArithmeticCase> ArithmeticCase::Simpler() const {
  std::vector<ArithmeticCase> simpler;
  const auto offer = [&](auto change) {
    simpler.push_back(*this);
    change(simpler.back());
  };
  for (const AttributesSpec& fewer : SimplerAttributes(attributes))
    offer([&](ArithmeticCase& c) { c.attributes = fewer; });
  for (int64_t smaller : {int64_t{1}, count / 2, count - 1})
    if (smaller > 0 && smaller < count) offer([&](ArithmeticCase& c) { c.count = smaller; });
  if (values != ValueKind::kIndex) offer([](ArithmeticCase& c) { c.values = ValueKind::kIndex; });
  if (seed != 0) offer([](ArithmeticCase& c) { c.seed = 0; });
  return simpler;
}

Cases<ArithmeticCase> AnyArithmetic(std::vector<Type> from, std::vector<Type> to) {
  return Drawn<ArithmeticCase>([from = std::move(from), to = std::move(to)](Random& random) {
    ArithmeticCase c;
    c.from = random.Pick(from);
    c.to = random.Pick(to);
    AttributesLimits limits;
    limits.masks = Masks::kNone;
    limits.run_time = false;
    c.attributes = AnyAttributes(random, {1}, limits);
    c.values = random.Chance(70) ? ValueKind::kFinite : ValueKind::kIndex;
    c.seed = static_cast<uint64_t>(random.Between(0, 9999));
    c.count = random.Between(1, 200);
    return c;
  });
}

ValueCase AllOf(Type from, Type to) {
  ValueCase c;
  c.from = from;
  c.to = to;
  c.all_count = static_cast<int64_t>(LimitOf(from));
  return c;
}

ValueCase These(Type from, Type to, std::vector<Bits> bits) {
  ValueCase c;
  c.from = from;
  c.to = to;
  c.bits = std::move(bits);
  return c;
}

ValueCase TheseFloats(Type to, const std::vector<float>& values) {
  std::vector<Bits> bits;
  for (float value : values) bits.push_back(WordOf(value));
  return These(Type::kF32, to, std::move(bits));
}

ValueCase AroundAllOf(Type to) {
  ValueCase c;
  c.to = to;
  c.around_count = 65536;
  return c;
}

Cases<ValueCase> ListedThenDrawn(std::vector<ValueCase> listed, std::vector<Type> from,
                                 std::vector<Type> to) {
  return {0, [listed = std::move(listed), from = std::move(from), to = std::move(to)](
                 int64_t index, Random& random) {
            if (index < static_cast<int64_t>(listed.size())) return listed[index];
            ValueCase c;
            c.from = random.Pick(from);
            c.to = random.Pick(to);
            c.kind = random.Chance(80) ? ValueKind::kMixed : ValueKind::kBits;
            c.seed = static_cast<uint64_t>(random.Between(0, 9999));
            c.draw_count = random.Chance(50) ? random.Between(1, 70) : random.Between(1, 1000);
            return c;
          }};
}

std::vector<Type> FloatTypes() { return {Type::kF32, Type::kBF16, Type::kF16}; }
std::vector<Type> IntegerTypes() { return {Type::kS32, Type::kS8, Type::kU8}; }
std::vector<Type> AllTypes() { return {std::begin(spec::kTypes), std::end(spec::kTypes)}; }

}  // namespace conformance
