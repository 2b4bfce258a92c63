#include "conformance/subject/conversion.h"

#include <string>
#include <utility>

#include "conformance/subject/attempt.h"
#include "conformance/subject/tensor.h"

namespace conformance {

Conversion ConversionOf(spec::Type from, spec::Type to, std::vector<spec::Bits> source) {
  const spec::Dims dims{static_cast<int64_t>(source.size())};
  Conversion conversion;
  conversion.src = {from, dims, Plainest(dims)};
  conversion.dst = {to, dims, Plainest(dims)};
  conversion.source = std::move(source);
  return conversion;
}

std::optional<dnnl::reorder::primitive_desc> ConversionPd(const Conversion& conversion,
                                                          Device& device, Trial& trial) {
  const auto src = DescFor(conversion.src, trial);
  if (!src) return std::nullopt;
  const auto dst = DescFor(conversion.dst, trial);
  if (!dst) return std::nullopt;
  auto pd = Attempt([&] {
    dnnl::primitive_attr attr;
    if (conversion.scaled) {
      attr.set_output_scales(conversion.mask, conversion.mask == 0
                                                  ? std::vector<float>{conversion.alpha}
                                                  : conversion.scales);
    }
    if (conversion.sum) {
      dnnl::post_ops post_ops;
      post_ops.append_sum(conversion.beta);
      attr.set_post_ops(post_ops);
    }
    return dnnl::reorder::primitive_desc(device.engine, *src, device.engine, *dst, attr);
  });
  if (pd) return std::move(pd.value);
  const spec::Type from = conversion.src.type, to = conversion.dst.type;
  const bool core = from == spec::Type::kF32 && to == spec::Type::kF32 && conversion.mask == 0;
  const bool all = trial.project() && trial.engine() == EngineChoice::kCpu;
  const std::string name = std::string(spec::NameOf(from)) + " -> " + spec::NameOf(to);
  if (!core && !all) {
    Asked asked{"reorder", "", {spec::NameOf(from), spec::NameOf(to)}, conversion.src.rank(), {}};
    if (conversion.scaled) asked.features.emplace_back(conversion.mask == 0 ? "scale" : "mask");
    if (conversion.sum) asked.features.emplace_back("sum");
    trial.Refused(pd.refusal, std::move(asked));
  } else {
    trial.Fail("reorder::primitive_desc, " + name, "created", pd.refusal);
  }
  return std::nullopt;
}

std::optional<std::vector<spec::Bits>> RunConversion(const Conversion& conversion, Trial& trial) {
  Device* const device = DeviceFor(trial);
  if (device == nullptr) return std::nullopt;
  const auto pd = ConversionPd(conversion, *device, trial);
  if (!pd) return std::nullopt;
  auto result = Attempt([&] {
    Tensor from(conversion.src, pd->src_desc(), *device, {}, 1);
    Tensor to(conversion.dst, pd->dst_desc(), *device, {}, 2);
    from.Store(conversion.source);
    to.Store(conversion.sum ? conversion.old
                            : std::vector<spec::Bits>(conversion.source.size(), 0x55));
    dnnl::reorder(*pd).execute(device->stream, from.memory(), to.memory());
    device->stream.wait();
    return to.Load();
  });
  if (result) return std::move(result.value);
  trial.Fail("reorder", "executed", result.refusal);
  return std::nullopt;
}

}  // namespace conformance
