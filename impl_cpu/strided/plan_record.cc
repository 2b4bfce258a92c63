#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "impl_cpu/move/record.h"
#include "impl_cpu/strided/loops.h"
#include "impl_cpu/strided/planner.h"

namespace impl_cpu {
namespace {

// Permuting a longer record costs more instructions for each of its bytes.
constexpr int64_t kShortRecordBytes = 256;

// Tiles and interleaving do better where the matrix is large enough for them.
bool PreferRecord(const Loops& loops, int width, int src_unit) {
  if (!HasRecordKernel(width) || loops.size() < 2 || src_unit < 0) return false;
  const int64_t along_src = loops[static_cast<size_t>(src_unit)].extent;
  const int64_t along_dst = loops.back().extent;
  const int64_t line = 64 / width, block = 16 / width;
  const bool tiles = along_dst >= line && along_src >= block;
  const bool interleaves =
      (along_dst >= line / 2 && along_src <= 4) || (along_src >= line / 2 && along_dst <= 4);
  return !tiles && !interleaves;
}

}  // namespace

// A record is a contiguous run of elements on both sides, in another order, with one scale, of at
// most kMaxRecordBytes.
size_t CountRecordLoops(const Draft& draft, int src_unit) {
  const Loops& loops = draft.loops;
  const int64_t src_width = draft.pipeline.src_width, dst_width = draft.pipeline.dst_width;
  if (!PreferRecord(loops, draft.pipeline.src_width, src_unit)) return 0;
  int64_t elements = 1;
  for (size_t count = 1; count <= loops.size(); ++count) {
    const Loop& outermost = loops[loops.size() - count];
    if (outermost.dst != elements * dst_width || outermost.scale != 0) return 0;
    elements *= outermost.extent;
    if (elements * src_width > kMaxRecordBytes) return 0;
    if (count < 2) continue;
    // Dense in the source: each step is the next longer one's product.
    int64_t covered = 1;
    for (size_t found = 0; found < count; ++found) {
      size_t k = loops.size() - count;
      while (k < loops.size() && loops[k].src != covered * src_width) ++k;
      if (k == loops.size()) break;
      covered *= loops[k].extent;
    }
    if (covered == elements) return count;
  }
  return 0;
}

Permute TakeRecord(Draft& draft, size_t count) {
  Loops& loops = draft.loops;
  const int64_t width = draft.pipeline.src_width, dst_width = draft.pipeline.dst_width;
  int64_t elements = 1;
  Loops inside;
  while (inside.size() < count) {
    inside.insert(inside.begin(), TakeLast(loops));
    elements *= inside[0].extent;
  }
  if (!loops.empty()) {
    Loop& around = loops.back();
    const int64_t src_run = elements * width, dst_run = elements * dst_width;
    int64_t times = 1;
    if (around.src == src_run && around.dst == dst_run && around.scale == 0) {
      for (int64_t t = 2; t <= around.extent && t * src_run <= kShortRecordBytes; ++t)
        if (around.extent % t == 0) times = t;
    }
    if (times > 1) {
      inside.insert(inside.begin(), {times, src_run, dst_run, 0});
      elements *= times;
      around = {around.extent / times, src_run * times, dst_run * times, 0};
      if (around.extent == 1) loops.pop_back();
    }
  }
  std::vector<int64_t> source(1, 0);
  for (const Loop& loop : inside) {
    std::vector<int64_t> next;
    next.reserve(static_cast<size_t>(elements));
    for (int64_t at : source)
      for (int64_t i = 0; i < loop.extent; ++i) next.push_back(at + i * loop.src / width);
    source = std::move(next);
  }
  Permute permute;
  permute.kernel = FindRecordKernel(static_cast<int>(width), elements);
  permute.table = MakeRecordTable(static_cast<int>(width), source);
  permute.shape.table = permute.table.get();
  permute.shape.src_col = permute.shape.dst_col = elements * width;
  return permute;
}

}  // namespace impl_cpu
