// OBJ-012: what is needed goes first, and comes back only through what is left. Of a primitive of
// each kind, and of one in all orders.
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "conformance/case/property.h"
#include "conformance/gen/choice.h"
#include "conformance/gen/placement.h"
#include "conformance/model/samples.h"
#include "conformance/subject/attempt.h"
#include "conformance/subject/descriptor_text.h"
#include "conformance/subject/device.h"
#include "conformance/subject/primitive_cache.h"
#include "conformance/subject/tensor.h"
#include "oneapi/dnnl/dnnl.hpp"
#include "spec/requirements.h"

namespace conformance {
namespace {

using dnnl::memory;
using Desc = memory::desc;

// STR-015 is wanted only.
template <class Stream>
auto EngineOf(const Stream& stream, int) -> decltype(std::optional(stream.get_engine())) {
  return stream.get_engine();
}
template <class Stream>
std::optional<dnnl::engine> EngineOf(const Stream&, long) {
  return std::nullopt;
}

// A case: each member takes away what something else needs, and uses that.
class Lifetimes {
 public:
  Lifetimes(std::string what, SamplePlan plan, Device& device, Trial& trial)
      : what_(std::move(what)), device_(device), trial_(trial), plan_(std::move(plan)) {}

  void MemoryAfterEngine() {
    const memory m(from_, *engine_);
    engine_.reset();
    Churn();
    auto* mapped = m.map_data<unsigned char>();
    mapped[0] = 2;
    m.unmap_data(mapped);
    mapped = m.map_data<unsigned char>();
    trial_.Expect(mapped[0] == 2, "contents", "what was written", "another");
    m.unmap_data(mapped);
    ExpectDescriptor(trial_, "get_desc()", "the descriptor", from_, m.get_desc());
    ExpectKind(m.get_engine(), "get_engine().get_kind()");
  }

  void StreamAfterEngine() {
    dnnl::stream stream(*engine_);
    engine_.reset();
    Churn();
    stream.wait();
    const auto again = EngineOf(stream, 0);
    if (!again) return;
    ExpectKind(*again, "get_engine().get_kind()");
    if (!trial_.failed()) RunOn(*again, DescriptorOn(*again)->Primitive());
  }

  void DescriptorAfterEngine() {
    const auto pd = DescriptorOn(*engine_);
    engine_.reset();
    Churn();
    const dnnl::engine again = pd->Base().get_engine();
    ExpectKind(again, "get_engine().get_kind()");
    RunOn(again, pd->Primitive());
  }

  void PrimitiveAfterDescriptor() {
    const dnnl::primitive primitive = DescriptorOn(*engine_)->Primitive();
    Churn();
    RunOn(*engine_, primitive);
  }

  // Its memories and its stream are of another engine object of the device (ENG-009).
  void PrimitiveAfterEngine() {
    if (trial_.portable()) return trial_.NotRun("pinned by the project profile only");
    const dnnl::primitive primitive = DescriptorOn(*engine_)->Primitive();
    engine_.reset();
    Churn();
    RunOn(dnnl::engine(kind_, 0), primitive);
  }

  void EngineAfterItsSource() {
    auto m = std::make_unique<memory>(from_, *engine_);
    const dnnl::engine again = m->get_engine();
    m.reset();
    engine_.reset();
    Churn();
    ExpectKind(again, "get_kind()");
    RunOn(again, DescriptorOn(again)->Primitive());
  }

  void DescriptorAfterAttributes() {
    auto attr = std::make_unique<dnnl::primitive_attr>();
    attr->set_scratchpad_mode(dnnl::scratchpad_mode::user);
    auto operation = plan_.Operation();
    const auto pd = operation->On(*engine_, *attr);
    attr.reset();
    operation.reset();
    Churn();
    trial_.Expect(
        pd->Base().get_primitive_attr().get_scratchpad_mode() == dnnl::scratchpad_mode::user,
        "get_primitive_attr()", "as given", "another");
    RunOn(*engine_, pd->Primitive(), pd->Base().scratchpad_desc());
  }

  // A reorder that was made of two memories, which tell its descriptors and engines.
  void ReorderAfterItsMemories() {
    auto from = std::make_unique<memory>(from_, *engine_), to = std::make_unique<memory>(*from);
    const auto made = Attempt([&] { return dnnl::reorder::primitive_desc(*from, *to); });
    if (!made) return trial_.LeftOpen(made.refusal, "a reorder of two memories");
    from.reset();
    to.reset();
    engine_.reset();
    Churn();
    ExpectKind(made.value->get_src_engine(), "get_src_engine().get_kind()");
    ExpectKind(made.value->get_dst_engine(), "get_dst_engine().get_kind()");
    ExpectDescriptor(trial_, "src_desc()", "that of the memory", from_, made.value->src_desc());
    ExpectDescriptor(trial_, "dst_desc()", "that of the memory", from_, made.value->dst_desc());
    if (trial_.failed()) return;
    const dnnl::engine again = made.value->get_engine();
    Device same{again, dnnl::stream(again), device_.on_host};
    Tensor source(plan_.from, from_, same, Placement(), 3);
    Tensor target(plan_.from, from_, same, Placement(), 4);
    const std::vector<spec::Bits> values = plan_.Values(5);
    source.Store(values);
    target.Store(plan_.Values(6));
    dnnl::reorder(*made.value)
        .execute(same.stream, {{DNNL_ARG_FROM, source.memory()}, {DNNL_ARG_TO, target.memory()}});
    same.stream.wait();
    ExpectSameBits(trial_, what_, plan_.from.type, plan_.from.dims, values, target.Load());
  }

