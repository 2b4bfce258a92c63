#include "conformance/convolution/cases.h"

#include <algorithm>
#include <utility>

#include "conformance/case/limits.h"
#include "conformance/gen/shapes.h"

namespace conformance {
namespace {

using spec::ConvolutionAxis;
using Number = int64_t ConvolutionAxis::*;

constexpr int64_t kMostExtent = int64_t{1} << 20;

constexpr const char* kAlgorithmNames[] = {"direct", "auto", "winograd"};
constexpr ConvolutionAlgorithm kAlgorithms[] = {
    ConvolutionAlgorithm::kDirect, ConvolutionAlgorithm::kAuto, ConvolutionAlgorithm::kWinograd};

// What is printed where it is not usual.
struct Optional {
  const char* key;
  Number number;
  int64_t usual, least;
};
constexpr Optional kOptional[] = {{"s", &ConvolutionAxis::stride, 1, 1},
                                  {"d", &ConvolutionAxis::dilation, 0, 0},
                                  {"pl", &ConvolutionAxis::padding_l, 0, 0},
                                  {"pr", &ConvolutionAxis::padding_r, 0, -kMostExtent}};

spec::Dims Outputs(const ConvolutionCase& c) {
  spec::Dims outputs;
  for (const ConvolutionAxis& axis : c.axes) outputs.push_back(axis.RightOutput());
  return outputs;
}

// As many numbers as `count` says, or any if it is 0, none below `least`; rejected otherwise.
spec::Dims NumbersOf(const Fields& fields, const char* key, size_t count, int64_t least) {
  const auto numbers = Split(fields.Text(key), 'x');
  bool good = numbers && !numbers->empty() && numbers->size() <= 3 &&
              (count == 0 || numbers->size() == count);
  for (size_t i = 0; good && i < numbers->size(); ++i)
    good = (*numbers)[i] >= least && (*numbers)[i] <= kMostExtent;
  if (good) return *numbers;
  fields.Reject(key, "is no number for each spatial axis, or out of range");
  return spec::Dims(std::max<size_t>(1, count), std::max<int64_t>(1, least));
}

// The layout of a tensor when its dims are others, of the same kind where it can be.
LayoutSpec Refitted(TensorSpec tensor, const spec::Dims& dims) {
  if (tensor.dims.size() != dims.size()) return Plainest(dims);
  for (size_t axis = 0; axis < dims.size(); ++axis) {
    if (dims[axis] > tensor.dims[axis]) return Plainest(dims);
    if (dims[axis] < tensor.dims[axis])
      tensor = CutTensor(tensor, {static_cast<int>(axis), dims[axis]});
  }
  return tensor.layout;
}

// Adds `changed` of `c` if it is legal, no larger in what it writes out, and has elements where `c`
// has.
template <class Change>
void Offer(const ConvolutionCase& c, Change change, std::vector<ConvolutionCase>* to) {
  ConvolutionCase simpler = c;
  change(&simpler);
  if (!IsLegal(simpler)) return;
  for (const Role role : {kSrc, kDst})
    if (!spec::IsEmpty(c.DimsOf(role)) && spec::IsEmpty(simpler.DimsOf(role))) return;
  for (const Role role : kRoles)
    if (c.Has(role) && !c.uses[role].any)
      simpler.uses[role].layout = Refitted(c.TensorOf(role), simpler.DimsOf(role));
  to->push_back(std::move(simpler));
}

std::vector<int64_t> Smaller(int64_t size, int64_t least = 1) {
  std::vector<int64_t> smaller;
  for (const int64_t less : {least, size / 2, size - 1})
    if (less >= least && less < size && (smaller.empty() || smaller.back() != less))
      smaller.push_back(less);
  return smaller;
}

void OfferAxes(const ConvolutionCase& c, std::vector<ConvolutionCase>* to) {
  for (size_t axis = 0; c.axes.size() > 1 && axis < c.axes.size(); ++axis)
    Offer(
        c,
        [axis](ConvolutionCase* one) {
          one->axes.erase(one->axes.begin() + static_cast<std::ptrdiff_t>(axis));
        },
        to);
  for (size_t axis = 0; axis < c.axes.size(); ++axis) {
    const ConvolutionAxis& now = c.axes[axis];
    const auto offer = [&](Number number, int64_t value) {
      Offer(
          c, [&](ConvolutionCase* one) { one->axes[axis].*number = value; }, to);
    };
    for (const int64_t kernel : Smaller(now.kernel)) offer(&ConvolutionAxis::kernel, kernel);
    for (const int64_t input : Smaller(now.input)) offer(&ConvolutionAxis::input, input);
    for (const int64_t stride : Smaller(now.stride)) offer(&ConvolutionAxis::stride, stride);
    for (const int64_t gap : Smaller(now.dilation, 0)) offer(&ConvolutionAxis::dilation, gap);
    for (const int64_t left : Smaller(now.padding_l, 0)) offer(&ConvolutionAxis::padding_l, left);
    for (const int64_t right : Smaller(now.padding_r, 0)) offer(&ConvolutionAxis::padding_r, right);
    if (now.padding_r < 0) offer(&ConvolutionAxis::padding_r, 0);
  }
}

std::vector<ConvolutionCase> SimplerProblems(const ConvolutionCase& c) {
  std::vector<ConvolutionCase> simpler;
  const auto offer = [&](auto change) { Offer(c, change, &simpler); };
  if (c.bias)
    offer([](ConvolutionCase* one) {
      one->bias = false;
      one->uses[kBias] = {};
    });
  if (c.algorithm != ConvolutionAlgorithm::kDirect)
    offer([](ConvolutionCase* one) { one->algorithm = ConvolutionAlgorithm::kDirect; });
  for (const int64_t groups : Smaller(c.groups))
    offer([&](ConvolutionCase* one) { one->groups = groups; });
  if (c.grouped && c.groups == 1) offer([](ConvolutionCase* one) { one->grouped = false; });
  for (const int64_t size : Smaller(c.mb)) offer([&](ConvolutionCase* one) { one->mb = size; });
  for (const int64_t size : Smaller(c.oc)) offer([&](ConvolutionCase* one) { one->oc = size; });
  for (const int64_t size : Smaller(c.ic)) offer([&](ConvolutionCase* one) { one->ic = size; });
  OfferAxes(c, &simpler);
  return simpler;
}

}  // namespace

const char* NameOf(ConvolutionAlgorithm algorithm) {
  return kAlgorithmNames[static_cast<int>(algorithm)];
}

spec::Dims ConvolutionCase::Each(Number number) const {
  spec::Dims each;
  for (const ConvolutionAxis& axis : axes) each.push_back(axis.*number);
  return each;
}

spec::Dims ConvolutionCase::DimsOf(Role role) const {
  spec::Dims dims, spatial;
  switch (role) {
    case kSrc:
      dims = {mb, groups * ic};
      spatial = Each(&ConvolutionAxis::input);
      break;
    case kWeights:
      if (grouped) dims.push_back(groups);
      dims.insert(dims.end(), {oc, ic});
      spatial = Each(&ConvolutionAxis::kernel);
      break;
    case kBias:
      return {groups * oc};
    case kDst:
      dims = {mb, groups * oc};
      spatial = Outputs(*this);
      break;
  }
  dims.insert(dims.end(), spatial.begin(), spatial.end());
  return dims;
}

spec::Convolution ConvolutionCase::Problem() const {
  spec::Convolution problem;
  problem.n = mb;
  problem.groups = groups;
  problem.ic = ic;
  problem.oc = oc;
  for (size_t i = 0; i < axes.size(); ++i) {
    ConvolutionAxis& axis = problem.axes[3 - axes.size() + i];
    axis = axes[i];
    axis.output = axis.RightOutput();
  }
  return problem;
}

int64_t ConvolutionCase::terms() const {
  const spec::Convolution problem = Problem();
  switch (direction) {
    case Direction::kForward:
      return ic * problem.taps();
    case Direction::kBackwardData:
      return oc * problem.taps();
    case Direction::kBackwardWeights:
      break;
  }
  return std::max<int64_t>(1, mb * problem.outputs());
}

int64_t ConvolutionCase::products() const {
  if (mb == 0) return 0;
  const spec::Convolution problem = Problem();
  return mb * groups * oc * ic * problem.taps() * problem.outputs();
}

bool ConvolutionCase::gives_dilations() const {
  const spec::Dims dilations = Each(&ConvolutionAxis::dilation);
  return seed % 2 == 1 || dilations != spec::Dims(dilations.size(), 0);
}

bool ConvolutionCase::may_be_winograd() const {
  return algorithm == ConvolutionAlgorithm::kWinograd ||
         (algorithm == ConvolutionAlgorithm::kAuto && spec::MayBeWinograd(Problem()));
}

bool IsLegal(const ConvolutionCase& c) {
  if (c.mb < 0 || c.groups < 1 || c.ic < 1 || c.oc < 1 || (c.groups > 1 && !c.grouped))
    return false;
  double kernel =
      static_cast<double>(c.groups) * static_cast<double>(c.ic) * static_cast<double>(c.oc);
  double source = static_cast<double>(c.mb) * static_cast<double>(c.groups * c.ic);
  double destination = static_cast<double>(c.mb) * static_cast<double>(c.groups * c.oc);
  double outputs = static_cast<double>(c.mb);
  for (const ConvolutionAxis& axis : c.axes) {
    const int64_t output = axis.RightOutput();
    if (axis.input < 0 || axis.kernel < 1 || axis.stride < 1 || axis.dilation < 0 ||
        axis.padding_l < 0 || axis.padding_r <= -axis.stride || output < 0)
      return false;
    kernel *= static_cast<double>(axis.kernel);
    source *= static_cast<double>(axis.input);
    destination *= static_cast<double>(output);
    outputs *= static_cast<double>(output);
  }
  return std::max({kernel, source, destination}) <= double{kMostElementsOfCase} &&
         kernel * outputs <= double{kMostProductsOfCase};
}

void ConvolutionCase::Print(Fields* fields) const {
  fields->Set("dir", conformance::NameOf(direction));
  if (algorithm != ConvolutionAlgorithm::kDirect)
    fields->Set("alg", conformance::NameOf(algorithm));
  fields->SetInt("mb", mb);
  if (grouped) fields->SetInt("g", groups);
  fields->SetInt("ic", ic);
  fields->SetInt("oc", oc);
  fields->Set("in", Join(Each(&ConvolutionAxis::input), 'x'));
  fields->Set("k", Join(Each(&ConvolutionAxis::kernel), 'x'));
  for (const Optional& one : kOptional) {
    const spec::Dims each = Each(one.number);
    if (each != spec::Dims(axes.size(), one.usual)) fields->Set(one.key, Join(each, 'x'));
  }
  PrintTensors(fields);
}

ConvolutionCase ConvolutionCase::Parse(const Fields& fields) {
  ConvolutionCase c;
  c.direction = ParseDirection(fields);
  if (fields.Has("alg")) c.algorithm = kAlgorithms[NumberOfName(fields, "alg", kAlgorithms)];
  c.mb = fields.Int("mb");
  c.grouped = fields.Has("g");
  if (c.grouped) c.groups = fields.Int("g");
  c.ic = fields.Int("ic");
  c.oc = fields.Int("oc");
  const spec::Dims inputs = conformance::NumbersOf(fields, "in", 0, 0);
  c.axes.resize(inputs.size());
  const spec::Dims kernels = conformance::NumbersOf(fields, "k", inputs.size(), 1);
  for (size_t axis = 0; axis < c.axes.size(); ++axis) {
    c.axes[axis].input = inputs[axis];
    c.axes[axis].kernel = kernels[axis];
  }
  for (const Optional& one : kOptional) {
    if (!fields.Has(one.key)) continue;
    const spec::Dims each = conformance::NumbersOf(fields, one.key, inputs.size(), one.least);
    for (size_t axis = 0; axis < c.axes.size(); ++axis) c.axes[axis].*one.number = each[axis];
  }
  const auto within = [](int64_t extent) { return extent >= 0 && extent <= kMostExtent; };
  if (!within(c.mb) || !within(c.groups) || !within(c.ic) || !within(c.oc) || !IsLegal(c)) {
    fields.Reject("mb", "or another extent is out of range");
    const Direction direction = c.direction;
    c = {};
    c.direction = direction;
  }
  c.ParseTensors(fields);
  return c;
}

std::vector<ConvolutionCase> ConvolutionCase::Simpler() const {
  std::vector<ConvolutionCase> simpler = WithSimplerAttributes(*this);
  for (ConvolutionCase& c : SimplerProblems(*this)) simpler.push_back(std::move(c));
  for (ConvolutionCase& c : SimplerTensors(*this)) simpler.push_back(std::move(c));
  for (ConvolutionCase& c : WithSimplerNumbers(*this)) simpler.push_back(std::move(c));
  return simpler;
}

Asked ConvolutionCase::AskedFor() const {
  Asked asked = AskedOf("convolution");
  if (algorithm == ConvolutionAlgorithm::kWinograd) asked.features.push_back("winograd");
  if (attributes.post_ops.size() > 2) asked.features.push_back("long chain");
  return asked;
}

bool ConvolutionCase::MayRefuse(Profile profile) const {
  if (Computation::MayRefuse(profile)) return true;
  if (algorithm == ConvolutionAlgorithm::kWinograd) return true;  // CONV-094
  if (LegalityIn(profile) == Legality::kOpen) return true;
  if (profile != Profile::kPortable) return false;
  // CONV-131.
  const std::vector<PostOp>& chain = attributes.post_ops;
  return chain.size() > 2 ||
         (chain.size() == 2 && !(chain[0].kind == PostOp::kSum && chain[1].kind != PostOp::kSum));
}

// CONV-031, CONV-035.
Legality ConvolutionCase::LegalityIn(Profile profile) const {
  const bool open = profile == Profile::kPortable &&
                    std::any_of(axes.begin(), axes.end(), [](const ConvolutionAxis& axis) {
                      return axis.padding_r < 0 || (axis.stride > 1 && axis.RightOutput() == 0);
                    });
  return open ? Legality::kOpen : Computation::LegalityIn(profile);
}

std::vector<std::string> ClassesOf(const ConvolutionCase& c) {
  std::vector<std::string> classes = ClassesOfTensors(c);
  classes.push_back("rank " + std::to_string(2 + c.axes.size()));
  const auto add = [&classes](bool holds, const std::string& name) {
    if (holds) classes.push_back(name);
  };
  const auto some = [&c](auto holds) { return std::any_of(c.axes.begin(), c.axes.end(), holds); };
  add(c.mb == 0, "empty batch");
  add(c.mb >= 16, "large batch");
  add(c.groups > 1, "groups");
  add(c.groups == 1 && c.grouped, "one group");
  add(c.groups > 1 && c.ic == 1 && c.oc == 1, "depthwise");
  add(c.groups > 1 && c.ic == 1 && c.oc > 1, "multiplier");
  add(some([](const auto& axis) { return axis.stride > 1; }), "strided");
  add(some([](const auto& axis) { return axis.dilation > 0 && axis.kernel > 1; }), "dilated");
  add(some([](const auto& axis) { return axis.padding_l > 0; }), "padded");
  add(some([](const auto& axis) { return axis.padding_l != axis.padding_r; }), "asymmetric");
  add(some([](const auto& axis) { return axis.padding_r < 0; }), "cropped");
  add(some([](const auto& axis) { return axis.kernel > axis.input; }), "kernel beyond input");
  add(some([](const auto& axis) { return axis.stride > axis.kernel; }), "stride beyond kernel");
  add(c.Problem().taps() == 1, "one by one");
  add(c.Problem().outputs() == 0, "no outputs");
  add(c.ic > 8 && c.ic % 8 != 0, "tail of inputs");
  add(c.oc > 8 && c.oc % 8 != 0, "tail of outputs");
  add(c.terms() >= 1000, "long");
  add(c.ic > 192, "many inputs");
  add(c.oc > 256, "many outputs");
  add(c.groups > 1 && c.groups % 2 == 1 && c.ic > 1 && c.oc > 1, "odd groups");
  add(c.groups > 1 && c.groups % 2 == 0 && c.ic > 1 && c.oc > 1, "even groups");
  add(c.groups > 1 && c.Problem().outputs() > 96, "large image of groups");
  add(spec::ElementCount(c.DimsOf(kWeights)) > 1 << 16, "large weights");
  add(some([](const auto& axis) {
        return axis.padding_l > 1 && axis.padding_l <= (axis.kernel - 1) * (axis.dilation + 1);
      }),
      "padded by two");
  add(some([](const auto& axis) { return axis.padding_l < 3 && axis.padding_r >= axis.kernel; }),
      "padded beyond behind");
  const spec::Dims kernels = c.Each(&ConvolutionAxis::kernel);
  add(c.axes.size() == 3 && kernels[0] != kernels[1] && kernels[1] != kernels[2] && kernels[0] > 1,
      "uneven kernel");
  add(some([&c](const auto& axis) { return axis.stride != c.axes.back().stride; }),
      "unlike strides");
  int64_t strides = 1;
  for (const ConvolutionAxis& axis : c.axes) strides *= std::min(axis.stride, axis.input);
  add(strides > 4096, "many strides");
  add(c.Problem().taps() == 1 && !c.uses[kSrc].any && c.uses[kSrc].layout.is_region(),
      "one by one of a region");
  add(c.algorithm == ConvolutionAlgorithm::kWinograd && spec::MayBeWinograd(c.Problem()),
      "for winograd");
  add(!c.grouped && c.ic <= 4 && c.oc > c.ic && c.axes.back().kernel > 1, "first layer");
  add(c.groups >= 16 && c.ic == 1 && c.oc == 1 && c.Problem().taps() > 1, "vectors of depthwise");
  classes.push_back(std::string("algorithm ") + NameOf(c.algorithm));
  return classes;
}

}  // namespace conformance
