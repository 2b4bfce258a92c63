#include "impl_vulkan/convolution/testing/terms.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "impl_vulkan/convolution/testing/trial.h"
#include "impl_vulkan/product/testing/addresses.h"
#include "impl_vulkan/testing/places.h"

namespace impl_vulkan {
namespace testing {
namespace {

// Bytes of A and of B.
using Term = std::pair<int64_t, int64_t>;
// Of each byte of C at which an element starts, what is summed there.
using Terms = std::map<int64_t, std::vector<Term>>;

bool CountsAllTerms(const ConvolutionDispatch& dispatch) {
  return dispatch.kernel == ConvolutionKernel::kTile && dispatch.constants[17] != 0;
}

// One element of C.
struct Element {
  uint32_t m, n, group;
};

using Tap = std::array<uint32_t, 3>;

Tap TapOf(const ConvolutionParameters& p, uint32_t tap) {
  Tap taps;
  for (size_t d = 3; d-- > 0;) {
    taps[d] = tap % p.axes[d].taps;
    tap /= p.axes[d].taps;
  }
  return taps;
}

// Adds the term of a tap and a channel, if there is one.
void AddTerm(const ConvolutionDispatch& dispatch, const Element& element, const Tap& taps,
             uint32_t channel, std::vector<Term>* terms) {
  const ConvolutionParameters& p = dispatch.parameters;
  const auto& uses = dispatch.step.uses;
  uint32_t row = element.m, tap = 0, a = Follow(p, kAK, element.group * p.a_k_of_group + channel);
  for (int d = 2; d >= 0; --d) {
    const AxisParameters& axis = p.axes[d];
    const uint32_t rest = Divide(row, axis.extent_divisor);
    const uint32_t v = axis.base + (row - rest * axis.extent) * axis.row_step +
                       taps[static_cast<size_t>(d)] * axis.tap_step;
    const uint32_t x = Divide(v, axis.stride_divisor);
    if (v >= axis.limit || x * axis.stride != v) return;
    a += Follow(p, kAAxes + d, x);
    row = rest;
  }
  for (size_t d = 0; d < 3; ++d) tap = tap * p.axes[d].taps + taps[d];
  a += Follow(p, kAM, row + element.group * p.a_m_of_group);
  const uint32_t b = Follow(p, kBN, element.group * p.n_of_group + element.n) +
                     Follow(p, kBTaps, tap) + Follow(p, kBK, channel);
  terms->emplace_back(ByteOf(uses[0], a), ByteOf(uses[1], b));
}

std::vector<Term> TermsOf(const ConvolutionDispatch& dispatch, const Element& element) {
  const ConvolutionParameters& p = dispatch.parameters;
  std::vector<Term> terms;
  if (!CountsAllTerms(dispatch)) {
    for (uint32_t tap = 0; tap < p.taps; ++tap) {
      for (uint32_t k = 0; k < p.k; ++k) AddTerm(dispatch, element, TapOf(p, tap), k, &terms);
    }
    return terms;
  }
  // As terms.glsl does.
  for (uint32_t k = 0; k < p.terms; ++k) {
    const uint32_t slow = Divide(k, p.fast_divisor), fast = k - slow * p.fast;
    const bool by_taps = dispatch.constants[17] == 2;
    const uint32_t tap = by_taps ? fast : slow, channel = by_taps ? slow : fast;
    const uint32_t line = Divide(tap, p.tap_divisors[1]), plane = Divide(line, p.tap_divisors[0]);
    const Tap taps = {plane, line - plane * p.axes[1].taps, tap - line * p.axes[2].taps};
    AddTerm(dispatch, element, taps, channel, &terms);
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
  EXPECT_GE(groups * (dispatch.kernel == ConvolutionKernel::kTile ? 1 : constants[3]), p.tiles);
  if (dispatch.kernel == ConvolutionKernel::kTile) {
    ASSERT_EQ(constants.size(), 18u);
    EXPECT_GE(p.rows * constants[11], p.m);
    EXPECT_GE(p.columns * constants[12], p.n);
  } else if (dispatch.kernel == ConvolutionKernel::kWindow) {
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
  const bool forward = spi::IsForward(view.prop), data = view.prop == spi::PropKind::kBackwardData;
  const spi::Layout& c = forward ? view.dst : data ? view.src : view.weights;
  ForEach(c, [&](const spi::Dims& x) { terms[byte(c, x)]; });
  ForEach(view.dst, [&](const spi::Dims& y) {
    ForEach(view.weights, [&](const spi::Dims& w) {
      spi::Dims x{};
      if (!Reads(view, y, w, &x)) return;
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

}  // namespace

size_t Check(const spi::Operation& operation, const Limits& limits, ConvolutionKernel kernel) {
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

}  // namespace testing
}  // namespace impl_vulkan
