// Holds what the plans of the two fake implementations share.
#ifndef DNNSPEC_API_FAKE_PLAN_H_
#define DNNSPEC_API_FAKE_PLAN_H_

#include <functional>
#include <memory>
#include <string>

#include "absl/status/status.h"
#include "api/fake/fake.h"
#include "api/spi/implementation.h"

namespace fake {

// Counts the objects of a class that exist.
class Alive {
 public:
  explicit Alive(Count Counts::*which) : which_(which) { ++(counts().*which_); }
  ~Alive() { --(counts().*which_); }
  Alive(const Alive&) = delete;
  Alive& operator=(const Alive&) = delete;

 private:
  Count Counts::*const which_;
};

// What MakePlan answers, by controls().
absl::Status PlanStatus(int candidate);

// What `plan` says of `request`: by controls(), or row-major layouts where it left some open.
spi::Planned Answer(std::shared_ptr<const spi::Plan> plan, const spi::Request& request);

class Plan : public spi::Plan {
 public:
  Plan(std::string name, const spi::Operation& operation, int candidate);
  std::string Describe() const override;

 protected:
  size_t scratchpad_bytes() const { return scratchpad_bytes_; }
  // Those of the request, and what the answer added.
  size_t tensors() const { return tensors_; }
  // Computes; `address` gives the contents of the buffer at a position.
  void Compute(const std::function<void*(int)>& address) const;

 private:
  const std::string name_;
  const spi::Operation operation_;  // resolved
  const int candidate_;
  const size_t scratchpad_bytes_;
  const size_t tensors_;
  Alive alive_{&Counts::live_plans};
};

}  // namespace fake

#endif  // DNNSPEC_API_FAKE_PLAN_H_
