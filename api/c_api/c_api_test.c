/* A program in C99 that reorders, shuffles and reads everything back, through the C functions
   alone. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "dnnl.h"
#include "dnnl_debug.h"

#define CHECK(condition)                                             \
  do {                                                               \
    if (!(condition)) {                                              \
      printf("%s:%d: not so: %s\n", __FILE__, __LINE__, #condition); \
      exit(1);                                                       \
    }                                                                \
  } while (0)
#define OK(call) CHECK((call) == dnnl_success)

static dnnl_engine_t engine;
static dnnl_stream_t stream;

static dnnl_memory_t MemoryOf(const dnnl_memory_desc_t* md, void* data) {
  dnnl_memory_t memory;
  OK(dnnl_memory_create(&memory, md, engine, data));
  return memory;
}

static void Descriptors(void) {
  const dnnl_dims_t dims = {2, 3, 4}, part = {1, 2, 4}, at = {1, 1, 0}, flat = {24};
  const dnnl_dims_t strides = {1, 2, 6};
  const int turn[] = {2, 0, 1};
  dnnl_memory_desc_t md, other;
  OK(dnnl_memory_desc_init_by_tag(&md, 3, dims, dnnl_f32, dnnl_abc));
  CHECK(dnnl_memory_desc_get_size(&md) == 96 && dnnl_data_type_size(dnnl_bf16) == 2);
  OK(dnnl_memory_desc_init_by_strides(&other, 3, dims, dnnl_f32, strides));
  CHECK(!dnnl_memory_desc_equal(&md, &other));
  OK(dnnl_memory_desc_init_by_strides(&other, 3, dims, dnnl_f32, NULL));
  CHECK(dnnl_memory_desc_equal(&md, &other) && dnnl_memory_desc_equal(&md, &md));
  OK(dnnl_memory_desc_init_submemory(&other, &md, part, at));
  CHECK(other.offset0 == 16 && other.dims[1] == 2);
  OK(dnnl_memory_desc_reshape(&other, &md, 1, flat));
  CHECK(other.ndims == 1 && other.dims[0] == 24);
  OK(dnnl_memory_desc_permute_axes(&other, &md, turn));
  CHECK(other.dims[2] == 2 && other.dims[0] == 3);

  memset(&other, 0, sizeof(other));
  CHECK(dnnl_memory_desc_init_by_tag(&md, 2, dims, dnnl_f32, dnnl_abc) == dnnl_invalid_arguments);
  CHECK(dnnl_memory_desc_init_by_tag(&md, 13, dims, dnnl_f32, dnnl_abc) == dnnl_invalid_arguments);
  CHECK(dnnl_memory_desc_init_by_tag(NULL, 3, dims, dnnl_f32, dnnl_abc) == dnnl_invalid_arguments);
  CHECK(dnnl_memory_desc_init_by_tag(&md, 3, NULL, dnnl_f32, dnnl_abc) == dnnl_invalid_arguments);
  CHECK(dnnl_memory_desc_reshape(&md, NULL, 1, flat) == dnnl_invalid_arguments);
  CHECK(dnnl_memory_desc_permute_axes(&md, &md, NULL) == dnnl_invalid_arguments);
  CHECK(dnnl_memory_desc_init_submemory(&other, &md, at, NULL) == dnnl_invalid_arguments);
  CHECK(!dnnl_memory_desc_equal(&md, NULL) && dnnl_memory_desc_get_size(NULL) == 0);
}

static void Memories(void) {
  const dnnl_dims_t dims = {3};
  float data[3] = {1, 2, 3};
  dnnl_memory_desc_t md;
  const dnnl_memory_desc_t* seen;
  dnnl_memory_t memory;
  dnnl_engine_t on;
  void *handle, *mapped;
  OK(dnnl_memory_desc_init_by_tag(&md, 1, dims, dnnl_f32, dnnl_a));
  strcpy(md.extra.reserved, "mine");
  memory = MemoryOf(&md, data);
  OK(dnnl_memory_get_memory_desc(memory, &seen));
  CHECK(dnnl_memory_desc_equal(seen, &md) && strcmp(seen->extra.reserved, "mine") == 0);
  OK(dnnl_memory_get_engine(memory, &on));
  CHECK(on == engine);
  OK(dnnl_memory_get_data_handle(memory, &handle));
  CHECK(handle == data);
  OK(dnnl_memory_map_data(memory, &mapped));
  CHECK(((float*)mapped)[2] == 3.f);
  CHECK(dnnl_memory_set_data_handle(memory, NULL) == dnnl_invalid_arguments); /* MEM-022 */
  OK(dnnl_memory_unmap_data(memory, mapped));
  OK(dnnl_memory_set_data_handle(memory, NULL));
  OK(dnnl_memory_set_data_handle_v2(memory, DNNL_MEMORY_ALLOCATE, stream));
  OK(dnnl_memory_get_data_handle(memory, &handle));
  CHECK(handle != NULL && handle != data);
  OK(dnnl_memory_destroy(memory));
  OK(dnnl_memory_destroy(NULL));
  CHECK(dnnl_memory_create(NULL, &md, engine, NULL) == dnnl_invalid_arguments);
  CHECK(dnnl_memory_create(&memory, NULL, engine, NULL) == dnnl_invalid_arguments);
  CHECK(dnnl_memory_create(&memory, &md, NULL, NULL) == dnnl_invalid_arguments);
  CHECK(dnnl_memory_get_data_handle(NULL, &handle) == dnnl_invalid_arguments);
}

