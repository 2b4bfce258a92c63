#include "api/model/primitive_cache.h"

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <iterator>
#include <list>
#include <memory>
#include <mutex>
#include <new>
#include <type_traits>
#include <unordered_map>
#include <utility>
#include <variant>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "api/engine/fork.h"
#include "api/engine/throw.h"
#include "api/model/attributes_state.h"
#include "api/model/primitive_state.h"
#include "api/spi/plugin_abi.h"
#include "oneapi/dnnl/model/service.hpp"

namespace api {
namespace {

namespace state = dnnl::state;
using Computation = state::computation;
using Attr = state::primitive_attr;

struct Entry {
  std::size_t key;
  std::shared_ptr<const Computation> made;
};
using Entries = std::list<Entry>;  // the one that was used last comes first

struct PrimitiveCache {
  std::mutex mutex;
  Entries entries;
  std::unordered_multimap<std::size_t, Entries::iterator> by_key;
};

// More than 256 would be out of a core's second cache.
std::atomic<std::size_t> capacity{256};

PrimitiveCache& TheCache();
std::mutex& MutexOfCache() { return TheCache().mutex; }

// Never destroyed: primitives may outlive static storage.
PrimitiveCache& TheCache() {
  static PrimitiveCache* const cache = [] {
    auto* const made = new PrimitiveCache;
    KeepThroughForks<&MutexOfCache>();
    return made;
  }();
  return *cache;
}

template <typename T>
bool SameBits(const T& a, const T& b) {
  return std::memcmp(&a, &b, sizeof(T)) == 0;
}

template <typename T, int Neutral>
bool Same(const state::masked<T, Neutral>& a, const state::masked<T, Neutral>& b) {
  return a.mask == b.mask && a.values.size() == b.values.size() &&
         (a.values.empty() ||
          std::memcmp(a.values.data(), b.values.data(), a.values.size() * sizeof(T)) == 0);
}

// Post-ops that no primitive serves never compare equal.
bool Same(const state::post_op& a, const state::post_op& b) {
  if (const auto* x = std::get_if<state::sum_op>(&a), *y = std::get_if<state::sum_op>(&b); x && y)
    return SameBits(x->scale, y->scale) && x->zero_point == y->zero_point && x->type == y->type;
  if (const auto* x = std::get_if<state::eltwise_op>(&a), *y = std::get_if<state::eltwise_op>(&b);
      x && y)
    return SameBits(x->scale, y->scale) && x->kind == y->kind && SameBits(x->alpha, y->alpha) &&
           SameBits(x->beta, y->beta);
  return false;
}

template <typename Container, typename SameElement>
bool SameElements(const Container& a, const Container& b, const SameElement& same) {
  if (a.size() != b.size()) return false;
  for (auto x = a.begin(), y = b.begin(); x != a.end(); ++x, ++y)
    if (!same(*x, *y)) return false;
  return true;
}

// As get_primitive_attr tells them: some that an operation does not tell apart are different.
bool Same(const Attr* a, const Attr* b) {
  if (a == nullptr || b == nullptr) return a == b;
  using Zero = std::pair<const int, state::zero_points>;
  return a->fpmath == b->fpmath && SameBits(a->rnn_data_scale, b->rnn_data_scale) &&
         SameBits(a->rnn_data_shift, b->rnn_data_shift) && Same(a->output, b->output) &&
         SameElements(
             a->post_ops, b->post_ops,
             [](const state::post_op& x, const state::post_op& y) { return Same(x, y); }) &&
         SameElements(a->argument_zero_points, b->argument_zero_points,
                      [](const Zero& x, const Zero& y) {
                        return x.first == y.first && Same(x.second, y.second);
                      });
}

bool Same(const spi::Operation* a, const spi::Operation* b) {
  return a == b || (a != nullptr && b != nullptr && *a == *b);
}

// Whether a tensor, which was open or not, was asked for like `asked`.
bool IsOf(const spi::TensorArg& tensor, bool open, const spi::TensorArg& asked) {
  if (!open || asked.layout.kind != spi::LayoutKind::kAny) return !open && tensor == asked;
  const spi::Layout &got = tensor.layout, &any = asked.layout;
  return tensor.argument == asked.argument && tensor.access == asked.access &&
         got.type == any.type && got.rank == any.rank && got.dims == any.dims;
}

// Whether `made` became of `request`.
bool IsOf(const Computation& made, const spi::Operation& request) {
  const spi::Operation& known = made.resolved;
  if (known.kind != request.kind || known.prop != request.prop ||
      made.asked != request.tensors.size())
    return false;
  for (std::size_t i = 0; i < made.asked; ++i)
    if (!IsOf(known.tensors[i], (made.open >> i & 1) != 0, request.tensors[i])) return false;
  return known.params == request.params && spi::SameAttributes(known, request);
}

// Null where there is no engine.
spi::Engine* DeviceOf(const std::shared_ptr<const state::engine>& engine) {
  return engine == nullptr ? nullptr : engine->spi_engine.get();
}

bool IsOn(const Computation& made, const state::engines& engines) {
  return made.device.spi_engine.get() == DeviceOf(engines.engine) &&
         made.src_device.spi_engine.get() == DeviceOf(engines.src_engine) &&
         made.dst_device.spi_engine.get() == DeviceOf(engines.dst_engine);
}

// Whether `asked`, which has no plan yet, asks for `made`, but for the device.
bool IsFor(const Computation& made, const Computation& asked) {
  return made.scratchpad_mode == asked.scratchpad_mode && IsOf(made, asked.resolved) &&
         Same(made.attr.get(), asked.attr.get()) && Same(made.forward.get(), asked.forward.get());
}

// A step of FNV-1a for each word.
void Mix(int64_t word, std::size_t* hash) {
  *hash = (*hash ^ static_cast<std::size_t>(word)) * 0x100000001b3;
}

// Of numbers by their bits.
template <typename T>
void MixBits(const T* numbers, std::size_t count, std::size_t* hash) {
  static_assert(sizeof(T) % sizeof(int32_t) == 0, "");
  const std::size_t words = count * sizeof(T) / sizeof(int32_t);
  for (std::size_t i = 0; i < words; ++i) {
    int32_t word;
    std::memcpy(&word, reinterpret_cast<const char*>(numbers) + i * sizeof(word), sizeof(word));
    Mix(word, hash);
  }
}

// As they are in C, where nothing lies between the fields.
void Mix(const spi::Params& params, std::size_t* hash) {
  std::visit(
      [hash](const auto& of_kind) {
        using P = std::decay_t<decltype(of_kind)>;
        if constexpr (!std::is_empty_v<P>) {
          typename P::C c;
          std::memset(&c, 0, sizeof(c));
          spi::ToC(of_kind, &c);
          MixBits(&c, 1, hash);
        }
      },
      params);
}

void Mix(const state::post_op& op, std::size_t* hash) {
  if (const auto* const sum = std::get_if<state::sum_op>(&op)) MixBits(&sum->scale, 1, hash);
  if (const auto* const eltwise = std::get_if<state::eltwise_op>(&op)) {
    Mix(static_cast<int64_t>(eltwise->kind), hash);
    const float numbers[] = {eltwise->scale, eltwise->alpha, eltwise->beta};
    MixBits(numbers, 3, hash);
  }
}

void Mix(const Attr& attr, std::size_t* hash) {
  constexpr std::size_t kFirst = 16;  // scales are told apart by these, nearly always
  Mix(static_cast<int64_t>(attr.fpmath), hash);
  Mix(attr.output.mask, hash);
  MixBits(attr.output.values.data(), std::min(attr.output.values.size(), kFirst), hash);
  for (const state::post_op& op : attr.post_ops) Mix(op, hash);
  for (const auto& [argument, zero] : attr.argument_zero_points) {
    Mix(argument, hash);
    MixBits(zero.values.data(), std::min(zero.values.size(), kFirst), hash);
  }
}

void Mix(const spi::Layout& layout, std::size_t* hash) {
  Mix(static_cast<int64_t>(layout.type), hash);
  Mix(layout.offset, hash);
  for (int j = 0; j < layout.rank; ++j) {
    Mix(layout.dims[j], hash);
    Mix(layout.strides[j], hash);
  }
}

bool LetsPlansBeKept(const std::shared_ptr<const state::engine>& engine) {
  return engine == nullptr || engine->spi_engine->PlansMayBeKept();
}

// Some hold megabytes of scales, and all that is kept is kept for long.
constexpr std::size_t kMostScales = 4096;

bool MayBeKept(const Attr& attr) {
  return FirstUncommonAttribute(attr) == nullptr && attr.output.values.size() <= kMostScales;
}

bool MayBeKept(const Computation& what, const state::engines& engines) {
  return LetsPlansBeKept(engines.engine) && LetsPlansBeKept(engines.src_engine) &&
         LetsPlansBeKept(engines.dst_engine) && (what.attr == nullptr || MayBeKept(*what.attr));
}

// Moves what is beyond `capacity` to `*gone`, to be destroyed after the lock.
void Shrink(PrimitiveCache* cache, Entries* gone) {
  while (cache->entries.size() > capacity) {
    const auto last = std::prev(cache->entries.end());
    auto [place, end] = cache->by_key.equal_range(last->key);
    while (place != end && place->second != last) ++place;
    cache->by_key.erase(place);
    gone->splice(gone->begin(), cache->entries, last);
  }
}

}  // namespace

std::size_t KeyOf(const Computation& request, const state::engines& engines) {
  if (capacity == 0 || !MayBeKept(request, engines)) return 0;
  const spi::Operation& operation = request.resolved;
  std::size_t hash = 0xcbf29ce484222325;
  Mix(reinterpret_cast<std::intptr_t>(DeviceOf(engines.engine)), &hash);
  Mix(static_cast<int64_t>(operation.kind), &hash);
  Mix(static_cast<int64_t>(operation.prop), &hash);
  Mix(static_cast<int64_t>(request.scratchpad_mode), &hash);
  Mix(operation.params, &hash);
  if (request.attr != nullptr) Mix(*request.attr, &hash);
  for (const spi::TensorArg& tensor : operation.tensors) Mix(tensor.layout, &hash);
  return hash;
}

std::shared_ptr<const Computation> FindCached(std::size_t key, const Computation& request,
                                              const state::engines& engines) {
  if (key == 0) return nullptr;
  PrimitiveCache& cache = TheCache();
  std::lock_guard<std::mutex> lock(cache.mutex);
  const auto [begin, end] = cache.by_key.equal_range(key);
  for (auto place = begin; place != end; ++place) {
    const Computation& made = *place->second->made;
    if (!IsOn(made, engines) || !IsFor(made, request)) continue;
    cache.entries.splice(cache.entries.begin(), cache.entries, place->second);
    return place->second->made;
  }
  return nullptr;
}

void Cache(std::size_t key, const std::shared_ptr<const Computation>& made) {
  if (key == 0) return;
  Entries gone, added;
  try {
    added.push_back({key, made});
    PrimitiveCache& cache = TheCache();
    std::lock_guard<std::mutex> lock(cache.mutex);
    cache.by_key.emplace(key, added.begin());
    cache.entries.splice(cache.entries.begin(), added);
    Shrink(&cache, &gone);
  } catch (const std::bad_alloc&) {  // then the next one makes a plan, too
  }
}

}  // namespace api

namespace dnnl {

// Here, since other service functions know nothing of primitives.
int get_primitive_cache_capacity() { return static_cast<int>(api::capacity.load()); }

void set_primitive_cache_capacity(int capacity) try {
  if (capacity < 0)
    api::Throw(absl::InvalidArgumentError(absl::StrCat(
        "set_primitive_cache_capacity: capacity = ", capacity, " is negative (PRIM-049)")));
  api::Entries gone;
  api::PrimitiveCache& cache = api::TheCache();
  std::lock_guard<std::mutex> lock(cache.mutex);
  api::capacity = static_cast<std::size_t>(capacity);
  api::Shrink(&cache, &gone);
} catch (...) {
  api::RethrowAsDnnlError();
}

}  // namespace dnnl
