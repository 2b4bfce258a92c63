// handle: what engine, stream, memory, primitives, primitive descriptors, attributes and post-ops
// have in common. They behave like shared pointers: copying is shallow, a default-constructed or
// moved-from one is empty, and an empty one is good for copying, assigning, comparing and
// destroying only (ERR-010 to ERR-012, OBJ-006, OBJ-015).
#ifndef DNNSPEC_API_MODEL_HANDLE_HPP_
#define DNNSPEC_API_MODEL_HANDLE_HPP_

#include <memory>

namespace dnnl {
inline namespace dnnspec {

// The library's side of each class. Defined inside the library.
namespace state {
struct engine;
struct memory;
struct post_ops;
struct primitive;
struct primitive_attr;
struct primitive_desc;
struct stream;
struct access;  // the library's way to a handle's state
}  // namespace state

template <typename State>
struct handle {
  handle() = default;

  // True unless empty.
  explicit operator bool() const noexcept { return state_ != nullptr; }

  // The same object, not an equal one. Two empty handles are equal.
  bool operator==(const handle& other) const noexcept { return state_ == other.state_; }
  bool operator!=(const handle& other) const noexcept { return state_ != other.state_; }

 protected:
  std::shared_ptr<State> state_;

  friend struct state::access;
};

}  // namespace dnnspec
}  // namespace dnnl

#endif  // DNNSPEC_API_MODEL_HANDLE_HPP_