static void Attributes(void) {
  const float scales[] = {2.f, 0.5f};
  const int32_t zero_point = 7;
  dnnl_primitive_attr_t attr, copy;
  dnnl_post_ops_t ops;
  const_dnnl_post_ops_t seen_ops, again;
  dnnl_scratchpad_mode_t mode;
  dnnl_fpmath_mode_t fpmath;
  dnnl_data_type_t type;
  dnnl_dim_t count;
  const float* seen;
  const int32_t* seen_points;
  float scale, shift;
  int mask;
  OK(dnnl_primitive_attr_create(&attr));
  OK(dnnl_primitive_attr_get_output_scales(attr, &count, &mask, &seen));
  CHECK(count == 1 && mask == 0 && seen[0] == 1.f);
  OK(dnnl_primitive_attr_set_output_scales(attr, 2, 1 << 1, scales));
  OK(dnnl_primitive_attr_set_scratchpad_mode(attr, dnnl_scratchpad_mode_user));
  OK(dnnl_primitive_attr_set_fpmath_mode(attr, dnnl_fpmath_mode_bf16));
  OK(dnnl_primitive_attr_set_zero_points(attr, DNNL_ARG_SRC, 1, 0, &zero_point));
  OK(dnnl_primitive_attr_set_scales(attr, DNNL_ARG_SRC_1, 2, 1, scales));
  OK(dnnl_primitive_attr_set_rnn_data_qparams(attr, 3.f, 4.f));
  OK(dnnl_primitive_attr_set_rnn_weights_qparams(attr, 2, 1, scales));
  OK(dnnl_primitive_attr_set_rnn_weights_projection_qparams(attr, 2, 2, scales));

  OK(dnnl_post_ops_create(&ops));
  OK(dnnl_post_ops_append_sum_v3(ops, 0.25f, 3, dnnl_s8));
  OK(dnnl_primitive_attr_set_post_ops(attr, ops));
  OK(dnnl_post_ops_append_sum(ops, 1.f));
  OK(dnnl_primitive_attr_get_post_ops(attr, &seen_ops));
  CHECK(dnnl_post_ops_len(seen_ops) == 1 && dnnl_post_ops_len(ops) == 2);
  OK(dnnl_primitive_attr_get_post_ops(attr, &again));
  CHECK(again == seen_ops);
  OK(dnnl_post_ops_get_params_sum_v3(seen_ops, 0, &scale, &mask, &type));
  CHECK(scale == 0.25f && mask == 3 && type == dnnl_s8);
  OK(dnnl_primitive_attr_set_post_ops(attr, ops));
  OK(dnnl_primitive_attr_get_post_ops(attr, &again));
  CHECK(dnnl_post_ops_len(again) == 2);
  OK(dnnl_post_ops_destroy(ops));

  OK(dnnl_primitive_attr_clone(&copy, attr));
  OK(dnnl_primitive_attr_destroy(attr));
  OK(dnnl_primitive_attr_get_output_scales(copy, &count, &mask, &seen));
  CHECK(count == 2 && mask == 2 && seen[0] == 2.f && seen[1] == 0.5f);
  OK(dnnl_primitive_attr_get_scratchpad_mode(copy, &mode));
  OK(dnnl_primitive_attr_get_fpmath_mode(copy, &fpmath));
  CHECK(mode == dnnl_scratchpad_mode_user && fpmath == dnnl_fpmath_mode_bf16);
  OK(dnnl_primitive_attr_get_zero_points(copy, DNNL_ARG_SRC, &count, &mask, &seen_points));
  CHECK(count == 1 && seen_points[0] == 7);
  OK(dnnl_primitive_attr_get_zero_points(copy, DNNL_ARG_DST, &count, &mask, &seen_points));
  CHECK(count == 1 && mask == 0 && seen_points[0] == 0);
  OK(dnnl_primitive_attr_get_scales(copy, DNNL_ARG_SRC_1, &count, &mask, &seen));
  CHECK(count == 2 && mask == 1 && seen[1] == 0.5f);
  OK(dnnl_primitive_attr_get_rnn_data_qparams(copy, &scale, &shift));
  CHECK(scale == 3.f && shift == 4.f);
  OK(dnnl_primitive_attr_get_rnn_weights_qparams(copy, &count, &mask, &seen));
  CHECK(count == 2 && mask == 1);
  OK(dnnl_primitive_attr_get_rnn_weights_projection_qparams(copy, &count, &mask, &seen));
  CHECK(count == 2 && mask == 2);
  CHECK(dnnl_primitive_attr_set_output_scales(copy, 0, 0, NULL) == dnnl_invalid_arguments);
  CHECK(dnnl_primitive_attr_set_output_scales(copy, 2, 0, NULL) == dnnl_invalid_arguments);
  CHECK(dnnl_primitive_attr_set_output_scales(copy, -1, 0, scales) == dnnl_invalid_arguments);
  CHECK(dnnl_primitive_attr_set_scales(copy, DNNL_ARG_MEAN, 1, 0, scales) ==
        dnnl_invalid_arguments);
  CHECK(dnnl_primitive_attr_set_zero_points(copy, DNNL_ARG_MEAN, 1, 0, &zero_point) ==
        dnnl_unimplemented);
  CHECK(dnnl_primitive_attr_get_scratchpad_mode(copy, NULL) == dnnl_invalid_arguments);
  CHECK(dnnl_primitive_attr_get_post_ops(NULL, &again) == dnnl_invalid_arguments);
  OK(dnnl_primitive_attr_destroy(copy));
}

