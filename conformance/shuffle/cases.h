// The input space of the shuffle properties.
#ifndef DNNSPEC_CONFORMANCE_SHUFFLE_CASES_H_
#define DNNSPEC_CONFORMANCE_SHUFFLE_CASES_H_

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "conformance/case/fields.h"
#include "conformance/case/property.h"
#include "conformance/case/random.h"
#include "conformance/gen/blocks.h"
#include "conformance/gen/placement.h"
#include "conformance/gen/tensors.h"
#include "conformance/gen/values.h"

namespace conformance {

inline const spec::Dims& DimsOf(const TensorSpec& tensor) { return tensor.dims; }
inline const spec::Dims& DimsOf(const BlockedTensor& tensor) { return tensor.dims(); }

// One shuffle: `dir=fwd src=bf16:2x240x28x28:nchw axis=1 group=3 values=bits seed=7`, and where
// they are not "mid", `from=` and `to=` for the placement of the two buffers. In hand-written
// blocks: `dir=fwd data=s8:2x12:s16,8:b8@1 axis=1 group=3 seed=7`.
template <class Data>
struct ShuffleOf {
  bool forward = true;
  Data data;  // of the source and the destination
  int axis = 0;
  int64_t group = 1;                    // divides the axis
  ValueKind values = ValueKind::kBits;  // always, of blocks
  Placement from, to;
  uint64_t seed = 0;

  int64_t size() const { return DimsOf(data)[axis]; }  // C
  std::vector<spec::Bits> Source() const;
  // The same in row-major tensors: what the oracle has to say is the same.
  ShuffleOf<TensorSpec> AsPlain() const;

  void Print(Fields* fields) const;
  static ShuffleOf Parse(const Fields& fields);
  std::vector<ShuffleOf> Simpler() const;
  // For the comparison with ORC-SHU; "" of blocks.
  std::string Statements(Profile profile, std::string_view where, std::string_view expected) const;
};
using ShuffleCase = ShuffleOf<TensorSpec>;
using BlockedShuffle = ShuffleOf<BlockedTensor>;

// What the destination must hold: element k of the result, as ORC-SHU says for the direction.
std::vector<spec::Bits> ExpectedShuffle(const ShuffleCase& c,
                                        const std::vector<spec::Bits>& source);

// What a draw may give.
struct ShuffleLimits {
  int min_rank = 1, max_rank = 12;
  bool backward = false;          // all cases are backward
  bool either = false;            // half of them are
  bool empty = false;             // an axis other than the shuffled one has size 0; rank 2 and more
  bool trivial_groups = true;     // 1 and C among the groups
  std::vector<spec::Type> types;  // empty: AnyType
  std::vector<std::string> tags;  // empty: AnyLayout; otherwise one of these with axis 1, as a
                                  // region if all_layouts
  // Dense ones, unless a requirement speaks of layouts: a fault in gaps or regions is then seen by
  // those that do.
  bool all_layouts = false;
  bool gaps = false;  // no regions
};

ShuffleCase AnyShuffleCase(Random& random, const ShuffleLimits& limits = {});
// Whether a draw could give `c`, as far as direction, types, rank and emptiness go.
bool Fits(const ShuffleCase& c, const ShuffleLimits& limits);
Cases<ShuffleCase> AnyShuffle(const ShuffleLimits& limits = {});

// A shuffle of each of NetworkTensors, forward and backward.
Cases<ShuffleCase> NetworkShuffles();

// More than 2^20 elements each, of every type forward and backward: long rows that end in parts of
// lines, some of 16 MiB; long axes with neighbours in memory; pixels. Those for which `of` holds.
Cases<ShuffleCase> LargeShuffles(bool (*of)(const ShuffleCase&));

// For OPT-045.
Cases<BlockedShuffle> AnyBlockedShuffle();
// Along axes so long that no table of where their elements lie is worth it. Few, since they take
// long.
Cases<BlockedShuffle> LongBlockedShuffles();
// Channels in blocks, as convolutions lay them: in groups that are blocks, parts of them and more,
// ends inside a block among them.
Cases<BlockedShuffle> ChannelBlocks();

// A shuffle whose parameters are to be refused, and next to it one that must be accepted.
//   src=f32:2x6:ab axis=2 group=3
struct ShuffleParameters {
  TensorSpec data;
  int64_t axis = 0, group = 1;

  void Print(Fields* fields) const;
  static ShuffleParameters Parse(const Fields& fields);
  std::vector<ShuffleParameters> Simpler() const;
};

// `axis` outside [0, rank), group 1.
Cases<ShuffleParameters> WrongAxis();
// A group that does not divide the axis, is 0 or is negative.
Cases<ShuffleParameters> WrongGroup();

}  // namespace conformance

#endif  // DNNSPEC_CONFORMANCE_SHUFFLE_CASES_H_
