#include "conformance/inner_product/cases.h"

#include <algorithm>
#include <utility>

#include "conformance/case/limits.h"
#include "conformance/gen/shapes.h"

namespace conformance {
namespace {

using spec::Type;

// Which axis of a tensor an extent of the problem is, spatial ones by 2 and more.
enum Extent { kBatch = -1, kInputChannels = 1, kOutputs = -2 };

int AxisOf(Role role, int extent) {
  switch (role) {
    case kSrc:
      return extent == kOutputs ? -1 : extent == kBatch ? 0 : extent;
    case kWeights:
      return extent == kBatch ? -1 : extent == kOutputs ? 0 : extent;
    case kBias:
      return extent == kOutputs ? 0 : -1;
    case kDst:
      return extent == kBatch ? 0 : extent == kOutputs ? 1 : -1;
  }
  return -1;
}

// The case with another extent, or without that axis, and layouts of the same kinds.
InnerProductCase Resized(const InnerProductCase& c, int extent, int64_t size) {
  InnerProductCase smaller = c;
  for (const Role role : kRoles) {
    const int axis = AxisOf(role, extent);
    if (axis < 0 || !c.Has(role) || c.uses[role].any) continue;
    smaller.uses[role].layout = CutTensor(c.TensorOf(role), {axis, size}).layout;
  }
  if (extent == kBatch) smaller.mb = size;
  if (extent == kInputChannels) smaller.ic = size;
  if (extent == kOutputs) smaller.oc = size;
  if (extent >= 2 && size != Cut::kDrop) smaller.spatial[static_cast<size_t>(extent - 2)] = size;
  if (extent >= 2 && size == Cut::kDrop)
    smaller.spatial.erase(smaller.spatial.begin() + (extent - 2));
  return smaller;
}

std::vector<int64_t> Smaller(int64_t size) {
  std::vector<int64_t> smaller;
  for (const int64_t less : {int64_t{1}, size / 2, size - 1})
    if (less >= 1 && less < size && (smaller.empty() || smaller.back() != less))
      smaller.push_back(less);
  return smaller;
}

std::vector<InnerProductCase> SimplerProblems(const InnerProductCase& c) {
  std::vector<InnerProductCase> simpler;
  if (c.bias) {
    simpler.push_back(c);
    simpler.back().bias = false;
    simpler.back().uses[kBias] = {};
  }
  const int rank = 2 + static_cast<int>(c.spatial.size());
  for (int axis = rank - 1; axis >= 2; --axis) simpler.push_back(Resized(c, axis, Cut::kDrop));
  for (const int64_t size : Smaller(c.mb)) simpler.push_back(Resized(c, kBatch, size));
  for (const int64_t size : Smaller(c.oc)) simpler.push_back(Resized(c, kOutputs, size));
  for (int axis = 1; axis < rank; ++axis) {
    const int64_t now = axis == 1 ? c.ic : c.spatial[static_cast<size_t>(axis - 2)];
    for (const int64_t size : Smaller(now)) simpler.push_back(Resized(c, axis, size));
  }
  return simpler;
}

}  // namespace

int64_t InnerProductCase::inputs() const {
  int64_t product = ic;
  for (const int64_t size : spatial) product *= size;
  return product;
}

spec::Dims InnerProductCase::DimsOf(Role role) const {
  if (role == kBias) return {oc};
  if (role == kDst) return {mb, oc};
  spec::Dims dims{role == kSrc ? mb : oc, ic};
  dims.insert(dims.end(), spatial.begin(), spatial.end());
  return dims;
}

void InnerProductCase::Print(Fields* fields) const {
  fields->Set("dir", conformance::NameOf(direction));
  fields->SetInt("mb", mb);
  fields->SetInt("ic", ic);
  fields->Set("sp", spatial.empty() ? "-" : Join(spatial, 'x'));
  fields->SetInt("oc", oc);
  PrintTensors(fields);
}

InnerProductCase InnerProductCase::Parse(const Fields& fields) {
  InnerProductCase c;
  c.direction = ParseDirection(fields);
  c.mb = fields.Int("mb");
  c.ic = fields.Int("ic");
  c.oc = fields.Int("oc");
  const std::string spatial = fields.Text("sp");
  if (spatial != "-") {
    const auto sizes = Split(spatial, 'x');
    if (!sizes || sizes->size() > 3) fields.Reject("sp", "is not up to three extents");
    if (sizes && sizes->size() <= 3) c.spatial = *sizes;
  }
  double products = static_cast<double>(c.oc) * static_cast<double>(c.ic);
  bool sizes = c.mb >= 0 && c.ic >= 1 && c.oc >= 1;
  for (const int64_t size : c.spatial) {
    sizes = sizes && size >= 1;
    products *= static_cast<double>(size);
  }
  products *= static_cast<double>(std::max<int64_t>(1, c.mb));
  if (!sizes || products > double{kMostProductsOfCase}) {
    fields.Reject("mb", "or another extent is out of range");
    c.mb = c.ic = c.oc = 1;
    c.spatial.clear();
  }
  c.ParseTensors(fields);
  return c;
}

std::vector<InnerProductCase> InnerProductCase::Simpler() const {
  std::vector<InnerProductCase> simpler = WithSimplerAttributes(*this);
  for (InnerProductCase& c : SimplerProblems(*this)) simpler.push_back(std::move(c));
  for (InnerProductCase& c : SimplerTensors(*this)) simpler.push_back(std::move(c));
  for (InnerProductCase& c : WithSimplerNumbers(*this)) simpler.push_back(std::move(c));
  return simpler;
}

std::vector<std::string> ClassesOf(const InnerProductCase& c) {
  std::vector<std::string> classes = ClassesOfTensors(c);
  classes.push_back("rank " + std::to_string(2 + c.spatial.size()));
  const auto add = [&classes](bool holds, const std::string& name) {
    if (holds) classes.push_back(name);
  };
  add(c.mb == 0, "no rows");
  add(c.mb == 1, "one row");
  add(c.oc == 1, "one output");
  add(c.ic == 1, "one channel");
  add(c.inputs() >= 1000, "long");
  add(c.products() >= 1 << 21, "work for threads");
  add(c.inputs() > 16 && c.inputs() % 16 != 0, "tail of inputs");
  add(c.oc > 16 && c.oc % 16 != 0, "tail of outputs");
  return classes;
}

}  // namespace conformance