static void PostOps(void) {
  const float scales[] = {2.f};
  const dnnl_dims_t dims = {3};
  dnnl_memory_desc_t md;
  const dnnl_memory_desc_t* src1;
  dnnl_post_ops_t ops;
  dnnl_alg_kind_t kind;
  dnnl_data_type_t weights, bias, dst;
  dnnl_dim_t kernel, stride, padding, count;
  const float* seen;
  float scale, alpha, beta;
  int mask;
  OK(dnnl_memory_desc_init_by_tag(&md, 1, dims, dnnl_f32, dnnl_a));
  OK(dnnl_post_ops_create(&ops));
  OK(dnnl_post_ops_append_sum_v2(ops, 2.f, dnnl_f32));
  OK(dnnl_post_ops_append_eltwise(ops, 1.f, dnnl_eltwise_relu, 0.1f, 0.2f));
  OK(dnnl_post_ops_append_dw(ops, dnnl_s8, dnnl_f32, dnnl_u8, 5, 2, 1, 1, 0, scales));
  OK(dnnl_post_ops_append_dw_k3s1p1(ops, dnnl_s8, dnnl_f32, dnnl_u8, 1, 0, scales));
  OK(dnnl_post_ops_append_dw_k3s2p1(ops, dnnl_s8, dnnl_f32, dnnl_u8, 1, 0, scales));
  OK(dnnl_post_ops_append_binary(ops, dnnl_binary_add, &md));
  OK(dnnl_post_ops_append_prelu(ops, 2));
  CHECK(dnnl_post_ops_len(ops) == 7 && dnnl_post_ops_get_kind(ops, 5) == dnnl_binary);
  CHECK(dnnl_post_ops_get_kind(ops, 7) == dnnl_undefined_primitive && dnnl_post_ops_len(NULL) == 0);
  OK(dnnl_post_ops_get_params_sum(ops, 0, &scale));
  OK(dnnl_post_ops_get_params_sum_v2(ops, 0, &scale, &dst));
  CHECK(scale == 2.f && dst == dnnl_f32);
  OK(dnnl_post_ops_get_params_eltwise(ops, 1, &scale, &kind, &alpha, &beta));
  CHECK(scale == 1.f && kind == dnnl_eltwise_relu && alpha == 0.1f && beta == 0.2f);
  OK(dnnl_post_ops_get_params_dw(ops, 2, &weights, &bias, &dst, &kernel, &stride, &padding, &count,
                                 &mask, &seen));
  CHECK(weights == dnnl_s8 && bias == dnnl_f32 && dst == dnnl_u8 && kernel == 5 && stride == 2);
  CHECK(padding == 1 && count == 1 && mask == 0 && seen[0] == 2.f);
  OK(dnnl_post_ops_get_params_dw(ops, 3, NULL, NULL, NULL, &kernel, &stride, &padding, NULL, NULL,
                                 NULL));
  CHECK(kernel == 3 && stride == 1 && padding == 1);
  OK(dnnl_post_ops_get_params_dw_k3s1p1(ops, 3, &weights, &bias, &dst, &count, &mask, &seen));
  OK(dnnl_post_ops_get_params_dw_k3s2p1(ops, 4, &weights, &bias, &dst, &count, &mask, &seen));
  OK(dnnl_post_ops_get_params_binary(ops, 5, &kind, &src1));
  CHECK(kind == dnnl_binary_add && dnnl_memory_desc_equal(src1, &md));
  OK(dnnl_post_ops_get_params_prelu(ops, 6, &mask));
  CHECK(mask == 2);
  CHECK(dnnl_post_ops_get_params_prelu(ops, 0, &mask) == dnnl_invalid_arguments);
  CHECK(dnnl_post_ops_get_params_sum(ops, -1, &scale) == dnnl_invalid_arguments);
  CHECK(dnnl_post_ops_get_params_sum(NULL, 0, &scale) == dnnl_invalid_arguments);
  CHECK(dnnl_post_ops_append_eltwise(ops, 1.f, dnnl_binary_add, 0, 0) == dnnl_invalid_arguments);
  CHECK(dnnl_post_ops_append_binary(ops, dnnl_binary_add, NULL) == dnnl_invalid_arguments);
  OK(dnnl_post_ops_destroy(ops));
}

