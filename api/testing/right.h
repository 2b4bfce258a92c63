// What an element that is written may be, and how a primitive says so to the interpreter.
//
// Each primitive has one function, in api/TOPIC/testing/interpret.h; the build writes the table of
// all of them from topics.bzl:
//
//   void InterpretShuffle(const Tensors& tensors, Use use);
//
// By the definitions in `spec` it calls `use` for each element that is to be written, which may set
// it; then it clears the padding. An operation that may be in place reads no element after the
// call for that one.
#ifndef DNNSPEC_API_TESTING_RIGHT_H_
#define DNNSPEC_API_TESTING_RIGHT_H_

#include <cstdint>
#include <string>

#include "absl/functional/function_ref.h"
#include "api/testing/tensors.h"
#include "spec/numeric/convert.h"

namespace spi {

class Right {
 public:
  // Interpret()'s.
  virtual spec::Bits value() const = 0;
  virtual bool Allows(spec::Bits got) const = 0;
  // What is allowed, as a mismatch says it.
  virtual std::string Text() const = 0;

 protected:
  ~Right() = default;
};

// Of element `k` of `to`, the tensor of that argument.
using Use = absl::FunctionRef<void(int argument, Tensor& to, int64_t k, const Right& right)>;

// These bits and no others.
class RightBits final : public Right {
 public:
  RightBits(spec::Type type, spec::Bits bits) : type_(type), bits_(bits) {}

  spec::Bits value() const override { return bits_; }
  bool Allows(spec::Bits got) const override { return got == bits_; }
  std::string Text() const override { return spec::ToString(type_, bits_); }

 private:
  const spec::Type type_;
  const spec::Bits bits_;
};

}  // namespace spi

#endif  // DNNSPEC_API_TESTING_RIGHT_H_
