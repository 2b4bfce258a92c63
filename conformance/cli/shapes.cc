#include "conformance/cli/shapes.h"

#include <algorithm>
#include <cstdint>

#include "conformance/case/fields.h"
#include "conformance/case/limits.h"
#include "conformance/cli/convolution_shape.h"
#include "conformance/cli/problem.h"
#include "conformance/cli/words.h"
#include "conformance/report/numbers.h"
#include "spec/eltwise/functions.h"

namespace conformance {
namespace {

constexpr std::string_view kTensor = "tensor", kInnerProduct = "inner_product",
                           kConvolution = "convolution", kEltwise = "eltwise";
// Ranks that have a tag of channels last, or are as good as that.
constexpr size_t kLeastRank = 2, kMostRank = 5;

// The first word of `*text`, which is taken away.
std::string_view TakeWord(std::string_view* text) {
  const size_t begin = std::min(text->find_first_not_of(" \t"), text->size());
  const size_t end = std::min(text->find_first_of(" \t", begin), text->size());
  const std::string_view word = text->substr(begin, end - begin);
  text->remove_prefix(end);
  return word;
}

// "acdb" of rank 4: the axis after the first one comes last.
std::string ChannelsLast(size_t rank) {
  if (rank == 2) return "ba";
  std::string tag = "a";
  for (size_t axis = 2; axis < rank; ++axis) tag += static_cast<char>('a' + axis);
  return tag + "b";
}

// "ab" of rank 2.
std::string RowMajor(size_t rank) { return std::string("abcde").substr(0, rank); }

// The layout with these axes from the outermost to the innermost, as strides: not every order is a
// tag. "" where `axes` is no order of all.
std::string Strides(const std::vector<int64_t>& dims, std::string axes) {
  std::string sorted = axes;
  std::sort(sorted.begin(), sorted.end());
  if (sorted != RowMajor(dims.size())) return "";
  std::vector<int64_t> strides(dims.size());
  int64_t stride = 1;
  for (; !axes.empty(); axes.pop_back()) {
    const auto axis = static_cast<size_t>(axes.back() - 'a');
    strides[axis] = stride;
    stride *= dims[axis];
  }
  std::string text;
  for (const int64_t one : strides) text += (text.empty() ? "s" : ",") + std::to_string(one);
  return text;
}

std::vector<int64_t> DimsOf(const std::string& text) {
  std::vector<int64_t> dims;
  for (size_t at = 0; at <= text.size();) {
    const size_t end = std::min(text.find('x', at), text.size());
    Fields field;
    field.Set("dim", text.substr(at, end - at));
    dims.push_back(field.Int("dim"));
    if (!field.error().empty() || dims.back() < 1) return {};
    at = end + 1;
  }
  return dims;
}

std::string Tensor(const char* type, const std::string& dims, const std::string& tag) {
  return std::string(type) + ":" + dims + ":" + tag;
}

void AddReorders(const std::string& dims, const std::string& plain, const std::string& other,
                 std::vector<std::string>* cases) {
  struct Kind {
    const char *from, *to;
    bool back;  // from the other layout to row-major
  };
  for (const Kind kind :
       {Kind{"f32", "f32", false}, Kind{"f32", "f32", true}, Kind{"s8", "s8", false},
        Kind{"f32", "bf16", false}, Kind{"f32", "s8", false}, Kind{"u8", "f32", true}})
    cases->push_back("REO-040/" + std::string(kind.from) + "-" + kind.to +
                     " src=" + Tensor(kind.from, dims, kind.back ? other : plain) + " dst=" +
                     Tensor(kind.to, dims, kind.back ? plain : other) + " values=mixed seed=1");
}

void AddShuffles(const std::string& dims, const std::string& plain, const std::string& other,
                 int64_t axis, int64_t group, std::vector<std::string>* cases) {
  const auto add = [&](const char* what, const char* type, const std::string& tag) {
    cases->push_back(what + Tensor(type, dims, tag) + " axis=" + std::to_string(axis) +
                     " group=" + std::to_string(group) + " values=index seed=1");
  };
  for (const std::string& tag : {plain, other}) {
    add("SHU-020 dir=fwd src=", "f32", tag);
    add("SHU-020 dir=fwd src=", "s8", tag);
    add("SHU-022 dir=bwd src=", "f32", tag);
  }
}

// Reads `dims`. Returns what is wrong.
std::string ReadDims(const std::string& dims, std::vector<int64_t>* extents) {
  *extents = DimsOf(dims);
  if (extents->size() < kLeastRank || extents->size() > kMostRank)
    return "dims=" + dims + " is no 2 to 5 extents, as 1x64x56x56";
  int64_t elements = 1;
  for (const int64_t extent : *extents)
    if (__builtin_mul_overflow(elements, extent, &elements) || elements > kMostElementsOfCase)
      return "dims=" + dims + " has more than " + Grouped(kMostElementsOfCase) + " elements";
  return "";
}

std::string AddTensor(const Fields& fields, std::vector<std::string>* cases) {
  const std::string dims = fields.Text("dims");
  const bool shuffled = fields.Has("group");
  const std::string to = fields.Has("to") ? fields.Text("to") : "";
  const int64_t axis = fields.Has("axis") ? fields.Int("axis") : 1;
  const int64_t group = shuffled ? fields.Int("group") : 1;
  if (!fields.error().empty()) return fields.error();
  std::vector<int64_t> extents;
  const std::string wrong = ReadDims(dims, &extents);
  if (!wrong.empty()) return wrong;
  const size_t rank = extents.size();
  const std::string plain = RowMajor(rank);
  const std::string other = fields.Has("to") ? Strides(extents, to) : ChannelsLast(rank);
  if (other.empty()) return "to=" + to + " is no order of the axes " + plain;
  AddReorders(dims, plain, other, cases);
  const std::string of_axis = "axis=" + std::to_string(axis);
  if (!shuffled) return fields.Has("axis") ? of_axis + " is of a shuffle, and wants group" : "";
  if (axis < 0 || axis >= static_cast<int64_t>(rank)) return of_axis + " is none of dims=" + dims;
  const int64_t extent = extents[static_cast<size_t>(axis)];
  if (group < 1 || extent % group != 0)
    return "group=" + std::to_string(group) + " does not divide dims[" + std::to_string(axis) +
           "] = " + std::to_string(extent);
  AddShuffles(dims, plain, other, axis, group, cases);
  return "";
}

// Of the function in every direction that it has, both sides of a backward in one layout.
std::string AddEltwise(const Fields& fields, std::vector<std::string>* cases) {
  const std::string dims = fields.Text("dims"), name = fields.Text("alg");
  const float alpha = fields.Has("alpha") ? fields.Float("alpha") : 0;
  const float beta = fields.Has("beta") ? fields.Float("beta") : 0;
  if (!fields.error().empty()) return fields.error();
  const auto* const algorithm =
      std::find_if(std::begin(spec::kEltwiseAlgorithms), std::end(spec::kEltwiseAlgorithms),
                   [&name](spec::EltwiseAlgorithm known) { return name == spec::NameOf(known); });
  if (algorithm == std::end(spec::kEltwiseAlgorithms)) {
    std::vector<std::string> names;
    for (const spec::EltwiseAlgorithm known : spec::kEltwiseAlgorithms)
      names.emplace_back(spec::NameOf(known));
    return "alg=" + name + " is none of " + ListOf(names);
  }
  std::vector<int64_t> extents;
  const std::string wrong = ReadDims(dims, &extents);
  if (!wrong.empty()) return wrong;
  Fields function;
  function.Set("alg", name);
  function.SetFloat("alpha", alpha);
  function.SetFloat("beta", beta);
  for (const std::string& tag : {RowMajor(extents.size()), ChannelsLast(extents.size())}) {
    const std::string data = " " + function.ToString() + " data=" + Tensor("f32", dims, tag);
    const std::string rest = " values=small seed=1";
    cases->push_back("ELT-060/everywhere dir=fwd" + data + rest);
    if (*algorithm != spec::EltwiseAlgorithm::kRound)
      cases->push_back("ELT-060/everywhere dir=bwd" + data + " grad=" + tag + rest);
  }
  return "";
}

// What a problem descriptor `mbX_icXidXihXiwX_ocX_nS` has: mb is 2, iw as ih and ih as id if they
// are not there.
const std::vector<std::string>& InnerProductKeys() {
  static const auto* const keys = new std::vector<std::string>{"mb", "ic", "id", "ih", "iw", "oc"};
  return *keys;
}

// The same by the fields of a shape. Returns what is wrong.
std::string FieldsOf(const Problem& problem, Fields* fields) {
  std::string spatial;
  int64_t last = 0;
  for (const char* key : {"id", "ih", "iw"}) {
    last = problem.Get(key, last);
    if (problem.Has(key) && last < 1) return std::string(key) + "0 is below 1";
    if (last > 0) spatial += (spatial.empty() ? "" : "x") + std::to_string(last);
  }
  fields->SetInt("mb", problem.Get("mb", 2));
  for (const char* key : {"ic", "oc"})
    if (problem.Has(key)) fields->SetInt(key, problem.Get(key, 0));
  if (!spatial.empty()) fields->Set("sp", spatial);
  return "";
}

std::string AddInnerProduct(const Fields& fields, std::vector<std::string>* cases) {
  const bool has_spatial = fields.Has("sp");
  const std::string spatial = has_spatial ? fields.Text("sp") : "-";
  std::string size, problem;
  for (const char* key : {"mb", "ic", "oc"}) {
    const int64_t count = fields.Int(key);
    if (*key == 'o') size += " sp=" + spatial;
    size += " " + std::string(key) + "=" + std::to_string(count);
    if (count < 1 && problem.empty())
      problem = std::string(key) + "=" + std::to_string(count) + " is below 1";
  }
  if (!fields.error().empty()) return fields.error();
  if (!problem.empty()) return problem;
  const size_t axes = has_spatial ? DimsOf(spatial).size() : 0;
  if (2 + axes > kMostRank || (has_spatial && axes == 0))
    return "sp=" + spatial + " is no 1 to 3 extents, as 7x7";
  const std::string tag = RowMajor(2 + axes);
  size += " src=f32:" + tag + " wei=f32:" + tag;
  const std::string rest = " dst=f32:ab values=integers seed=1";
  cases->push_back("IP-010 dir=fwd" + size + " bias=f32:a" + rest);
  cases->push_back("IP-012 dir=bwd_data" + size + rest);
  cases->push_back("IP-013 dir=bwd_weights" + size + " bias=f32:a" + rest);
  return "";
}

std::string_view WithoutBlanks(std::string_view text) {
  text.remove_prefix(std::min(text.find_first_not_of(" \t"), text.size()));
  return text.substr(0, text.find_last_not_of(" \t") + 1);
}

// Of "convolution", and of "inner_product" that is followed by a problem descriptor.
ShapeCases CasesOfProblem(std::string_view kind, std::string_view text) {
  ShapeCases shape;
  const bool convolution = kind == kConvolution;
  const Problem problem =
      convolution ? ReadConvolution(text) : ReadProblem(text, InnerProductKeys());
  shape.name = problem.name.empty() ? text : problem.name;
  shape.error = problem.error;
  if (!shape.error.empty()) return shape;
  if (convolution) {
    shape.error = AddConvolution(problem, &shape.cases);
    return shape;
  }
  Fields fields;
  shape.error = FieldsOf(problem, &fields);
  if (shape.error.empty()) shape.error = AddInnerProduct(fields, &shape.cases);
  return shape;
}

// Whether an inner product is told by a problem descriptor, and not by a name and fields.
bool IsProblem(std::string_view text) {
  std::string_view rest = text;
  const std::string_view word = TakeWord(&rest);
  return LooksLikeAProblem(word, InnerProductKeys()) && WithoutBlanks(rest).find('=') == rest.npos;
}

}  // namespace

bool IsShape(std::string_view line) {
  const std::string_view kind = TakeWord(&line);
  return kind == kTensor || kind == kInnerProduct || kind == kConvolution || kind == kEltwise;
}

ShapeCases CasesOfShape(std::string_view line) {
  const std::string_view kind = TakeWord(&line);
  if (kind == kConvolution || (kind == kInnerProduct && IsProblem(line)))
    return CasesOfProblem(kind, WithoutBlanks(line));
  ShapeCases shape;
  shape.name = TakeWord(&line);
  if (shape.name.empty() || shape.name.find('=') != std::string::npos) {
    shape.error = std::string(kind) + " wants a name before its sizes";
    return shape;
  }
  const Fields fields = Fields::Parse(WithoutBlanks(line));
  shape.error = kind == kTensor    ? AddTensor(fields, &shape.cases)
                : kind == kEltwise ? AddEltwise(fields, &shape.cases)
                                   : AddInnerProduct(fields, &shape.cases);
  return shape;
}

}  // namespace conformance
