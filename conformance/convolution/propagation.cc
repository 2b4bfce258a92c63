// OPT-015, OPT-021, OPT-045 and SHU-034: a convolution whose tensors are all `any`, what lies
// beyond the elements of what it gives, and a shuffle of that.
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "conformance/case/property.h"
#include "conformance/convolution/cases.h"
#include "conformance/convolution/run.h"
#include "conformance/subject/attempt.h"
#include "conformance/subject/computation_checks.h"
#include "conformance/subject/expect.h"
#include "conformance/subject/reorder_io.h"
#include "conformance/subject/tensor.h"
#include "spec/requirements.h"

namespace conformance {
namespace {

using dnnl::memory;
using spec::Bits;
using spec::Type;

// The primitive descriptor of `c`. nullopt after recording the outcome in `trial` where the subject
// has no such convolution: whether it must is not asked here.
std::optional<ComputationPd<ConvolutionCase>> Offered(const ConvolutionCase& c, Device& device,
                                                      Trial& trial) {
  const auto descs = DescsFor(c, trial);
  if (!descs) return std::nullopt;
  auto pd = Attempt([&] { return MakePd(c, *descs, device.engine); });
  if (pd) return std::move(pd.value);
  trial.NotRun("there is no such convolution");
  return std::nullopt;
}

// Where the plain tensors are served, these are too.
void AnyIsServed(const ConvolutionCase& c, Trial& trial) {
  Device* const device = DeviceFor(trial);
  if (device == nullptr) return;
  ConvolutionCase plain = c;
  plain.SetAny(false);
  if (Offered(plain, *device, trial)) IsTheFormula(c, trial);
}

// All tensors of each direction, with groups and without, of ranks 3 to 5.
Cases<ConvolutionCase> AllOpen() {
  std::vector<ConvolutionCase> cases;
  for (const Direction direction : kDirections)
    for (const int64_t groups : {1, 2})
      for (size_t rank = 3; rank <= 5; ++rank) {
        const std::vector<spec::ConvolutionAxis> axes(rank - 2, Axis(5, 3, 1, 1, 1));
        ConvolutionCase c = ConvolutionOf(2, groups, 18, 24, axes);
        c.direction = direction;
        c.bias = direction != Direction::kBackwardData;
        c.SetAny(true);
        c.seed = cases.size();
        cases.push_back(c);
      }
  return Listed(std::move(cases));
}

// Forwards whose channels a shuffle can deal out: in 2, 3, 4 or 6 groups.
Cases<ConvolutionCase> BeforeShuffles() {
  std::vector<ConvolutionCase> cases;
  for (const int64_t channels : {12, 24, 36, 48, 60, 96})
    for (const int64_t groups : {1, 3})
      for (size_t rank = 3; rank <= 5; ++rank) {
        const std::vector<spec::ConvolutionAxis> axes(rank - 2, Axis(4, 1));
        ConvolutionCase c = ConvolutionOf(2, groups, 16, channels / groups, axes);
        c.SetAny(true);
        c.seed = cases.size();
        cases.push_back(c);
      }
  return Listed(std::move(cases));
}

// Elements of `dims` whose axis 1 is dealt out to `groups`: the definition of shuffle.
std::vector<Bits> Dealt(const std::vector<Bits>& from, const spec::Dims& dims, int64_t groups) {
  const int64_t channels = dims[1], rows = channels / groups;
  int64_t inner = 1;
  for (size_t j = 2; j < dims.size(); ++j) inner *= dims[j];
  std::vector<Bits> to(from.size());
  for (int64_t n = 0; n < dims[0]; ++n)
    for (int64_t u = 0; u < rows; ++u)
      for (int64_t v = 0; v < groups; ++v)
        for (int64_t i = 0; i < inner; ++i)
          to[static_cast<size_t>((n * channels + u + v * rows) * inner + i)] =
              from[static_cast<size_t>((n * channels + u * groups + v) * inner + i)];
  return to;
}

// Convolution, shuffle, reorder: what the reorder behind the convolution alone gives, dealt out.
void ShuffleTakesWhatItGives(const ConvolutionCase& c, Trial& trial) {
  Device* const device = DeviceFor(trial);
  if (device == nullptr) return;
  Cover(trial, c);
  const auto pd = Offered(c, *device, trial);
  if (!pd) return;
  const memory::desc format = pd->DescOf(kDst);
  const spec::Dims dims = c.DimsOf(kDst);
  const ComputedData data = DataOf(c);
  std::unordered_map<int, memory> arguments;
  const auto give = [&](int argument, Role role) {
    const memory to(pd->DescOf(role), device->engine);
    arguments[argument] = to;
    return WriteViaReorder(data[role], Type::kF32, c.DimsOf(role), to, *device, trial);
  };
  if (!give(DNNL_ARG_SRC, kSrc) || !give(DNNL_ARG_WEIGHTS, kWeights)) return;
  const memory given(format, device->engine), dealt(format, device->engine);
  arguments[DNNL_ARG_DST] = given;
  for (const int64_t groups : {2, 3, 4, 6}) {
    const auto done = Attempt([&] {
      pd->Primitive().execute(device->stream, arguments);
      const dnnl::shuffle_forward::desc desc(dnnl::prop_kind::forward_inference, format, 1,
                                             static_cast<int>(groups));
      dnnl::shuffle_forward({desc, device->engine})
          .execute(device->stream, {{DNNL_ARG_SRC, given}, {DNNL_ARG_DST, dealt}});
      device->stream.wait();
    });
    if (!ExpectAccepted(trial, done, "a shuffle in the layout that a convolution chose")) return;
    const auto before = ReadViaReorder(given, Type::kF32, dims, *device, trial);
    const auto after = ReadViaReorder(dealt, Type::kF32, dims, *device, trial);
    if (!before || !after ||
        !ExpectSameBits(trial, "the channels in " + std::to_string(groups) + " groups", Type::kF32,
                        dims, Dealt(*before, dims, groups), *after))
      return;
  }
}

// Channels that end inside a block, whatever `any` makes of them.
Cases<ConvolutionCase> WithTails() {
  std::vector<ConvolutionCase> cases;
  for (const Direction direction : kDirections)
    for (const int64_t channels : {3, 17, 30})
      for (const int64_t groups : {1, 2}) {
        ConvolutionCase c =
            ConvolutionOf(2, groups, channels, channels + 4, {Axis(5, 3, 1, 1, 1), Axis(4, 2)});
        c.direction = direction;
        c.bias = direction != Direction::kBackwardData;
        c.SetAny(true);
        c.seed = cases.size();
        cases.push_back(c);
      }
  return Listed(std::move(cases));
}

// Every byte of a memory.
std::vector<uint8_t> BytesOf(const memory& of) {
  auto* const mapped = of.map_data<uint8_t>();
  std::vector<uint8_t> bytes(mapped, mapped + of.get_desc().get_size());
  of.unmap_data(mapped);
  return bytes;
}

memory FilledMemory(const memory::desc& desc, uint8_t byte, const dnnl::engine& engine) {
  memory made(desc, engine);
  auto* const mapped = made.map_data<uint8_t>();
  for (size_t i = 0; i < desc.get_size(); ++i) mapped[i] = byte;
  made.unmap_data(mapped);
  return made;
}

// What is written holds the bytes that a reorder of its elements writes into zeros.
void PaddingOfResultsIsZero(const ConvolutionCase& c, Trial& trial) {
  if (trial.portable()) return trial.NotRun("pinned by the project profile only");
  Device* const device = DeviceFor(trial);
  if (device == nullptr) return;
  Cover(trial, c);
  const auto pd = Offered(c, *device, trial);
  if (!pd) return;
  const ComputedData data = DataOf(c);
  std::unordered_map<int, memory> arguments;
  for (const Role role : kRoles) {
    if (!c.Has(role)) continue;
    const memory made = FilledMemory(pd->DescOf(role), 0xff, device->engine);
    arguments[ArgumentOf(c, role)] = made;
    if (!c.Writes(role) &&
        !WriteViaReorder(data[role], Type::kF32, c.DimsOf(role), made, *device, trial))
      return;
  }
  const auto done = Attempt([&] {
    pd->Primitive().execute(device->stream, arguments);
    device->stream.wait();
  });
  if (!ExpectAccepted(trial, done, "execute and wait")) return;
  for (const Role role : kRoles) {
    if (!c.Has(role) || !c.Writes(role)) continue;
    const memory& got = arguments[ArgumentOf(c, role)];
    const auto elements = ReadViaReorder(got, Type::kF32, c.DimsOf(role), *device, trial);
    if (!elements) return;
    const memory wanted = FilledMemory(got.get_desc(), 0, device->engine);
    if (!WriteViaReorder(*elements, Type::kF32, c.DimsOf(role), wanted, *device, trial)) return;
    if (!trial.Expect(BytesOf(got) == BytesOf(wanted), "padding of " + c.NameOf(role), "zero",
                      "another"))
      return;
  }
}

const bool kDefined[] = {
    Define<ConvolutionCase>(spec::OPT_045, "convolution", WithTails(), PaddingOfResultsIsZero),
    Define<ConvolutionCase>(spec::OPT_015, "convolution", AllOpen(), AnyIsServed,
                            {"any src", "any wei", "any dst"}),
    Define<ConvolutionCase>(spec::OPT_021, "convolution", BeforeShuffles(),
                            ShuffleTakesWhatItGives),
    Define<ConvolutionCase>(spec::SHU_034, "convolution", BeforeShuffles(),
                            ShuffleTakesWhatItGives),
};

}  // namespace
}  // namespace conformance
