// On each bundled engine of this machine.
#include "conformance/blocking/implementation.h"

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "api/convolution/testing/convolution_operation.h"
#include "api/eltwise/operation.h"
#include "conformance/blocking/layouts.h"

namespace blocking {
namespace {

using spi::DataType;
using spi::Layout;
using spi::PropKind;

constexpr PropKind kDirections[] = {PropKind::kForwardTraining, PropKind::kBackwardData,
                                    PropKind::kBackwardWeights};

// A convolution of as many channels, all of it open.
spi::Operation Open(PropKind prop, int64_t channels) {
  spi::ConvolutionOperation operation;
  operation.prop = prop;
  operation.params.strides = {1, 1};
  operation.src = spi::Any(DataType::kF32, {3, channels, 5, 5});
  operation.weights = spi::Any(DataType::kF32, {channels + 1, channels, 3, 3});
  operation.dst = spi::Any(DataType::kF32, {3, channels + 1, 3, 3});
  return operation;
}

// `operation` with `chosen` in place of what is open.
spi::Operation Resolved(spi::Operation operation, const std::vector<Layout>& chosen) {
  size_t next = 0;
  for (spi::TensorArg& tensor : operation.tensors)
    if (tensor.layout.kind == spi::LayoutKind::kAny) tensor.layout = chosen.at(next++);
  return operation;
}

// Calls use(offset, is_padding) for each place of `layout`.
template <typename Use>
void ForPlaces(const Layout& layout, Use use) {
  spi::Dims x{};
  for (int j = 0; j >= 0;) {
    bool padding = false;
    for (int k = 0; k < layout.rank; ++k) padding = padding || x[k] >= layout.dims[k];
    use(spi::OffsetOf(layout, x), padding);
    for (j = layout.rank - 1; j >= 0 && ++x[j] == spi::PaddedDim(layout, j); --j) x[j] = 0;
  }
}

class Blocking : public ::testing::TestWithParam<size_t> {
 protected:
  void SetUp() override {
    spi::Implementation& inner = *spi::Implementations().at(GetParam());
    if (inner.EngineCount() == 0) GTEST_SKIP() << inner.name() << " has no engine";
    implementation_ = InFrontOf(inner);
    inner_ = *inner.MakeEngine(0);
    engine_ = *implementation_->MakeEngine(0);
  }

  // A buffer for `layout`: 1 in the elements, and `rest` in the bytes of everything else.
  std::shared_ptr<spi::Buffer> Ones(const Layout& layout, int rest) {
    int64_t bytes = 0;
    EXPECT_TRUE(spi::SizeInBytes(layout, &bytes));
    std::shared_ptr<spi::Buffer> buffer = *engine_->Allocate(static_cast<size_t>(bytes));
    auto* const values = static_cast<float*>(*buffer->Map());
    std::memset(values, rest, static_cast<size_t>(bytes));
    ForPlaces(layout, [values](int64_t offset, bool padding) {
      if (!padding) values[offset] = 1;
    });
    EXPECT_TRUE(buffer->Unmap(values).ok());
    return buffer;
  }

  // The tensors of `operation` after an execution: what is read holds ones, and what is written
  // held NaNs in its padding.
  std::vector<std::shared_ptr<spi::Buffer>> Executed(const spi::Operation& operation,
                                                     const spi::Planned& planned) {
    std::vector<std::shared_ptr<spi::Buffer>> owned;
    std::vector<spi::Buffer*> buffers;
    for (const spi::TensorArg& tensor : operation.tensors)
      owned.push_back(Ones(tensor.layout, spi::Writes(tensor.access) ? 0xff : 0));
    if (planned.scratchpad_bytes > 0) owned.push_back(*engine_->Allocate(planned.scratchpad_bytes));
    for (const auto& buffer : owned) buffers.push_back(buffer.get());
    const std::unique_ptr<spi::Stream> stream = *engine_->MakeStream(spi::kInOrder);
    EXPECT_TRUE(planned.plan->Execute(*stream, buffers).ok());
    EXPECT_TRUE(stream->Wait().ok());
    return owned;
  }

