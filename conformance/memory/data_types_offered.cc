// DT-001 to DT-004, DT-032: which types exist, what their elements look like, and where they work.
#include <array>
#include <cstring>
#include <string>
#include <vector>

#include "conformance/case/property.h"
#include "conformance/gen/choice.h"
#include "conformance/memory/data_types.h"
#include "conformance/memory/value_cases.h"
#include "conformance/subject/attempt.h"
#include "conformance/subject/conversion.h"
#include "conformance/subject/expect.h"
#include "conformance/subject/tensor.h"
#include "oneapi/dnnl/dnnl.hpp"
#include "spec/requirements.h"

namespace conformance {
namespace {

using dnnl::memory;
using spec::Bits;
using spec::Type;

// "reorder", "shuffle-forward" or "shuffle-backward" on 2 x 6 elements; may throw. The types differ
// for reorder only.
void MakePrimitive(const std::string& name, Type from, Type to, const dnnl::engine& engine) {
  const memory::desc src({2, 6}, DataTypeOf(from), memory::format_tag::ab);
  const memory::desc dst({2, 6}, DataTypeOf(to), memory::format_tag::ab);
  if (name == "reorder") {
    dnnl::reorder{dnnl::reorder::primitive_desc(engine, src, engine, dst)};
    return;
  }
  const dnnl::shuffle_forward::primitive_desc forward(
      {dnnl::prop_kind::forward_training, src, 1, 3}, engine);
  if (name == "shuffle-forward") {
    dnnl::shuffle_forward{forward};
    return;
  }
  dnnl::shuffle_backward{dnnl::shuffle_backward::primitive_desc(
      dnnl::shuffle_backward::desc(src, 1, 3), engine, forward)};
}

void F32IsOffered(const Choice& choice, Trial& trial) {
  Device* const device = DeviceFor(trial);
  if (device == nullptr) return;
  const auto made =
      Attempt([&] { MakePrimitive(choice.what, Type::kF32, Type::kF32, device->engine); });
  if (!made) trial.Fail(choice.what + " in f32", "created", made.refusal);
}

// `what=shuffle-forward:bf16`, `what=reorder:f16-u8`: refused each time alike, or offered each
// time.
void SupportIsStable(const Choice& choice, Trial& trial) {
  Device* const device = DeviceFor(trial);
  if (device == nullptr) return;
  const size_t colon = choice.what.find(':'), dash = choice.what.find('-', colon);
  const auto from = ParseType(choice.what.substr(colon + 1, dash - colon - 1));
  const auto to = dash == std::string::npos ? from : ParseType(choice.what.substr(dash + 1));
  if (!from || !to) return;
  std::string first;
  for (int round = 0; round < 3; ++round) {
    const auto made =
        Attempt([&] { MakePrimitive(choice.what.substr(0, colon), *from, *to, device->engine); });
    if (!made && !ExpectUnsupported(trial, made.refusal, choice.what)) return;
    const std::string answer = made ? "offered" : "status " + std::to_string(made.refusal.status);
    if (round == 0) first = answer;
    if (!trial.Expect(answer == first, choice.what + " again", first, answer)) return;
  }
  trial.Record(choice.what, first == "offered" ? first : "refused");
}

void SevenTypesExist(const NoParameters&, Trial& trial) {
  using DataType = memory::data_type;
  const DataType types[] = {DataType::undef, DataType::f16, DataType::bf16, DataType::f32,
                            DataType::s32,   DataType::s8,  DataType::u8};
  for (size_t i = 0; i < std::size(types); ++i)
    for (size_t j = 0; j < i; ++j)
      if (!trial.Expect(types[i] != types[j], "enumerators of data_type", "all different")) return;
}

// One element of each type with a known pattern, byte by byte in host order.
struct Pattern {
  Type type;
  float value;
  Bits bits;
};
constexpr Pattern kPatterns[] = {
    {Type::kF16, 1.5f, 0x3e00},   {Type::kF16, -2, 0xc000},        {Type::kBF16, 1.5f, 0x3fc0},
    {Type::kBF16, -2, 0xc000},    {Type::kF32, 1.5f, 0x3fc00000},  {Type::kF32, -2, 0xc0000000},
    {Type::kS32, -2, 0xfffffffe}, {Type::kS32, 65537, 0x00010001}, {Type::kS8, -2, 0xfe},
    {Type::kS8, 100, 0x64},       {Type::kU8, 200, 0xc8},          {Type::kU8, 2, 0x02},
};

void ElementsLookAsTheyMust(const Choice& choice, Trial& trial) {
  for (const Pattern& pattern : kPatterns) {
    if (choice.what != spec::NameOf(pattern.type)) continue;
    const auto bytes = static_cast<size_t>(spec::BytesOf(pattern.type));
    const memory::desc one({1}, DataTypeOf(pattern.type), memory::format_tag::a);
    if (!trial.Expect(one.get_size() == bytes, "get_size() of one element", std::to_string(bytes),
                      std::to_string(one.get_size())))
      return;
    // The subject's own conversion writes the element; the handle shows its bytes.
    const auto written =
        RunConversion(ConversionOf(Type::kF32, pattern.type, {WordOf(pattern.value)}), trial);
    if (!written) return;
    if ((*written)[0] != pattern.bits) {
      return trial.Fail("the bytes of " + std::to_string(pattern.value),
                        spec::ToString(pattern.type, pattern.bits),
                        spec::ToString(pattern.type, (*written)[0]));
    }
    const auto read = RunConversion(ConversionOf(pattern.type, Type::kF32, {pattern.bits}), trial);
    if (!read) return;
    if ((*read)[0] != WordOf(pattern.value)) {
      return trial.Fail("the value of bytes " + spec::ToString(pattern.type, pattern.bits),
                        std::to_string(pattern.value), spec::ToString(Type::kF32, (*read)[0]));
    }
  }
}

// No pair of types is for training or for inference only: what is offered converts.
void OfferedPairsConvert(const ValueCase& c, Trial& trial) { ConvertsRight(c, trial); }

std::vector<std::string> Supports() {
  std::vector<std::string> names;
  for (Type from : spec::kTypes) {
    for (const char* shuffle : {"shuffle-forward:", "shuffle-backward:"})
      names.push_back(std::string(shuffle) + spec::NameOf(from));
    for (Type to : spec::kTypes)
      names.push_back(std::string("reorder:") + spec::NameOf(from) + "-" + spec::NameOf(to));
  }
  return names;
}

std::vector<std::string> TypeNames() {
  std::vector<std::string> names;
  for (Type type : spec::kTypes) names.push_back(spec::NameOf(type));
  return names;
}

std::vector<ValueCase> EachPair() {
  std::vector<ValueCase> cases;
  for (Type from : spec::kTypes) {
    for (Type to : spec::kTypes) {
      ValueCase c;
      c.from = from;
      c.to = to;
      c.kind = ValueKind::kIndex;
      c.draw_count = 100;
      cases.push_back(c);
    }
  }
  return cases;
}

const bool kDefined[] = {
    Define<Choice>(spec::DT_001, "", Choices({"reorder", "shuffle-forward", "shuffle-backward"}),
                   F32IsOffered),
    Define<Choice>(spec::DT_002, "", Choices(Supports()), SupportIsStable),
    Define(spec::DT_003, "", SevenTypesExist),
    Define<Choice>(spec::DT_004, "", Choices(TypeNames()), ElementsLookAsTheyMust),
    Define<ValueCase>(spec::DT_032, "", Listed(EachPair()), OfferedPairsConvert),
};

}  // namespace
}  // namespace conformance
