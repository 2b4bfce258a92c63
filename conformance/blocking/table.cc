// Puts a blocking implementation in front of each that the program it is linked into has: the
// linker's --wrap leads whoever asks for spi::Implementations() here (BUILD.bazel).
#include <vector>

#include "api/spi/implementation.h"
#include "conformance/blocking/implementation.h"

namespace blocking {

// What is linked.
const std::vector<spi::Implementation*>& Bundled() __asm__("__real__ZN3spi15ImplementationsEv");
// What is found in its place.
const std::vector<spi::Implementation*>& Blocking() __asm__("__wrap__ZN3spi15ImplementationsEv");

const std::vector<spi::Implementation*>& Blocking() {
  // Never destroyed, as engines are.
  static const auto* const table = [] {
    auto* const made = new std::vector<spi::Implementation*>;
    for (spi::Implementation* const inner : Bundled()) made->push_back(InFrontOf(*inner).release());
    return made;
  }();
  return *table;
}

}  // namespace blocking
