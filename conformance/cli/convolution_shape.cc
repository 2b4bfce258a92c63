#include "conformance/cli/convolution_shape.h"

#include <algorithm>
#include <cstdint>

#include "conformance/case/limits.h"
#include "conformance/report/numbers.h"

namespace conformance {
namespace {

struct Axis {
  int64_t input, output, kernel, stride, dilation, padding_l, padding_r;
};

std::string Told(const Problem& problem, const std::string& key) {
  return key + std::to_string(problem.Get(key, 0));
}

// Whether there are numbers of an axis, by its letter.
bool HasAxis(const Problem& problem, const std::string& letter) {
  for (const char* what : {"i", "o", "k", "s", "p", "d"})
    if (problem.Has(what + letter)) return true;
  return false;
}

// "" or what is wrong: a number that is missing, or below 1.
std::string CheckCounts(const Problem& problem, const std::vector<std::string>& needed,
                        const std::vector<std::string>& optional) {
  for (const std::string& key : needed)
    if (!problem.Has(key)) return key + " is missing";
  for (const auto* const keys : {&needed, &optional})
    for (const std::string& key : *keys)
      if (problem.Has(key) && problem.Get(key, 1) < 1) return Told(problem, key) + " is below 1";
  return "";
}

// Finds the output and the padding. Returns what is wrong.
std::string FindEnds(const Problem& problem, const std::string& letter, Axis* axis) {
  const int64_t reach = (axis->kernel - 1) * (axis->dilation + 1) + 1;
  const int64_t given = problem.Get("p" + letter, 0);
  const int64_t room = axis->input + 2 * given - reach;
  const bool has_output = problem.Has("o" + letter);
  if (!has_output && room < 0)
    return Told(problem, "k" + letter) + " reaches beyond " + Told(problem, "i" + letter) +
           " and its padding";
  axis->output = has_output ? problem.Get("o" + letter, 0) : room / axis->stride + 1;
  const int64_t both = (axis->output - 1) * axis->stride + reach - axis->input;
  const bool halved = has_output && !problem.Has("p" + letter);
  axis->padding_l = halved ? std::max<int64_t>(both, 0) / 2 : given;
  axis->padding_r = both - axis->padding_l;
  if (axis->padding_l < 0 || axis->padding_r <= -axis->stride)
    return Told(problem, "o" + letter) + " is less than what follows from " +
           Told(problem, "i" + letter) + ", kernel, stride, dilate and padding";
  return "";
}

// Appends the axis of `letter`. Returns what is wrong.
std::string AddAxis(const Problem& problem, const std::string& letter, std::vector<Axis>* axes) {
  const std::string wrong =
      CheckCounts(problem, {"i" + letter, "k" + letter}, {"o" + letter, "s" + letter});
  if (!wrong.empty()) return wrong;
  Axis axis{};
  axis.input = problem.Get("i" + letter, 0);
  axis.kernel = problem.Get("k" + letter, 0);
  axis.stride = problem.Get("s" + letter, 1);
  axis.dilation = problem.Get("d" + letter, 0);
  const std::string ends = FindEnds(problem, letter, &axis);
  axes->push_back(axis);
  return ends;
}

std::string FindAxes(const Problem& problem, std::vector<Axis>* axes) {
  for (const char* letter : {"d", "h", "w"}) {
    std::string wrong;
    if (HasAxis(problem, letter)) {
      wrong = AddAxis(problem, letter, axes);
    } else if (!axes->empty()) {
      axes->push_back(axes->back());
    }
    if (!wrong.empty()) return wrong;
  }
  return axes->empty() ? "ih and kh are missing, or iw and kw" : "";
}

std::string Joined(const std::vector<Axis>& axes, int64_t Axis::*number) {
  std::string text;
  for (const Axis& axis : axes) text += (text.empty() ? "" : "x") + std::to_string(axis.*number);
  return text;
}

// `in=56x56 k=3x3 pl=1x1 pr=1x1`: what is usual is left out.
std::string SpatialFields(const std::vector<Axis>& axes) {
  std::string text = " in=" + Joined(axes, &Axis::input) + " k=" + Joined(axes, &Axis::kernel);
  const auto add = [&](const char* key, int64_t Axis::*number, int64_t usual) {
    const auto is_usual = [&](const Axis& axis) { return axis.*number == usual; };
    if (!std::all_of(axes.begin(), axes.end(), is_usual))
      text += std::string(" ") + key + "=" + Joined(axes, number);
  };
  add("s", &Axis::stride, 1);
  add("d", &Axis::dilation, 0);
  add("pl", &Axis::padding_l, 0);
  add("pr", &Axis::padding_r, 0);
  return text;
}

std::string CheckSize(double mb, double groups, double ic, double oc,
                      const std::vector<Axis>& axes) {
  double weights = ic * oc / groups, src = mb * ic, dst = mb * oc, outputs = mb;
  for (const Axis& axis : axes) {
    weights *= static_cast<double>(axis.kernel);
    src *= static_cast<double>(axis.input);
    dst *= static_cast<double>(axis.output);
    outputs *= static_cast<double>(axis.output);
  }
  if (std::max({weights, src, dst}) > double{kMostElementsOfCase})
    return "a tensor has more than " + Grouped(kMostElementsOfCase) + " elements";
  return weights * outputs > double{kMostProductsOfCase}
             ? "there are more than " + Grouped(kMostProductsOfCase) + " products"
             : "";
}

}  // namespace

Problem ReadConvolution(std::string_view text) {
  return ReadProblem(text, {"g",  "mb", "ic", "id", "ih", "iw", "oc", "od", "oh", "ow", "kd",
                            "kh", "kw", "sd", "sh", "sw", "pd", "ph", "pw", "dd", "dh", "dw"});
}

std::string AddConvolution(const Problem& problem, std::vector<std::string>* cases) {
  std::string wrong = CheckCounts(problem, {"ic", "oc"}, {"g", "mb"});
  std::vector<Axis> axes;
  if (wrong.empty()) wrong = FindAxes(problem, &axes);
  if (!wrong.empty()) return wrong;
  const int64_t groups = problem.Get("g", 1), mb = problem.Get("mb", 2);
  for (const char* key : {"ic", "oc"})
    if (problem.Get(key, 0) % groups != 0)
      return Told(problem, "g") + " does not divide " + Told(problem, key);
  const int64_t ic = problem.Get("ic", 0), oc = problem.Get("oc", 0);
  wrong = CheckSize(static_cast<double>(mb), static_cast<double>(groups), static_cast<double>(ic),
                    static_cast<double>(oc), axes);
  if (!wrong.empty()) return wrong;
  std::string size = " mb=" + std::to_string(mb);
  if (problem.Has("g")) size += " g=" + std::to_string(groups);
  size += " ic=" + std::to_string(ic / groups) + " oc=" + std::to_string(oc / groups) +
          SpatialFields(axes) + " src=f32:any wei=f32:any";
  const std::string rest = " dst=f32:any values=integers seed=1";
  cases->push_back("CONV-080 dir=fwd" + size + " bias=f32:any" + rest);
  cases->push_back("CONV-100 dir=bwd_data" + size + rest);
  cases->push_back("CONV-110 dir=bwd_weights" + size + " bias=f32:any" + rest);
  return "";
}

}  // namespace conformance
