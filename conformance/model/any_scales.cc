#include "conformance/model/any_scales.h"

#include <algorithm>

#include "conformance/gen/values.h"
#include "oneapi/dnnl/dnnl.hpp"

namespace conformance {

namespace {

float AnyScale(Random& random) {
  uint32_t word = static_cast<uint32_t>(random.Bits());
  if (random.Chance(20)) word |= 0x7f800000;  // infinities and NaNs
  if (word == WordOf(DNNL_RUNTIME_F32_VAL)) word = 0;
  return FloatOf(word);
}

}  // namespace

std::vector<float> AnyScales(Random& random, int64_t most) {
  // Now and then as many as large tensors have channels.
  constexpr int64_t kMany = 3000;
  std::vector<float> values(random.Between(1, most > 1 && random.Chance(2) ? kMany : most));
  for (float& value : values) value = AnyScale(random);
  // All alike, what changes nothing among them; and alike but for one.
  const int64_t dice = random.Between(0, 9);
  if (dice < 3) std::fill(values.begin(), values.end(), dice == 0 ? 1.f : values.front());
  if (dice == 2)
    values[static_cast<size_t>(random.Between(0, static_cast<int64_t>(values.size()) - 1))] =
        AnyScale(random);
  return values;
}

std::string WordsOf(const std::vector<float>& values) {
  std::string text;
  for (float value : values) text += (text.empty() ? "" : ",") + std::to_string(WordOf(value));
  return "{" + text + "}";
}

}  // namespace conformance
