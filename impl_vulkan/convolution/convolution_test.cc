#include "impl_vulkan/convolution/convolution.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "api/convolution/operation.h"
#include "impl_vulkan/convolution/products.h"
#include "impl_vulkan/convolution/testing/trial.h"
#include "impl_vulkan/testing/places.h"

namespace impl_vulkan {
namespace {

using spi::DataType;
using spi::PropKind;
using spi::Strided;
using testing::Plain;
using testing::Shape;

Limits Usual() { return {uint64_t{1} << 27, 256, 256, 32768, 65535}; }

// Bytes of A and of B.
using Term = std::pair<int64_t, int64_t>;
// Of each byte of C at which an element starts, what is summed there.
using Terms = std::map<int64_t, std::vector<Term>>;

uint32_t Divide(uint32_t v, const Divisor& by) {
  return by.magic == 0 ? v : static_cast<uint32_t>(uint64_t{v} * by.magic >> 32) >> by.shift;
}

// As product.glsl has it, modulo 2^32.
uint32_t Follow(const ConvolutionParameters& p, int chain, uint32_t index) {
  const Chain& links = p.chains[chain];
  if (links.links == 1) return index * p.links[links.first].stride;
  uint32_t offset = 0, x = 0;
  for (uint32_t i = links.first; i < links.first + links.links; ++i) {
    const Link& link = p.links[i];
    if (link.extent == 0) {
      offset += Divide(x, link.divisor) * link.stride;
      continue;
    }
    const uint32_t q = Divide(index, link.divisor);
    x = index - q * link.extent;
    offset += x * link.stride;
    index = q;
  }
  return offset;
}

// The byte of element `at` behind the start of a range.
int64_t ByteOf(const BufferUse& use, uint32_t at) {
  EXPECT_LE((uint64_t{at} + 1) * use.element_bytes, use.range.bytes);
  return static_cast<int64_t>(use.range.offset) + int64_t{at} * use.element_bytes;
}

// One element of C, as convolution_direct.comp finds its terms.
struct Element {
  uint32_t m, n, group;
};

std::vector<Term> TermsOf(const ConvolutionDispatch& dispatch, const Element& element) {
  const ConvolutionParameters& p = dispatch.parameters;
  const auto& uses = dispatch.step.uses;
  std::vector<Term> terms;
  uint32_t row = element.m, bases[3], taps[3];
  for (int d = 2; d >= 0; --d) {
    const uint32_t rest = Divide(row, p.axes[d].extent_divisor);
    bases[d] = p.axes[d].base + (row - rest * p.axes[d].extent) * p.axes[d].row_step;
    row = rest;
  }
  for (uint32_t tap = 0; tap < p.taps; ++tap) {
    uint32_t rest = tap;
    for (int d = 2; d >= 0; --d) {
      taps[d] = rest % p.axes[d].taps;
      rest /= p.axes[d].taps;
    }
    uint32_t a = Follow(p, kAM, row + element.group * p.a_m_of_group);
    bool inside = true;
    for (int d = 0; d < 3; ++d) {
      const uint32_t v = bases[d] + taps[d] * p.axes[d].tap_step;
      const uint32_t x = Divide(v, p.axes[d].stride_divisor);
      inside = inside && v < p.axes[d].limit && x * p.axes[d].stride == v;
      a += Follow(p, kAAxes + d, x);
    }
    if (!inside) continue;
    const uint32_t b =
        Follow(p, kBN, element.group * p.n_of_group + element.n) + Follow(p, kBTaps, tap);
    for (uint32_t k = 0; k < p.k; ++k) {
      terms.emplace_back(ByteOf(uses[0], a + Follow(p, kAK, element.group * p.a_k_of_group + k)),
                         ByteOf(uses[1], b + Follow(p, kBK, k)));
    }
  }
  return terms;
}

// What an invocation of convolution_window.comp has.
struct WindowTile {
  uint32_t m = 0, m_step = 1, rows = 0;  // of C
  uint32_t bases[3] = {}, outer = 0;
};

WindowTile TileOf(const ConvolutionDispatch& dispatch, uint32_t tile) {
  const ConvolutionParameters& p = dispatch.parameters;
  const uint32_t along = dispatch.constants[9], most = dispatch.constants[10];
  WindowTile of;
  uint32_t x[3];
  for (int d = 2; d >= 0; --d) {
    const uint32_t rest = Divide(tile, p.axes[d].extent_divisor);
    x[d] = tile - rest * p.axes[d].extent;
    of.bases[d] = p.axes[d].base + x[d] * p.axes[d].row_step;
    tile = rest;
  }
  of.m = of.outer = tile;
  of.rows = std::min(p.axes[along].rows - x[along] * most, most);
  x[along] *= most;
  for (uint32_t d = 0; d < 3; ++d) {
    of.m = of.m * p.axes[d].rows + x[d];
    if (d > along) of.m_step *= p.axes[d].rows;
  }
  return of;
}

// Of one row of a tile.
std::vector<Term> WindowTermsOf(const ConvolutionDispatch& dispatch, const WindowTile& tile,
                                uint32_t row, uint32_t group, uint32_t n) {
  const ConvolutionParameters& p = dispatch.parameters;
  const std::vector<uint32_t>& constants = dispatch.constants;
  const uint32_t along = constants[9], taps_along = constants[11], stride = constants[15],
                 first = constants[16];
  const auto& uses = dispatch.step.uses;
  std::vector<Term> terms;
  for (uint32_t tap = 0; tap < p.taps; ++tap) {
    uint32_t t[3], rest = tap;
    for (int d = 2; d >= 0; --d) {
      t[d] = rest % p.axes[d].taps;
      rest /= p.axes[d].taps;
    }
    const uint32_t place =
        row * constants[12] +
        (constants[14] != 0 ? taps_along - 1 - t[along] : t[along]) * constants[13];
    bool inside = place % stride == first && tile.bases[along] + place < p.axes[along].limit;
    if (!inside) continue;
    const auto element = static_cast<uint32_t>(static_cast<int32_t>(tile.bases[along] + first) /
                                               static_cast<int32_t>(stride));
    uint32_t a = Follow(p, kAM, tile.outer + group * p.a_m_of_group) +
                 Follow(p, kAK, group * p.a_k_of_group) +
                 Follow(p, kAAxes + static_cast<int>(along), element + (place - first) / stride);
    for (uint32_t d = 0; d < 3; ++d) {
      if (d == along) continue;
      const uint32_t v = tile.bases[d] + t[d] * p.axes[d].tap_step;
      const uint32_t x = Divide(v, p.axes[d].stride_divisor);
      inside = inside && v < p.axes[d].limit && x * p.axes[d].stride == v;
      a += Follow(p, kAAxes + static_cast<int>(d), x);
    }
    if (!inside) continue;
    const uint32_t b = Follow(p, kBN, group * p.n_of_group + n) + Follow(p, kBTaps, tap);
    terms.emplace_back(ByteOf(uses[0], a), ByteOf(uses[1], b));
  }
  return terms;
}

// One element of C. `open`: byte of C -> byte of its partial sum, while there is one.
void AddElement(const ConvolutionDispatch& dispatch, const Element& element,
                const std::vector<Term>& more, std::map<int64_t, int64_t>* open, Terms* terms) {
  const ConvolutionParameters& p = dispatch.parameters;
  const auto& uses = dispatch.step.uses;
  const uint32_t partial = dispatch.constants[6],
                 channel = element.group * p.n_of_group + element.n;
  const int64_t c = ByteOf(uses[2], Follow(p, kCM, element.m) + Follow(p, kCN, channel));
  std::vector<Term>& sum = (*terms)[c];
  EXPECT_TRUE(partial != 0 || sum.empty()) << "byte " << c << " is written twice";
  if (partial != 0) {
    const int64_t at =
        ByteOf(uses[5], Follow(p, kPartialM, element.m) + Follow(p, kPartialN, channel));
    EXPECT_EQ((partial & 1) != 0, open->count(c) != 0) << "goes on where nothing began";
    EXPECT_TRUE(open->count(c) == 0 || (*open)[c] == at) << "and not where it was left";
    open->erase(c);
    if ((partial & 2) != 0) (*open)[c] = at;
  }
  sum.insert(sum.end(), more.begin(), more.end());
}

void Add(const ConvolutionDispatch& dispatch, std::map<int64_t, int64_t>* open, Terms* terms) {
  const ConvolutionParameters& p = dispatch.parameters;
  const uint32_t groups = p.tiles / (p.rows * p.columns);
  for (uint32_t group = 0; group < groups; ++group) {
    for (uint32_t n = 0; n < p.n; ++n) {
      if (dispatch.kernel != ConvolutionKernel::kWindow) {
        for (uint32_t m = 0; m < p.m; ++m)
          AddElement(dispatch, {m, n, group}, TermsOf(dispatch, {m, n, group}), open, terms);
        continue;
      }
      for (uint32_t number = 0; number < p.rows; ++number) {
        const WindowTile tile = TileOf(dispatch, number);
        for (uint32_t row = 0; row < tile.rows; ++row)
          AddElement(dispatch, {tile.m + row * tile.m_step, n, group},
                     WindowTermsOf(dispatch, tile, row, group, n), open, terms);
      }
    }
  }
}

void ExpectFits(const ConvolutionDispatch& dispatch, const Limits& limits) {
  const ConvolutionParameters& p = dispatch.parameters;
  for (const BufferUse& use : dispatch.step.uses) {
    const uint64_t lead = use.range.offset % limits.alignment;
    EXPECT_LE((lead + use.range.bytes + 3) / 4 * 4, limits.window_bytes);
  }
  EXPECT_EQ(dispatch.step.uses.size(), dispatch.extras ? 6u : 4u) << "as the shaders are declared";
  EXPECT_LE(dispatch.step.groups[0], limits.groups);
  EXPECT_LE(dispatch.step.groups[1], limits.groups);
  const uint64_t groups = uint64_t{dispatch.step.groups[0]} * dispatch.step.groups[1];
  const std::vector<uint32_t>& constants = dispatch.constants;
  EXPECT_LE(constants[3], limits.invocations);
  EXPECT_GE(groups * constants[3], p.tiles);
  if (dispatch.kernel == ConvolutionKernel::kWindow) {
    ASSERT_EQ(constants.size(), 17u);
    EXPECT_EQ(p.columns, p.n);
  } else {
    ASSERT_EQ(constants.size(), 11u);
    EXPECT_GE(p.rows * constants[9], p.m);
    EXPECT_GE(p.columns * constants[10], p.n);
  }
  EXPECT_EQ(p.tiles % p.inner, 0u);
}

// Each output with each tap, in the places that layouts say.
Terms Expected(const spi::Operation& operation) {
  const spi::ConvolutionView view(operation);
  Terms terms;
  const auto byte = [](const spi::Layout& layout, const spi::Dims& x) {
    return spi::OffsetOf(layout, x) * spi::SizeOf(layout.type);
  };
  const bool forward = spi::IsForward(view.prop), data = view.prop == PropKind::kBackwardData;
  const spi::Layout& c = forward ? view.dst : data ? view.src : view.weights;
  testing::ForEach(c, [&](const spi::Dims& x) { terms[byte(c, x)]; });
  testing::ForEach(view.dst, [&](const spi::Dims& y) {
    testing::ForEach(view.weights, [&](const spi::Dims& w) {
      spi::Dims x{};
      if (!testing::Reads(view, y, w, &x)) return;
      const int64_t dst = byte(view.dst, y), weights = byte(view.weights, w),
                    src = byte(view.src, x);
      if (forward) terms[dst].emplace_back(src, weights);
      if (data) terms[src].emplace_back(dst, weights);
      if (!forward && !data) terms[weights].emplace_back(src, dst);
    });
  });
  for (auto& [byte_of_c, sum] : terms) std::sort(sum.begin(), sum.end());
  return terms;
}

// The number of dispatches; 0: refused.
size_t Check(const spi::Operation& operation, const Limits& limits,
             ConvolutionKernel kernel = ConvolutionKernel::kDirect) {
  const auto convolution = ConvolutionOf(operation);
  EXPECT_TRUE(convolution.ok()) << convolution.status();
  const auto dispatches = DispatchesOf(*convolution, limits, kernel);
  if (!dispatches.ok()) return 0;
  Terms terms;
  std::map<int64_t, int64_t> open;
  int pass = 0;
  for (const ConvolutionDispatch& dispatch : *dispatches) {
    ExpectFits(dispatch, limits);
    Add(dispatch, &open, &terms);
    if (!dispatch.partial) continue;
    EXPECT_GE(dispatch.step.pass, pass);
    pass = dispatch.step.pass + 1;
  }
  EXPECT_TRUE(open.empty()) << open.size() << " sums are open";
  for (auto& [c, sum] : terms) std::sort(sum.begin(), sum.end());
  EXPECT_EQ(terms, Expected(operation));
  return dispatches->size();
}

TEST(Convolution, SumsEachTermOnce) {
  Limits narrow = Usual();
  narrow.window_bytes = 1024;
  int refused = 0, cut = 0;
  for (uint32_t seed = 0; seed < 300 && !::testing::Test::HasFailure(); ++seed) {
    SCOPED_TRACE(seed);
    const spi::Operation operation = testing::RandomConvolution(seed, 4000);
    if (spi::WritesNothing(operation)) continue;
    EXPECT_EQ(Check(operation, Usual()), 1u);
    const size_t dispatches = Check(operation, narrow);
    if (dispatches == 0) ++refused;
    if (dispatches > 1) ++cut;
  }
  EXPECT_LT(refused, 60);
  EXPECT_GT(cut, 40);
}

bool HasWindow(const spi::Operation& operation) {
  return KernelsOf(*ConvolutionOf(operation), Usual()).front() == ConvolutionKernel::kWindow;
}

TEST(Convolution, SumsEachTermOnceInWindows) {
  Limits narrow = Usual();
  narrow.window_bytes = 1024;
  int windows = 0;
  for (uint32_t seed = 0; seed < 1500 && !::testing::Test::HasFailure(); ++seed) {
    SCOPED_TRACE(seed);
    const spi::Operation operation = testing::RandomConvolution(seed, 4000);
    if (spi::WritesNothing(operation) || !HasWindow(operation)) continue;
    ++windows;
    EXPECT_EQ(Check(operation, Usual(), ConvolutionKernel::kWindow), 1u);
    Check(operation, narrow, ConvolutionKernel::kWindow);
  }
  EXPECT_GT(windows, 60);
}

// A depthwise layer of two axes that are alike, in both directions that windows have.
void CheckWindows(int64_t kernel, int64_t stride, int64_t dilation, int64_t padding) {
  SCOPED_TRACE(::testing::Message()
               << kernel << " by " << stride << " d" << dilation << " p" << padding);
  Shape shape = Plain(2, 3, 1, 1, {17, 14}, {kernel, kernel});
  shape.params.strides = {stride, stride};
  shape.params.dilates = {dilation, dilation};
  shape.params.padding_l = shape.params.padding_r = {padding, padding};
  for (const PropKind prop : {PropKind::kForwardInference, PropKind::kBackwardData}) {
    const spi::Operation operation =
        testing::ConvolutionOfShape(prop, DataType::kF32, shape, false);
    EXPECT_TRUE(HasWindow(operation));
    EXPECT_EQ(Check(operation, Usual(), ConvolutionKernel::kWindow), 1u);
  }
}

TEST(Convolution, HasWindowsOfEveryStep) {
  for (const int64_t kernel : {1, 2, 3, 5}) {
    for (const int64_t stride : {1, 2, 3, 5}) {
      for (const int64_t dilation : {0, 1, 2}) {
        for (const int64_t padding : {0, 1, 2}) CheckWindows(kernel, stride, dilation, padding);
      }
    }
  }
}

TEST(Convolution, HasWindowsWhereAChannelIsMadeOfOne) {
  const auto has = [](PropKind prop, const Shape& shape) {
    return HasWindow(testing::ConvolutionOfShape(prop, DataType::kF32, shape, false));
  };
  constexpr PropKind kForward = PropKind::kForwardInference, kData = PropKind::kBackwardData;
  EXPECT_TRUE(has(kForward, Plain(1, 4, 1, 3, {9, 9}, {3, 3})));
  EXPECT_FALSE(has(kForward, Plain(1, 4, 1, 4, {9, 9}, {3, 3}))) << "tiles read less";
  EXPECT_FALSE(has(kForward, Plain(1, 4, 2, 1, {9, 9}, {3, 3})));
  EXPECT_FALSE(has(kData, Plain(1, 4, 1, 2, {9, 9}, {3, 3})));
  EXPECT_TRUE(has(kForward, Plain(1, 4, 1, 1, {99}, {21})));
  EXPECT_FALSE(has(kForward, Plain(1, 4, 1, 1, {99}, {31}))) << "more places than registers";
}

TEST(Convolution, IsCutWhereverItCan) {
  Limits narrow = Usual();
  narrow.window_bytes = 1024;
  Shape shape = Plain(3, 2, 9, 6, {9, 10}, {3, 4});
  shape.params.strides = {2, 1};
  shape.params.dilates = {0, 1};
  shape.params.padding_l = {1, 3};
  shape.params.padding_r = {2, 1};
  for (const PropKind prop :
       {PropKind::kForwardTraining, PropKind::kBackwardData, PropKind::kBackwardWeights}) {
    EXPECT_GT(Check(testing::ConvolutionOfShape(prop, DataType::kF32, shape, false), narrow), 10u);
  }
}

TEST(Convolution, IsGivenToADeviceInPiecesThatTakeALimitedTime) {
  const Convolution convolution = *ConvolutionOf(
      testing::ConvolutionOfShape(PropKind::kForwardInference, DataType::kF32,
                                  Plain(16, 1, 512, 512, {128, 128}, {3, 3}), false));
  Limits limits = Usual();
  limits.window_bytes = uint64_t{1} << 31;
  limits.rounds = int64_t{1} << 30;
  const auto terms_of = [&] {
    const auto dispatches = DispatchesOf(convolution, limits, ConvolutionKernel::kTile);
    EXPECT_TRUE(dispatches.ok()) << dispatches.status();
    std::vector<int64_t> terms;
    for (const ConvolutionDispatch& dispatch : *dispatches) {
      const ConvolutionParameters& p = dispatch.parameters;
      EXPECT_FALSE(dispatch.partial);
      EXPECT_EQ(int64_t{p.k} * p.taps, 512 * 9) << "no sum is cut";
      terms.push_back(int64_t{p.m} * p.n * p.k * p.taps);
    }
    return terms;
  };
  const std::vector<int64_t> whole = terms_of();
  ASSERT_EQ(whole.size(), 1u) << "nobody watches";
  limits.terms = int64_t{1} << 38;
  const std::vector<int64_t> pieces = terms_of();
  EXPECT_EQ(std::accumulate(pieces.begin(), pieces.end(), int64_t{0}), whole.front());
  EXPECT_LE(*std::max_element(pieces.begin(), pieces.end()), limits.terms);
  EXPECT_LE(pieces.size(), 4u);
}

TEST(Convolution, GoesFarBeyondTheSource) {
  // What taps and paddings add up to is beyond 32 bits, and the one place that is read is not.
  Shape shape = Plain(1, 1, 2, 2, {3}, {3});
  constexpr int64_t kFar = (int64_t{1} << 40) + 1;
  shape.params.dilates[0] = kFar - 1;
  shape.params.padding_l[0] = kFar - 1;
  shape.params.padding_r[0] = kFar - 1;
  for (const PropKind prop :
       {PropKind::kForwardTraining, PropKind::kBackwardData, PropKind::kBackwardWeights}) {
    EXPECT_GE(Check(testing::ConvolutionOfShape(prop, DataType::kF32, shape, false), Usual()), 1u);
  }
}

TEST(Convolution, RefusesBlocksThatNoWindowHolds) {
  Limits narrow = Usual();
  narrow.window_bytes = 1024;
  const auto plan = [&](int32_t block) {
    const Shape shape = Plain(1, 1, 300, 1, {4}, {1});
    const spi::Operation operation = spi::MakeConvolution(
        PropKind::kForwardTraining, shape.params,
        Strided(DataType::kF32, shape.src(), {{1, block}}),
        Strided(DataType::kF32, shape.weights()), nullptr, Strided(DataType::kF32, shape.dst()));
    return DispatchesOf(*ConvolutionOf(operation), narrow, ConvolutionKernel::kDirect).status();
  };
  EXPECT_TRUE(plan(128).ok()) << plan(128);
  EXPECT_EQ(plan(256).code(), absl::StatusCode::kUnimplemented);
}

TEST(Convolution, IsAProductWhereItCan) {
  const auto is_product = [](PropKind prop, const Shape& shape) {
    const spi::Operation operation =
        testing::ConvolutionOfShape(prop, DataType::kF32, shape, false);
    return IsProduct(spi::ConvolutionView(operation));
  };
  constexpr PropKind kForward = PropKind::kForwardInference, kData = PropKind::kBackwardData;
  Shape stride = Plain(2, 1, 3, 4, {5, 5}, {1, 1}), padded = stride, cropped = stride;
  EXPECT_TRUE(is_product(kData, stride));
  stride.params.strides = {2, 2};
  EXPECT_TRUE(is_product(kForward, stride));
  EXPECT_FALSE(is_product(kData, stride)) << "not all is written";
  padded.params.padding_l = {1, 0};
  EXPECT_FALSE(is_product(kForward, padded));
  padded.params.padding_l = {0, 0};
  padded.params.padding_r = {1, 0};
  EXPECT_FALSE(is_product(kForward, padded));
  EXPECT_TRUE(is_product(kData, Plain(2, 1, 3, 4, {5, 3}, {5, 1})));
  EXPECT_FALSE(is_product(kForward, Plain(2, 1, 3, 4, {5, 4}, {5, 3})));
  EXPECT_FALSE(is_product(kForward, Plain(2, 3, 3, 4, {5, 5}, {1, 1})));
  EXPECT_FALSE(is_product(kForward, Plain(0, 1, 3, 4, {5, 5}, {1, 1})));
}

}  // namespace
}  // namespace impl_vulkan
