// Handles under random commands, compared with a reference-count model: OBJ-006, OBJ-007, OBJ-012,
// OBJ-013, OBJ-024, ERR-012, MEM-006.
#include <algorithm>
#include <memory>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "conformance/case/property.h"
#include "conformance/model/sequence.h"
#include "conformance/subject/attempt.h"
#include "conformance/subject/device.h"
#include "oneapi/dnnl/dnnl.hpp"
#include "spec/requirements.h"

namespace conformance {
namespace {

using dnnl::memory;

constexpr int64_t kSize = 8;

// The subject's side of a sequence.
class Pool {
 public:
  explicit Pool(const Device& device)
      : engine_(device.engine.get_kind(), 0),
        stream_(engine_),
        handles_(Step::kHandles),
        buffers_(Step::kBuffers, std::vector<float>(kSize, 0.f)) {
    // Where host pointers are none, handles come from memories that the library made.
    for (int64_t i = 0; !device.on_host && i < Step::kBuffers; ++i) {
      lent_.emplace_back(Desc(), engine_);
      float* const mapped = lent_.back().map_data<float>();
      std::fill(mapped, mapped + kSize, 0.f);
      lent_.back().unmap_data(mapped);
    }
    Renew(0);
    Renew(2);
  }

  void Do(const Step& step) {
    memory& a = handles_[step.a];
    switch (step.verb) {
      case Step::kNew:
        a = memory(Desc(), engine_);
        break;
      case Step::kWrap:
        a = memory(Desc(), engine_, HandleOf(step.b));
        break;
      case Step::kCopy: {
        const memory& from = a;
        handles_[step.b] = from;
        break;
      }
      case Step::kMove:
        handles_[step.b] = std::move(a);
        break;
      case Step::kDrop:
        a = memory();
        break;
      case Step::kWrite: {
        float* const mapped = a.map_data<float>();
        std::fill(mapped, mapped + kSize, static_cast<float>(step.b));
        a.unmap_data(mapped);
        break;
      }
      case Step::kAttach:
        Attach(&a, step, HandleOf(step.b));
        break;
      case Step::kDetach:
        Attach(&a, step, DNNL_MEMORY_NONE);
        break;
      case Step::kExecute:
        copy_.execute(stream_, {{DNNL_ARG_FROM, a}, {DNNL_ARG_TO, handles_[step.b]}});
        stream_.wait();
        break;
      case Step::kStore:
        stored_.push_back(a);
        by_number_[static_cast<int>(by_number_.size())] = a;
        break;
      case Step::kFetch:
        // From either container in turn.
        a = step.a % 2 == 0 ? stored_.front() : by_number_.at(0);
        break;
      case Step::kShuffle:
        stored_.shrink_to_fit();
        stored_.reserve(stored_.size() + 7);
        by_number_.rehash(by_number_.bucket_count() > 97 ? 1 : 197);
        break;
      case Step::kRenew:
        Renew(step.a % 3);
        break;
      case Step::kRead:
        break;
    }
  }

  // "" or what is wrong with the contents of a handle that must hold `number`.
  std::string Wrong(int64_t handle, int64_t number) {
    const memory& m = handles_[handle];
    float* const mapped = m.map_data<float>();
    std::string wrong;
    for (int64_t i = 0; i < kSize && wrong.empty(); ++i)
      if (mapped[i] != static_cast<float>(number)) wrong = std::to_string(mapped[i]);
    m.unmap_data(mapped);
    return wrong;
  }

  static bool IsOnStream(const Step& step) { return step.a % 2 == 0; }

 private:
  // In either form.
  void Attach(memory* to, const Step& step, void* handle) {
    if (IsOnStream(step)) {
      to->set_data_handle(handle, stream_);
    } else {
      to->set_data_handle(handle);
    }
  }

  void* HandleOf(int64_t buffer) {
    if (lent_.empty()) return buffers_[buffer].data();
    return lent_[buffer].get_data_handle();
  }

