// Remembers which descriptors are open, and opens them again.
#ifndef DNNSPEC_CONFORMANCE_JUDGE_DESCRIPTORS_H_
#define DNNSPEC_CONFORMANCE_JUDGE_DESCRIPTORS_H_

#include <sys/types.h>

#include <string>
#include <vector>

namespace conformance {

// The descriptors that are open when this is made, the lowest sixteen of them. Others may come and
// go. It holds a copy of each.
class Descriptors {
 public:
  Descriptors();
  ~Descriptors();
  Descriptors(const Descriptors&) = delete;
  Descriptors& operator=(const Descriptors&) = delete;

  // Opens again what was closed or now means another file, and says so: "1 open" in *before and "1
  // closed" in *now, which stay as they are when there is nothing to tell. What cannot be opened
  // again is forgotten.
  void PutBack(std::string* before, std::string* now);

 private:
  struct Known {
    int number;
    dev_t device;
    ino_t inode;
    int copy;  // another descriptor of the same file; -1: there is no room for one
  };

  std::vector<Known> known_;
};

}  // namespace conformance

#endif  // DNNSPEC_CONFORMANCE_JUDGE_DESCRIPTORS_H_
