// Records where no instruction permutes two whole vectors: a block of the result gathers its bytes
// from windows of 16 bytes, wherever in the record they begin, by one byte lookup for each.

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <memory>
#include <vector>

#include "impl_cpu/move/record.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "impl_cpu/move/record_blocks.cc"
#include "hwy/foreach_target.h"  // must come before highway.h
#include "hwy/highway.h"
#include "impl_cpu/move/tile-inl.h"

HWY_BEFORE_NAMESPACE();
namespace impl_cpu {
namespace HWY_NAMESPACE {

#if HWY_TARGET == HWY_SCALAR

MoveKernel BlockKernel() { return nullptr; }

#else

// `record` and `result` have room for a block at least.
HWY_INLINE void MoveRecord(const RecordTable& table, const uint8_t* record, uint8_t* result) {
  const hn::CappedTag<uint8_t, 16> d;
  const auto look_up = [&](const RecordTable::Window& window) HWY_ATTR {
    return hn::TableLookupBytesOr0(hn::LoadU(d, record + window.begin), hn::Load(d, window.lanes));
  };
  const RecordTable::Window* window = table.windows.data();
  for (const RecordTable::Block& block : table.blocks) {
    const RecordTable::Window* const end = window + block.windows;
    auto bytes = look_up(*window);
    while (++window < end) bytes = hn::Or(bytes, look_up(*window));
    hn::StoreU(bytes, d, result + block.begin);
  }
}

void MoveRecordsByBlocks(const MoveShape& shape, const std::byte* src, std::byte* dst) {
  const RecordTable& table = *shape.table;
  for (int64_t b = 0; b < shape.batch; ++b) {
    for (int64_t r = 0; r < shape.rows; ++r) {
      const std::byte* const row_src = src + b * shape.src_batch + r * shape.src_row;
      std::byte* const row_dst = dst + b * shape.dst_batch + r * shape.dst_row;
      for (int64_t c = 0; c < shape.cols; ++c) {
        const std::byte* const from = row_src + c * shape.src_col;
        std::byte* const to = row_dst + c * shape.dst_col;
        if (table.bytes >= 16) {
          MoveRecord(table, reinterpret_cast<const uint8_t*>(from), reinterpret_cast<uint8_t*>(to));
        } else {
          uint8_t record[16] = {}, result[16];
          std::memcpy(record, from, static_cast<size_t>(table.bytes));
          MoveRecord(table, record, result);
          std::memcpy(to, result, static_cast<size_t>(table.bytes));
        }
      }
    }
  }
}

MoveKernel BlockKernel() { return MoveRecordsByBlocks; }

#endif

}  // namespace HWY_NAMESPACE
}  // namespace impl_cpu
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace impl_cpu {

HWY_EXPORT(BlockKernel);

MoveKernel FindBlockRecordKernel(int width) {
  return width <= 4 ? HWY_DYNAMIC_DISPATCH(BlockKernel)() : nullptr;
}

void FillBlocks(int width, const std::vector<int64_t>& source, RecordTable* table) {
  constexpr int64_t kBlock = 16;
  const int64_t bytes = static_cast<int64_t>(source.size()) * width;
  table->bytes = bytes;
  const int64_t last = std::max<int64_t>(0, bytes - kBlock);  // where a block may begin
  for (int64_t at = 0; at < bytes; at += kBlock) {
    // The last block begins early.
    const int64_t begin = std::min(at, last), size = std::min(kBlock, bytes - begin);
    std::vector<int64_t> from(static_cast<size_t>(size));
    for (int64_t i = 0; i < size; ++i) {
      const int64_t byte = begin + i;
      from[static_cast<size_t>(i)] =
          source[static_cast<size_t>(byte / width)] * width + byte % width;
    }
    std::vector<int64_t> wanted = from;
    std::sort(wanted.begin(), wanted.end());
    RecordTable::Block block{static_cast<uint16_t>(begin), 0};
    for (size_t next = 0; next < wanted.size(); ++block.windows) {
      RecordTable::Window window;
      window.begin = static_cast<uint16_t>(std::min(wanted[next], last));
      const int64_t end = window.begin + kBlock, first = wanted[next];
      for (size_t i = 0; i < kBlock; ++i) {
        const bool inside = i < from.size() && from[i] >= first && from[i] < end;
        window.lanes[i] = inside ? static_cast<uint8_t>(from[i] - window.begin) : 0x80;
      }
      table->windows.push_back(window);
      while (next < wanted.size() && wanted[next] < end) ++next;
    }
    table->blocks.push_back(block);
  }
}

}  // namespace impl_cpu
#endif
