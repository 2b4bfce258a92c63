// Layouts of tensors as text and as values (GEN-STRIDES, GEN-TAG, GEN-SUB).
//
//   nchw                              a format tag
//   s12,4,1                           strides in elements
//   sub(4x5x6:s30,6,1@1,0,2)          a region at offsets 1,0,2 of a parent with dims 4x5x6
//   sub(4x5x6:sub(8x5x6:abc@2,0,0)@1,0,2)   regions of regions
//
// A layout means something only together with dims; a tensor has both (tensors.h).
#ifndef DNNSPEC_CONFORMANCE_GEN_LAYOUTS_H_
#define DNNSPEC_CONFORMANCE_GEN_LAYOUTS_H_

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "conformance/case/random.h"
#include "conformance/gen/shapes.h"
#include "spec/memory/oracle.h"

namespace conformance {

struct LayoutSpec {
  // Where a region lies: in a parent with `dims`, at `offsets`.
  struct Parent {
    spec::Dims dims, offsets;
  };

  std::string tag;              // a name of spec::SeedTags(); empty if strides are given
  spec::Dims strides;           // of the outermost parent, or of the tensor if there is none
  std::vector<Parent> parents;  // the innermost first

  bool is_region() const { return !parents.empty(); }
};

// The layout of a tensor with these dims; nullopt if the layout does not fit them: a tag of another
// rank, too many or few strides, a region that leaves its parent. Strides are not judged.
std::optional<spec::Plain> Resolve(const LayoutSpec& layout, const spec::Dims& dims);

std::string ToString(const LayoutSpec& layout);
std::optional<LayoutSpec> ParseLayout(std::string_view text);

// What a draw may give.
struct LayoutLimits {
  bool tags = true;
  bool gaps = true;
  bool regions = true;
  // Sizes of one repeat elements, so such a layout is for sources only.
  bool zero_strides = false;
  // Axes of size 1 with a stride that the inequality of the memory formats page refuses; an
  // implementation may refuse the descriptor.
  bool odd_unit_strides = true;
};

// Every layout satisfies the inequality up to what `limits` allow, and its extent is at most
// max(64, 16 * ElementCount(dims)), times 8 for a region (dims of 0 counted as 1).
LayoutSpec AnyLayout(Random& random, const spec::Dims& dims, const LayoutLimits& limits = {});

// As AnyLayout, always a region; no deeper than three parents.
LayoutSpec AnyRegion(Random& random, const spec::Dims& dims, const LayoutLimits& limits = {});
// A region of a parent with this tag.
LayoutSpec AnyRegionOfTag(Random& random, const spec::Dims& dims, const std::string& tag);

// Two layouts that agree in the outer axes, gaps included, and order the two or three innermost
// ones differently: what blocked transposition kernels look for. With `blocks` the dims change to
// suit such kernels better: multiples of 8 innermost, little around them.
std::pair<LayoutSpec, LayoutSpec> AnyTransposition(Random& random, spec::Dims* shape, bool gaps,
                                                   bool blocks);

// Row-major, no gaps, as strides.
LayoutSpec RowMajor(const spec::Dims& dims);
// The same as a tag, for ranks that have one.
LayoutSpec Plainest(const spec::Dims& dims);
// Dense strides with the axes in `order`, outermost first.
LayoutSpec DenseInOrder(const spec::Dims& dims, const std::vector<int>& order);

// The names of spec::SeedTags() with this rank.
const std::vector<std::string>& TagsOfRank(int rank);

// The same kind of layout for the dims after `cut`.
LayoutSpec CutLayout(const LayoutSpec& layout, const spec::Dims& dims, const Cut& cut);

// Plainer layouts of the same dims, plainest first.
std::vector<LayoutSpec> PlainerLayouts(const LayoutSpec& layout, const spec::Dims& dims);

}  // namespace conformance

#endif  // DNNSPEC_CONFORMANCE_GEN_LAYOUTS_H_
