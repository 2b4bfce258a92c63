// Primitive descriptors: an operation, on an engine, with attributes, as one implementation does
// it. They are queried without making a primitive (PRIM-002).
//
// Source: oneDNN introduction page, "Levels of Abstraction"; requirements PRIM-001 to PRIM-018.
#ifndef DNNSPEC_API_MODEL_PRIMITIVE_DESC_HPP_
#define DNNSPEC_API_MODEL_PRIMITIVE_DESC_HPP_

#include <memory>

#include "oneapi/dnnl/engine/engine.hpp"
#include "oneapi/dnnl/engine/handle.hpp"
#include "oneapi/dnnl/memory/memory.hpp"
#include "oneapi/dnnl/model/attributes.hpp"
#include "oneapi/dnnl/model/primitive.hpp"
#include "oneapi/dnnl/types/abi.h"
#include "oneapi/dnnl/types/c_handles.h"
#include "oneapi/dnnl/types/enums.hpp"

namespace dnnl {

// Immutable, and shared by copies. Every member but the constructor fails on an empty one.
struct primitive_desc_base : public handle<dnnl_primitive_desc_t> {
  // Empty.
  primitive_desc_base() = default;

  // As handle::reset.
  DNNSPEC_ABI explicit primitive_desc_base(dnnl_primitive_desc_t from, bool weak = false)
      : handle(from, weak) {}

  // Where it executes. For a reorder between engines of two kinds, the one that is not a CPU
  //
  DNNSPEC_ABI engine get_engine() const;

  // Names the implementation and what it decided, in one line. Lives as long as some copy of this
  // descriptor that was not advanced by next_impl.
  DNNSPEC_ABI const char* impl_info_str() const;

  // memory_consumption_s64: bytes of scratchpad that the library provides for an execution, 0 with
  // scratchpad_mode::user. Other queries are an error.
  DNNSPEC_ABI memory::dim query_s64(query what) const;

  // The descriptor of argument number `idx` of its sort (src_md, diff_dst_md, ...), or of the
  // argument DNNL_ARG_... = `idx` (exec_arg_md). The zero descriptor if there is none. A query that
  // is not for a descriptor is an error.
  DNNSPEC_ABI memory::desc query_md(query what, int idx = 0) const;

  DNNSPEC_ABI memory::desc src_desc(int idx) const { return query_md(query::src_md, idx); }
  DNNSPEC_ABI memory::desc dst_desc(int idx) const { return query_md(query::dst_md, idx); }
  DNNSPEC_ABI memory::desc weights_desc(int idx) const { return query_md(query::weights_md, idx); }
  DNNSPEC_ABI memory::desc diff_src_desc(int idx) const {
    return query_md(query::diff_src_md, idx);
  }
  DNNSPEC_ABI memory::desc diff_dst_desc(int idx) const {
    return query_md(query::diff_dst_md, idx);
  }
  DNNSPEC_ABI memory::desc diff_weights_desc(int idx) const {
    return query_md(query::diff_weights_md, idx);
  }

  DNNSPEC_ABI memory::desc src_desc() const { return src_desc(0); }
  DNNSPEC_ABI memory::desc dst_desc() const { return dst_desc(0); }
  DNNSPEC_ABI memory::desc weights_desc() const { return weights_desc(0); }
  DNNSPEC_ABI memory::desc diff_src_desc() const { return diff_src_desc(0); }
  DNNSPEC_ABI memory::desc diff_dst_desc() const { return diff_dst_desc(0); }
  DNNSPEC_ABI memory::desc diff_weights_desc() const { return diff_weights_desc(0); }
  DNNSPEC_ABI memory::desc workspace_desc() const { return query_md(query::workspace_md, 0); }

  // What DNNL_ARG_SCRATCHPAD must be in scratchpad_mode::user; zero if nothing is needed, and in
  // scratchpad_mode::library (ATTR-009 to ATTR-011).
  DNNSPEC_ABI memory::desc scratchpad_desc() const { return query_md(query::scratchpad_md, 0); }
  DNNSPEC_ABI engine scratchpad_engine() const;

  // A copy: changing it changes nothing here (ATTR-004).
  DNNSPEC_ABI primitive_attr get_primitive_attr() const;

  DNNSPEC_ABI primitive::kind get_kind() const;

 protected:
  // One more handle of what `from` stands for, which may be null. Refuses a descriptor of another
  // kind. `prop` is forward, backward_data or, where the kind has none, undef.
  DNNSPEC_ABI primitive_desc_base(dnnl_primitive_desc_t from, dnnl::primitive::kind kind,
                                  prop_kind prop = prop_kind::undef);

  using base = primitive_desc_base;
};

// Descriptors of primitives that have an operation descriptor.
struct primitive_desc : public primitive_desc_base {
  // Empty.
  primitive_desc() = default;

  // As handle::reset.
  DNNSPEC_ABI explicit primitive_desc(dnnl_primitive_desc_t from, bool weak = false)
      : primitive_desc_base(from, weak) {}

  // Goes on to the next implementation of the same operation, best first. False, and no change,
  // when there is no further one. Copies stay where they are.
  DNNSPEC_ABI bool next_impl();

 protected:
  DNNSPEC_ABI primitive_desc(dnnl_primitive_desc_t from, dnnl::primitive::kind kind, prop_kind prop)
      : primitive_desc_base(from, kind, prop) {}

  // Unused. With them the size is that of 2.6.3's class, and so a process that holds programs built
  // against either may share what std:: makes of it.
  bool unused_flag_ = false;
  std::shared_ptr<void> unused_;
};

}  // namespace dnnl

#endif  // DNNSPEC_API_MODEL_PRIMITIVE_DESC_HPP_
