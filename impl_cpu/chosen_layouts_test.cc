// What `any` becomes is the same for every instruction set and number of threads.
#include "api/testing/chosen_layouts.h"

#include <gtest/gtest.h>

#include "api/spi/implementation.h"
#include "impl_cpu/implementation.h"

namespace impl_cpu {
namespace {

TEST(ChosenLayouts, AreThoseOfTheFile) {
  spi::Engine& engine = **GetImplementation().MakeEngine(0);
  spi::ExpectChosenLayouts(engine, "impl_cpu/testing/chosen_layouts.golden");
}

}  // namespace
}  // namespace impl_cpu
