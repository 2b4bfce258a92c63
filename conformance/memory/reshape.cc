// reshape: MD-085 to MD-099. What the reshaped descriptor reads is in contents.cc.
#include <algorithm>
#include <climits>

#include "conformance/case/property.h"
#include "conformance/gen/shapes.h"
#include "conformance/memory/cases.h"
#include "conformance/memory/descriptor_case.h"
#include "conformance/memory/descriptors.h"
#include "conformance/memory/reshape_cases.h"
#include "conformance/memory/tensor_cases.h"
#include "conformance/memory/transfer.h"
#include "conformance/subject/descriptor_text.h"
#include "oneapi/dnnl/dnnl.hpp"
#include "spec/memory/oracle.h"
#include "spec/requirements.h"

namespace conformance {
namespace {

std::string Call(const spec::Dims& to) { return "reshape(" + Text(to) + ")"; }

bool HasNegative(const spec::Dims& dims) {
  return std::any_of(dims.begin(), dims.end(), [](int64_t dim) { return dim < 0; });
}

// A parent that is not empty and one target with dims of at least 1 and an offered rank.
std::optional<Desc> Parent(const ReshapeCase& c, Trial& trial) {
  if (c.to.size() != 1 || c.to[0].empty() || HasNegative(c.to[0]) || !c.from.IsWellFormed() ||
      spec::IsEmpty(c.from.FinalDims())) {
    trial.Vacuous();
    return std::nullopt;
  }
  if (!RankIsOffered(trial, c.to[0].size())) return std::nullopt;
  const auto from = Built(c.from, trial);
  if (from) SeeLayout(c.from, trial);
  return from;
}

bool SameProduct(const spec::Dims& a, const spec::Dims& b) {
  return ProductOrOverflow(a) == ProductOrOverflow(b) && ProductOrOverflow(a).has_value();
}

void ResultHasDimsAndType(const ReshapeCase& c, Trial& trial) {
  const auto from = Parent(c, trial);
  if (!from) return;
  Refusal refusal;
  const auto shaped = Try([&] { return from->reshape(c.to[0]); }, &refusal);
  if (!shaped) return trial.Vacuous();
  trial.Expect(shaped->dims() == c.to[0], Call(c.to[0]) + ".dims()", Text(c.to[0]),
               Text(shaped->dims()));
  ExpectType(trial, "data_type()", DataTypeOf(c.from.type), shaped->data_type());
}

void ResultHasTheLayout(const ReshapeCase& c, Trial& trial) {
  const auto from = Parent(c, trial);
  if (!from || !SameProduct(c.from.FinalDims(), c.to[0])) return trial.Vacuous();
  const spec::Plain layout = c.from.Layout();
  const auto expected = spec::Reshape(layout, c.to[0]);
  // The strides of dims of 1 are anyone's, and count only where they are known not to.
  const bool ones = std::count(c.to[0].begin(), c.to[0].end(), 1) > 0;
  if (!expected || layout.offset != 0 || (ones && trial.portable())) return trial.Vacuous();
  Refusal refusal;
  const auto shaped = Try([&] { return from->reshape(c.to[0]); }, &refusal);
  if (!shaped) return trial.LeftOpen(refusal, "the reshape");
  const DescriptorCase view{c.from.type, c.to[0], expected->strides, {}};
  const auto built = Built(view, trial);
  if (built)
    ExpectSame(trial, Call(c.to[0]) + " == desc(" + Text(view) + ")", "an equal descriptor", *built,
               *shaped);
}

void OtherProductsAreRefused(const ReshapeCase& c, Trial& trial) {
  const auto from = Parent(c, trial);
  if (!from) return;
  const spec::Dims dims = c.from.FinalDims();
  if (SameProduct(dims, c.to[0])) return trial.Vacuous();
  trial.Cover(!ProductOrOverflow(c.to[0])                              ? "beyond 64 bits"
              : spec::IsEmpty(c.to[0])                                 ? "zero"
              : *ProductOrOverflow(c.to[0]) > *ProductOrOverflow(dims) ? "more"
                                                                       : "fewer");
  if (!Accepted(trial, Call(dims), [&] { return from->reshape(dims); })) return;
  const std::string of = Call(c.to[0]) + " (of dims " + Text(dims) + ")";
  if (!Refused(trial, of, [&] { return from->reshape(c.to[0]); })) return;
  // MD-097: the documents do not speak of it.
  if (trial.portable()) return;
  Refusal refusal;
  const auto any = Try([&] { return WithAny(c.from.type, dims); }, &refusal);
  if (any && Try([&] { return any->reshape(dims); }, &refusal))
    Refused(trial, "any." + of, [&] { return any->reshape(c.to[0]); });
}

void ElementsDoNotArise(const ReshapeCase& c, Trial& trial) {
  const spec::Dims dims = c.from.FinalDims();
  if (c.to.size() != 1 || !spec::IsEmpty(dims) || spec::IsEmpty(c.to[0]) || c.to[0].empty() ||
      HasNegative(c.to[0]))
    return trial.Vacuous();
  const auto from = Built(c.from, trial);
  if (!from) return;
  Refused(trial, Call(c.to[0]) + " (of dims " + Text(dims) + ")",
          [&] { return from->reshape(c.to[0]); });
}

// The reshapes that basic operations of the header promise, one requirement for each.
template <bool (*kIsPromised)(const spec::Plain& from, const spec::Dims& to)>
void PromisedReshapeSucceeds(const ReshapeCase& c, Trial& trial) {
  const auto from = Parent(c, trial);
  if (!from) return;
  if (!SameProduct(c.from.FinalDims(), c.to[0]) || !kIsPromised(c.from.Layout(), c.to[0]))
    return trial.Vacuous();
  const std::string call = Call(c.to[0]) + " (of " + Text(c.from) + ")";
  const auto shaped = Accepted(trial, call, [&] { return from->reshape(c.to[0]); });
  if (!shaped) return;
  trial.Expect(shaped->dims() == c.to[0], call + ".dims()", Text(c.to[0]), Text(shaped->dims()));
  // What is dense in rows stays so; the strides of dims of 1 are anyone's.
  const bool ones = std::count(c.to[0].begin(), c.to[0].end(), 1) > 0;
  if (!c.from.regions.empty() || c.from.strides != RowMajorStrides(c.from.dims) ||
      (ones && trial.portable()))
    return;
  const DescriptorCase rows{c.from.type, c.to[0], RowMajorStrides(c.to[0]), {}};
  const auto built = Built(rows, trial);
  if (built)
    ExpectSame(trial, call + " == desc(" + Text(rows) + ")", "an equal descriptor", *built,
               *shaped);
}

bool AddsOnes(const spec::Plain& from, const spec::Dims& to) { return OnesAdded(from.dims, to); }

bool RemovesOnes(const spec::Plain& from, const spec::Dims& to) { return OnesAdded(to, from.dims); }

bool Splits(const spec::Plain& from, const spec::Dims& to) {
  return from.dims != to && IsRefinement(from.dims, to);
}

bool JoinsDenseNeighbours(const spec::Plain& from, const spec::Dims& to) {
  const auto groups = JoinedGroups(from.dims, to);
  if (!groups || from.dims == to) return false;
  for (const AxisRange& group : *groups)
    for (size_t i = group.first; i + 1 < group.end; ++i)
      if (from.strides[i] != from.strides[i + 1] * from.dims[i + 1]) return false;
  return true;
}

void ImpossibleJoinsAreRefused(const ReshapeCase& c, Trial& trial) {
  const auto from = Parent(c, trial);
  if (!from) return;
  const spec::Dims dims = c.from.FinalDims();
  if (dims == c.to[0] || !SameProduct(dims, c.to[0]) || !JoinedGroups(dims, c.to[0]) ||
      spec::Reshape(c.from.Layout(), c.to[0])) {
    return trial.Vacuous();
  }
  Refused(trial, Call(c.to[0]) + " (of " + Text(c.from) + ")",
          [&] { return from->reshape(c.to[0]); });
}

void PossibleReshapeSucceeds(const ReshapeCase& c, Trial& trial) {
  const auto from = Parent(c, trial);
  if (!from) return;
  const spec::Dims dims = c.from.FinalDims();
  if (!SameProduct(dims, c.to[0]) || !spec::Reshape(c.from.Layout(), c.to[0]))
    return trial.Vacuous();
  const bool across = JoinsAcrossOnes(dims, c.to[0]);
  if (across && trial.portable()) return trial.NotRun("pinned by the project profile only");
  if (across) trial.Cover("across a dim of 1");
  trial.Cover("possible");
  Refusal refusal;
  if (!Try([&] { return from->reshape(c.to[0]); }, &refusal))
    trial.Deviate(Call(c.to[0]) + " (of " + Text(c.from) + ")", "accepted", refusal.ToString());
}

void ImpossibleReshapeIsRefused(const ReshapeCase& c, Trial& trial) {
  const auto from = Parent(c, trial);
  if (!from) return;
  if (!SameProduct(c.from.FinalDims(), c.to[0]) || spec::Reshape(c.from.Layout(), c.to[0]))
    return trial.Vacuous();
  trial.Cover("impossible");
  Refused(trial, Call(c.to[0]) + " (of " + Text(c.from) + ")",
          [&] { return from->reshape(c.to[0]); });
}

void ChainsComeBack(const ReshapeCase& c, Trial& trial) {
  if (c.to.empty() || !c.from.IsWellFormed() || spec::IsEmpty(c.from.FinalDims()))
    return trial.Vacuous();
  const auto from = Built(c.from, trial);
  if (!from) return;
  std::optional<Desc> at = from;
  Refusal refusal;
  std::string chain;
  std::vector<spec::Dims> steps = c.to;
  steps.push_back(c.from.FinalDims());
  for (const spec::Dims& to : steps) {
    if (to.empty() || HasNegative(to)) return trial.Vacuous();
    at = Try([&] { return at->reshape(to); }, &refusal);
    if (!at) return trial.Vacuous();
    chain += (chain.empty() ? "" : ".") + Call(to);
  }
  trial.Cover("came back");
  const bool ones = std::count(steps.back().begin(), steps.back().end(), 1) > 0;
  if (ones && trial.portable()) {
    // The strides of dims of 1 may be others: what counts is where elements are found.
    if (!trial.Expect(at->dims() == steps.back(), chain + ".dims()", Text(steps.back()),
                      Text(at->dims())))
      return;
    const TensorCase tensor{SpecOf(c.from), {}, 0};
    auto filled = Fill(tensor, trial);
    if (!filled) return;
    const dnnl::memory same(*at, filled->device->engine, filled->tensor.memory().get_data_handle());
    const std::vector<spec::Bits> others = OtherValues(tensor);
    return ReadsAndWrites(same, steps.back(), {filled->values, filled->values, others, others},
                          *filled, trial);
  }
  ExpectSame(trial, chain, "the original descriptor", *from, *at);
}

void ReshapedAny(const ReshapeCase& c, Trial& trial) {
  if (c.to.size() != 1 || c.to[0].empty() || !SameProduct(c.from.dims, c.to[0]) ||
      HasNegative(c.to[0]) || spec::IsEmpty(c.from.dims)) {
    return trial.Vacuous();
  }
  if (!RankIsOffered(trial, std::max(c.from.dims.size(), c.to[0].size()))) return;
  const Desc any = WithAny(c.from.type, c.from.dims);
  Refusal refusal;
  const auto shaped = Try([&] { return any.reshape(c.to[0]); }, &refusal);
  trial.Record("reshape of any", shaped ? "accepted" : "refused");
  if (shaped) {
    ExpectSame(trial, "any." + Call(c.to[0]), "any with the new dims",
               WithAny(c.from.type, c.to[0]), *shaped);
  } else if (trial.project()) {
    trial.Fail("any." + Call(c.to[0]), "any with the new dims", refusal);
  }
}

// No dims, one that is negative, and two: these change no product.
bool FaultyDimsAreRefused(const Desc& from, const std::string& name, const spec::Dims& dims,
                          Trial& trial) {
  const spec::Dims none;
  if (!Refused(trial, name + Call(none), [&] { return from.reshape(none); })) return false;
  spec::Dims negative = dims;
  int changed = 0;
  for (int64_t& dim : negative) {
    if (dim == 0 || changed == 2) continue;
    dim = -dim;
    if (++changed == 2) trial.Cover("two negative dims");
    if (!Refused(trial, name + Call(negative), [&] { return from.reshape(negative); }))
      return false;
  }
  return true;
}

void FaultyReshapesOfNothingAreRefused(const DescriptorCase& view, Trial& trial) {
  if (!view.IsWellFormed() || !spec::IsEmpty(view.FinalDims())) return trial.Vacuous();
  const auto from = Built(view, trial);
  if (from) FaultyDimsAreRefused(*from, "", view.FinalDims(), trial);
}

void FaultyReshapesAreRefused(const DescriptorCase& view, Trial& trial) {
  if (spec::IsEmpty(view.FinalDims())) return trial.Vacuous();
  const auto from = Built(view, trial);
  if (!from) return;
  const spec::Dims dims = view.FinalDims();
  if (!Accepted(trial, Call(dims), [&] { return from->reshape(dims); })) return;

  Refused(trial, "desc()." + Call(dims), [&] { return Desc().reshape(dims); });
  Refused(trial, "desc()." + Call({}), [&] { return Desc().reshape({}); });
  if (!FaultyDimsAreRefused(*from, "", dims, trial)) return;
  Refusal refusal;
  const auto any = Try([&] { return WithAny(view.type, dims); }, &refusal);
  if (any && trial.project() && !FaultyDimsAreRefused(*any, "any.", dims, trial)) return;
  if (!view.regions.empty()) return;
  const size_t rank = dims.size();
  for (size_t value = 0; value < 2 * rank && !trial.failed(); ++value) {
    const bool stride = value >= rank;
    DescriptorCase wild = view;
    (stride ? wild.strides : wild.dims)[value % rank] = spec::kRunTimeDim;
    const auto run_time = Try([&] { return WithStrides(wild); }, &refusal);
    if (!run_time) continue;
    const std::string what = stride ? "run-time stride" : "run-time dim";
    trial.Cover(what);
    const auto made = AnsweredAtRunTime(trial, what + "." + Call(wild.dims),
                                        [&] { return run_time->reshape(wild.dims); });
    if (made) KeepsMapping(*made, wild, what + "." + Call(wild.dims), trial);
  }
}

void EmptyReshape(const ReshapeCase& c, Trial& trial) {
  if (c.to.size() != 1 || !spec::IsEmpty(c.from.FinalDims()) || !spec::IsEmpty(c.to[0]) ||
      HasNegative(c.to[0])) {
    return trial.Vacuous();
  }
  const spec::Dims dims = c.from.FinalDims();
  if (!RankIsOffered(trial, c.to[0].size())) return;
  const auto from = Built(c.from, trial);
  if (!from) return;
  Refusal refusal;
  const auto shaped = Try([&] { return from->reshape(c.to[0]); }, &refusal);
  const bool same = dims == c.to[0];
  const bool ones = OnesAdded(dims, c.to[0]) || OnesAdded(c.to[0], dims);
  const char* what = same ? "same dims" : ones ? "ones added or removed" : "other dims";
  trial.Cover(what);
  trial.Record(std::string("reshape of an empty tensor, ") + what, shaped ? "accepted" : "refused");
  if (shaped) {
    trial.Expect(shaped->dims() == c.to[0], Call(c.to[0]) + ".dims()", Text(c.to[0]),
                 Text(shaped->dims()));
  } else if (trial.project() && (same || ones)) {
    trial.Fail(Call(c.to[0]) + " (of dims " + Text(dims) + ")", "accepted", refusal);
  }
}

Cases<DescriptorCase> EmptyParents() {
  return {0, [](int64_t index, Random& random) {
            DescriptorOptions options;
            options.regions = 1;
            DescriptorCase view = DrawDescriptor(index, random, options);
            if (index % 2 == 0) {
              view.regions = {DrawRegion(random, view.dims, /*empty=*/true)};
            } else {
              view.regions.clear();
              view.dims[random.Between(0, static_cast<int64_t>(view.dims.size()) - 1)] = 0;
            }
            return view;
          }};
}

const bool defined[] = {
    Define(spec::MD_085, "", AnyReshape(), ResultHasDimsAndType, {"region", "gapped"}),
    Define(spec::MD_086, "layout", AnyReshape(), ResultHasTheLayout, {"gapped", "permuted"}),
    Define(spec::MD_086, "broadcast", ReshapingBroadcasts(), ResultHasTheLayout, {"broadcast"}),
    Define(spec::MD_087, "", OtherProduct(), OtherProductsAreRefused,
           {"more", "fewer", "zero", "beyond 64 bits"}),
    Define(spec::MD_087, "empty", EmptyToElements(), ElementsDoNotArise),
    Define(spec::MD_087, "long", LongReshapes(LongStep::kOther), OtherProductsAreRefused, {"more"}),
    Define(spec::MD_088, "long", LongReshapes(LongStep::kAdd), PromisedReshapeSucceeds<AddsOnes>,
           {"dense", "gapped"}),
    Define(spec::MD_089, "long", LongReshapes(LongStep::kRemove),
           PromisedReshapeSucceeds<RemovesOnes>, {"dense", "gapped"}),
    Define(spec::MD_090, "long", LongReshapes(LongStep::kSplit), PromisedReshapeSucceeds<Splits>,
           {"dense", "gapped"}),
    Define(spec::MD_091, "long", LongReshapes(LongStep::kJoin),
           PromisedReshapeSucceeds<JoinsDenseNeighbours>, {"dense"}),
    Define(spec::MD_097, "long", LongReshapes(LongStep::kJoin), ReshapedAny),
    Define(spec::MD_088, "", AddingOnes(), PromisedReshapeSucceeds<AddsOnes>,
           {"gapped", "permuted"}),
    Define(spec::MD_089, "", RemovingOnes(), PromisedReshapeSucceeds<RemovesOnes>,
           {"gapped", "permuted"}),
    Define(spec::MD_090, "", Splitting(), PromisedReshapeSucceeds<Splits>, {"gapped", "permuted"}),
    Define(spec::MD_091, "", Joining(), PromisedReshapeSucceeds<JoinsDenseNeighbours>, {"gapped"}),
    Define(spec::MD_092, "", Mixing(), ImpossibleJoinsAreRefused, {"gapped", "permuted"}),
    Define(spec::MD_092, "several", JoiningSeveral(), ImpossibleJoinsAreRefused, {"gapped"}),
    Define(spec::MD_092, "catalogue", Listed(JoinsOfTheCatalogue()), ImpossibleJoinsAreRefused),
    Define(spec::MD_093, "", AnyReshape(), PossibleReshapeSucceeds, {"possible"}),
    Define(spec::MD_093, "ones", JoiningAcrossOnes(), PossibleReshapeSucceeds),
    Define(spec::MD_093, "broadcast", ReshapingBroadcasts(), PossibleReshapeSucceeds,
           {"broadcast", "possible"}),
    Define(spec::MD_093, "several", JoiningSeveral(), PossibleReshapeSucceeds, {"possible"}),
    Define(spec::MD_094, "several", JoiningSeveral(), ImpossibleReshapeIsRefused, {"impossible"}),
    Define(spec::MD_094, "", Mixing(), ImpossibleReshapeIsRefused,
           {"impossible", "gapped", "permuted"}),
    Define(spec::MD_095, "", Chains(), ChainsComeBack, {"came back"}),
    Define(spec::MD_097, "", AnyReshape(), ReshapedAny),
    Define(spec::MD_098, "", ReshapeParents(), FaultyReshapesAreRefused,
           {"two negative dims", "run-time dim"}),
    Define(spec::MD_098, "empty", EmptyParents(), FaultyReshapesOfNothingAreRefused),
    Define(spec::MD_099, "", EmptyReshapes(), EmptyReshape,
           {"same dims", "ones added or removed", "other dims"}),
};

}  // namespace
}  // namespace conformance
