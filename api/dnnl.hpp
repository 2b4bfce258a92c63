// The public C++ API: everything, by including it. Reachable as "dnnl.hpp" and as
// "oneapi/dnnl/dnnl.hpp". Source-compatible with the oneDNN 2.6 header for engines, streams,
// memory, attributes, convolution, eltwise, inner product, reorder and shuffle.
//
//   #include "oneapi/dnnl/dnnl.hpp"
//   using namespace dnnl;
//
//   engine cpu(engine::kind::cpu, 0);
//   stream queue(cpu);
//   memory::desc nchw({2, 16, 7, 7}, memory::data_type::f32, memory::format_tag::nchw);
//   memory::desc nhwc({2, 16, 7, 7}, memory::data_type::f32, memory::format_tag::nhwc);
//   memory src(nchw, cpu), dst(nhwc, cpu);
//   reorder(src, dst).execute(queue, src, dst);
//   queue.wait();
//
// Where to look: engine/ for error, engine and stream; memory/ for descriptors, format tags and
// buffers; model/ for primitives, attributes and post-ops; then a folder for each primitive. The
// headers of the standard library are those that oneDNN's brings along.
//
// Threads: engines, primitive descriptors and primitives do not change once made, and may be used
// from several threads at once. A stream is used by one thread at a time, and so is whatever a call
// changes: a memory's buffer or mapping, attributes, post-ops.
#ifndef DNNSPEC_API_DNNL_HPP_
#define DNNSPEC_API_DNNL_HPP_

// IWYU pragma: begin_exports
#include <algorithm>
#include <cstdlib>
#include <iterator>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "oneapi/dnnl/convolution/convolution.hpp"
#include "oneapi/dnnl/dnnl.h"
#include "oneapi/dnnl/eltwise/eltwise.hpp"
#include "oneapi/dnnl/engine/engine.hpp"
#include "oneapi/dnnl/engine/error.hpp"
#include "oneapi/dnnl/engine/stream.hpp"
#include "oneapi/dnnl/inner_product/inner_product.hpp"
#include "oneapi/dnnl/memory/memory.hpp"
#include "oneapi/dnnl/model/absent.hpp"
#include "oneapi/dnnl/model/attributes.hpp"
#include "oneapi/dnnl/model/post_ops.hpp"
#include "oneapi/dnnl/model/primitive.hpp"
#include "oneapi/dnnl/model/primitive_desc.hpp"
#include "oneapi/dnnl/model/service.hpp"
#include "oneapi/dnnl/reorder/reorder.hpp"
#include "oneapi/dnnl/shuffle/shuffle.hpp"
#include "oneapi/dnnl/types/enums.hpp"
// IWYU pragma: end_exports

#endif  // DNNSPEC_API_DNNL_HPP_
