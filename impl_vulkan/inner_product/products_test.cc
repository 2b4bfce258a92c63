#include "impl_vulkan/inner_product/products.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "api/inner_product/operation.h"
#include "impl_vulkan/inner_product/testing/trial.h"
#include "impl_vulkan/product/pieces.h"
#include "impl_vulkan/product/testing/addresses.h"
#include "impl_vulkan/testing/places.h"

namespace impl_vulkan {
namespace {

using spi::DataType;
using spi::PropKind;
using spi::Strided;
using testing::ByteOf;
using testing::Follow;

Limits Usual() { return {uint64_t{1} << 27, 256, 256, 32768, 65535}; }

// Bytes of A and of B; of ones -1.
using Term = std::pair<int64_t, int64_t>;
// Of each byte of C at which an element starts, what is summed there.
using Terms = std::map<int64_t, std::vector<Term>>;

// What the shaders would sum. `partials`: byte of C -> byte of its partial sum, and whether it is
// there, in the order of passes.
void Add(const ProductDispatch& dispatch, std::map<int64_t, std::pair<int64_t, bool>>* partials,
         Terms* terms) {
  const ProductParameters& p = dispatch.parameters;
  const auto& uses = dispatch.step.uses;
  const uint32_t partial = dispatch.constants[6];
  for (uint32_t m = 0; m < p.m; ++m) {
    for (uint32_t n = 0; n < p.n; ++n) {
      const int64_t c = ByteOf(uses[2], Follow(p, kCM, m) + Follow(p, kCN, n));
      std::vector<Term>& sum = (*terms)[c];
      EXPECT_TRUE(partial != 0 || sum.empty()) << "byte " << c << " is written twice";
      if (partial != 0) {
        const int64_t at = ByteOf(uses[5], Follow(p, kPartialM, m) + Follow(p, kPartialN, n));
        const bool found = partials->count(c) != 0 && (*partials)[c].second;
        EXPECT_EQ((partial & 1) != 0, found) << "goes on where nothing began";
        EXPECT_TRUE(!found || (*partials)[c].first == at) << "and not where it was left";
        (*partials)[c] = {at, (partial & 2) != 0};
      }
      for (uint32_t k = 0; k < p.k; ++k) {
        const bool ones = dispatch.constants[1] == 0;
        sum.emplace_back(ByteOf(uses[0], Follow(p, kAM, m) + Follow(p, kAK, k)),
                         ones ? -1 : ByteOf(uses[1], Follow(p, kBN, n) + Follow(p, kBK, k)));
      }
    }
  }
}

void ExpectFits(const ProductDispatch& dispatch, const Limits& limits) {
  const ProductParameters& p = dispatch.parameters;
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
  const bool tile = dispatch.kernel == ProductKernel::kTile;
  EXPECT_EQ(constants.size(), tile ? 17u : 11u);
  EXPECT_GE(groups * (dispatch.kernel == ProductKernel::kDirect ? constants[3] : 1), p.tiles);
  EXPECT_GE(p.rows * (tile ? constants[11] : constants[9]), p.m);
  EXPECT_GE(p.columns * (tile ? constants[12] : constants[10]), p.n);
  EXPECT_EQ(p.tiles, p.rows * p.columns);
}

Terms Expected(const spi::Operation& operation, bool of_bias) {
  const spi::InnerProductView view(operation);
  Terms terms;
  const auto byte = [](const spi::Layout& layout, const spi::Dims& x) {
    return spi::OffsetOf(layout, x) * spi::SizeOf(layout.type);
  };
  spi::Layout inputs = view.src;
  if (of_bias) std::fill(inputs.dims.begin() + 1, inputs.dims.begin() + inputs.rank, 1);
  testing::ForEach(inputs, [&](spi::Dims x) {
    for (int64_t oc = 0; oc < view.dst.dims[1]; ++oc) {
      const int64_t dst = byte(view.dst, {x[0], oc}), src = byte(view.src, x);
      spi::Dims w = x;
      w[0] = oc;
      const int64_t weights = byte(view.weights, w);
      if (of_bias) {
        terms[byte(*view.bias, {oc})].emplace_back(dst, -1);
      } else if (spi::IsForward(view.prop)) {
        terms[dst].emplace_back(src, weights);
      } else if (view.prop == PropKind::kBackwardData) {
        terms[src].emplace_back(dst, weights);
      } else {
        terms[weights].emplace_back(dst, src);
      }
    }
  });
  for (auto& [byte_of_c, sum] : terms) std::sort(sum.begin(), sum.end());
  return terms;
}

// How many of the dispatches leave or take partial sums.
int Check(const spi::Operation& operation, const Limits& limits, ProductKernel kernel) {
  const auto products = ProductsOf(operation);
  EXPECT_TRUE(products.ok()) << products.status();
  int partial = 0;
  for (size_t i = 0; i < products->size(); ++i) {
    const auto dispatches = PlanProduct((*products)[i], limits, kernel);
    EXPECT_TRUE(dispatches.ok()) << dispatches.status();
    if (!dispatches.ok()) return partial;
    Terms terms;
    std::map<int64_t, std::pair<int64_t, bool>> partials;
    int pass = 0;
    for (const ProductDispatch& dispatch : *dispatches) {
      ExpectFits(dispatch, limits);
      Add(dispatch, &partials, &terms);
      if (!dispatch.partial) continue;
      ++partial;
      EXPECT_GE(dispatch.step.pass, pass);
      pass = dispatch.step.pass + 1;
    }
    for (const auto& [c, left] : partials) EXPECT_FALSE(left.second) << "byte " << c << " is open";
    for (auto& [c, sum] : terms) std::sort(sum.begin(), sum.end());
    EXPECT_EQ(terms, Expected(operation, i == 1));
  }
  return partial;
}

TEST(Product, SumsEachTermOfAnyInnerProductOnce) {
  for (uint32_t seed = 0; seed < 400 && !::testing::Test::HasFailure(); ++seed) {
    SCOPED_TRACE(seed);
    const spi::Operation operation = testing::RandomProduct(seed, 800);
    if (spi::LayoutOf(operation, spi::kArgSrc).dims[0] == 0) continue;
    if (spi::InnerProductView(operation).dst.dims[0] == 0) continue;
    Check(operation, Usual(), seed % 2 == 0 ? ProductKernel::kTile : ProductKernel::kDirect);
  }
}

TEST(Product, SharesTheSumsOfFewElements) {
  Limits staged = Usual();
  staged.stages = true;
  const auto first = [&](const spi::Operation& operation) {
    return std::string(NameOf(KernelsOf(ProductsOf(operation)->front(), staged).front()));
  };
  const auto product = [](PropKind prop, int64_t n, int64_t oc, int64_t ic) {
    return spi::MakeInnerProduct(prop, Strided(DataType::kF32, {n, ic}),
                                 Strided(DataType::kF32, {oc, ic}), nullptr,
                                 Strided(DataType::kF32, {n, oc}));
  };
  constexpr PropKind kForward = PropKind::kForwardInference;
  EXPECT_EQ(first(product(kForward, 1, 1000, 2048)), "vector");
  EXPECT_EQ(first(product(kForward, 2048, 1, 1024)), "vector");
  EXPECT_EQ(first(product(kForward, 15, 100, 64)), "vector");
  EXPECT_EQ(first(product(kForward, 16, 100, 64)), "tile");
  EXPECT_EQ(first(product(kForward, 15, 100, 63)), "direct") << "some would have nothing to do";
  EXPECT_EQ(first(product(PropKind::kBackwardData, 1, 1000, 2048)), "direct")
      << "neighbours along k lie apart";
  // Of workgroups there are enough, or each has one of the many.
  const auto columns = [&](int64_t n, int64_t oc) {
    const auto dispatches = PlanProduct(ProductsOf(product(kForward, n, oc, 256))->front(), staged,
                                        ProductKernel::kVector);
    EXPECT_EQ(dispatches->front().constants[9], std::min<int64_t>(n, 8));
    return dispatches->front().constants[10];
  };
  EXPECT_EQ(columns(1, 1000), 1u);
  EXPECT_EQ(columns(3, 2048), 2u);
  EXPECT_EQ(columns(9, 10000), 4u);
  for (uint32_t seed = 0; seed < 400 && !::testing::Test::HasFailure(); ++seed) {
    SCOPED_TRACE(seed);
    const spi::Operation operation = testing::RandomProduct(seed, 800);
    if (spi::LayoutOf(operation, spi::kArgSrc).dims[0] == 0) continue;
    if (spi::InnerProductView(operation).dst.dims[0] == 0) continue;
    Check(operation, Usual(), ProductKernel::kVector);
  }
}

TEST(Product, IsGivenToADeviceInPiecesThatTakeALimitedTime) {
  const auto square = [](int64_t extent) {
    const spi::Layout matrix = Strided(DataType::kBF16, {extent, extent});
    return ProductsOf(
               spi::MakeInnerProduct(PropKind::kForwardInference, matrix, matrix, nullptr, matrix))
        ->front();
  };
  Limits limits = Usual();
  limits.window_bytes = uint64_t{1} << 31;
  limits.rounds = int64_t{1} << 30;
  const auto dispatches_of = [&](int64_t extent) {
    auto dispatches = PlanProduct(square(extent), limits, ProductKernel::kTile);
    EXPECT_TRUE(dispatches.ok()) << dispatches.status();
    uint64_t terms = 0;
    for (const ProductDispatch& dispatch : *dispatches) {
      const ProductParameters& p = dispatch.parameters;
      EXPECT_EQ(p.k, extent) << "no sum is cut";
      EXPECT_FALSE(dispatch.partial);
      terms += uint64_t{p.m} * p.n * p.k;
    }
    EXPECT_EQ(terms, static_cast<uint64_t>(extent * extent * extent));
    return dispatches->size();
  };
  EXPECT_EQ(dispatches_of(16384), 1u) << "nobody watches";
  limits.terms = int64_t{1} << 38;
  EXPECT_EQ(dispatches_of(4096), 1u);
  EXPECT_EQ(dispatches_of(16384), 16u);
  limits.terms = int64_t{1} << 20;
  EXPECT_EQ(dispatches_of(16384), 1024u) << "as many as there may be";
}

TEST(Product, CutsSumsOfFewElementsIntoParts) {
  const auto backward = [](int64_t batch, int64_t oc, int64_t ic) {
    return spi::MakeInnerProduct(PropKind::kBackwardWeights, Strided(DataType::kF32, {batch, ic}),
                                 Strided(DataType::kF32, {oc, ic}), nullptr,
                                 Strided(DataType::kF32, {batch, oc}));
  };
  Limits limits = Usual();
  limits.rounds = int64_t{1} << 30;
  const auto parts_of = [&](const spi::Operation& operation) {
    return PartsOf(ProductsOf(operation)->front(), limits);
  };
  EXPECT_EQ(parts_of(backward(100000, 1024, 1024)), 1);
  EXPECT_EQ(parts_of(backward(300, 64, 64)), 1);
  const Product few = ProductsOf(backward(100000, 64, 48))->front();
  const int64_t parts = PartsOf(few, limits);
  EXPECT_GT(parts, 8);
  const auto dispatches = PlanProduct(few, limits, ProductKernel::kTile, parts);
  ASSERT_TRUE(dispatches.ok()) << dispatches.status();
  ASSERT_EQ(dispatches->size(), 1u);
  const ProductParameters& p = dispatches->front().parameters;
  const std::array<uint32_t, 3>& groups = dispatches->front().step.groups;
  EXPECT_GE(uint64_t{p.part} * groups[2], p.k);
  EXPECT_LT(uint64_t{p.part} * (groups[2] - 1), p.k) << "a part without terms";
  EXPECT_EQ(p.partial_step, 64u * 48u);
  EXPECT_GE(dispatches->front().step.uses[5].range.bytes, uint64_t{4} * 64 * 48 * groups[2]);
}

TEST(Product, GoesOnWhereAWindowEnded) {
  Limits narrow = Usual();
  narrow.window_bytes = 1024;
  const spi::Layout src = Strided(DataType::kF32, {5, 7, 6, 6}),
                    weights = Strided(DataType::kF32, {40, 7, 6, 6}, {{0, 4}, {1, 4}}),
                    bias = Strided(DataType::kF32, {40}), dst = Strided(DataType::kF32, {5, 40});
  EXPECT_GT(Check(spi::MakeInnerProduct(PropKind::kForwardTraining, src, weights, &bias, dst),
                  narrow, ProductKernel::kDirect),
            0);
  Check(spi::MakeInnerProduct(PropKind::kBackwardData, src, weights, nullptr, dst), narrow,
        ProductKernel::kTile);
  Check(spi::MakeInnerProduct(PropKind::kBackwardWeights, src, weights, &bias, dst), narrow,
        ProductKernel::kTile);
}

TEST(Product, RefusesBlocksThatNoWindowHolds) {
  Limits narrow = Usual();
  narrow.window_bytes = 1024;
  const auto plan = [&](int32_t block) {
    const spi::Operation operation = spi::MakeInnerProduct(
        PropKind::kForwardTraining, Strided(DataType::kF32, {1, 2000}),
        Strided(DataType::kF32, {1, 2000}, {{1, block}}), nullptr, Strided(DataType::kF32, {1, 1}));
    return PlanProduct(ProductsOf(operation)->front(), narrow, ProductKernel::kDirect).status();
  };
  EXPECT_TRUE(plan(128).ok()) << plan(128);
  EXPECT_EQ(plan(256).code(), absl::StatusCode::kUnimplemented);
}

TEST(Product, FollowsOneLinkWhereLayoutsAgree) {
  // Channels-last on both sides: the order of the inputs is that of memory.
  spi::Layout src = Strided(DataType::kF32, {8, 16, 3, 3}), weights = src;
  for (spi::Layout* const layout : {&src, &weights}) {
    layout->strides = {144, 1, 48, 16};
  }
  const spi::Operation operation = spi::MakeInnerProduct(PropKind::kForwardTraining, src, weights,
                                                         nullptr, Strided(DataType::kF32, {8, 8}));
  const auto dispatches =
      PlanProduct(ProductsOf(operation)->front(), Usual(), ProductKernel::kDirect);
  ASSERT_TRUE(dispatches.ok());
  const ProductParameters& p = dispatches->front().parameters;
  for (const Chain& chain : p.chains) EXPECT_EQ(chain.links, 1u);
  EXPECT_EQ(p.links[p.chains[kAK].first].extent, 144u);
  EXPECT_EQ(p.links[p.chains[kBK].first].stride, 1u);
}

spi::Operation With(const spi::Attributes& attributes) {
  spi::Operation operation = spi::MakeInnerProduct(
      PropKind::kForwardTraining, Strided(DataType::kU8, {2, 3}), Strided(DataType::kS8, {4, 3}),
      nullptr, Strided(DataType::kU8, {2, 4}));
  spi::SetAttributes(std::make_shared<spi::Attributes>(attributes), &operation);
  return operation;
}

TEST(Product, TakesWhatAShaderCanFinish) {
  spi::Attributes scales, tanh, relu, sums, same, mask;
  scales.scales = {{spi::kArgDst, 0, false, {1}}};
  mask.scales = {{spi::kArgDst, 1, false, {1, 2}}};
  tanh.post_ops = {spi::EltwiseOp{spi::Algorithm::kEltwiseTanh}};
  relu.post_ops = {spi::EltwiseOp{spi::Algorithm::kEltwiseRelu, 2, 0.5f}};
  sums.post_ops = {spi::SumOp{1, DataType::kUndef}, spi::SumOp{1, DataType::kS8}};
  same.post_ops = {spi::SumOp{0, DataType::kS8}, spi::SumOp{1, DataType::kU8}};
  const auto steps = [](const spi::Attributes& attributes) {
    const auto products = ProductsOf(With(attributes));
    return products.ok() ? static_cast<int>(products->front().epilogue.steps.size()) : -1;
  };
  EXPECT_EQ(steps(scales), 0) << "the default";
  EXPECT_EQ(steps(mask), -1);
  EXPECT_EQ(steps(tanh), -1);
  EXPECT_EQ(steps(relu), 2);
  EXPECT_EQ(steps(sums), -1);
  EXPECT_EQ(steps(same), 1);
}

TEST(Product, ServesTheTypesOfTheTables) {
  const auto served = [](PropKind prop, DataType src, DataType weights, DataType dst) {
    return ProductsOf(spi::MakeInnerProduct(prop, Strided(src, {2, 3}), Strided(weights, {4, 3}),
                                            nullptr, Strided(dst, {2, 4})))
        .ok();
  };
  constexpr DataType kF32 = DataType::kF32, kBF16 = DataType::kBF16, kS8 = DataType::kS8,
                     kU8 = DataType::kU8, kS32 = DataType::kS32;
  EXPECT_TRUE(served(PropKind::kForwardTraining, kU8, kS8, kS32));
  EXPECT_TRUE(served(PropKind::kForwardTraining, kS8, kS8, kBF16));
  EXPECT_FALSE(served(PropKind::kForwardTraining, kU8, kU8, kS32));
  EXPECT_FALSE(served(PropKind::kBackwardData, kS32, kS8, kU8));
  EXPECT_TRUE(served(PropKind::kForwardTraining, kBF16, kBF16, kF32));
  EXPECT_FALSE(served(PropKind::kForwardTraining, kBF16, kF32, kF32));
  EXPECT_FALSE(served(PropKind::kForwardTraining, kF32, kF32, kBF16));
  EXPECT_TRUE(served(PropKind::kBackwardData, kF32, kBF16, kBF16));
  EXPECT_TRUE(served(PropKind::kBackwardWeights, kBF16, kF32, kBF16));
  EXPECT_FALSE(served(PropKind::kBackwardWeights, kF32, kF32, kBF16));
}

}  // namespace
}  // namespace impl_vulkan
