// What must not change: the outcome of a good construction with allow_empty (ERR-008), and all that
// exists when a call fails (ERR-014).
#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include "conformance/case/property.h"
#include "conformance/gen/shapes.h"
#include "conformance/memory/descriptor_case.h"
#include "conformance/memory/reshape_cases.h"
#include "conformance/model/attribute_text.h"
#include "conformance/model/calls.h"
#include "conformance/subject/attempt.h"
#include "conformance/subject/descriptor_text.h"
#include "conformance/subject/device.h"
#include "conformance/subject/fpmath.h"
#include "conformance/subject/tensor.h"
#include "oneapi/dnnl/dnnl.hpp"
#include "spec/requirements.h"

namespace conformance {
namespace {

using dnnl::memory;
using Desc = memory::desc;
using DataType = memory::data_type;
using FormatTag = memory::format_tag;
using ReorderPd = dnnl::reorder::primitive_desc;
using ForwardPd = dnnl::shuffle_forward::primitive_desc;
using BackwardPd = dnnl::shuffle_backward::primitive_desc;

// make(false) and make(true) must be equal descriptors; what make(false) refuses counts nothing.
template <class Make>
void FlagIsIdle(const char* call, Make make, Trial& trial) {
  const auto without = Attempt([&] { return make(false); });
  if (!without) return;
  const auto with = Attempt([&] { return make(true); });
  trial.Cover(call);
  const std::string where = std::string(call) + " with allow_empty";
  if (!with) return trial.Fail(where, "as without it", with.refusal.ToString());
  const bool held = *with.value == *without.value;
  if constexpr (std::is_same_v<decltype(make(true)), dnnl::memory::desc>)
    ExpectDescriptor(trial, held, where, "as without it", *without.value, *with.value);
  else
    trial.Expect(held, where, "as without it", "another descriptor");
}

void FlagIsIdleForDescriptors(const ReshapeCase& c, Trial& trial) {
  const DescriptorCase& view = c.from;
  if (!view.IsWellFormed() || c.to.size() != 1 || view.regions.size() > 1) return trial.Vacuous();
  const auto type = DataTypeOf(view.type);
  FlagIsIdle(
      "desc by strides", [&](bool flag) { return Desc(view.dims, type, view.strides, flag); },
      trial);
  FlagIsIdle(
      "desc by any", [&](bool flag) { return Desc(view.dims, type, FormatTag::any, flag); }, trial);
  if (view.dims.size() == 3) {
    FlagIsIdle(
        "desc by tag", [&](bool flag) { return Desc(view.dims, type, FormatTag::bca, flag); },
        trial);
  }
  const auto parent = Attempt([&] { return Desc(view.dims, type, view.strides); });
  if (!parent) return;
  for (const Region& region : view.regions) {
    FlagIsIdle(
        "submemory_desc",
        [&](bool flag) { return parent.value->submemory_desc(region.dims, region.offsets, flag); },
        trial);
  }
  FlagIsIdle(
      "reshape", [&](bool flag) { return parent.value->reshape(c.to[0], flag); }, trial);
  std::vector<int> turned(view.dims.size());
  for (size_t i = 0; i < turned.size(); ++i) turned[i] = static_cast<int>(turned.size() - 1 - i);
  FlagIsIdle(
      "permute_axes", [&](bool flag) { return parent.value->permute_axes(turned, flag); }, trial);
}

// What a primitive descriptor says of itself.
std::string Answers(const dnnl::primitive_desc_base& pd, int arg_from, int arg_to) {
  std::string text = std::to_string(static_cast<int>(pd.get_kind()));
  text += std::string(" ") + pd.impl_info_str();
  text += " " + std::to_string(pd.query_s64(dnnl::query::memory_consumption_s64));
  for (int arg : {arg_from, arg_to}) {
    const Desc desc = pd.query_md(dnnl::query::exec_arg_md, arg);
    text += " " + Text(desc.dims()) + ":" + std::to_string(static_cast<int>(desc.data_type())) +
            ":" + std::to_string(desc.get_size());
  }
  return text;
}

// Values that a primitive makes of 0, 1, 2 ... in memories of its own.
std::vector<float> Results(const dnnl::primitive& primitive, const Desc& from, const Desc& to,
                           int arg_from, int arg_to, Device& device) {
  const auto count = static_cast<size_t>(spec::ElementCount(from.dims()));
  const memory source(from, device.engine), target(to, device.engine);
  float* mapped = source.map_data<float>();
  for (size_t i = 0; i < count; ++i) mapped[i] = static_cast<float>(i);
  source.unmap_data(mapped);
  mapped = target.map_data<float>();
  for (size_t i = 0; i < count; ++i) mapped[i] = -1;
  target.unmap_data(mapped);
  primitive.execute(device.stream, {{arg_from, source}, {arg_to, target}});
  device.stream.wait();
  mapped = target.map_data<float>();
  std::vector<float> results(mapped, mapped + count);
  target.unmap_data(mapped);
  return results;
}

template <class Primitive, class Make>
void FlagIsIdleForPrimitive(const char* call, Make make, const Desc& from, const Desc& to,
                            int arg_from, int arg_to, Device& device, Trial& trial) {
  const auto without = Attempt([&] { return make(false); });
  if (!without) return trial.Fail(call, "created", without.refusal);
  const auto with = Attempt([&] { return make(true); });
  const std::string where = std::string(call) + " with allow_empty";
  if (!with || Of(*with.value) == Made::kEmpty)
    return trial.Fail(where, "an object, as without it",
                      with ? "an empty object" : with.refusal.ToString());
  const std::string before = Answers(*without.value, arg_from, arg_to);
  const std::string after = Answers(*with.value, arg_from, arg_to);
  if (!trial.Expect(before == after, where, before, after)) return;
  trial.Expect(Results(Primitive(*without.value), from, to, arg_from, arg_to, device) ==
                   Results(Primitive(*with.value), from, to, arg_from, arg_to, device),
               where + ", executed", "equal results", "others");
}

void FlagIsIdleForPrimitives(const SeedCase& c, Trial& trial) {
  Device* const device = DeviceFor(trial);
  if (device == nullptr) return;
  Random random(Mix(c.seed));
  const memory::dims dims{random.Between(1, 5), random.Between(1, 5) * 2, random.Between(1, 5)};
  const Desc rows(dims, DataType::f32, FormatTag::abc), mixed(dims, DataType::f32, FormatTag::cba);
  const dnnl::engine& engine = device->engine;
  FlagIsIdleForPrimitive<dnnl::reorder>(
      "reorder::primitive_desc",
      [&](bool flag) { return ReorderPd(engine, rows, engine, mixed, {}, flag); }, rows, mixed,
      DNNL_ARG_FROM, DNNL_ARG_TO, *device, trial);
  if (trial.failed()) return;
  const dnnl::shuffle_forward::desc forward(dnnl::prop_kind::forward_training, rows, 1, 2);
  FlagIsIdleForPrimitive<dnnl::shuffle_forward>(
      "shuffle_forward::primitive_desc",
      [&](bool flag) { return ForwardPd(forward, engine, {}, flag); }, rows, rows, DNNL_ARG_SRC,
      DNNL_ARG_DST, *device, trial);
  if (trial.failed()) return;
  const ForwardPd hint(forward, engine);
  const dnnl::shuffle_backward::desc backward(rows, 1, 2);
  FlagIsIdleForPrimitive<dnnl::shuffle_backward>(
      "shuffle_backward::primitive_desc",
      [&](bool flag) { return BackwardPd(backward, engine, hint, {}, flag); }, rows, rows,
      DNNL_ARG_DIFF_DST, DNNL_ARG_DIFF_SRC, *device, trial);
}

// ERR-014: one object of each class, and their state as text.
class World {
 public:
  explicit World(const Device& device)
      : device_(device),
        desc_({3, 4}, DataType::f32, FormatTag::ba),
        owned_(desc_, device.engine),
        pd_(device.engine, desc_, device.engine, desc_),
        primitive_(pd_) {
    attr_.set_output_scales(2, {1.f, 2.f, 3.f, 4.f});
    attr_.set_scratchpad_mode(dnnl::scratchpad_mode::user);
    attr_.set_rnn_data_qparams(2.f, 3.f);
    attr_.set_rnn_weights_qparams(1, {5.f, 6.f});
    // What nobody has to know.
    Attempt([&] { attr_.set_scales(DNNL_ARG_SRC, 0, {7.f}); });
    Attempt([&] { attr_.set_zero_points(DNNL_ARG_SRC, 0, {8}); });
    Attempt([&] { attr_.set_zero_points(DNNL_ARG_DST, 0, {9}); });
    Attempt([&] { SetFpmathMode(&attr_, 1); });
    ops_.append_sum(0.5f);
    auto* const mapped = owned_.map_data<uint8_t>();
    for (size_t i = 0; i < desc_.get_size(); ++i) mapped[i] = static_cast<uint8_t>(7 * i);
    owned_.unmap_data(mapped);
  }

