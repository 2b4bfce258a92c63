// One element of any type, in memory.
#ifndef DNNSPEC_IMPL_CPU_NUMERIC_STORAGE_H_
#define DNNSPEC_IMPL_CPU_NUMERIC_STORAGE_H_

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "api/spi/types.h"
#include "impl_cpu/numeric/element.h"

namespace impl_cpu {

// Calls use(T()) with the C++ type of `type`, which is not kUndef.
template <typename Use>
auto WithType(spi::DataType type, Use use) {
  switch (type) {
    case spi::DataType::kS32:
      return use(int32_t());
    case spi::DataType::kS8:
      return use(int8_t());
    case spi::DataType::kU8:
      return use(uint8_t());
    case spi::DataType::kBF16:
      return use(BF16());
    case spi::DataType::kF16:
      return use(F16());
    default:
      return use(float());
  }
}

template <typename T>
T LoadElement(const std::byte* from) {
  T value;
  std::memcpy(&value, from, sizeof(value));
  return value;
}

// As f32.
inline float LoadWidened(spi::DataType type, const std::byte* from) {
  return WithType(type, [from](auto t) { return Widen(LoadElement<decltype(t)>(from)); });
}

inline void StoreNarrowed(float value, spi::DataType type, std::byte* to) {
  WithType(type, [value, to](auto t) {
    Narrow(value, &t);
    std::memcpy(to, &t, sizeof(t));
  });
}

// An integer type's element. 0 of the others.
inline int32_t LoadInteger(spi::DataType type, const std::byte* from) {
  switch (type) {
    case spi::DataType::kS32:
      return LoadElement<int32_t>(from);
    case spi::DataType::kS8:
      return LoadElement<int8_t>(from);
    case spi::DataType::kU8:
      return LoadElement<uint8_t>(from);
    default:
      return 0;
  }
}

}  // namespace impl_cpu

#endif  // DNNSPEC_IMPL_CPU_NUMERIC_STORAGE_H_
