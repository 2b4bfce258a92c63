#include "impl_vulkan/testing/child.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>

namespace impl_vulkan {
namespace testing {
namespace {

constexpr unsigned kPatienceSeconds = 60;  // of a child, which needs a millisecond

}  // namespace

void InChild(const std::function<std::string()>& child, bool with_handlers) {
  std::fflush(nullptr);
  const pid_t id = fork();
  ASSERT_GE(id, 0);
  if (id == 0) {
    alarm(kPatienceSeconds);
    const std::string wrong = child();
    if (!wrong.empty()) std::fprintf(stderr, "the child: %s\n", wrong.c_str());
    if (with_handlers && wrong.empty()) std::exit(0);
    _exit(wrong.empty() ? 0 : 1);
  }
  int status = 0;
  ASSERT_EQ(waitpid(id, &status, 0), id);
  EXPECT_TRUE(WIFEXITED(status)) << "ended by signal " << WTERMSIG(status);
  EXPECT_EQ(WEXITSTATUS(status), 0);
}

}  // namespace testing
}  // namespace impl_vulkan
