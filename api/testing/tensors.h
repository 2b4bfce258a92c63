// The buffers of an operation for the interpreter: elements by their row-major numbers, in the
// places that the oracle of layouts gives them.
#ifndef DNNSPEC_API_TESTING_TENSORS_H_
#define DNNSPEC_API_TESTING_TENSORS_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "absl/types/span.h"
#include "api/spi/layout.h"
#include "api/spi/operation.h"
#include "spec/memory/blocks.h"
#include "spec/numeric/convert.h"

namespace spi {

spec::Type TypeOf(DataType type);

class Tensor {
 public:
  Tensor(const Layout& layout, void* buffer);

  int64_t size() const { return static_cast<int64_t>(places_.elements.size()); }
  spec::Bits operator[](int64_t k) const { return In(buffer_, k); }
  // The same element of another buffer.
  spec::Bits In(const void* buffer, int64_t k) const;
  float Float(int64_t k) const { return spec::Widen(type, (*this)[k]); }
  // All elements, exactly.
  std::vector<double> Numbers() const;

  void Set(int64_t k, spec::Bits bits);
  void ClearPadding();

  const spec::Type type;

 private:
  int64_t ByteOf(int64_t place) const { return place * static_cast<int64_t>(bytes_); }

  const size_t bytes_;  // of an element
  char* const buffer_;
  const spec::Places places_;
};

// The tensors of an operation by argument. Points to what it is made of.
class Tensors {
 public:
  Tensors(const Operation& of, absl::Span<void* const> buffers)
      : operation(of), buffers_(buffers) {}

  Tensor operator[](int argument) const;
  bool Has(int argument) const { return Find(operation, argument) >= 0; }
  // None of what is absent.
  std::vector<double> Numbers(int argument) const;

  const Operation& operation;

 private:
  const absl::Span<void* const> buffers_;
};

}  // namespace spi

#endif  // DNNSPEC_API_TESTING_TENSORS_H_
