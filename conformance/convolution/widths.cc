// Channels, images and weights around what kernels take at once.
#include <algorithm>
#include <iterator>
#include <numeric>
#include <utility>
#include <vector>

#include "conformance/convolution/cases.h"

namespace conformance {
namespace {

using spec::ConvolutionAxis;
using spec::Type;

struct Channels {
  int64_t groups, ic, oc;
};

// Of the ways in which Presented gives a case, that of this number.
ConvolutionCase WayOf(const ConvolutionCase& c, Direction direction, size_t way) {
  const std::vector<ConvolutionCase> ways = Presented(c, {direction});
  return ways[way % ways.size()];
}

// The far end, along the outermost axis, of a parent that is longer there alone: the strides are
// those of a dense tensor. Row-major, or with channels last.
void SetOuterRegion(ConvolutionCase* c, Role role, int64_t more) {
  const spec::Dims dims = c->DimsOf(role);
  LayoutSpec& layout = c->uses[role].layout;
  layout.tag.clear();
  if (layout.strides.empty()) layout.strides = RowMajor(dims).strides;
  size_t outermost = 0;
  for (size_t axis = 1; axis < dims.size(); ++axis)
    if (layout.strides[axis] > layout.strides[outermost]) outermost = axis;
  LayoutSpec::Parent parent{dims, spec::Dims(dims.size(), 0)};
  parent.dims[outermost] += more;
  parent.offsets[outermost] = more;
  layout.parents = {parent};
}

}  // namespace

void SetRegionAlong(ConvolutionCase* c, Role role, size_t axis, int64_t more) {
  const spec::Dims dims = c->DimsOf(role);
  const spec::Dims strides = Resolve(c->uses[role].layout, dims)->strides;
  LayoutSpec::Parent parent{dims, spec::Dims(dims.size(), 0)};
  parent.dims[axis] += more;
  parent.offsets[axis] = more;
  std::vector<int> order(dims.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](int a, int b) {
    return strides[static_cast<size_t>(a)] > strides[static_cast<size_t>(b)];
  });
  c->uses[role].layout = DenseInOrder(parent.dims, order);
  c->uses[role].layout.parents = {parent};
}

Cases<ConvolutionCase> GroupConvolutions(const std::vector<Direction>& directions) {
  constexpr Channels kChannels[] = {{3, 8, 8},   {2, 2, 2},   {5, 8, 8}, {2, 8, 16},
                                    {3, 16, 8},  {5, 4, 4},   {7, 8, 8}, {3, 2, 2},
                                    {3, 12, 12}, {2, 17, 15}, {9, 3, 5}, {17, 1, 2},
                                    {3, 16, 16}, {2, 8, 8},   {4, 8, 8}, {2, 33, 31}};
  const std::vector<ConvolutionAxis> axes[] = {{Axis(6, 3, 1, 1, 1), Axis(7, 3, 1, 1, 1)},
                                               {Axis(14, 3, 1, 1, 1), Axis(13, 2, 1, 1, 0)},
                                               {Axis(5, 1), Axis(9, 1, 2)},
                                               {Axis(160, 3, 1, 1, 1)},
                                               {Axis(3, 5, 1, 2, 2), Axis(9, 5, 1, 2, 3)},
                                               {Axis(5, 3, 1, 2, 1, 1), Axis(12, 3, 1, 3, 4, 1)}};
  std::vector<ConvolutionCase> cases;
  for (const std::vector<ConvolutionAxis>& of : axes) {
    for (const Channels& channels : kChannels) {
      // An image beyond a task's places is for channels that are gathered.
      if (of[0].input > 10 && channels.ic > 12) continue;
      ConvolutionCase c = ConvolutionOf(1, channels.groups, channels.ic, channels.oc, of);
      c.bias = cases.size() % 2 == 0;
      c.seed = cases.size();
      cases.push_back(WayOf(c, directions[cases.size() % directions.size()], cases.size() / 2));
    }
  }
  return Listed(std::move(cases));
}

