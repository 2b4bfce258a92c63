// Cuts a product into blocks, shares them out and computes them.
//
//   for a block of rows and a range of groups of panels (a task)
//     for a group of panels
//       for a chunk of k                  the chunk of the group stays in L1
//         pack it, unless it is stored in panels
//         tiles of all rows of the block
//       finish the block, unless tiles did
//
// Rows that are not stored one k beside the other, or not as kernels read them, are packed before,
// once.
#ifndef DNNSPEC_IMPL_CPU_INNER_PRODUCT_RUN_H_
#define DNNSPEC_IMPL_CPU_INNER_PRODUCT_RUN_H_

#include <cstddef>
#include <cstdint>
#include <string>

#include "api/spi/implementation.h"
#include "impl_cpu/inner_product/product.h"
#include "impl_cpu/product/finish_kernel.h"
#include "impl_cpu/product/kernel.h"
#include "impl_cpu/product/pack.h"

namespace impl_cpu {

// What is multiplied: f32; f32 by pairs of bf16; pairs of bf16; pairs of s16; four bytes by four.
enum class Form { kF32, kBf16, kBf16Pairs, kPairs, kQuads };

// Every decision. What is computed for an element depends on none that depends on the number of
// threads: `threads`, and how many `tasks_of_block` there are.
struct Blocking {
  Form form = Form::kF32;
  int64_t rows = 0;    // of a block of rows, but for the last
  int64_t blocks = 0;  // of rows
  int64_t chunk = 0;   // of k; a multiple of four, or all of them
  int64_t lines = 0;   // of a panel of b, of a chunk that is packed
  int64_t groups = 0;  // of panels
  int64_t tasks_of_block = 0;
  int threads = 1;
  bool packs_a = false, packs_b = false;
  bool a_in_rows = false;         // packed one k beside the other; false: side by side for a tile
  bool a_across = false;          // not packed, and rows lie side by side
  bool b_across = false;          // of whole panels, read where columns lie side by side
  int64_t b_panel = 0;            // elements from one panel of b to the next; 0: they are not alike
  int64_t elements = 0;           // of a row of a, that tiles read
  int64_t a_row = 0;              // elements from row to row of those
  int64_t ahead_bytes = 0;        // that weights of one tile are fetched ahead
  bool sums_in_place = false;     // where columns allow it
  bool results_of_tiles = false;  // where columns fill panels, but for AMX
  // Bytes of scratchpad: all of a, and for each thread its sums, a chunk of b and offsets.
  size_t a_bytes = 0, sums_bytes = 0, b_bytes = 0, offsets_bytes = 0;
  size_t thread_bytes() const { return sums_bytes + b_bytes + offsets_bytes; }
  size_t bytes() const { return a_bytes + static_cast<size_t>(threads) * thread_bytes(); }
};

class TiledProduct {
 public:
  // False if this machine has no kernels for it.
  bool Plan(Product product, int max_threads);

  // Of any alignment.
  size_t scratchpad_bytes() const;

  // Computes c, but for the padding of its blocks.
  void Run(spi::Buffers buffers, std::byte* scratchpad) const;

  // "64x1000 of 2048 ... rows 64 chunk 256 a:packed b:packed threads 2".
  std::string ToString() const;

 private:
  struct Task;
  struct Group;

  void PlanBlocking(int max_threads);
  // Whether the k of a row lie side by side; whether rows can be read where they lie; and whether
  // rows side by side are better read there than packed.
  bool RowsAlongK() const;
  bool ReadsRows() const;
  bool ReadsAcross() const;
  // Whether rows side by side are packed one k beside the other, for AMX.
  bool TurnsRows() const;
  // The same of columns.
  bool ReadsColumns() const;
  void PackRows(spi::Buffers buffers, std::byte* to) const;
  void PackTilesOfBlock(const StripSource& source, int64_t block, std::byte* to) const;
  void PackRowsOfBlock(const StripSource& source, int64_t block, std::byte* to) const;
  // The least size of a, bf16 that tiles read from `a` on.
  uint16_t LeastOfRows(const std::byte* a) const;
  void RunTask(const Task& task, int64_t block, int64_t first_group, int64_t groups) const;
  void RunGroup(const Task& task, int64_t block, int64_t number, const Group& group) const;
  int64_t PanelFrom(int64_t n) const;  // where the panel of b that begins with column n lies
  void LocatePanels(const Task& task, int64_t n, int64_t cols, int64_t k, int64_t depth,
                    TileArgs* args) const;
  bool InPanels(int64_t n, int64_t cols) const;
  bool SumsInPlace(int64_t n, int64_t cols) const;
  // The tiles of rows of a block over a chunk of k, by kernels that may refuse b unless `refused`
  // is null; and of pairs of bf16, by those that do not where others did.
  void RunTiles(const TileKernels& kernels, const Task& task, int64_t block, int64_t k, int panels,
                const TileArgs& shared, bool* refused) const;
  bool UsesAmx(const TileKernels& kernels, int64_t rows, int64_t depth) const;
  void RunBf16Tiles(const Task& task, int64_t block, int64_t k, int panels, const TileArgs& args,
                    bool* widens) const;

  Product product_;
  Finish after_;  // of product_, without the bias where sums begin with it
  Blocking blocking_;
  TileKernels kernels_;
  TileKernels widened_;  // where something may be subnormal
  FinishKernel finish_ = nullptr;
  StripPacker a_packer_, b_packer_;
};

}  // namespace impl_cpu

#endif  // DNNSPEC_IMPL_CPU_INNER_PRODUCT_RUN_H_
