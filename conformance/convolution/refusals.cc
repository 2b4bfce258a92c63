// CONV-020 to CONV-030, CONV-032, CONV-041 to CONV-043, CONV-045: what means nothing, each beside
// its nearest neighbour that does.
#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "conformance/case/property.h"
#include "conformance/convolution/cases.h"
#include "conformance/convolution/faults.h"
#include "conformance/convolution/run.h"
#include "conformance/gen/choice.h"
#include "conformance/subject/attempt.h"
#include "conformance/subject/expect.h"
#include "conformance/subject/tensor.h"
#include "spec/memory/oracle.h"
#include "spec/numeric/convert.h"
#include "spec/requirements.h"

namespace conformance {
namespace {

using dnnl::memory;
using faults::Arguments;
using faults::Fault;
using spec::Type;

constexpr int64_t kOpen = spec::kRunTimeDim;

// How arguments are presented.
struct Way {
  const char* name;
  Types types{Type::kF32, Type::kF32, Type::kF32, Type::kF32};
  bool any = false;
  dnnl::prop_kind kind = dnnl::prop_kind::forward_training;
  // With a bias, and by the constructor that takes dilations, unless that is what is wrong.
  bool bias = true, dilates = true;
};
const Way kUsual{"row-major"};

const std::vector<Way>& OtherWays() {
  constexpr Types kFloats{Type::kF32, Type::kF32, Type::kF32, Type::kF32};
  constexpr auto kInference = dnnl::prop_kind::forward_inference;
  static const auto* const ways = new std::vector<Way>{
      {"any", kFloats, true},
      {"inference without a bias", kFloats, false, kInference, false},
      {"any without dilations", kFloats, true, kInference, true, false},
      {"bf16 without dilations",
       {Type::kBF16, Type::kBF16, Type::kBF16, Type::kBF16},
       false,
       dnnl::prop_kind::forward_training,
       false,
       false},
      {"bytes", {Type::kU8, Type::kS8, Type::kS32, Type::kS8}, true, kInference},
  };
  return *ways;
}

// Row-major; what depends on an open dim is open.
memory::desc DescOf(const Arguments& given, Role role, const Way& way) {
  const spec::Dims& dims = given.dims[role];
  const bool open_strides = given.open_strides == role;
  if (dims.empty()) return {};
  if (way.any && !open_strides) return WithAny(way.types[role], dims);
  spec::Dims strides(dims.size(), 1);
  for (size_t axis = dims.size(); axis-- > 1;)
    strides[axis - 1] = dims[axis] == kOpen || strides[axis] == kOpen
                            ? kOpen
                            : strides[axis] * std::max<int64_t>(1, dims[axis]);
  if (open_strides && given.open_axis < 0) strides.assign(dims.size(), kOpen);
  if (open_strides && given.open_axis >= 0) strides[static_cast<size_t>(given.open_axis)] = kOpen;
  return {dims, DataTypeOf(way.types[role]), strides};
}

// A primitive descriptor, with a hint of the legal plane: the fault is the operation's own.
Attempted<ComputationPd<ConvolutionCase>> Try(const Arguments& given, Direction direction,
                                              Device& device, const Way& way = kUsual) {
  return Attempt([&] {
    ComputationDescs descs;
    for (const Role role : kRoles) descs[role] = DescOf(given, role, way);
    ConvolutionNumbers numbers = given.numbers;
    numbers.with_dilates = way.dilates;
    ComputationPd<ConvolutionCase> pd;
    pd.direction = direction;
    const auto forward_kind = dnnl::prop_kind::forward_training;
    if (direction == Direction::kForward) {
      const auto desc = MakeForwardDesc(numbers, way.kind, descs, way.bias);
      pd.forward = ConvolutionForward::primitive_desc(*desc, device.engine);
      return pd;
    }
    const Arguments plane = faults::Plane();
    ComputationDescs any;
    for (const Role role : kRoles) any[role] = WithAny(spec::Type::kF32, plane.dims[role]);
    const ConvolutionForward::primitive_desc hint(
        *MakeForwardDesc(plane.numbers, forward_kind, any, false), device.engine);
    if (direction == Direction::kBackwardData) {
      const auto desc = MakeDataDesc(numbers, descs);
      pd.backward_data = ConvolutionBackwardData::primitive_desc(*desc, device.engine, hint);
    } else {
      const auto desc = MakeWeightsDesc(numbers, descs, way.bias);
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

// Whether what is wrong with `fault` is there, presented so.
bool Shows(const Fault& fault, const Way& way) {
  const memory::dims& dilates = fault.wrong.numbers.dilates;
  // Dilations may be what is wrong.
  const size_t rank = std::max<size_t>(2, fault.wrong.dims[kSrc].size());
  const bool dense = dilates == memory::dims(rank - 2, 0);
  return (way.bias || !fault.of_bias) && (way.dilates || dense);
}

std::vector<std::string> NamesOf(faults::Faults all) {
  std::vector<std::string> names;
  for (const Fault& fault : all())
    for (const Direction direction : kDirections)
      if (!fault.of_bias || direction != Direction::kBackwardData)
        names.push_back(std::string(NameOf(direction)) + ":" + fault.name);
  return names;
}

// What is legal, and nearest to what is not: of as many axes.
bool LegalOnesAreAccepted(const Fault& fault, Direction direction, Device& device, Trial& trial) {
  const std::pair<const char*, Arguments> legal[] = {
      {"plane", faults::Plane()},
      {"grouped plane", faults::Grouped()},
      {"line", faults::Line(7, 3, 1, 0, 0, 5)},
      {"strided line", faults::Line(7, 3, 2, 1, 0, 3)},
      {"dilated line", faults::Line(7, 3, 1, 0, 0, 3, 1)},
      {"volume", faults::OfRank({2, 4, 3, 4, 5}, {3, 4, 1, 2, 3}, {2, 3, 3, 3, 3}, 3)},
      {"volume of strides", faults::OfAxes({Axis(7, 2, 3), Axis(7, 2, 2), Axis(6, 2, 1, 1, 0, 1)})},
  };
  const size_t rank = fault.wrong.dims[kSrc].size();
  for (const auto& [name, arguments] : legal)
    if ((arguments.dims[kSrc].size() == rank || rank < 3 || rank > 5) &&
        !ExpectAccepted(trial, Try(arguments, direction, device), std::string("the legal ") + name))
      return false;
  return ExpectAccepted(trial, Try(*WithoutBatch(faults::Plane()), direction, device),
                        "the legal plane without a batch");
}

// Refused with this status, which portable leaves open.
template <faults::Faults all, Refusal::Status status>
void AreRefused(const Choice& choice, Trial& trial) {
  Device* const device = DeviceFor(trial);
  if (device == nullptr) return;
  for (const Direction direction : kDirections) {
    for (const Fault& fault : all()) {
      if (choice.what != std::string(NameOf(direction)) + ":" + fault.name) continue;
      if (!LegalOnesAreAccepted(fault, direction, *device, trial)) return;
      const auto made = Try(fault.wrong, direction, *device);
      if (!ExpectRefused(trial, made, choice.what)) return;
      if (trial.project())
        trial.Expect(made.refusal.MayBe(status), "the status of " + choice.what,
                     std::to_string(status), std::to_string(made.refusal.status));
      for (const Way& way : OtherWays())
        if (Shows(fault, way) && !ExpectRefused(trial, Try(fault.wrong, direction, *device, way),
                                                choice.what + ", " + way.name))
          return;
      if (const auto empty = WithoutBatch(fault.wrong))
        ExpectRefused(trial, Try(*empty, direction, *device), choice.what + " without a batch");
    }
  }
}

// Portable: taken or refused.
void LongVectorsAreRefused(const Choice& choice, Trial& trial) {
  if (trial.project())
    return AreRefused<faults::LongVectors, Refusal::kInvalidArguments>(choice, trial);
  Device* const device = DeviceFor(trial);
  if (device == nullptr) return;
  for (const Direction direction : kDirections) {
    for (const Fault& fault : faults::LongVectors()) {
      if (choice.what != std::string(NameOf(direction)) + ":" + fault.name) continue;
      const auto made = Try(fault.wrong, direction, *device);
      if (!made && !ExpectLeftOpen(trial, made.refusal, choice.what)) return;
    }
  }
}

template <faults::Faults all, Refusal::Status status = Refusal::kInvalidArguments>
bool Refused(const spec::Requirement& requirement, const char* variant = "") {
  return Define<Choice>(requirement, variant, Choices(NamesOf(all)), AreRefused<all, status>, {},
                        __FILE__);
}

const bool kDefined[] = {
    Refused<faults::Ranks>(spec::CONV_020),
    Refused<faults::WeightsRanks>(spec::CONV_021),
    Refused<faults::Batches>(spec::CONV_022),
    Refused<faults::Channels>(spec::CONV_023),
    Refused<faults::Biases>(spec::CONV_024),
    Refused<faults::Outputs>(spec::CONV_025),
    Refused<faults::FarOutputs>(spec::CONV_026),
    Refused<faults::Strides>(spec::CONV_027),
    Refused<faults::Dilations>(spec::CONV_028),
    Refused<faults::PaddingsBefore>(spec::CONV_029),
    Refused<faults::PaddingsBehind>(spec::CONV_030),
    Refused<faults::Nothings>(spec::CONV_032),
    Refused<faults::ShortVectors>(spec::CONV_041),
    Define<Choice>(spec::CONV_041, "long", Choices(NamesOf(faults::LongVectors)),
                   LongVectorsAreRefused),
    Refused<faults::OpenDims, Refusal::kUnimplemented>(spec::CONV_042),
    Refused<faults::Algorithms>(spec::CONV_043),
    Refused<faults::ZeroDescriptors>(spec::CONV_045),
};

}  // namespace
}  // namespace conformance
