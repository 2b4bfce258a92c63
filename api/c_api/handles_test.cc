// Who keeps an object alive: C handles and C++ handles on one object.
#include <gtest/gtest.h>

#include <atomic>
#include <cstring>
#include <new>
#include <stdexcept>
#include <thread>
#include <utility>
#include <vector>

#include "api/model/c_guard.h"
#include "dnnl.hpp"

namespace {

using dnnl::memory;
using dt = memory::data_type;
using tag = memory::format_tag;

class Handles : public testing::Test {
 protected:
  const dnnl::engine cpu{dnnl::engine::kind::cpu, 0};
  dnnl::stream queue{cpu};
  const memory::desc md{{2, 3}, dt::f32, tag::ab};

  dnnl_memory_t Make() {
    dnnl_memory_t made = nullptr;
    EXPECT_EQ(dnnl_memory_create(&made, &md.data, cpu.get(), DNNL_MEMORY_ALLOCATE), dnnl_success);
    return made;
  }
};

dnnl_status_t StatusOfGet(const dnnl::memory& m) {
  try {
    m.get();
    return dnnl_success;
  } catch (const dnnl::error& e) {
    return e.status;
  }
}

TEST_F(Handles, GetIsOneHandleForOneObject) {
  const memory m(md, cpu), copy = m, other(md, cpu);
  EXPECT_EQ(m.get(), copy.get());
  EXPECT_NE(m.get(), other.get());
  EXPECT_EQ(static_cast<dnnl_memory_t>(m), m.get(true));
  const dnnl_memory_desc_t* seen = nullptr;
  ASSERT_EQ(dnnl_memory_get_memory_desc(m.get(), &seen), dnnl_success);
  EXPECT_EQ(memory::desc(*seen), md);
}

TEST_F(Handles, GetOfAnEmptyOneIsNullOrAnError) {
  const memory none;
  EXPECT_EQ(none.get(true), nullptr);
  EXPECT_EQ(static_cast<dnnl_memory_t>(none), nullptr);
  EXPECT_EQ(StatusOfGet(none), dnnl_invalid_arguments);
}

TEST_F(Handles, ResetTakesOverWhatACreateFunctionGave) {
  const dnnl_memory_t made = Make();
  memory m;
  m.reset(made);
  EXPECT_EQ(m.get(), made);
  EXPECT_EQ(m.get_desc(), md);
  EXPECT_EQ(dnnl_memory_destroy(made), dnnl_invalid_arguments);  // nobody's but m's now
  m.reset(nullptr);
  EXPECT_FALSE(m);
}

TEST_F(Handles, WeakOnesLeaveTheReferenceWithItsOwner) {
  const dnnl_memory_t made = Make();
  memory m(made, true);
  EXPECT_EQ(dnnl_memory_destroy(made), dnnl_success);
  EXPECT_EQ(m.get_desc().get_size(), 24u);  // and keep the object alive
}

TEST_F(Handles, OfCxxObjectsAreBorrowed) {
  memory m(md, cpu);
  EXPECT_EQ(dnnl_memory_destroy(m.get()), dnnl_invalid_arguments);
  memory same(m.get());  // nothing to take over: shared
  EXPECT_EQ(same, m);
  m = memory();
  EXPECT_EQ(same.get_desc(), md);
}

TEST_F(Handles, AnObjectOutlivesTheHandleThatOthersNeed) {
  dnnl_engine_t engine = nullptr;
  dnnl_stream_t stream = nullptr;
  ASSERT_EQ(dnnl_engine_create(&engine, dnnl_cpu, 0), dnnl_success);
  ASSERT_EQ(dnnl_stream_create(&stream, engine, dnnl_stream_in_order), dnnl_success);
  dnnl_memory_t made = nullptr;
  ASSERT_EQ(dnnl_memory_create(&made, &md.data, engine, DNNL_MEMORY_ALLOCATE), dnnl_success);
  EXPECT_EQ(dnnl_engine_destroy(engine), dnnl_success);
  dnnl_engine_t seen = nullptr;
  dnnl_engine_kind_t kind = dnnl_any_engine;
  EXPECT_EQ(dnnl_memory_get_engine(made, &seen), dnnl_success);
  EXPECT_EQ(dnnl_engine_get_kind(seen, &kind), dnnl_success);
  EXPECT_EQ(kind, dnnl_cpu);
  EXPECT_EQ(dnnl_memory_destroy(made), dnnl_success);
  EXPECT_EQ(dnnl_stream_wait(stream), dnnl_success);
  EXPECT_EQ(dnnl_stream_destroy(stream), dnnl_success);
}

TEST_F(Handles, ClonesOfADescriptorAreDestroyedOneByOne) {
  const dnnl::reorder::primitive_desc pd(cpu, md, cpu, md);
  dnnl_primitive_desc_t first = nullptr, second = nullptr;
  ASSERT_EQ(dnnl_primitive_desc_clone(&first, pd.get()), dnnl_success);
  ASSERT_EQ(dnnl_primitive_desc_clone(&second, first), dnnl_success);
  EXPECT_EQ(dnnl_primitive_desc_destroy(first), dnnl_success);
  dnnl_primitive_t primitive = nullptr;
  ASSERT_EQ(dnnl_primitive_create(&primitive, second), dnnl_success);
  EXPECT_EQ(dnnl_primitive_desc_destroy(second), dnnl_success);
  EXPECT_EQ(dnnl_primitive_desc_destroy(second), dnnl_invalid_arguments);
  const dnnl::primitive adopted(primitive);
  EXPECT_EQ(adopted.get_kind(), dnnl::primitive::kind::reorder);
  EXPECT_EQ(adopted.get_primitive_desc(), pd.get());
  EXPECT_EQ(dnnl::primitive(adopted.get_primitive_desc()).get_kind(),
            dnnl::primitive::kind::reorder);
}

TEST_F(Handles, TypedDescriptorsTakeTheirOwnKindOnly) {
  const dnnl::reorder::primitive_desc reorder(cpu, md, cpu, md);
  const dnnl::shuffle_forward::primitive_desc shuffle(
      {dnnl::prop_kind::forward_inference, md, 1, 3}, cpu);
  EXPECT_EQ(dnnl::reorder::primitive_desc(reorder.get()), reorder);
  EXPECT_EQ(dnnl::shuffle_forward::primitive_desc(shuffle.get()), shuffle);
  EXPECT_FALSE(dnnl::reorder::primitive_desc(dnnl_primitive_desc_t()));
  EXPECT_THROW(dnnl::reorder::primitive_desc(shuffle.get()), dnnl::error);
  EXPECT_THROW(dnnl::shuffle_forward::primitive_desc(reorder.get()), dnnl::error);
  EXPECT_THROW(dnnl::shuffle_backward::primitive_desc(shuffle.get()), dnnl::error);
  EXPECT_EQ(dnnl::engine(reorder), dnnl::engine::query(reorder));
  EXPECT_THROW(dnnl::engine(dnnl::reorder::primitive_desc()), dnnl::error);
}

TEST_F(Handles, MemoriesGiveBackWhatAProgramWroteIntoReserved) {
  memory::desc mine = md;
  std::memcpy(mine.data.extra.reserved, "groups", 7);
  const memory m(mine, cpu);
  EXPECT_STREQ(m.get_desc().data.extra.reserved, "groups");
  EXPECT_EQ(m.get_desc(), md);  // it is no part of the layout
  EXPECT_STREQ(mine.reshape({6}).data.extra.reserved, "groups");
}

TEST_F(Handles, ReferencesAreCountedFromSeveralThreads) {
  const dnnl::reorder::primitive_desc pd(cpu, md, cpu, md);
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([&] {
      for (int i = 0; i < 1000; ++i) {
        dnnl_primitive_desc_t clone = nullptr;
        EXPECT_EQ(dnnl_primitive_desc_clone(&clone, pd.get()), dnnl_success);
        EXPECT_EQ(dnnl_primitive_desc_query_md(clone, dnnl_query_src_md, 0)->ndims, 2);
        EXPECT_EQ(dnnl_primitive_desc_destroy(clone), dnnl_success);
      }
    });
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(dnnl_primitive_desc_destroy(pd.get()), dnnl_invalid_arguments);
}

// A C function that takes attributes as const leaves what it gives in them, and nothing in copies.
TEST_F(Handles, OfPostOpsBelongToOneObject) {
  dnnl_primitive_attr_t attr = nullptr, copy = nullptr;
  const_dnnl_post_ops_t ops = nullptr, again = nullptr, of_copy = nullptr;
  ASSERT_EQ(dnnl_primitive_attr_create(&attr), dnnl_success);
  ASSERT_EQ(dnnl_primitive_attr_get_post_ops(attr, &ops), dnnl_success);
  ASSERT_EQ(dnnl_primitive_attr_get_post_ops(attr, &again), dnnl_success);
  EXPECT_EQ(ops, again);
  ASSERT_EQ(dnnl_primitive_attr_clone(&copy, attr), dnnl_success);
  ASSERT_EQ(dnnl_primitive_attr_get_post_ops(copy, &of_copy), dnnl_success);
  EXPECT_NE(ops, of_copy);
  dnnl_primitive_attr_destroy(copy);
  EXPECT_EQ(dnnl_post_ops_len(ops), 0);
  dnnl_primitive_attr_destroy(attr);
}

// For a sanitizer to watch.
TEST_F(Handles, AttributesAreCopiedWhileTheirPostOpsAreAskedFor) {
  for (int i = 0; i < 100; ++i) {
    dnnl::primitive_attr attr;
    attr.set_output_scales(0, {2});
    std::atomic<int> ready{0};
    const auto at_once = [&ready] {
      for (++ready; ready < 3;) std::this_thread::yield();
    };
    std::thread asks([&] {
      at_once();
      const_dnnl_post_ops_t ops = nullptr;
      dnnl_primitive_attr_get_post_ops(attr.get(), &ops);
    });
    std::thread clones([&] {
      at_once();
      dnnl_primitive_attr_t copy = nullptr;
      dnnl_primitive_attr_clone(&copy, attr.get());
      dnnl_primitive_attr_destroy(copy);
    });
    at_once();
    dnnl::reorder::primitive_desc pd(cpu, md, cpu, md, attr);
    asks.join();
    clones.join();
  }
}

TEST(Statuses, AreAlsoOfWhatNobodyExpects) {
  EXPECT_EQ(api::StatusOf([] { throw std::logic_error("a bug"); }), dnnl_runtime_error);
  EXPECT_EQ(api::StatusOf([] { throw 7; }), dnnl_runtime_error);
  EXPECT_EQ(api::StatusOf([] { throw std::bad_alloc(); }), dnnl_out_of_memory);
  EXPECT_EQ(api::StatusOf([] {}), dnnl_success);
}

// A process may hold programs built against either header: see examples/coexistence.
TEST(Layouts, AreThoseOfOneDnn) {
  EXPECT_EQ(sizeof(dnnl_memory_desc_t), 696u);
  EXPECT_EQ(offsetof(dnnl_memory_desc_t, format_desc), 320u);
  EXPECT_EQ(offsetof(dnnl_memory_desc_t, extra), 616u);
  EXPECT_EQ(sizeof(dnnl_shuffle_desc_t), 720u);
  EXPECT_EQ(sizeof(dnnl_convolution_desc_t), 5976u);
  EXPECT_EQ(offsetof(dnnl_convolution_desc_t, strides), 5584u);
  EXPECT_EQ(offsetof(dnnl_convolution_desc_t, accum_data_type), 5968u);
  EXPECT_EQ(sizeof(dnnl_inner_product_desc_t), 5584u);
  EXPECT_EQ(offsetof(dnnl_inner_product_desc_t, accum_data_type), 5576u);
  EXPECT_EQ(sizeof(dnnl::memory::desc), 696u);
  EXPECT_EQ(sizeof(dnnl::memory), 16u);
  EXPECT_EQ(sizeof(dnnl::primitive_desc_base), 16u);
  EXPECT_EQ(sizeof(dnnl::shuffle_forward::primitive_desc), 40u);
  EXPECT_EQ(sizeof(dnnl::convolution_forward::primitive_desc), 40u);
  EXPECT_EQ(sizeof(dnnl::inner_product_backward_weights::primitive_desc), 40u);
}

}  // namespace