  std::unique_ptr<spi::Implementation> implementation_;
  std::shared_ptr<spi::Engine> inner_, engine_;
};

TEST_P(Blocking, ServesTheChosenLayoutsAtOnce) {
  for (const PropKind prop : kDirections)
    for (int64_t channels = 5; channels < 9; ++channels) {
      const spi::Operation operation = Open(prop, channels);
      const absl::StatusOr<spi::Planned> planned = engine_->MakePlan({operation, nullptr, 0});
      ASSERT_TRUE(planned.ok()) << planned.status();
      EXPECT_EQ(planned->chosen, ChooseLayouts(operation));
    }
}

// PRIM-012: next_impl may choose other layouts.
TEST_P(Blocking, OffersWhatTheEngineChoosesBehindThem) {
  const spi::Operation operation = Open(PropKind::kForwardTraining, 6);
  std::vector<std::vector<Layout>> own, answers;
  const auto list = [&operation](spi::Engine& engine, std::vector<std::vector<Layout>>* chosen) {
    for (int candidate = 0;; ++candidate) {
      const absl::StatusOr<spi::Planned> planned = engine.MakePlan({operation, nullptr, candidate});
      if (!planned.ok()) return planned.status();
      chosen->push_back(planned->chosen);
    }
  };
  EXPECT_EQ(list(*inner_, &own).code(), absl::StatusCode::kUnimplemented);
  EXPECT_EQ(list(*engine_, &answers).code(), absl::StatusCode::kUnimplemented);
  ASSERT_GT(answers.size(), own.size());
  const auto first_own = answers.end() - static_cast<std::ptrdiff_t>(own.size());
  EXPECT_EQ(std::vector<std::vector<Layout>>(first_own, answers.end()), own);
  for (auto answer = answers.begin(); answer != first_own; ++answer)
    EXPECT_EQ(*answer, ChooseLayouts(operation));
}

// OPT-045.
TEST_P(Blocking, LeavesNothingButZerosInPadding) {
  for (const PropKind prop : kDirections) {
    int64_t padded = 0;
    for (int64_t channels = 5; channels < 9; ++channels) {
      const spi::Operation open = Open(prop, channels);
      absl::StatusOr<spi::Planned> planned = engine_->MakePlan({open, nullptr, 0});
      ASSERT_TRUE(planned.ok()) << planned.status();
      const spi::Operation operation = Resolved(open, planned->chosen);
      const std::vector<std::shared_ptr<spi::Buffer>> buffers = Executed(operation, *planned);
      for (size_t i = 0; i < operation.tensors.size(); ++i) {
        if (!spi::Writes(operation.tensors[i].access)) continue;
        auto* const values = static_cast<float*>(*buffers[i]->Map());
        int64_t wrong = 0;
        ForPlaces(operation.tensors[i].layout, [&](int64_t offset, bool padding) {
          padded += padding ? 1 : 0;
          // All that is multiplied is 1, and every sum has terms.
          const bool right = padding ? values[offset] == 0 : values[offset] >= 1;
          wrong += right ? 0 : 1;
        });
        EXPECT_EQ(wrong, 0) << ToString(operation.tensors[i].layout);
        ASSERT_TRUE(buffers[i]->Unmap(values).ok());
      }
    }
    EXPECT_GT(padded, 0);
  }
}

// ELT-009.
TEST_P(Blocking, PassesOtherPrimitivesOn) {
  const Layout data = spi::Strided(DataType::kF32, {2, 8, 3}, {{1, 8}}),
               any = spi::Any(DataType::kF32, {2, 8, 3});
  const spi::Operation operation =
      spi::MakeEltwiseBackward({spi::Algorithm::kEltwiseRelu, 0, 0}, data, any, any);
  const absl::StatusOr<spi::Planned> planned = engine_->MakePlan({operation, nullptr, 0});
  ASSERT_TRUE(planned.ok()) << planned.status();
  EXPECT_EQ(planned->chosen, std::vector<Layout>({data, data}));
}

INSTANTIATE_TEST_SUITE_P(OfBundled, Blocking,
                         ::testing::Range(size_t{0}, spi::Implementations().size()));

}  // namespace
}  // namespace blocking
