// IP-003 to IP-007: shapes that mean nothing, each beside its nearest neighbour that does.
#include <list>
#include <string>
#include <utility>
#include <vector>

#include "conformance/case/property.h"
#include "conformance/gen/choice.h"
#include "conformance/inner_product/cases.h"
#include "conformance/inner_product/run.h"
#include "conformance/subject/computation_refusals.h"
#include "conformance/subject/expect.h"
#include "spec/requirements.h"

namespace conformance {
namespace {

using dnnl::memory;

// Dims by Role; a bias without dims is none.
struct Shapes {
  const char* name;
  std::array<spec::Dims, 4> dims;
};

const Shapes kPlane{"plane", {spec::Dims{2, 4}, {3, 4}, {3}, {2, 3}}};
const Shapes kVolume{"volume", {spec::Dims{2, 4, 3, 5}, {3, 4, 3, 5}, {3}, {2, 3}}};
const Shapes kLine{"line", {spec::Dims{2, 4, 5}, {3, 4, 5}, {3}, {2, 3}}};
const Shapes kSpace{"space", {spec::Dims{2, 4, 2, 3, 5}, {3, 4, 2, 3, 5}, {3}, {2, 3}}};
const Shapes* const kLegal[] = {&kPlane, &kLine, &kVolume, &kSpace};
const char* const kRoleNames[] = {"src", "weights", "bias", "dst"};
constexpr int64_t kOpen = spec::kRunTimeDim;
constexpr int64_t kBeyond32 = int64_t{1} << 32;

const std::vector<Shapes>& Ranks() {
  static const auto* const all = new std::vector<Shapes>{
      {"src-1", {spec::Dims{2}, {3}, {3}, {2, 3}}},
      {"src-6", {spec::Dims{2, 4, 1, 1, 1, 1}, {3, 4, 1, 1, 1, 1}, {3}, {2, 3}}},
      {"weights-2-of-4", {spec::Dims{2, 4, 3, 5}, {3, 60}, {3}, {2, 3}}},
      {"weights-4-of-2", {spec::Dims{2, 60}, {3, 4, 3, 5}, {3}, {2, 3}}},
      {"weights-1-more", {spec::Dims{2, 4}, {3, 4, 1}, {3}, {2, 3}}},
      {"dst-1", {spec::Dims{2, 4}, {3, 4}, {3}, {6}}},
      {"dst-4", {spec::Dims{2, 4, 3, 5}, {3, 4, 3, 5}, {3}, {2, 3, 1, 1}}},
      {"dst-3", {spec::Dims{2, 4, 3}, {3, 4, 3}, {3}, {2, 3, 1}}},
      {"dst-3-of-2", {spec::Dims{2, 4}, {3, 4}, {3}, {2, 3, 1}}},
      {"dst-4-of-2", {spec::Dims{2, 4}, {3, 4}, {3}, {2, 3, 1, 1}}},
      {"dst-5", {spec::Dims{2, 4, 2, 3, 5}, {3, 4, 2, 3, 5}, {3}, {2, 3, 1, 1, 1}}},
      {"dst-none", {spec::Dims{2, 4}, {3, 4}, {3}, {}}},
      {"src-none", {spec::Dims{}, {3, 4}, {3}, {2, 3}}},
      {"weights-none", {spec::Dims{2, 4}, {}, {3}, {2, 3}}},
      {"src-7", {spec::Dims{2, 4, 1, 1, 1, 1, 1}, {3, 4, 1, 1, 1, 1, 1}, {3}, {2, 3}}},
      {"src-1-of-2", {spec::Dims{2}, {3, 1}, {3}, {2, 3}}},
      {"src-6-of-5", {spec::Dims{2, 4, 1, 1, 1, 1}, {3, 4, 1, 1, 1}, {3}, {2, 3}}},
      {"weights-1", {spec::Dims{2, 1}, {3}, {3}, {2, 3}}},
      {"weights-2-of-3", {spec::Dims{2, 4, 1}, {3, 4}, {3}, {2, 3}}},
      {"weights-3-of-4", {spec::Dims{2, 4, 3, 1}, {3, 4, 3}, {3}, {2, 3}}},
      {"weights-4-of-3", {spec::Dims{2, 4, 3}, {3, 4, 3, 1}, {3}, {2, 3}}},
      {"weights-4-of-5", {spec::Dims{2, 4, 2, 3, 1}, {3, 4, 2, 3}, {3}, {2, 3}}},
      {"weights-5-of-4", {spec::Dims{2, 4, 2, 3}, {3, 4, 2, 3, 1}, {3}, {2, 3}}},
      {"weights-6-of-5", {spec::Dims{2, 4, 2, 3, 5}, {3, 4, 2, 3, 5, 1}, {3}, {2, 3}}},
  };
  return *all;
}

const std::vector<Shapes>& Extents() {
  static const auto* const all = new std::vector<Shapes>{
      {"batch-more", {spec::Dims{2, 4}, {3, 4}, {3}, {3, 3}}},
      {"batch-less", {spec::Dims{2, 4}, {3, 4}, {3}, {1, 3}}},
      {"batch-nothing", {spec::Dims{0, 4}, {3, 4}, {3}, {1, 3}}},
      {"outputs-more", {spec::Dims{2, 4}, {3, 4}, {3}, {2, 4}}},
      {"outputs-less", {spec::Dims{2, 4}, {3, 4}, {3}, {2, 2}}},
      {"channels-more", {spec::Dims{2, 4}, {3, 5}, {3}, {2, 3}}},
      {"channels-less", {spec::Dims{2, 4}, {3, 3}, {3}, {2, 3}}},
      {"height-more", {spec::Dims{2, 4, 3, 5}, {3, 4, 4, 5}, {3}, {2, 3}}},
      {"height-less", {spec::Dims{2, 4, 3, 5}, {3, 4, 2, 5}, {3}, {2, 3}}},
      {"width-more", {spec::Dims{2, 4, 3, 5}, {3, 4, 3, 6}, {3}, {2, 3}}},
      {"channels-more-of-4", {spec::Dims{2, 4, 3, 5}, {3, 5, 3, 5}, {3}, {2, 3}}},
      {"channels-more-of-3", {spec::Dims{2, 4, 5}, {3, 5, 5}, {3}, {2, 3}}},
      {"width-less-of-3", {spec::Dims{2, 4, 5}, {3, 4, 4}, {3}, {2, 3}}},
      {"depth-less", {spec::Dims{2, 4, 2, 3, 5}, {3, 4, 1, 3, 5}, {3}, {2, 3}}},
      {"height-more-of-5", {spec::Dims{2, 4, 2, 3, 5}, {3, 4, 2, 4, 5}, {3}, {2, 3}}},
      {"depth-and-height-swapped", {spec::Dims{2, 4, 2, 3, 5}, {3, 4, 3, 2, 5}, {3}, {2, 3}}},
      {"height-and-width-swapped-of-5", {spec::Dims{2, 4, 2, 3, 5}, {3, 4, 2, 5, 3}, {3}, {2, 3}}},
      {"one-broadcast-over-channels", {spec::Dims{2, 1}, {3, 4}, {3}, {2, 3}}},
      {"one-channel-of-weights", {spec::Dims{2, 4}, {3, 1}, {3}, {2, 3}}},
      {"one-row-of-dst-of-4", {spec::Dims{2, 4, 3, 5}, {3, 4, 3, 5}, {3}, {1, 3}}},
      {"one-output-of-dst", {spec::Dims{2, 4}, {3, 4}, {3}, {2, 1}}},
      {"one-output-of-weights", {spec::Dims{2, 4}, {1, 4}, {3}, {2, 3}}},
      {"outputs-more-of-4", {spec::Dims{2, 4, 3, 5}, {3, 4, 3, 5}, {3}, {2, 4}}},
      {"batch-more-of-5", {spec::Dims{2, 4, 2, 3, 5}, {3, 4, 2, 3, 5}, {3}, {3, 3}}},
      {"dst-turned", {spec::Dims{2, 4}, {3, 4}, {3}, {3, 2}}},
      {"width-less", {spec::Dims{2, 4, 3, 5}, {3, 4, 3, 4}, {3}, {2, 3}}},
      {"depth-more", {spec::Dims{2, 4, 2, 3, 5}, {3, 4, 3, 3, 5}, {3}, {2, 3}}},
      {"width-more-of-5", {spec::Dims{2, 4, 2, 3, 5}, {3, 4, 2, 3, 6}, {3}, {2, 3}}},
      {"width-less-of-5", {spec::Dims{2, 4, 2, 3, 5}, {3, 4, 2, 3, 4}, {3}, {2, 3}}},
      {"width-more-of-3", {spec::Dims{2, 4, 5}, {3, 4, 6}, {3}, {2, 3}}},
      {"channels-less-of-5", {spec::Dims{2, 4, 2, 3, 5}, {3, 3, 2, 3, 5}, {3}, {2, 3}}},
      {"spatial-swapped", {spec::Dims{2, 4, 3, 5}, {3, 4, 5, 3}, {3}, {2, 3}}},
      {"channel-and-height-swapped", {spec::Dims{2, 4, 3, 5}, {3, 3, 4, 5}, {3}, {2, 3}}},
      {"weights-turned", {spec::Dims{2, 4}, {4, 3}, {3}, {2, 3}}},
      {"batch-modulo-2^32", {spec::Dims{2, 4}, {3, 4}, {3}, {kBeyond32 + 2, 3}}},
      {"inputs-modulo-2^32", {spec::Dims{2, kBeyond32 + 4}, {3, 4}, {3}, {2, 3}}},
      {"inputs-of-weights-modulo-2^32", {spec::Dims{2, 4}, {3, kBeyond32 + 4}, {3}, {2, 3}}},
      {"outputs-modulo-2^32", {spec::Dims{2, 4}, {3, 4}, {3}, {2, kBeyond32 + 3}}},
      {"outputs-of-weights-modulo-2^32", {spec::Dims{2, 4}, {kBeyond32 + 3, 4}, {3}, {2, 3}}},
  };
  return *all;
}

const std::vector<Shapes>& Biases() {
  static const auto* const all = new std::vector<Shapes>{
      {"of-inputs", {spec::Dims{2, 4}, {3, 4}, {4}, {2, 3}}},
      {"more", {spec::Dims{2, 7}, {3, 7}, {4}, {2, 3}}},
      {"less", {spec::Dims{2, 7}, {3, 7}, {2}, {2, 3}}},
      {"one", {spec::Dims{2, 7}, {3, 7}, {1}, {2, 3}}},
      {"rank-2", {spec::Dims{2, 4}, {3, 4}, {1, 3}, {2, 3}}},
      {"column", {spec::Dims{2, 4}, {3, 4}, {3, 1}, {2, 3}}},
      {"rank-3", {spec::Dims{2, 4}, {3, 4}, {1, 3, 1}, {2, 3}}},
      {"rank-3-of-one-behind", {spec::Dims{2, 4}, {3, 4}, {3, 1, 1}, {2, 3}}},
      {"modulo-2^32", {spec::Dims{2, 4}, {3, 4}, {kBeyond32 + 3}, {2, 3}}},
      {"nothing", {spec::Dims{2, 4}, {3, 4}, {0}, {2, 3}}},
  };
  return *all;
}

const std::vector<Shapes>& Nothings() {
  static const auto* const all = new std::vector<Shapes>{
      {"outputs", {spec::Dims{2, 4}, {0, 4}, {0}, {2, 0}}},
      {"channels", {spec::Dims{2, 0}, {3, 0}, {3}, {2, 3}}},
      {"height", {spec::Dims{2, 4, 0, 5}, {3, 4, 0, 5}, {3}, {2, 3}}},
      {"width", {spec::Dims{2, 4, 3, 0}, {3, 4, 3, 0}, {3}, {2, 3}}},
      {"outputs-of-4", {spec::Dims{2, 4, 3, 5}, {0, 4, 3, 5}, {0}, {2, 0}}},
      {"channels-of-4", {spec::Dims{2, 0, 3, 5}, {3, 0, 3, 5}, {3}, {2, 3}}},
      {"width-of-3", {spec::Dims{2, 4, 0}, {3, 4, 0}, {3}, {2, 3}}},
      {"depth-of-5", {spec::Dims{2, 4, 0, 3, 5}, {3, 4, 0, 3, 5}, {3}, {2, 3}}},
      {"height-of-5", {spec::Dims{2, 4, 2, 0, 5}, {3, 4, 2, 0, 5}, {3}, {2, 3}}},
      {"width-of-5", {spec::Dims{2, 4, 2, 3, 0}, {3, 4, 2, 3, 0}, {3}, {2, 3}}},
      {"everything", {spec::Dims{2, 0, 0, 0}, {0, 0, 0, 0}, {0}, {2, 0}}},
  };
  return *all;
}

// Each axis of each tensor, and those that have to agree together.
const std::vector<Shapes>& OpenDims() {
  static const auto* const all = [] {
    auto* const shapes = new std::vector<Shapes>{
        {"batch", {spec::Dims{kOpen, 4}, {3, 4}, {3}, {kOpen, 3}}},
        {"channels", {spec::Dims{2, kOpen}, {3, kOpen}, {3}, {2, 3}}},
        {"outputs", {spec::Dims{2, 4}, {kOpen, 4}, {kOpen}, {2, kOpen}}},
        {"height", {spec::Dims{2, 4, kOpen, 5}, {3, 4, kOpen, 5}, {3}, {2, 3}}},
        {"depth", {spec::Dims{2, 4, kOpen, 3, 5}, {3, 4, kOpen, 3, 5}, {3}, {2, 3}}},
        {"width", {spec::Dims{2, 4, kOpen}, {3, 4, kOpen}, {3}, {2, 3}}},
    };
    static std::list<std::string> names;
    for (const Shapes* legal : {&kPlane, &kVolume})
      for (const Role role : kRoles)
        for (size_t axis = 0; axis < legal->dims[role].size(); ++axis) {
          names.push_back(std::string(legal->name) + "-" + kRoleNames[role] + "-" +
                          std::to_string(axis));
          shapes->push_back({names.back().c_str(), legal->dims});
          shapes->back().dims[role][axis] = kOpen;
        }
    return shapes;
  }();
  return *all;
}

// Beside kUsual.
using spec::Type;
constexpr Types kFloats{Type::kF32, Type::kF32, Type::kF32, Type::kF32};
constexpr Way kOthers[] = {
    {"any", kFloats, true},
    {"inference", kFloats, false, dnnl::prop_kind::forward_inference},
    {"bf16", {Type::kBF16, Type::kBF16, Type::kBF16, Type::kBF16}},
    {"bytes",
     {Type::kU8, Type::kS8, Type::kS32, Type::kS8},
     true,
     dnnl::prop_kind::forward_inference},
};

using ProductRequest = Request<InnerProductCase>;

ProductRequest RequestOf(const Shapes& shapes) { return {shapes.dims, {}}; }

ProductRequest NearestTo(const ProductRequest& wrong) {
  std::vector<ProductRequest> legal;
  for (const Shapes* one : kLegal) legal.push_back(RequestOf(*one));
  return NearestOf(legal, wrong);
}

bool LegalOnesAreAccepted(Direction direction, Device& device, Trial& trial) {
  for (const Shapes* legal : kLegal)
    if (!ExpectLegalRequest<InnerProductCase>(
            RequestOf(*legal), std::string("the legal ") + legal->name, direction, device, trial))
      return false;
  return true;
}

// Backward data has no bias: of shapes that are wrong there alone it is not asked.
std::vector<std::string> NamesOf(const std::vector<Shapes>& all, bool with_data = true) {
  std::vector<std::string> names;
  for (const Shapes& shapes : all)
    for (const Direction direction : kDirections)
      if (direction != Direction::kBackwardData ||
          (with_data && std::string(shapes.name).find("-bias-") == std::string::npos))
        names.push_back(std::string(NameOf(direction)) + ":" + shapes.name);
  return names;
}

// Of "fwd:name".
Direction DirectionOf(const std::string& what) {
  for (const Direction direction : InnerProductLimits().directions)
    if (what.substr(0, what.find(':')) == NameOf(direction)) return direction;
  return Direction::kForward;
}

// Refused with this status, which portable leaves open; and the legal shapes are not.
void ExpectRefusedShapes(const std::vector<Shapes>& all, const Choice& choice,
                         Refusal::Status status, Trial& trial) {
  Device* const device = DeviceFor(trial);
  if (device == nullptr) return;
  const Direction direction = DirectionOf(choice.what);
  if (!LegalOnesAreAccepted(direction, *device, trial)) return;
  for (const Shapes& shapes : all) {
    if (choice.what != std::string(NameOf(direction)) + ":" + shapes.name) continue;
    const ProductRequest wrong = RequestOf(shapes), legal = NearestTo(wrong);
    if (!ExpectRefusedRequest<InnerProductCase>(wrong, legal, choice.what, status, direction,
                                                *device, trial))
      return;
    for (const Way& way : kOthers)
      if (!ExpectRefused(trial, TryRequest<InnerProductCase>(wrong, legal, direction, *device, way),
                         choice.what + ", " + way.name))
        return;
  }
}

void RanksAreChecked(const Choice& choice, Trial& trial) {
  ExpectRefusedShapes(Ranks(), choice, Refusal::kInvalidArguments, trial);
}
void ExtentsAreChecked(const Choice& choice, Trial& trial) {
  ExpectRefusedShapes(Extents(), choice, Refusal::kInvalidArguments, trial);
}
void BiasesAreChecked(const Choice& choice, Trial& trial) {
  ExpectRefusedShapes(Biases(), choice, Refusal::kInvalidArguments, trial);
}
void WeightsHaveElements(const Choice& choice, Trial& trial) {
  ExpectRefusedShapes(Nothings(), choice, Refusal::kInvalidArguments, trial);
}
void RunTimeDimsAreRefused(const Choice& choice, Trial& trial) {
  ExpectRefusedShapes(OpenDims(), choice, Refusal::kUnimplemented, trial);
}

// All strides of a tensor, and each.
void RunTimeStridesAreRefused(const Choice& choice, Trial& trial) {
  Device* const device = DeviceFor(trial);
  if (device == nullptr) return;
  const Direction direction = DirectionOf(choice.what);
  const std::string tensor = choice.what.substr(choice.what.find(':') + 1);
  for (const Role role : kRoles) {
    if (tensor != kRoleNames[role]) continue;
    for (const Shapes* legal : {&kPlane, &kVolume}) {
      const ProductRequest known = RequestOf(*legal);
      if (!ExpectLegalRequest<InnerProductCase>(known, "the legal shapes", direction, *device,
                                                trial))
        return;
      for (int axis = -1; axis < static_cast<int>(legal->dims[role].size()); ++axis)
        for (const Way* way : {&kUsual, &kOthers[0], &kOthers[1]}) {
          ProductRequest open = known;
          open.open_strides = role;
          open.open_axis = axis;
          if (!ExpectRefused(trial,
                             TryRequest<InnerProductCase>(open, known, direction, *device, *way),
                             "run-time strides of " + tensor))
            return;
        }
    }
  }
}

const bool kDefined[] = {
    Define<Choice>(spec::IP_003, "", Choices(NamesOf(Ranks())), RanksAreChecked),
    Define<Choice>(spec::IP_004, "", Choices(NamesOf(Extents())), ExtentsAreChecked),
    Define<Choice>(spec::IP_005, "", Choices(NamesOf(Biases(), false)), BiasesAreChecked),
    Define<Choice>(spec::IP_006, "refused", Choices(NamesOf(Nothings())), WeightsHaveElements),
    Define<Choice>(spec::IP_007, "dims", Choices(NamesOf(OpenDims())), RunTimeDimsAreRefused),
    Define<Choice>(spec::IP_007, "strides",
                   Choices({"fwd:src", "fwd:weights", "fwd:bias", "fwd:dst", "bwd_data:src",
                            "bwd_data:weights", "bwd_data:dst", "bwd_weights:src",
                            "bwd_weights:weights", "bwd_weights:bias", "bwd_weights:dst"}),
                   RunTimeStridesAreRefused),
};

}  // namespace
}  // namespace conformance
