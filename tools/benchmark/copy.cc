#include "tools/benchmark/copy.h"

#include <oneapi/tbb/parallel_for.h>
#include <oneapi/tbb/partitioner.h>
#include <oneapi/tbb/task_arena.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "tools/benchmark/copy.cc"
#include "hwy/foreach_target.h"  // must come before highway.h
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace bench {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

void Loop(const uint8_t* src, uint8_t* dst, size_t bytes) {
  const hn::ScalableTag<uint8_t> d;
  const size_t lanes = hn::Lanes(d);
  size_t i = 0;
  for (; i + 4 * lanes <= bytes; i += 4 * lanes) {
    const auto v0 = hn::LoadU(d, src + i), v1 = hn::LoadU(d, src + i + lanes);
    const auto v2 = hn::LoadU(d, src + i + 2 * lanes), v3 = hn::LoadU(d, src + i + 3 * lanes);
    hn::StoreU(v0, d, dst + i);
    hn::StoreU(v1, d, dst + i + lanes);
    hn::StoreU(v2, d, dst + i + 2 * lanes);
    hn::StoreU(v3, d, dst + i + 3 * lanes);
  }
  std::memcpy(dst + i, src + i, bytes - i);
}

// `dst` is aligned to a vector.
void Stream(const uint8_t* src, uint8_t* dst, size_t bytes) {
  const hn::ScalableTag<uint8_t> d;
  const size_t lanes = hn::Lanes(d);
  size_t i = 0;
  for (; i + lanes <= bytes; i += lanes) hn::Stream(hn::LoadU(d, src + i), d, dst + i);
  std::memcpy(dst + i, src + i, bytes - i);
}

}  // namespace HWY_NAMESPACE
}  // namespace bench
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
#include "hwy/cache_control.h"

namespace bench {

HWY_EXPORT(Loop);
HWY_EXPORT(Stream);

namespace {

void CopyPart(CopyKind kind, const uint8_t* src, uint8_t* dst, size_t bytes) {
  switch (kind) {
    case CopyKind::kMemcpy:
      std::memcpy(dst, src, bytes);
      break;
    case CopyKind::kLoop:
      HWY_DYNAMIC_DISPATCH(Loop)(src, dst, bytes);
      break;
    case CopyKind::kStream:
      HWY_DYNAMIC_DISPATCH(Stream)(src, dst, bytes);
      hwy::FlushStream();
      break;
  }
}

}  // namespace

void Copy(CopyKind kind, int threads, const uint8_t* src, uint8_t* dst, size_t bytes) {
  if (threads <= 1) return CopyPart(kind, src, dst, bytes);
  const size_t count = static_cast<size_t>(threads);
  const size_t share = (bytes / count + 4095) / 4096 * 4096;
  tbb::parallel_for(
      0, threads,
      [&](int i) {
        const size_t begin = std::min(bytes, static_cast<size_t>(i) * share);
        CopyPart(kind, src + begin, dst + begin, std::min(bytes - begin, share));
      },
      tbb::simple_partitioner());
}

int ThreadCount() {
  static const int count = [] {
    const char* const limit = std::getenv("DNNSPEC_NUM_THREADS");
    const int machine = tbb::this_task_arena::max_concurrency();
    return limit == nullptr || std::atoi(limit) <= 0 ? machine
                                                     : std::min(machine, std::atoi(limit));
  }();
  return count;
}

}  // namespace bench
#endif
