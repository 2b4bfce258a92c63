// A child of a test's process, for tests of fork().
#ifndef DNNSPEC_IMPL_VULKAN_TESTING_CHILD_H_
#define DNNSPEC_IMPL_VULKAN_TESTING_CHILD_H_

#include <functional>
#include <string>

namespace impl_vulkan {
namespace testing {

// Runs `child` in a child, which answers with what is wrong, or with nothing. `with_handlers`: one
// that answers with nothing ends by exit(), as programs do.
void InChild(const std::function<std::string()>& child, bool with_handlers = false);

}  // namespace testing
}  // namespace impl_vulkan

#endif  // DNNSPEC_IMPL_VULKAN_TESTING_CHILD_H_
