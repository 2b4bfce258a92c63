#include "conformance/judge/environment.h"

#include <malloc.h>
#include <pwd.h>
#include <unistd.h>

#include <cstdlib>
#include <string>

namespace conformance {
namespace {

// Spinning, which OpenMP runtimes prefer, makes a small case twenty times slower where processes
// share processors. The runtimes read this when they are loaded, so before main: hence the program
// starts itself once more.
void LetThreadsSleep(char** argv) {
  if (std::getenv("OMP_WAIT_POLICY") != nullptr) return;
  setenv("OMP_WAIT_POLICY", "PASSIVE", 1);
  setenv("KMP_BLOCKTIME", "0", 0);
  execv("/proc/self/exe", argv);
  // Slower, then.
}

// Each case allocates and frees numbers and offsets of all its elements. Taken from the kernel and
// given back each time, their pages would be a tenth of a run. Larger blocks are given back still:
// whether a subject does that is asked with 40 MiB (MEM-014).
void KeepPages() {
  mallopt(M_MMAP_THRESHOLD, 32 << 20);
  mallopt(M_TRIM_THRESHOLD, 256 << 20);
}

// Whether a driver can keep what it compiled where Mesa keeps it: it says so in the middle of a
// case when it cannot.
bool HasRoomForCaches() {
  const char* const chosen = std::getenv("XDG_CACHE_HOME");
  const passwd* const user = getpwuid(getuid());
  std::string folder = chosen != nullptr ? chosen
                       : user != nullptr ? std::string(user->pw_dir) + "/.cache"
                                         : "";
  // It makes the folders that are missing.
  while (!folder.empty() && access(folder.c_str(), F_OK) != 0)
    folder.erase(folder.find('/') == std::string::npos ? 0 : folder.rfind('/'));
  std::string probe = folder + "/.dnnspec.XXXXXX";
  return mkdtemp(probe.data()) != nullptr && rmdir(probe.c_str()) == 0;
}

}  // namespace

void ArrangeEnvironment(char** argv) {
  LetThreadsSleep(argv);
  KeepPages();
  // Each property has processes of its own. Without a cache each compiles the pipelines of its
  // cases anew, which takes two to three times as long as all the rest.
  if (const char* const folder = std::getenv("TEST_TMPDIR")) {
    setenv("XDG_CACHE_HOME", folder, 1);
    unsetenv("MESA_SHADER_CACHE_DISABLE");
  }
  if (!HasRoomForCaches()) setenv("MESA_SHADER_CACHE_DISABLE", "true", 0);
}

}  // namespace conformance