static void Reorder(void) {
  const dnnl_dims_t dims = {2, 3};
  const float scale = 10.f;
  float from[6] = {0, 1, 2, 3, 4, 5}, to[6];
  const float expected[6] = {0, 30, 10, 40, 20, 50};
  dnnl_memory_desc_t rows, columns;
  dnnl_primitive_attr_t attr;
  const_dnnl_primitive_attr_t seen_attr;
  dnnl_primitive_desc_t pd, clone;
  const_dnnl_primitive_desc_t of_primitive;
  dnnl_primitive_t primitive;
  dnnl_memory_t src, dst;
  dnnl_exec_arg_t args[2];
  const dnnl_memory_desc_t* seen;
  dnnl_primitive_kind_t kind;
  dnnl_prop_kind_t prop;
  dnnl_engine_t on;
  dnnl_dim_t bytes, count;
  const char* text;
  const float* scales;
  int mask;
  OK(dnnl_memory_desc_init_by_tag(&rows, 2, dims, dnnl_f32, dnnl_ab));
  OK(dnnl_memory_desc_init_by_tag(&columns, 2, dims, dnnl_f32, dnnl_ba));
  OK(dnnl_primitive_attr_create(&attr));
  OK(dnnl_primitive_attr_set_output_scales(attr, 1, 0, &scale));
  OK(dnnl_reorder_primitive_desc_create(&pd, &rows, engine, &columns, engine, attr));
  OK(dnnl_primitive_attr_destroy(attr));
  OK(dnnl_primitive_desc_clone(&clone, pd));
  OK(dnnl_primitive_desc_destroy(pd));

  OK(dnnl_primitive_desc_query(clone, dnnl_query_primitive_kind, 0, &kind));
  OK(dnnl_primitive_desc_query(clone, dnnl_query_engine, 0, &on));
  CHECK(kind == dnnl_reorder && on == engine);
  OK(dnnl_primitive_desc_query(clone, dnnl_query_scratchpad_engine, 0, &on));
  OK(dnnl_primitive_desc_query(clone, dnnl_query_reorder_src_engine, 0, &on));
  OK(dnnl_primitive_desc_query(clone, dnnl_query_reorder_dst_engine, 0, &on));
  CHECK(on == engine);
  OK(dnnl_primitive_desc_query(clone, dnnl_query_memory_consumption_s64, 0, &bytes));
  CHECK(bytes == 0);
  OK(dnnl_primitive_desc_query(clone, dnnl_query_impl_info_str, 0, (void*)&text));
  CHECK(strlen(text) > 0);
  CHECK(dnnl_primitive_desc_query(clone, dnnl_query_prop_kind, 0, &prop) == dnnl_unimplemented);
  CHECK(dnnl_primitive_desc_query(clone, dnnl_query_shuffle_d, 0, (void*)&seen) ==
        dnnl_unimplemented);
  CHECK(dnnl_primitive_desc_query_s32(clone, dnnl_query_num_of_inputs_s32, 0) == 1);
  CHECK(dnnl_primitive_desc_query_s32(clone, dnnl_query_num_of_outputs_s32, 0) == 1);
  seen = dnnl_primitive_desc_query_md(clone, dnnl_query_dst_md, 0);
  CHECK(dnnl_memory_desc_equal(seen, &columns));
  CHECK(seen == dnnl_primitive_desc_query_md(clone, dnnl_query_exec_arg_md, DNNL_ARG_DST));
  CHECK(dnnl_primitive_desc_query_md(clone, dnnl_query_weights_md, 0)->ndims == 0);
  CHECK(dnnl_primitive_desc_query_md(clone, dnnl_query_engine, 0) == NULL);
  OK(dnnl_primitive_desc_get_attr(clone, &seen_attr));
  OK(dnnl_primitive_attr_get_output_scales(seen_attr, &count, &mask, &scales));
  CHECK(count == 1 && mask == 0 && scales[0] == 10.f);

  OK(dnnl_primitive_create(&primitive, clone));
  OK(dnnl_primitive_get_primitive_desc(primitive, &of_primitive));
  OK(dnnl_primitive_desc_query(of_primitive, dnnl_query_primitive_kind, 0, &kind));
  OK(dnnl_primitive_desc_destroy(clone));
  src = MemoryOf(&rows, from);
  dst = MemoryOf(&columns, to);
  args[0].arg = DNNL_ARG_DST;
  args[0].memory = dst;
  args[1].arg = DNNL_ARG_SRC;
  args[1].memory = src;
  OK(dnnl_primitive_execute(primitive, stream, 2, args));
  OK(dnnl_stream_wait(stream));
  CHECK(memcmp(to, expected, sizeof(to)) == 0);
  CHECK(dnnl_primitive_execute(primitive, stream, 1, args) == dnnl_invalid_arguments);
  CHECK(dnnl_primitive_execute(primitive, stream, 2, NULL) == dnnl_invalid_arguments);
  CHECK(dnnl_primitive_execute(primitive, NULL, 2, args) == dnnl_invalid_arguments);
  args[1].memory = NULL;
  CHECK(dnnl_primitive_execute(primitive, stream, 2, args) == dnnl_invalid_arguments);
  OK(dnnl_memory_destroy(src));
  OK(dnnl_memory_destroy(dst));
  OK(dnnl_primitive_destroy(primitive));
  columns.dims[0] = columns.padded_dims[0] = 4;
  CHECK(dnnl_reorder_primitive_desc_create(&pd, &rows, engine, &columns, engine, NULL) ==
        dnnl_invalid_arguments);
}

