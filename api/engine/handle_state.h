// Declares the base of every object behind a handle, and the way from a handle to it.
#ifndef DNNSPEC_API_ENGINE_HANDLE_STATE_H_
#define DNNSPEC_API_ENGINE_HANDLE_STATE_H_

#include <memory>
#include <mutex>
#include <utility>

#include "api/engine/fork.h"
#include "oneapi/dnnl/engine/handle.hpp"

namespace dnnspec {
namespace state {

// The names that the library uses. They are the C API's because a C handle points to them.
using engine = ::dnnl_engine;
using memory = ::dnnl_memory;
using post_ops = ::dnnl_post_ops;
using primitive = ::dnnl_primitive;
using primitive_attr = ::dnnl_primitive_attr;
using primitive_desc = ::dnnl_primitive_desc;
using stream = ::dnnl_stream;

// Guards every `shared`: making and destroying C handles is no hot path.
inline std::mutex& c_reference_mutex() {
  static std::mutex* const mutex = [] {
    auto* const made = new std::mutex;
    api::KeepThroughForks<&c_reference_mutex>();
    return made;
  }();
  return *mutex;
}

// Base of them all: the references that C create functions gave and nobody took back. Copies of the
// values are new objects.
template <typename Object>
class shared : public std::enable_shared_from_this<Object> {
 public:
  shared() = default;
  shared(const shared&) noexcept : std::enable_shared_from_this<Object>() {}
  shared& operator=(const shared&) noexcept { return *this; }

  // One more.
  void give_c_reference() const {
    std::shared_ptr<const Object> self = this->shared_from_this();
    std::lock_guard<std::mutex> lock(c_reference_mutex());
    if (c_references_++ == 0) c_owner_ = std::move(self);
  }

  // One less; false if there is none. May destroy *this.
  bool take_c_reference() const {
    std::shared_ptr<const Object> last;  // is destroyed after the lock
    std::lock_guard<std::mutex> lock(c_reference_mutex());
    if (c_references_ == 0) return false;
    if (--c_references_ == 0) last = std::move(c_owner_);
    return true;
  }

 private:
  mutable std::shared_ptr<const Object> c_owner_;  // holds *this while there are any
  mutable int c_references_ = 0;
};

// To instantiate in the file that implements Object.
template <typename Object>
std::shared_ptr<Object> reference<Object>::to(Object* from, bool weak) {
  std::shared_ptr<Object> reference = from->shared_from_this();
  if (!weak) from->take_c_reference();
  return reference;
}

struct access {
  // Null for an empty handle.
  template <typename T>
  static const std::shared_ptr<typename dnnl::handle_traits<T>::object>& of(
      const dnnl::handle<T>& from) {
    return from.state_;
  }

  template <typename Handle, typename State>
  static Handle make(std::shared_ptr<State> state) {
    Handle made;
    made.state_ = std::move(state);
    return made;
  }
};

}  // namespace state
}  // namespace dnnspec

// In this layer's own sources.
namespace dnnl {
namespace state = dnnspec::state;
}  // namespace dnnl

#endif  // DNNSPEC_API_ENGINE_HANDLE_STATE_H_
