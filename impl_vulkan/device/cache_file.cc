#include "impl_vulkan/device/cache_file.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <cstdio>
#include <cstring>

#include "absl/cleanup/cleanup.h"
#include "absl/strings/str_cat.h"

namespace impl_vulkan {
namespace {

// Beyond all that pipelines of this library make of a driver's cache.
constexpr off_t kMostBytes = off_t{256} << 20;

// As Vulkan lays it out: VkPipelineCacheHeaderVersionOne, little-endian.
struct Header {
  uint32_t bytes;
  uint32_t version;
  uint32_t vendor;
  uint32_t device;
  uint8_t uuid[VK_UUID_SIZE];
};
static_assert(sizeof(Header) == 16 + VK_UUID_SIZE, "");

bool IsOurs(const struct stat& file) {
  return S_ISREG(file.st_mode) && file.st_uid == geteuid() && (file.st_mode & S_IWOTH) == 0 &&
         file.st_size <= kMostBytes;
}

bool WriteAll(int descriptor, const std::vector<char>& contents) {
  size_t done = 0;
  while (done < contents.size()) {
    const ssize_t wrote = write(descriptor, contents.data() + done, contents.size() - done);
    if (wrote < 0 && errno == EINTR) continue;
    if (wrote <= 0) return false;
    done += static_cast<size_t>(wrote);
  }
  return true;
}

// A new file beside `path`; mkstemp would not ask the umask.
int CreateBeside(const std::string& path, std::string* name) {
  static std::atomic<unsigned> next{0};
  for (int attempt = 0; attempt < 100; ++attempt) {
    *name = absl::StrCat(path, ".", getpid(), ".", next.fetch_add(1), ".new");
    const int descriptor =
        open(name->c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
    if (descriptor >= 0 || errno != EEXIST) return descriptor;
  }
  return -1;
}

}  // namespace

std::string CacheFileOf(const std::string& folder, const VkPhysicalDeviceProperties& properties) {
  std::string name = absl::StrCat(folder, "/dnnspec-vulkan-");
  for (const uint8_t byte : properties.pipelineCacheUUID) {
    absl::StrAppend(&name, absl::Hex(byte, absl::kZeroPad2));
  }
  return absl::StrCat(name, "-", properties.driverVersion, ".cache");
}

std::vector<char> ReadCacheFile(const std::string& path) {
  std::vector<char> contents;
  const int descriptor = open(path.c_str(), O_RDONLY | O_NONBLOCK | O_NOFOLLOW | O_CLOEXEC);
  if (descriptor < 0) return contents;
  const absl::Cleanup closed = [descriptor] { close(descriptor); };
  struct stat file {};
  if (fstat(descriptor, &file) != 0 || !IsOurs(file)) return contents;
  contents.resize(static_cast<size_t>(file.st_size));
  size_t done = 0;
  while (done < contents.size()) {
    const ssize_t got = read(descriptor, contents.data() + done, contents.size() - done);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) break;
    done += static_cast<size_t>(got);
  }
  contents.resize(done);
  return contents;
}

bool IsCacheOf(const std::vector<char>& contents, const VkPhysicalDeviceProperties& properties) {
  Header header{};
  if (contents.size() < sizeof header) return false;
  std::memcpy(&header, contents.data(), sizeof header);
  return header.bytes >= sizeof header && header.bytes <= contents.size() &&
         header.version == VK_PIPELINE_CACHE_HEADER_VERSION_ONE &&
         header.vendor == properties.vendorID && header.device == properties.deviceID &&
         std::equal(header.uuid, header.uuid + VK_UUID_SIZE, properties.pipelineCacheUUID);
}

void ReplaceCacheFile(const std::string& path, const std::vector<char>& contents) {
  std::string name;
  const int descriptor = CreateBeside(path, &name);
  if (descriptor < 0) return;
  const bool written = WriteAll(descriptor, contents);
  const bool closed = close(descriptor) == 0;
  if (!written || !closed || std::rename(name.c_str(), path.c_str()) != 0) unlink(name.c_str());
}

}  // namespace impl_vulkan
