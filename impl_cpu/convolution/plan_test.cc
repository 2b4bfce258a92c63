#include "impl_cpu/convolution/plan.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <limits>
#include <map>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "api/convolution/operation.h"
#include "api/testing/interpreter.h"
#include "api/testing/random_operation.h"
#include "impl_cpu/convolution/direct_kernel.h"
#include "impl_cpu/convolution/testing/random_convolution.h"
#include "impl_cpu/inner_product/testing/random_product.h"
#include "impl_cpu/numeric/storage.h"
#include "impl_cpu/product/kernel.h"
#include "impl_cpu/testing/buffers.h"
#include "impl_cpu/testing/targets.h"

namespace impl_cpu {
namespace {

using spi::DataType;
using spi::PropKind;
using spi::Random;

constexpr DataType kF32 = DataType::kF32, kBF16 = DataType::kBF16, kF16 = DataType::kF16,
                   kS32 = DataType::kS32, kS8 = DataType::kS8, kU8 = DataType::kU8;
constexpr PropKind kProps[] = {PropKind::kForwardTraining, PropKind::kBackwardData,
                               PropKind::kBackwardWeights};
constexpr ProductTypes kFloatTypes[] = {
    kAllF32,
    {kBF16, kBF16, kF32, kF32},
    {kBF16, kBF16, kBF16, kBF16},
    {kF16, kF16, kF16, kF16},
    {kF32, kBF16, kF32, kBF16},
};
constexpr Presented kPresented[] = {Presented::kPlain, Presented::kChannelsLast, Presented::kAny,
                                    Presented::kWild};

spi::Planned PlanOf(const spi::Operation& operation, int candidate) {
  auto planned = PlanConvolution({operation, nullptr, candidate});
  EXPECT_TRUE(planned.ok()) << planned.status();
  return planned.ok() ? *std::move(planned) : spi::Planned();
}

std::string TextOf(const spi::Operation& operation) {
  const spi::ConvolutionView view(operation);
  std::string text = "g" + std::to_string(view.groups);
  for (const spi::ConvolutionAxis& axis : view.axes)
    text += " i" + std::to_string(axis.input) + "o" + std::to_string(axis.output) + "k" +
            std::to_string(axis.kernel) + "s" + std::to_string(axis.stride) + "d" +
            std::to_string(axis.step) + "p" + std::to_string(axis.padding);
  text += "\n";
  for (const spi::TensorArg& tensor : operation.tensors) text += ToString(tensor.layout) + "\n";
  return text;
}

void ExpectRight(Random& random, const spi::Operation& operation) {
  const spi::Interpretation right(operation, spi::IntegersFor(random, operation, true));
  for (int candidate = 0; candidate < 2; ++candidate) {
    if (!PlanConvolution({operation, nullptr, candidate}).ok()) break;
    const spi::Planned planned = PlanOf(operation, candidate);
    ASSERT_NE(planned.plan, nullptr);
    ASSERT_EQ(right.Mismatch(Executed(planned, right.before())), "")
        << planned.plan->Describe() << "\n"
        << TextOf(operation);
  }
}

spi::Operation Drawn(Random& random, PropKind prop, const ProductTypes& types, Presented presented,
                     bool attributes) {
  const spi::Operation open =
      RandomConvolution(random, prop, types, RandomConvolutionShape(random), presented, attributes);
  return WithChosen(open, PlanOf(open, 0).chosen);
}

TEST(ConvolutionPlan, IsTheFormulaOfFloats) {
  ForEachTarget([] {
    Random random(7);
    for (const PropKind prop : kProps)
      for (const ProductTypes& types : kFloatTypes)
        for (const Presented presented : kPresented)
          for (int i = 0; i < 12; ++i) {
            ASSERT_NO_FATAL_FAILURE(
                ExpectRight(random, Drawn(random, prop, types, presented, false)));
          }
  });
}

TEST(ConvolutionPlan, IsTheFormulaOfIntegers) {
  ForEachTarget([] {
    Random random(8);
    for (const DataType src : {kU8, kS8})
      for (const DataType dst : {kS32, kF32, kBF16, kU8, kS8})
        for (const Presented presented : kPresented)
          for (int i = 0; i < 8; ++i) {
            const spi::Operation operation =
                Drawn(random, PropKind::kForwardInference, {src, kS8, kS32, dst}, presented, false);
            ASSERT_NO_FATAL_FAILURE(ExpectRight(random, operation));
          }
  });
}

TEST(ConvolutionPlan, HasAttributesInEachImplementation) {
  ForEachTarget([] {
    Random random(9);
    const ProductTypes of_types[] = {kAllF32,
                                     {kBF16, kBF16, kF32, kBF16},
                                     {kU8, kS8, kF32, kS8},
                                     {kS8, kS8, kS32, kU8},
                                     {kU8, kS8, kF32, kF32}};
    for (const ProductTypes& types : of_types)
      for (const Presented presented : kPresented)
        for (int i = 0; i < 16; ++i) {
          const spi::Operation operation =
              Drawn(random, PropKind::kForwardTraining, types, presented, true);
          ASSERT_NO_FATAL_FAILURE(ExpectRight(random, operation));
        }
  });
}

ConvolutionShape Grouped(int64_t groups, int64_t ic, int64_t oc) {
  ConvolutionShape shape;
  shape.grouped = groups > 1;
  shape.groups = groups;
  shape.ic = ic;
  shape.oc = oc;
  return shape;
}

// A weight of a corner that is infinite, or NaN, meets no source where the corner lies in padding.
TEST(ConvolutionPlan, LeavesOutWhatLiesInPadding) {
  ForEachTarget([] {
    for (const PropKind prop : {PropKind::kForwardInference, PropKind::kBackwardData})
      for (const Presented presented : kPresented)
        for (ConvolutionShape shape : {Grouped(24, 1, 1), Grouped(6, 4, 4), Grouped(9, 2, 2),
                                       Grouped(1, 3, 20), Grouped(1, 20, 40), Grouped(3, 8, 8),
                                       Grouped(4, 8, 8), Grouped(1, 34, 36), Grouped(1, 36, 34)})
          for (const auto& [h, w] : {std::pair(1, 2), std::pair(1, 1), std::pair(2, 2)}) {
            const int64_t width = shape.ic == 36 ? 29 : 9;  // rows that tiles are not for
            Random random(11);
            shape.n = 2;
            shape.axes = {AxisOf(7, 3, h, 1, 1), AxisOf(width, 3, w, 1, 1)};
            const spi::Operation open =
                RandomConvolution(random, prop, kAllF32, shape, presented, false);
            const spi::Operation operation = WithChosen(open, PlanOf(open, 0).chosen);
            std::vector<spi::Bytes> data = spi::IntegersFor(random, operation, true);
            const int at = spi::Find(operation, spi::kArgWeights);
            const spi::Layout& weights = operation.tensors[static_cast<size_t>(at)].layout;
            const int64_t first = spi::OffsetOf(weights, {}) * 4;
            StoreNarrowed(std::numeric_limits<float>::infinity(), kF32,
                          data[static_cast<size_t>(at)].data() + first);
            const auto plain = PlanConvolution({operation, nullptr, 1});
            if (!plain.ok()) continue;
            ASSERT_EQ(Executed(PlanOf(operation, 0), data), Executed(*plain, data))
                << TextOf(operation);
          }
  });
}

// Rows and places of a depthwise convolution of three by three taps with edges on each side.
// Sources of any of these types are read where they lie.
TEST(ConvolutionPlan, SumsDepthwiseByColumnsAndByTiles) {
  constexpr ProductTypes kTypes[] = {kAllF32,
                                     {kBF16, kBF16, kF32, kBF16},
                                     {kBF16, kBF16, kBF16, kF32},
                                     {kU8, kS8, kF32, kU8},
                                     {kS8, kS8, kS32, kS32},
                                     {kS8, kS8, kF32, kS8}};
  ForEachTarget([&] {
    int columns = 0, tiles = 0, results = 0, copies = 0, plain = 0;
    Random random(13);
    for (const PropKind prop : {PropKind::kForwardInference, PropKind::kBackwardData})
      for (const int64_t groups : {11, 16, 29, 40, 512})
        for (const int64_t stride : {1, 2})
          for (int i = 0; i < (groups < 512 ? 20 : 2); ++i) {
            const bool data = prop == PropKind::kBackwardData;
            const ProductTypes types = data && i % 3 == 1 ? ProductTypes{kBF16, kBF16, kF32, kBF16}
                                       : data || i < 8    ? kAllF32
                                                          : kTypes[i % 6];
            ConvolutionShape shape = Grouped(groups, 1, 1);
            shape.n = spi::Uniform(random, 1, 2);
            for (int axis = 0; axis < 2; ++axis)
              shape.axes.push_back(AxisOf(spi::Uniform(random, 1, axis == 0 ? 12 : 24), 3, stride,
                                          spi::Uniform(random, 0, 2), spi::Uniform(random, 0, 2)));
            const spi::Operation open =
                RandomConvolution(random, prop, types, shape, Presented::kChannelsLast, i % 4 == 0);
            const spi::Operation operation = WithChosen(open, PlanOf(open, 0).chosen);
            const std::string text = PlanOf(operation, 0).plan->Describe();
            copies += text.find(" src:copied") != std::string::npos;
            columns += text.find(" by columns") != std::string::npos;
            tiles += text.find(" by tiles") != std::string::npos;
            results += text.find(" by tiles of results") != std::string::npos;
            plain += text.find("plain") != std::string::npos;
            ASSERT_NO_FATAL_FAILURE(ExpectRight(random, operation));
          }
    const bool enough = columns >= 2 && tiles >= 10 && columns + tiles >= 60 && results >= 4;
    EXPECT_TRUE(enough || plain == 328)
        << columns << " " << tiles << " " << results << " " << plain;
    EXPECT_EQ(copies, 0);
  });
}

// Groups of 8 and 16 channels by three taps of a row, with rows of every length of a tile.
TEST(ConvolutionPlan, SumsThreeTapsOfAGroupAtOnce) {
  struct Of {
    ProductTypes types;
    bool has;
    int three;
  };
  ForEachTarget([] {
    // By words, of as many channels as fill 8.
    Of all[] = {
        {kAllF32, FindGroupRowKernel(8, 8).run != nullptr, 0},
        {{kBF16, kBF16, kF32, kF32}, FindBf16GroupRowKernel(4, 8).run != nullptr, 0},
        {{kU8, kS8, kS32, kU8},
         FindQuadGroupRowKernel(2, 8).run != nullptr || FindPairGroupRowKernel(4, 8).run != nullptr,
         0},
        {{kS8, kS8, kS32, kF32}, FindPairGroupRowKernel(4, 8).run != nullptr, 0},
        // Of gradients, that of the result is read.
        {{kF32, kBF16, kF32, kBF16}, FindBf16GroupRowKernel(4, 8).run != nullptr, 0}};
    int i = 0;
    Random random(15);
    for (const PropKind prop : {PropKind::kForwardInference, PropKind::kBackwardData})
      for (const ConvolutionShape& small :
           {Grouped(5, 8, 8), Grouped(3, 16, 16), Grouped(2, 8, 16), Grouped(2, 16, 24)})
        for (int64_t width = 1; width <= 32; width += 1 + width / 12, ++i) {
          ConvolutionShape shape = small;
          shape.n = spi::Uniform(random, 1, 2);
          const int64_t stride = prop == PropKind::kForwardInference ? 1 + i % 2 : 1;
          shape.axes = {AxisOf(spi::Uniform(random, 1, 9), 3, spi::Uniform(random, 1, 2), 1, 1),
                        AxisOf(width, 3, stride, 1, i % 3)};
          if (shape.axes[1].output < 1) continue;
          for (const int type : {0, prop == PropKind::kForwardInference ? 1 + i / 3 % 3 : 4}) {
            Of& of = all[type];
            const spi::Operation open =
                RandomConvolution(random, prop, of.types, shape, kPresented[i % 4], i % 4 == 0);
            const spi::Operation operation = WithChosen(open, PlanOf(open, 0).chosen);
            const std::string text = PlanOf(operation, 0).plan->Describe();
            of.three += text.find(" three taps at once") != std::string::npos;
            ASSERT_NO_FATAL_FAILURE(ExpectRight(random, operation));
          }
        }
    const bool floats = all[0].has;  // others may be copied to
    for (const Of& of : all)
      EXPECT_TRUE(of.has ? of.three >= (of.types.src == kF32 ? 20 : 2) : floats || of.three == 0)
          << of.three << " of " << i << ", the source " << static_cast<int>(of.types.src);
  });
}

// Few channels of bytes, whose sums are s32 where there are kernels of words.
TEST(ConvolutionPlan, SumsBytesAsWords) {
  ForEachTarget([] {
    int words = 0, plain = 0;
    Random random(14);
    for (const DataType src : {kU8, kS8})
      for (const DataType dst : {kS32, kU8, kF32})
        for (const ConvolutionShape& small :
             {Grouped(4, 8, 8), Grouped(3, 12, 7), Grouped(2, 16, 16), Grouped(1, 4, 33),
              Grouped(1, 3, 20)})
          for (int i = 0; i < 4; ++i) {
            ConvolutionShape shape = small;
            shape.n = spi::Uniform(random, 1, 2);
            for (int axis = 0; axis < 2; ++axis)
              shape.axes.push_back(
                  AxisOf(spi::Uniform(random, 2, 13), 3, spi::Uniform(random, 1, 2), 1, 1));
            const spi::Operation open =
                RandomConvolution(random, PropKind::kForwardInference, {src, kS8, kS32, dst}, shape,
                                  kPresented[i], i == 3);
            const spi::Operation operation = WithChosen(open, PlanOf(open, 0).chosen);
            const std::string text = PlanOf(operation, 0).plan->Describe();
            words += text.find(" panels of ") != std::string::npos;
            plain += text.find("plain") != std::string::npos;
            ASSERT_NO_FATAL_FAILURE(ExpectRight(random, operation));
          }
    EXPECT_TRUE(words >= 90 || plain == 120) << words << " " << plain;
  });
}

// First layers of bytes: odd numbers of channels, rows that end anywhere, and places whose taps all
// lie in padding.
TEST(ConvolutionPlan, JoinsRowsOfTapsOfBytes) {
  ForEachTarget([] {
    int joined = 0, plain = 0;
    Random random(21);
    for (const DataType src : {kU8, kS8})
      for (const auto& [ic, kernel, stride] :
           {std::tuple(3, 7, 2), std::tuple(3, 3, 1), std::tuple(3, 2, 3), std::tuple(1, 5, 2),
            std::tuple(2, 3, 1), std::tuple(3, 11, 4), std::tuple(1, 64, 2)})
        for (int spatial = 1; spatial <= 3; ++spatial)
          for (const Presented presented : kPresented) {
            ConvolutionShape shape = Grouped(1, ic, spi::Uniform(random, 1, 40));
            shape.n = spi::Uniform(random, 1, 2);
            while (shape.axes.size() + 1 < static_cast<size_t>(spatial))
              shape.axes.push_back(AxisOf(spi::Uniform(random, 1, 5), spi::Uniform(random, 1, 3),
                                          spi::Uniform(random, 1, 2), 1, 1));
            shape.axes.push_back(AxisOf(kernel + spi::Uniform(random, 0, 24), kernel, stride,
                                        spi::Uniform(random, 0, kernel),
                                        spi::Uniform(random, 0, kernel)));
            const spi::Operation open = RandomConvolution(
                random, PropKind::kForwardInference, {src, kS8, kS32, spatial == 1 ? kS32 : kU8},
                shape, presented, presented == Presented::kAny);
            const spi::Operation operation = WithChosen(open, PlanOf(open, 0).chosen);
            const std::string text = PlanOf(operation, 0).plan->Describe();
            joined += text.find(" rows of taps") != std::string::npos;
            plain += text.find("plain") != std::string::npos;
            ASSERT_NO_FATAL_FAILURE(ExpectRight(random, operation));
          }
    // The only place lies in padding, with all that is copied.
    ConvolutionShape beyond = Grouped(1, 3, 5);
    beyond.axes = {AxisOf(10, 3, 20, 20, -8)};
    ASSERT_NO_FATAL_FAILURE(ExpectRight(
        random, RandomConvolution(random, PropKind::kForwardInference, {kS8, kS8, kS32, kS32},
                                  beyond, Presented::kPlain, false)));
    // None where four bytes are multiplied at once and the source is u8.
    EXPECT_TRUE(joined >= 60 || plain == 168) << joined << " " << plain;
  });
}

// All bf16 of a tensor, multiplied.
void Multiply(float factor, spi::Bytes* bytes) {
  for (size_t at = 0; at + 2 <= bytes->size(); at += 2)
    StoreNarrowed(factor * LoadWidened(kBF16, bytes->data() + at), kBF16, bytes->data() + at);
}

// The instruction that multiplies bf16 takes numbers that are subnormal for zeros: as factors, as
// products, and as what a sum begins with.
TEST(ConvolutionPlan, KeepsWhatIsSubnormalInBf16) {
  ForEachTarget([] {
    int products = 0, plain = 0;
    Random random(16);
    for (const PropKind prop : {PropKind::kForwardInference, PropKind::kBackwardData})
      for (const auto& [source, weight] :
           {std::pair(0x1p-133f, 0x1p40f), std::pair(0x1p40f, 0x1p-130f),
            std::pair(0x1p-70f, 0x1p-66f), std::pair(0.f, 1.f)})
        for (const Presented presented : kPresented)
          for (const ConvolutionShape& some :
               {Grouped(1, 12, 24), Grouped(1, 13, 35), Grouped(3, 16, 16)}) {
            ConvolutionShape shape = some;
            shape.axes = {AxisOf(5, 3, 1, 1, 1), AxisOf(14, 3, 1, 1, 1)};
            const ProductTypes types = prop == PropKind::kBackwardData
                                           ? ProductTypes{kF32, kBF16, kF32, kBF16}
                                           : ProductTypes{kBF16, kBF16, kF32, kF32};
            const spi::Operation open =
                RandomConvolution(random, prop, types, shape, presented, false);
            const spi::Operation operation = WithChosen(open, PlanOf(open, 0).chosen);
            const std::string text = PlanOf(operation, 0).plan->Describe();
            products += text.find(" of bf16 ") != std::string::npos;
            plain += text.find("plain") != std::string::npos;
            std::vector<spi::Bytes> data = spi::IntegersFor(random, operation, true);
            for (size_t i = 0; i < data.size(); ++i) {
              const spi::TensorArg& tensor = operation.tensors[i];
              if (tensor.argument == spi::kArgWeights) {
                Multiply(weight, &data[i]);
              } else if (tensor.layout.type == kBF16 && !spi::Writes(tensor.access)) {
                Multiply(source, &data[i]);
              } else if (tensor.argument == spi::kArgBias) {
                for (size_t at = 0; at + 4 <= data[i].size(); at += 4)
                  StoreNarrowed(source == 0 ? 0x1p-140f : 0.f, kF32, data[i].data() + at);
              }
            }
            const auto reference = PlanConvolution({operation, nullptr, 1});
            if (!reference.ok()) continue;
            ASSERT_EQ(Executed(PlanOf(operation, 0), data), Executed(*reference, data))
                << text << "\n"
                << TextOf(operation);
          }
    EXPECT_GE(products, FindBf16PanelRowKernel().run != nullptr ? 40
                        : FindBf16AmxKernel() != nullptr        ? 13
                                                                : 0);
    EXPECT_TRUE(plain == 0 || plain == 96) << plain;
  });
}

// The same of gradients of weights, whose places are two chunks: also with zeros in either image,
// which may be added to what is subnormal.
TEST(ConvolutionPlan, KeepsWhatIsSubnormalInGradientsOfBf16) {
  ForEachTarget([] {
    int pairs = 0, gradients = 0;
    Random random(17);
    for (const auto& [source, gradient] :
         {std::pair(0x1p-133f, 0x1p40f), std::pair(0x1p40f, 0x1p-130f),
          std::pair(0x1p-70f, 0x1p-66f), std::pair(1.f, 1.f)})
      for (const Presented presented : {Presented::kPlain, Presented::kAny})
        for (const int zeros : {0, 1, 2})  // none, the first image, the second
          for (const ConvolutionShape& some : {Grouped(1, 16, 9), Grouped(2, 5, 19)}) {
            ConvolutionShape shape = some;
            shape.n = 2;
            shape.axes = {AxisOf(17, 2, 1, 1), AxisOf(15, 1)};
            const ProductTypes types = {kBF16, kF32, kF32, kBF16};
            const spi::Operation open = RandomConvolution(random, PropKind::kBackwardWeights, types,
                                                          shape, presented, true);
            const spi::Operation operation = WithChosen(open, PlanOf(open, 0).chosen);
            const std::string text = PlanOf(operation, 0).plan->Describe();
            gradients += text.find(" gradient ") != std::string::npos;
            pairs += text.find(" of pairs") != std::string::npos;
            std::vector<spi::Bytes> data = spi::IntegersFor(random, operation, true);
            for (size_t i = 0; i < data.size(); ++i) {
              const spi::TensorArg& tensor = operation.tensors[i];
              if (spi::Writes(tensor.access) || tensor.layout.type != kBF16) continue;
              Multiply(tensor.argument == spi::kArgSrc ? source : gradient, &data[i]);
              const auto half = static_cast<std::ptrdiff_t>(data[i].size() / 4 * 2);
              if (zeros == 1) std::fill_n(data[i].begin(), half, std::byte{0});
              if (zeros == 2) std::fill(data[i].begin() + half, data[i].end(), std::byte{0});
            }
            const auto reference = PlanConvolution({operation, nullptr, 1});
            if (!reference.ok()) continue;
            ASSERT_EQ(Executed(PlanOf(operation, 0), data), Executed(*reference, data))
                << text << "\n"
                << TextOf(operation);
          }
    EXPECT_TRUE(!MultipliesBf16PairsFast() || FindBf16AmxKernel() != nullptr ||
                (gradients > 0 && pairs == gradients))
        << pairs << " " << gradients;
  });
}

// The instruction that rounds to bf16 takes what is subnormal for zeros.
TEST(ConvolutionPlan, RoundsDepthwiseSumsOfEachKind) {
  ForEachTarget([] {
    Random random(19);
    for (const float scale : {1.f, 0x1p-130f})
      for (const float value :
           {0.f, std::numeric_limits<float>::infinity(), std::numeric_limits<float>::quiet_NaN()}) {
        ConvolutionShape shape = Grouped(35, 1, 1);
        shape.axes = {AxisOf(5, 3, 1, 1, 1), AxisOf(14, 3, 1, 1, 1)};
        const spi::Operation operation =
            RandomConvolution(random, PropKind::kForwardInference, {kBF16, kBF16, kBF16, kBF16},
                              shape, Presented::kChannelsLast, false);
        std::vector<spi::Bytes> data = spi::IntegersFor(random, operation, true);
        for (size_t i = 0; i < data.size(); ++i)
          if (operation.tensors[i].argument != spi::kArgWeights) Multiply(scale, &data[i]);
        StoreNarrowed(value, kBF16, data[0].data() + 2 * operation.tensors[0].layout.offset);
        const auto plain = PlanConvolution({operation, nullptr, 1});
        if (!plain.ok()) continue;
        ASSERT_EQ(Executed(PlanOf(operation, 0), data), Executed(*plain, data));
      }
  });
}

// Tiles with edges on each side, places that no tile is whole for, channels that no panel is.
TEST(ConvolutionPlan, IsTheFormulaByWinograd) {
  ForEachTarget([] {
    int tiles = 0, plain = 0;
    Random random(15);
    for (const PropKind prop : {PropKind::kForwardTraining, PropKind::kBackwardData})
      for (const Presented presented : kPresented)
        for (const auto& [ic, oc] : {std::pair(1, 1), std::pair(5, 20), std::pair(16, 33),
                                     std::pair(48, 32), std::pair(300, 7), std::pair(9, 270)})
          for (int i = 0; i < 4; ++i) {
            ConvolutionShape shape = Grouped(1, ic, oc);
            shape.n = spi::Uniform(random, 1, 3);
            for (int axis = 0; axis < 2; ++axis)
              shape.axes.push_back(AxisOf(spi::Uniform(random, 1, 11), 3, 1,
                                          spi::Uniform(random, 1, 3), spi::Uniform(random, 1, 3)));
            if (i == 3) shape.axes.insert(shape.axes.begin(), AxisOf(1, 1, 2));
            spi::Operation open =
                RandomConvolution(random, prop, kAllF32, shape, presented, i % 2 == 0);
            std::get<spi::ConvolutionParams>(open.params).algorithm =
                spi::ConvolutionAlgorithm::kWinograd;
            const spi::Operation operation = WithChosen(open, PlanOf(open, 0).chosen);
            const std::string text = PlanOf(operation, 0).plan->Describe();
            tiles += text.find(" winograd ") != std::string::npos;
            plain += text.find("plain") != std::string::npos;
            ASSERT_NO_FATAL_FAILURE(ExpectRight(random, operation));
          }
    EXPECT_TRUE(tiles == 192 || plain == 192) << tiles << " " << plain;
  });
}

// Every form of the direct kernels, with and without copies, in place and not.
TEST(ConvolutionPlan, IsDrawnInEveryForm) {
  Random random(7);
  std::map<std::string, int> count;
  for (const PropKind prop : {PropKind::kForwardTraining, PropKind::kBackwardData})
    for (const Presented presented : kPresented)
      for (int i = 0; i < 50; ++i) {
        const std::string text =
            PlanOf(Drawn(random, prop, kAllF32, presented, false), 0).plan->Describe();
        for (const char* const form : {" depthwise ", " blocks ", " panels ", " f32 "})
          if (text.find(form) != std::string::npos)
            ++count[form +
                    std::string(text.find(" in place") != std::string::npos ? "in place" : "")];
      }
  for (const char* const form : {" depthwise ", " blocks ", " panels ", " f32 "})
    for (const char* const in_place : {"", "in place"})
      EXPECT_GE(count[std::string(form) + in_place], 5) << form << in_place;
}

// Where no element is, a product of dims that does not fit makes no number negative (MD-017).
TEST(ConvolutionPlan, OfNoBatchChoosesStridesThatFit) {
  for (const auto& [height, width] : {std::pair(int64_t{1} << 32, int64_t{1} << 31),
                                      std::pair(int64_t{1} << 40, int64_t{1} << 40)}) {
    const spi::Layout open = spi::Any(kF32, {0, 1, height, width});
    spi::ConvolutionParams params;
    params.strides = {1, 1};
    const spi::Operation operation = spi::MakeConvolution(
        PropKind::kBackwardWeights, params, open, spi::Any(kF32, {1, 1, 1, 1}), nullptr, open);
    for (const spi::Layout& layout : PlanOf(operation, 0).chosen)
      for (int j = 0; j < layout.rank; ++j) EXPECT_GE(layout.strides[j], 0) << ToString(layout);
  }
}

spi::Layout ChosenFor(spi::Layout src, spi::Layout dst, size_t which) {
  spi::ConvolutionParams params;
  params.strides = {1, 1};
  const spi::Layout weights = spi::Any(src.type, {dst.dims[1], src.dims[1], 1, 1});
  const spi::Planned planned = PlanOf(
      spi::MakeConvolution(PropKind::kForwardInference, params, src, weights, nullptr, dst), 0);
  return planned.chosen.at(which);
}

TEST(ConvolutionPlan, LeavesALineFreeBehindPlacesThatWouldShareSets) {
  const auto strided = [](const spi::Layout& open, const std::vector<int64_t>& strides) {
    spi::Layout layout = spi::Strided(open.type, {open.dims.data(), open.rank});
    for (size_t axis = 0; axis < strides.size(); ++axis) layout.strides[axis] = strides[axis];
    return layout;
  };
  const spi::Layout src = spi::Any(kF32, {2, 512, 3, 5}), dst = spi::Any(kF32, {2, 1024, 3, 5});
  const spi::Layout spread_src = strided(src, {3 * 5 * 528, 1, 5 * 528, 528});
  const spi::Layout spread_dst = strided(dst, {3 * 5 * 1040, 1, 5 * 1040, 1040});
  const spi::Layout dense_src = strided(src, {3 * 5 * 512, 1, 5 * 512, 512});
  const spi::Layout dense_dst = strided(dst, {3 * 5 * 1024, 1, 5 * 1024, 1024});
  // The order is that of the arguments that are open.
  EXPECT_EQ(ChosenFor(src, dst, 0), spread_src);
  EXPECT_EQ(ChosenFor(src, dst, 2), spread_dst);
  EXPECT_EQ(ChosenFor(spread_src, dst, 1), spread_dst);
  EXPECT_EQ(ChosenFor(src, spread_dst, 0), spread_src);
  // The caller's are without.
  EXPECT_EQ(ChosenFor(dense_src, dst, 1), dense_dst);
  EXPECT_EQ(ChosenFor(src, dense_dst, 0), dense_src);
  // What does not lie on a multiple of 2 KiB is dense, and so is a single place.
  for (const auto& [type, dims] :
       {std::pair(kF32, std::vector<int64_t>{2, 500, 3, 5}),
        std::pair(kF32, std::vector<int64_t>{2, 512, 1, 1}),
        std::pair(kBF16, std::vector<int64_t>{2, 512, 3, 5}),
        std::pair(kF32, std::vector<int64_t>{int64_t{1} << 30, 512, 1 << 10, 1})}) {
    const spi::Layout open = spi::Any(type, dims);
    EXPECT_EQ(ChosenFor(open, open, 0),
              strided(open, {dims[1] * dims[2] * dims[3], 1, dims[1] * dims[3], dims[1]}));
  }
}

TEST(ConvolutionPlan, IsTheFormulaOfPlacesWithALineBetween) {
  ForEachTarget([] {
    Random random(14);
    for (ConvolutionShape shape : {Grouped(512, 1, 1), Grouped(1, 512, 8), Grouped(1, 8, 512)})
      for (const int64_t kernel : {1, 3})
        for (const int64_t stride : {1, 2}) {
          const int64_t padding = kernel / 2;
          shape.n = 2;
          shape.axes = {AxisOf(4, kernel, stride, padding, padding),
                        AxisOf(7, kernel, stride, padding, padding)};
          for (const PropKind prop : kProps) {
            const spi::Operation open =
                RandomConvolution(random, prop, kAllF32, shape, Presented::kAny, false);
            const spi::Operation operation = WithChosen(open, PlanOf(open, 0).chosen);
            ASSERT_NO_FATAL_FAILURE(ExpectRight(random, operation));
          }
        }
  });
}

TEST(ConvolutionPlan, SaysWhichImplementationItIs) {
  Random random(12);
  ConvolutionShape shape;
  shape.n = 1;
  shape.ic = 48;
  shape.oc = 32;
  shape.axes = {AxisOf(8, 3, 1, 1, 1), AxisOf(4, 3, 1, 1, 1)};
  const auto text = [&](PropKind prop, int candidate) {
    return PlanOf(RandomConvolution(random, prop, kAllF32, shape, Presented::kAny, false),
                  candidate)
        .plan->Describe();
  };
  EXPECT_NE(text(PropKind::kForwardInference, 0).find(" f32 walks 1 "), std::string::npos)
      << text(PropKind::kForwardInference, 0);
  shape.axes[1] = AxisOf(14, 3, 1, 1, 1);
  EXPECT_NE(text(PropKind::kForwardInference, 0).find(" panels "), std::string::npos)
      << text(PropKind::kForwardInference, 0);
  EXPECT_NE(text(PropKind::kBackwardWeights, 0).find(" gradient "), std::string::npos)
      << text(PropKind::kBackwardWeights, 0);
  EXPECT_EQ(text(PropKind::kBackwardData, 1), "cpu:plain-convolution");
  EXPECT_NE(text(PropKind::kBackwardData, 0).find(" panels "), std::string::npos)
      << text(PropKind::kBackwardData, 0);
  shape.grouped = true;
  shape.groups = 20;
  shape.ic = shape.oc = 4;
  EXPECT_NE(text(PropKind::kForwardInference, 0).find(" blocks "), std::string::npos)
      << text(PropKind::kForwardInference, 0);
  shape.ic = shape.oc = 1;
  EXPECT_NE(text(PropKind::kForwardInference, 0).find(" depthwise "), std::string::npos)
      << text(PropKind::kForwardInference, 0);
}

}  // namespace
}  // namespace impl_cpu
