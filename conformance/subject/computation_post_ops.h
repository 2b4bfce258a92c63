// Checks that inner product and convolution share: chains of post-ops as long as programs may make
// them, sums wherever they stand, and primitives that differ in one number of their attributes. A
// Case is as computation.h says, and has limits that it is drawn within.
#ifndef DNNSPEC_CONFORMANCE_SUBJECT_COMPUTATION_POST_OPS_H_
#define DNNSPEC_CONFORMANCE_SUBJECT_COMPUTATION_POST_OPS_H_

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "conformance/case/property.h"
#include "conformance/case/random.h"
#include "conformance/case/trial.h"
#include "conformance/gen/computation.h"
#include "conformance/subject/attempt.h"
#include "conformance/subject/computation.h"
#include "conformance/subject/computation_model.h"

namespace conformance {

// ATTR-047. Behind the others there is a function that moves every value: where the chain is cut,
// the results tell.
inline constexpr int64_t kLongChain = 5, kLongestChain = 32;  // ATTR-052

inline PostOp AnyBoundedOp(Random& random) {
  PostOp op;
  op.kind =
      random.Pick({PostOp::kSum, PostOp::kRelu, PostOp::kLinear, PostOp::kClip, PostOp::kAbs});
  op.scale = random.Pick({1.0f, 1.0f, -1.0f});
  if (op.kind == PostOp::kLinear) {
    op.alpha = random.Pick({1.0f, -1.0f});
    op.beta = static_cast<float>(random.Between(-8, 8));
  }
  if (op.kind == PostOp::kClip) {
    op.alpha = static_cast<float>(random.Between(-40, 0));
    op.beta = static_cast<float>(random.Between(1, 40));
  }
  return op;
}

inline void DrawLongChain(Random& random, Computation* c) {
  std::vector<PostOp>& ops = c->attributes.post_ops;
  const int64_t most = random.Pick<int64_t>({6, 9, kLongestChain});
  const int64_t length = random.Between(kLongChain, most);
  ops.clear();
  while (static_cast<int64_t>(ops.size()) + 1 < length) ops.push_back(AnyBoundedOp(random));
  ops.push_back({PostOp::kLinear, 1, -1, static_cast<float>(random.Between(1, 8))});
}

inline bool HasLongChain(const Computation& c) {
  return !c.attributes.post_ops.empty() && c.attributes.post_ops.back().kind == PostOp::kLinear;
}

template <class Case>
void LongChainsAreRefusedOrRight(const Case& c, Trial& trial) {
  if (static_cast<int64_t>(c.attributes.post_ops.size()) >= kLongChain)
    trial.Cover("long chain of post-ops");
  RefusedOrRight(c, trial);
}

// ATTR-048: one sum, by itself, before or behind a function that loses nothing of what was added;
// at times of scale 0.
inline void DrawOneSum(Random& random, Computation* c) {
  std::vector<PostOp>& ops = c->attributes.post_ops;
  ops = {{PostOp::kSum, random.Pick({0.0f, 0.0f, 1.0f, 0.5f, -1.0f, 2.0f}), 0, 0}};
  const int64_t dice = random.Between(0, 2);
  if (dice == 0) return;
  const PostOp function{PostOp::kLinear, 1, random.Pick({-1.0f, 2.0f, 0.5f}),
                        static_cast<float>(random.Between(-8, 8))};
  ops.insert(dice == 1 ? ops.begin() : ops.end(), function);
}

inline int64_t SumsIn(const Computation& c) {
  const std::vector<PostOp>& ops = c.attributes.post_ops;
  return std::count_if(ops.begin(), ops.end(),
                       [](const PostOp& op) { return op.kind == PostOp::kSum; });
}

inline bool HasOneSum(const Computation& c) { return SumsIn(c) == 1; }

// NaN where the type has one.
inline std::optional<spec::Bits> NanOf(spec::Type type) {
  switch (type) {
    case spec::Type::kF32:
      return 0x7fc00000;
    case spec::Type::kBF16:
      return 0x7fc0;
    case spec::Type::kF16:
      return 0x7e00;
    default:
      return std::nullopt;
  }
}

// A sum of scale 0 reads nothing: there the destination holds NaN. The portable profile
// leaves that open.
template <class Case>
void SumReadsWhatThereWas(const Case& c, Trial& trial) {
  Cover(trial, c);
  const std::vector<PostOp>& ops = c.attributes.post_ops;
  const auto sum = std::find_if(ops.begin(), ops.end(),
                                [](const PostOp& op) { return op.kind == PostOp::kSum; });
  ComputedData data = DataOf(c);
  const auto nan = NanOf(c.uses[kDst].type);
  if (sum->scale == 0 && trial.project() && nan) {
    trial.Cover(ops.size() > 1 ? "sum of scale 0 in a chain" : "sum of scale 0");
    for (size_t k = 0; k < data[kDst].size(); k += 2) data[kDst][k] = *nan;
  }
  Device* const device = DeviceFor(trial);
  if (device == nullptr) return;
  const auto descs = DescsFor(c, trial);
  if (!descs) return;
  const auto pd = Attempt([&] { return MakePd(c, *descs, device->engine); });
  if (!pd) return trial.LeftOpen(pd.refusal, "a sum in a chain of post-ops");
  const auto ran = Run(c, std::move(data), trial);
  if (ran) ExpectOracle(c, ran->data, ran->results, trial);
}

// PRIM-049: an attribute that is otherwise in the second of two primitives.
inline const std::vector<std::string>& ClassesOfDifferences() {
  static const auto* const classes = new std::vector<std::string>{
      "other scales", "other mask", "other sum",   "other eltwise scale",
      "other alpha",  "other beta", "other order", "other count"};
  return *classes;
}

inline const std::string& DifferenceIn(const Computation& c) {
  return ClassesOfDifferences()[c.seed % ClassesOfDifferences().size()];
}

inline void DrawToDiffer(Random& random, Computation* c) {
  const std::string& difference = DifferenceIn(*c);
  if (difference == "other scales" || difference == "other mask" || random.Chance(30))
    c->attributes.scales = random.Pick({FusedAttributes::kCommon, FusedAttributes::kChannel});
  c->attributes.post_ops = {
      {PostOp::kSum, random.Pick({1.0f, 0.5f}), 0, 0},
      {PostOp::kLinear, 1, random.Pick({-1.0f, 2.0f}), static_cast<float>(random.Between(1, 8))}};
}

// As DrawToDiffer makes them.
inline bool MayDiffer(const Computation& c) {
  const std::vector<PostOp>& ops = c.attributes.post_ops;
  return ops.size() == 2 && ops[0].kind == PostOp::kSum && ops[1].kind == PostOp::kLinear;
}

template <class Case>
Case Differing(const Case& c) {
  Case other = c;
  const std::string& difference = DifferenceIn(c);
  FusedAttributes& attributes = other.attributes;
  // The scales are the seed's.
  if (difference == "other scales") other.seed += 1;
  if (difference == "other mask")
    attributes.scales = c.attributes.scales == FusedAttributes::kCommon ? FusedAttributes::kChannel
                                                                        : FusedAttributes::kCommon;
  if (difference == "other sum") attributes.post_ops[0].scale = 2;
  if (difference == "other eltwise scale") attributes.post_ops[1].scale = -1;
  if (difference == "other alpha") attributes.post_ops[1].alpha += 3;
  if (difference == "other beta") attributes.post_ops[1].beta += 1;
  if (difference == "other order") std::swap(attributes.post_ops[0], attributes.post_ops[1]);
  if (difference == "other count") attributes.post_ops.pop_back();
  return other;
}

// Each is made again after the other, while the first ones are alive.
template <class Case>
void AreNotMixedUp(const Case& c, const Case& other, Trial& trial) {
  std::vector<Ran<Case>> kept;
  for (const Case* each : {&c, &other, &c, &other}) {
    auto ran = Run(*each, DataOf(*each), trial);
    if (!ran || !ExpectOracle(*each, ran->data, ran->results, trial)) return;
    kept.push_back(*std::move(ran));
  }
}

template <class Case>
void AttributesAreNotMixedUp(const Case& c, Trial& trial) {
  trial.Cover(DifferenceIn(c));
  AreNotMixedUp(c, Differing(c), trial);
}

// One of the tensors lies otherwise in the second: with channels innermost, or row by row. False
// where it has one layout only.
template <class Case>
bool MoveChannels(Role role, Case* c) {
  TensorUse& use = c->uses[role];
  const spec::Dims dims = c->DimsOf(role);
  if (use.any || dims.size() < 2) return false;
  std::vector<int> order = {0};
  for (int axis = 2; axis < static_cast<int>(dims.size()); ++axis) order.push_back(axis);
  order.push_back(1);
  // Of matrices the columns.
  if (dims.size() == 2) order = {1, 0};
  const LayoutSpec rows = RowMajor(dims), moved = DenseInOrder(dims, order);
  const bool lies_in_rows =
      PlainOf({use.type, dims, use.layout}).strides == PlainOf({use.type, dims, rows}).strides;
  use.layout = lies_in_rows ? moved : rows;
  return true;
}

// Forward, drawn within limits and then changed.
template <class Case, class Limits, class Change>
Cases<Case> WithPostOps(Draw<Case, Limits> draw, int64_t count, Change change,
                        bool (*holds)(const Computation& c)) {
  auto limits = ForwardOfEachType<Limits>();
  limits.post_ops = limits.scales = true;
  return Changed(
      draw, limits, count,
      [change](Random& random, Case* c) {
        c->attributes = {};
        change(random, c);
      },
      holds);
}

}  // namespace conformance

#endif  // DNNSPEC_CONFORMANCE_SUBJECT_COMPUTATION_POST_OPS_H_
