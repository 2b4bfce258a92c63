// Prints the layouts that an engine chooses where an operation leaves them open (format_tag::any);
// a test compares the text with a file in the repository: a layout that changes is a change that
// users see, stored weights no longer fit, and nobody makes it by accident.
#ifndef DNNSPEC_API_TESTING_CHOSEN_LAYOUTS_H_
#define DNNSPEC_API_TESTING_CHOSEN_LAYOUTS_H_

#include <string>

#include "api/spi/implementation.h"

namespace spi {

// One line for each operation of the primitives' lists (api/TOPIC/testing/open.h), all that take
// `any` in each direction:
//
//   inner_product forward_training src:f32 8x64 any ...: f32 8x64 s64,1 | f32 10x64 s...
//
// The answers of all candidates, in the order of the open tensors, those that repeat left out;
// "unimplemented" where there is no candidate.
std::string ChosenLayouts(Engine& engine);

// Compares the lines with the file at `path` in the runfiles of a test, which says which line is
// other than the file's. To write the file anew after a change that is meant: run the test by
// itself with --test_env=DNNSPEC_WRITE_GOLDEN=FILE, an absolute path.
void ExpectChosenLayouts(Engine& engine, const std::string& path);

}  // namespace spi

#endif  // DNNSPEC_API_TESTING_CHOSEN_LAYOUTS_H_
