#include "examples/plugin-cpu/operations.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "examples/plugin-cpu/plugin.h"

namespace plugin {
namespace {

// Axis `axis` becomes an outer one of `parts` and an inner one; `transposed` changes their order.
void SplitAxis(int32_t axis, int64_t parts, bool transposed, Tensor* tensor) {
  const Axis whole = tensor->axes[axis];
  const int64_t inner = whole.extent / parts;
  tensor->axes[axis] = {parts, whole.stride * inner};
  tensor->axes.insert(tensor->axes.begin() + axis + 1, {inner, whole.stride});
  if (transposed) std::swap(tensor->axes[axis], tensor->axes[axis + 1]);
}

dnnspec_status ReadAttributes(const dnnspec_attributes& given, ReorderOperation* reorder) {
  dnnspec_attributes attributes;
  if (dnnspec_read(&given, &attributes, sizeof(attributes)) == 0)
    return Unimplemented("newer than this plug-in");
  if (attributes.zero_point_count > 0 || attributes.scales_count > 1 ||
      attributes.post_op_count > 1)
    return Unimplemented("one scale and one sum are translated");
  reorder->computes = true;
  if (attributes.scales_count == 1) {
    dnnspec_scales scales;
    if (dnnspec_read(attributes.scales[0], &scales, sizeof(scales)) == 0 || scales.mask != 0 ||
        scales.run_time != 0)
      return Unimplemented("one scale that is known beforehand is translated");
    reorder->scale = scales.values[0];
  }
  if (attributes.post_op_count == 1) {
    dnnspec_sum sum;
    const dnnspec_post_op* const op = attributes.post_ops[0];
    if (op->kind != DNNSPEC_POST_OP_SUM || dnnspec_read(op, &sum, sizeof(sum)) == 0 ||
        sum.data_type != reorder->dst.type)
      return Unimplemented("a sum of the destination's type is translated");
    reorder->beta = sum.scale;
  }
  return DNNSPEC_OK;
}

// Dense, the last axis innermost: what these plug-ins answer `any` with.
dnnspec_layout Chosen(const dnnspec_layout& open) {
  dnnspec_layout layout = open;
  layout.kind = DNNSPEC_LAYOUT_STRIDED;
  int64_t stride = 1;
  for (int32_t j = layout.rank - 1; j >= 0; --j) {
    layout.strides[j] = stride;
    stride *= std::max<int64_t>(layout.dims[j], 1);
  }
  return layout;
}

}  // namespace

dnnspec_status ReadShuffle(const dnnspec_operation& operation, const dnnspec_layout* chosen,
                           CopyOperation* copy) {
  dnnspec_shuffle_params params;
  if (dnnspec_read(operation.params, &params, sizeof(params)) == 0)
    return Unimplemented("newer than this plug-in");
  if (chosen != nullptr) return Unimplemented("no layout is chosen for a shuffle");
  const bool forward = operation.prop_kind < DNNSPEC_BACKWARD;
  const std::optional<Tensor> src =
      Read(operation, forward ? DNNSPEC_ARG_SRC : DNNSPEC_ARG_DIFF_DST);
  const std::optional<Tensor> dst =
      Read(operation, forward ? DNNSPEC_ARG_DST : DNNSPEC_ARG_DIFF_SRC);
  if (!src || !dst) return Unimplemented("plain layouts are translated");
  *copy = {*src, *dst};
  if (!IsEmpty(*src)) {
    // forward: dst, as G x C/G, is src, as C/G x G, transposed
    const int64_t groups = params.group_size;
    const int64_t others = src->axes[params.axis].extent / groups;
    SplitAxis(params.axis, forward ? others : groups, false, &copy->src);
    SplitAxis(params.axis, forward ? groups : others, true, &copy->dst);
  }
  return DNNSPEC_OK;
}

dnnspec_status ReadReorder(const dnnspec_operation& operation, ReorderOperation* reorder) {
  const std::optional<Tensor> src = Read(operation, DNNSPEC_ARG_SRC);
  const std::optional<Tensor> dst = Read(operation, DNNSPEC_ARG_DST);
  if (!src || !dst) return Unimplemented("plain layouts are translated");
  reorder->src = *src;
  reorder->dst = *dst;
  return operation.attributes == nullptr ? DNNSPEC_OK
                                         : ReadAttributes(*operation.attributes, reorder);
}

dnnspec_status ReadProduct(const dnnspec_operation& operation, dnnspec_layout* chosen,
                           Product* product) {
  if (operation.attributes != nullptr) return Unimplemented("no attributes are translated");
  product->prop_kind = operation.prop_kind;
  for (uint32_t k = 0; k < operation.tensor_count; ++k) {
    dnnspec_tensor given;
    if (dnnspec_read(operation.tensors[k], &given, sizeof(given)) == 0)
      return Unimplemented("newer than this plug-in");
    if (given.layout.kind == DNNSPEC_LAYOUT_ANY) given.layout = *chosen++ = Chosen(given.layout);
    const std::optional<Tensor> tensor = ReadLayout(given.layout);
    if (!tensor || tensor->type != DNNSPEC_F32)
      return Unimplemented("plain layouts of f32 are translated");
    const int at = static_cast<int>(k);
    switch (given.argument) {
      case DNNSPEC_ARG_SRC:
      case DNNSPEC_ARG_DIFF_SRC:
        product->src = *tensor, product->src_at = at;
        break;
      case DNNSPEC_ARG_WEIGHTS:
      case DNNSPEC_ARG_DIFF_WEIGHTS:
        product->weights = *tensor, product->weights_at = at;
        break;
      case DNNSPEC_ARG_DST:
      case DNNSPEC_ARG_DIFF_DST:
        product->dst = *tensor, product->dst_at = at;
        break;
      case DNNSPEC_ARG_BIAS:
      case DNNSPEC_ARG_DIFF_BIAS:
        product->bias = *tensor, product->bias_at = at;
        break;
      default:
        return Unimplemented("another tensor than those of a product");
    }
  }
  return DNNSPEC_OK;
}

dnnspec_status ReadEltwise(const dnnspec_operation& operation, const dnnspec_layout* chosen,
                           EltwiseOperation* eltwise) {
  dnnspec_eltwise_params params;
  if (dnnspec_read(operation.params, &params, sizeof(params)) == 0)
    return Unimplemented("newer than this plug-in");
  if (chosen != nullptr) return Unimplemented("no layout is chosen for eltwise");
  if (operation.attributes != nullptr) return Unimplemented("no attributes are translated");
  eltwise->algorithm = params.algorithm;
  eltwise->alpha = params.alpha;
  eltwise->beta = params.beta;
  eltwise->forward = operation.prop_kind < DNNSPEC_BACKWARD;
  for (uint32_t k = 0; k < operation.tensor_count; ++k) {
    const dnnspec_tensor& tensor = *operation.tensors[k];
    const std::optional<Tensor> read = Read(operation, tensor.argument);
    if (!read || read->type != DNNSPEC_F32)
      return Unimplemented("plain layouts of f32 are translated");
    const int at = static_cast<int>(k);
    if (tensor.access == DNNSPEC_WRITE) {
      eltwise->result = *read, eltwise->result_at = at;
    } else if (tensor.argument == DNNSPEC_ARG_DIFF_DST) {
      eltwise->diff_dst = *read, eltwise->diff_dst_at = at;
    } else {
      eltwise->data = *read, eltwise->data_at = at;
    }
  }
  return DNNSPEC_OK;
}

}  // namespace plugin
