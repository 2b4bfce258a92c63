// Buffers as values, for tests of the interpreter.
#ifndef DNNSPEC_API_TESTING_VALUES_H_
#define DNNSPEC_API_TESTING_VALUES_H_

#include <cstring>
#include <vector>

#include "api/spi/operation.h"
#include "api/testing/interpreter.h"

namespace spi {

template <typename T>
Bytes BytesOf(const std::vector<T>& values) {
  Bytes bytes(values.size() * sizeof(T));
  if (!values.empty()) std::memcpy(bytes.data(), values.data(), bytes.size());
  return bytes;
}
inline Bytes Floats(const std::vector<float>& values) { return BytesOf(values); }

template <typename T>
std::vector<T> ValuesOf(const Bytes& bytes) {
  std::vector<T> values(bytes.size() / sizeof(T));
  if (!values.empty()) std::memcpy(values.data(), bytes.data(), bytes.size());
  return values;
}
inline std::vector<float> FloatsOf(const Bytes& bytes) { return ValuesOf<float>(bytes); }

// What the last buffer holds after `operation`.
inline Bytes ResultOf(const Operation& operation, const std::vector<Bytes>& before) {
  return Interpretation(operation, before).after().back();
}

}  // namespace spi

#endif  // DNNSPEC_API_TESTING_VALUES_H_
