// PRIM-050, the exception: a reorder that replaces each element on its own bytes.
#include <string>
#include <unordered_map>
#include <vector>

#include "conformance/case/property.h"
#include "conformance/reorder/cases.h"
#include "conformance/reorder/run.h"
#include "conformance/subject/attempt.h"
#include "conformance/subject/tensor.h"
#include "oneapi/dnnl/dnnl.hpp"
#include "spec/memory/oracle.h"
#include "spec/requirements.h"

namespace conformance {
namespace {

using spec::Type;

void ElementsAreReplacedInPlace(const ReorderCase& c, Trial& trial) {
  if (trial.portable()) return trial.NotRun("pinned by the project profile only");
  auto set_up = SetUp(c, trial);
  if (!set_up) return;
  const RunTimeArguments run_time(c, set_up->device->engine, set_up->device->on_host);
  // One memory, or one for each descriptor.
  const dnnl::memory from = set_up->from.memory();
  const bool one = c.src.type == c.dst.type && c.seed % 2 == 0;
  trial.Cover(one ? "1 memory" : "2 memories");
  const dnnl::memory to =
      one ? from : dnnl::memory(MakeDesc(c.dst), set_up->device->engine, from.get_data_handle());
  std::unordered_map<int, dnnl::memory> arguments{{DNNL_ARG_FROM, from}, {DNNL_ARG_TO, to}};
  run_time.AddTo(&arguments);
  const auto done = Attempt([&] {
    const dnnl::primitive& base = set_up->primitive;
    base.execute(set_up->device->stream, arguments);
    set_up->device->stream.wait();
  });
  if (!trial.Expect(static_cast<bool>(done), "execute in place", "done", done.refusal.ToString()))
    return;
  const std::vector<spec::Bits> result = set_up->from.Load();
  if (!ExpectReordered(c, set_up->source, set_up->old, set_up->alphas, result, trial, "the buffer"))
    return;
  const std::string gap = set_up->from.ChangedGap();
  if (!gap.empty()) trial.Fail("the buffer outside the elements", "untouched", gap);
  if (IsByteCopy(c)) trial.Vacuous();
}

// Pairs of types of one size, equal layouts, no sum.
Cases<ReorderCase> InPlace() {
  Cases<ReorderCase> cases = Drawn<ReorderCase>([](Random& random) {
    static const std::vector<std::vector<Type>> kSizes = {
        {Type::kF32, Type::kS32}, {Type::kBF16, Type::kF16}, {Type::kS8, Type::kU8}};
    ReorderLimits limits;
    limits.shape.large = random.Chance(10);
    limits.from = limits.to = kSizes[static_cast<size_t>(random.Between(0, 2))];
    limits.same_layout = true;
    limits.attributes = random.Chance(60);
    limits.attribute_limits.sum = false;
    limits.values = {limits.attributes ? ValueKind::kFinite : ValueKind::kMixed};
    return AnyReorderCase(random, limits);
  });
  cases.contains = [](const ReorderCase& c) {
    return spec::BytesOf(c.src.type) == spec::BytesOf(c.dst.type) && !c.attributes.sum &&
           spec::SameLayout(PlainOf(c.src), PlainOf(c.dst));
  };
  return cases;
}

const bool kDefined[] = {
    Define<ReorderCase>(
        spec::PRIM_050, "in-place", InPlace(), ElementsAreReplacedInPlace,
        {"1 memory", "2 memories", "gapped", "permuted", "region", "tail", "large"}),
};

}  // namespace
}  // namespace conformance
