// CONV-020 to CONV-030, CONV-032, CONV-041 to CONV-043, CONV-045: what means nothing, each beside
// its nearest neighbour that does.
#include <algorithm>
#include <string>
#include <vector>

#include "conformance/case/property.h"
#include "conformance/convolution/cases.h"
#include "conformance/convolution/faults.h"
#include "conformance/convolution/run.h"
#include "conformance/gen/choice.h"
#include "conformance/subject/computation_refusals.h"
#include "conformance/subject/expect.h"
#include "spec/numeric/convert.h"
#include "spec/requirements.h"

namespace conformance {
namespace {

using dnnl::memory;
using faults::Arguments;
using faults::Fault;
using spec::Type;

// Beside kUsual.
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

// As `way` has it: with dilations, unless they are what is wrong.
Arguments Presented(Arguments given, const Way& way) {
  given.numbers.with_dilates = way.dilates;
  return given;
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

struct Legal {
  const char* name;
  Arguments arguments;
};

std::vector<Legal> LegalOnes() {
  return {
      {"plane", faults::Plane()},
      {"grouped plane", faults::Grouped()},
      {"plane of strides", faults::OfAxes({Axis(7, 2, 3), Axis(7, 2, 3)})},
      {"line", faults::Line(7, 3, 1, 0, 0, 5)},
      {"strided line", faults::Line(7, 3, 2, 1, 0, 3)},
      {"dilated line", faults::Line(7, 3, 1, 0, 0, 3, 1)},
      {"volume", faults::OfRank({2, 4, 3, 4, 5}, {3, 4, 1, 2, 3}, {2, 3, 3, 3, 3}, 3)},
      {"volume of strides", faults::OfAxes({Axis(7, 2, 3), Axis(7, 2, 2), Axis(6, 2, 1, 1, 0, 1)})},
  };
}

Arguments NearestTo(const Arguments& wrong) {
  std::vector<Arguments> all;
  for (const Legal& legal : LegalOnes()) all.push_back(legal.arguments);
  return NearestOf(all, wrong);
}

// What is legal, and near to what is not: of as many axes.
bool LegalOnesAreAccepted(const Fault& fault, Direction direction, Device& device, Trial& trial) {
  const size_t rank = fault.wrong.dims[kSrc].size();
  for (const auto& [name, arguments] : LegalOnes())
    if ((arguments.dims[kSrc].size() == rank || rank < 3 || rank > 5) &&
        !ExpectLegalRequest<ConvolutionCase>(arguments, std::string("the legal ") + name, direction,
                                             device, trial))
      return false;
  return ExpectLegalRequest<ConvolutionCase>(
      *WithoutBatch(faults::Plane()), "the legal plane without a batch", direction, device, trial);
}

// In every way, by this status.
void IsRefused(const Fault& fault, const std::string& what, Refusal::Status status,
               Direction direction, Device& device, Trial& trial) {
  if (!LegalOnesAreAccepted(fault, direction, device, trial)) return;
  const Arguments legal = NearestTo(fault.wrong);
  if (!ExpectRefusedRequest<ConvolutionCase>(fault.wrong, legal, what, status, direction, device,
                                             trial))
    return;
  for (const Way& way : OtherWays())
    if (Shows(fault, way) &&
        !ExpectRefused(
            trial,
            TryRequest<ConvolutionCase>(Presented(fault.wrong, way), legal, direction, device, way),
            what + ", " + way.name))
      return;
}

// Refused with this status, which portable leaves open.
template <faults::Faults all, Refusal::Status status>
void AreRefused(const Choice& choice, Trial& trial) {
  Device* const device = DeviceFor(trial);
  if (device == nullptr) return;
  for (const Direction direction : kDirections)
    for (const Fault& fault : all())
      if (choice.what == std::string(NameOf(direction)) + ":" + fault.name)
        IsRefused(fault, choice.what, status, direction, *device, trial);
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
      const auto made =
          TryRequest<ConvolutionCase>(fault.wrong, NearestTo(fault.wrong), direction, *device);
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
