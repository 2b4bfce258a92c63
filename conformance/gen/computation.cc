#include "conformance/gen/computation.h"

#include <algorithm>
#include <iterator>

#include "conformance/gen/shapes.h"

namespace conformance {
namespace {

using spec::Type;

constexpr const char* kDirectionNames[] = {"fwd", "bwd_data", "bwd_weights"};
constexpr const char* kNumberNames[] = {"integers", "floats", "extremes",
                                        "special",  "zeros",  "fractions"};
constexpr Numbers kNumbers[] = {Numbers::kIntegers, Numbers::kFloats, Numbers::kExtremes,
                                Numbers::kSpecial,  Numbers::kZeros,  Numbers::kFractions};
constexpr const char* kKeys[] = {"src", "wei", "bias", "dst"};

std::string AtKey(Role role) { return std::string(kKeys[role]) + "_at"; }

const char* LongName(Direction direction) {
  return direction == Direction::kForward        ? "forward"
         : direction == Direction::kBackwardData ? "backward data"
                                                 : "backward weights";
}

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

}  // namespace

const std::vector<Direction>& EachDirection() {
  static const auto* const directions =
      new std::vector<Direction>(std::begin(kDirections), std::end(kDirections));
  return *directions;
}

const char* NameOf(Direction direction) { return kDirectionNames[static_cast<int>(direction)]; }
const char* NameOf(Numbers numbers) { return kNumberNames[static_cast<int>(numbers)]; }
const char* KeyOf(Role role) { return kKeys[role]; }

Direction ParseDirection(const Fields& fields) {
  return kDirections[NumberOfName(fields, "dir", kDirections)];
}

bool Computation::Has(Role role) const {
  return role != kBias || (bias && direction != Direction::kBackwardData);
}

bool Computation::Writes(Role role) const {
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

TensorSpec Computation::TensorOf(Role role) const {
  return {uses[role].type, DimsOf(role), uses[role].layout};
}

std::string Computation::NameOf(Role role) const {
  constexpr const char* kNames[] = {"src", "weights", "bias", "dst"};
  const bool gradient = !forward() && (Writes(role) || role == kDst);
  return std::string(gradient ? "diff_" : "") + kNames[role];
}

void Computation::SetAny(bool any) {
  for (TensorUse& use : uses) use.any = any;
  ResetLayouts();
}

void Computation::SetTypes(const Types& types) {
  for (const Role role : kRoles) uses[role].type = types[role];
}

void Computation::ResetLayouts() {
  for (const Role role : kRoles)
    if (!uses[role].any) uses[role].layout = Plainest(DimsOf(role));
}

bool Computation::integral() const {
  return forward() && !spec::IsFloat(uses[kSrc].type) && !spec::IsFloat(uses[kWeights].type);
}

void Computation::PrintTensors(Fields* fields) const {
  for (const Role role : kRoles) {
    if (!Has(role)) continue;
    fields->Set(kKeys[role], ToString(uses[role]));
    SetPlacement(fields, AtKey(role), uses[role].at);
  }
  SetFused(fields, attributes);
  fields->Set("values", conformance::NameOf(numbers));
  fields->SetInt("seed", static_cast<int64_t>(seed));
}

void Computation::ParseTensors(const Fields& fields) {
  bias = fields.Has("bias");
  if (bias && !Has(kBias)) fields.Reject("bias", "is nothing that the direction has");
  for (const Role role : kRoles) {
    uses[role].layout = Plainest(DimsOf(role));
    if (!Has(role)) continue;
    const auto use = ParseUse(fields.Text(kKeys[role]), DimsOf(role));
    if (use) uses[role] = *use;
    if (!use) fields.Reject(kKeys[role], "is no TYPE:any and no TYPE:LAYOUT that fits");
    uses[role].at = GetPlacement(fields, AtKey(role));
    if (uses[role].any && ToString(uses[role].at) != "mid")
      fields.Reject(AtKey(role), "is given for a tensor that is any");
  }
  attributes = GetFused(fields);
  if (!forward() && !attributes.none()) fields.Reject("dir", "has no attributes");
  numbers = kNumbers[NumberOfName(fields, "values", kNumbers)];
  seed = static_cast<uint64_t>(fields.Int("seed"));
}

Asked Computation::AskedOf(const std::string& topic) const {
  Asked asked{topic, LongName(direction), {}, static_cast<int>(DimsOf(kSrc).size()), {}};
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
    asked.features.push_back(op.kind == PostOp::kSum
                                 ? std::string("sum")
                                 : std::string("eltwise ") + conformance::NameOf(op.kind));
  return asked;
}

bool Computation::MayRefuse(Profile profile) const {
  for (const Role role : kRoles)
    if (Has(role) && uses[role].type != Type::kF32) return true;
  // Functions may be missing one by one (CONV-138).
  if (std::any_of(attributes.post_ops.begin(), attributes.post_ops.end(),
                  [](const PostOp& op) { return op.rounds(); }))
    return true;
  // Of floats output scales may be missing, and scales of post-ops (IP-042, CONV-141).
  return attributes.scales != FusedAttributes::kNone || LegalityIn(profile) == Legality::kOpen;
}

Legality Computation::LegalityIn(Profile profile) const {
  const bool scaled = std::any_of(attributes.post_ops.begin(), attributes.post_ops.end(),
                                  [](const PostOp& op) { return op.scale != 1; });
  const bool open = profile == Profile::kPortable && scaled && spec::IsFloat(uses[kSrc].type);
  return open ? Legality::kOpen : Legality::kLegal;
}

LayoutSpec AnyUsualLayout(Random& random, const spec::Dims& dims) {
  const auto rank = static_cast<int>(dims.size());
  if (rank < 3 || random.Chance(60)) return Plainest(dims);
  std::vector<int> order{0};
  for (int axis = 2; axis < rank; ++axis) order.push_back(axis);
  order.push_back(1);
  return DenseInOrder(dims, order);
}

void DrawTensors(Random& random, const TensorLimits& limits, Computation* c) {
  for (const Role role : kRoles) {
    if (!c->Has(role)) continue;
    TensorUse& use = c->uses[role];
    const spec::Dims dims = c->DimsOf(role);
    use.any = random.Chance(limits.any_percent);
    if (limits.all_layouts && !(limits.dense_bias && role == kBias)) {
      LayoutLimits layouts;
      layouts.zero_strides = limits.broadcasts && !c->Writes(role);
      use.layout = AnyLayout(random, dims, layouts);
    } else {
      use.layout = AnyUsualLayout(random, dims);
    }
    if (use.any) use.layout = {};
    if (!use.any) use.at = AnyPlacement(random);
  }
}

void DrawAttributes(Random& random, const FusedLimits& limits, Computation* c) {
  if (c->forward()) c->attributes = AnyFused(random, limits);
}

void SetFractions(Random& random, Computation* c) {
  FusedAttributes& attributes = c->attributes;
  c->numbers = Numbers::kFractions;
  attributes.fractions = attributes.scales != FusedAttributes::kNone;
  if (!attributes.post_ops.empty())
    attributes.post_ops = AnyChainOfFractions(random, spec::IsFloat(c->uses[kDst].type));
}

bool IsBroadcast(const Computation& c) {
  for (const Role role : kRoles) {
    if (!c.Has(role) || c.uses[role].any) continue;
    const spec::Dims strides = PlainOf(c.TensorOf(role)).strides;
    if (std::find(strides.begin(), strides.end(), 0) != strides.end()) return true;
  }
  return false;
}

bool HasTypesOf(const std::vector<Types>& all, const Computation& c) {
  return std::any_of(all.begin(), all.end(), [&](const Types& types) {
    return std::all_of(std::begin(kRoles), std::end(kRoles),
                       [&](Role role) { return !c.Has(role) || c.uses[role].type == types[role]; });
  });
}

std::vector<Types> FloatTypes(Direction direction) {
  constexpr Type kNarrow = Type::kBF16, kWide = Type::kF32;
  switch (direction) {
    case Direction::kForward:
      return {{kNarrow, kNarrow, kWide, kNarrow},
              {kNarrow, kNarrow, kNarrow, kNarrow},
              {kNarrow, kNarrow, kWide, kWide},
              {kNarrow, kNarrow, kNarrow, kWide},
              {Type::kF16, Type::kF16, Type::kF16, Type::kF16}};
    case Direction::kBackwardData:
      return {{kNarrow, kNarrow, kNarrow, kNarrow}, {kWide, kNarrow, kNarrow, kNarrow}};
    case Direction::kBackwardWeights:
      return {{kNarrow, kNarrow, kNarrow, kNarrow},
              {kNarrow, kWide, kWide, kNarrow},
              {kNarrow, kNarrow, kWide, kNarrow},
              {kNarrow, kWide, kNarrow, kNarrow}};
  }
  return {};
}

std::vector<Types> IntegerTriples() {
  std::vector<Types> all;
  for (const Type src : {Type::kU8, Type::kS8})
    for (const Type dst : {Type::kS32, Type::kF32, Type::kU8, Type::kS8})
      for (const Type bias : {Type::kS32, Type::kF32, Type::kU8, Type::kS8})
        all.push_back({src, Type::kS8, bias, dst});
  return all;
}

std::vector<Types> NarrowTypes(Direction direction) {
  std::vector<Types> all = FloatTypes(direction);
  if (direction == Direction::kForward)
    for (const Types& types : IntegerTriples()) all.push_back(types);
  return all;
}

std::vector<Types> EveryType(Direction direction) {
  std::vector<Types> all = NarrowTypes(direction);
  all.insert(all.begin(), all.size(), Types{Type::kF32, Type::kF32, Type::kF32, Type::kF32});
  return all;
}

std::vector<std::string> ClassesOfTensors(const Computation& c) {
  std::vector<std::string> classes{LongName(c.direction)};
  const auto add = [&classes](bool holds, const std::string& name) {
    if (holds) classes.push_back(name);
  };
  add(c.Has(kBias), "bias");
  add(!c.Has(kBias), "no bias");
  add(c.attributes.scales == FusedAttributes::kCommon, "common scale");
  add(c.attributes.scales == FusedAttributes::kChannel, "scale of each channel");
  add(c.attributes.sums(), "sum");
  add(!c.attributes.post_ops.empty() && c.attributes.post_ops.back().kind != PostOp::kSum,
      "eltwise");
  add(std::any_of(c.attributes.post_ops.begin(), c.attributes.post_ops.end(),
                  [](const PostOp& op) { return op.kind != PostOp::kSum && op.scale != 1; }),
      "scaled eltwise");
  add(std::any_of(c.attributes.post_ops.begin(), c.attributes.post_ops.end(),
                  [](const PostOp& op) { return op.rounds(); }),
      "rounded eltwise");
  classes.push_back(NameOf(c.numbers));
  for (const Role role : kRoles) {
    if (!c.Has(role)) continue;
    // By its shape, whatever the direction makes of it.
    const std::string of = std::string(" ") + kKeys[role];
    classes.push_back(spec::NameOf(c.uses[role].type) + of);
    add(c.uses[role].any, "any" + of);
    if (c.uses[role].any || spec::IsEmpty(c.DimsOf(role))) continue;
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
