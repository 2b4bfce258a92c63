// Declares computations of which some tensors lie in hand-written blocks.
#ifndef DNNSPEC_CONFORMANCE_GEN_COMPUTATION_BLOCKS_H_
#define DNNSPEC_CONFORMANCE_GEN_COMPUTATION_BLOCKS_H_

#include <array>
#include <cstdint>
#include <iterator>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "conformance/case/fields.h"
#include "conformance/case/property.h"
#include "conformance/case/random.h"
#include "conformance/gen/blocks.h"
#include "conformance/gen/computation.h"
#include "spec/memory/oracle.h"
#include "spec/numeric/convert.h"

namespace conformance {

// By Role; none where the tensor is `any`.
using BlocksOfRoles = std::array<std::optional<BlockedTensor>, 4>;

void SetBlocks(Fields* fields, const BlocksOfRoles& blocks);
// What is none of the case's tensors, or is not `any` there, is rejected.
BlocksOfRoles GetBlocks(const Fields& fields, const Computation& c);

// Of tensors that are `any` most, and the bias never. Most have blocks of `size` places along their
// second axis, or their first, and no gaps, as kernels like them; the others have any blocks.
BlocksOfRoles AnyBlocksOf(Random& random, const Computation& c, int64_t size);

// What is left of `blocks` when the tensors are those of `simpler`: without gaps.
BlocksOfRoles BlocksFor(const Computation& simpler, const BlocksOfRoles& blocks);
// One tensor in a simpler layout, or without blocks.
std::vector<BlocksOfRoles> SimplerBlocks(const BlocksOfRoles& blocks);

// "src in blocks", "blocks of 3", "padding".
std::vector<std::string> ClassesOf(const BlocksOfRoles& blocks);

// `dir=fwd mb=2 ... src=f32:any wei=f32:any dst=f32:any values=integers seed=7
// src_blocks=f32:2x19:s32,16:b16@1`; a Case is a Computation.
template <class Case>
struct BlockedCase {
  Case c;  // `any` where there are blocks
  BlocksOfRoles blocks;

  void Print(Fields* fields) const {
    c.Print(fields);
    SetBlocks(fields, blocks);
  }
  static BlockedCase Parse(const Fields& fields) {
    BlockedCase parsed{Case::Parse(fields), {}};
    parsed.blocks = GetBlocks(fields, parsed.c);
    return parsed;
  }
  std::vector<BlockedCase> Simpler() const {
    std::vector<BlockedCase> simpler;
    for (const BlocksOfRoles& one : SimplerBlocks(blocks)) simpler.push_back({c, one});
    for (const Case& one : c.Simpler()) simpler.push_back({one, BlocksFor(one, blocks)});
    return simpler;
  }
};

// The same computations; sizes of blocks take turns, so that each is asked whatever is drawn.
template <class Case>
Cases<BlockedCase<Case>> WithBlocks(Cases<Case> cases) {
  const auto at = [draw = cases.at](int64_t index, Random& random) {
    constexpr int64_t kSizes[] = {4, 3, 2, 16, 5, 8};
    BlockedCase<Case> one{draw(index, random), {}};
    one.blocks = AnyBlocksOf(random, one.c, kSizes[index % std::size(kSizes)]);
    return one;
  };
  Cases<BlockedCase<Case>> blocked{cases.count, at};
  blocked.cost = cases.cost;
  if (cases.contains)
    blocked.contains = [contains = cases.contains](const BlockedCase<Case>& one) {
      return contains(one.c);
    };
  return blocked;
}

}  // namespace conformance

#endif  // DNNSPEC_CONFORMANCE_GEN_COMPUTATION_BLOCKS_H_
