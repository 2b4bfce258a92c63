// What a program can write against the header: names, types, values and signatures of the
// programming model. Probed at compile time where a header may lack something.
#include <cstdint>
#include <cstring>
#include <initializer_list>
#include <string>
#include <type_traits>
#include <unordered_map>
#include <utility>
#include <vector>

#include "conformance/case/property.h"
#include "conformance/model/includes.h"
#include "conformance/subject/attempt.h"
#include "conformance/subject/device.h"
#include "oneapi/dnnl/dnnl.hpp"
#include "spec/requirements.h"

namespace conformance {
namespace {

using dnnl::memory;
using Desc = memory::desc;
using DataType = memory::data_type;
using FormatTag = memory::format_tag;
using ForwardPd = dnnl::shuffle_forward::primitive_desc;
using BackwardPd = dnnl::shuffle_backward::primitive_desc;
using ReorderPd = dnnl::reorder::primitive_desc;

struct Fact {
  const char* what;
  bool held;
};

void ExpectAll(std::initializer_list<Fact> facts, Trial& trial) {
  for (const Fact& fact : facts)
    if (!trial.Expect(fact.held, fact.what)) return;
}

void DeviateUnlessAll(std::initializer_list<Fact> facts, Trial& trial) {
  for (const Fact& fact : facts) {
    if (fact.held) continue;
    trial.Deviate(fact.what, "true", "false");
    return;
  }
}

// ERR-003.
template <class Error>
auto HasStatusAndMessage(int)
    -> decltype(std::declval<Error>().status, std::declval<Error>().message,
                Error(std::declval<Error>().status, ""), true) {
  return true;
}
template <class Error>
bool HasStatusAndMessage(long) {
  return false;
}

void ErrorHasStatusAndMessage(const NoParameters&, Trial& trial) {
  DeviateUnlessAll({{"dnnl::error has status, message and error(status, message)",
                     HasStatusAndMessage<dnnl::error>(0)}},
                   trial);
}

// ERR-005: with the argument and without it, and false is what it is without.
template <class Class, class... Arguments>
constexpr bool MayBeEmpty = std::is_constructible_v<Class, Arguments...>&&
    std::is_constructible_v<Class, Arguments..., bool>;

template <class Parent>
auto OptionalFlagOfMembers(int)
    -> decltype(std::declval<const Parent&>().submemory_desc(memory::dims(), memory::dims()),
                std::declval<const Parent&>().submemory_desc(memory::dims(), memory::dims(), true),
                std::declval<const Parent&>().reshape(memory::dims()),
                std::declval<const Parent&>().reshape(memory::dims(), true),
                std::declval<const Parent&>().permute_axes(std::vector<int>()),
                std::declval<const Parent&>().permute_axes(std::vector<int>(), true), true) {
  return true;
}
template <class Parent>
bool OptionalFlagOfMembers(long) {
  return false;
}

void AllowEmptyIsLastAndFalse(const NoParameters&, Trial& trial) {
  using Attr = dnnl::primitive_attr;
  using Engine = dnnl::engine;
  ExpectAll(
      {{"desc(dims, type, tag[, allow_empty])",
        MayBeEmpty<Desc, memory::dims, DataType, FormatTag>},
       {"desc(dims, type, strides[, allow_empty])",
        MayBeEmpty<Desc, memory::dims, DataType, memory::dims>},
       {"submemory_desc, reshape, permute_axes(..[, allow_empty])", OptionalFlagOfMembers<Desc>(0)},
       {"reorder::primitive_desc(engine, md, engine, md, attr[, allow_empty])",
        MayBeEmpty<ReorderPd, Engine, Desc, Engine, Desc, Attr>},
       {"reorder::primitive_desc(memory, memory, attr[, allow_empty])",
        MayBeEmpty<ReorderPd, memory, memory, Attr>},
       {"shuffle_forward::primitive_desc(desc, engine, attr[, allow_empty])",
        MayBeEmpty<ForwardPd, dnnl::shuffle_forward::desc, Engine, Attr>},
       {"shuffle_backward::primitive_desc(desc, engine, hint, attr[, allow_empty])",
        MayBeEmpty<BackwardPd, dnnl::shuffle_backward::desc, Engine, ForwardPd, Attr>}},
      trial);
  if (trial.failed()) return;
  const auto without = Attempt([] { return Desc({2, 3}, DataType::f32, FormatTag::abc); });
  trial.Expect(!without, "desc with a wrong rank, without allow_empty", "refused", "accepted");
}

// OBJ-002.
void DescIsLikeATrivialType(const NoParameters&, Trial& trial) {
  DeviateUnlessAll(
      {{"memory::desc is trivially destructible", std::is_trivially_destructible_v<Desc>},
       {"memory::desc is trivially copyable", std::is_trivially_copyable_v<Desc>}},
      trial);
  const Desc one({2, 3}, DataType::f32, FormatTag::ab);
  std::vector<Desc> many(10000, one);
  many.resize(20000, Desc({3}, DataType::s8, FormatTag::a));
  trial.Expect(many[9999] == one && many[10000] != one, "vectors of 20,000 descriptors");
}

// OBJ-017.
void BothNamespacesAreOne(const NoParameters&, Trial& trial) {
#define DNNSPEC_SAME(NAME)                        \
  {"::oneapi::dnnl::" #NAME " is ::dnnl::" #NAME, \
   std::is_same_v<::oneapi::dnnl::NAME, ::dnnl::NAME>}
  ExpectAll({DNNSPEC_SAME(error),
             DNNSPEC_SAME(engine),
             DNNSPEC_SAME(engine::kind),
             DNNSPEC_SAME(stream),
             DNNSPEC_SAME(stream::flags),
             DNNSPEC_SAME(memory),
             DNNSPEC_SAME(memory::desc),
             DNNSPEC_SAME(memory::data_type),
             DNNSPEC_SAME(memory::format_tag),
             DNNSPEC_SAME(primitive),
             DNNSPEC_SAME(primitive::kind),
             DNNSPEC_SAME(primitive_desc_base),
             DNNSPEC_SAME(primitive_desc),
             DNNSPEC_SAME(primitive_attr),
             DNNSPEC_SAME(post_ops),
             DNNSPEC_SAME(scratchpad_mode),
             DNNSPEC_SAME(prop_kind),
             DNNSPEC_SAME(algorithm),
             DNNSPEC_SAME(query),
             DNNSPEC_SAME(reorder),
             DNNSPEC_SAME(reorder::primitive_desc),
             DNNSPEC_SAME(shuffle_forward),
             DNNSPEC_SAME(shuffle_forward::desc),
             DNNSPEC_SAME(shuffle_forward::primitive_desc),
             DNNSPEC_SAME(shuffle_backward),
             DNNSPEC_SAME(shuffle_backward::desc),
             DNNSPEC_SAME(shuffle_backward::primitive_desc)},
            trial);
#undef DNNSPEC_SAME
}

// OBJ-018: the core header drags no native API along (this file includes no other).
void CoreHeaderNeedsNoNativeApi(const NoParameters&, Trial& trial) {
#if defined(SYCL_LANGUAGE_VERSION) || defined(CL_SYCL_LANGUAGE_VERSION)
  constexpr bool kSycl = true;
#else
  constexpr bool kSycl = false;
#endif
#if defined(CL_VERSION_1_0) || defined(CL_TARGET_OPENCL_VERSION)
  constexpr bool kOpenCl = true;
#else
  constexpr bool kOpenCl = false;
#endif
#if defined(VK_VERSION_1_0)
  constexpr bool kVulkan = true;
#else
  constexpr bool kVulkan = false;
#endif
  ExpectAll({{"dnnl.hpp does not include SYCL", !kSycl},
             {"dnnl.hpp does not include OpenCL", !kOpenCl},
             {"dnnl.hpp does not include Vulkan", !kVulkan}},
            trial);
}

// OBJ-020.
void BothIncludesGiveOneHeader(const NoParameters&, Trial& trial) {
  if (!ShortIncludeExists()) return trial.Deviate("dnnl.hpp", "a header", "none");
  trial.Expect(TypeBehindShortInclude() == TypeBehindLongInclude(),
               "memory::desc of dnnl.hpp and of oneapi/dnnl/dnnl.hpp", "one type", "two");
}

// OBJ-021 (format tags: MD-053).
void AliasesAreEqual(const NoParameters&, Trial& trial) {
  using dnnl::algorithm;
  using dnnl::prop_kind;
  using dnnl::rnn_direction;
  ExpectAll({{"prop_kind::forward_scoring == forward_inference",
              prop_kind::forward_scoring == prop_kind::forward_inference},
             {"prop_kind::forward == forward_training",
              prop_kind::forward == prop_kind::forward_training},
             {"algorithm::eltwise_gelu == eltwise_gelu_tanh",
              algorithm::eltwise_gelu == algorithm::eltwise_gelu_tanh},
             {"algorithm::pooling_avg == pooling_avg_exclude_padding",
              algorithm::pooling_avg == algorithm::pooling_avg_exclude_padding},
             {"rnn_direction::unidirectional == unidirectional_left2right",
              rnn_direction::unidirectional == rnn_direction::unidirectional_left2right}},
            trial);
}

// OBJ-022: spec/surface.md, "Execution argument indices".
void ArgumentMacrosHaveTheirValues(const NoParameters&, Trial& trial) {
  struct Macro {
    const char* name;
    int value, expected;
  };
#define DNNSPEC_ARG(NAME, VALUE) \
  { "DNNL_ARG_" #NAME, DNNL_ARG_##NAME, VALUE }
  const Macro macros[] = {DNNSPEC_ARG(SRC_0, 1),
                          DNNSPEC_ARG(SRC, 1),
                          DNNSPEC_ARG(SRC_LAYER, 1),
                          DNNSPEC_ARG(FROM, 1),
                          DNNSPEC_ARG(SRC_1, 2),
                          DNNSPEC_ARG(SRC_ITER, 2),
                          DNNSPEC_ARG(SRC_2, 3),
                          DNNSPEC_ARG(SRC_ITER_C, 3),
                          DNNSPEC_ARG(DST_0, 17),
                          DNNSPEC_ARG(DST, 17),
                          DNNSPEC_ARG(TO, 17),
                          DNNSPEC_ARG(DST_LAYER, 17),
                          DNNSPEC_ARG(DST_1, 18),
                          DNNSPEC_ARG(DST_ITER, 18),
                          DNNSPEC_ARG(DST_2, 19),
                          DNNSPEC_ARG(DST_ITER_C, 19),
                          DNNSPEC_ARG(WEIGHTS_0, 33),
                          DNNSPEC_ARG(WEIGHTS, 33),
                          DNNSPEC_ARG(SCALE_SHIFT, 33),
                          DNNSPEC_ARG(WEIGHTS_LAYER, 33),
                          DNNSPEC_ARG(WEIGHTS_1, 34),
                          DNNSPEC_ARG(WEIGHTS_ITER, 34),
                          DNNSPEC_ARG(BIAS, 41),
                          DNNSPEC_ARG(MEAN, 49),
                          DNNSPEC_ARG(VARIANCE, 50),
                          DNNSPEC_ARG(WORKSPACE, 64),
                          DNNSPEC_ARG(SCRATCHPAD, 80),
                          DNNSPEC_ARG(DIFF_SRC_0, 129),
                          DNNSPEC_ARG(DIFF_SRC, 129),
                          DNNSPEC_ARG(DIFF_SRC_LAYER, 129),
                          DNNSPEC_ARG(DIFF_SRC_1, 130),
                          DNNSPEC_ARG(DIFF_SRC_ITER, 130),
                          DNNSPEC_ARG(DIFF_SRC_2, 131),
                          DNNSPEC_ARG(DIFF_SRC_ITER_C, 131),
                          DNNSPEC_ARG(DIFF_DST_0, 145),
                          DNNSPEC_ARG(DIFF_DST, 145),
                          DNNSPEC_ARG(DIFF_DST_LAYER, 145),
                          DNNSPEC_ARG(DIFF_DST_1, 146),
                          DNNSPEC_ARG(DIFF_DST_ITER, 146),
                          DNNSPEC_ARG(DIFF_DST_2, 147),
                          DNNSPEC_ARG(DIFF_DST_ITER_C, 147),
                          DNNSPEC_ARG(DIFF_WEIGHTS_0, 161),
                          DNNSPEC_ARG(DIFF_WEIGHTS, 161),
                          DNNSPEC_ARG(DIFF_SCALE_SHIFT, 161),
                          DNNSPEC_ARG(DIFF_WEIGHTS_LAYER, 161),
                          DNNSPEC_ARG(DIFF_WEIGHTS_1, 162),
                          DNNSPEC_ARG(DIFF_WEIGHTS_ITER, 162),
                          DNNSPEC_ARG(DIFF_BIAS, 169),
                          DNNSPEC_ARG(ATTR_OUTPUT_SCALES, 513),
                          DNNSPEC_ARG(MULTIPLE_SRC, 1024),
                          DNNSPEC_ARG(MULTIPLE_DST, 2048),
                          DNNSPEC_ARG(ATTR_ZERO_POINTS, 4096)};
#undef DNNSPEC_ARG
  for (const Macro& macro : macros) {
    if (!trial.Expect(macro.value == macro.expected, macro.name, std::to_string(macro.expected),
                      std::to_string(macro.value)))
      return;
  }
}

// OBJ-023.
template <class Flag>
bool AreDistinctBits(std::initializer_list<Flag> flags) {
  uint64_t seen = 0;
  for (Flag flag : flags) {
    const auto bits = static_cast<uint64_t>(flag);
    if (bits == 0 || (bits & (bits - 1)) != 0 || (seen & bits) != 0) return false;
    seen |= bits;
  }
  return true;
}

void FlagsAreDistinctBits(const NoParameters&, Trial& trial) {
  using Norm = dnnl::normalization_flags;
  using Flags = dnnl::stream::flags;
  ExpectAll(
      {{"use_global_stats, use_scale_shift, fuse_norm_relu are distinct bits",
        AreDistinctBits({Norm::use_global_stats, Norm::use_scale_shift, Norm::fuse_norm_relu})},
       {"normalization_flags::none is 0", static_cast<uint64_t>(Norm::none) == 0},
       {"in_order and out_of_order are distinct bits",
        AreDistinctBits({Flags::in_order, Flags::out_of_order})}},
      trial);
  const Norm both = Norm::use_global_stats | Norm::use_scale_shift;
  trial.Expect(both != Norm::fuse_norm_relu &&
                   static_cast<uint64_t>(both) == (static_cast<uint64_t>(Norm::use_global_stats) |
                                                   static_cast<uint64_t>(Norm::use_scale_shift)),
               "use_global_stats | use_scale_shift", "both bits", "another value");
}

// PRIM-001.
template <class T, class = void>
struct HasOpDesc : std::false_type {};
template <class T>
struct HasOpDesc<T, std::void_t<typename T::desc>> : std::true_type {};

void LevelsOfDescription(const NoParameters&, Trial& trial) {
  ExpectAll({{"shuffle_forward::desc exists", HasOpDesc<dnnl::shuffle_forward>::value},
             {"shuffle_backward::desc exists", HasOpDesc<dnnl::shuffle_backward>::value},
             {"reorder::desc does not", !HasOpDesc<dnnl::reorder>::value},
             {"shuffle_forward is made from its primitive_desc",
              std::is_constructible_v<dnnl::shuffle_forward, const ForwardPd&>},
             {"shuffle_backward is made from its primitive_desc",
              std::is_constructible_v<dnnl::shuffle_backward, const BackwardPd&>},
             {"reorder is made from its primitive_desc",
              std::is_constructible_v<dnnl::reorder, const ReorderPd&>}},
            trial);
}

// PRIM-003.
void BasesOfDescriptors(const NoParameters&, Trial& trial) {
  using Base = dnnl::primitive_desc_base;
  ExpectAll({{"primitive_desc derives from primitive_desc_base",
              std::is_base_of_v<Base, dnnl::primitive_desc>},
             {"shuffle_forward::primitive_desc derives from primitive_desc",
              std::is_base_of_v<dnnl::primitive_desc, ForwardPd>},
             {"shuffle_backward::primitive_desc derives from primitive_desc",
              std::is_base_of_v<dnnl::primitive_desc, BackwardPd>},
             {"reorder::primitive_desc derives from primitive_desc_base",
              std::is_base_of_v<Base, ReorderPd>},
             {"reorder::primitive_desc does not derive from primitive_desc",
              !std::is_base_of_v<dnnl::primitive_desc, ReorderPd>}},
            trial);
}

using Arguments = std::unordered_map<int, memory>;

template <class T>
auto ExecutesConst(int)
    // No wait: never evaluated.
    -> decltype(std::declval<const T&>().execute(std::declval<const dnnl::stream&>(),
                                                 std::declval<const Arguments&>()),
                true) {
  return true;
}
template <class T>
bool ExecutesConst(long) {
  return false;
}

void ExecuteIsConst(const NoParameters&, Trial& trial) {
  ExpectAll({{"const primitive::execute", ExecutesConst<dnnl::primitive>(0)},
             {"const reorder::execute", ExecutesConst<dnnl::reorder>(0)},
             {"const shuffle_forward::execute", ExecutesConst<dnnl::shuffle_forward>(0)}},
            trial);
}

void PrimitiveFromBothDescriptors(const NoParameters&, Trial& trial) {
  DeviateUnlessAll({{"primitive(const primitive_desc &)",
                     std::is_constructible_v<dnnl::primitive, const dnnl::primitive_desc&>},
                    {"primitive(const primitive_desc_base &)",
                     std::is_constructible_v<dnnl::primitive, const dnnl::primitive_desc_base&>}},
                   trial);
}

void PrimitivesAreCopied(const NoParameters&, Trial& trial) {
  ExpectAll({{"primitive is copied", std::is_copy_constructible_v<dnnl::primitive>},
             {"primitive is assigned", std::is_copy_assignable_v<dnnl::primitive>},
             {"reorder is copied", std::is_copy_constructible_v<dnnl::reorder>},
             {"reorder is assigned", std::is_copy_assignable_v<dnnl::reorder>},
             {"a reorder is assigned to a primitive",
              std::is_assignable_v<dnnl::primitive&, const dnnl::reorder&>}},
            trial);
}

// ATTR-030, first half; scales.cc has the second.
void RunTimeWildcardHasItsBits(const NoParameters&, Trial& trial) {
  const float wildcard = DNNL_RUNTIME_F32_VAL;
  uint32_t bits = 0;
  std::memcpy(&bits, &wildcard, sizeof(bits));
  trial.Expect(bits == 0x7fc000d0, "bits of DNNL_RUNTIME_F32_VAL", "0x7fc000d0",
               std::to_string(bits));
  trial.Expect(DNNL_RUNTIME_DIM_VAL == INT64_MIN, "DNNL_RUNTIME_DIM_VAL", "INT64_MIN", "another");
  trial.Expect(DNNL_RUNTIME_SIZE_VAL == static_cast<size_t>(INT64_MIN), "DNNL_RUNTIME_SIZE_VAL",
               "size_t(INT64_MIN)", "another");
  trial.Expect(DNNL_RUNTIME_S32_VAL == INT32_MIN, "DNNL_RUNTIME_S32_VAL", "INT32_MIN", "another");
}

const bool defined[] = {
    Define(spec::ATTR_030, "bits", RunTimeWildcardHasItsBits),
    Define(spec::ERR_003, "members", ErrorHasStatusAndMessage),
    Define(spec::ERR_005, "", AllowEmptyIsLastAndFalse),
    Define(spec::OBJ_002, "", DescIsLikeATrivialType),
    Define(spec::OBJ_017, "", BothNamespacesAreOne),
    Define(spec::OBJ_018, "", CoreHeaderNeedsNoNativeApi),
    Define(spec::OBJ_020, "", BothIncludesGiveOneHeader),
    Define(spec::OBJ_021, "", AliasesAreEqual),
    Define(spec::OBJ_022, "", ArgumentMacrosHaveTheirValues),
    Define(spec::OBJ_023, "", FlagsAreDistinctBits),
    Define(spec::PRIM_001, "", LevelsOfDescription),
    Define(spec::PRIM_003, "", BasesOfDescriptors),
    Define(spec::PRIM_044, "", ExecuteIsConst),
    Define(spec::PRIM_046, "", PrimitiveFromBothDescriptors),
    Define(spec::PRIM_047, "", PrimitivesAreCopied),
};

}  // namespace
}  // namespace conformance
