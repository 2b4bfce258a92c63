#include "impl_vulkan/device/cache_file.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <fstream>

namespace impl_vulkan {
namespace {

namespace fs = std::filesystem;

const std::vector<char> kContents = {'c', 'o', 'd', 'e', '\0', '\n'};

class CacheFile : public ::testing::Test {
 protected:
  void SetUp() override {
    const auto* const test = ::testing::UnitTest::GetInstance()->current_test_info();
    folder_ = fs::path(::testing::TempDir()) / test->name();
    fs::remove_all(folder_);
    fs::create_directory(folder_);
    path_ = folder_ / "one.cache";
    umask_ = umask(022);
    alarm(20);  // whatever waits for somebody ends the test
  }
  void TearDown() override {
    alarm(0);
    umask(umask_);
  }

  std::vector<char> Read() { return ReadCacheFile(path_); }
  void Replace() { ReplaceCacheFile(path_, kContents); }
  mode_t Mode() {
    struct stat file {};
    EXPECT_EQ(stat(path_.c_str(), &file), 0);
    return file.st_mode & 07777;
  }
  std::ptrdiff_t Files() {
    return std::distance(fs::directory_iterator(folder_), fs::directory_iterator());
  }

  fs::path folder_, path_;
  mode_t umask_ = 0;
};

TEST_F(CacheFile, IsReadAsItWasWritten) {
  EXPECT_TRUE(Read().empty());
  Replace();
  EXPECT_EQ(Read(), kContents);
  ReplaceCacheFile(path_, {'x'});
  EXPECT_EQ(Read(), std::vector<char>{'x'});
  EXPECT_EQ(Files(), 1);
}

TEST_F(CacheFile, HasTheModeThatTheUmaskLeaves) {
  const std::pair<mode_t, mode_t> expected[] = {{022, 0644}, {077, 0600}, {027, 0640}, {002, 0664}};
  for (const auto& [mask, mode] : expected) {
    umask(mask);
    Replace();
    EXPECT_EQ(Mode(), mode);
    EXPECT_EQ(Read(), kContents);
  }
}

TEST_F(CacheFile, IsNotWaitedForWhereItIsAPipe) {
  ASSERT_EQ(mkfifo(path_.c_str(), 0600), 0);
  EXPECT_TRUE(Read().empty());
  Replace();
  EXPECT_EQ(Read(), kContents);
}

TEST_F(CacheFile, IsNotReadThroughALinkNorWrittenThroughOne) {
  const fs::path target = folder_ / "target";
  std::ofstream(target) << "theirs";
  fs::create_symlink(target, path_);
  EXPECT_TRUE(Read().empty());
  Replace();
  EXPECT_FALSE(fs::is_symlink(path_));
  EXPECT_EQ(Read(), kContents);
  std::string left;
  std::ifstream(target) >> left;
  EXPECT_EQ(left, "theirs");
}

TEST_F(CacheFile, IsLeftAloneWhereItIsAFolder) {
  fs::create_directory(path_);
  EXPECT_TRUE(Read().empty());
  Replace();
  EXPECT_TRUE(fs::is_directory(path_));
  EXPECT_EQ(Files(), 1);
}

TEST_F(CacheFile, IsNotReadWhereEverybodyMayWriteIt) {
  Replace();
  ASSERT_EQ(chmod(path_.c_str(), 0646), 0);
  EXPECT_TRUE(Read().empty());
  ASSERT_EQ(chmod(path_.c_str(), 0644), 0);
  EXPECT_EQ(Read(), kContents);
}

TEST_F(CacheFile, IsNotReadWhereAnotherUserOwnsIt) {
  Replace();
  if (chown(path_.c_str(), geteuid() + 1, static_cast<gid_t>(-1)) != 0) {
    GTEST_SKIP() << "only root can give a file away";
  }
  EXPECT_TRUE(Read().empty());
}

TEST_F(CacheFile, ThatCannotBeWrittenLeavesNothing) {
  ReplaceCacheFile(folder_ / "missing" / "one.cache", kContents);
  EXPECT_EQ(Files(), 0);
}

TEST(CacheContents, AreThoseOfTheDeviceThatTheyName) {
  VkPhysicalDeviceProperties properties{};
  properties.vendorID = 0x10005;
  properties.deviceID = 7;
  for (uint8_t i = 0; i < VK_UUID_SIZE; ++i) properties.pipelineCacheUUID[i] = i;
  std::vector<char> good(40, 'm');
  const uint32_t words[] = {32, VK_PIPELINE_CACHE_HEADER_VERSION_ONE, 0x10005, 7};
  std::memcpy(good.data(), words, sizeof words);
  std::memcpy(good.data() + sizeof words, properties.pipelineCacheUUID, VK_UUID_SIZE);
  EXPECT_TRUE(IsCacheOf(good, properties));
  good.resize(32);
  EXPECT_TRUE(IsCacheOf(good, properties));
  EXPECT_FALSE(IsCacheOf({}, properties));
  for (size_t at = 0; at < good.size(); ++at) {
    std::vector<char> wrong = good;
    wrong[at] = static_cast<char>(wrong[at] ^ 0x40);
    EXPECT_FALSE(IsCacheOf(wrong, properties)) << at;
  }
  good.pop_back();
  EXPECT_FALSE(IsCacheOf(good, properties));
}

}  // namespace
}  // namespace impl_vulkan
