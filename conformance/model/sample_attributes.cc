#include "conformance/model/sample_attributes.h"

#include <algorithm>
#include <utility>

#include "conformance/gen/values.h"
#include "conformance/memory/descriptor_case.h"
#include "conformance/model/attribute_text.h"

namespace conformance {

using dnnl::primitive_attr;
using dnnl::query;
using dnnl::scratchpad_mode;

int64_t CountOfScales(const SamplePlan& plan, int mask) {
  int64_t count = 1;
  for (int axis = 0; axis < plan.to.rank(); ++axis)
    if ((mask >> axis & 1) != 0) count *= plan.to.dims[static_cast<size_t>(axis)];
  return count;
}

dnnl::memory ScaleAtExecution(const SamplePlan& plan, int mask, float scale, const Device& device,
                              primitive_attr* attr) {
  attr->set_output_scales(mask, {DNNL_RUNTIME_F32_VAL});
  const int64_t count = CountOfScales(plan, mask);
  const dnnl::memory scales({{count}, dnnl::memory::data_type::f32, dnnl::memory::format_tag::x},
                            device.engine);
  float* const mapped = scales.map_data<float>();
  std::fill(mapped, mapped + count, scale);
  scales.unmap_data(mapped);
  return scales;
}

primitive_attr AnyAttributesFor(const SamplePlan& plan, Random& random, bool run_time) {
  primitive_attr attr;
  attr.set_scratchpad_mode(random.Chance(50) ? scratchpad_mode::user : scratchpad_mode::library);
  const int axes = plan.kind->scaled_axes & ((1 << plan.to.rank()) - 1);
  if (axes == 0) return attr;
  if (random.Chance(60)) {
    const int mask = random.Chance(50) ? 0 : static_cast<int>(random.Between(1, axes)) & axes;
    std::vector<float> scales(static_cast<size_t>(CountOfScales(plan, mask)));
    for (float& scale : scales) scale = static_cast<float>(random.Between(2, 9));
    if (run_time && random.Chance(30)) scales = {DNNL_RUNTIME_F32_VAL};
    attr.set_output_scales(mask, scales);
  }
  dnnl::post_ops ops;
  if (random.Chance(60)) ops.append_sum(static_cast<float>(random.Between(1, 4)));
  // What moves elements takes no functions.
  if (!plan.kind->is_mandatory && random.Chance(40))
    ops.append_eltwise(1.f, dnnl::algorithm::eltwise_linear, 2.f, 1.f);
  if (ops.len() > 0) attr.set_post_ops(ops);
  if (random.Chance(20)) Attempt([&] { attr.set_zero_points(DNNL_ARG_SRC, 0, {3}); });
  return attr;
}

void SampleWithAttributesRefused(const SamplePlan& plan, const primitive_attr& attr,
                                 const Refusal& refusal, Trial& trial) {
  std::vector<std::string> features;
  int mask = 0;
  std::vector<float> scales;
  attr.get_output_scales(mask, scales);
  if (scales.size() == 1 && WordOf(scales[0]) == WordOf(DNNL_RUNTIME_F32_VAL)) {
    features.emplace_back("run-time scales");
  } else if (mask != 0 || scales != std::vector<float>{1.f}) {
    features.emplace_back(mask == 0 ? "scale" : "mask");
  }
  const dnnl::post_ops ops = attr.get_post_ops();
  for (int k = 0; k < ops.len(); ++k)
    features.emplace_back(ops.kind(k) == dnnl::primitive::kind::sum ? "sum" : "eltwise");
  std::vector<int32_t> zero_points;
  attr.get_zero_points(DNNL_ARG_SRC, mask, zero_points);
  if (zero_points == std::vector<int32_t>{3}) features.emplace_back("zero points");
  if (features.empty()) return SampleRefused(plan, refusal, trial);
  SampleRefusedWith(plan, std::move(features), refusal, trial);
}

namespace {

constexpr query kDescriptorQueries[] = {
    query::src_md, query::diff_src_md, query::weights_md,   query::diff_weights_md,
    query::dst_md, query::diff_dst_md, query::workspace_md, query::scratchpad_md};

}  // namespace

std::string StateOf(const dnnl::primitive_desc_base& pd) {
  std::string state = pd.impl_info_str();
  for (const query what : kDescriptorQueries) {
    const dnnl::memory::desc desc = pd.query_md(what);
    state += ' ' + Text(desc.dims()) + std::to_string(desc.get_size());
  }
  for (const int arg :
       {DNNL_ARG_SRC, DNNL_ARG_DST, DNNL_ARG_DIFF_SRC, DNNL_ARG_DIFF_DST, DNNL_ARG_WEIGHTS,
        DNNL_ARG_BIAS, DNNL_ARG_DIFF_WEIGHTS, DNNL_ARG_SCRATCHPAD})
    state += ' ' + std::to_string(pd.query_md(query::exec_arg_md, arg).get_size());
  return state + ' ' + std::to_string(pd.query_s64(query::memory_consumption_s64)) + ' ' +
         TextOf(pd.get_primitive_attr());
}

}  // namespace conformance
