// Eight threads make, execute and destroy all at once, on one engine: primitives of their own and
// shared ones, attributes, run-time shapes, streams that are dropped while busy, tensors large
// enough for the threads of the engine. Every result must be right, and nothing may be left over.
//
//   DNNSPEC_STRESS_ENGINE   cpu or gpu
//   DNNSPEC_STRESS_SECONDS  how long, 2 unless set: 600 is worth a release
#include <gtest/gtest.h>
#include <malloc.h>

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include "dnnl.hpp"

namespace {

using dnnl::memory;
using dt = memory::data_type;
using tag = memory::format_tag;

constexpr int kThreads = 8;

const char* Environment(const char* name, const char* unless_set) {
  const char* const value = std::getenv(name);
  return value == nullptr ? unless_set : value;
}

// Row-major values that every type holds: 0 to 99.
int64_t ValueAt(int64_t seed, int64_t i) { return (seed + i * 7) % 100; }

template <typename T>
void Store(memory& to, int64_t count, int64_t seed) {
  T* const values = to.map_data<T>();
  for (int64_t i = 0; i < count; ++i) values[i] = static_cast<T>(ValueAt(seed, i));
  to.unmap_data(values);
}

// What all threads use, whoever is done with it first.
struct Shared {
  explicit Shared(const dnnl::engine& engine)
      : pd(engine, {kDims, dt::f32, tag::ab}, engine, {kDims, dt::s32, tag::ba}),
        transposition(pd),
        any_shape(dnnl::reorder::primitive_desc(
            engine, {kUnknown, dt::f32, memory::dims{DNNL_RUNTIME_DIM_VAL, DNNL_RUNTIME_DIM_VAL}},
            engine,
            {kUnknown, dt::f32, memory::dims{DNNL_RUNTIME_DIM_VAL, DNNL_RUNTIME_DIM_VAL}})) {}

  const memory::dims kDims{24, 35}, kUnknown{DNNL_RUNTIME_DIM_VAL, DNNL_RUNTIME_DIM_VAL};
  const dnnl::reorder::primitive_desc pd;
  const dnnl::reorder transposition, any_shape;
};

class Worker {
 public:
  Worker(const dnnl::engine& engine, const Shared& shared, uint32_t seed)
      : engine_(engine), shared_(shared), random_(seed) {}

  // What was wrong, or "".
  std::string Round() try {
    switch (Below(8)) {
      case 0:
        return Transpose<int32_t>(24, 35, dt::s32, &shared_.transposition);
      case 1:
        return Transpose<float>(1 + Below(40), 1 + Below(40), dt::f32, &shared_.any_shape);
      case 2:
        // As large as the threads of an engine are for.
        return Transpose<float>(300 + Below(100), 500, dt::f32, nullptr);
      case 3:
        return Scale();
      case 4:
        return Shuffle();
      case 5:
        return Name();
      default:
        return Transpose<int8_t>(1 + Below(60), 1 + Below(60), dt::s8, nullptr);
    }
  } catch (const dnnl::error& error) {
    return std::string("dnnl::error: ") + error.what();
  }

 private:
  int64_t Below(int64_t limit) { return static_cast<int64_t>(random_() % limit); }

  // f32 {rows, cols} to columns, by `shared` or a primitive of its own.
  template <typename T>
  std::string Transpose(int64_t rows, int64_t cols, dt type, const dnnl::reorder* shared) {
    const memory::dims dims = {rows, cols};
    memory src({dims, dt::f32, tag::ab}, engine_), dst({dims, type, tag::ba}, engine_);
    const int64_t seed = Below(100);
    Store<float>(src, rows * cols, seed);
    Run([&](dnnl::stream& stream) {
      if (shared != nullptr) {
        shared->execute(stream, {{DNNL_ARG_FROM, src}, {DNNL_ARG_TO, dst}});
      } else {
        // Gone while its work may be under way.
        dnnl::reorder(src, dst).execute(stream, src, dst);
      }
    });
    return Compare<T>(dst, rows * cols,
                      [&](int64_t i) { return ValueAt(seed, i % rows * cols + i / rows); });
  }