  static memory::desc Desc() {
    return memory::desc({kSize}, memory::data_type::f32, memory::format_tag::a);
  }

  // Every owner is dropped before its successor is made, while what was made of it goes on. (The
  // engine is among those in copies.cc.)
  void Renew(int64_t which) {
    if (which == 0) {
      pd_ = {};
      pd_ = dnnl::reorder::primitive_desc(engine_, Desc(), engine_, Desc());
    } else if (which == 1) {
      stream_ = dnnl::stream();
      stream_ = dnnl::stream(engine_);
    } else {
      copy_ = dnnl::primitive();
      copy_ = dnnl::reorder(pd_);
    }
  }

  dnnl::engine engine_;
  dnnl::stream stream_;
  dnnl::reorder::primitive_desc pd_;
  dnnl::primitive copy_;
  std::vector<memory> handles_;
  std::vector<memory> stored_;
  std::unordered_map<int, memory> by_number_;
  std::vector<std::vector<float>> buffers_;
  std::vector<memory> lent_;
};

void HandlesFollowTheModel(const Sequence& sequence, Trial& trial) {
  Device* const device = DeviceFor(trial);
  if (device == nullptr) return;
  Model model;
  Pool pool(*device);
  bool looked = false;
  for (size_t i = 0; i < sequence.steps.size(); ++i) {
    const Step& step = sequence.steps[i];
    if (!model.Applies(step)) continue;
    const std::string where = "step " + std::to_string(i);
    if (step.verb == Step::kRead) {
      const int64_t number = model.Holds(step.a);
      const std::string wrong = pool.Wrong(step.a, number);
      if (!trial.Expect(wrong.empty(), where + ", contents of handle " + std::to_string(step.a),
                        std::to_string(number), wrong))
        return;
      looked = true;
      if (model.Sharers(step.a) > 1) trial.Cover("shared");
      continue;
    }
    const auto done = Attempt([&] { pool.Do(step); });
    if (!trial.Expect(static_cast<bool>(done), where, "done", done.refusal.ToString())) return;
    model.Apply(step);
    if (step.verb == Step::kCopy && step.a == step.b) trial.Cover("self-assignment");
    if (step.verb == Step::kMove) trial.Cover("move");
    if (step.verb == Step::kFetch) trial.Cover("container");
    if (step.verb == Step::kRenew) trial.Cover("renewed owner");
    if (step.verb == Step::kAttach)
      trial.Cover(Pool::IsOnStream(step) ? "attached on a stream" : "attached");
  }
  if (!looked) trial.Vacuous();
}

const bool defined[] = {
    Define(spec::ERR_012, "sequences", Sequences({Step::kDrop, Step::kCopy, Step::kMove}),
           HandlesFollowTheModel, {"shared"}),
    Define(spec::MEM_006, "sequences", Sequences({Step::kCopy, Step::kDrop, Step::kNew}),
           HandlesFollowTheModel, {"shared"}),
    Define(spec::OBJ_006, "", Sequences({Step::kCopy, Step::kWrite}), HandlesFollowTheModel,
           {"shared"}),
    Define(spec::OBJ_007, "", Sequences({Step::kCopy, Step::kAttach, Step::kWrite, Step::kDetach}),
           HandlesFollowTheModel, {"shared", "attached", "attached on a stream"}),
    Define(spec::OBJ_012, "sequences", Sequences({Step::kRenew, Step::kExecute, Step::kDrop}),
           HandlesFollowTheModel, {"renewed owner"}),
    Define(spec::OBJ_013, "", Sequences({Step::kCopy, Step::kMove}), HandlesFollowTheModel,
           {"self-assignment", "move"}),
    Define(spec::OBJ_024, "", Sequences({Step::kStore, Step::kFetch, Step::kShuffle}),
           HandlesFollowTheModel, {"container"}),
};

}  // namespace
}  // namespace conformance
