#include "conformance/subject/descriptor_text.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <utility>
#include <vector>

#include "conformance/case/trial.h"
#include "conformance/judge/shared_state.h"
#include "oneapi/dnnl/dnnl.hpp"

namespace conformance {
namespace {

using dnnl::memory;
using Dims = memory::dims;
using Type = memory::data_type;
using Tag = memory::format_tag;

// 2x19 in blocks of 16 along the second axis.
memory::desc Blocked() {
  memory::desc desc({2, 19}, Type::f32, Tag::ab);
  auto& blocking = desc.data.format_desc.blocking;
  blocking.inner_nblks = 1;
  blocking.inner_blks[0] = 16;
  blocking.inner_idxs[0] = 1;
  blocking.strides[0] = 32;
  blocking.strides[1] = 16;
  desc.data.padded_dims[1] = 32;
  return desc;
}

TEST(TextOf, PlainLayoutsHaveTypeDimsAndStrides) {
  EXPECT_EQ(TextOf(memory::desc({2, 3, 4}, Type::f32, Tag::abc)), "f32 2x3x4, strides 12,4,1");
  EXPECT_EQ(TextOf(memory::desc({2, 3, 4}, Type::u8, Tag::acb)), "u8 2x3x4, strides 12,1,3");
  EXPECT_EQ(TextOf(memory::desc({5}, Type::bf16, Dims{7})), "bf16 5, strides 7");
}

TEST(TextOf, RegionsHaveAnOffset) {
  const memory::desc parent({4, 6}, Type::s32, Tag::ab);
  EXPECT_EQ(TextOf(parent.submemory_desc({2, 3}, {1, 2})), "s32 2x3, strides 6,1, offset 8");
}

TEST(TextOf, BlocksAndPaddingAreShown) {
  EXPECT_EQ(TextOf(Blocked()), "f32 2x19, strides 32,16, blocks 16b, padded dims 2x32");
  memory::desc several = Blocked();
  auto& blocking = several.data.format_desc.blocking;
  blocking.inner_nblks = 2;
  blocking.inner_blks[1] = 2;
  blocking.inner_idxs[1] = 0;
  several.data.padded_offsets[1] = 3;
  several.data.extra.flags = 1;
  EXPECT_EQ(TextOf(several),
            "f32 2x19, strides 32,16, blocks 16b2a, padded dims 2x32, padded offsets 0,3, "
            "extra flags 1");
}

TEST(TextOf, WhatHasNoLayoutSaysSo) {
  EXPECT_EQ(TextOf(memory::desc({2, 3}, Type::s8, Tag::any)), "s8 2x3, any");
  EXPECT_EQ(TextOf(memory::desc()), "the zero descriptor");
}

TEST(TextOf, RunTimeValuesAreQuestionMarks) {
  const int64_t open = DNNL_RUNTIME_DIM_VAL;
  EXPECT_EQ(TextOf(memory::desc({2, open}, Type::f16, Dims{open, 1})), "f16 2x?, strides ?,1");
}

TEST(TextOf, WhatNoHeaderNamesIsANumber) {
  memory::desc desc({2}, Type::f32, Tag::a);
  desc.data.data_type = static_cast<dnnl_data_type_t>(99);
  desc.data.format_desc.blocking.inner_nblks = 1;
  desc.data.format_desc.blocking.inner_blks[0] = 4;
  desc.data.format_desc.blocking.inner_idxs[0] = -1;
  EXPECT_EQ(TextOf(desc), "data type 99 2, strides 1, blocks 4(axis -1)");
}

TEST(TextOf, ReadsNothingBehindDescriptorsThatAreGarbage) {
  memory::desc desc({2}, Type::f32, Tag::a);
  desc.data.ndims = 1 << 30;
  desc.data.format_desc.blocking.inner_nblks = 1 << 30;
  EXPECT_LT(TextOf(desc).size(), 1000u);
}

TEST(NameOfArgument, IsWhatProgramsWrite) {
  const std::pair<int, const char*> arguments[] = {
      {1, "DNNL_ARG_SRC"},
      {17, "DNNL_ARG_DST"},
      {33, "DNNL_ARG_WEIGHTS"},
      {80, "DNNL_ARG_SCRATCHPAD"},
      {129, "DNNL_ARG_DIFF_SRC"},
      {513, "DNNL_ARG_ATTR_OUTPUT_SCALES"},
      {1026, "DNNL_ARG_MULTIPLE_SRC + 2"},
      {4096 | 17, "DNNL_ARG_ATTR_ZERO_POINTS | DNNL_ARG_DST"},
#ifdef DNNL_ARG_ATTR_INPUT_SCALES
      {1048576 | 1, "DNNL_ARG_ATTR_INPUT_SCALES | DNNL_ARG_SRC"},
#endif
  };
  for (const auto& [arg, name] : arguments) EXPECT_EQ(NameOfArgument(arg), name);
  for (const int arg : {INT32_MIN, -1, 0, 5, 4096, 4096 | 5, 1 << 20, INT32_MAX})
    EXPECT_EQ(NameOfArgument(arg), "argument " + std::to_string(arg));
}

TEST(ExpectDescriptor, ShowsBothDescriptors) {
  const memory::desc given({2, 3}, Type::f32, Tag::ab), other({2, 3}, Type::f32, Tag::ba);
  Trial trial(Profile::kPortable, EngineChoice::kCpu);
  EXPECT_TRUE(ExpectDescriptor(trial, "src_desc()", "the descriptor given", given, given));
  EXPECT_FALSE(trial.failed());
  EXPECT_FALSE(ExpectDescriptor(trial, "src_desc()", "the descriptor given", given, other));
  EXPECT_EQ(trial.where(), "src_desc()");
  EXPECT_EQ(trial.expected(), "the descriptor given (f32 2x3, strides 3,1)");
  EXPECT_EQ(trial.got(), "another (f32 2x3, strides 1,2)");
}

TEST(ExpectDescriptor, NamesTheZeroDescriptorOnce) {
  const memory::desc given({2}, Type::u8, Tag::a);
  Trial trial(Profile::kPortable, EngineChoice::kCpu);
  EXPECT_FALSE(
      ExpectDescriptor(trial, "weights_desc()", "the zero descriptor", memory::desc(), given));
  EXPECT_EQ(trial.expected(), "the zero descriptor");
  EXPECT_EQ(trial.got(), "another (u8 2, strides 1)");
}

TEST(ExpectDescriptor, DoesNotCallEqualOnesUnequal) {
  const memory::desc given({2}, Type::u8, Tag::a);
  Trial trial(Profile::kPortable, EngineChoice::kCpu);
  EXPECT_FALSE(ExpectDescriptor(trial, false, "desc", "an equal one", given, given));
  EXPECT_EQ(trial.got(), "another (u8 2, strides 1)");
}

TEST(ExpectType, ShowsBothTypes) {
  Trial trial(Profile::kPortable, EngineChoice::kCpu);
  EXPECT_TRUE(ExpectType(trial, "data_type()", Type::s8, Type::s8));
  EXPECT_FALSE(ExpectType(trial, "data_type()", Type::s8, Type::bf16));
  EXPECT_EQ(trial.expected(), "the type (s8)");
  EXPECT_EQ(trial.got(), "another (bf16)");
}

TEST(ExpectType, FailsInOneWayWhateverTheTypes) {
  Trial bytes(Profile::kPortable, EngineChoice::kCpu), floats = bytes;
  EXPECT_FALSE(ExpectType(bytes, "data_type()", Type::s8, Type::bf16));
  EXPECT_FALSE(ExpectType(floats, "data_type()", Type::f32, Type::undef));
  EXPECT_EQ(FailureKind(bytes.where(), bytes.expected(), bytes.got()),
            FailureKind(floats.where(), floats.expected(), floats.got()));
}

}  // namespace
}  // namespace conformance