static void Shuffle(void) {
  const dnnl_dims_t dims = {1, 6};
  int from[6] = {0, 1, 2, 3, 4, 5}, to[6], back[6];
  const int expected[6] = {0, 2, 4, 1, 3, 5};
  dnnl_memory_desc_t md;
  dnnl_shuffle_desc_t forward, backward;
  const dnnl_shuffle_desc_t* seen;
  dnnl_primitive_desc_iterator_t iterator;
  dnnl_primitive_desc_t pd, backward_pd;
  dnnl_primitive_t primitive, inverse;
  dnnl_prop_kind_t prop;
  dnnl_memory_t src, dst, result;
  dnnl_exec_arg_t args[2], back_args[2];
  int steps = 0;
  OK(dnnl_memory_desc_init_by_tag(&md, 2, dims, dnnl_s32, dnnl_ab));
  OK(dnnl_shuffle_forward_desc_init(&forward, dnnl_forward_inference, &md, 1, 2));
  OK(dnnl_shuffle_backward_desc_init(&backward, &md, 1, 2));
  CHECK(dnnl_shuffle_forward_desc_init(&forward, dnnl_forward_inference, &md, 1, 4) ==
        dnnl_invalid_arguments);
  CHECK(dnnl_shuffle_forward_desc_init(&forward, dnnl_forward_inference, &md, 1,
                                       ((dnnl_dim_t)1 << 32) + 2) == dnnl_invalid_arguments);
  CHECK(dnnl_shuffle_forward_desc_init(NULL, dnnl_forward, &md, 1, 2) == dnnl_invalid_arguments);

  OK(dnnl_primitive_desc_iterator_create(&iterator, &forward, NULL, engine, NULL));
  pd = dnnl_primitive_desc_iterator_fetch(iterator);
  CHECK(pd != NULL);
  while (dnnl_primitive_desc_iterator_next(iterator) == dnnl_success) ++steps;
  CHECK(steps < 100 && dnnl_primitive_desc_iterator_next(iterator) == dnnl_iterator_ends);
  OK(dnnl_primitive_desc_iterator_destroy(iterator));
  OK(dnnl_primitive_desc_query(pd, dnnl_query_prop_kind, 0, &prop));
  CHECK(prop == dnnl_forward_inference);
  OK(dnnl_primitive_desc_query(pd, dnnl_query_op_d, 0, (void*)&seen));
  CHECK(seen->axis == 1 && seen->group_size == 2 && seen->prop_kind == dnnl_forward_inference);

  CHECK(dnnl_primitive_desc_create(&backward_pd, &backward, NULL, engine, NULL) ==
        dnnl_invalid_arguments);
  OK(dnnl_primitive_desc_create(&backward_pd, &backward, NULL, engine, pd));
  OK(dnnl_primitive_create(&primitive, pd));
  OK(dnnl_primitive_create(&inverse, backward_pd));
  OK(dnnl_primitive_desc_destroy(pd));
  OK(dnnl_primitive_desc_destroy(backward_pd));
  src = MemoryOf(&md, from);
  dst = MemoryOf(&md, to);
  result = MemoryOf(&md, back);
  args[0].arg = DNNL_ARG_SRC;
  args[0].memory = src;
  args[1].arg = DNNL_ARG_DST;
  args[1].memory = dst;
  back_args[0].arg = DNNL_ARG_DIFF_DST;
  back_args[0].memory = dst;
  back_args[1].arg = DNNL_ARG_DIFF_SRC;
  back_args[1].memory = result;
  OK(dnnl_primitive_execute(primitive, stream, 2, args));
  OK(dnnl_primitive_execute(inverse, stream, 2, back_args));
  OK(dnnl_stream_wait(stream));
  CHECK(memcmp(to, expected, sizeof(to)) == 0 && memcmp(back, from, sizeof(back)) == 0);
  OK(dnnl_memory_destroy(src));
  OK(dnnl_memory_destroy(dst));
  OK(dnnl_memory_destroy(result));
  OK(dnnl_primitive_destroy(primitive));
  OK(dnnl_primitive_destroy(inverse));
  forward.primitive_kind = dnnl_deconvolution;
  CHECK(dnnl_primitive_desc_create(&pd, &forward, NULL, engine, NULL) == dnnl_unimplemented);
}

