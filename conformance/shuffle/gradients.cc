// SHU-011: what a backward shuffle makes of `any`.
#include <string>
#include <vector>

#include "conformance/case/property.h"
#include "conformance/shuffle/cases.h"
#include "conformance/shuffle/run.h"
#include "conformance/subject/descriptor_text.h"
#include "conformance/subject/expect.h"
#include "conformance/subject/reorder_io.h"
#include "spec/requirements.h"

namespace conformance {
namespace {

// A layout that need not be the hint's: OPT-002, OPT-003, and the elements are the right ones.
void ResolvedIsRight(const ShuffleCase& c, const ShuffleBackward::primitive_desc& pd,
                     Device& device, Trial& trial) {
  const dnnl::memory::desc any = WithAny(c.data.type, c.data.dims);
  const dnnl::memory::desc diff_dst = pd.diff_dst_desc(), diff_src = pd.diff_src_desc();
  for (const dnnl::memory::desc* desc : {&diff_dst, &diff_src}) {
    const char* const query = desc == &diff_dst ? "diff_dst_desc()" : "diff_src_desc()";
    if (!trial.Expect(desc->dims() == c.data.dims && desc->data_type() == DataTypeOf(c.data.type),
                      query, "dims and type of the operation descriptor",
                      "others (" + TextOf(*desc) + ")") ||
        !trial.Expect(!(*desc == any), query, "a layout", "any"))
      return;
  }
  ShuffleCase plain = c;
  plain.values = ValueKind::kIndex;
  const std::vector<spec::Bits> source = plain.Source();
  dnnl::memory from, to;
  const auto made = Attempt([&] {
    from = dnnl::memory(diff_dst, device.engine);
    to = dnnl::memory(diff_src, device.engine);
  });
  if (!trial.Expect(static_cast<bool>(made), "memory of what any became", "created",
                    made.refusal.ToString()) ||
      !WriteViaReorder(source, c.data.type, c.data.dims, from, device, trial))
    return;
  const auto done = Attempt([&] {
    const dnnl::primitive shuffle = ShuffleBackward(pd);
    shuffle.execute(device.stream, {{DNNL_ARG_DIFF_DST, from}, {DNNL_ARG_DIFF_SRC, to}});
    device.stream.wait();
  });
  if (!trial.Expect(static_cast<bool>(done), "execute and wait", "done", done.refusal.ToString()))
    return;
  const auto result = ReadViaReorder(to, c.data.type, c.data.dims, device, trial);
  if (result)
    ExpectSameBits(trial, "what was read of diff_src", c.data.type, c.data.dims,
                   ExpectedShuffle(c, source), *result);
}

// Of its own axis and group, for training or inference; project: of others too (SHU-013).
ShuffleForward::primitive_desc HintFor(const ShuffleCase& c, const dnnl::memory::desc& desc,
                                       const Device& device, const Trial& trial) {
  const auto kind =
      c.seed % 2 == 0 ? dnnl::prop_kind::forward_training : dnnl::prop_kind::forward_inference;
  const bool own = trial.portable() || c.seed % 3 != 0;
  const int axis = own ? c.axis : (c.axis + 1) % c.data.rank();
  const int group = own ? static_cast<int>(c.group) : 1;
  return {ShuffleForward::desc(kind, desc, axis, group), device.engine};
}

void BackwardAnyFollowsTheHint(const ShuffleCase& c, Trial& trial) {
  SawTensor(trial, c.data);
  Device* device = DeviceFor(trial);
  if (device == nullptr) return;
  const auto desc = DescFor(c.data, trial);
  if (!desc || !PrimitiveFor(c, *desc, *device, trial)) return;
  const int group = static_cast<int>(c.group);
  const auto made = Attempt([&] {
    return ShuffleBackward::primitive_desc(
        ShuffleBackward::desc(WithAny(c.data.type, c.data.dims), c.axis, group), device->engine,
        HintFor(c, *desc, *device, trial));
  });
  if (!ExpectAccepted(trial, made, "backward with format_tag::any")) return;
  if (!TakesTheHintsLayout(c.data, trial)) {
    const bool same = made.value->diff_src_desc() == *desc && made.value->diff_dst_desc() == *desc;
    trial.Record("any after a hint with gaps or a start", same ? "the hint's layout" : "another");
    if (!same) ResolvedIsRight(c, *made.value, *device, trial);
    return;
  }
  if (!ExpectDescriptor(trial, "diff_src_desc()", "the hint's descriptor", *desc,
                        made.value->diff_src_desc()) ||
      !ExpectDescriptor(trial, "diff_dst_desc()", "the hint's descriptor", *desc,
                        made.value->diff_dst_desc()) ||
      trial.portable())
    return;
  Tensor from(c.data, *desc, *device, c.from, c.seed), to(c.data, *desc, *device, c.to, ~c.seed);
  const auto source = c.Source();
  from.Store(source);
  if (Execute(ShuffleBackward(*made.value), false, from, to, *device, trial))
    ExpectSameBits(trial, "diff_src", c.data.type, c.data.dims, ExpectedShuffle(c, source),
                   to.Load());
}

// The type is the operation descriptor's own. Whether hints of another type are taken is open.
void BackwardAnyHasItsOwnType(const ShuffleCase& c, Trial& trial) {
  Device* device = DeviceFor(trial);
  if (device == nullptr) return;
  TensorSpec hint = c.data;
  hint.type = c.data.type == spec::Type::kF32 ? spec::Type::kS8 : spec::Type::kF32;
  const auto desc = DescFor(c.data, trial), hint_desc = DescFor(hint, trial);
  if (!desc || !hint_desc || !PrimitiveFor(c, *desc, *device, trial)) return;
  const int group = static_cast<int>(c.group);
  const auto made = Attempt([&] {
    const auto forward = ForwardPd(*hint_desc, c.axis, group, device->engine);
    return ShuffleBackward::primitive_desc(
        ShuffleBackward::desc(WithAny(c.data.type, c.data.dims), c.axis, group), device->engine,
        forward);
  });
  if (!made && trial.portable())
    return trial.LeftOpen(made.refusal, "backward with a hint of another type");
  if (!ExpectAccepted(trial, made, "backward with a hint of another type")) return;
  ExpectDescriptor(trial, "diff_src_desc()", "the hint's layout in its own type", *desc,
                   made.value->diff_src_desc()) &&
      ExpectDescriptor(trial, "diff_dst_desc()", "the hint's layout in its own type", *desc,
                       made.value->diff_dst_desc());
}

ShuffleLimits AllLayouts() {
  ShuffleLimits limits;
  limits.backward = true;
  limits.all_layouts = true;
  return limits;
}

const bool kDefined[] = {
    Define<ShuffleCase>(spec::SHU_011, "", AnyShuffle(AllLayouts()), BackwardAnyFollowsTheHint,
                        {"gapped", "region", "permuted", "tag"}),
    Define<ShuffleCase>(spec::SHU_011, "type", AnyShuffle(), BackwardAnyHasItsOwnType),
};

}  // namespace
}  // namespace conformance
