// ELT-009, ELT-070, ELT-073: plain layouts, and what `any` becomes.
#include <string>
#include <utility>
#include <vector>

#include "conformance/case/property.h"
#include "conformance/eltwise/cases.h"
#include "conformance/eltwise/run.h"
#include "conformance/subject/expect.h"
#include "spec/requirements.h"

namespace conformance {
namespace {

constexpr EltwiseDirection kForward = EltwiseDirection::kForward,
                           kBackward = EltwiseDirection::kBackward,
                           kByResult = EltwiseDirection::kBackwardByResult;

void IsTheFormula(const EltwiseCase& c, Trial& trial) {
  const auto ran = Run(c, trial);
  if (ran) ExpectOracle(c, ran->source, ran->gradient, ran->result, trial);
}

// With a hint that is row-major whatever the data is.
void AnyGradientIsLaidOutAsTheData(const EltwiseCase& c, Trial& trial) {
  Saw(trial, c);
  Device* const device = DeviceFor(trial);
  if (device == nullptr) return;
  const auto descs = DescsOf(c, trial);
  if (!descs || !PrimitiveOf(c, *descs, *device, trial)) return;
  const auto made = Attempt([&] {
    EltwiseMaking making;
    making.hint =
        ForwardPd(c, MakeDesc({c.data.type, c.data.dims, RowMajor(c.data.dims)}), device->engine);
    return BackwardPd(c, WithAny(c.data.type, c.data.dims), descs->data, device->engine, making);
  });
  if (!ExpectAccepted(trial, made, "a gradient with any")) return;
  const char* const wanted = "the layout of the data";
  trial.Expect(made.value->diff_src_desc() == descs->data, "diff_src_desc()", wanted, "another") &&
      trial.Expect(made.value->diff_dst_desc() == descs->data, "diff_dst_desc()", wanted,
                   "another");
}

EltwiseDraws Ranks(std::vector<EltwiseDirection> directions) {
  EltwiseDraws draws;
  draws.directions = std::move(directions);
  draws.values = {EltwiseValues::kSmall};
  draws.max_rank = 12;
  draws.all_layouts = draws.placements = true;
  return draws;
}

// One layout for data and gradients.
EltwiseDraws Layouts() {
  EltwiseDraws draws = Ranks({kBackward, kByResult});
  draws.max_rank = 5;
  return draws;
}

EltwiseDraws TwoLayouts() {
  EltwiseDraws draws = Ranks({kBackward, kByResult});
  draws.own_gradient = true;
  // Others are ELT-070's.
  draws.min_rank = 2;
  draws.max_rank = 5;
  return draws;
}

const std::vector<std::string> kLayouts{"gapped", "region", "permuted", "tag", "rank 1", "rank 6"};

const bool kDefined[] = {
    Define<EltwiseCase>(spec::ELT_009, "", SomeEltwise(500, Layouts()),
                        AnyGradientIsLaidOutAsTheData, {"gapped", "permuted"}),
    Define<EltwiseCase>(spec::ELT_070, "", SomeEltwise(1000, Ranks({kForward})), IsTheFormula,
                        kLayouts),
    Define<EltwiseCase>(spec::ELT_070, "backward", SomeEltwise(1000, Ranks({kBackward, kByResult})),
                        IsTheFormula, kLayouts),
    Define<EltwiseCase>(spec::ELT_073, "", AnyEltwise(TwoLayouts()), IsTheFormula,
                        {"layouts differ", "gapped", "permuted"}),
};

}  // namespace
}  // namespace conformance