Cases<ConvolutionCase> WideConvolutions(const std::vector<Direction>& directions) {
  constexpr Channels kChannels[] = {{1, 200, 5}, {1, 5, 270},   {1, 385, 3},
                                    {1, 3, 520}, {1, 193, 257}, {2, 200, 130}};
  std::vector<ConvolutionCase> cases;
  for (const Channels& channels : kChannels) {
    for (const int64_t kernel : {1, 3}) {
      if (kernel > 1 && channels.ic * channels.oc > 10000) continue;
      const int64_t padding = kernel / 2;
      ConvolutionCase c = ConvolutionOf(
          2, channels.groups, channels.ic, channels.oc,
          {Axis(3, kernel, 1, padding, padding), Axis(2, kernel, 1, padding, padding)});
      c.bias = kernel == 3;
      for (const Direction direction : directions) {
        c.seed = cases.size();
        cases.push_back(WayOf(c, direction, cases.size()));
        cases.push_back(WayOf(c, direction, cases.size()));
      }
    }
  }
  return Listed(std::move(cases));
}

Cases<ConvolutionCase> UnevenKernels(const std::vector<Direction>& directions) {
  constexpr Channels kChannels[] = {{1, 40, 3},  {1, 3, 40}, {1, 200, 5},
                                    {2, 36, 34}, {20, 1, 1}, {1, 6, 8}};
  const std::vector<ConvolutionAxis> axes[] = {
      {Axis(3, 2, 1, 0, 1), Axis(4, 3, 1, 1, 1), Axis(3, 1)},
      {Axis(4, 3), Axis(2, 1), Axis(3, 2, 1, 1, 0)},
      {Axis(3, 2), Axis(5, 4, 1, 1, 0), Axis(4, 3, 2, 1, 1)},
      {Axis(6, 3, 1, 1, 0), Axis(3, 1), Axis(4, 1)},
      {Axis(5, 4, 1, 1, 1), Axis(3, 2)},
      {Axis(20, 19, 1, 1, 1), Axis(3, 2)}};  // more rows of taps than are usual
  std::vector<ConvolutionCase> cases;
  for (const std::vector<ConvolutionAxis>& of : axes) {
    for (const Channels& channels : kChannels) {
      ConvolutionCase c = ConvolutionOf(1, channels.groups, channels.ic, channels.oc, of);
      c.bias = cases.size() % 2 == 0;
      for (const Direction direction : directions) {
        c.seed = cases.size();
        cases.push_back(WayOf(c, direction, cases.size()));
      }
    }
  }
  return Listed(std::move(cases));
}

Cases<ConvolutionCase> PaddedDepthwise(const std::vector<Direction>& directions) {
  std::vector<ConvolutionCase> cases;
  for (const int64_t stride : {1, 2}) {
    for (int paddings = 0; paddings < 81; ++paddings) {
      const int64_t number = paddings;
      const auto axis = [&](int64_t first, int64_t sizes) {
        return Axis(1 + number % sizes, 3, stride, number / first % 3, number / first / 3 % 3);
      };
      // Half of the rows are longer than what is computed at once.
      const int64_t widths = number % 2 == 0 ? 5 : 1 + 14 * stride;
      ConvolutionCase c = ConvolutionOf(1, number % 4 == 0 ? 35 : 16 + number % 2 * 16, 1, 1,
                                        {axis(1, 7), axis(9, widths)});
      c.bias = number % 2 == 0;
      if (!IsLegal(c) || spec::IsEmpty(c.DimsOf(kDst))) continue;
      for (const Direction direction : directions) {
        c.seed = cases.size();
        cases.push_back(WayOf(c, direction, cases.size() / directions.size()));
      }
    }
  }
  return Listed(std::move(cases));
}

Cases<ConvolutionCase> TallDepthwise(const std::vector<Direction>& directions) {
  std::vector<ConvolutionCase> cases;
  for (const int64_t channels : {48, 512})
    for (const int64_t stride : {1, 2})
      for (const int64_t more : {0, 1}) {
        const int64_t height = (channels == 512 ? 64 : 500) * stride + more;
        ConvolutionCase c = ConvolutionOf(
            1, channels, 1, 1, {Axis(height, 3, stride, 1, 1), Axis(4 + more, 3, stride, 1, 1)});
        c.bias = more == 0;
        for (const Direction direction : directions) {
          c.seed = cases.size();
          cases.push_back(WayOf(c, direction, cases.size() / directions.size()));
        }
      }
  return Listed(std::move(cases));
}

