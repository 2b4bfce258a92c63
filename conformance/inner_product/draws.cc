// What cases are drawn and listed from.
#include <algorithm>
#include <utility>

#include "conformance/gen/shapes.h"
#include "conformance/inner_product/cases.h"

namespace conformance {
namespace {

constexpr int64_t kChannels[] = {1, 2, 3, 4, 5, 7, 8, 9, 15, 16, 17, 24, 31, 32, 33};

void DrawProblem(Random& random, const InnerProductLimits& limits, InnerProductCase* c) {
  c->mb = random.Pick(limits.batches);
  c->ic = random.Pick(kChannels);
  c->oc = random.Pick(kChannels);
  // Where kernels end a tile is nobody's to know.
  const bool rows = limits.batches.size() > 1;
  if (rows && random.Chance(40)) c->mb = random.Between(1, 70);
  if (random.Chance(30)) c->ic = random.Between(1, 140);
  if (random.Chance(30)) c->oc = random.Between(1, 140);
  const int64_t rank = random.Chance(50) ? 2 : random.Between(3, 5);
  for (int64_t axis = 2; axis < rank; ++axis) c->spatial.push_back(random.Between(1, 5));
  if (rank > 2 && random.Chance(20))
    c->spatial[static_cast<size_t>(random.Between(0, rank - 3))] =
        random.Pick({6, 7, 8, 13, 16, 17, 32});
  // One axis that is long, the others short enough to leave it so.
  const int64_t dice = random.Between(1, 100);
  int64_t* const longest = dice <= 6 && rows ? &c->mb : dice <= 14 ? &c->ic : &c->oc;
  if (dice <= 22) {
    for (int64_t* size : {&c->mb, &c->ic, &c->oc}) *size = std::min<int64_t>(*size, 9);
    *longest = random.Pick<int64_t>({64, 100, 129, 256, 257, 300, 520});
  }
  // The oracle's time is that of the products: a quarter of the cases may have all of them.
  const int64_t most = random.Chance(25) ? limits.most_products : limits.most_products / 8;
  while (c->mb * c->oc * c->inputs() > most) {
    int64_t* largest = &c->ic;
    for (int64_t* size : {&c->oc, &c->mb}) largest = *size > *largest ? size : largest;
    if (*largest <= 1) break;  // what is left is spatial
    *largest /= 2;
  }
}

bool Holds(const std::vector<Direction>& all, Direction one) {
  return std::find(all.begin(), all.end(), one) != all.end();
}

}  // namespace

InnerProductCase AnyInnerProductCase(Random& random, const InnerProductLimits& limits) {
  InnerProductCase c;
  c.direction = random.Pick(limits.directions);
  const Types types = random.Pick(TypesWithin(limits, c.direction));
  c.SetTypes(types);
  DrawProblem(random, limits, &c);
  c.bias = c.direction != Direction::kBackwardData && random.Chance(limits.bias_percent);
  DrawTensors(random, limits, &c);
  DrawAttributes(random, limits, &c);
  c.numbers = random.Pick(limits.numbers);
  c.seed = static_cast<uint64_t>(random.Between(0, 9999));
  if (limits.fractions && c.forward()) SetFractions(random, &c);
  return c;
}

bool Fits(const InnerProductCase& c, const InnerProductLimits& limits) {
  const bool types = HasTypesOf(TypesWithin(limits, c.direction), c);
  const bool numbers =
      std::find(limits.numbers.begin(), limits.numbers.end(), c.numbers) != limits.numbers.end() ||
      (limits.fractions && c.numbers == Numbers::kFractions);
  return Holds(limits.directions, c.direction) && types && numbers && Fits(c.attributes, limits) &&
         (limits.bias_percent > 0 || !c.bias) && (limits.broadcasts || !IsBroadcast(c));
}

Cases<InnerProductCase> AnyInnerProduct(const InnerProductLimits& limits) {
  Cases<InnerProductCase> cases = Drawn<InnerProductCase>(
      [limits](Random& random) { return AnyInnerProductCase(random, limits); });
  cases.contains = [limits](const InnerProductCase& c) { return Fits(c, limits); };
  cases.count = limits.count;
  cases.cost = 2;
  return cases;
}

Cases<InnerProductCase> ThreadedInnerProducts(const std::vector<Direction>& directions) {
  struct Extents {
    int64_t mb, ic, oc;
  };
  std::vector<InnerProductCase> cases;
  for (const Extents& of :
       {Extents{61, 64, 600}, {7, 511, 705}, {390, 100, 75}, {200, 200, 64}, {33, 910, 90}}) {
    for (const Direction direction : directions) {
      InnerProductCase c;
      c.direction = direction;
      c.mb = of.mb;
      c.ic = of.ic;
      c.oc = of.oc;
      c.bias = direction != Direction::kBackwardData;
      c.SetAny(cases.size() % 2 == 0);
      c.seed = cases.size();
      cases.push_back(std::move(c));
    }
  }
  return Listed(std::move(cases));
}

Cases<InnerProductCase> ThreadedInnerProductsOfTypes(Direction direction) {
  using spec::Type;
  std::vector<Types> all = FloatTypes(direction);
  if (direction == Direction::kForward)
    all = {all.front(),
           all.back(),
           {Type::kU8, Type::kS8, Type::kS32, Type::kS32},
           {Type::kS8, Type::kS8, Type::kF32, Type::kF32},
           {Type::kS8, Type::kS8, Type::kS32, Type::kS32},
           {Type::kU8, Type::kS8, Type::kF32, Type::kS8}};
  const Cases<InnerProductCase> shapes = ThreadedInnerProducts({direction});
  std::vector<InnerProductCase> cases;
  Random random(1);
  for (const Types& types : all) {
    // Each shape, as `any` and not.
    const auto at = static_cast<int64_t>(cases.size());
    InnerProductCase c = shapes.at((at + at / shapes.count) % shapes.count, random);
    c.SetTypes(types);
    c.SetAny(at % 2 == 0);
    c.seed = cases.size();
    cases.push_back(std::move(c));
  }
  return Listed(std::move(cases));
}

Cases<InnerProductCase> AroundBlocks() {
  std::vector<InnerProductCase> cases;
  for (const Direction direction : kDirections) {
    for (const int64_t block : {128, 256, 512, 1024}) {
      for (const int64_t terms : {block - 1, block, block + 1}) {
        InnerProductCase c;
        c.direction = direction;
        c.mb = direction == Direction::kBackwardWeights ? terms : 17;
        c.ic = direction == Direction::kForward ? terms : 70;
        c.oc = direction == Direction::kBackwardData ? terms : 66;
        c.bias = direction != Direction::kBackwardData;
        c.SetAny(cases.size() % 2 == 0);
        c.seed = cases.size();
        cases.push_back(c);
      }
    }
  }
  return Listed(std::move(cases));
}

Cases<InnerProductCase> RowsApart() {
  using spec::Type;
  constexpr Types kTypes[] = {{Type::kF32, Type::kF32, Type::kF32, Type::kF32},
                              {Type::kBF16, Type::kBF16, Type::kF32, Type::kF32},
                              {Type::kF16, Type::kF16, Type::kF16, Type::kF16},
                              {Type::kU8, Type::kS8, Type::kF32, Type::kS32},
                              {Type::kS8, Type::kS8, Type::kF32, Type::kF32}};
  std::vector<InnerProductCase> cases;
  for (const Types& types : kTypes) {
    for (const int64_t inputs : {8, 13, 64}) {
      for (const int64_t gap : {0, 1, 2, 3, 4}) {
        InnerProductCase c;
        c.SetTypes(types);
        c.mb = 3 + gap;
        c.ic = inputs;
        c.oc = 35;
        c.SetAny(false);
        c.uses[kSrc].layout = {};
        c.uses[kSrc].layout.strides = {inputs + gap, 1};
        c.uses[kWeights].any = cases.size() % 4 != 3;
        if (c.uses[kWeights].any) c.uses[kWeights].layout = {};
        c.seed = cases.size();
        cases.push_back(std::move(c));
      }
    }
  }
  return Listed(std::move(cases));
}

Cases<InnerProductCase> NetworkInnerProducts() {
  struct Layer {
    int64_t mb, ic, oc;
    spec::Dims spatial;
  };
  const Layer layers[] = {
      {1, 2048, 1000, {}}, {16, 2048, 1000, {}}, {1, 512, 64, {7, 7}}, {2, 256, 256, {6, 6}},
      {1, 4096, 1000, {}}, {64, 1280, 100, {}},  {1, 1024, 1000, {}},  {64, 768, 768, {}},
      {16, 768, 3072, {}}, {2048, 13, 64, {}},   {256, 512, 256, {}},  {64, 479, 1024, {}},
      {2048, 1024, 1, {}}, {1, 256, 1, {}},      {1, 400, 120, {}},    {1, 120, 84, {}},
      {1, 84, 10, {}},     {33, 7, 5, {}},       {16, 17, 31, {}},     {3, 16, 40, {4, 7, 7}},
  };
  std::vector<InnerProductCase> cases;
  for (const Layer& layer : layers) {
    InnerProductCase c;
    c.mb = layer.mb;
    c.ic = layer.ic;
    c.oc = layer.oc;
    c.spatial = layer.spatial;
    c.SetAny(cases.size() % 2 == 0);
    c.seed = cases.size();
    cases.push_back(c);
  }
  return Listed(std::move(cases));
}

Cases<InnerProductCase> LongInnerProducts() {
  Cases<InnerProductCase> cases = AnyInnerProduct();
  cases.count = 40;
  cases.at = [](int64_t index, Random& random) {
    InnerProductLimits limits;
    limits.directions = {Direction::kForward};
    InnerProductCase c = AnyInnerProductCase(random, limits);
    c.spatial.clear();
    c.mb = random.Between(1, 3);
    c.oc = random.Between(1, 5);
    c.ic = random.Pick({1000, 1023, 4096, 9999, 25088, 65537, 100000});
    const bool tiled = index % 8 == 6 || index == 7, any = index == 7;
    // Of these rows and outputs, or of weights that do not lie along the inputs, sums are tiled.
    if (tiled) {
      c.mb = any ? 17 : c.mb;
      c.oc = any ? 9 : random.Between(17, 40);
      c.ic = random.Pick({65536 + 300, 66000});
    }
    for (TensorUse& use : c.uses) use.at = {};
    c.ResetLayouts();
    if (tiled) c.uses[kWeights].layout = DenseInOrder(c.DimsOf(kWeights), {1, 0});
    if (any) c.SetAny(true);
    c.numbers = index % 2 == 0 ? Numbers::kIntegers : Numbers::kFloats;
    return c;
  };
  cases.contains = [](const InnerProductCase& c) { return c.forward() && c.attributes.none(); };
  return cases;
}

Cases<InnerProductCase> LongGradients(Direction direction) {
  std::vector<InnerProductCase> cases;
  for (const bool any : {true, false}) {
    for (const int64_t terms : {9999, 65536 + 300}) {
      InnerProductCase c;
      c.direction = direction;
      c.mb = direction == Direction::kBackwardWeights ? terms : 3;
      c.oc = direction == Direction::kBackwardData ? terms : 9;
      c.ic = any ? 18 : terms < 10000 ? 40 : 32;  // two panels and a part of one, or whole ones
      c.bias = direction == Direction::kBackwardWeights;
      c.SetAny(any);
      c.seed = cases.size();
      cases.push_back(std::move(c));
    }
  }
  return Listed(std::move(cases));
}

Cases<InnerProductCase> LongAndNarrow() {
  struct Sizes {
    Direction direction;
    int64_t mb, ic, oc;
  };
  const Sizes all[] = {
      {Direction::kForward, 2, 3, 2100},           {Direction::kForward, 1, 40000, 2},
      {Direction::kForward, 2100, 5, 3},           {Direction::kBackwardData, 3, 2, 40000},
      {Direction::kBackwardWeights, 40000, 1, 2},  {Direction::kForward, 5, 2, 4100},
      {Direction::kBackwardData, 4, 4100, 3},      {Direction::kBackwardWeights, 5, 40000, 2},
      {Direction::kBackwardWeights, 2, 4160, 1030}};
  std::vector<InnerProductCase> cases;
  for (const Sizes& sizes : all) {
    InnerProductCase c;
    c.direction = sizes.direction;
    c.mb = sizes.mb;
    c.ic = sizes.ic;
    c.oc = sizes.oc;
    c.bias = sizes.direction != Direction::kBackwardData;
    c.SetAny(cases.size() % 4 == 3);
    c.seed = cases.size();
    cases.push_back(std::move(c));
  }
  return Listed(std::move(cases));
}

Cases<InnerProductCase> AnySubsets() {
  std::vector<InnerProductCase> cases;
  for (const Direction direction : InnerProductLimits().directions) {
    const int roles = direction == Direction::kBackwardData ? 3 : 4;
    for (int subset = 0; subset < 1 << roles; ++subset) {
      for (const spec::Dims& spatial : {spec::Dims{}, spec::Dims{3, 2}}) {
        InnerProductCase c;
        c.direction = direction;
        c.mb = 3;
        c.ic = 19;
        c.oc = 17;
        c.spatial = spatial;
        c.bias = roles == 4;
        int bit = 0;
        for (const Role role : kRoles) {
          if (!c.Has(role)) continue;
          c.uses[role].any = (subset >> bit++ & 1) != 0;
          if (!c.uses[role].any) c.uses[role].layout = Plainest(c.DimsOf(role));
        }
        c.seed = cases.size();
        cases.push_back(c);
      }
    }
  }
  return Listed(std::move(cases));
}

}  // namespace conformance
