// XNNPACK: its operators that move, convert and add. Debian 12 has one of early 2022, which has no
// transposition and whose operators are set up in one step; Debian 13 has one of late 2024.

#include <cpuinfo.h>
#include <pthreadpool.h>
#include <xnnpack.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "tools/benchmark/cases.h"
#include "tools/benchmark/peers/loops.h"
#include "tools/benchmark/peers/peer.h"
#include "tools/benchmark/subject.h"

namespace bench {
namespace {

pthreadpool_t pool = nullptr;  // null with one thread

// Rows of `channels` elements.
struct Rows {
  size_t count, channels, src_stride, dst_stride;
};

class Operator : public Runnable {
 public:
  Operator(xnn_operator_t op, std::string info) : op_(op), info_(std::move(info)) {}
  ~Operator() override { xnn_delete_operator(op_); }
  Operator(const Operator&) = delete;
  Operator& operator=(const Operator&) = delete;
  void Run() override { xnn_run_operator(op_, pool); }
  std::string Info() override { return info_; }

 private:
  const xnn_operator_t op_;
  const std::string info_;
};

bool Made(xnn_status status) { return status == xnn_status_success; }

// Each of the following is true if the operator `*op` is set up.

#ifdef XNN_FLAG_KEEP_DIMS  // late 2024

#define DNNSPEC_COPY(X)                                                                         \
  (Made(xnn_create_copy_nc_##X(0, op)) &&                                                       \
   Made(xnn_reshape_copy_nc_##X(*op, r.count, r.channels, r.src_stride, r.dst_stride, pool)) && \
   Made(xnn_setup_copy_nc_##X(*op, src, dst)))
#define DNNSPEC_SHUFFLE(X)                                                                         \
  (Made(xnn_create_channel_shuffle_nc_##X(groups, r.channels / groups, r.src_stride, r.dst_stride, \
                                          0, op)) &&                                               \
   Made(xnn_reshape_channel_shuffle_nc_##X(*op, r.count, pool)) &&                                 \
   Made(xnn_setup_channel_shuffle_nc_##X(*op, src, dst)))
#define DNNSPEC_TRANSPOSE(X)                                                                  \
  (Made(xnn_create_transpose_nd_##X(0, op)) &&                                                \
   Made(xnn_reshape_transpose_nd_##X(*op, shape.size(), shape.data(), order.data(), pool)) && \
   Made(xnn_setup_transpose_nd_##X(*op, src, dst)))

bool Transpose(int64_t size, const std::vector<size_t>& shape, const std::vector<size_t>& order,
               void* src, void* dst, xnn_operator_t* op) {
  if (shape.size() > XNN_MAX_TENSOR_DIMS) return false;
  return size == 4   ? DNNSPEC_TRANSPOSE(x32)
         : size == 2 ? DNNSPEC_TRANSPOSE(x16)
                     : DNNSPEC_TRANSPOSE(x8);
}

xnn_datatype TypeOf(const std::string& type) {
  return type == "f32"   ? xnn_datatype_fp32
         : type == "f16" ? xnn_datatype_fp16
         : type == "s8"  ? xnn_datatype_qint8
         : type == "u8"  ? xnn_datatype_quint8
                         : xnn_datatype_invalid;
}

bool Convert(const Case& c, const Rows& r, void* src, void* dst, xnn_operator_t* op) {
  const xnn_datatype from = TypeOf(c.src.type), to = TypeOf(c.dst.type);
  if (from == xnn_datatype_invalid || to == xnn_datatype_invalid) return false;
  const float scale = c.scale_mask == 0 ? 0.25f : 1;
  const bool quantizes = from == xnn_datatype_fp32 || from == xnn_datatype_fp16;
  const xnn_quantization_params src_params = {c.src_zero, quantizes ? 1 : scale};
  const xnn_quantization_params dst_params = {c.dst_zero, quantizes ? 1 / scale : 1};
  return Made(xnn_create_unary_elementwise_nc(xnn_unary_convert, from, to, nullptr, &src_params,
                                              &dst_params, 0, op)) &&
         Made(xnn_reshape_unary_elementwise_nc(*op, r.count, r.channels, r.src_stride, r.dst_stride,
                                               pool)) &&
         Made(xnn_setup_unary_elementwise_nc(*op, src, dst));
}

bool Add(size_t count, void* src, void* dst, xnn_operator_t* op) {
  const xnn_quantization_params none = {0, 1};
  return Made(xnn_create_binary_elementwise_nd(xnn_binary_add, xnn_datatype_fp32, &none, &none,
                                               &none, 0, op)) &&
         Made(xnn_reshape_binary_elementwise_nd(*op, 1, &count, 1, &count, pool)) &&
         Made(xnn_setup_binary_elementwise_nd(*op, src, dst, dst));
}

#else

#define DNNSPEC_COPY(X)                                                           \
  (Made(xnn_create_copy_nc_##X(r.channels, r.src_stride, r.dst_stride, 0, op)) && \
   Made(xnn_setup_copy_nc_##X(*op, r.count, src, dst, pool)))
#define DNNSPEC_SHUFFLE(X)                                                                         \
  (Made(xnn_create_channel_shuffle_nc_##X(groups, r.channels / groups, r.src_stride, r.dst_stride, \
                                          0, op)) &&                                               \
   Made(xnn_setup_channel_shuffle_nc_##X(*op, r.count, src, dst, pool)))
// The types' names in functions', of source and destination, and those of the pointers.
#define DNNSPEC_CONVERT(TYPES, ...) \
  (Made(xnn_create_convert_nc_##TYPES(n, is, os, __VA_ARGS__, 0, op)) && DNNSPEC_SET_UP(TYPES))
#define DNNSPEC_SET_UP(TYPES) Made(xnn_setup_convert_nc_##TYPES(*op, r.count, from, to, pool))

bool Transpose(int64_t, const std::vector<size_t>&, const std::vector<size_t>&, void*, void*,
               xnn_operator_t*) {
  return false;
}

// Passes for a pointer of any type.
struct Pointer {
  void* at;
  template <typename T>
  operator T*() const {
    return static_cast<T*>(at);
  }
};

bool Convert(const Case& c, const Rows& r, void* src, void* dst, xnn_operator_t* op) {
  const std::string types = c.src.type + c.dst.type;
  const size_t n = r.channels, is = r.src_stride, os = r.dst_stride;
  const float scale = c.scale_mask == 0 ? 0.25f : 1;
  const Pointer from = {src}, to = {dst};
  if (types == "f32f16")
    return Made(xnn_create_convert_nc_f32_f16(n, is, os, 0, op)) && DNNSPEC_SET_UP(f32_f16);
  if (types == "f16f32")
    return Made(xnn_create_convert_nc_f16_f32(n, is, os, 0, op)) && DNNSPEC_SET_UP(f16_f32);
  if (types == "f32s8")
    return DNNSPEC_CONVERT(f32_qs8, 1 / scale, static_cast<int8_t>(c.dst_zero), -128, 127);
  if (types == "f32u8")
    return DNNSPEC_CONVERT(f32_qu8, 1 / scale, static_cast<uint8_t>(c.dst_zero), 0, 255);
  if (types == "s8f32") return DNNSPEC_CONVERT(qs8_f32, scale, static_cast<int8_t>(c.src_zero));
  if (types == "u8f32") return DNNSPEC_CONVERT(qu8_f32, scale, static_cast<uint8_t>(c.src_zero));
  return false;
}

bool Add(size_t count, void* src, void* dst, xnn_operator_t* op) {
  auto* const sum = static_cast<float*>(dst);
  constexpr float kMost = 3.4028234e38f;  // no clamping
  return Made(xnn_create_add_nd_f32(-kMost, kMost, 0, op)) &&
         Made(xnn_setup_add_nd_f32(*op, 1, &count, 1, &count, static_cast<const float*>(src), sum,
                                   sum, pool));
}

#endif

bool Copy(int64_t size, const Rows& r, void* src, void* dst, xnn_operator_t* op) {
  return size == 4 ? DNNSPEC_COPY(x32) : size == 2 ? DNNSPEC_COPY(x16) : DNNSPEC_COPY(x8);
}

bool Shuffle(int64_t size, const Rows& r, size_t groups, void* src, void* dst, xnn_operator_t* op) {
  return size == 4 ? DNNSPEC_SHUFFLE(x32) : size == 1 ? DNNSPEC_SHUFFLE(x8) : false;
}

// Of dense operands: the extents in the order of the source, and which of them the destination's
// are.
bool OrderOf(const Loops& loops, std::vector<size_t>* shape, std::vector<size_t>* order) {
  std::vector<size_t> in_source(loops.size());
  for (size_t i = 0; i < loops.size(); ++i) in_source[i] = i;
  std::sort(in_source.begin(), in_source.end(),
            [&](size_t a, size_t b) { return loops[a].src > loops[b].src; });
  order->resize(loops.size());
  int64_t src_stride = 1, dst_stride = 1;
  for (size_t k = loops.size(); k-- > 0;) {
    const Loop& loop = loops[in_source[k]];
    if (loop.src != src_stride || loops[k].dst != dst_stride) return false;
    src_stride *= loop.count;
    dst_stride *= loops[k].count;
    (*order)[in_source[k]] = k;
  }
  shape->clear();
  for (size_t at : in_source) shape->push_back(static_cast<size_t>(loops[at].count));
  return true;
}

// The loops, if they are rows of contiguous elements.
bool RowsOf(const Loops& loops, Rows* rows) {
  const Loop& inner = loops.back();
  if (loops.size() > 2 || inner.src != 1 || inner.dst != 1) return false;
  const Loop outer = loops.size() == 2 ? loops[0] : Loop{1, inner.count, inner.count};
  *rows = {static_cast<size_t>(outer.count), static_cast<size_t>(inner.count),
           static_cast<size_t>(outer.src), static_cast<size_t>(outer.dst)};
  return outer.src >= inner.count;
}

// The name of the operator that is set up, if there is one.
const char* Make(const Case& c, void* src, void* dst, xnn_operator_t* op) {
  const Loops loops = LoopsOf(c);
  const int64_t size = SizeOf(c.src.type);
  Rows rows = {};
  const bool in_rows = RowsOf(loops, &rows);
  if (c.scale_mask > 0) return nullptr;
  if (c.sum) {
    const bool can = c.beta == 1 && c.scale_mask < 0 && c.src.type == "f32" && c.dst.type == "f32";
    return can && loops.size() == 1 && in_rows && Add(rows.channels, src, dst, op) ? "add"
                                                                                   : nullptr;
  }
  const bool quantizes = SizeOf(c.src.type) == 1 || SizeOf(c.dst.type) == 1;
  if (c.scale_mask == 0 && !quantizes) return nullptr;
  if (c.src.type != c.dst.type)
    return in_rows && Convert(c, rows, src, dst, op) ? "convert" : nullptr;
  if (c.scale_mask == 0 || c.src_zero != 0 || c.dst_zero != 0) return nullptr;
  if (in_rows) return Copy(size, rows, src, dst, op) ? "copy" : nullptr;
  const size_t last = loops.size() - 1;
  const int64_t channels = last > 0 ? loops[last].count * loops[last - 1].count : 0;
  if (c.kind == Kind::kShuffle && (last == 1 || (last == 2 && loops[0].src == channels)) &&
      loops[last].dst == 1 && loops[last - 1].src == 1) {
    const auto width = static_cast<size_t>(channels);
    rows = {last == 2 ? static_cast<size_t>(loops[0].count) : 1, width, width, width};
    if (Shuffle(size, rows, static_cast<size_t>(loops[last].count), src, dst, op))
      return "channel_shuffle";
  }
  std::vector<size_t> shape, order;
  if (!OrderOf(loops, &shape, &order)) return nullptr;
  return Transpose(size, shape, order, src, dst, op) ? "transpose" : nullptr;
}

// XNNPACK has no limit of its own: it asks cpuinfo, which here no longer tells of what is better.
void Limit(const std::string& cap) {
  cpuinfo_x86_isa& isa = cpuinfo_isa;
  if (cap == "SSE4" || cap == "AVX2") {
    isa.avx512f = isa.avx512cd = isa.avx512dq = isa.avx512bw = isa.avx512vl = isa.avx512vbmi =
        isa.avx512vnni = isa.gfni = isa.avx512bf16 = isa.avx512vbmi2 = false;
  }
  if (cap == "SSE4") isa.avx = isa.fma3 = isa.f16c = isa.avx2 = false;
}

std::string Instructions() {
  return cpuinfo_has_x86_avx512f() ? "AVX512" : cpuinfo_has_x86_avx2() ? "AVX2" : "SSE4";
}

}  // namespace

PeerInfo InitializePeer(int threads, const std::string& cap) {
  PeerInfo info;
  info.name = "XNNPACK";
#ifdef XNN_FLAG_KEEP_DIMS
  info.version = "2024";
#else
  info.version = "2022";
#endif
  cpuinfo_initialize();
  Limit(cap);
  info.instructions = Instructions();
  if (xnn_initialize(nullptr) != xnn_status_success) info.absent = "XNNPACK does not run here";
  if (threads > 1) pool = pthreadpool_create(static_cast<size_t>(threads));
  return info;
}

std::unique_ptr<Runnable> MakePeer(const Case& c, void* src, void* dst) {
  xnn_operator_t op = nullptr;
  const char* const name = Make(c, src, dst, &op);
  if (name != nullptr) return std::make_unique<Operator>(op, name);
  if (op != nullptr) xnn_delete_operator(op);
  return nullptr;
}

}  // namespace bench