Cases<ConvolutionCase> WideDepthwise(const std::vector<Direction>& directions) {
  struct Row {
    int64_t images, channels, places;
  };
  std::vector<ConvolutionCase> cases;
  for (const auto& [images, channels, places] :
       {Row{1, 48, 500}, Row{1, 34, 500}, Row{3, 20, 500}, Row{1, 64, 500}, Row{1, 130, 200}})
    for (const int64_t stride : {1, 2})
      for (const int64_t rows : {1, 2}) {
        ConvolutionCase c = ConvolutionOf(images, channels, 1, 1,
                                          {Axis((rows - 1) * stride + 3, 3, stride),
                                           Axis(places * stride + rows, 3, stride, 1, 1)});
        c.bias = rows == 1;
        for (const Direction direction : directions) {
          c.seed = cases.size();
          cases.push_back(WayOf(c, direction, cases.size() / directions.size()));
        }
      }
  return Listed(std::move(cases));
}

Cases<ConvolutionCase> UnlikeStrides(const std::vector<Direction>& directions, bool depthwise) {
  constexpr Channels kDepthwise[] = {{16, 1, 1}, {20, 1, 1}, {35, 1, 1}, {64, 1, 1}};
  constexpr Channels kOthers[] = {{2, 8, 8}, {3, 4, 4}, {3, 2, 2}, {1, 3, 17}, {1, 16, 48}};
  std::vector<Channels> all(std::begin(kOthers), std::end(kOthers));
  if (depthwise) all.assign(std::begin(kDepthwise), std::end(kDepthwise));
  std::vector<ConvolutionCase> cases;
  const auto add = [&](ConvolutionCase c, bool any) {
    for (const Direction direction : directions) {
      const size_t number = cases.size() / directions.size();
      c.seed = cases.size();
      cases.push_back(WayOf(c, direction, any ? number : 1 + number % 2));
    }
  };
  for (const Channels& channels : all)
    for (int64_t high = 1; high <= 3; ++high)
      for (int64_t wide = 1; wide <= 3; ++wide) {
        if (high == wide) continue;
        const int64_t padding = static_cast<int64_t>(cases.size()) % 3;
        ConvolutionCase c =
            ConvolutionOf(1, channels.groups, channels.ic, channels.oc,
                          {Axis(7 + high, 3, high, padding, 1), Axis(9, 3, wide, 1, padding)});
        c.bias = high > wide;
        add(c, true);
      }
  const ConvolutionAxis usual = Axis(5, 3, 1, 1, 1), slices = Axis(5, 3, 2, 1, 1);
  for (const Channels& channels : all)
    for (const std::vector<ConvolutionAxis>& axes :
         {std::vector<ConvolutionAxis>{slices, Axis(4, 3, 1, 1, 1), usual},
          {Axis(4, 1, 2), usual, Axis(6, 3, 1, 1, 1)},
          {usual, slices, slices}})
      add(ConvolutionOf(1, channels.groups, channels.ic, channels.oc, axes), !depthwise);
  return Listed(std::move(cases));
}

Cases<ConvolutionCase> DilatedChannels(const std::vector<Direction>& directions) {
  constexpr Channels kChannels[] = {{1, 40, 16}, {1, 16, 40}, {2, 36, 17}, {1, 70, 33}};
  constexpr int64_t kDilations[][2] = {{1, 1}, {0, 1}, {2, 0}};
  std::vector<ConvolutionCase> cases;
  for (const Channels& channels : kChannels)
    for (const auto& [high, wide] : kDilations)
      for (const int64_t stride : {1, 2})
        for (const Direction direction : directions) {
          ConvolutionCase c = ConvolutionOf(
              1, channels.groups, channels.ic, channels.oc,
              {Axis(7, 3, stride, 1 + high, 1, high), Axis(9, 3, stride, 1 + wide, 2, wide)});
          c.bias = stride == 1;
          c.seed = cases.size();
          cases.push_back(WayOf(c, direction, cases.size() / directions.size()));
        }
  return Listed(std::move(cases));
}

