// PRIM-050: what an execution writes shares no byte with its other arguments. In place, which is
// the exception: conformance/reorder/in_place.cc.
#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "conformance/case/fields.h"
#include "conformance/case/property.h"
#include "conformance/gen/sample_case.h"
#include "conformance/model/cases.h"
#include "conformance/model/holder.h"
#include "conformance/subject/attempt.h"
#include "conformance/subject/device.h"
#include "conformance/subject/tensor.h"
#include "oneapi/dnnl/dnnl.hpp"
#include "spec/requirements.h"

namespace conformance {
namespace {

using dnnl::memory;
using dnnl::reorder;
using Desc = memory::desc;
using Forward = dnnl::shuffle_forward;
using Backward = dnnl::shuffle_backward;

const std::vector<std::string> kRefused = {"transposed", "forward", "backward", "narrower",
                                           "later",      "sum",     "run-time"};

// `kind=transposed memories=1 seed=7`: one memory, or two on one buffer.
struct SharingCase {
  std::string kind;
  int memories = 1;
  uint64_t seed = 0;

  void Print(Fields* fields) const {
    fields->Set("kind", kind);
    fields->SetInt("memories", memories);
    fields->SetInt("seed", static_cast<int64_t>(seed));
  }
  static SharingCase Parse(const Fields& fields) {
    SharingCase c{fields.Text("kind"), static_cast<int>(fields.Int("memories")),
                  static_cast<uint64_t>(fields.Int("seed"))};
    if (c.memories < 1 || c.memories > 2) fields.Reject("memories", "is neither 1 nor 2");
    return c;
  }
  std::vector<SharingCase> Simpler() const {
    std::vector<SharingCase> cases;
    for (uint64_t smaller = 0; smaller < seed && smaller < 20; ++smaller)
      cases.push_back({kind, memories, smaller});
    return cases;
  }
};

Cases<SharingCase> Kinds(const std::vector<std::string>& kinds) {
  return {0,
          [kinds](int64_t index, Random& random) {
            const auto count = static_cast<int64_t>(kinds.size());
            return SharingCase{kinds[static_cast<size_t>(index % count)],
                               static_cast<int>(random.Between(1, 2)),
                               static_cast<uint64_t>(random.Between(0, 99999))};
          },
          [kinds](const SharingCase& c) {
            return std::find(kinds.begin(), kinds.end(), c.kind) != kinds.end();
          }};
}

// A primitive and its arguments: descriptors of tensors in one buffer, by their numbers.
struct Request {
  dnnl::primitive primitive;
  int from_arg = DNNL_ARG_SRC, to_arg = DNNL_ARG_DST;
  Desc from, to;
};

Desc Rows(int64_t height, int64_t width, const memory::dims& strides,
          memory::data_type type = memory::data_type::f32) {
  return Desc({height, width}, type, strides);
}

Request Reorder(const Device& device, const Desc& from, const Desc& to,
                const dnnl::primitive_attr& attr = {}) {
  const reorder::primitive_desc pd(device.engine, from, device.engine, to, attr);
  return {reorder(pd), DNNL_ARG_SRC, DNNL_ARG_DST, from, to};
}

Request Shuffle(const Device& device, const Desc& data, bool forward) {
  const Forward::primitive_desc hint(Forward::desc(dnnl::prop_kind::forward_training, data, 1, 2),
                                     device.engine);
  if (forward) return {Forward(hint), DNNL_ARG_SRC, DNNL_ARG_DST, data, data};
  const Backward::primitive_desc pd(Backward::desc(data, 1, 2), device.engine, hint);
  return {Backward(pd), DNNL_ARG_DIFF_DST, DNNL_ARG_DIFF_SRC, data, data};
}

// Both tensors of `kind` begin where the buffer does, or a little later. May throw.
Request RequestOf(const std::string& kind, const Device& device, Random& random) {
  const int64_t height = random.Between(2, 5), width = 2 * random.Between(2, 4);
  const Desc rows = Rows(height, width, {width, 1});
  if (kind == "transposed") return Reorder(device, rows, Rows(height, width, {1, height}));
  if (kind == "forward" || kind == "backward") return Shuffle(device, rows, kind == "forward");
  if (kind == "narrower")
    return Reorder(device, rows, Rows(height, width, {width, 1}, memory::data_type::s8));
  if (kind == "later") {
    const Desc line = Flat(spec::Type::kF32, 2 * width);
    const int64_t later = random.Between(1, width - 1);
    const Desc first = line.submemory_desc({width}, {0}),
               second = line.submemory_desc({width}, {later});
    return random.Chance(50) ? Reorder(device, first, second) : Reorder(device, second, first);
  }
  dnnl::primitive_attr attr;
  if (kind == "sum") {
    dnnl::post_ops ops;
    ops.append_sum(random.Chance(50) ? 1.f : -0.5f);
    attr.set_post_ops(ops);
    return Reorder(device, rows, rows, attr);
  }
  // run-time
  const int64_t open = DNNL_RUNTIME_DIM_VAL;
  Request request = Reorder(device, Desc({open, width}, memory::data_type::f32, {width, 1}),
                            Desc({open, width}, memory::data_type::f32, {1, open}));
  request.from = rows;
  request.to = Rows(height, width, {1, height});
  return request;
}

void SharedBytesAreRefused(const SharingCase& c, Trial& trial) {
  if (trial.portable()) return trial.NotRun("pinned by the project profile only");
  Device* const device = DeviceFor(trial);
  if (device == nullptr) return;
  Random random(Mix(c.seed));
  const auto request = Attempt([&] { return RequestOf(c.kind, *device, random); });
  if (!request) {
    if (c.kind == "run-time")
      return trial.LeftOpen(request.refusal, "a reorder with run-time shapes");
    if (c.kind == "narrower")
      return trial.Refused(request.refusal, {"reorder", "", {"f32", "s8"}, 2, {}});
    return trial.Fail(c.kind, "created", request.refusal);
  }
  trial.Cover(c.kind);
  trial.Cover(std::to_string(c.memories) + (c.memories == 1 ? " memory" : " memories"));
  const Request& made = *request.value;
  const Holder whole(Flat(spec::Type::kF32, 64), *device, c.seed);
  // What is open, or of another type, is told by a memory of its own.
  const bool own = c.memories == 2 || c.kind == "run-time" || c.kind == "narrower";
  const memory from = own ? whole.As(made.from, *device) : whole.held;
  const memory to = own ? whole.As(made.to, *device) : whole.held;
  const std::string what = "execute on one buffer, " + c.kind;
  if (ExpectRefusedByExecute(
          what,
          [&] {
            // No wait: refused.
            made.primitive.execute(device->stream, {{made.from_arg, from}, {made.to_arg, to}});
          },
          device->stream, trial))
    whole.Holds("the buffer after " + what, trial);
}

// The run-time scales of a reorder, or a zero point, are an element of its destination.
void ScalesAreNotOverwritten(const SeedCase& c, Trial& trial) {
  if (trial.portable()) return trial.NotRun("pinned by the project profile only");
  Device* const device = DeviceFor(trial);
  if (device == nullptr) return;
  Random random(Mix(c.seed));
  const bool scaled = random.Chance(40);
  const spec::Type type = scaled ? spec::Type::kF32 : spec::Type::kS32;
  const Desc line = Flat(type, random.Between(1, 40)), one = Flat(type, 1);
  const int side = random.Chance(50) ? DNNL_ARG_SRC : DNNL_ARG_DST;
  const int index = scaled ? DNNL_ARG_ATTR_OUTPUT_SCALES : DNNL_ARG_ATTR_ZERO_POINTS | side;
  const char* const name = scaled ? "scales" : "a zero point";
  const auto made = Attempt([&] {
    dnnl::primitive_attr attr;
    if (scaled) {
      attr.set_output_scales(0, {DNNL_RUNTIME_F32_VAL});
    } else {
      attr.set_zero_points(side, 0, {DNNL_RUNTIME_S32_VAL});
    }
    return Reorder(*device, line, line, attr);
  });
  if (!made)
    return trial.Refused(made.refusal, {"reorder",
                                        "",
                                        {spec::NameOf(type), spec::NameOf(type)},
                                        1,
                                        {scaled ? "run-time scales" : "run-time zero points"}});
  trial.Cover(name);
  const Holder from(line, *device, c.seed), to(line, *device, ~c.seed);
  const memory value = random.Chance(50) ? to.held : to.As(one, *device);
  if (ExpectRefusedByExecute(
          std::string("execute with ") + name + " in the destination",
          [&] {
            // No wait: refused.
            made.value->primitive.execute(
                device->stream,
                {{DNNL_ARG_FROM, from.held}, {DNNL_ARG_TO, to.held}, {index, value}});
          },
          device->stream, trial))
    to.Holds("destination", trial);
}

// Columns of one matrix, or pieces of one line: no byte is of both.
void RegionsBesideEachOtherServe(const SharingCase& c, Trial& trial) {
  if (trial.portable()) return trial.NotRun("pinned by the project profile only");
  Device* const device = DeviceFor(trial);
  if (device == nullptr) return;
  Random random(Mix(c.seed));
  trial.Cover(std::to_string(c.memories) + (c.memories == 1 ? " memory" : " memories"));
  const int64_t height = c.kind == "columns" ? random.Between(2, 6) : 1;
  const int64_t width = random.Between(1, 9), gap = random.Between(0, 2);
  const int64_t all = 2 * width + gap + random.Between(0, 2);
  const auto region = [&](int64_t at) {
    TensorSpec tensor;
    tensor.dims = {height, width};
    tensor.layout.strides = {all, 1};
    tensor.layout.parents = {{{height, all}, {0, at}}};
    return tensor;
  };
  TensorSpec from = region(0), to = region(width + gap);
  if (random.Chance(50)) std::swap(from, to);
  Holder whole(Flat(spec::Type::kF32, height * all), *device, c.seed);
  const std::vector<spec::Bits> values = DifferentElements(from, to.type, c.seed);
  whole.Put(from, values);
  whole.Upload();
  const Desc from_desc = MakeDesc(from), to_desc = MakeDesc(to);
  const auto done = Attempt([&] {
    const bool own = c.memories == 2;
    Reorder(*device, from_desc, to_desc)
        .primitive.execute(device->stream,
                           {{DNNL_ARG_FROM, own ? whole.As(from_desc, *device) : whole.held},
                            {DNNL_ARG_TO, own ? whole.As(to_desc, *device) : whole.held}});
    device->stream.wait();
  });
  if (!trial.Expect(static_cast<bool>(done), "execute on regions beside each other", "done",
                    done.refusal.ToString()))
    return;
  whole.Put(to, values);
  whole.Holds("the buffer", trial);
}

const std::vector<std::string> kMemories = {"1 memory", "2 memories"};

const bool defined[] = {
    Define(spec::PRIM_050, "", Kinds(kRefused), SharedBytesAreRefused, kMemories),
    Define(spec::PRIM_050, "scales", Seeds(), ScalesAreNotOverwritten, {"scales", "a zero point"}),
    Define(spec::PRIM_050, "regions", Kinds({"columns", "pieces"}), RegionsBesideEachOtherServe,
           kMemories),
};

}  // namespace
}  // namespace conformance
