// What cases are drawn and listed from.
#include <algorithm>
#include <utility>

#include "conformance/convolution/cases.h"
#include "conformance/gen/shapes.h"

namespace conformance {
namespace {

using spec::ConvolutionAxis;

constexpr int64_t kChannels[] = {1, 2, 3, 4, 5, 7, 8, 9, 15, 16, 17, 24, 31, 32, 33};

ConvolutionAxis AnyAxis(Random& random) {
  ConvolutionAxis axis;
  axis.input = random.Between(1, 14);
  axis.kernel = random.Chance(5) ? 7 : random.Between(1, 5);
  axis.stride = random.Between(1, 3);
  axis.dilation = random.Chance(70) ? 0 : random.Between(1, 3);
  const int64_t most = random.Chance(10) ? axis.kernel * (axis.dilation + 1) + 1 : axis.kernel - 1;
  if (random.Chance(70)) {
    axis.padding_l = random.Between(0, most);
    axis.padding_r = random.Between(0, most);
  }
  // What is missing for one output.
  const int64_t reach = 1 + (axis.kernel - 1) * (axis.dilation + 1);
  axis.input = std::max(axis.input, reach - axis.padding_l - axis.padding_r);
  return axis;
}

void DrawChannels(Random& random, ConvolutionCase* c) {
  c->ic = random.Pick(kChannels);
  c->oc = random.Pick(kChannels);
  const int64_t dice = random.Between(0, 99);
  c->grouped = dice < 40 || random.Chance(10);
  if (dice < 20) {
    c->groups = random.Pick(kChannels);
    c->ic = 1;
    c->oc = dice < 15 ? 1 : random.Between(2, 3);
  } else if (dice < 40) {
    c->groups = random.Between(2, 6);
  }
}

// Smaller extents until the products are few enough.
void Shrink(int64_t most_products, ConvolutionCase* c) {
  while (c->products() > most_products) {
    int64_t* largest = &c->groups;
    for (int64_t* size : {&c->ic, &c->oc}) largest = *size > *largest ? size : largest;
    int64_t *input = nullptr, spare = 0;
    for (ConvolutionAxis& axis : c->axes) {
      const int64_t reach = 1 + (axis.kernel - 1) * (axis.dilation + 1);
      const int64_t needed = std::max<int64_t>(1, reach - axis.padding_l - axis.padding_r);
      if (axis.input - needed <= spare) continue;
      input = &axis.input;
      spare = axis.input - needed;
    }
    if (*largest >= 12 || input == nullptr) {
      if (*largest <= 1) break;
      *largest /= 2;
    } else {
      --*input;
    }
  }
}

// The shape that Winograd's algorithm is for, with each padding that such a kernel may have and
// more.
void DrawWinograd(Random& random, ConvolutionCase* c) {
  c->grouped = false;
  c->groups = 1;
  c->ic = random.Pick(kChannels);
  c->oc = random.Pick(kChannels);
  for (int axis = 0; axis < 2; ++axis) {
    const int64_t before = random.Between(0, 3), behind = random.Between(0, 3);
    c->axes.push_back(
        Axis(std::max<int64_t>(random.Between(1, 9), 3 - before - behind), 3, 1, before, behind));
  }
}

// Up to `most_input` places, with as many outputs at times, and else any padding within the kernel.
ConvolutionAxis LayerAxis(Random& random, int64_t kernel, int64_t stride, int64_t most_input) {
  ConvolutionAxis axis = Axis(random.Between(1, most_input), kernel, stride);
  if (stride == 1 && kernel % 2 == 1 && random.Chance(40)) {
    axis.padding_l = axis.padding_r = kernel / 2;
  } else {
    axis.padding_l = random.Between(0, kernel - 1);
    axis.padding_r = random.Between(0, kernel - 1);
  }
  axis.input = std::max(axis.input, kernel - axis.padding_l - axis.padding_r);
  return axis;
}

// What networks begin with, for which libraries have code of their own. Of rank 3, 4 or 5; some
// kernels are one high.
void DrawFirstLayer(Random& random, ConvolutionCase* c) {
  c->grouped = false;
  c->groups = 1;
  c->ic = random.Between(1, 4);
  c->oc = random.Pick({5, 8, 16, 17, 33, 48});
  const auto rank = random.Pick<int64_t>({1, 2, 2, 2, 3});
  const int64_t stride = random.Between(1, 3);
  for (int64_t axis = 1; axis < rank; ++axis)
    c->axes.push_back(LayerAxis(random,
                                random.Chance(30) ? 1 : random.Between(2, rank == 2 ? 7 : 3),
                                stride, rank == 2 ? 9 : 4));
  c->axes.push_back(LayerAxis(random, random.Between(2, rank == 3 ? 3 : 7), stride, 11));
}

// What networks have in between, for which libraries have code of their own too. Of rank 4.
void DrawVectorsOfDepthwise(Random& random, int64_t most_products, ConvolutionCase* c) {
  c->grouped = true;
  c->ic = c->oc = 1;
  c->groups = random.Pick({16, 20, 32, 35, 48, 64});
  const auto stride = random.Pick<int64_t>({1, 1, 2});
  for (int axis = 0; axis < 2; ++axis)
    c->axes.push_back(LayerAxis(random, random.Chance(90) ? 3 : 5, stride, 9));
  // Places are left out before channels are.
  for (ConvolutionAxis& axis : c->axes)
    while (c->products() > most_products &&
           axis.input > std::max<int64_t>(1, axis.kernel - axis.padding_l - axis.padding_r))
      --axis.input;
}

void DrawUsual(Random& random, ConvolutionCase* c) {
  DrawChannels(random, c);
  const int64_t dice = random.Between(0, 99);
  for (int axis = dice < 20 ? 2 : dice < 80 ? 1 : 0; axis < 3; ++axis)
    c->axes.push_back(AnyAxis(random));
  if (random.Chance(10))
    for (ConvolutionAxis& axis : c->axes) axis = Axis(axis.input, 1, random.Between(1, 2));
}

void DrawProblem(Random& random, const ConvolutionLimits& limits, ConvolutionCase* c) {
  c->mb = random.Pick(limits.batches);
  c->axes.clear();
  if (random.Chance(limits.first_layer_percent))
    DrawFirstLayer(random, c);
  else if (random.Chance(limits.depthwise_percent))
    DrawVectorsOfDepthwise(random, limits.most_products, c);
  else if (c->algorithm == ConvolutionAlgorithm::kWinograd && random.Chance(75))
    DrawWinograd(random, c);
  else
    DrawUsual(random, c);
  Shrink(limits.most_products, c);
}

// Beside kDirect, kAuto is drawn for what Winograd's algorithm is not for, nor for one group of it:
// there bits are compared.
void ChooseAlgorithm(const ConvolutionLimits& limits, ConvolutionCase* c) {
  spec::Convolution group = c->Problem();
  group.groups = 1;
  if (c->algorithm == ConvolutionAlgorithm::kAuto && spec::MayBeWinograd(group) &&
      std::find(limits.algorithms.begin(), limits.algorithms.end(),
                ConvolutionAlgorithm::kDirect) != limits.algorithms.end())
    c->algorithm = ConvolutionAlgorithm::kDirect;
}

// At most so many of what is listed, evenly spread, each changed.
template <class Change>
Cases<ConvolutionCase> Changed(const Cases<ConvolutionCase>& listed, int64_t most, Change change) {
  std::vector<ConvolutionCase> cases;
  Random random(1);
  const int64_t count = std::min(listed.count, most);
  for (int64_t i = 0; i < count; ++i) {
    cases.push_back(listed.at(i * listed.count / count, random));
    change(static_cast<uint64_t>(i), &cases.back());
  }
  return Listed(std::move(cases));
}

template <class T>
bool Holds(const std::vector<T>& all, T one) {
  return std::find(all.begin(), all.end(), one) != all.end();
}

}  // namespace

ConvolutionAxis Axis(int64_t input, int64_t kernel, int64_t stride, int64_t padding_l,
                     int64_t padding_r, int64_t dilation) {
  ConvolutionAxis axis;
  axis.input = input;
  axis.kernel = kernel;
  axis.stride = stride;
  axis.dilation = dilation;
  axis.padding_l = padding_l;
  axis.padding_r = padding_r;
  return axis;
}

ConvolutionCase ConvolutionOf(int64_t mb, int64_t groups, int64_t ic, int64_t oc,
                              std::vector<ConvolutionAxis> axes) {
  ConvolutionCase c;
  c.mb = mb;
  c.grouped = groups > 1;
  c.groups = groups;
  c.ic = ic;
  c.oc = oc;
  c.axes = std::move(axes);
  c.ResetLayouts();
  return c;
}

ConvolutionCase AnyConvolutionCase(Random& random, const ConvolutionLimits& limits) {
  ConvolutionCase c;
  c.direction = random.Pick(limits.directions);
  c.algorithm = random.Pick(limits.algorithms);
  const Types types = random.Pick(TypesWithin(limits, c.direction));
  c.SetTypes(types);
  DrawProblem(random, limits, &c);
  ChooseAlgorithm(limits, &c);
  c.bias = c.direction != Direction::kBackwardData && random.Chance(limits.bias_percent);
  DrawTensors(random, limits, &c);
  DrawAttributes(random, limits, &c);
  c.numbers = random.Pick(limits.numbers);
  c.seed = static_cast<uint64_t>(random.Between(0, 9999));
  if (limits.fractions && c.forward()) SetFractions(random, &c);
  return c;
}

bool Fits(const ConvolutionCase& c, const ConvolutionLimits& limits) {
  return Holds(limits.directions, c.direction) && Holds(limits.algorithms, c.algorithm) &&
         HasTypesOf(TypesWithin(limits, c.direction), c) &&
         (Holds(limits.numbers, c.numbers) ||
          (limits.fractions && c.numbers == Numbers::kFractions)) &&
         Fits(c.attributes, limits) && (limits.bias_percent > 0 || !c.bias) &&
         (limits.broadcasts || !IsBroadcast(c));
}

Cases<ConvolutionCase> AnyConvolution(const ConvolutionLimits& limits) {
  return {limits.count,
          [limits](int64_t, Random& random) { return AnyConvolutionCase(random, limits); },
          [limits](const ConvolutionCase& c) { return Fits(c, limits); }};
}

Cases<ConvolutionCase> Altered(const ConvolutionLimits& limits,
                               void (*change)(Random& random, ConvolutionCase* c),
                               bool (*holds)(const ConvolutionCase& c)) {
  return {limits.count,
          [limits, change](int64_t, Random& random) {
            ConvolutionCase c = AnyConvolutionCase(random, limits);
            change(random, &c);
            ChooseAlgorithm(limits, &c);
            c.ResetLayouts();
            return c;
          },
          [limits, holds](const ConvolutionCase& c) { return Fits(c, limits) && holds(c); }};
}

std::vector<Types> TypesOfEachKind() {
  using spec::Type;
  return {{Type::kF32, Type::kF32, Type::kF32, Type::kF32},
          {Type::kBF16, Type::kBF16, Type::kF32, Type::kBF16},
          {Type::kU8, Type::kS8, Type::kF32, Type::kU8},
          {Type::kS8, Type::kS8, Type::kS32, Type::kS8},
          {Type::kU8, Type::kS8, Type::kU8, Type::kF32},
          {Type::kS8, Type::kS8, Type::kS8, Type::kS32}};
}

std::vector<ConvolutionCase> OfEach(const std::vector<Types>& all,
                                    const Cases<ConvolutionCase>& listed) {
  std::vector<ConvolutionCase> cases;
  Random random(1);
  for (int64_t i = 0; i < listed.count; ++i)
    for (const Types& types : all) {
      cases.push_back(listed.at(i, random));
      cases.back().SetTypes(types);
    }
  return cases;
}

Cases<ConvolutionCase> OfTypes(const Cases<ConvolutionCase>& listed, int64_t most) {
  const std::vector<Types> bytes = IntegerTriples();
  Random random(1);
  return Changed(listed, most, [&](uint64_t at, ConvolutionCase* c) {
    const std::vector<Types> floats = FloatTypes(c->direction);
    // By chance, so that it has nothing in common with what the list repeats.
    const uint64_t chance = Mix(at);
    const bool of_bytes = c->forward() && chance % 2 == 1;
    c->SetTypes(of_bytes ? bytes[chance / 2 % bytes.size()] : floats[chance / 2 % floats.size()]);
    if (c->forward() && chance / 64 % 3 == 0 && c->attributes.none())
      c->attributes.post_ops = AnyChain(random);
  });
}

Cases<ConvolutionCase> OfFloats(const Cases<ConvolutionCase>& listed, int64_t most) {
  return Changed(listed, most, [](uint64_t at, ConvolutionCase* c) {
    const std::vector<Types> floats = FloatTypes(c->direction);
    c->SetTypes(floats[Mix(at) % floats.size()]);
  });
}

Cases<ConvolutionCase> Scaled(const Cases<ConvolutionCase>& listed, int64_t most) {
  const std::vector<Types> bytes = IntegerTriples();
  Random random(1);
  return Changed(listed, most, [&](uint64_t at, ConvolutionCase* c) {
    const uint64_t chance = Mix(at);
    c->SetTypes(bytes[chance % bytes.size()]);
    c->attributes.scales = FusedAttributes::kChannel;
    if (chance / 64 % 2 == 0) c->attributes.post_ops = AnyChain(random);
  });
}

Cases<ConvolutionCase> OfFractions(const Cases<ConvolutionCase>& listed, int64_t most) {
  std::vector<Types> all = IntegerTriples();
  for (int i = 0; i < 3; ++i) {
    all.push_back(ConvolutionLimits().types[0]);
    for (const Types& types : FloatTypes(Direction::kForward)) all.push_back(types);
  }
  Random random(1);
  return Changed(listed, most, [&](uint64_t, ConvolutionCase* c) {
    c->SetTypes(random.Pick(all));
    // Of floats they may be missing.
    c->attributes.scales = c->integral() ? FusedAttributes::kChannel : FusedAttributes::kNone;
    c->attributes.post_ops = {PostOp{}};
    if (c->integral() && random.Chance(30)) c->attributes.post_ops.clear();
    SetFractions(random, c);
  });
}

void SetChannelsLast(ConvolutionCase* c) {
  for (const Role role : kRoles) {
    const spec::Dims dims = c->DimsOf(role);
    TensorUse& use = c->uses[role];
    use.any = false;
    const auto rank = static_cast<int>(dims.size());
    std::vector<int> order;
    if (role == kBias) {
      order = {0};
    } else if (role == kWeights) {
      // Kernel, input channels, groups, output channels.
      const int first = c->grouped ? 1 : 0;
      for (int axis = first + 2; axis < rank; ++axis) order.push_back(axis);
      order.push_back(first + 1);
      if (c->grouped) order.push_back(0);
      order.push_back(first);
    } else {
      order = {0};
      for (int axis = 2; axis < rank; ++axis) order.push_back(axis);
      order.push_back(1);
    }
    use.layout = DenseInOrder(dims, order);
  }
}

std::vector<ConvolutionCase> Presented(const ConvolutionCase& c,
                                       const std::vector<Direction>& directions) {
  std::vector<ConvolutionCase> cases;
  for (const Direction direction : directions) {
    for (int way = 0; way < 3; ++way) {
      ConvolutionCase one = c;
      one.direction = direction;
      one.bias = c.bias && direction != Direction::kBackwardData;
      if (way == 2) SetChannelsLast(&one);
      if (way != 2) one.SetAny(way == 0);
      one.seed = c.seed + cases.size();
      cases.push_back(one);
    }
  }
  return cases;
}

}  // namespace conformance
