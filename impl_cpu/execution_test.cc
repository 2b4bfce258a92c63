// Whole operations through the engine, every candidate against brute force.

#include <gtest/gtest.h>

#include <algorithm>
#include <cfenv>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <string>
#include <variant>
#include <vector>

#include "absl/status/status.h"
#include "api/shuffle/operation.h"
#include "api/spi/implementation.h"
#include "api/spi/types.h"
#include "impl_cpu/implementation.h"
#include "impl_cpu/testing/random_operation.h"
#include "impl_cpu/testing/reference.h"

namespace impl_cpu {
namespace {

constexpr size_t kGuardBytes = 128;

spi::Engine& TheEngine() {
  static const std::shared_ptr<spi::Engine> engine = *GetImplementation().MakeEngine(0);
  return *engine;
}

// A buffer of some contents at some distance from an aligned address, between guards.
class Guarded {
 public:
  Guarded(const Bytes& contents, size_t misalignment)
      : start_(kGuardBytes + misalignment), size_(contents.size()) {
    bytes_.assign(start_ + size_ + kGuardBytes, kGuard);
    std::copy(contents.begin(), contents.end(), bytes_.begin() + static_cast<int64_t>(start_));
    buffer_ = *TheEngine().Wrap(size_ == 0 ? nullptr : &bytes_[start_], size_);
  }
  spi::Buffer* buffer() { return buffer_.get(); }
  Bytes contents() const { return {begin(), begin() + static_cast<int64_t>(size_)}; }
  bool intact() const {
    for (size_t i = 0; i < bytes_.size(); ++i)
      if ((i < start_ || i >= start_ + size_) && bytes_[i] != kGuard) return false;
    return true;
  }

 private:
  static constexpr std::byte kGuard{0xa5};
  Bytes::const_iterator begin() const { return bytes_.begin() + static_cast<int64_t>(start_); }
  size_t start_, size_;
  Bytes bytes_;
  std::shared_ptr<spi::Buffer> buffer_;
};

// Runs every candidate for `operation` and expects what brute force gives, to the byte.
void ExpectReference(Random& random, const spi::Operation& operation) {
  const spi::Layout &from = SourceOf(operation), &to = DestinationOf(operation);
  const Bytes src = RandomData(random, from.type, SizeInBytes(from));
  const Bytes old = RandomData(random, to.type, SizeInBytes(to));
  const std::vector<float> scales = ScalesFor(random, operation);
  const Bytes want = Reference(operation, src, old, scales);
  Bytes scale_bytes(scales.size() * sizeof(float));
  if (!scales.empty()) std::memcpy(scale_bytes.data(), scales.data(), scale_bytes.size());
  const auto stream = *TheEngine().MakeStream(spi::kInOrder);
  int candidate = 0;
  for (;; ++candidate) {
    auto plan = TheEngine().MakePlan(operation, candidate);
    if (!plan.ok()) {
      ASSERT_EQ(plan.status().code(), absl::StatusCode::kUnimplemented);
      break;
    }
    const auto misalignment = [&random](const spi::Layout& layout) {
      return static_cast<size_t>(Uniform(random, 0, 15) * spi::SizeOf(layout.type));
    };
    Guarded from_buffer(src, misalignment(from)), to_buffer(old, misalignment(to));
    Guarded scales_buffer(scale_bytes, 4);
    const bool backward = std::holds_alternative<spi::ShuffleOperation>(operation) &&
                          !std::get<spi::ShuffleOperation>(operation).forward;
    const std::vector<spi::Argument> arguments = {
        {backward ? spi::kArgDiffDst : spi::kArgSrc, from_buffer.buffer()},
        {backward ? spi::kArgDiffSrc : spi::kArgDst, to_buffer.buffer()},
        {spi::kArgOutputScales, scales_buffer.buffer()}};
    ASSERT_TRUE((*plan)->Execute(*stream, arguments).ok());
    const Bytes got = to_buffer.contents();
    ASSERT_EQ(FirstDifference(operation, want, got), -1) << (*plan)->Describe();
    ASSERT_TRUE(to_buffer.intact()) << (*plan)->Describe();
    ASSERT_EQ(from_buffer.contents(), src) << (*plan)->Describe();
  }
  ASSERT_GE(candidate, 1);
}

TEST(Execution, OfReorderIsBruteForceForEveryPairOfTypes) {
  Random random(1);
  for (spi::DataType src : kTypes) {
    for (spi::DataType dst : kTypes) {
      for (int i = 0; i < 100; ++i) {
        SCOPED_TRACE(i);
        ExpectReference(random, RandomReorder(random, src, dst, i < 80 ? 600 : 6000));
        if (HasFatalFailure()) return;
      }
    }
  }
}

TEST(Execution, OfShuffleIsBruteForce) {
  Random random(2);
  for (int i = 0; i < 1500; ++i) {
    SCOPED_TRACE(i);
    ExpectReference(random, RandomShuffle(random, i < 1200 ? 600 : 6000));
    if (HasFatalFailure()) return;
  }
}

TEST(Execution, LeavesTheFloatingPointEnvironmentAlone) {
  Random random(3);
  const spi::Operation operation =
      RandomReorder(random, spi::DataType::kF32, spi::DataType::kS8, 600);
  for (int mode : {FE_DOWNWARD, FE_UPWARD, FE_TOWARDZERO, FE_TONEAREST}) {
    std::fesetround(mode);
    auto plan = TheEngine().MakePlan(operation, 0);
    Guarded from(Bytes(SizeInBytes(SourceOf(operation))), 0);
    Guarded to(Bytes(SizeInBytes(DestinationOf(operation))), 0);
    const auto stream = *TheEngine().MakeStream(spi::kInOrder);
    const std::vector<float> scales = ScalesFor(random, operation);
    Guarded scales_buffer(Bytes(scales.size() * sizeof(float)), 0);
    const std::vector<spi::Argument> arguments = {{spi::kArgSrc, from.buffer()},
                                                  {spi::kArgDst, to.buffer()},
                                                  {spi::kArgOutputScales, scales_buffer.buffer()}};
    const bool ok = (*plan)->Execute(*stream, arguments).ok();
    const int after = std::fegetround();
    std::fesetround(FE_TONEAREST);
    EXPECT_TRUE(ok);
    EXPECT_EQ(after, mode);
  }
}

}  // namespace
}  // namespace impl_cpu
