// Where memory runs out, dnnl::error leaves the library, or an empty object, and nothing else
// (ERR-001, ERR-004, ERR-006).
#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "dnnl.hpp"
#include "tools/testing/scarce_memory.h"

namespace {

using dnnl::engine;
using dnnl::memory;
using dnnl::post_ops;
using dnnl::primitive;
using dnnl::primitive_attr;
using dnnl::reorder;
using dnnl::shuffle_forward;
using dnnl::stream;
using dt = memory::data_type;
using tag = memory::format_tag;

// Calls `call` with memory for none of its allocations, for one, and so on until it needs no more.
// `legal` calls end well then, the others with their own error.
template <typename Call>
void ExpectNothingElse(const std::string& name, bool legal, bool may_throw, const Call& call) {
  SCOPED_TRACE(name);
  for (bool all : {false, true}) {
    bool done = false;
    for (int64_t enough = 0; !done; ++enough) {
      ASSERT_LT(enough, 1000);
      enum { kFine, kNoMemory, kOtherError, kOther } end = kFine;
      tools::LimitAllocations(enough, all);
      try {
        call();
      } catch (const dnnl::error& error) {
        end = error.status == dnnl_out_of_memory ? kNoMemory : kOtherError;
        if (error.what() == nullptr || *error.what() == 0) end = kOther;
      } catch (...) {
        end = kOther;
      }
      done = tools::UnlimitAllocations() == 0;
      ASSERT_NE(end, kOther) << "allocation " << enough;
      if (!may_throw) {
        ASSERT_EQ(end, kFine) << "allocation " << enough;
      }
      if (legal) {
        ASSERT_NE(end, kOtherError) << "allocation " << enough;
      }
      if (done) {
        ASSERT_EQ(end == kOtherError, !legal) << "allocation " << enough;
      }
    }
  }
}

template <typename Call>
void Legal(const std::string& name, const Call& call) {
  ExpectNothingElse(name, true, true, call);
}
template <typename Call>
void Illegal(const std::string& name, const Call& call) {
  ExpectNothingElse(name, false, true, call);
}
template <typename Call>
void NeverThrows(const std::string& name, const Call& call) {
  ExpectNothingElse(name, true, false, call);
}

class OutOfMemory : public testing::Test {
 protected:
  const engine cpu{engine::kind::cpu, 0};
  stream queue{cpu};
  const memory::dims shape{8, 8}, half{4, 4}, zeros{0, 0}, line{64}, strides{16, 1}, overlap{1, 1};
  const memory::desc rows{shape, dt::f32, tag::ab}, columns{shape, dt::s8, tag::ba};
  memory src{rows, cpu}, dst{columns, cpu};
  const std::vector<float> scales = {1, 2, 3, 4, 5, 6, 7, 8};
  const std::vector<int32_t> points = {3};
};

TEST_F(OutOfMemory, OfEnginesAndStreamsIsAnError) {
  Legal("engine", [] { engine(engine::kind::cpu, 0); });
  Illegal("no such engine", [] { engine(engine::kind::cpu, 99); });
  NeverThrows("number of engines", [] { engine::get_count(engine::kind::cpu); });
  NeverThrows("number of engines in C", [] { dnnl_engine_get_count(dnnl_cpu); });
  Legal("stream", [&] { stream{cpu}; });
  Illegal("empty stream", [] { stream().wait(); });
  Illegal("empty engine", [] { engine().get_kind(); });
}

TEST_F(OutOfMemory, OfDescriptorsIsAnErrorOrAnEmptyOne) {
  Legal("tag", [&] { memory::desc(shape, dt::f32, tag::ab); });
  Illegal("overlap", [&] { memory::desc(shape, dt::f32, overlap); });
  NeverThrows("overlap, empty", [&] { memory::desc(shape, dt::f32, overlap, true); });
  NeverThrows("tag, empty", [&] { memory::desc(shape, dt::f32, tag::abc, true); });
  Legal("submemory", [&] { rows.submemory_desc(half, zeros); });
  Illegal("no region", [&] { rows.submemory_desc(half, shape); });
  NeverThrows("no region, empty", [&] { rows.submemory_desc(half, shape, true); });
  Legal("reshape", [&] { rows.reshape(line); });
  Illegal("no reshape", [&] { rows.reshape(half); });
  NeverThrows("no reshape, empty", [&] { rows.reshape(half, true); });
  const std::vector<int> swap = {1, 0}, twice = {1, 1};
  Legal("permutation", [&] { rows.permute_axes(swap); });
  Illegal("no permutation", [&] { rows.permute_axes(twice); });
  NeverThrows("no permutation, empty", [&] { rows.permute_axes(twice, true); });
  Legal("dims", [&] { rows.dims(); });
  memory::desc wrong = rows;
  wrong.data.dims[0] = -1;
  Legal("size", [&] { wrong.get_size(); });
}

TEST_F(OutOfMemory, OfMemoriesIsAnError) {
  Legal("memory", [&] { memory(rows, cpu); });
  Legal("memory of a pointer", [&] { memory(rows, cpu, src.get_data_handle()); });
  Illegal("memory without a layout", [&] { memory(memory::desc(), engine()); });
  memory other(rows, cpu, src.get_data_handle());
  Legal("set_data_handle", [&] { other.set_data_handle(src.get_data_handle()); });
  EXPECT_EQ(other.get_data_handle(), src.get_data_handle());
  Legal("map and unmap", [&] { src.unmap_data(src.map_data()); });
  Illegal("unmap", [&] { src.unmap_data(&other); });
  Illegal("empty memory", [] { memory().get_desc(); });
}

TEST_F(OutOfMemory, OfAttributesIsAnErrorThatChangesNothing) {
  Legal("primitive_attr", [] { primitive_attr(); });
  Legal("set_output_scales", [&] { primitive_attr().set_output_scales(1, scales); });
  Legal("set_scales", [&] { primitive_attr().set_scales(DNNL_ARG_SRC, 1, scales); });
  Legal("set_zero_points", [&] { primitive_attr().set_zero_points(DNNL_ARG_SRC, 0, points); });
  Legal("set_rnn_weights_qparams", [&] { primitive_attr().set_rnn_weights_qparams(1, scales); });
  Illegal("mask", [&] { primitive_attr().set_output_scales(-1, scales); });

  primitive_attr attr;
  attr.set_output_scales(1 << 1, scales);
  Legal("get_output_scales", [&] {
    int mask;
    std::vector<float> got;
    attr.get_output_scales(mask, got);
  });
  const std::vector<float> one = {5};
  Legal("change", [&] { attr.set_output_scales(0, one); });

  Legal("post_ops", [] { post_ops(); });
  post_ops sum;
  sum.append_sum(2.f);
  Legal("set_post_ops", [&] { attr.set_post_ops(sum); });
  Legal("get_post_ops", [&] { attr.get_post_ops(); });
  Legal("append_sum", [] { post_ops().append_sum(2.f); });
  Legal("append_eltwise",
        [] { post_ops().append_eltwise(1.f, dnnl::algorithm::eltwise_relu, 0.f, 0.f); });
  Legal("append_dw", [&] { post_ops().append_dw(dt::s8, dt::f32, dt::u8, 3, 1, 1, 2, scales); });
  Legal("append_binary", [&] { post_ops().append_binary(dnnl::algorithm::binary_add, rows); });
  Legal("append_prelu", [] { post_ops().append_prelu(1); });
  Illegal("get", [&] { sum.kind(7); });

  post_ops grown;
  bool failed = false;
  for (int64_t enough = 0; grown.len() == 0; ++enough) {
    tools::LimitAllocations(enough, false);
    try {
      grown.append_dw(dt::s8, dt::f32, dt::u8, 3, 1, 1, 2, scales);
    } catch (const dnnl::error&) {
      failed = true;
    }
    tools::UnlimitAllocations();
  }
  EXPECT_TRUE(failed);
  EXPECT_EQ(grown.len(), 1);
}

class OfPrimitives : public OutOfMemory, public testing::WithParamInterface<int> {
 protected:
  OfPrimitives() { dnnl::set_primitive_cache_capacity(GetParam()); }
  ~OfPrimitives() override { dnnl::set_primitive_cache_capacity(256); }
};

// With a cache, what is asked for again needs no memory, and what cannot be kept is made all the
// same.
INSTANTIATE_TEST_SUITE_P(OutOfMemory, OfPrimitives, testing::Values(0, 256));

TEST_P(OfPrimitives, IsAnErrorOrAnEmptyOne) {
  primitive_attr attr;
  attr.set_output_scales(1 << 1, scales);
  const primitive_attr none;
  Legal("reorder pd", [&] { reorder::primitive_desc(cpu, rows, cpu, columns, attr); });
  NeverThrows("reorder pd, empty",
              [&] { reorder::primitive_desc(cpu, rows, cpu, columns, attr, true); });
  Legal("reorder pd of memories", [&] { reorder::primitive_desc(src, dst, none); });
  NeverThrows("reorder pd of memories, empty",
              [&] { reorder::primitive_desc(src, dst, none, true); });
  Illegal("no reorder", [&] { reorder::primitive_desc(cpu, rows, cpu, rows.reshape(line), none); });
  const reorder::primitive_desc made(src, dst);
  Legal("reorder", [&] { reorder{made}; });
  Legal("name", [&] { reorder::primitive_desc(src, dst, none).impl_info_str(); });
  Legal("attributes", [&] { made.get_primitive_attr(); });
  Illegal("no primitive", [] { primitive{dnnl::primitive_desc()}; });

  const shuffle_forward::desc request(dnnl::prop_kind::forward, rows, 1, 2);
  Legal("shuffle", [&] { shuffle_forward::desc(dnnl::prop_kind::forward, rows, 1, 2); });
  Illegal("no shuffle", [&] { shuffle_forward::desc(dnnl::prop_kind::forward, rows, 1, 3); });
  Legal("shuffle pd", [&] { shuffle_forward::primitive_desc(request, cpu, none); });
  const shuffle_forward::primitive_desc first(request, cpu);
  Legal("next_impl", [&] {
    shuffle_forward::primitive_desc next = first;
    next.next_impl();
  });
  NeverThrows("shuffle pd, empty",
              [&] { shuffle_forward::primitive_desc(request, cpu, none, true); });
}

TEST_F(OutOfMemory, OfExecutionsIsAnError) {
  const reorder fixed(src, dst);
  NeverThrows("execute", [&] { fixed.execute(queue, src, dst); });
  const memory::dims unknown = {DNNL_RUNTIME_DIM_VAL, 8};
  const memory::desc some_rows(unknown, dt::f32, tag::ab),
      some_columns(unknown, dt::s8, memory::dims{1, DNNL_RUNTIME_DIM_VAL});
  const reorder resolved(reorder::primitive_desc(cpu, some_rows, cpu, some_columns));
  const std::unordered_map<int, memory> args = {{DNNL_ARG_FROM, src}, {DNNL_ARG_TO, dst}},
                                        swapped = {{DNNL_ARG_FROM, dst}, {DNNL_ARG_TO, src}};
  Legal("execute with run-time dims", [&] { resolved.execute(queue, args); });
  Illegal("execute with other memories", [&] { fixed.execute(queue, swapped); });
  Illegal("execute on no stream", [&] { fixed.execute(stream(), args); });
}

}  // namespace
