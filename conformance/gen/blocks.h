// A tensor in hand-written blocks as text and as a value (ORC-BLK):
//
//   s8:2x19:s32,16:b16@1        type, dims, strides, a block of 16 along axis 1
//   f32:5x7:s12,6:b2@0,3@1:o4   two blocks, outermost first; the first element lies at 4
//   u8:3x4:s4,1:b-              no blocks
//
// The portable API cannot write such a layout down: these are for OPT-045, and for it alone.
#ifndef DNNSPEC_CONFORMANCE_GEN_BLOCKS_H_
#define DNNSPEC_CONFORMANCE_GEN_BLOCKS_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "conformance/case/fields.h"
#include "conformance/case/random.h"
#include "conformance/gen/shapes.h"
#include "spec/memory/blocks.h"
#include "spec/numeric/convert.h"

namespace conformance {

struct BlockedTensor {
  spec::Type type = spec::Type::kF32;
  spec::Blocked layout;

  const spec::Dims& dims() const { return layout.dims; }
};

std::string ToString(const BlockedTensor& tensor);
// nullopt for what ToString does not write, and where two elements could share a place.
std::optional<BlockedTensor> ParseBlockedTensor(std::string_view text);

// As a field of a case. What does not parse, or holds more than 2^20 places, is rejected.
void SetBlockedTensor(Fields* fields, std::string_view key, const BlockedTensor& tensor);
BlockedTensor GetBlockedTensor(const Fields& fields, std::string_view key);

// One to three blocks along any axes, for tensors of up to six axes.
std::vector<spec::Block> AnyBlocks(Random& random, int rank);

// Any order of the axes around `blocks`, with gaps and a start in some.
BlockedTensor AnyBlockedTensor(Random& random, spec::Type type, const spec::Dims& dims,
                               const std::vector<spec::Block>& blocks);

// The axes in order around `blocks`, without gaps.
BlockedTensor DenselyBlocked(spec::Type type, const spec::Dims& dims,
                             const std::vector<spec::Block>& blocks);

// The tensor after `cut`; blocks of an axis that goes away go with it.
BlockedTensor CutBlocked(const BlockedTensor& tensor, const Cut& cut);

// The same dims in simpler layouts, simplest first.
std::vector<BlockedTensor> SimplerLayouts(const BlockedTensor& tensor);

// "several blocks", "one axis twice", "gapped blocks", "start", "padding", and the type: those that
// hold.
std::vector<std::string> ClassesOf(const BlockedTensor& tensor);

}  // namespace conformance

#endif  // DNNSPEC_CONFORMANCE_GEN_BLOCKS_H_