  void DescAfterMemory() {
    auto m = std::make_unique<memory>(from_, *engine_);
    const Desc desc = m->get_desc();
    m.reset();
    Churn();
    ExpectDescriptor(trial_, "the descriptor of a memory that is gone", "as given", from_, desc);
  }

  void PostOpsAfterAttributes() {
    auto attr = std::make_unique<dnnl::primitive_attr>();
    dnnl::post_ops ops;
    for (float scale : {1.f, 2.f, 3.f}) ops.append_sum(scale);
    attr->set_post_ops(ops);
    const dnnl::post_ops kept = attr->get_post_ops();
    attr.reset();
    std::vector<dnnl::primitive_attr> others(8);
    for (dnnl::primitive_attr& other : others) other.set_output_scales(0, {9.f});
    float scale = 0;
    trial_.Expect(kept.len() == 3, "len()", "3", std::to_string(kept.len()));
    if (trial_.failed()) return;
    kept.get_params_sum(2, scale);
    trial_.Expect(scale == 3.f, "scale of the third", "3", std::to_string(scale));
  }

 private:
  // Whatever is freed too early is handed out again, to something else: other bytes, other engines.
  void Churn() {
    ForgetPrimitives();
    // More of each size than an allocator keeps at hand from before.
    constexpr size_t kStep = 16, kLargest = 1024, kEach = 32;
    taken_.reserve(kLargest / kStep * kEach);
    for (size_t bytes = kStep; bytes <= kLargest; bytes += kStep)
      for (size_t k = 0; k < kEach; ++k) taken_.emplace_back(bytes, 0x5a);
    for (int k = 0; k < 8; ++k) dnnl::stream(dnnl::engine(kind_, 0)).wait();
  }

  void RunOn(const dnnl::engine& on, const dnnl::primitive& primitive,
             const Desc& scratchpad = Desc()) {
    Device same{on, dnnl::stream(on), device_.on_host};
    Sample sample{plan_, from_, MakeDesc(plan_.to), {}, primitive};
    Bench bench(sample, same, 3);
    Arguments arguments = bench.arguments();
    if (scratchpad.get_size() > 0) arguments[DNNL_ARG_SCRATCHPAD] = memory(scratchpad, on);
    primitive.execute(same.stream, arguments);
    same.stream.wait();
    bench.IsDone(what_, trial_);
  }

  std::unique_ptr<SamplePd> DescriptorOn(const dnnl::engine& on) const { return MakePd(plan_, on); }

  void ExpectKind(const dnnl::engine& engine, const char* where) {
    trial_.Expect(engine.get_kind() == kind_, where, "as before", "another");
  }

  const std::string what_;
  Device& device_;
  Trial& trial_;
  const SamplePlan plan_;
  const Desc from_ = MakeDesc(plan_.from);
  const dnnl::engine::kind kind_ = device_.engine.get_kind();
  std::unique_ptr<dnnl::engine> engine_ = std::make_unique<dnnl::engine>(kind_, 0);
  std::vector<std::vector<unsigned char>> taken_;
};

struct NamedCase {
  const char* name;
  void (Lifetimes::*run)();
};

constexpr NamedCase kCases[] = {
    {"memory-after-engine", &Lifetimes::MemoryAfterEngine},
    {"stream-after-engine", &Lifetimes::StreamAfterEngine},
    {"descriptor-after-engine", &Lifetimes::DescriptorAfterEngine},
    {"primitive-after-descriptor", &Lifetimes::PrimitiveAfterDescriptor},
    {"primitive-after-engine", &Lifetimes::PrimitiveAfterEngine},
    {"engine-after-its-source", &Lifetimes::EngineAfterItsSource},
    {"descriptor-after-attributes", &Lifetimes::DescriptorAfterAttributes},
    {"desc-after-memory", &Lifetimes::DescAfterMemory},
    {"reorder-after-its-memories", &Lifetimes::ReorderAfterItsMemories},
    {"post-ops-after-attributes", &Lifetimes::PostOpsAfterAttributes},
};

std::vector<std::string> NamesOfCases() {
  std::vector<std::string> names;
  for (const NamedCase& each : kCases) names.emplace_back(each.name);
  return names;
}

void NeededThingsLive(const Choice& c, Trial& trial) {
  const auto plan = PlanFor({"forward", 7}, trial);
  if (!plan) return;
  for (const NamedCase& each : kCases) {
    if (c.what != each.name) continue;
    Lifetimes lifetimes(c.what, *plan, *DeviceFor(trial), trial);
    (lifetimes.*each.run)();
  }
}

// The same of a primitive of each kind: one of the cases, by the seed.
void PrimitivesKeepWhatTheyNeed(const SampleCase& c, Trial& trial) {
  const auto plan = PlanFor(c, trial);
  if (!plan) return;
  const NamedCase& each = kCases[c.seed % std::size(kCases)];
  Lifetimes lifetimes(each.name, *plan, *DeviceFor(trial), trial);
  (lifetimes.*each.run)();
}

const bool defined[] = {
    Define(spec::OBJ_012, "", Choices(NamesOfCases()), NeededThingsLive),
    Define(spec::OBJ_012, "kinds", Samples(), PrimitivesKeepWhatTheyNeed),
};

}  // namespace
}  // namespace conformance
