// dnnl::memory and dnnl::memory::desc: a tensor's shape and layout, and the buffer that holds it.
//
//   // A 2x3 matrix in rows of 8 elements, in the caller's buffer.
//   dnnl::memory::desc md({2, 3}, dnnl::memory::data_type::f32, dnnl::memory::dims{8, 1});
//   dnnl::memory rows(md, engine, buffer);
//
// Dims, strides and offsets count elements; sizes count bytes. Element i of a plain descriptor lies
// at start + sum_j i[j] * strides[j] (MD-008). The order of dims is logical and never depends on
// the layout (MD-009).
//
// Source: oneDNN "Memory Formats" page; requirements MD-001 to MD-113, MEM-001 to MEM-032.
#ifndef DNNSPEC_API_MEMORY_MEMORY_HPP_
#define DNNSPEC_API_MEMORY_MEMORY_HPP_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "oneapi/dnnl/engine/engine.hpp"
#include "oneapi/dnnl/engine/error.hpp"
#include "oneapi/dnnl/engine/handle.hpp"
#include "oneapi/dnnl/engine/stream.hpp"
#include "oneapi/dnnl/memory/c_desc.h"
#include "oneapi/dnnl/memory/c_tags.h"
#include "oneapi/dnnl/types/abi.h"
#include "oneapi/dnnl/types/c_handles.h"

namespace dnnl {

// Throws invalid_arguments with the given text unless `v` has at least `min_size` elements and,
// where `max_size` is not negative, at most `max_size`.
template <typename T>
DNNSPEC_ABI void validate_container_size(const T& v, const char* error_message, int min_size = 1,
                                         int max_size = -1) {
  const auto below = [&v](int size) {
    return size > 0 && v.size() < static_cast<std::size_t>(size);
  };
  const bool above = max_size >= 0 && v.size() > static_cast<std::size_t>(max_size);
  if (below(min_size) || above) error::wrap_c_api(dnnl_invalid_arguments, error_message);
}

// Copies share descriptor, buffer and contents (OBJ-007). While one thread replaces, maps or unmaps
// the buffer, no other may use it, through a copy either.
struct memory : public handle<dnnl_memory_t> {
  using dim = dnnl_dim_t;
  using dims = std::vector<dim>;

  // Refuses more values than a descriptor has dims, and fewer than `min_size` (MD-024).
  template <typename T>
  DNNSPEC_ABI static void validate_dims(const std::vector<T>& v, int min_size = 0) {
    validate_container_size(
        v, "memory::validate_dims: the number of dims is not in [min_size, 12] (MD-024)", min_size,
        DNNL_MAX_NDIMS);
  }

  enum class data_type {
    undef = dnnl_data_type_undef,
    f16 = dnnl_f16,
    bf16 = dnnl_bf16,
    f32 = dnnl_f32,
    s32 = dnnl_s32,
    s8 = dnnl_s8,
    u8 = dnnl_u8,
  };

  // Bytes of one element; 0 for undef and for what is no data type.
  DNNSPEC_ABI static std::size_t data_type_size(data_type type);

  enum class format_kind {
    undef = dnnl_format_kind_undef,
    any = dnnl_format_kind_any,
    blocked = dnnl_blocked,
    wino = dnnl_format_kind_wino,
    packed = dnnl_format_kind_rnn_packed,
  };

  // Dense layouts by name; see c_tags.h for how a name is read, and why none is blocked.
  enum class format_tag {
    undef = dnnl_format_tag_undef,
    any = dnnl_format_tag_any,

    a = dnnl_a,

    ab = dnnl_ab,
    ba = dnnl_ba,

    abc = dnnl_abc,
    acb = dnnl_acb,
    bac = dnnl_bac,
    bca = dnnl_bca,
    cba = dnnl_cba,

    abcd = dnnl_abcd,
    abdc = dnnl_abdc,
    acbd = dnnl_acbd,
    acdb = dnnl_acdb,
    adbc = dnnl_adbc,
    adcb = dnnl_adcb,
    bacd = dnnl_bacd,
    bcda = dnnl_bcda,
    cdba = dnnl_cdba,
    dcab = dnnl_dcab,

    abcde = dnnl_abcde,
    abced = dnnl_abced,
    abdec = dnnl_abdec,
    acbde = dnnl_acbde,
    acdeb = dnnl_acdeb,
    adecb = dnnl_adecb,
    bacde = dnnl_bacde,
    bcdea = dnnl_bcdea,
    cdeba = dnnl_cdeba,
    decab = dnnl_decab,

    abcdef = dnnl_abcdef,
    abcdfe = dnnl_abcdfe,
    abdefc = dnnl_abdefc,
    abdfce = dnnl_abdfce,
    acbdef = dnnl_acbdef,
    adefcb = dnnl_adefcb,
    defcab = dnnl_defcab,

