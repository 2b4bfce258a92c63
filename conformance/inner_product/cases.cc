#include "conformance/inner_product/cases.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include "conformance/gen/shapes.h"

namespace conformance {
namespace {

using spec::Type;

constexpr const char* kDirections[] = {"fwd", "bwd_data", "bwd_weights"};
constexpr const char* kNumbers[] = {"integers", "floats", "extremes", "special"};
// As keys of a case; the others are made of them.
constexpr const char* kKeys[] = {"src", "wei", "bias", "dst"};

constexpr int64_t kMostProducts = int64_t{1} << 32;

std::string AtKey(Role role) { return std::string(kKeys[role]) + "_at"; }

std::string ToString(const TensorUse& use) {
  return std::string(spec::NameOf(use.type)) + ":" + (use.any ? "any" : ToString(use.layout));
}

// Of the dims that the problem gives it.
std::optional<TensorUse> ParseUse(const std::string& text, const spec::Dims& dims) {
  const size_t colon = text.find(':');
  if (colon == std::string::npos) return std::nullopt;
  const auto type = ParseType(text.substr(0, colon));
  if (!type) return std::nullopt;
  TensorUse use;
  use.type = *type;
  use.any = text.substr(colon) == ":any";
  if (use.any) return use;
  const auto tensor =
      ParseTensor(text.substr(0, colon) + ":" + Join(dims, 'x') + text.substr(colon));
  if (!tensor) return std::nullopt;
  use.layout = tensor->layout;
  return use;
}

// Number of `name` in `names`, else -1.
template <size_t kCount>
int Find(const char* const (&names)[kCount], std::string_view name) {
  const auto found = std::find(std::begin(names), std::end(names), name);
  return found == std::end(names) ? -1 : static_cast<int>(found - std::begin(names));
}

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

// One tensor after the other.
std::vector<InnerProductCase> SimplerUses(const InnerProductCase& c) {
  std::vector<InnerProductCase> simpler;
  for (const Role role : kRoles) {
    if (!c.Has(role)) continue;
    const TensorUse& use = c.uses[role];
    const auto offer = [&](auto change) {
      simpler.push_back(c);
      change(&simpler.back().uses[role]);
    };
    if (use.any) {
      offer([&](TensorUse* to) {
        to->any = false;
        to->layout = Plainest(c.DimsOf(role));
      });
    } else {
      for (const LayoutSpec& layout : PlainerLayouts(use.layout, c.DimsOf(role)))
        offer([&](TensorUse* to) { to->layout = layout; });
    }
    if (ToString(use.at) != "mid") offer([](TensorUse* to) { to->at = {}; });
  }
  return simpler;
}

}  // namespace

const char* NameOf(Direction direction) { return kDirections[static_cast<int>(direction)]; }
const char* NameOf(Numbers numbers) { return kNumbers[static_cast<int>(numbers)]; }

int64_t InnerProductCase::inputs() const {
  int64_t product = ic;
  for (const int64_t size : spatial) product *= size;
  return product;
}

bool InnerProductCase::Has(Role role) const {
  return role != kBias || (bias && direction != Direction::kBackwardData);
}

bool InnerProductCase::Writes(Role role) const {
  switch (direction) {
    case Direction::kForward:
      return role == kDst;
    case Direction::kBackwardData:
      return role == kSrc;
    case Direction::kBackwardWeights:
      return role == kWeights || role == kBias;
  }
  return false;
}

spec::Dims InnerProductCase::DimsOf(Role role) const {
  if (role == kBias) return {oc};
  if (role == kDst) return {mb, oc};
  spec::Dims dims{role == kSrc ? mb : oc, ic};
  dims.insert(dims.end(), spatial.begin(), spatial.end());
  return dims;
}

TensorSpec InnerProductCase::TensorOf(Role role) const {
  return {uses[role].type, DimsOf(role), uses[role].layout};
}

std::string InnerProductCase::NameOf(Role role) const {
  constexpr const char* kNames[] = {"src", "weights", "bias", "dst"};
  const bool gradient = !forward() && (Writes(role) || role == kDst);
  return std::string(gradient ? "diff_" : "") + kNames[role];
}

bool InnerProductCase::integral() const {
  return forward() && !spec::IsFloat(uses[kSrc].type) && !spec::IsFloat(uses[kWeights].type);
}

void InnerProductCase::SetAny(bool any) {
  for (TensorUse& use : uses) use.any = any;
  ResetLayouts();
}

void InnerProductCase::ResetLayouts() {
  for (const Role role : kRoles)
    if (!uses[role].any) uses[role].layout = Plainest(DimsOf(role));
}

void InnerProductCase::Print(Fields* fields) const {
  fields->Set("dir", conformance::NameOf(direction));
  fields->SetInt("mb", mb);
  fields->SetInt("ic", ic);
  fields->Set("sp", spatial.empty() ? "-" : Join(spatial, 'x'));
  fields->SetInt("oc", oc);
  for (const Role role : kRoles) {
    if (!Has(role)) continue;
    fields->Set(kKeys[role], ToString(uses[role]));
    SetPlacement(fields, AtKey(role), uses[role].at);
  }
  SetFused(fields, attributes);
  fields->Set("values", conformance::NameOf(numbers));
  fields->SetInt("seed", static_cast<int64_t>(seed));
}

InnerProductCase InnerProductCase::Parse(const Fields& fields) {
  InnerProductCase c;
  const auto number_of = [&fields](const char* key, const auto& names) {
    const int found = Find(names, fields.Text(key));
    if (found < 0) fields.Reject(key, "is none of its names");
    return std::max(found, 0);
  };
  c.direction = static_cast<Direction>(number_of("dir", kDirections));
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
  if (!sizes || products > static_cast<double>(kMostProducts)) {
    fields.Reject("mb", "or another extent is out of range");
    c.mb = c.ic = c.oc = 1;
    c.spatial.clear();
  }
  c.bias = fields.Has("bias");
  if (c.bias && !c.Has(kBias)) fields.Reject("bias", "is nothing that the direction has");
  for (const Role role : kRoles) {
    c.uses[role].layout = Plainest(c.DimsOf(role));
    if (!c.Has(role)) continue;
    const auto use = ParseUse(fields.Text(kKeys[role]), c.DimsOf(role));
    if (use) c.uses[role] = *use;
    if (!use) fields.Reject(kKeys[role], "is no TYPE:any and no TYPE:LAYOUT that fits");
    c.uses[role].at = GetPlacement(fields, AtKey(role));
    if (c.uses[role].any && ToString(c.uses[role].at) != "mid")
      fields.Reject(AtKey(role), "is given for a tensor that is any");
  }
  c.attributes = GetFused(fields);
  if (!c.forward() && !c.attributes.none()) fields.Reject("dir", "has no attributes");
  c.numbers = static_cast<Numbers>(number_of("values", kNumbers));
  c.seed = static_cast<uint64_t>(fields.Int("seed"));
  return c;
}

std::vector<InnerProductCase> InnerProductCase::Simpler() const {
  std::vector<InnerProductCase> simpler;
  for (const FusedAttributes& plainer : SimplerFused(attributes)) {
    simpler.push_back(*this);
    simpler.back().attributes = plainer;
  }
  for (InnerProductCase& c : SimplerProblems(*this)) simpler.push_back(std::move(c));
  for (InnerProductCase& c : SimplerUses(*this)) simpler.push_back(std::move(c));
  InnerProductCase floats = *this;
  bool narrow = false;
  for (const Role role : kRoles) {
    narrow = narrow || (Has(role) && uses[role].type != Type::kF32);
    floats.uses[role].type = Type::kF32;
  }
  if (narrow) simpler.push_back(floats);
  if (numbers != Numbers::kIntegers) {
    simpler.push_back(*this);
    simpler.back().numbers = Numbers::kIntegers;
  }
  if (seed != 0) {
    simpler.push_back(*this);
    simpler.back().seed = 0;
  }
  return simpler;
}

Asked InnerProductCase::AskedFor() const {
  Asked asked{"inner_product", "", {}, 2 + static_cast<int>(spatial.size()), {}};
  asked.prop = forward()                               ? "forward"
               : direction == Direction::kBackwardData ? "backward data"
                                                       : "backward weights";
  for (const Role role : kRoles) {
    if (!Has(role)) continue;
    if (role == kBias) {
      asked.features.push_back(std::string("bias ") + spec::NameOf(uses[role].type));
    } else {
      asked.types.push_back(spec::NameOf(uses[role].type));
    }
  }
  if (attributes.scales != FusedAttributes::kNone)
    asked.features.push_back(attributes.run_time ? "run-time scales" : "scale");
  for (const PostOp& op : attributes.post_ops)
    asked.features.push_back(conformance::NameOf(op.kind));
  return asked;
}

bool InnerProductCase::MayRefuse(Profile profile) const {
  for (const Role role : kRoles)
    if (Has(role) && uses[role].type != Type::kF32) return true;
  // Of floats output scales may be missing, and scales of post-ops (IP-042, A-70).
  if (attributes.scales != FusedAttributes::kNone) return true;
  return profile == Profile::kPortable &&
         std::any_of(attributes.post_ops.begin(), attributes.post_ops.end(),
                     [](const PostOp& op) { return op.scale != 1; });
}

std::vector<std::string> ClassesOf(const InnerProductCase& c) {
  std::vector<std::string> classes{c.forward()                               ? "forward"
                                   : c.direction == Direction::kBackwardData ? "backward data"
                                                                             : "backward weights",
                                   "rank " + std::to_string(2 + c.spatial.size())};
  const auto add = [&classes](bool holds, const std::string& name) {
    if (holds) classes.push_back(name);
  };
  add(c.Has(kBias), "bias");
  add(!c.Has(kBias), "no bias");
  add(c.mb == 0, "no rows");
  add(c.mb == 1, "one row");
  add(c.oc == 1, "one output");
  add(c.ic == 1, "one channel");
  add(c.inputs() >= 1000, "long");
  add(c.inputs() > 16 && c.inputs() % 16 != 0, "tail of inputs");
  add(c.oc > 16 && c.oc % 16 != 0, "tail of outputs");
  add(c.attributes.scales == FusedAttributes::kCommon, "common scale");
  add(c.attributes.scales == FusedAttributes::kChannel, "scale of each channel");
  add(c.attributes.sums(), "sum");
  add(!c.attributes.post_ops.empty() && c.attributes.post_ops.back().kind != PostOp::kSum,
      "eltwise");
  classes.push_back(NameOf(c.numbers));
  for (const Role role : kRoles) {
    if (!c.Has(role)) continue;
    // By its shape, whatever the direction makes of it.
    const std::string of = std::string(" ") + kKeys[role];
    classes.push_back(spec::NameOf(c.uses[role].type) + of);
    add(c.uses[role].any, "any" + of);
    if (c.uses[role].any || c.mb == 0) continue;
    for (const std::string& name : ClassesOf(c.TensorOf(role)))
      if (name == "permuted" || name == "gapped" || name == "region" || name == "zero stride" ||
          name == "tag")
        classes.push_back(name + of);
    add(c.uses[role].at.edge != Placement::Edge::kMiddle, "edge of a page");
    add(c.uses[role].at.shift != 0, "misaligned");
  }
  return classes;
}

}  // namespace conformance
