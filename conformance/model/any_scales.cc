#include "conformance/model/any_scales.h"

#include "conformance/gen/values.h"
#include "oneapi/dnnl/dnnl.hpp"

namespace conformance {

std::vector<float> AnyScales(Random& random, int64_t most) {
  std::vector<float> values(random.Between(1, most));
  for (float& value : values) {
    uint32_t word = static_cast<uint32_t>(random.Bits());
    if (random.Chance(20)) word |= 0x7f800000;  // infinities and NaNs
    if (word == WordOf(DNNL_RUNTIME_F32_VAL)) word = 0;
    value = FloatOf(word);
  }
  return values;
}

std::string WordsOf(const std::vector<float>& values) {
  std::string text;
  for (float value : values) text += (text.empty() ? "" : ",") + std::to_string(WordOf(value));
  return "{" + text + "}";
}

}  // namespace conformance