    abcdefg = dnnl_abcdefg,
    abcdegf = dnnl_abcdegf,
    abcdefgh = dnnl_abcdefgh,
    abcdefhg = dnnl_abcdefhg,
    abcdefghi = dnnl_abcdefghi,
    abcdefgih = dnnl_abcdefgih,
    abcdefghij = dnnl_abcdefghij,
    abcdefghji = dnnl_abcdefghji,
    abcdefghijk = dnnl_abcdefghijk,
    abcdefghikj = dnnl_abcdefghikj,
    abcdefghijkl = dnnl_abcdefghijkl,
    abcdefghijlk = dnnl_abcdefghijlk,

    format_tag_last = dnnl_format_tag_last,

    x = a,

    nc = ab,
    cn = ba,
    tn = ab,
    nt = ba,
    ncw = abc,
    nwc = acb,
    nchw = abcd,
    nhwc = acdb,
    chwn = bcda,
    ncdhw = abcde,
    ndhwc = acdeb,

    oi = ab,
    io = ba,
    oiw = abc,
    owi = acb,
    wio = cba,
    iwo = bca,
    oihw = abcd,
    hwio = cdba,
    ohwi = acdb,
    ihwo = bcda,
    iohw = bacd,
    oidhw = abcde,
    iodhw = bacde,
    dhwio = cdeba,
    odhwi = acdeb,
    idhwo = bcdea,

    goiw = abcd,
    gowi = abdc,
    gwio = adcb,
    wigo = dcab,
    goihw = abcde,
    gohwi = abdec,
    ghwio = adecb,
    hwigo = decab,
    giohw = acbde,
    goidhw = abcdef,
    godhwi = abdefc,
    gdhwio = adefcb,
    giodhw = acbdef,
    dhwigo = defcab,

    tnc = abc,
    ntc = bac,
    ldnc = abcd,
    ldigo = abcde,
    ldgoi = abdec,
    ldio = abcd,
    ldoi = abdc,
    ldgo = abcd,
  };

  // A shape, a data type and a layout, without data. A plain value: copies are independent, and one
  // descriptor serves every engine (OBJ-001, OBJ-026).
  //
  // With `allow_empty`, whatever would throw gives the zero descriptor instead (ERR-006 to
  // ERR-009).
  struct desc {
    dnnl_memory_desc_t data;

    // The zero descriptor: no tensor, "argument absent". Not a tensor with a dim of 0 (MD-018).
    DNNSPEC_ABI desc() : data() {}

    // Dense in the order of the tag. The rank is 1 to 12 and equal to the number of the tag's
    // letters; dims are >= 0 or DNNL_RUNTIME_DIM_VAL. `any` leaves the layout to a primitive and
    // takes no run-time dims. Empty dims give the zero descriptor.
    DNNSPEC_ABI desc(const memory::dims& adims, memory::data_type type, memory::format_tag tag,
                     bool allow_empty = false);

    // One stride for each dim. Sorted by stride, each stride must reach past the next one's whole
    // extent (strides[outer] >= strides[inner] * dims[inner]), dims of 1 excepted. A stride of 0
    // repeats one element along its dim, and makes the layout a source only. Strides may be
    // DNNL_RUNTIME_DIM_VAL; then none is compared. Empty strides mean dense row-major.
    DNNSPEC_ABI desc(const memory::dims& adims, memory::data_type type, const memory::dims& strides,
                     bool allow_empty = false);

    // Unchecked: whatever takes the descriptor checks it.
    DNNSPEC_ABI desc(const dnnl_memory_desc_t& from) : data(from) {}

    // The region of `adims` elements that starts at `offsets`: element x of it is element
    // x + offsets of this tensor, in the same buffer (MD-070, MD-071).
    DNNSPEC_ABI desc submemory_desc(const memory::dims& adims, const memory::dims& offsets,
                                    bool allow_empty = false) const;

    // The same elements, in the same row-major logical order, under new dims of equal product.
    // Dims of 1 come and go freely, a dim is split whatever its stride, and neighbours are joined
    // where strides[i] == strides[i + 1] * dims[i + 1]; all else is an error (MD-085 to MD-099).
    DNNSPEC_ABI desc reshape(const memory::dims& adims, bool allow_empty = false) const;

    // Axes renamed: result.dims[permutation[i]] == dims[i], strides likewise (MD-105, MD-106).
    DNNSPEC_ABI desc permute_axes(const std::vector<int>& permutation,
                                  bool allow_empty = false) const;

    DNNSPEC_ABI memory::data_type data_type() const {
      return static_cast<memory::data_type>(data.data_type);
    }