  std::string Scale() {
    const int64_t count = 1 + Below(500);
    const memory::desc line({count, 3}, dt::f32, tag::ab);
    memory src(line, engine_), dst(line, engine_);
    const int64_t seed = Below(100);
    Store<float>(src, 3 * count, seed);
    Store<float>(dst, 3 * count, seed + 1);
    dnnl::primitive_attr attr;
    attr.set_output_scales(2, {2, 3, 4});
    dnnl::post_ops sum;
    sum.append_sum(5);
    attr.set_post_ops(sum);
    Run([&](dnnl::stream& stream) { dnnl::reorder(src, dst, attr).execute(stream, src, dst); });
    return Compare<float>(dst, 3 * count, [&](int64_t i) {
      return (2 + i % 3) * ValueAt(seed, i) + 5 * ValueAt(seed + 1, i);
    });
  }

  std::string Shuffle() {
    const int64_t rows = 1 + Below(20), cols = 2 + Below(20), inner = 1 + Below(9);
    const memory::desc layout({rows * cols, inner}, dt::f32, tag::ab);
    memory src(layout, engine_), dst(layout, engine_);
    const int64_t seed = Below(100);
    Store<float>(src, rows * cols * inner, seed);
    const dnnl::shuffle_forward::desc request(dnnl::prop_kind::forward_inference, layout, 0,
                                              static_cast<int>(cols));
    const dnnl::shuffle_forward shuffle({request, engine_});
    Run([&](dnnl::stream& stream) {
      shuffle.execute(stream, {{DNNL_ARG_SRC, src}, {DNNL_ARG_DST, dst}});
    });
    return Compare<float>(dst, rows * cols * inner, [&](int64_t i) {
      const int64_t at = i / inner;
      return ValueAt(seed, (at % rows * cols + at / rows) * inner + i % inner);
    });
  }

  // Of a descriptor that all threads ask.
  std::string Name() {
    const std::string name = shared_.pd.impl_info_str();
    return name == dnnl::reorder::primitive_desc(shared_.pd).impl_info_str() ? "" : name;
  }

  template <typename Submit>
  void Run(const Submit& submit) {
    dnnl::stream stream(
        engine_, Below(2) == 0 ? dnnl::stream::flags::in_order : dnnl::stream::flags::out_of_order);
    submit(stream);
    if (Below(2) == 0) stream.wait();
  }

  template <typename T, typename Value>
  std::string Compare(memory& got, int64_t count, const Value& value) {
    T* const values = got.map_data<T>();
    int64_t wrong = 0;
    while (wrong < count && values[wrong] == static_cast<T>(value(wrong))) ++wrong;
    got.unmap_data(values);
    return wrong == count ? ""
                          : "element " + std::to_string(wrong) + " of " + std::to_string(count);
  }

  const dnnl::engine engine_;
  const Shared& shared_;
  std::mt19937 random_;
};

// Rounds of all threads until `seconds` are over, and what went wrong in them.
int64_t RunFor(double seconds, const dnnl::engine& engine, std::vector<std::string>* wrong) {
  const Shared shared(engine);
  const auto end = std::chrono::steady_clock::now() + std::chrono::duration<double>(seconds);
  std::atomic<int64_t> rounds{0};
  std::vector<std::thread> threads;
  for (size_t t = 0; t < kThreads; ++t) {
    threads.emplace_back([&, t] {
      Worker worker(engine, shared, static_cast<uint32_t>(t + 1));
      while ((*wrong)[t].empty() && std::chrono::steady_clock::now() < end) {
        (*wrong)[t] = worker.Round();
        ++rounds;
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  return rounds;
}

TEST(Stress, EndsWithRightResultsAndNothingLeft) {
  const std::string kind = Environment("DNNSPEC_STRESS_ENGINE", "cpu");
  const double seconds = std::atof(Environment("DNNSPEC_STRESS_SECONDS", "2"));
  const auto engine_kind = kind == "gpu" ? dnnl::engine::kind::gpu : dnnl::engine::kind::cpu;
  if (dnnl::engine::get_count(engine_kind) == 0) GTEST_SKIP() << "no " << kind << " engine";
  const dnnl::engine engine(engine_kind, 0);
  std::vector<std::string> wrong(kThreads);
  RunFor(seconds / 4, engine, &wrong);  // what is made once, is made then
  const size_t before = mallinfo2().uordblks;
  const int64_t rounds = RunFor(seconds, engine, &wrong);
  EXPECT_EQ(wrong, std::vector<std::string>(kThreads));
  EXPECT_GE(rounds, kThreads);
  const size_t after = mallinfo2().uordblks;
  std::printf("%s: %lld rounds in %g s, %zu bytes on the heap before, %zu after\n", kind.c_str(),
              static_cast<long long>(rounds), seconds, before, after);
  // Drivers keep what they compiled.
  EXPECT_LT(after, before + ((kind == "gpu" ? 64 : 1) << 20));
}

}  // namespace
