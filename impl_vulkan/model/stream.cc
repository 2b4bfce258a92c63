#include "impl_vulkan/model/stream.h"

#include <utility>

namespace impl_vulkan {

Stream::Stream(std::shared_ptr<Context> context, std::unique_ptr<Submitter> submitter)
    : context_(std::move(context)), submitter_(std::move(submitter)) {}

Stream::~Stream() { Wait().IgnoreError(); }

absl::Status Stream::Submit(const std::shared_ptr<const Program>& program,
                            const Bindings& bindings) {
  return submitter_->Submit(program, bindings);
}

void Stream::Defer(std::function<absl::Status()> task) { deferred_.push_back(std::move(task)); }

absl::Status Stream::Wait() {
  absl::Status status = submitter_->Wait();
  const std::vector<std::function<absl::Status()>> tasks = std::exchange(deferred_, {});
  for (const auto& task : tasks) {
    if (!status.ok()) break;
    status = task();
  }
  return status;
}

}  // namespace impl_vulkan
