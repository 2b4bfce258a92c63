// handle: what engine, stream, memory, primitives, primitive descriptors, attributes and post-ops
// have in common. They behave like shared pointers: copying is shallow, a default-constructed or
// moved-from one is empty, and an empty one is good for copying, assigning, comparing and
// destroying only (ERR-010 to ERR-012, OBJ-006, OBJ-015).
#ifndef DNNSPEC_API_ENGINE_HANDLE_HPP_
#define DNNSPEC_API_ENGINE_HANDLE_HPP_

#include <memory>
#include <type_traits>

#include "oneapi/dnnl/engine/error.hpp"
#include "oneapi/dnnl/types/abi.h"
#include "oneapi/dnnl/types/c_handles.h"

namespace dnnspec {
namespace state {

struct access;  // the library's way to what is behind a handle

// Inside the library.
template <typename Object>
struct reference {
  // The one to `from` that a C create function gave, or one more if `weak`.
  static std::shared_ptr<Object> to(Object* from, bool weak);
};
extern template struct reference<const dnnl_engine>;
extern template struct reference<const dnnl_primitive>;
extern template struct reference<const dnnl_primitive_desc>;
extern template struct reference<dnnl_memory>;
extern template struct reference<dnnl_post_ops>;
extern template struct reference<dnnl_primitive_attr>;
extern template struct reference<dnnl_stream>;

}  // namespace state
}  // namespace dnnspec

namespace dnnl {

// `object` is what a handle of type T keeps alive. Nobody changes an engine, a primitive or its
// descriptor.
template <typename T>
struct handle_traits {
  using object = typename std::remove_pointer<T>::type;
};
template <>
struct handle_traits<dnnl_engine_t> {
  using object = const dnnl_engine;
};
template <>
struct handle_traits<dnnl_primitive_t> {
  using object = const dnnl_primitive;
};
template <>
struct handle_traits<dnnl_primitive_desc_t> {
  using object = const dnnl_primitive_desc;
};

template <typename T, typename traits = handle_traits<T>>
struct handle {
  handle() = default;

  // See reset.
  DNNSPEC_ABI explicit handle(T from, bool weak = false) { reset(from, weak); }

  // Holds what the C handle `from` stands for; null makes this empty. The reference that a C create
  // function gave is taken over, so that nobody may destroy `from` any more. With `weak` it stays
  // with its owner, as it must where `from` came from a getter or another object's get(); what it
  // stands for lives as long as either.
  DNNSPEC_ABI void reset(T from, bool weak = false) {
    state_ = from == nullptr ? nullptr
                             : dnnspec::state::reference<typename traits::object>::to(from, weak);
  }

  // The C handle, which lives as long as some copy of this object. Null or, unless `allow_empty`,
  // an error if there is none.
  DNNSPEC_ABI T get(bool allow_empty = false) const {
    if (state_ == nullptr && !allow_empty)
      error::wrap_c_api(dnnl_invalid_arguments, "handle::get: the object is empty (ERR-011)");
    return const_cast<T>(state_.get());
  }
  DNNSPEC_ABI explicit operator T() const { return get(true); }

  // True unless empty.
  DNNSPEC_ABI explicit operator bool() const noexcept { return state_ != nullptr; }

  // The same object, not an equal one. Two empty handles are equal.
  DNNSPEC_ABI bool operator==(const handle& other) const noexcept { return state_ == other.state_; }
  DNNSPEC_ABI bool operator!=(const handle& other) const noexcept { return state_ != other.state_; }

 protected:
  std::shared_ptr<typename traits::object> state_;

  friend struct dnnspec::state::access;
};

}  // namespace dnnl

#endif  // DNNSPEC_API_ENGINE_HANDLE_HPP_
