// Programs as they are written for oneDNN 2.x, in the scope of this library, unchanged but for the
// checks: they compile with "dnnl.hpp" and give what they should.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <numeric>
#include <stdexcept>
#include <string>
#include <unordered_map>
#include <vector>

#include "dnnl.hpp"

namespace {

using namespace dnnl;

using tag = memory::format_tag;
using dt = memory::data_type;

void write_to_dnnl_memory(void* handle, memory& mem) {
  const size_t size = mem.get_desc().get_size();
  auto* dst = static_cast<uint8_t*>(mem.get_data_handle());
  if (!dst) throw std::runtime_error("get_data_handle returned nullptr.");
  for (size_t i = 0; i < size; ++i) dst[i] = static_cast<uint8_t*>(handle)[i];
}

void read_from_dnnl_memory(void* handle, memory& mem) {
  const size_t size = mem.get_desc().get_size();
  auto* mapped = mem.map_data<uint8_t>();
  for (size_t i = 0; i < size; ++i) static_cast<uint8_t*>(handle)[i] = mapped[i];
  mem.unmap_data(mapped);
}

// The reorder example: f32 nchw to quantised s8 nhwc, one scale for each channel.
TEST(Programs, ReorderExample) {
  const engine::kind engine_kind = engine::kind::cpu;
  dnnl::engine engine(engine_kind, 0);
  dnnl::stream engine_stream(engine);

  const memory::dim N = 3, IC = 3, IH = 11, IW = 13;
  memory::dims src_dims = {N, IC, IH, IW};
  auto product = std::accumulate(src_dims.begin(), src_dims.end(), memory::dim{1},
                                 std::multiplies<memory::dim>());
  std::vector<float> src_data(product);
  std::vector<int8_t> dst_data(product);
  std::generate(src_data.begin(), src_data.end(), []() {
    static int i = 0;
    return std::cos(i++ / 10.f);
  });

  auto src_md = memory::desc(src_dims, dt::f32, tag::nchw);
  auto dst_md = memory::desc(src_dims, dt::s8, tag::nhwc);
  auto src_mem = memory(src_md, engine);
  auto dst_mem = memory(dst_md, engine);
  write_to_dnnl_memory(src_data.data(), src_mem);

  std::vector<float> scales(IC);
  std::generate(scales.begin(), scales.end(), []() {
    static int i = 0;
    return 64 + 5.f * i++;
  });
  const int ic_dim = 1;
  primitive_attr reorder_attr;
  reorder_attr.set_output_scales(1 << ic_dim, scales);

  auto reorder_pd = reorder::primitive_desc(engine, src_md, engine, dst_md, reorder_attr);
  auto reorder_prim = reorder(reorder_pd);

  std::unordered_map<int, memory> reorder_args;
  reorder_args.insert({DNNL_ARG_SRC, src_mem});
  reorder_args.insert({DNNL_ARG_DST, dst_mem});
  reorder_prim.execute(engine_stream, reorder_args);
  engine_stream.wait();
  read_from_dnnl_memory(dst_data.data(), dst_mem);

  for (int n = 0; n < N; ++n)
    for (int c = 0; c < IC; ++c)
      for (int hw = 0; hw < IH * IW; ++hw)
        EXPECT_EQ(dst_data[(n * IH * IW + hw) * IC + c],
                  std::nearbyint(src_data[(n * IC + c) * IH * IW + hw] * scales[c]));
}

// The shuffle example: an image in, channels shuffled.
TEST(Programs, ShuffleExample) {
  dnnl::engine engine(dnnl::engine::kind::cpu, 0);
  dnnl::stream engine_stream(engine);
  const memory::dim N = 3, IC = 72, IH = 2, IW = 5;
  memory::dims src_dims = {N, IC, IH, IW};
  std::vector<float> src_data(N * IC * IH * IW), dst_data(N * IC * IH * IW);
  std::iota(src_data.begin(), src_data.end(), 0.f);

  const int shuffle_axis = 1;
  const int group_size = 4;
  auto src_md = memory::desc(src_dims, dt::f32, tag::nchw);
  auto src_mem = memory(src_md, engine);
  auto dst_mem = memory({src_dims, dt::f32, tag::abcd}, engine);
  write_to_dnnl_memory(src_data.data(), src_mem);

  auto shuffle_d =
      shuffle_forward::desc(prop_kind::forward_training, src_md, shuffle_axis, group_size);
  auto shuffle_pd = shuffle_forward::primitive_desc(shuffle_d, engine);
  auto shuffle_prim = shuffle_forward(shuffle_pd);
  std::unordered_map<int, memory> shuffle_args;
  shuffle_args.insert({DNNL_ARG_SRC, src_mem});
  shuffle_args.insert({DNNL_ARG_DST, dst_mem});
  shuffle_prim.execute(engine_stream, shuffle_args);
  engine_stream.wait();
  read_from_dnnl_memory(dst_data.data(), dst_mem);

  for (int u = 0; u < IC / group_size; ++u)
    for (int v = 0; v < group_size; ++v)
      EXPECT_EQ(dst_data[(IC + u + v * (IC / group_size)) * IH * IW + 3],
                src_data[(IC + u * group_size + v) * IH * IW + 3]);

  shuffle_backward::desc back_d(src_md, shuffle_axis, group_size);
  shuffle_backward::primitive_desc back_pd(back_d, engine, shuffle_pd);
  auto back_mem = memory(back_pd.diff_src_desc(), engine);
  shuffle_backward(back_pd).execute(engine_stream,
                                    {{DNNL_ARG_DIFF_DST, dst_mem}, {DNNL_ARG_DIFF_SRC, back_mem}});
  engine_stream.wait();
  read_from_dnnl_memory(dst_data.data(), back_mem);
  EXPECT_EQ(dst_data, src_data);
}

// Concatenation in place: each source is reordered into its part of the destination.
TEST(Programs, ConcatenationThroughSubmemory) {
  engine eng(engine::kind::cpu, 0);
  stream s(eng);
  std::vector<float> a = {0, 1, 2, 3, 4, 5}, b = {10, 11, 12, 13}, out(10, -1.f);
  memory::desc a_md({2, 3}, dt::f32, tag::ab), b_md({2, 2}, dt::f32, tag::ba);
  memory a_mem(a_md, eng, a.data()), b_mem(b_md, eng, b.data());
  memory::desc out_md({2, 5}, dt::f32, tag::ab);

  auto part = [&](memory::dims dims, memory::dims offsets) {
    return memory(out_md.submemory_desc(dims, offsets), eng, out.data());
  };
  memory left = part({2, 3}, {0, 0}), right = part({2, 2}, {0, 3});
  reorder(a_mem, left).execute(s, a_mem, left);
  reorder(b_mem, right).execute(s, b_mem, right);
  s.wait();
  EXPECT_EQ(out, (std::vector<float>{0, 1, 2, 10, 12, 3, 4, 5, 11, 13}));
}

// Quantise, dequantise, and accumulate with a sum.
TEST(Programs, QuantiseAndBack) {
  engine eng(engine::kind::cpu, 0);
  stream s(eng);
  std::vector<float> real = {-1.f, -0.5f, 0.f, 0.25f, 1.f, 100.f};
  memory::desc f32_md({6}, dt::f32, tag::x), s8_md({6}, dt::s8, tag::x);
  memory f32_mem(f32_md, eng, real.data()), s8_mem(s8_md, eng);

  primitive_attr quantise;
  quantise.set_output_scales(0, {127.f});
  reorder(f32_mem, s8_mem, quantise).execute(s, f32_mem, s8_mem);
  s.wait();
  const int8_t* q = static_cast<int8_t*>(s8_mem.get_data_handle());
  EXPECT_EQ(std::vector<int>(q, q + 6), (std::vector<int>{-127, -64, 0, 32, 127, 127}));

  post_ops ops;
  ops.append_sum(2.f);
  primitive_attr accumulate;
  accumulate.set_output_scales(0, {0.5f});
  accumulate.set_post_ops(ops);
  std::vector<float> sum(6, 1.f);
  memory sum_mem(f32_md, eng, sum.data());
  reorder::primitive_desc pd(s8_mem, sum_mem, accumulate);
  ASSERT_EQ(pd.get_primitive_attr().get_post_ops().len(), 1);
  reorder(pd).execute(s, {{DNNL_ARG_FROM, s8_mem}, {DNNL_ARG_TO, sum_mem}});
  s.wait();
  EXPECT_EQ(sum, (std::vector<float>{-61.5f, -30.f, 2.f, 18.f, 65.5f, 65.5f}));
}

// The matrix of the memory formats page, by strides, by tag, and with a leading dimension.
TEST(Programs, MatricesOfTheFormatsPage) {
  engine eng(engine::kind::cpu, 0);
  stream s(eng);
  const memory::dim M = 3, N = 4, LDA = 7;
  EXPECT_EQ(memory::desc({M, N}, dt::f32, {N, 1}), memory::desc({M, N}, dt::f32, tag::ab));
  EXPECT_EQ(memory::desc({M, N}, dt::f32, {1, M}), memory::desc({M, N}, dt::f32, tag::ba));

  std::vector<float> wide(M * LDA);
  std::iota(wide.begin(), wide.end(), 0.f);
  memory rows({{M, N}, dt::f32, {LDA, 1}}, eng, wide.data());
  std::vector<float> columns(M * N);
  memory dense({{M, N}, dt::f32, tag::ba}, eng, columns.data());
  reorder(rows, dense).execute(s, rows, dense);
  s.wait();
  for (int m = 0; m < M; ++m)
    for (int n = 0; n < N; ++n) EXPECT_EQ(columns[n * M + m], wide[m * LDA + n]);
}

// Errors and optional objects, the way programs look at them.
TEST(Programs, ErrorsAndOptionalObjects) {
  engine eng(engine::kind::cpu, 0);
  try {
    memory::desc md({2, 3}, dt::f32, tag::abcd);
    FAIL();
  } catch (dnnl::error& e) {
    EXPECT_EQ(e.status, dnnl_invalid_arguments);
    EXPECT_NE(std::string(e.message), "");
  }
  memory::desc md({2, 3}, dt::f32, tag::ab);
  reorder::primitive_desc none(eng, md, eng, memory::desc({3, 2}, dt::f32, tag::ab),
                               primitive_attr(), true);
  EXPECT_FALSE(none);
  reorder::primitive_desc some(eng, md, eng, md, primitive_attr(), true);
  ASSERT_TRUE(some);
  EXPECT_NE(std::string(some.impl_info_str()), "");
  EXPECT_EQ(some.query_s64(query::memory_consumption_s64), 0);
  EXPECT_EQ(some.src_desc(), md);
  EXPECT_EQ(md.data.format_desc.blocking.strides[0], 3);
  EXPECT_THROW(engine(engine::kind::gpu, engine::get_count(engine::kind::gpu)), dnnl::error);
}

// In-place concat: every part is written into its region, and the argument is the whole.
TEST(Programs, ConcatByRegions) {
  engine eng(engine::kind::cpu, 0);
  stream s(eng);
  const memory::dim N = 2, C = 3, H = 2, W = 2;
  memory whole({{N, 2 * C, H, W}, dt::f32, tag::nhwc}, eng);
  for (int part = 0; part < 2; ++part) {
    std::vector<float> data(N * C * H * W);
    std::iota(data.begin(), data.end(), 100.f * static_cast<float>(part));
    memory src({{N, C, H, W}, dt::f32, tag::nchw}, eng, data.data());
    auto view = whole.get_desc().submemory_desc({N, C, H, W}, {0, part * C, 0, 0});
    auto pd = reorder::primitive_desc(eng, src.get_desc(), eng, view);
    reorder(pd).execute(s, src, whole);
    s.wait();
  }
  std::vector<float> got(N * 2 * C * H * W);
  read_from_dnnl_memory(got.data(), whole);
  for (memory::dim n = 0; n < N; ++n)
    for (memory::dim c = 0; c < 2 * C; ++c)
      for (memory::dim hw = 0; hw < H * W; ++hw) {
        const memory::dim part = c / C, of_part = (n * C + c % C) * H * W + hw;
        EXPECT_EQ(got[(n * H * W + hw) * 2 * C + c], static_cast<float>(100 * part + of_part));
      }
}

// Split, the other way round; and one region after another of the same memories by hand.
TEST(Programs, SliceOfAParent) {
  engine eng(engine::kind::cpu, 0);
  stream s(eng);
  std::vector<float> data(24), out(6);
  std::iota(data.begin(), data.end(), 0.f);
  memory src({{4, 6}, dt::f32, tag::ab}, eng, data.data());
  memory dst({{2, 3}, dt::f32, tag::ab}, eng, out.data());
  auto src_sub_md = src.get_desc().submemory_desc({2, 3}, {1, 2});
  reorder::primitive_desc reorder_pd(eng, src_sub_md, eng, dst.get_desc());
  std::unordered_map<int, memory> args = {{DNNL_ARG_SRC, src}, {DNNL_ARG_DST, dst}};
  reorder(reorder_pd).dnnl::primitive::execute(s, args);
  s.wait();
  EXPECT_EQ(out, (std::vector<float>{8, 9, 10, 14, 15, 16}));
}

// A transposition by descriptors: the memories are vectors, or have other dims.
TEST(Programs, TransposeByDescriptors) {
  engine eng(engine::kind::cpu, 0);
  stream s(eng);
  std::vector<float> in = {0, 1, 2, 3, 4, 5}, out(6);
  memory src({{6}, dt::f32, tag::a}, eng, in.data()),
      dst({{3, 2}, dt::f32, tag::ab}, eng, out.data());
  memory::desc rows({2, 3}, dt::f32, memory::dims{3, 1}),
      columns({2, 3}, dt::f32, memory::dims{1, 2});
  reorder(reorder::primitive_desc(eng, rows, eng, columns)).execute(s, src, dst);
  s.wait();
  EXPECT_EQ(out, (std::vector<float>{0, 3, 1, 4, 2, 5}));
}

// Scaling in place, and the mistake beside it.
TEST(Programs, InPlaceOrByName) {
  engine eng(engine::kind::cpu, 0);
  stream s(eng);
  std::vector<float> data(1 * 3 * 2 * 4);
  std::iota(data.begin(), data.end(), 0.f);
  memory m({{1, 3, 2, 4}, dt::f32, tag::nchw}, eng, data.data());
  primitive_attr attr;
  attr.set_output_scales(0, {0.5f});
  reorder(m, m, attr).execute(s, m, m);
  s.wait();
  EXPECT_EQ(data[23], 11.5f);
  memory nhwc({{1, 3, 2, 4}, dt::f32, tag::nhwc}, eng, data.data());
  try {
    reorder(m, nhwc).execute(s, m, nhwc);
    FAIL() << "one buffer on both sides of a transposition";
  } catch (const error& e) {
    EXPECT_EQ(e.status, dnnl_invalid_arguments);
    EXPECT_NE(std::string(e.what()).find("DNNL_ARG_DST"), std::string::npos) << e.what();
  }
  EXPECT_EQ(data[23], 11.5f);
}

// As quantised programs dequantise: real = scale * (stored - zero point), and back.
TEST(Programs, QuantisesWithAZeroPoint) {
  engine eng(engine::kind::cpu, 0);
  stream s(eng);
  std::vector<uint8_t> stored = {0, 10, 255};
  std::vector<float> real(3);
  memory quantized({{3}, dt::u8, tag::x}, eng, stored.data());
  memory dequantized({{3}, dt::f32, tag::x}, eng, real.data());
  primitive_attr there;
  there.set_output_scales(0, {0.5f});
  there.set_zero_points(DNNL_ARG_SRC, 0, {10});
  reorder(quantized, dequantized, there).execute(s, quantized, dequantized);
  s.wait();
  EXPECT_EQ(real, (std::vector<float>{-5, 0, 122.5f}));
  primitive_attr back;
  back.set_output_scales(0, {2});
  back.set_zero_points(DNNL_ARG_DST, 0, {10});
  stored = {1, 1, 1};
  reorder(dequantized, quantized, back).execute(s, dequantized, quantized);
  s.wait();
  EXPECT_EQ(stored, (std::vector<uint8_t>{0, 10, 255}));
}

// s8 to s8 as the tests of run-time attributes have it: all that is known at creation comes at
// execution the second time, with the same result.
TEST(Programs, TakesAttributesAtExecution) {
  engine eng(engine::kind::cpu, 0);
  stream s(eng);
  const memory::desc src_md({1, 16, 8, 8}, dt::s8, tag::abcd);
  const memory::desc dst_md({1, 16, 8, 8}, dt::s8, tag::acdb);
  const float scale = 0.5f;
  const int32_t src_zero = 3, dst_zero = -7;
  std::vector<int8_t> in(1024), fixed(1024), later(1024);
  for (size_t i = 0; i < in.size(); ++i) in[i] = static_cast<int8_t>(i * 7 % 256 - 128);
  memory src(src_md, eng, in.data());
  for (bool run_time : {false, true}) {
    primitive_attr attr;
    attr.set_output_scales(0, {run_time ? DNNL_RUNTIME_F32_VAL : scale});
    attr.set_zero_points(DNNL_ARG_SRC, 0, {run_time ? DNNL_RUNTIME_S32_VAL : src_zero});
    attr.set_zero_points(DNNL_ARG_DST, 0, {run_time ? DNNL_RUNTIME_S32_VAL : dst_zero});
    memory dst(dst_md, eng, run_time ? later.data() : fixed.data());
    reorder::primitive_desc pd(eng, src_md, eng, dst_md, attr);
    std::unordered_map<int, memory> args = {{DNNL_ARG_FROM, src}, {DNNL_ARG_TO, dst}};
    if (run_time) {
      memory scales({{1}, dt::f32, tag::x}, eng), src_point({{1}, dt::s32, tag::x}, eng),
          dst_point({{1}, dt::s32, tag::x}, eng);
      *static_cast<float*>(scales.get_data_handle()) = scale;
      *static_cast<int32_t*>(src_point.get_data_handle()) = src_zero;
      *static_cast<int32_t*>(dst_point.get_data_handle()) = dst_zero;
      args.insert({DNNL_ARG_ATTR_OUTPUT_SCALES, scales});
      args.insert({DNNL_ARG_ATTR_ZERO_POINTS | DNNL_ARG_SRC, src_point});
      args.insert({DNNL_ARG_ATTR_ZERO_POINTS | DNNL_ARG_DST, dst_point});
    }
    reorder(pd).execute(s, args);
    s.wait();
  }
  EXPECT_EQ(fixed, later);
  for (int64_t c = 0; c < 16; ++c) {
    for (int64_t at = 0; at < 64; ++at) {
      const float value = scale * static_cast<float>(in[c * 64 + at] - src_zero) + dst_zero;
      EXPECT_EQ(fixed[at * 16 + c], std::nearbyint(value)) << c << " " << at;
    }
  }
}

// What was asked for is said once.
TEST(Programs, AmountsAreToldOnce) {
  engine eng(engine::kind::cpu, 0);
  try {
    memory({{int64_t{1} << 60}, dt::u8, tag::a}, eng);
    FAIL() << "2^60 bytes";
  } catch (const error& e) {
    EXPECT_EQ(e.status, dnnl_out_of_memory);
    EXPECT_STREQ(e.what(),
                 "memory: allocating 1152921504606846976 bytes: cpu: no host memory (MEM-031)");
  }
}

}  // namespace
