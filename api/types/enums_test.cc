#include "oneapi/dnnl/types/enums.hpp"

#include <gtest/gtest.h>

#include <type_traits>

#include "oneapi/dnnl/engine/engine.hpp"
#include "oneapi/dnnl/engine/stream.hpp"
#include "oneapi/dnnl/types/arguments.h"

namespace {

using dnnl::algorithm;
using dnnl::normalization_flags;
using dnnl::prop_kind;
using dnnl::rnn_direction;
using dnnl::stream;

TEST(Enums, AliasesAreEqual) {
  static_assert(prop_kind::forward_scoring == prop_kind::forward_inference, "OBJ-021");
  static_assert(prop_kind::forward == prop_kind::forward_training, "OBJ-021");
  static_assert(algorithm::eltwise_gelu == algorithm::eltwise_gelu_tanh, "OBJ-021");
  static_assert(algorithm::pooling_avg == algorithm::pooling_avg_exclude_padding, "A-07");
  static_assert(rnn_direction::unidirectional == rnn_direction::unidirectional_left2right,
                "OBJ-021");
  static_assert(std::is_same<dnnl::engine, oneapi::dnnl::engine>::value, "OBJ-017");
}

TEST(Enums, FlagsCombineWithoutMeaningSomethingElse) {
  constexpr normalization_flags all[] = {
      normalization_flags::use_global_stats, normalization_flags::use_scale_shift,
      normalization_flags::fuse_norm_relu, normalization_flags::use_scale,
      normalization_flags::use_shift};
  for (normalization_flags a : all)
    for (normalization_flags b : all) EXPECT_EQ((a & b) == normalization_flags::none, a != b);
  static_assert((stream::flags::in_order & stream::flags::out_of_order) == stream::flags(0),
                "OBJ-023");
  static_assert(stream::flags::default_flags == stream::flags::in_order, "A-08");

  normalization_flags some = normalization_flags::use_scale | normalization_flags::use_shift;
  some &= ~normalization_flags::use_scale;
  EXPECT_EQ(some, normalization_flags::use_shift);
  some ^= normalization_flags::use_shift;
  some |= normalization_flags::fuse_norm_relu;
  EXPECT_EQ(some, normalization_flags::fuse_norm_relu);
}

TEST(Enums, HaveTheNumbersOfC) {
  EXPECT_EQ(convert_to_c(prop_kind::backward_bias), dnnl_backward_bias);
  EXPECT_EQ(convert_to_c(algorithm::binary_ne), dnnl_binary_ne);
  EXPECT_EQ(convert_to_c(dnnl::query::exec_arg_md), dnnl_query_exec_arg_md);
  EXPECT_EQ(convert_to_c(dnnl::engine::kind::gpu), dnnl_gpu);
  EXPECT_EQ(static_cast<int>(prop_kind::backward_data), 160);
  EXPECT_EQ(static_cast<int>(dnnl::status::runtime_error), 5);
}

TEST(Arguments, HaveTheNumbersOfTheCatalogue) {
  static_assert(DNNL_ARG_FROM == 1 && DNNL_ARG_SRC_LAYER == DNNL_ARG_SRC, "OBJ-022");
  static_assert(DNNL_ARG_TO == 17 && DNNL_ARG_DST_LAYER == DNNL_ARG_DST, "OBJ-022");
  static_assert(DNNL_ARG_SRC_2 == 3 && DNNL_ARG_DST_2 == 19, "OBJ-022");
  static_assert(DNNL_ARG_SCALE_SHIFT == 33 && DNNL_ARG_WEIGHTS_ITER == 34, "OBJ-022");
  static_assert(DNNL_ARG_WEIGHTS_PEEPHOLE == 35 && DNNL_ARG_WEIGHTS_PROJECTION == 36, "A-56");
  static_assert(DNNL_ARG_BIAS == 41 && DNNL_ARG_MEAN == 49 && DNNL_ARG_VARIANCE == 50, "OBJ-022");
  static_assert(DNNL_ARG_WORKSPACE == 64 && DNNL_ARG_SCRATCHPAD == 80, "OBJ-022");
  static_assert(DNNL_ARG_DIFF_SRC == 129 && DNNL_ARG_DIFF_DST == 145, "OBJ-022");
  static_assert(DNNL_ARG_DIFF_WEIGHTS == 161 && DNNL_ARG_DIFF_BIAS == 169, "OBJ-022");
  static_assert(DNNL_ARG_DIFF_WEIGHTS_PEEPHOLE == 163, "A-56");
  static_assert(DNNL_ARG_ATTR_OUTPUT_SCALES == 513, "OBJ-022");
  static_assert(DNNL_ARG_MULTIPLE_SRC == 1024 && DNNL_ARG_MULTIPLE_DST == 2048, "OBJ-022");
  static_assert(DNNL_ARG_ATTR_ZERO_POINTS == 4096, "OBJ-022");
  EXPECT_EQ(DNNL_ARG_ATTR_MULTIPLE_POST_OP(1) | DNNL_ARG_SRC_1, 32768 + 2);
}

}  // namespace
