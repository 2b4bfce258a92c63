// Operations in the words of plugin_abi.h, and back.
//
// Nothing here knows a primitive: whatever its kind, an operation is tensors, attributes and
// parameters. A primitive that has parameters names their struct in C (ItsParams::C) and has two
// functions between the two, ToC and FromC, beside its operation.
#ifndef DNNSPEC_API_PLUGIN_TRANSLATE_H_
#define DNNSPEC_API_PLUGIN_TRANSLATE_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <type_traits>
#include <variant>

#include "absl/container/inlined_vector.h"
#include "absl/status/status.h"
#include "api/spi/implementation.h"
#include "api/spi/plugin_abi.h"

namespace spi {

// The struct of a topic's parameters in C; nothing where there are no parameters.
template <class P, bool kEmpty = std::is_empty_v<P>>
struct InC {
  using Type = typename P::C;
};
template <class P>
struct InC<P, true> {
  using Type = std::monostate;
};

// Of each kind of operation, in the order of Params.
template <class P>
struct EachInC;
template <class... P>
struct EachInC<std::variant<P...>> {
  using Type = std::variant<typename InC<P>::Type...>;
};

union CPostOp {
  dnnspec_post_op head;
  dnnspec_sum sum;
  dnnspec_eltwise eltwise;
};

// A list as plugin_abi.h has them, pointers, with what they point to. `As` is how an Element
// begins.
template <class Element, size_t kUsual, class As = Element>
class CList {
 public:
  // A new one, all 0.
  Element& Add() { return elements_.emplace_back(); }
  uint32_t size() const { return static_cast<uint32_t>(elements_.size()); }

  // Valid until something is added.
  const As* const* data() {
    pointers_.clear();
    for (const Element& element : elements_)
      pointers_.push_back(reinterpret_cast<const As*>(&element));
    return pointers_.data();
  }

 private:
  absl::InlinedVector<Element, kUsual> elements_;
  absl::InlinedVector<const As*, kUsual> pointers_;
};

// An operation in C. Points into itself and into the operation it was made from: it is neither
// copied nor kept.
class COperation {
 public:
  explicit COperation(const Operation& operation);
  COperation(const COperation&) = delete;
  COperation& operator=(const COperation&) = delete;

  const dnnspec_operation* get() const { return &operation_; }

 private:
  void SetAttributes(const Attributes& attributes);

  dnnspec_operation operation_ = {};
  CList<dnnspec_tensor, 2> tensors_;
  EachInC<Params>::Type params_;
  dnnspec_attributes attributes_ = {};
  CList<dnnspec_scales, 1> scales_;
  CList<dnnspec_zero_point, 2> zero_points_;
  CList<CPostOp, 1, dnnspec_post_op> post_ops_;
};

// What a legal operation says; nullopt where a newer host says what this program does not know.
std::optional<Operation> FromC(const dnnspec_operation& operation);

dnnspec_layout ToC(const Layout& layout);

// nullopt where a field has a value that no layout has, whatever the others: what this gives can
// be computed with, and may still be illegal. The owner is not taken over.
std::optional<Layout> FromC(const dnnspec_layout& c);

// Whatever its fields are: "layout of kind 9, data type 3, rank 200, 0 blocks".
std::string ToString(const dnnspec_layout& c);

// What a plug-in says, as one line of at most some hundred characters: others end with "...".
std::string OneLine(const char* text);

// With `message`, if it is not null, as the text, in one line.
absl::Status FromC(dnnspec_status status, const char* message);
dnnspec_status ToC(const absl::Status& status);

}  // namespace spi

#endif  // DNNSPEC_API_PLUGIN_TRANSLATE_H_
