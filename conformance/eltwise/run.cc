#include "conformance/eltwise/run.h"

#include <utility>

#include "conformance/subject/buffers_seen.h"

namespace conformance {
namespace {

using dnnl::algorithm;
using spec::EltwiseAlgorithm;

algorithm UseDst(EltwiseAlgorithm of) {
  switch (of) {
    case EltwiseAlgorithm::kRelu:
      return algorithm::eltwise_relu_use_dst_for_bwd;
    case EltwiseAlgorithm::kTanh:
      return algorithm::eltwise_tanh_use_dst_for_bwd;
    case EltwiseAlgorithm::kElu:
      return algorithm::eltwise_elu_use_dst_for_bwd;
    case EltwiseAlgorithm::kSqrt:
      return algorithm::eltwise_sqrt_use_dst_for_bwd;
    case EltwiseAlgorithm::kLogistic:
      return algorithm::eltwise_logistic_use_dst_for_bwd;
    default:
      return algorithm::eltwise_exp_use_dst_for_bwd;
  }
}

// That they end is PRIM-012's business.
constexpr int kMostImplementations = 12;

// What all implementations after the first are judged with.
struct Others {
  const EltwiseCase& c;
  const EltwiseDescs& descs;
  const EltwiseRan& first;
  Device& device;
  const EltwiseJudge& judge;