Cases<ConvolutionCase> DilatedDepthwise(const std::vector<Direction>& directions) {
  std::vector<ConvolutionCase> cases;
  constexpr int64_t kDilations[][2] = {{1, 1}, {0, 1}, {2, 0}, {1, 2}};
  for (const int64_t groups : {16, 20, 35, 64})
    for (const auto& [high, wide] : kDilations)
      for (const int64_t stride : {1, 2})
        for (const Direction direction : directions) {
          const int64_t padding = static_cast<int64_t>(cases.size()) % 3;
          ConvolutionCase c =
              ConvolutionOf(1, groups, 1, 1,
                            {Axis(6 + padding, 3, stride, padding, 1, high),
                             Axis(9 - padding, 3, stride, 1 + padding % 2, padding, wide)});
          c.bias = groups % 2 == 0;
          c.seed = cases.size();
          cases.push_back(WayOf(c, direction, cases.size() / directions.size()));
        }
  return Listed(std::move(cases));
}

Cases<ConvolutionCase> LargePictures(const std::vector<Direction>& directions) {
  struct Picture {
    int64_t mb;
    Channels channels;
    std::vector<ConvolutionAxis> axes;
  };
  const ConvolutionAxis deep = Axis(3, 2);
  const Picture pictures[] = {
      {3, {1, 40, 20}, {Axis(9, 3, 1, 1, 1), Axis(8, 3, 1, 1, 1)}},
      {4, {2, 36, 18}, {Axis(8, 2, 1, 1, 0), Axis(7, 3, 1, 1, 1)}},
      {4, {1, 172, 24}, {Axis(8, 1), Axis(7, 1)}},
      {5, {1, 48, 33}, {Axis(13, 3, 2, 1, 1), Axis(12, 3, 2, 1, 0)}},
      {3, {1, 9, 35}, {Axis(10, 3, 1, 1, 1), Axis(11, 3, 1, 1, 1)}},
      {3, {1, 40, 18}, {deep, Axis(6, 3, 1, 1, 1), Axis(7, 3, 1, 1, 1)}},
      {1, {1, 64, 20}, {Axis(2, 3, 1, 1, 1), Axis(33, 3, 1, 1, 1)}},
      {1, {1, 48, 5}, {Axis(3, 1, 2), Axis(63, 1, 2)}},
      {2, {1, 200, 20}, {Axis(2, 1), Axis(9, 1)}},
      {1, {1, 6, 18}, {Axis(1100, 3, 1, 1, 1)}},
      {1, {2, 8, 8}, {Axis(700, 2)}},
      {2, {20, 1, 1}, {Axis(20, 3, 1, 1, 1), Axis(33, 3, 1, 1, 1)}},
      {1, {35, 1, 1}, {Axis(31, 3, 2, 1, 1), Axis(40, 3, 2, 1, 0)}},
      {1, {64, 1, 1}, {Axis(18, 3, 1, 2, 1), Axis(17, 3, 1, 1, 2)}},
      {1, {32, 1, 1}, {Axis(1100, 3, 1, 1, 1)}},
      {2, {20, 1, 1}, {Axis(1301, 3, 2, 1, 0)}},
  };
  std::vector<ConvolutionCase> cases;
  for (const Picture& picture : pictures) {
    const Channels& channels = picture.channels;
    ConvolutionCase c =
        ConvolutionOf(picture.mb, channels.groups, channels.ic, channels.oc, picture.axes);
    c.bias = cases.size() % 2 == 0;
    for (const Direction direction : directions) {
      c.seed = cases.size();
      cases.push_back(WayOf(c, direction, cases.size() / directions.size()));
    }
  }
  return Listed(std::move(cases));
}

Cases<ConvolutionCase> ChannelsOfLines(const std::vector<Direction>& directions) {
  constexpr Channels kChannels[] = {{1, 64, 20}, {1, 128, 33}, {2, 64, 17}};
  const std::vector<ConvolutionAxis> axes[] = {
      {Axis(5, 3, 1, 1, 1), Axis(14, 3, 1, 1, 1)},
      {Axis(4, 2, 1, 1, 0), Axis(18, 3, 1, 0, 1)},
      {Axis(7, 3, 2, 1, 1), Axis(35, 3, 2, 2, 1)},
      {Axis(3, 3, 1, 1, 1), Axis(100, 3, 1, 1, 1)},
      {Axis(6, 3, 1, 2, 2, 1), Axis(16, 2, 1, 2, 3, 3)},
      {Axis(40, 3, 1, 1, 1)},
      {Axis(5, 1, 2), Axis(3, 3, 1, 1, 1), Axis(13, 3, 1, 1, 1)},
      {Axis(4, 3, 1, 1, 1), Axis(15, 3, 1, 1, 1)}};
  std::vector<ConvolutionCase> cases;
  for (const std::vector<ConvolutionAxis>& of : axes)
    for (auto [groups, ic, oc] : kChannels) {
      const size_t number = cases.size() / directions.size();
      for (const Direction direction : directions) {
        if (direction == Direction::kBackwardData) std::swap(ic, oc);  // those that are read
        ConvolutionCase c = ConvolutionOf(1 + static_cast<int64_t>(number) % 2, groups, ic, oc, of);
        c.bias = number % 2 == 0;
        c.seed = cases.size();
        c = WayOf(c, direction, number);
        if (&of == &axes[std::size(axes) - 1]) {
          // Between places there is a gap.
          SetChannelsLast(&c);
          SetRegionAlong(&c, direction == Direction::kBackwardData ? kDst : kSrc, 1, 1);
        }
        cases.push_back(std::move(c));
      }
    }
  return Listed(std::move(cases));
}

