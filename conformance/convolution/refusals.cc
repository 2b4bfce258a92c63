// CONV-020 to CONV-030, CONV-032, CONV-041 to CONV-043, CONV-045: what means nothing, each beside
// its nearest neighbour that does.
#include <algorithm>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "conformance/case/property.h"
#include "conformance/convolution/cases.h"
#include "conformance/convolution/run.h"
#include "conformance/gen/choice.h"
#include "conformance/subject/attempt.h"
#include "conformance/subject/expect.h"
#include "spec/requirements.h"

namespace conformance {
namespace {

using dnnl::algorithm;
using dnnl::memory;

constexpr int64_t kOpen = spec::kRunTimeDim;
constexpr int64_t kBeyond32 = int64_t{1} << 32;

// Arguments of a constructor; a tensor without dims is the zero descriptor.
struct Arguments {
  std::array<spec::Dims, 4> dims;  // by Role
  ConvolutionNumbers numbers;
  int open_strides = -1;  // the role whose strides are known at execution only
};

// Two axes: 5 by 6 with a kernel of 3 by 2.
Arguments Plane() {
  Arguments plane;
  plane.dims = {spec::Dims{2, 4, 5, 6}, {3, 4, 3, 2}, {3}, {2, 3, 3, 5}};
  plane.numbers.strides = {1, 1};
  plane.numbers.dilates = plane.numbers.padding_l = plane.numbers.padding_r = {0, 0};
  plane.numbers.with_dilates = true;
  return plane;
}

Arguments Grouped() {
  Arguments grouped = Plane();
  grouped.dims = {spec::Dims{2, 4, 5, 6}, {2, 3, 2, 3, 2}, {6}, {2, 6, 3, 5}};
  return grouped;
}

// One axis of `input` places, as many outputs as are claimed.
Arguments Line(int64_t input, int64_t kernel, int64_t stride, int64_t padding_l, int64_t padding_r,
               int64_t output, int64_t dilation = 0) {
  Arguments line;
  line.dims = {spec::Dims{2, 4, input}, {3, 4, kernel}, {3}, {2, 3, output}};
  line.numbers.strides = {stride};
  line.numbers.dilates = {dilation};
  line.numbers.padding_l = {padding_l};
  line.numbers.padding_r = {padding_r};
  line.numbers.with_dilates = true;
  return line;
}

// Of equal numbers for every axis, with these dims.
Arguments OfRank(spec::Dims src, spec::Dims weights, spec::Dims dst, size_t axes) {
  Arguments one;
  one.dims = {std::move(src), std::move(weights), spec::Dims{3}, std::move(dst)};
  one.numbers.strides = memory::dims(axes, 1);
  one.numbers.dilates = one.numbers.padding_l = one.numbers.padding_r = memory::dims(axes, 0);
  one.numbers.with_dilates = true;
  return one;
}

// Of these axes, each with as many outputs as it has.
Arguments OfAxes(const std::vector<spec::ConvolutionAxis>& axes) {
  Arguments given;
  given.dims = {spec::Dims{2, 4}, {3, 4}, {3}, {2, 3}};
  given.numbers.with_dilates = true;
  for (const spec::ConvolutionAxis& axis : axes) {
    given.dims[kSrc].push_back(axis.input);
    given.dims[kWeights].push_back(axis.kernel);
    given.dims[kDst].push_back(axis.stride > 0 ? axis.RightOutput() : 0);
    given.numbers.strides.push_back(axis.stride);
    given.numbers.dilates.push_back(axis.dilation);
    given.numbers.padding_l.push_back(axis.padding_l);
    given.numbers.padding_r.push_back(axis.padding_r);
  }
  return given;
}

struct Fault {
  std::string name;
  Arguments wrong;
  bool of_bias = false;  // nothing that backward data has
};

Fault Spoilt(const char* name, Arguments base, const std::function<void(Arguments*)>& spoil,
             bool of_bias = false) {
  spoil(&base);
  return {name, std::move(base), of_bias};
}

// `role` of the plane with other dims.
Fault WithDims(const char* name, Role role, spec::Dims dims, bool of_bias = false) {
  return Spoilt(
      name, Plane(), [&](Arguments* to) { to->dims[role] = std::move(dims); }, of_bias);
}

// Each axis of two and of three in turn is `wrong`, with `outputs`, beside others of stride 3.
void AddEachAxis(const std::string& name, const spec::ConvolutionAxis& wrong, int64_t outputs,
                 std::vector<Fault>* faults) {
  for (const size_t count : {2, 3}) {
    for (size_t at = 0; at < count; ++at) {
      std::vector<spec::ConvolutionAxis> axes(count, Axis(7, 2, 3));
      axes[at] = wrong;
      Arguments given = OfAxes(axes);
      given.dims[kDst][2 + at] = outputs;
      faults->push_back({name + "-axis-" + std::to_string(at + 1) + "-of-" + std::to_string(count),
                         std::move(given)});
    }
  }
}

std::vector<Fault> Ranks() {
  return {
      {"rank-1", OfRank({2}, {3}, {2}, 1)},
      {"rank-2", OfRank({2, 4}, {3, 4}, {2, 3}, 1)},
      {"rank-6", OfRank({2, 4, 1, 1, 1, 1}, {3, 4, 1, 1, 1, 1}, {2, 3, 1, 1, 1, 1}, 4)},
      WithDims("dst-5", kDst, {2, 3, 3, 5, 1}),
      WithDims("dst-3", kDst, {2, 3, 15}),
      WithDims("src-5", kSrc, {2, 4, 5, 6, 1}),
      WithDims("src-3", kSrc, {2, 4, 30}),
  };
}

std::vector<Fault> WeightsRanks() {
  return {
      WithDims("one-less", kWeights, {3, 4, 6}),
      WithDims("two-more", kWeights, {1, 3, 4, 3, 2, 1}),
      WithDims("two", kWeights, {3, 24}),
  };
}

std::vector<Fault> Batches() {
  return {
      WithDims("more", kDst, {3, 3, 3, 5}),
      WithDims("less", kDst, {1, 3, 3, 5}),
      WithDims("nothing-of-dst", kDst, {0, 3, 3, 5}),
      WithDims("nothing-of-src", kSrc, {0, 4, 5, 6}),
      WithDims("modulo-2^32", kDst, {kBeyond32 + 2, 3, 3, 5}),
  };
}

std::vector<Fault> Channels() {
  const auto grouped = [](const char* name, Role role, spec::Dims dims) {
    return Spoilt(name, Grouped(), [&](Arguments* to) { to->dims[role] = std::move(dims); });
  };
  return {
      WithDims("inputs-more", kWeights, {3, 5, 3, 2}),
      WithDims("inputs-less", kWeights, {3, 3, 3, 2}),
      WithDims("outputs-more", kDst, {2, 4, 3, 5}),
      WithDims("outputs-less", kDst, {2, 2, 3, 5}),
      WithDims("turned", kWeights, {4, 3, 3, 2}),
      grouped("all-inputs-in-each-group", kWeights, {2, 3, 4, 3, 2}),
      grouped("all-outputs-in-each-group", kWeights, {2, 6, 2, 3, 2}),
      grouped("groups-do-not-divide", kWeights, {3, 2, 1, 3, 2}),
      grouped("swapped-within-groups", kWeights, {2, 2, 3, 3, 2}),
      WithDims("inputs-of-src-modulo-2^32", kSrc, {2, kBeyond32 + 4, 5, 6}),
      WithDims("inputs-of-weights-modulo-2^32", kWeights, {3, kBeyond32 + 4, 3, 2}),
      WithDims("outputs-of-dst-modulo-2^32", kDst, {2, kBeyond32 + 3, 3, 5}),
      WithDims("outputs-of-weights-modulo-2^32", kWeights, {kBeyond32 + 3, 4, 3, 2}),
      grouped("groups-modulo-2^32", kWeights, {kBeyond32 + 2, 3, 2, 3, 2}),
      grouped("inputs-in-groups-modulo-2^32", kWeights, {2, 3, (kBeyond32 >> 1) + 2, 3, 2}),
      grouped("outputs-in-groups-modulo-2^32", kWeights, {2, (kBeyond32 >> 1) + 3, 2, 3, 2}),
  };
}

std::vector<Fault> Biases() {
  return {
      WithDims("more", kBias, {4}, true),
      WithDims("less", kBias, {2}, true),
      WithDims("one", kBias, {1}, true),
      WithDims("rank-2", kBias, {1, 3}, true),
      WithDims("column", kBias, {3, 1}, true),
      WithDims("rank-3", kBias, {1, 3, 1}, true),
      WithDims("rank-3-of-one-behind", kBias, {3, 1, 1}, true),
      WithDims("rank-of-dst", kBias, {1, 3, 1, 1}, true),
      WithDims("nothing", kBias, {0}, true),
      WithDims("modulo-2^32", kBias, {kBeyond32 + 3}, true),
      Spoilt(
          "by-groups", Grouped(),
          [](Arguments* to) {
            to->dims[kBias] = {2, 3};
          },
          true),
      Spoilt(
          "of-one-group", Grouped(), [](Arguments* to) { to->dims[kBias] = {3}; }, true),
      Spoilt(
          "of-inputs", Grouped(), [](Arguments* to) { to->dims[kBias] = {4}; }, true),
  };
}

std::vector<Fault> Outputs() {
  std::vector<Fault> faults = {
      {"more", Line(7, 3, 1, 0, 0, 6)},
      {"less", Line(7, 3, 1, 0, 0, 4)},
      {"strided-more", Line(7, 3, 2, 0, 0, 4)},
      {"strided-less", Line(7, 3, 2, 0, 0, 2)},
      {"dilated-as-dense", Line(7, 3, 1, 0, 0, 5, 1)},
      {"padding-not-counted", Line(7, 3, 1, 1, 1, 5)},
      {"one-padding-counted", Line(7, 3, 1, 1, 1, 6)},
      {"kernel-beyond-stride-2", Line(2, 3, 2, 0, 0, 1)},
      {"kernel-beyond-stride-3", Line(2, 3, 3, 0, 0, 1)},
      {"far-beyond-stride-3", Line(3, 5, 3, 0, 0, 1)},
      {"far-beyond-none", Line(2, 5, 1, 0, 0, 0)},
      {"far-beyond-stride-2-none", Line(2, 6, 2, 0, 0, 0)},
      {"one-of-two-axes", Spoilt("", Plane(), [](Arguments* to) { to->dims[kDst][3] = 6; }).wrong},
  };
  AddEachAxis("more", Axis(7, 2, 2), 4, &faults);
  return faults;
}

std::vector<Fault> FarOutputs() {
  return {
      {"input", Line(kBeyond32 + 3, 3, 1, 0, 0, 1)},
      {"padding", Line(3, 3, 1, 0, kBeyond32, 1)},
      {"output", Line(3, 3, 1, 0, 0, kBeyond32 + 1)},
      {"dilation", Line(3, 3, 1, 0, 0, 1, int64_t{1} << 31)},
  };
}

std::vector<Fault> Strides() {
  const auto plane = [](const char* name, memory::dims strides) {
    return Spoilt(name, Plane(), [&](Arguments* to) { to->numbers.strides = std::move(strides); });
  };
  std::vector<Fault> faults = {{"zero", Line(7, 3, 0, 0, 0, 5)},
                               {"negative", Line(7, 3, -1, 0, 0, 5)},
                               plane("zero-of-one-axis", {1, 0}),
                               plane("negative-of-one-axis", {-1, 1})};
  AddEachAxis("zero", Axis(7, 2, 0), 6, &faults);
  return faults;
}

std::vector<Fault> Dilations() {
  std::vector<Fault> faults = {{"of-one-tap", Line(7, 1, 1, 0, 0, 7, -1)},
                               {"of-three-taps", Line(7, 3, 1, 0, 0, 7, -1)},
                               {"further", Line(7, 3, 1, 0, 0, 9, -2)}};
  AddEachAxis("of-two-taps", Axis(7, 2, 1, 0, 0, -1), 7, &faults);
  return faults;
}

std::vector<Fault> PaddingsBefore() {
  std::vector<Fault> faults = {{"one", Line(7, 3, 1, -1, 0, 4)},
                               {"beside-padding", Line(7, 3, 1, -1, 1, 5)},
                               {"strided", Line(7, 3, 2, -1, 0, 2)}};
  AddEachAxis("one", Axis(7, 2, 1, -1, 0), 5, &faults);
  return faults;
}

std::vector<Fault> PaddingsBehind() {
  std::vector<Fault> faults = {{"stride-1", Line(7, 3, 1, 0, -1, 4)},
                               {"stride-2", Line(7, 3, 2, 0, -2, 2)},
                               {"stride-3", Line(10, 3, 3, 0, -3, 2)},
                               {"far", Line(7, 3, 2, 0, -4, 1)}};
  AddEachAxis("stride-1", Axis(7, 2, 1, 0, -1), 5, &faults);
  AddEachAxis("stride-2", Axis(7, 2, 2, 0, -2), 2, &faults);
  return faults;
}

// With a bias that is as long as there are outputs.
Fault WithoutOutputs(const char* name, Arguments one) {
  one.dims[kBias] = {0};
  return {name, std::move(one)};
}

std::vector<Fault> Nothings() {
  return {
      WithoutOutputs("groups", OfRank({2, 0, 5}, {0, 3, 2, 3}, {2, 0, 3}, 1)),
      WithoutOutputs("outputs", OfRank({2, 4, 5}, {0, 4, 3}, {2, 0, 3}, 1)),
      {"inputs", OfRank({2, 0, 5}, {3, 0, 3}, {2, 3, 3}, 1)},
      {"taps", OfRank({2, 4, 5}, {3, 4, 0}, {2, 3, 6}, 1)},
      {"taps-of-one-axis", OfRank({2, 4, 5, 6}, {3, 4, 3, 0}, {2, 3, 3, 7}, 2)},
      {"taps-of-the-first-axis", OfRank({2, 4, 5, 6}, {3, 4, 0, 3}, {2, 3, 6, 4}, 2)},
      {"taps-of-groups", OfRank({2, 4, 5, 6}, {1, 3, 4, 3, 0}, {2, 3, 3, 7}, 2)},
      {"taps-of-the-third-axis", OfRank({2, 4, 5, 5, 6}, {3, 4, 3, 3, 0}, {2, 3, 3, 3, 7}, 3)},
  };
}

std::vector<Fault> ShortVectors() {
  const auto shorter = [](const char* name, memory::dims ConvolutionNumbers::*which, size_t size) {
    return Spoilt(name, Plane(), [&](Arguments* to) { (to->numbers.*which).resize(size); });
  };
  return {shorter("strides", &ConvolutionNumbers::strides, 1),
          shorter("no-strides", &ConvolutionNumbers::strides, 0),
          shorter("dilates", &ConvolutionNumbers::dilates, 1),
          shorter("no-dilates", &ConvolutionNumbers::dilates, 0),
          shorter("padding-before", &ConvolutionNumbers::padding_l, 1),
          shorter("no-padding-before", &ConvolutionNumbers::padding_l, 0),
          shorter("padding-behind", &ConvolutionNumbers::padding_r, 1),
          shorter("no-padding-behind", &ConvolutionNumbers::padding_r, 0)};
}

std::vector<Fault> LongVectors() {
  const auto longer = [](const char* name, memory::dims ConvolutionNumbers::*which, int64_t last) {
    return Spoilt(name, Plane(), [&](Arguments* to) { (to->numbers.*which).push_back(last); });
  };
  return {longer("strides", &ConvolutionNumbers::strides, 1),
          longer("dilates", &ConvolutionNumbers::dilates, 0),
          longer("padding-before", &ConvolutionNumbers::padding_l, 0),
          longer("padding-behind", &ConvolutionNumbers::padding_r, 0)};
}

const char* const kRoleNames[] = {"src", "weights", "bias", "dst"};

// Each axis of each tensor, and the strides of each.
std::vector<Fault> OpenDims() {
  std::vector<Fault> faults;
  const Arguments plane = Plane();
  for (const Role role : kRoles) {
    for (size_t axis = 0; axis <= plane.dims[role].size(); ++axis) {
      Fault fault{std::string(kRoleNames[role]) + "-" + std::to_string(axis), plane, role == kBias};
      if (axis < plane.dims[role].size()) fault.wrong.dims[role][axis] = kOpen;
      if (axis == plane.dims[role].size()) {
        fault.name = std::string(kRoleNames[role]) + "-strides";
        fault.wrong.open_strides = role;
      }
      faults.push_back(std::move(fault));
    }
  }
  return faults;
}

std::vector<Fault> ZeroDescriptors() {
  std::vector<Fault> faults;
  for (const Role role : {kSrc, kWeights, kDst})
    faults.push_back(WithDims(kRoleNames[role], role, {}));
  return faults;
}

std::vector<Fault> Algorithms() {
  const std::pair<const char*, algorithm> all[] = {
      {"undef", algorithm::undef},
      {"deconvolution_direct", algorithm::deconvolution_direct},
      {"eltwise_relu", algorithm::eltwise_relu},
      {"pooling_max", algorithm::pooling_max},
      {"vanilla_rnn", algorithm::vanilla_rnn},
      {"none", static_cast<algorithm>(0x7777)},
  };
  std::vector<Fault> faults;
  for (const auto& [name, kind] : all)
    faults.push_back(
        Spoilt(name, Plane(), [kind = kind](Arguments* to) { to->numbers.algorithm = kind; }));
  return faults;
}

// Row-major; what depends on an open dim is open.
memory::desc DescOf(const spec::Dims& dims, bool open_strides) {
  if (dims.empty()) return {};
  spec::Dims strides(dims.size(), 1);
  for (size_t axis = dims.size(); axis-- > 1;)
    strides[axis - 1] = dims[axis] == kOpen || strides[axis] == kOpen
                            ? kOpen
                            : strides[axis] * std::max<int64_t>(1, dims[axis]);
  if (open_strides) strides.assign(dims.size(), kOpen);
  return {dims, memory::data_type::f32, strides};
}

// A primitive descriptor, with a hint of the legal plane: the fault is the operation's own.
Attempted<ComputationPd<ConvolutionCase>> Try(const Arguments& given, Direction direction,
                                              Device& device) {
  return Attempt([&] {
    ComputationDescs descs;
    for (const Role role : kRoles)
      descs[role] = DescOf(given.dims[role], given.open_strides == role);
    ComputationPd<ConvolutionCase> pd;
    pd.direction = direction;
    const auto forward_kind = dnnl::prop_kind::forward_training;
    if (direction == Direction::kForward) {
      const auto desc = MakeForwardDesc(given.numbers, forward_kind, descs, true);
      pd.forward = ConvolutionForward::primitive_desc(*desc, device.engine);
      return pd;
    }
    const Arguments plane = Plane();
    ComputationDescs any;
    for (const Role role : kRoles) any[role] = WithAny(spec::Type::kF32, plane.dims[role]);
    const ConvolutionForward::primitive_desc hint(
        *MakeForwardDesc(plane.numbers, forward_kind, any, false), device.engine);
    if (direction == Direction::kBackwardData) {
      const auto desc = MakeDataDesc(given.numbers, descs);
      pd.backward_data = ConvolutionBackwardData::primitive_desc(*desc, device.engine, hint);
    } else {
      const auto desc = MakeWeightsDesc(given.numbers, descs, true);
      pd.backward_weights = ConvolutionBackwardWeights::primitive_desc(*desc, device.engine, hint);
    }
    return pd;
  });
}

// The same with a batch of nothing, where the batch is not what is wrong.
std::optional<Arguments> WithoutBatch(const Arguments& given) {
  Arguments empty = given;
  for (const Role role : {kSrc, kDst}) {
    spec::Dims& dims = empty.dims[role];
    if (dims.empty() || dims[0] != 2) return std::nullopt;
    dims[0] = 0;
  }
  return empty;
}

using Faults = std::vector<Fault> (*)();

std::vector<std::string> NamesOf(Faults all) {
  std::vector<std::string> names;
  for (const Fault& fault : all())
    for (const Direction direction : kDirections)
      if (!fault.of_bias || direction != Direction::kBackwardData)
        names.push_back(std::string(NameOf(direction)) + ":" + fault.name);
  return names;
}

// What is legal, and nearest to most that is not.
bool LegalOnesAreAccepted(Direction direction, Device& device, Trial& trial) {
  const std::pair<const char*, Arguments> legal[] = {
      {"plane", Plane()},
      {"grouped plane", Grouped()},
      {"line", Line(7, 3, 1, 0, 0, 5)},
      {"strided line", Line(7, 3, 2, 1, 0, 3)},
      {"dilated line", Line(7, 3, 1, 0, 0, 3, 1)},
      {"volume", OfRank({2, 4, 3, 4, 5}, {3, 4, 1, 2, 3}, {2, 3, 3, 3, 3}, 3)},
      {"volume of strides", OfAxes({Axis(7, 2, 3), Axis(7, 2, 2), Axis(6, 2, 1, 1, 0, 1)})},
  };
  for (const auto& [name, arguments] : legal)
    if (!ExpectAccepted(trial, Try(arguments, direction, device), std::string("the legal ") + name))
      return false;
  return ExpectAccepted(trial, Try(*WithoutBatch(Plane()), direction, device),
                        "the legal plane without a batch");
}

// Refused with this status, which portable leaves open.
template <Faults all, Refusal::Status status>
void AreRefused(const Choice& choice, Trial& trial) {
  Device* const device = DeviceFor(trial);
  if (device == nullptr) return;
  for (const Direction direction : kDirections) {
    for (const Fault& fault : all()) {
      if (choice.what != std::string(NameOf(direction)) + ":" + fault.name) continue;
      if (!LegalOnesAreAccepted(direction, *device, trial)) return;
      const auto made = Try(fault.wrong, direction, *device);
      if (!ExpectRefused(trial, made, choice.what)) return;
      if (trial.project())
        trial.Expect(made.refusal.MayBe(status), "the status of " + choice.what,
                     std::to_string(status), std::to_string(made.refusal.status));
      if (const auto empty = WithoutBatch(fault.wrong))
        ExpectRefused(trial, Try(*empty, direction, *device), choice.what + " without a batch");
    }
  }
}

// Portable: taken or refused.
void LongVectorsAreRefused(const Choice& choice, Trial& trial) {
  if (trial.project()) return AreRefused<LongVectors, Refusal::kInvalidArguments>(choice, trial);
  Device* const device = DeviceFor(trial);
  if (device == nullptr) return;
  for (const Direction direction : kDirections) {
    for (const Fault& fault : LongVectors()) {
      if (choice.what != std::string(NameOf(direction)) + ":" + fault.name) continue;
      const auto made = Try(fault.wrong, direction, *device);
      if (!made && !ExpectLeftOpen(trial, made.refusal, choice.what)) return;
    }
  }
}

template <Faults all, Refusal::Status status = Refusal::kInvalidArguments>
bool Refused(const spec::Requirement& requirement, const char* variant = "") {
  return Define<Choice>(requirement, variant, Choices(NamesOf(all)), AreRefused<all, status>, {},
                        __FILE__);
}

const bool kDefined[] = {
    Refused<Ranks>(spec::CONV_020),
    Refused<WeightsRanks>(spec::CONV_021),
    Refused<Batches>(spec::CONV_022),
    Refused<Channels>(spec::CONV_023),
    Refused<Biases>(spec::CONV_024),
    Refused<Outputs>(spec::CONV_025),
    Refused<FarOutputs>(spec::CONV_026),
    Refused<Strides>(spec::CONV_027),
    Refused<Dilations>(spec::CONV_028),
    Refused<PaddingsBefore>(spec::CONV_029),
    Refused<PaddingsBehind>(spec::CONV_030),
    Refused<Nothings>(spec::CONV_032),
    Refused<ShortVectors>(spec::CONV_041),
    Define<Choice>(spec::CONV_041, "long", Choices(NamesOf(LongVectors)), LongVectorsAreRefused),
    Refused<OpenDims, Refusal::kUnimplemented>(spec::CONV_042),
    Refused<Algorithms>(spec::CONV_043),
    Refused<ZeroDescriptors>(spec::CONV_045),
};

}  // namespace
}  // namespace conformance