  std::string State() const {
    std::string state = Text(desc_.dims()) + std::to_string(desc_.get_size());
    state += TextOf(attr_);
    float sum = 0;
    ops_.get_params_sum(0, sum);
    state += " sums " + std::to_string(ops_.len()) + " of " + std::to_string(sum);
    state += " pd " + Answers(pd_, DNNL_ARG_FROM, DNNL_ARG_TO);
    state += " kind " + std::to_string(static_cast<int>(primitive_.get_kind()));
    state += " engine " + std::to_string(static_cast<int>(device_.engine.get_kind()));
    state += " handle " + std::to_string(reinterpret_cast<uintptr_t>(owned_.get_data_handle()));
    const auto* const mapped = owned_.map_data<uint8_t>();
    uint64_t bytes = 0;
    for (size_t i = 0; i < desc_.get_size(); ++i) bytes = Mix(bytes ^ mapped[i]);
    owned_.unmap_data(const_cast<uint8_t*>(mapped));
    return state + " bytes " + std::to_string(bytes);
  }

  // Member calls on these very objects that must fail.
  void Fail(int which) {
    if (which >= kOthers) return Set(which - kOthers);
    switch (which) {
      case 0:
        return ops_.append_sum(2.f, static_cast<DataType>(99));
      case 1:
        return ops_.append_eltwise(1.f, dnnl::algorithm::undef, 0.f, 0.f);
      case 2:
        return ops_.append_eltwise(1.f, dnnl::algorithm::convolution_direct, 0.f, 0.f);
      case 3: {
        float scale = 0;
        return ops_.get_params_sum(5, scale);
      }
      case 4:
        desc_ = desc_.reshape({5, 5});
        return;
      case 5:
        desc_ = desc_.submemory_desc({9, 9}, {0, 0});
        return;
      case 6:
        desc_ = desc_.permute_axes({1, 1});
        return;
      case 7:
        pd_ = ReorderPd(device_.engine, desc_, device_.engine, desc_.reshape({4, 3, 1}));
        return;
      case 8:
        primitive_ = dnnl::reorder(ReorderPd());
        return;
      case 9:
        owned_ = memory(desc_, dnnl::engine());
        return;
      case 10:
        return primitive_.dnnl::primitive::execute(device_.stream, {{DNNL_ARG_TO, owned_}});
      default:
        owned_ = memory(Desc({2}, DataType::f32, FormatTag::any), device_.engine);
    }
  }