Cases<ConvolutionCase> ThreadedConvolutions(const std::vector<Direction>& directions) {
  struct Shape {
    Channels channels;
    int64_t size, kernel;
  };
  // 37 times 32 channels, less 16: no cut of them, or of 73 times 16, is of equal parts.
  constexpr Shape kShapes[] = {{{1, 24, 33}, 7, 3},
                               {{1, 70, 40}, 7, 3},
                               {{5, 8, 8}, 15, 3},
                               {{90, 1, 1}, 15, 3},
                               {{1, 20, 1168}, 3, 1}};
  std::vector<ConvolutionCase> cases;
  for (const auto& [channels, size, kernel] : kShapes) {
    const ConvolutionAxis axis = Axis(size, kernel, 1, kernel / 2, kernel / 2);
    ConvolutionCase c = ConvolutionOf(2, channels.groups, channels.ic, channels.oc, {axis, axis});
    c.bias = true;
    for (const Direction direction : directions) {
      c.seed = cases.size();
      cases.push_back(WayOf(c, direction, cases.size()));
    }
  }
  return Listed(std::move(cases));
}

Cases<ConvolutionCase> LargeWeights() {
  constexpr Channels kChannels[] = {{1, 64, 136}, {2, 68, 64}, {1, 300, 260}};
  std::vector<ConvolutionCase> cases;
  for (const Channels& channels : kChannels) {
    const int64_t kernel = channels.ic == 300 ? 1 : 3;
    for (const Type src : {Type::kU8, Type::kS8}) {
      ConvolutionCase c = ConvolutionOf(
          1, channels.groups, channels.ic, channels.oc,
          {Axis(2, kernel, 1, kernel / 2, kernel / 2), Axis(3, kernel, 1, kernel / 2, kernel / 2)});
      const Types types{src, Type::kS8, Type::kF32, Type::kS32};
      c.SetTypes(types);
      for (ConvolutionCase& one : Presented(c, {Direction::kForward})) {
        one.seed = cases.size();
        cases.push_back(std::move(one));
      }
    }
  }
  return Listed(std::move(cases));
}

Cases<ConvolutionCase> OuterRegions(const std::vector<Direction>& directions,
                                    const std::vector<Role>& roles) {
  constexpr Channels kChannels[] = {{16, 1, 1}, {3, 1, 1}, {2, 4, 4}, {1, 8, 16}, {1, 16, 32}};
  std::vector<ConvolutionCase> cases;
  for (const Channels& channels : kChannels) {
    for (const Direction direction : directions) {
      for (const Role role : roles) {
        for (const bool last : {true, false}) {
          const int64_t kernel = channels.ic == 16 ? 1 : 3;
          ConvolutionCase c =
              ConvolutionOf(2, channels.groups, channels.ic, channels.oc,
                            {Axis(4, kernel, 1, kernel / 2, kernel / 2), Axis(5, kernel)});
          c.direction = direction;
          c.bias = direction != Direction::kBackwardData;
          if (!c.Has(role)) continue;
          if (last) SetChannelsLast(&c);
          SetOuterRegion(&c, role, 1 + static_cast<int64_t>(cases.size()) % 2);
          c.seed = cases.size();
          cases.push_back(std::move(c));
        }
      }
    }
  }
  return Listed(std::move(cases));
}