  template <class Pd, class Make>
  void Judge(Pd* pd, Make make, Trial& trial) const {
    for (int number = 2; number <= kMostImplementations && pd->next_impl(); ++number) {
      trial.Cover("several implementations");
      const dnnl::primitive primitive = make(*pd);
      EltwiseBench bench(c, descs, device, false);
      bench.Fill(first.source, first.gradient);
      if (!bench.Execute(primitive, trial)) return;
      if (!judge("of implementation " + std::to_string(number), bench)) return;
    }
  }
};

std::vector<spec::Bits> Garbage(std::vector<spec::Bits> elements) {
  for (spec::Bits& bits : elements) bits ^= 0x55;
  return elements;
}

}  // namespace

algorithm AlgorithmOf(EltwiseAlgorithm of, bool use_dst) {
  if (use_dst) return UseDst(of);
  switch (of) {
    case EltwiseAlgorithm::kRelu:
      return algorithm::eltwise_relu;
    case EltwiseAlgorithm::kTanh:
      return algorithm::eltwise_tanh;
    case EltwiseAlgorithm::kElu:
      return algorithm::eltwise_elu;
    case EltwiseAlgorithm::kSquare:
      return algorithm::eltwise_square;
    case EltwiseAlgorithm::kAbs:
      return algorithm::eltwise_abs;
    case EltwiseAlgorithm::kSqrt:
      return algorithm::eltwise_sqrt;
    case EltwiseAlgorithm::kLinear:
      return algorithm::eltwise_linear;
    case EltwiseAlgorithm::kBoundedRelu:
      return algorithm::eltwise_bounded_relu;
    case EltwiseAlgorithm::kSoftRelu:
      return algorithm::eltwise_soft_relu;
    case EltwiseAlgorithm::kLogistic:
      return algorithm::eltwise_logistic;
    case EltwiseAlgorithm::kExp:
      return algorithm::eltwise_exp;
    case EltwiseAlgorithm::kGeluTanh:
      return algorithm::eltwise_gelu_tanh;
    case EltwiseAlgorithm::kSwish:
      return algorithm::eltwise_swish;
    case EltwiseAlgorithm::kLog:
      return algorithm::eltwise_log;
    case EltwiseAlgorithm::kClip:
      return algorithm::eltwise_clip;
    case EltwiseAlgorithm::kPow:
      return algorithm::eltwise_pow;
    case EltwiseAlgorithm::kGeluErf:
      return algorithm::eltwise_gelu_erf;
    case EltwiseAlgorithm::kRound:
      break;
  }
  return algorithm::eltwise_round;
}

ForwardEltwise::primitive_desc ForwardPd(const EltwiseCase& c, const dnnl::memory::desc& data,
                                         const dnnl::engine& engine, const EltwiseMaking& making) {
  const ForwardEltwise::desc desc(making.kind, AlgorithmOf(c.function.algorithm, making.use_dst),
                                  data, c.function.alpha, c.function.beta);
  return {desc, making.attr, engine};
}

BackwardEltwise::primitive_desc BackwardPd(const EltwiseCase& c, const dnnl::memory::desc& gradient,
                                           const dnnl::memory::desc& data,
                                           const dnnl::engine& engine,
                                           const EltwiseMaking& making) {
  // The fault of a case is the operation's own: its descriptor comes first.
  const BackwardEltwise::desc desc(AlgorithmOf(c.function.algorithm, c.by_result()), gradient, data,
                                   c.function.alpha, c.function.beta);
  return {desc, making.attr, engine, making.hint ? *making.hint : ForwardPd(c, data, engine)};
}

bool MayRefuse(const EltwiseCase& c, const Trial& trial, bool use_dst) {
  using spec::Type;
  if (MayRefuseRank(trial, c.data.rank())) return true;
  const Type type = c.data.type;
  if (type == Type::kF32) return use_dst && trial.portable();
  if (trial.portable() || trial.engine() == EngineChoice::kGpu) return true;
  // ELT-047, ELT-062, ELT-063, ELT-065.
  if (c.function.algorithm == EltwiseAlgorithm::kRound) return true;
  if (!spec::IsFloat(type))
    return !c.forward() || (c.function.algorithm != EltwiseAlgorithm::kRelu &&
                            c.function.algorithm != EltwiseAlgorithm::kLinear);
  return type == Type::kF16 && !c.forward();
}

Legality LegalityOf(const EltwiseCase& c, const Trial& trial, bool use_dst) {
  if (use_dst && trial.portable()) return Legality::kOpen;
  const EltwiseAlgorithm algorithm = c.function.algorithm;
  const spec::Type type = c.data.type;
  const bool open = algorithm == EltwiseAlgorithm::kRound
                        ? type != spec::Type::kF32
                        : !spec::IsFloat(type) && algorithm != EltwiseAlgorithm::kRelu &&
                              algorithm != EltwiseAlgorithm::kLinear;
  return open ? Legality::kOpen : Legality::kLegal;
}

Asked AskedOf(const EltwiseCase& c) {
  return {"eltwise",
          c.forward() ? "forward" : "backward",
          {spec::NameOf(c.data.type)},
          c.data.rank(),
          {}};
}

spec::EltwiseLimits LimitsOf(const Trial& trial) {
  spec::EltwiseLimits limits;
  if (trial.portable()) return limits;
  limits.readings = spec::Strictness::kProject;
  limits.tight = trial.engine() == EngineChoice::kCpu;
  return limits;
}

std::optional<EltwiseDescs> DescsOf(const EltwiseCase& c, Trial& trial) {
  const auto data = DescFor(c.data, trial);
  if (!data) return std::nullopt;
  if (c.forward()) return EltwiseDescs{*data, *data};
  const auto gradient = DescFor(c.Output(), trial);
  if (!gradient) return std::nullopt;
  return EltwiseDescs{*data, *gradient};
}

std::optional<dnnl::primitive> PrimitiveOf(const EltwiseCase& c, const EltwiseDescs& descs,
                                           Device& device, Trial& trial,
                                           const EltwiseMaking& making) {
  auto primitive = Attempt([&]() -> dnnl::primitive {
    if (c.forward()) return ForwardEltwise(ForwardPd(c, descs.data, device.engine, making));
    return BackwardEltwise(BackwardPd(c, descs.gradient, descs.data, device.engine, making));
  });
  if (primitive) return std::move(primitive.value);
  if (MayRefuse(c, trial, making.use_dst)) {
    trial.Refused(primitive.refusal, AskedOf(c), LegalityOf(c, trial, making.use_dst));
  } else {
    trial.Denied(std::string("eltwise ") + AskedOf(c).prop + " primitive descriptor", "created",
                 primitive.refusal, AskedOf(c));
  }
  return std::nullopt;
}

EltwiseBench::EltwiseBench(const EltwiseCase& c, const EltwiseDescs& descs, Device& device,
                           bool in_place)
    : device_(device), forward_(c.forward()), by_result_(c.by_result()), in_place_(in_place) {
  data_ = std::make_unique<Tensor>(c.data, descs.data, device, c.data_at, c.seed);
  if (!forward_)
    gradient_ =
        std::make_unique<Tensor>(c.Output(), descs.gradient, device, c.gradient_at, c.seed + 1);
  if (!in_place_)
    output_ = std::make_unique<Tensor>(c.Output(), descs.gradient, device, c.output_at, ~c.seed);
}

Tensor& EltwiseBench::output() {
  if (output_) return *output_;
  return forward_ ? *data_ : *gradient_;
}

void EltwiseBench::Fill(const std::vector<spec::Bits>& source,
                        const std::vector<spec::Bits>& gradient) {
  source_ = source;
  diff_dst_ = gradient;
  data_->Store(source);
  if (gradient_) gradient_->Store(gradient);
  // It differs from the input everywhere: an execution that does nothing shows.
  if (output_) output_->Store(Garbage(forward_ ? source : gradient));
}

std::unordered_map<int, dnnl::memory> EltwiseBench::Arguments() {
  if (forward_) return {{DNNL_ARG_SRC, data_->memory()}, {DNNL_ARG_DST, output().memory()}};
  return {{by_result_ ? DNNL_ARG_DST : DNNL_ARG_SRC, data_->memory()},
          {DNNL_ARG_DIFF_DST, gradient_->memory()},
          {DNNL_ARG_DIFF_SRC, output().memory()}};
}

bool EltwiseBench::Execute(const dnnl::primitive& primitive, Trial& trial) {
  const auto done = Attempt([&] {
    primitive.execute(device_.stream, Arguments());
    device_.stream.wait();
  });
  if (!done) trial.Fail("execute and wait", "done", done.refusal);
  return static_cast<bool>(done);
}

bool EltwiseBench::ExpectFootprint(Trial& trial) {
  const auto held = [&](const char* name, const std::string& changed) {
    return trial.Expect(changed.empty(), name, "unchanged", changed);
  };
  if (!held("outside the elements of the output", output().ChangedGap())) return false;
  if (!(forward_ && in_place_) && !held("the data", data_->ChangedByte(source_))) return false;
  return forward_ || in_place_ || held("diff_dst", gradient_->ChangedByte(diff_dst_));
}

std::optional<EltwiseRan> Run(const EltwiseCase& c, const std::vector<spec::Bits>& source,
                              const std::vector<spec::Bits>& gradient, Trial& trial,
                              const EltwiseMaking& making) {
  Device* const device = DeviceFor(trial);
  if (device == nullptr) return std::nullopt;
  const auto descs = DescsOf(c, trial);
  if (!descs) return std::nullopt;
  auto primitive = PrimitiveOf(c, *descs, *device, trial, making);
  if (!primitive) return std::nullopt;
  auto bench =
      Attempt([&] { return std::make_unique<EltwiseBench>(c, *descs, *device, making.in_place); });
  if (!bench) {
    trial.Fail("memory", "created", bench.refusal);
    return std::nullopt;
  }
  EltwiseRan ran{std::move(*primitive), std::move(*bench.value), source, gradient, {}};
  ran.bench->Fill(source, gradient);
  if (!ran.bench->Execute(ran.primitive, trial)) return std::nullopt;
  ran.result = ran.bench->Result();
  return ran;
}

std::optional<EltwiseRan> Run(const EltwiseCase& c, Trial& trial, const EltwiseMaking& making) {
  Cover(trial, c);
  return Run(c, c.Source(), c.Gradient(), trial, making);
}

// What descriptors are made of lives as long: whether it may go is OBJ-012's business.
void ForOtherImplementations(const EltwiseCase& c, const EltwiseRan& first, Trial& trial,
                             const EltwiseJudge& judge) {
  const auto descs = DescsOf(c, trial);
  if (!descs) return;
  Device& device = *DeviceFor(trial);
  const spec::Eltwise& function = c.function;
  const ForwardEltwise::desc forward(dnnl::prop_kind::forward_training,
                                     AlgorithmOf(function.algorithm), descs->data, function.alpha,
                                     function.beta);
  ForwardEltwise::primitive_desc forward_pd(forward, device.engine);
  const Others others{c, *descs, first, device, judge};
  if (c.forward()) {
    return others.Judge(
        &forward_pd, [](const auto& pd) { return dnnl::primitive(ForwardEltwise(pd)); }, trial);
  }
  const BackwardEltwise::desc backward(AlgorithmOf(function.algorithm, c.by_result()),
                                       descs->gradient, descs->data, function.alpha, function.beta);
  BackwardEltwise::primitive_desc backward_pd(backward, device.engine, forward_pd);
  others.Judge(
      &backward_pd, [](const auto& pd) { return dnnl::primitive(BackwardEltwise(pd)); }, trial);
}

void Cover(Trial& trial, const EltwiseCase& c) {
  for (const std::string& name : ClassesOf(c)) trial.Cover(name);
  for (const Placement& at : {c.data_at, c.gradient_at, c.output_at}) SawPlacement(trial, at);
}

const char* OutputName(const EltwiseCase& c) { return c.forward() ? "dst" : "diff_src"; }

bool ExpectOracle(const EltwiseCase& c, const std::vector<spec::Bits>& source,
                  const std::vector<spec::Bits>& gradient, const std::vector<spec::Bits>& result,
                  Trial& trial, const std::string& what) {
  const spec::EltwiseLimits limits = LimitsOf(trial);
  const spec::Type type = c.data.type;
  for (size_t k = 0; k < source.size(); ++k) {
    const spec::EltwiseResult expected =
        ExpectedElement(c, source[k], c.forward() ? 0 : gradient[k], limits);
    if (spec::Accepts(type, expected, result[k])) continue;
    const std::string name = ElementName(OutputName(c), c.data.dims, static_cast<int64_t>(k));
    trial.Fail(what.empty() ? name : name + " " + what, spec::ToString(type, expected),
               spec::ToString(type, result[k]));
    return false;
  }
  return true;
}

void ResultIsTheFunction(const EltwiseCase& c, Trial& trial) {
  const auto ran = Run(c, trial);
  if (!ran || !ExpectOracle(c, ran->source, ran->gradient, ran->result, trial)) return;
  if (c.values != EltwiseValues::kBinades && c.seed % 4 != 0) return;
  ForOtherImplementations(c, *ran, trial, [&](const std::string& what, EltwiseBench& bench) {
    return ExpectOracle(c, ran->source, ran->gradient, bench.Result(), trial, what);
  });
}

std::optional<size_t> FirstOther(spec::Type type, const std::vector<spec::Bits>& expected,
                                 const std::vector<spec::Bits>& result) {
  for (size_t k = 0; k < expected.size(); ++k) {
    const spec::Bits wanted = expected[k], got = result[k];
    if (wanted != got && !(spec::IsZero(type, wanted) && spec::IsZero(type, got)) &&
        !(spec::IsNan(type, wanted) && spec::IsNan(type, got)))
      return k;
  }
  return std::nullopt;
}

bool ExpectSameResult(const EltwiseCase& c, const std::string& what,
                      const std::vector<spec::Bits>& expected,
                      const std::vector<spec::Bits>& result, Trial& trial) {
  const spec::Type type = c.data.type;
  const std::optional<size_t> k = FirstOther(type, expected, result);
  if (!k) return true;
  trial.Fail(ElementName(OutputName(c), c.data.dims, static_cast<int64_t>(*k)) + " " + what,
             spec::ToString(type, expected[*k]), spec::ToString(type, result[*k]));
  return false;
}

bool IsExact(const EltwiseCase& c) {
  return c.forward() ? spec::IsExactForward(c.function) : spec::IsExactBackward(c.function);
}

bool AsksForBits(const EltwiseCase& c, const Trial& trial) { return trial.project() || IsExact(c); }

bool ExpectSameElsewhere(const EltwiseCase& c, const std::string& what, const EltwiseRan& first,
                         const std::vector<spec::Bits>& result, Trial& trial) {
  if (AsksForBits(c, trial)) return ExpectSameResult(c, what, first.result, result, trial);
  // Equal ones are right or wrong for another requirement.
  return !FirstOther(c.data.type, first.result, result) ||
         ExpectOracle(c, first.source, first.gradient, result, trial, what);
}

}  // namespace conformance
