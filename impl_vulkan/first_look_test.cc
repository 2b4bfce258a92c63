// fork() while a process looks for devices for the first time: the child is told so by whatever it
// calls, at once. The parent goes on. A process of its own, since no other test may have looked.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <string>
#include <thread>

#include "impl_vulkan/testing/child.h"
#include "impl_vulkan/testing/device.h"

namespace impl_vulkan {
namespace {

using testing::InChild;

// Needs no device: the Vulkan library is a pipe, so that the look lasts until its writer closes it.
TEST(ForkDuringTheFirstLook, LeavesTheChildNoLock) {
  const std::string pipe = std::string(std::getenv("TEST_TMPDIR")) + "/libvulkan.so";
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  Preferences preferences;
  preferences.library = pipe;
  Implementation& looking = testing::Keep(preferences);
  std::thread first([&] { EXPECT_EQ(looking.EngineCount(), 0u); });
  int writer = -1;
  while ((writer = open(pipe.c_str(), O_WRONLY | O_NONBLOCK)) < 0) std::this_thread::yield();
  InChild([&]() -> std::string {
    if (looking.EngineCount() != 0) return "an engine is counted";
    for (const absl::Status& told : {looking.MakeEngine(0).status(), looking.Reason()})
      if (told.message().find("which was looking for devices") == told.message().npos)
        return told.ToString();
    return "";
  });
  close(writer);
  first.join();
  const absl::Status found = looking.Reason();
  EXPECT_EQ(found.message().find("fork"), found.message().npos) << found;
  InChild([&] { return looking.Reason() == found ? "" : looking.Reason().ToString(); });
}

}  // namespace
}  // namespace impl_vulkan
