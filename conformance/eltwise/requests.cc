// ELT-006, ELT-008, ELT-010 to ELT-015, ELT-080, ELT-081: of requests of any type, layout and
// algorithm, what makes them wrong. Beside each stands the same one without it, which is accepted.
#include <cstdint>
#include <iterator>
#include <optional>
#include <string>
#include <vector>

#include "conformance/case/property.h"
#include "conformance/eltwise/cases.h"
#include "conformance/eltwise/run.h"
#include "conformance/subject/expect.h"
#include "conformance/subject/fpmath.h"
#include "conformance/subject/prop_kinds.h"
#include "spec/requirements.h"

namespace conformance {
namespace {

using dnnl::algorithm;
using dnnl::memory;
using dnnl::prop_kind;
using spec::Type;

// The arguments of the constructors.
struct Request {
  bool forward = true;
  prop_kind kind = prop_kind::forward_training;
  algorithm what = algorithm::undef;
  memory::desc data, gradient;
  float alpha = 0, beta = 0;
  dnnl::primitive_attr attr;
  ForwardEltwise::primitive_desc hint;  // backward
};

Attempted<dnnl::primitive> Try(const Request& request, const Device& device) {
  return Attempt([&]() -> dnnl::primitive {
    if (request.forward) {
      const ForwardEltwise::desc desc(request.kind, request.what, request.data, request.alpha,
                                      request.beta);
      return ForwardEltwise(ForwardEltwise::primitive_desc(desc, request.attr, device.engine));
    }
    const BackwardEltwise::desc desc(request.what, request.gradient, request.data, request.alpha,
                                     request.beta);
    return BackwardEltwise(
        BackwardEltwise::primitive_desc(desc, request.attr, device.engine, request.hint));
  });
}

// That of the case, where it is accepted; a gradient is `any` in one case of three. nullopt after
// recording the outcome.
std::optional<Request> LegalRequest(const EltwiseCase& c, const Device& device, Trial& trial) {
  Cover(trial, c);
  const auto descs = DescsOf(c, trial);
  if (!descs) return std::nullopt;
  Request request;
  request.forward = c.forward();
  request.what = AlgorithmOf(c.function.algorithm, c.by_result());
  request.data = descs->data;
  request.gradient = c.seed % 3 == 0 ? WithAny(c.data.type, c.data.dims) : descs->gradient;
  request.alpha = c.function.alpha;
  request.beta = c.function.beta;
  if (c.forward() && c.seed % 2 == 0) request.kind = prop_kind::forward_inference;
  Refusal refusal = Attempt([&] {
                      if (!c.forward()) request.hint = ForwardPd(c, descs->data, device.engine);
                    }).refusal;
  if (!refusal.is_error) {
    const auto made = Try(request, device);
    if (made) return request;
    refusal = made.refusal;
  }
  if (MayRefuse(c, trial)) {
    trial.Refused(refusal, AskedOf(c), LegalityOf(c, trial));
  } else {
    trial.Fail("the legal request", "accepted", refusal);
  }
  return std::nullopt;
}

// Calls `change(request)`, which says what it is then.
template <class Change>
void ExpectWrong(const EltwiseCase& c, Trial& trial, Change change) {
  Device* const device = DeviceFor(trial);
  if (device == nullptr) return;
  std::optional<Request> request = LegalRequest(c, *device, trial);
  if (!request) return;
  std::string what;
  const auto changed = Attempt([&] { what = change(&*request); });
  if (!changed) return trial.NotRun("no such descriptor or attribute");
  ExpectRefused(trial, Try(*request, *device), what);
}

void KindsAreRefused(const EltwiseCase& c, Trial& trial) {
  ExpectWrong(c, trial, [&](Request* request) {
    std::vector<prop_kind> kinds;
    for (const NamedKind& kind : KindsOtherThanForward()) kinds.push_back(kind.kind);
    for (const int number : {1, 0x3f, 0x61, 0x41, 0x10040})
      kinds.push_back(static_cast<prop_kind>(number));
    request->kind = kinds[c.seed % kinds.size()];
    return "prop_kind " + std::to_string(static_cast<int>(request->kind));
  });
}

void AnyDataIsRefused(const EltwiseCase& c, Trial& trial) {
  ExpectWrong(c, trial, [&](Request* request) {
    request->data = WithAny(c.data.type, c.data.dims);
    return "any as data";
  });
}

// One axis otherwise, or one axis more or less.
spec::Dims OtherDims(const EltwiseCase& c) {
  Random random(Mix(c.seed));
  spec::Dims dims = c.data.dims;
  const auto axis = static_cast<size_t>(random.Between(0, c.data.rank() - 1));
  const int64_t dice = random.Between(1, 100);
  if (dice <= 15 && dims.size() > 1) {
    dims.erase(dims.begin() + static_cast<int64_t>(axis));
  } else if (dice <= 25 && dims.size() < 6) {
    dims.insert(dims.begin() + static_cast<int64_t>(axis), random.Between(1, 2));
  } else if (dice <= 35 && dims[axis] > 1) {
    dims[axis] = 1;
  } else if (dice <= 45) {
    dims[axis] *= 2;
  } else {
    dims[axis] += dims[axis] > 1 && random.Chance(50) ? -1 : 1;
  }
  return dims;
}

void OtherDimsAreRefused(const EltwiseCase& c, Trial& trial) {
  ExpectWrong(c, trial, [&](Request* request) {
    const spec::Dims dims = OtherDims(c);
    const bool any = c.seed % 3 == 0;
    request->gradient =
        any ? WithAny(c.data.type, dims) : MakeDesc({c.data.type, dims, RowMajor(dims)});
    return std::string("a gradient of other dims, ") + (any ? "any" : "row-major");
  });
}

void OtherTypesAreRefused(const EltwiseCase& c, Trial& trial) {
  ExpectWrong(c, trial, [&](Request* request) {
    TensorSpec other = c.Output();
    other.type = spec::kTypes[c.seed % std::size(spec::kTypes)];
    if (other.type == c.data.type) other.type = Type::kS32;
    request->gradient = c.seed % 3 == 0 ? WithAny(other.type, other.dims) : MakeDesc(other);
    return std::string("a gradient of ") + spec::NameOf(other.type);
  });
}

// Nothing, or a size or all strides that are known at execution.
memory::desc NothingOrRunTime(const EltwiseCase& c) {
  const spec::Dims strides(c.data.dims.size(), DNNL_RUNTIME_DIM_VAL);
  spec::Dims dims = c.data.dims;
  switch (c.seed % 4) {
    case 0:
      return {};
    case 1:
      dims[c.seed / 4 % dims.size()] = DNNL_RUNTIME_DIM_VAL;
      break;
    case 2:
      dims.assign(dims.size(), DNNL_RUNTIME_DIM_VAL);
      break;
    default:
      break;
  }
  return {dims, DataTypeOf(c.data.type), strides};
}

void NothingAndRunTimeAreRefused(const EltwiseCase& c, Trial& trial) {
  ExpectWrong(c, trial, [&](Request* request) {
    const uint64_t where = c.forward() ? 0 : c.seed / 64 % 3;
    if (where != 1) request->data = NothingOrRunTime(c);
    if (where != 0) request->gradient = NothingOrRunTime(c);
    return std::string("nothing, or what is known at execution");
  });
}

void RoundIsRefused(const EltwiseCase& c, Trial& trial) {
  ExpectWrong(c, trial, [&](Request* request) {
    request->what = algorithm::eltwise_round;
    return "backward of round";
  });
}

void NoHintIsRefused(const EltwiseCase& c, Trial& trial) {
  ExpectWrong(c, trial, [&](Request* request) {
    request->hint = ForwardEltwise::primitive_desc();
    return "an empty hint";
  });
}

// Another attribute than the scratchpad mode; the name of it. May throw.
std::string SetAttribute(const EltwiseCase& c, dnnl::primitive_attr* attr) {
  const int last = 1 << (c.data.rank() - 1);
  const auto count = static_cast<size_t>(c.data.dims.back());
  const uint64_t kinds = kHasFpmathMode ? 13 : 10;
  switch (c.seed % kinds) {
    case 0:
      attr->set_output_scales(0, {2.0f});
      return "a scale";
    case 1:
      attr->set_output_scales(last, std::vector<float>(count, 0.5f));
      return "scales of an axis";
    case 2:
      attr->set_output_scales(0, {DNNL_RUNTIME_F32_VAL});
      return "a scale at execution";
    case 3:
      attr->set_scales(DNNL_ARG_SRC, 0, {2.0f});
      return "a scale of the source";
    case 4:
      attr->set_scales(DNNL_ARG_DST, 0, {2.0f});
      return "a scale of the destination";
    case 5:
      attr->set_zero_points(DNNL_ARG_SRC, 0, {1});
      return "a zero point of the source";
    case 6:
      attr->set_zero_points(DNNL_ARG_DST, 0, {-1});
      return "a zero point of the destination";
    case 7:
      attr->set_zero_points(DNNL_ARG_DST, 0, {DNNL_RUNTIME_S32_VAL});
      return "a zero point at execution";
    case 8:
      attr->set_rnn_data_qparams(2, 1);
      return "parameters of RNN data";
    case 9:
      attr->set_rnn_weights_qparams(0, {2.0f});
      return "parameters of RNN weights";
    default:
      SetFpmathMode(attr, static_cast<int>(c.seed % kinds) - 9);
      return "a mode of floating-point arithmetic";
  }
}

// A mode permits, and demands nothing: only the project's reading refuses it.
void AttributesAreRefused(const EltwiseCase& c, Trial& trial) {
  if (trial.portable() && kHasFpmathMode && c.seed % 13 > 9)
    return trial.NotRun("pinned by the project profile only");
  ExpectWrong(c, trial, [&](Request* request) { return SetAttribute(c, &request->attr); });
}

// Portable: they may be applied, which ELT-080 looks at where all is exact.
void PostOpsAreRefused(const EltwiseCase& c, Trial& trial) {
  if (trial.portable()) return trial.NotRun("pinned by the project profile only");
  ExpectWrong(c, trial, [&](Request* request) {
    dnnl::post_ops ops;
    if (c.seed % 4 == 0) ops.append_sum(0.5f);
    if (c.seed % 4 == 1) ops.append_sum();
    if (c.seed % 4 != 1) ops.append_eltwise(1, algorithm::eltwise_abs, 0, 0);
    request->attr.set_post_ops(ops);
    return "post-ops";
  });
}

constexpr EltwiseDirection kForward = EltwiseDirection::kForward,
                           kBackward = EltwiseDirection::kBackward,
                           kByResult = EltwiseDirection::kBackwardByResult;

Cases<EltwiseCase> Of(std::vector<EltwiseDirection> directions) {
  EltwiseDraws draws;
  draws.directions = std::move(directions);
  draws.all_types = draws.all_layouts = draws.own_gradient = true;
  draws.max_rank = 12;
  return SomeEltwise(400, draws);
}

const std::vector<std::string> kForwards{"f32", "bf16", "s8", "gapped", "rank 1", "rank 6"};
const std::vector<std::string> kBackwards{"f32",    "bf16",     "gapped",         "rank 1",
                                          "rank 6", "backward", "backward by dst"};

const bool kDefined[] = {
    Define<EltwiseCase>(spec::ELT_006, "everywhere", Of({kForward}), KindsAreRefused, kForwards),
    Define<EltwiseCase>(spec::ELT_008, "everywhere", Of({kForward}), AnyDataIsRefused, kForwards),
    Define<EltwiseCase>(spec::ELT_010, "everywhere", Of({kBackward, kByResult}), AnyDataIsRefused,
                        kBackwards),
    Define<EltwiseCase>(spec::ELT_011, "everywhere", Of({kBackward, kByResult}),
                        OtherDimsAreRefused, kBackwards),
    Define<EltwiseCase>(spec::ELT_012, "everywhere", Of({kBackward, kByResult}),
                        OtherTypesAreRefused, kBackwards),
    Define<EltwiseCase>(spec::ELT_013, "everywhere", Of({kForward, kBackward, kByResult}),
                        NothingAndRunTimeAreRefused, kBackwards),
    Define<EltwiseCase>(spec::ELT_014, "everywhere", Of({kBackward}), RoundIsRefused,
                        {"f32", "bf16", "gapped"}),
    Define<EltwiseCase>(spec::ELT_015, "without", Of({kBackward, kByResult}), NoHintIsRefused,
                        kBackwards),
    Define<EltwiseCase>(spec::ELT_080, "everywhere", Of({kForward, kBackward, kByResult}),
                        PostOpsAreRefused),
    Define<EltwiseCase>(spec::ELT_081, "everywhere", Of({kForward, kBackward, kByResult}),
                        AttributesAreRefused, kBackwards),
};

}  // namespace
}  // namespace conformance
