// What handles answer as booleans and in comparisons: OBJ-015, OBJ-016, STR-015. Probed at compile
// time where a header may lack something.
#include <optional>
#include <string>
#include <type_traits>
#include <utility>

#include "conformance/case/property.h"
#include "conformance/subject/device.h"
#include "oneapi/dnnl/dnnl.hpp"
#include "spec/requirements.h"

namespace conformance {
namespace {

using dnnl::memory;
using Desc = memory::desc;
using DataType = memory::data_type;
using FormatTag = memory::format_tag;
using ReorderPd = dnnl::reorder::primitive_desc;

// OBJ-015.
template <class T, class = void>
struct IsHandle : std::false_type {};
template <class T>
struct IsHandle<T, std::void_t<decltype(static_cast<bool>(std::declval<const T&>())),
                               decltype(std::declval<const T&>() == std::declval<const T&>()),
                               decltype(std::declval<const T&>() != std::declval<const T&>())>>
    : std::true_type {};

template <class T>
void HandleCompares(const char* name, const T& object, const T& other, Trial& trial) {
  if constexpr (IsHandle<T>::value) {
    const T copy = object;
    const std::string prefix(name);
    const std::pair<const char*, bool> facts[] = {
        {" is not empty", static_cast<bool>(object)},
        {" equals its copy", copy == object && !(copy != object)},
        {" differs from another one", object != other && !(object == other)}};
    for (const auto& [what, held] : facts)
      if (!held) trial.Deviate(prefix + what, "true", "false");
    if (std::is_convertible_v<T, bool>)
      trial.Deviate(prefix + " converts to bool", "explicitly", "implicitly");
  } else {
    trial.Deviate(std::string(name) + " has bool, == and !=", "true", "false");
  }
}

template <class T>
void EmptyOnesAreEqual(const char* name, const T& object, Trial& trial) {
  if constexpr (IsHandle<T>::value) {
    const T empty, another;
    if (static_cast<bool>(empty) || empty != another || empty == object)
      trial.Deviate(std::string("empty ") + name, "false, and equal to empty ones only",
                    "otherwise");
  }
}

void HandlesCompare(const NoParameters&, Trial& trial) {
  Device* const device = DeviceFor(trial);
  if (device == nullptr) return;
  const Desc desc({2, 3}, DataType::f32, FormatTag::ab);
  const dnnl::engine& engine = device->engine;
  const dnnl::stream stream(engine), other_stream(engine);
  const memory m(desc, engine), other_m(desc, engine);
  const ReorderPd pd(engine, desc, engine, desc), other_pd(engine, desc, engine, desc);
  const dnnl::reorder primitive(pd), other_primitive(other_pd);
  const dnnl::primitive_attr attr, other_attr;
  const dnnl::post_ops ops, other_ops;
  HandleCompares("stream", stream, other_stream, trial);
  HandleCompares("memory", m, other_m, trial);
  HandleCompares("reorder::primitive_desc", pd, other_pd, trial);
  HandleCompares("reorder", primitive, other_primitive, trial);
  HandleCompares("primitive_attr", attr, other_attr, trial);
  HandleCompares("post_ops", ops, other_ops, trial);
  EmptyOnesAreEqual("engine", engine, trial);
  EmptyOnesAreEqual("stream", stream, trial);
  EmptyOnesAreEqual("memory", m, trial);
  EmptyOnesAreEqual("reorder::primitive_desc", pd, trial);
  EmptyOnesAreEqual("reorder", primitive, trial);
}

// OBJ-016.
template <class T, class = void>
struct HasBool : std::false_type {};
template <class T>
struct HasBool<T, std::void_t<decltype(static_cast<bool>(std::declval<const T&>()))>>
    : std::true_type {};

void DescHasBool(const NoParameters&, Trial& trial) {
  if constexpr (HasBool<Desc>::value) {
    const Desc all[] = {Desc(), Desc({2, 3}, DataType::f32, FormatTag::ab),
                        Desc({0}, DataType::u8, FormatTag::a),
                        Desc({2}, DataType::f32, FormatTag::any)};
    for (const Desc& desc : all)
      if (static_cast<bool>(desc) == desc.is_zero())
        trial.Deviate("bool(desc)", "!is_zero()", "is_zero()");
    if (std::is_convertible_v<Desc, bool>) trial.Deviate("bool(desc)", "explicit", "implicit");
  } else {
    trial.Deviate("bool(desc)", "offered", "missing");
  }
}

// STR-015.
template <class Stream>
auto EngineOf(const Stream& stream, int) -> decltype(std::optional(stream.get_engine())) {
  return stream.get_engine();
}
template <class Stream>
std::optional<dnnl::engine> EngineOf(const Stream&, long) {
  return std::nullopt;
}

void StreamKnowsItsEngine(const NoParameters&, Trial& trial) {
  Device* const device = DeviceFor(trial);
  if (device == nullptr) return;
  const std::optional<dnnl::engine> engine = EngineOf(device->stream, 0);
  if (!engine) return trial.Deviate("stream::get_engine()", "offered", "missing");
  if (engine->get_kind() != device->engine.get_kind())
    trial.Deviate("stream::get_engine().get_kind()", "the engine's", "another");
  if constexpr (IsHandle<dnnl::engine>::value) {
    if (*engine != device->engine) trial.Deviate("stream::get_engine()", "the engine", "another");
  }
}

const bool defined[] = {
    Define(spec::OBJ_015, "", HandlesCompare),
    Define(spec::OBJ_016, "", DescHasBool),
    Define(spec::STR_015, "", StreamKnowsItsEngine),
};

}  // namespace
}  // namespace conformance