  // The same of each setter of the attributes.
  void Set(int which) {
    switch (which) {
      case 0:
        return attr_.set_output_scales(-1, {1.f});
      case 1:
        return attr_.set_output_scales(0, {});
      case 2:
        return attr_.set_scales(DNNL_ARG_SRC, -1, {1.f});
      case 3:
        return attr_.set_scales(DNNL_ARG_SRC, 0, {});
      case 4:
        return attr_.set_zero_points(DNNL_ARG_SRC, -1, {1});
      case 5:
        return attr_.set_zero_points(DNNL_ARG_SRC, 0, {});
      case 6:
        return attr_.set_zero_points(DNNL_ARG_DST, -1, {1});
      case 7:
        return attr_.set_rnn_weights_qparams(-1, {1.f});
      case 8:
        return attr_.set_rnn_weights_qparams(0, {});
      case 9:
        return attr_.set_scratchpad_mode(static_cast<dnnl::scratchpad_mode>(7));
      case 10:
        if (!kHasFpmathMode) return attr_.set_output_scales(-2, {2.f});
        return SetFpmathMode(&attr_, 99);
      default:
        return attr_.set_output_scales(1, {1.f, DNNL_RUNTIME_F32_VAL});
    }
  }
  static constexpr int kOthers = 12, kFailures = kOthers + 12;

 private:
  Device device_;
  Desc desc_;
  memory owned_;
  dnnl::primitive_attr attr_;
  dnnl::post_ops ops_;
  ReorderPd pd_;
  dnnl::reorder primitive_;
};

void NothingElseChanges(const FaultCase& c, Trial& trial) {
  Device* const device = DeviceFor(trial);
  const FaultyCall* const call = DemandedFault(c, trial);
  if (device == nullptr || call == nullptr) return;
  const World world(*device);
  const std::string before = world.State();
  Random random(Mix(c.seed));
  const CallPair pair = call->draw(random, *device);
  if (Attempt([&] { return pair.wrong(false); })) return trial.Vacuous();  // ERR-001
  const std::string after = world.State();
  trial.Expect(after == before, std::string("objects after ") + call->name, before, after);
}

void TheObjectItselfDoesNotChange(const SeedCase& c, Trial& trial) {
  Device* const device = DeviceFor(trial);
  if (device == nullptr) return;
  World world(*device);
  const std::string before = world.State();
  const int which = static_cast<int>(c.seed % World::kFailures);
  if (Attempt([&] { world.Fail(which); })) return trial.Vacuous();
  const std::string after = world.State();
  trial.Expect(after == before, "objects after failing member call " + std::to_string(which),
               before, after);
}

Cases<ReshapeCase> Constructions() {
  return {0, [](int64_t index, Random& random) { return AnyReshape().at(index, random); }};
}

const bool defined[] = {
    Define(spec::ERR_008, "descriptors", Constructions(), FlagIsIdleForDescriptors,
           {"desc by strides", "desc by any", "desc by tag", "submemory_desc", "reshape",
            "permute_axes"}),
    Define(spec::ERR_008, "primitives", Seeds(), FlagIsIdleForPrimitives),
    Define(spec::ERR_014, "others", EveryFault(), NothingElseChanges,
           {"reshape-product", "execute-without-source", "reorder-shapes"}),
    Define(spec::ERR_014, "itself", Seeds(), TheObjectItselfDoesNotChange),
};

}  // namespace
}  // namespace conformance
