#include "oneapi/dnnl/shuffle/shuffle.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "api/fake/fake.h"
#include "api/fake/refusal.h"

namespace {

using dnnl::engine;
using dnnl::memory;
using dnnl::primitive_attr;
using dnnl::prop_kind;
using dnnl::shuffle_backward;
using dnnl::shuffle_forward;
using dnnl::stream;
using fake::counts;
using fake::Refusal;
using dt = memory::data_type;
using tag = memory::format_tag;

class Shuffle : public testing::Test {
 protected:
  Shuffle() { fake::Reset(); }

  shuffle_forward::primitive_desc Forward(const memory::desc& md, int axis, int group) {
    return {shuffle_forward::desc(prop_kind::forward_inference, md, axis, group), cpu};
  }
  std::string DescRefusal(const memory::desc& md, int axis, int group,
                          prop_kind kind = prop_kind::forward_training) {
    return Refusal([&] { shuffle_forward::desc(kind, md, axis, group); });
  }

  const engine cpu{engine::kind::cpu, 0};
  stream queue{cpu};
  const memory::desc six{{6}, dt::s8, tag::a}, image{{2, 6, 4, 5}, dt::f32, tag::nhwc};
};

TEST_F(Shuffle, IsTheExampleOfTheCatalogue) {
  std::vector<int8_t> in = {0, 1, 2, 3, 4, 5}, out(6), back(6);
  memory src(six, cpu, in.data()), dst(six, cpu, out.data()), again(six, cpu, back.data());
  const auto pd = Forward(six, 0, 2);
  shuffle_forward(pd).execute(queue, {{DNNL_ARG_SRC, src}, {DNNL_ARG_DST, dst}});
  EXPECT_EQ(out, (std::vector<int8_t>{0, 2, 4, 1, 3, 5}));
  const shuffle_backward::primitive_desc back_pd(shuffle_backward::desc(six, 0, 2), cpu, pd);
  shuffle_backward(back_pd).execute(queue, {{DNNL_ARG_DIFF_DST, dst}, {DNNL_ARG_DIFF_SRC, again}});
  EXPECT_EQ(back, in);
}

TEST_F(Shuffle, AnswersQueries) {
  const auto pd = Forward(image, 1, 3);
  EXPECT_EQ(pd.get_kind(), dnnl::primitive::kind::shuffle);
  EXPECT_EQ(pd.src_desc(), image);
  EXPECT_EQ(pd.dst_desc(), image);
  EXPECT_EQ(pd.diff_src_desc(), memory::desc());
  EXPECT_EQ(pd.query_md(dnnl::query::exec_arg_md, DNNL_ARG_DST), image);
  EXPECT_EQ(pd.query_md(dnnl::query::exec_arg_md, DNNL_ARG_DIFF_DST), memory::desc());
  const shuffle_backward::primitive_desc back(shuffle_backward::desc(image, 1, 3), cpu, pd);
  EXPECT_EQ(back.diff_src_desc(), image);
  EXPECT_EQ(back.diff_dst_desc(), image);
  EXPECT_EQ(back.src_desc(), memory::desc());
  EXPECT_EQ(back.query_md(dnnl::query::exec_arg_md, DNNL_ARG_DIFF_SRC), image);
}

TEST_F(Shuffle, RefusesParametersAtTheOperationDescriptor) {
  EXPECT_EQ(DescRefusal(image, 1, 3), "");
  EXPECT_EQ(DescRefusal(image, 4, 1),
            "invalid_arguments: shuffle: axis = 4 is not in [0, 4) (SHU-007)");
  EXPECT_NE(DescRefusal(image, -1, 1), "");
  EXPECT_NE(DescRefusal(image, std::numeric_limits<int>::min(), 1), "");
  EXPECT_EQ(DescRefusal(image, 1, 4),
            "invalid_arguments: shuffle: group_size = 4 does not divide src.dims[1] = 6 (SHU-008)");
  EXPECT_EQ(DescRefusal(image, 1, 0),
            "invalid_arguments: shuffle: group_size = 0 is below 1 (SHU-008)");
  EXPECT_EQ(DescRefusal(memory::desc(), 0, 1),
            "invalid_arguments: shuffle: src.rank = 0 is not in [1, 12] (SHU-004)");
  EXPECT_EQ(DescRefusal(memory::desc({2, 6}, dt::f32, tag::any), 1, 3),
            "invalid_arguments: shuffle: src is `any` and has no layout (SHU-010)");
  for (const memory::desc& diff : {image, memory::desc({2, 6}, dt::f32, tag::any)}) {
    EXPECT_EQ(Refusal([&] { shuffle_backward::desc(diff, 1, 3); }), "");
    EXPECT_EQ(Refusal([&] { shuffle_backward::desc(diff, 1, 4); }),
              "invalid_arguments: shuffle: group_size = 4 does not divide diff_dst.dims[1] = 6 "
              "(SHU-008)");
  }
}

TEST_F(Shuffle, IsForwardInTwoWays) {
  for (int kind = -1; kind < 256; ++kind) {
    const bool forward = kind == dnnl_forward_training || kind == dnnl_forward_inference;
    EXPECT_EQ(DescRefusal(image, 1, 3, static_cast<prop_kind>(kind)).empty(), forward) << kind;
  }
}

TEST_F(Shuffle, NamesTheWrongKind) {
  EXPECT_EQ(DescRefusal(image, 1, 3, prop_kind::backward),
            "invalid_arguments: shuffle: prop_kind = backward is neither forward_training nor "
            "forward_inference (SHU-006)");
  EXPECT_EQ(DescRefusal(image, 1, 3, prop_kind::backward_data),
            "invalid_arguments: shuffle: prop_kind = backward_data is not forward (SHU-006)");
  EXPECT_EQ(DescRefusal(image, 1, 3, static_cast<prop_kind>(7)),
            "invalid_arguments: shuffle: prop_kind = 7 is neither forward_training nor "
            "forward_inference (SHU-006)");
}

TEST_F(Shuffle, BackwardTakesTheLayoutOfItsHint) {
  const memory::desc any({2, 6, 4, 5}, dt::s8, tag::any);
  const shuffle_backward::primitive_desc back(shuffle_backward::desc(any, 1, 2), cpu,
                                              Forward(image, 1, 3));
  EXPECT_EQ(back.diff_src_desc(), memory::desc({2, 6, 4, 5}, dt::s8, tag::nhwc));
  EXPECT_EQ(back.diff_dst_desc(), back.diff_src_desc());
}

TEST_F(Shuffle, BackwardWantsAHintOfItsShape) {
  const shuffle_backward::desc d(image, 1, 3);
  const auto refusal = [&](const shuffle_forward::primitive_desc& hint) {
    const std::string message = Refusal([&] { shuffle_backward::primitive_desc(d, cpu, hint); });
    EXPECT_EQ(
        static_cast<bool>(shuffle_backward::primitive_desc(d, cpu, hint, primitive_attr(), true)),
        message.empty());
    return message;
  };
  EXPECT_EQ(refusal(Forward(image, 1, 3)), "");
  EXPECT_EQ(refusal(Forward(image, 2, 2)), "");
  EXPECT_EQ(refusal(shuffle_forward::primitive_desc()),
            "invalid_arguments: shuffle: the forward primitive descriptor is empty (PRIM-016)");
  EXPECT_EQ(
      refusal(Forward(memory::desc({2, 6, 4, 4}, dt::f32, tag::nchw), 1, 3)),
      "invalid_arguments: shuffle: diff_data_desc.dims[3] = 5 is not 4 of the hint (SHU-013)");
  EXPECT_EQ(refusal(Forward(six, 0, 1)),
            "invalid_arguments: shuffle: diff_data_desc.ndims = 4 is not 1 of the hint (SHU-013)");
}

TEST_F(Shuffle, RefusesEveryAttributeButTheScratchpadMode) {
  const shuffle_forward::desc d(prop_kind::forward, image, 1, 3);
  const auto refusal_of = [&](auto&& set) {
    primitive_attr attr;
    set(attr);
    const std::string message = Refusal([&] { shuffle_forward::primitive_desc(d, cpu, attr); });
    EXPECT_EQ(static_cast<bool>(shuffle_forward::primitive_desc(d, cpu, attr, true)),
              message.empty());
    return message;
  };
  dnnl::post_ops ops;
  ops.append_sum();
  EXPECT_EQ(
      refusal_of([](primitive_attr& a) { a.set_scratchpad_mode(dnnl::scratchpad_mode::user); }),
      "");
  EXPECT_EQ(refusal_of([](primitive_attr& a) { a.set_output_scales(0, {1.f}); }), "");
  EXPECT_EQ(refusal_of([](primitive_attr& a) { a.set_output_scales(0, {2.f}); }),
            "unimplemented: shuffle: attribute output_scales is not served (SHU-012)");
  EXPECT_EQ(refusal_of([&](primitive_attr& a) { a.set_post_ops(ops); }),
            "unimplemented: shuffle: attribute post_ops is not served (SHU-012)");
  EXPECT_EQ(refusal_of([](primitive_attr& a) { a.set_zero_points(DNNL_ARG_SRC, 0, {3}); }),
            "unimplemented: shuffle: attribute zero_points is not served (SHU-012)");
  EXPECT_EQ(refusal_of([](primitive_attr& a) { a.set_fpmath_mode(dnnl::fpmath_mode::any); }),
            "unimplemented: shuffle: attribute fpmath_mode is not served (SHU-012)");
}

TEST_F(Shuffle, RefusesRunTimeShapes) {
  const memory::desc some({DNNL_RUNTIME_DIM_VAL, 6}, dt::f32, tag::ab);
  const char* const not_served =
      "unimplemented: shuffle: run-time dims and strides are not served (SHU-014)";
  EXPECT_EQ(Refusal([&] { shuffle_forward::desc(prop_kind::forward, some, 1, 3); }), not_served);
  EXPECT_EQ(Refusal([&] { shuffle_backward::desc(some, 1, 3); }), not_served);

  // Written by hand.
  shuffle_forward::desc d(prop_kind::forward, memory::desc({2, 6}, dt::f32, tag::ab), 1, 3);
  d.data.data_desc = some.data;
  EXPECT_EQ(Refusal([&] { shuffle_forward::primitive_desc(d, cpu); }), not_served);
  EXPECT_FALSE(shuffle_forward::primitive_desc(d, cpu, primitive_attr(), true));
}

TEST_F(Shuffle, OfNoElementsTouchesNothing) {
  for (const memory::dims& dims : {memory::dims{0, 6}, memory::dims{2, 0}}) {
    const memory::desc none(dims, dt::f32, tag::ab);
    memory src(none, cpu, nullptr), dst(none, cpu, reinterpret_cast<void*>(1));
    shuffle_forward(Forward(none, 1, 3)).execute(queue, {{DNNL_ARG_SRC, src}, {DNNL_ARG_DST, dst}});
  }
  EXPECT_EQ(counts().plans + counts().executions, 0);
}

TEST_F(Shuffle, RefusesARepeatedDestination) {
  const memory::desc wide({2, 6}, dt::f32, memory::dims{0, 1});
  EXPECT_EQ(
      DescRefusal(wide, 1, 3),
      "invalid_arguments: shuffle: dst.strides[0] = 0 repeats one element dst.dims[0] = 2 times "
      "(MD-014)");
}

TEST_F(Shuffle, OperationDescriptorsAreValues) {
  memory::desc md = image;
  const shuffle_forward::desc d(prop_kind::forward, md, 1, 3);
  md = six;
  const shuffle_forward::desc copy = d;
  const engine gpu(engine::kind::gpu, 0);
  EXPECT_EQ(shuffle_forward::primitive_desc(copy, cpu).src_desc(), image);
  EXPECT_EQ(shuffle_forward::primitive_desc(copy, gpu).get_engine(), gpu);
  EXPECT_EQ(copy.data.axis, 1);
  EXPECT_EQ(copy.data.group_size, 3);
  EXPECT_NE(Refusal([&] { shuffle_forward::primitive_desc(d, engine()); }), "");
}

TEST_F(Shuffle, OperationDescriptorsWrittenByHandAreChecked) {
  const auto refusal = [&](auto&& edit) {
    shuffle_forward::desc d(prop_kind::forward, image, 1, 3);
    edit(d.data);
    return Refusal([&] { shuffle_forward::primitive_desc(d, cpu); });
  };
  EXPECT_EQ(refusal([](dnnl_shuffle_desc_t&) {}), "");
  EXPECT_EQ(refusal([](dnnl_shuffle_desc_t& d) { d.axis = 9; }),
            "invalid_arguments: shuffle: axis = 9 is not in [0, 4) (SHU-007)");
  EXPECT_EQ(refusal([](dnnl_shuffle_desc_t& d) { d.group_size = 4; }),
            "invalid_arguments: shuffle: group_size = 4 does not divide src.dims[1] = 6 (SHU-008)");
  EXPECT_EQ(refusal([](dnnl_shuffle_desc_t& d) { d.data_desc = {}; }),
            "invalid_arguments: shuffle: src.rank = 0 is not in [1, 12] (SHU-004)");
  EXPECT_EQ(refusal([](dnnl_shuffle_desc_t& d) { d.data_desc.format_kind = dnnl_format_kind_any; }),
            "invalid_arguments: shuffle: src is `any` and has no layout (SHU-010)");
}

}  // namespace