    // A copy.
    DNNSPEC_ABI memory::dims dims() const;

    // Bytes that a buffer must have. 0 for the zero descriptor, for `any` and when some dim is 0;
    // DNNL_RUNTIME_SIZE_VAL with run-time dims or strides. For strided tensors, which need less,
    // the largest dims[j] * strides[j]; for regions, up to the last element.
    DNNSPEC_ABI std::size_t get_size() const;

    DNNSPEC_ABI bool is_zero() const { return data.ndims == 0; }
    DNNSPEC_ABI explicit operator bool() const { return data.ndims != 0; }

    // Same type, dims, start, and layout; strides of dims of 1 do not count. Equal
    // descriptors need no reorder between them (MD-044).
    DNNSPEC_ABI bool operator==(const desc& other) const;
    DNNSPEC_ABI bool operator!=(const desc& other) const { return !operator==(other); }
  };

  // Empty; as an argument of a primitive, "absent" (ERR-013).
  memory() = default;

  // As handle::reset.
  DNNSPEC_ABI explicit memory(dnnl_memory_t from, bool weak = false) : handle(from, weak) {}

  // `ahandle` is the caller's buffer of at least md.get_size() bytes, aligned for its element type,
  // which must outlive this memory and all work on it; or DNNL_MEMORY_ALLOCATE for one that the
  // library owns, contents unspecified; or DNNL_MEMORY_NONE for none yet. Reads and writes nothing.
  // When some dim is 0 every handle is accepted and none is touched (MEM-017).
  //
  // On a Vulkan engine `ahandle` is a handle of that engine, as get_data_handle gives it, and any
  // other address is invalid_arguments; buffers of the application come by dnnl_vulkan.hpp. A
  // descriptor that is `any` or has run-time values is invalid_arguments too (MEM-015).
  DNNSPEC_ABI memory(const desc& md, const engine& aengine, void* ahandle);

  // As with DNNL_MEMORY_ALLOCATE.
  DNNSPEC_ABI memory(const desc& md, const engine& aengine);

  DNNSPEC_ABI desc get_desc() const;
  DNNSPEC_ABI engine get_engine() const;

  // The buffer: its address on a CPU engine, elsewhere a name for it, which need not be an address.
  // Null if there is none.
  DNNSPEC_ABI void* get_data_handle() const;

  // Replaces the buffer for all copies, with the meanings of the constructor's handle. A buffer
  // that the library owned is released, once unfinished work on it is done. The stream is a hint,
  // and may be empty. Refused while mapped.
  DNNSPEC_ABI void set_data_handle(void* ahandle, const stream& astream) const;
  DNNSPEC_ABI void set_data_handle(void* ahandle) const;

  // A host address of the contents, in the descriptor's layout and of get_size() bytes, readable
  // and writable until unmap_data. Waits for what its own engine does with this memory; a copy from
  // another engine is there after the wait() of its stream. Mapping again before that gives the
  // same address, and wants as many unmaps; an engine that maps a copy executes nothing on the
  // memory meanwhile (MEM-022). Null if there is no buffer (MEM-018 to MEM-024).
  template <typename T = void>
  DNNSPEC_ABI T* map_data() const {
    return static_cast<T*>(map_raw());
  }

  // Makes what was written visible to later executions. `mapped` came from map_data (MEM-025).
  DNNSPEC_ABI void unmap_data(void* mapped) const;

  static dnnl_data_type_t convert_to_c(data_type value) {
    return static_cast<dnnl_data_type_t>(value);
  }
  static dnnl_format_tag_t convert_to_c(format_tag value) {
    return static_cast<dnnl_format_tag_t>(value);
  }

 private:
  DNNSPEC_ABI void* map_raw() const;
};

// The fields of desc::data compare with the scoped enumerations.
inline bool operator==(dnnl_data_type_t a, memory::data_type b) {
  return a == memory::convert_to_c(b);
}
inline bool operator!=(dnnl_data_type_t a, memory::data_type b) { return !(a == b); }
inline bool operator==(memory::data_type a, dnnl_data_type_t b) { return b == a; }
inline bool operator!=(memory::data_type a, dnnl_data_type_t b) { return !(b == a); }
inline bool operator==(dnnl_format_tag_t a, memory::format_tag b) {
  return a == memory::convert_to_c(b);
}
inline bool operator!=(dnnl_format_tag_t a, memory::format_tag b) { return !(a == b); }
inline bool operator==(memory::format_tag a, dnnl_format_tag_t b) { return b == a; }
inline bool operator!=(memory::format_tag a, dnnl_format_tag_t b) { return !(b == a); }

}  // namespace dnnl

#endif  // DNNSPEC_API_MEMORY_MEMORY_HPP_