static void Service(void) {
  int capacity;
  dnnl_fpmath_mode_t mode;
  OK(dnnl_get_primitive_cache_capacity(&capacity));
  CHECK(capacity == 256);
  OK(dnnl_set_primitive_cache_capacity(2));
  CHECK(dnnl_set_primitive_cache_capacity(-1) == dnnl_invalid_arguments);
  OK(dnnl_get_primitive_cache_capacity(&capacity));
  CHECK(capacity == 2);
  OK(dnnl_get_default_fpmath_mode(&mode));
  OK(dnnl_set_default_fpmath_mode(mode));
  OK(dnnl_set_verbose(0));
  CHECK(dnnl_set_verbose(7) == dnnl_invalid_arguments);
  OK(dnnl_set_max_cpu_isa(dnnl_get_effective_cpu_isa()));
  OK(dnnl_set_cpu_isa_hints(dnnl_get_cpu_isa_hints()));
  CHECK(dnnl_set_jit_dump(1) == dnnl_unimplemented);
  CHECK(dnnl_set_jit_profiling_flags(1) == dnnl_unimplemented);
  CHECK(dnnl_set_jit_profiling_jitdumpdir("/tmp") == dnnl_unimplemented);
  CHECK(dnnl_get_primitive_cache_capacity(NULL) == dnnl_invalid_arguments);
}

