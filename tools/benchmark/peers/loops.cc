#include "tools/benchmark/peers/loops.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>

#include "tools/benchmark/cases.h"

namespace bench {
namespace {

void Walk(const Loops& loops, size_t next, size_t outer, int64_t src, int64_t dst,
          const std::function<void(int64_t, int64_t)>& body) {
  if (next == outer) return body(src, dst);
  const Loop& loop = loops[next];
  for (int64_t i = 0; i < loop.count; ++i)
    Walk(loops, next + 1, outer, src + i * loop.src, dst + i * loop.dst, body);
}

}  // namespace

Loops LoopsOf(const Case& c) {
  Loops all;
  for (size_t i = 0; i < c.src.dims.size(); ++i) {
    const int64_t count = c.src.dims[i], src = c.src.strides[i], dst = c.dst.strides[i];
    if (c.kind == Kind::kShuffle && static_cast<int>(i) == c.axis) {
      // The axis is a matrix, of which the transpose is written.
      const int64_t columns = c.forward ? c.group_size : count / c.group_size;
      const int64_t rows = count / columns;
      all.push_back({rows, columns * src, dst});
      all.push_back({columns, src, rows * dst});
    } else {
      all.push_back({count, src, dst});
    }
  }
  all.erase(std::remove_if(all.begin(), all.end(), [](const Loop& l) { return l.count == 1; }),
            all.end());
  if (all.empty()) return {{1, 1, 1}};
  std::stable_sort(all.begin(), all.end(),
                   [](const Loop& a, const Loop& b) { return a.dst > b.dst; });
  Loops fused = {all[0]};
  for (size_t i = 1; i < all.size(); ++i) {
    Loop& outer = fused.back();
    const Loop& inner = all[i];
    if (outer.src == inner.count * inner.src && outer.dst == inner.count * inner.dst)
      outer = {outer.count * inner.count, inner.src, inner.dst};
    else
      fused.push_back(inner);
  }
  return fused;
}

void ForEach(const Loops& loops, size_t outer,
             const std::function<void(int64_t src, int64_t dst)>& body) {
  Walk(loops, 0, outer, 0, 0, body);
}

}  // namespace bench
