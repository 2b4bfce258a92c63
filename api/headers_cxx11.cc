#include "api/headers_cxx11.h"

#include "oneapi/dnnl/dnnl.hpp"

std::size_t UseAsCxx11(int rows) {
  using namespace oneapi::dnnl;
  engine cpu(engine::kind::cpu, 0);
  stream queue(cpu);
  memory::desc md({rows, 3}, memory::data_type::f32, memory::format_tag::ab);
  memory src(md, cpu), dst(md, cpu);
  primitive_attr attr;
  post_ops ops;
  ops.append_sum(0.f);
  attr.set_post_ops(ops);
  reorder(src, dst, attr).execute(queue, src, dst);
  shuffle_forward::primitive_desc pd(shuffle_forward::desc(prop_kind::forward_scoring, md, 1, 3),
                                     cpu);
  shuffle_forward(pd).execute(queue, {{DNNL_ARG_SRC, src}, {DNNL_ARG_DST, dst}});
  queue.wait();
  return pd.dst_desc().get_size();
}

long CplusplusOfCxx11() { return __cplusplus; }
