// PRIM-049: what an implementation keeps of descriptors that it made is not told of others.
// Requests that compute the same and were made otherwise, one after the other, twice.
#include <string>
#include <utility>
#include <vector>

#include "conformance/case/property.h"
#include "conformance/case/random.h"
#include "conformance/model/attribute_text.h"
#include "conformance/model/samples.h"
#include "conformance/subject/attempt.h"
#include "conformance/subject/device.h"
#include "conformance/subject/fpmath.h"
#include "oneapi/dnnl/dnnl.hpp"
#include "spec/requirements.h"

namespace conformance {
namespace {

using dnnl::primitive_attr;

struct Request {
  std::string name;
  dnnl::engine engine;
  primitive_attr attr;
};

// One request, and one that is otherwise in what computes nothing else.
std::vector<Request> Requests(const dnnl::engine& engine, Random& random, Trial& trial) {
  std::vector<Request> all = {{"first", engine, {}}, {"other", engine, {}}};
  const int change = static_cast<int>(random.Between(0, kHasFpmathMode ? 2 : 1));
  switch (change) {
    case 0:
      trial.Cover("engine");
      all[1].engine = dnnl::engine(engine.get_kind(), 0);
      break;
    case 1:
      trial.Cover("scratchpad mode");
      all[1].attr.set_scratchpad_mode(dnnl::scratchpad_mode::user);
      break;
    default:
      trial.Cover("fpmath mode");
      SetFpmathMode(&all[1].attr, random.Pick(kFpmathModes).number);
      break;
  }
  if (random.Chance(50)) std::swap(all[0], all[1]);
  return all;
}

// Whether `pd` tells what `asked` was; false, with a failure, where it does not.
bool Tells(const dnnl::primitive_desc_base& pd, const Request& asked, Trial& trial) {
  const primitive_attr got = pd.get_primitive_attr();
  const bool library = asked.attr.get_scratchpad_mode() == dnnl::scratchpad_mode::library;
  return trial.Expect(TextOf(got) == TextOf(asked.attr), asked.name + ".get_primitive_attr()",
                      TextOf(asked.attr), TextOf(got)) &&
         trial.Expect(FpmathModeOf(got) == FpmathModeOf(asked.attr),
                      asked.name + ".get_primitive_attr().get_fpmath_mode()",
                      std::to_string(FpmathModeOf(asked.attr)),
                      std::to_string(FpmathModeOf(got))) &&
         trial.Expect(EqualIfComparable(pd.get_engine(), asked.engine),
                      asked.name + ".get_engine()", "equal to the engine (ENG-012)", "unequal") &&
         trial.Expect(!library || pd.scratchpad_desc().get_size() == 0,
                      asked.name + ".scratchpad_desc().get_size() in mode library", "0",
                      std::to_string(pd.scratchpad_desc().get_size())) &&
         trial.Expect(library || pd.query_s64(dnnl::query::memory_consumption_s64) == 0,
                      asked.name + ".query_s64(memory_consumption_s64) in mode user", "0",
                      std::to_string(pd.query_s64(dnnl::query::memory_consumption_s64)));
}

void EachTellsItsOwn(const SampleCase& c, Trial& trial) {
  Random random(Mix(c.seed));
  const auto plan = PlanFor(c, random, trial);
  if (!plan) return;
  const std::vector<Request> all = Requests(DeviceFor(trial)->engine, random, trial);
  for (int round = 0; round < 2; ++round) {
    for (const Request& asked : all) {
      const auto sample = Attempt([&] { return MakeSample(*plan, asked.engine, asked.attr); });
      if (!sample && FpmathModeOf(asked.attr) != 0)
        return trial.Vacuous();  // nobody has to serve it
      if (!sample) return SampleRefused(*plan, sample.refusal, trial);
      if (!Tells(sample.value->pd, asked, trial)) return;
    }
  }
}

// Reorders between two engine objects of one device and on either, one after the other, twice.
void ReordersTellTheirSides(const SeedCase& c, Trial& trial) {
  if (trial.portable()) return trial.NotRun("only the project profile mixes engine objects");
  Device* const device = DeviceFor(trial);
  if (device == nullptr) return;
  Random random(Mix(c.seed));
  const dnnl::engine other(device->engine.get_kind(), 0);
  const dnnl::memory::dims dims{random.Between(1, 5), random.Between(1, 5)};
  const auto desc = [&] {
    using tag = dnnl::memory::format_tag;
    return dnnl::memory::desc(dims, dnnl::memory::data_type::f32, random.Pick({tag::ab, tag::ba}));
  };
  const dnnl::memory::desc from = desc(), to = desc();
  struct Sides {
    std::string name;
    const dnnl::engine &src, &dst;
  };
  std::vector<Sides> all = {{"first to first", device->engine, device->engine},
                            {"first to other", device->engine, other},
                            {"other to first", other, device->engine},
                            {"other to other", other, other}};
  for (int turn = 0; turn < 8; ++turn) {
    const Sides& asked = all[(turn * 3 + c.seed) % all.size()];
    const auto pd =
        Attempt([&] { return dnnl::reorder::primitive_desc(asked.src, from, asked.dst, to); });
    if (!pd) return trial.Vacuous();  // XENG-014
    const auto is = [&](const dnnl::engine& got, const dnnl::engine& given, const char* name) {
      return trial.Expect(EqualIfComparable(got, given), asked.name + ": " + name,
                          "equal to the engine that was given (REO-006, XENG-005)", "unequal");
    };
    if (!is(pd.value->get_src_engine(), asked.src, "get_src_engine()") ||
        !is(pd.value->get_dst_engine(), asked.dst, "get_dst_engine()"))
      return;
  }
}

const bool defined[] = {
    Define(spec::PRIM_049, "told", Samples(), EachTellsItsOwn, {"engine", "scratchpad mode"}),
    Define(spec::PRIM_049, "sides", Seeds(), ReordersTellTheirSides),
};

}  // namespace
}  // namespace conformance