Cases<ConvolutionCase> InnerRegions(const std::vector<Direction>& directions,
                                    const std::vector<Role>& roles) {
  constexpr Channels kChannels[] = {{1, 8, 16}, {1, 16, 35}, {16, 1, 1}, {1, 3, 5}};
  const std::vector<ConvolutionAxis> flat = {Axis(3, 1), Axis(4, 1)},
                                     deep = {Axis(2, 1), Axis(3, 1), Axis(4, 1)},
                                     padded = {Axis(4, 3, 1, 1, 1), Axis(5, 3, 1, 1, 1)};
  std::vector<ConvolutionCase> cases;
  for (const Channels& channels : kChannels) {
    for (const std::vector<ConvolutionAxis>& axes : {flat, deep, padded}) {
      if ((axes[0].kernel == 1) == (channels.groups > 1)) continue;
      for (const Direction direction : directions) {
        for (const Role role : roles) {
          ConvolutionCase c = ConvolutionOf(2, channels.groups, channels.ic, channels.oc, axes);
          c.direction = direction;
          c.bias = direction != Direction::kBackwardData && cases.size() % 2 == 0;
          if (!c.Has(role)) continue;
          for (size_t axis = 0; axis < c.DimsOf(role).size(); ++axis) {
            ConvolutionCase one = c;
            // Channels last three times out of four.
            if (cases.size() % 4 != 3) SetChannelsLast(&one);
            SetRegionAlong(&one, role, axis, 1 + static_cast<int64_t>(cases.size()) % 2);
            one.seed = cases.size();
            cases.push_back(std::move(one));
          }
        }
      }
    }
  }
  return Listed(std::move(cases));
}

Cases<ConvolutionCase> StridedBiases() {
  const Type f32 = Type::kF32, bf16 = Type::kBF16, u8 = Type::kU8, s8 = Type::kS8;
  const Types forward[] = {{f32, f32, f32, f32},    {bf16, bf16, bf16, bf16},
                           {bf16, bf16, f32, bf16}, {u8, s8, Type::kS32, f32},
                           {s8, s8, u8, u8},        {u8, s8, f32, f32}};
  const Types backward[] = {{f32, f32, f32, f32}, {bf16, bf16, bf16, bf16}};
  std::vector<ConvolutionCase> cases;
  const auto add = [&](Direction direction, const Types& types) {
    for (const auto& [ic, channels] : {std::pair(6, 3), std::pair(40, 37), std::pair(3, 48)})
      for (const int64_t stride : {2, 5}) {
        const ConvolutionAxis axis = Axis(4, 3, 1, 1, 1);
        ConvolutionCase c = ConvolutionOf(2, 1, ic, channels, {axis, axis});
        c.direction = direction;
        c.SetTypes(types);
        c.bias = true;
        if (cases.size() % 3 != 0) c.SetAny(cases.size() % 3 == 1);
        LayoutSpec apart;
        apart.strides = {stride};
        c.uses[kBias].any = false;
        c.uses[kBias].layout = apart;
        c.seed = cases.size();
        cases.push_back(c);
      }
  };
  for (const Types& types : forward) add(Direction::kForward, types);
  for (const Types& types : backward) add(Direction::kBackwardWeights, types);
  return Listed(std::move(cases));
}

Cases<ConvolutionCase> ImagesApart(const std::vector<Direction>& directions) {
  constexpr Channels kChannels[] = {{1, 8, 16}, {1, 16, 32}, {2, 8, 8}, {16, 1, 1}};
  std::vector<ConvolutionCase> cases;
  for (const Channels& channels : kChannels)
    for (const Direction direction : directions)
      for (const Role role : {kSrc, kDst})
        for (const int64_t gap : {1, 2, 3}) {
          ConvolutionCase c = ConvolutionOf(3, channels.groups, channels.ic, channels.oc,
                                            {Axis(4, 3, 1, 1, 1), Axis(5, 3, 1, 1, 0)});
          c.direction = direction;
          SetChannelsLast(&c);
          const spec::Dims dims = c.DimsOf(role);
          LayoutSpec& layout = c.uses[role].layout;
          layout.strides = Resolve(layout, dims)->strides;
          layout.strides[0] += gap;
          layout.tag.clear();
          c.seed = cases.size();
          cases.push_back(std::move(c));
        }
  return Listed(std::move(cases));
}

}  // namespace conformance