int main(void) {
  dnnl_engine_kind_t kind;
  dnnl_engine_t on;
  CHECK(dnnl_engine_get_count(dnnl_cpu) == 1 && dnnl_engine_get_count(dnnl_any_engine) == 0);
  OK(dnnl_engine_create(&engine, dnnl_cpu, 0));
  CHECK(dnnl_engine_create(&on, dnnl_cpu, 1) == dnnl_invalid_arguments);
  CHECK(dnnl_engine_create(NULL, dnnl_cpu, 0) == dnnl_invalid_arguments);
  OK(dnnl_engine_get_kind(engine, &kind));
  CHECK(kind == dnnl_cpu && strcmp(dnnl_engine_kind2str(kind), "cpu") == 0);
  OK(dnnl_stream_create(&stream, engine, dnnl_stream_default_flags));
  CHECK(dnnl_stream_create(&stream, engine, 77) == dnnl_invalid_arguments);
  OK(dnnl_stream_get_engine(stream, &on));
  CHECK(on == engine);

  Descriptors();
  Memories();
  Attributes();
  PostOps();
  Reorder();
  Shuffle();
  Service();

  OK(dnnl_engine_destroy(engine)); /* the stream keeps what it needs */
  OK(dnnl_stream_wait(stream));
  OK(dnnl_stream_destroy(stream));
  OK(dnnl_stream_destroy(NULL));
  return 0;
}
