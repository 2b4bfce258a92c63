#include "conformance/subject/buffer.h"

#include <cstring>
#include <vector>

#include "gtest/gtest.h"

namespace conformance {
namespace {

using spec::Bits;

constexpr Placement kMiddle{};
constexpr Placement kStart{Placement::Edge::kStart, 0};
constexpr Placement kEnd{Placement::Edge::kEnd, 0};

// Elements at 3, 1 and 7 of a buffer of 9.
const std::vector<int64_t> kOffsets{3, 1, 7};
const std::vector<Bits> kValues{0x11, 0x22, 0x33};
constexpr int64_t kElements = 9;

TEST(Footprint, LoadsWhatItStored) {
  for (int element_bytes : {1, 2, 4}) {
    Buffer buffer(kElements * element_bytes, element_bytes, kMiddle);
    const Footprint footprint(kOffsets, element_bytes, buffer.zone_before(), buffer.zone_bytes(),
                              7);
    footprint.Store(buffer.data(), kValues);
    EXPECT_EQ(footprint.Load(buffer.data()), kValues);
    uint32_t second = 0;
    std::memcpy(&second, buffer.data() + 3 * element_bytes, element_bytes);
    EXPECT_EQ(second, 0x11u);
    EXPECT_EQ(footprint.ChangedGap(buffer.data()), "");
    EXPECT_EQ(footprint.ChangedByte(buffer.data(), kValues), "");
  }
}

TEST(Footprint, NoticesEveryChangedByte) {
  for (const Placement& placement :
       {kMiddle, Placement{Placement::Edge::kMiddle, 5}, kStart, kEnd}) {
    constexpr int kBytes = 2;
    Buffer buffer(kElements * kBytes, kBytes, placement);
    const Footprint footprint(kOffsets, kBytes, buffer.zone_before(), buffer.zone_bytes(), 7);
    footprint.Store(buffer.data(), kValues);
    std::byte* const zone = buffer.data() - buffer.zone_before();
    for (int64_t at = 0; at < buffer.zone_bytes(); ++at) {
      const int64_t place = at - buffer.zone_before();
      const bool element = place >= 0 &&
                           (place / kBytes == 3 || place / kBytes == 1 || place / kBytes == 7) &&
                           place < kElements * kBytes;
      zone[at] ^= std::byte{0x40};
      EXPECT_EQ(footprint.ChangedGap(buffer.data()).empty(), element) << place;
      const std::string changed = footprint.ChangedByte(buffer.data(), kValues);
      EXPECT_EQ(changed.rfind("byte " + std::to_string(place) + " ", 0), 0u) << changed;
      zone[at] ^= std::byte{0x40};
    }
  }
}

TEST(Footprint, HasOtherCanariesForAnotherSeed) {
  Buffer buffer(64, 1, kMiddle);
  const Footprint one({}, 1, buffer.zone_before(), buffer.zone_bytes(), 1);
  const Footprint two({}, 1, buffer.zone_before(), buffer.zone_bytes(), 2);
  one.Store(buffer.data(), {});
  EXPECT_EQ(one.ChangedGap(buffer.data()), "");
  EXPECT_NE(two.ChangedGap(buffer.data()), "");
}

TEST(BytesFor, IsWhatTheSubjectAsksForInWholeElements) {
  EXPECT_EQ(BytesFor(100, 0, 4), 100);
  EXPECT_EQ(BytesFor(100, 99, 4), 100);
  EXPECT_EQ(BytesFor(100, 101, 4), 104);
  EXPECT_EQ(BytesFor(100, 101, 1), 101);
  EXPECT_EQ(BytesFor(0, 64, 4), 64);
  EXPECT_EQ(BytesFor(4, 64 << 20, 4), 64 << 20);
  const int64_t large = int64_t{8} << 30;
  EXPECT_EQ(BytesFor(large, large + 4096, 4), large + 4096);
}

TEST(BytesFor, IgnoresWhatIsNoSize) {
  EXPECT_EQ(BytesFor(100, ~uint64_t{0}, 4), 100);
  EXPECT_EQ(BytesFor(100, uint64_t{1} << 63, 4), 100);
  EXPECT_EQ(BytesFor(100, (64 << 20) + 1, 4), 100);
  const int64_t large = int64_t{8} << 30;
  EXPECT_EQ(BytesFor(large, 2 * large + 1, 4), large);
}

TEST(Buffer, IsAlignedAndShiftedAsAsked) {
  const auto address = [](const Buffer& buffer) {
    return reinterpret_cast<uintptr_t>(buffer.data()) % 64;
  };
  EXPECT_EQ(address(Buffer(100, 4, kMiddle)), 0u);
  EXPECT_EQ(address(Buffer(100, 4, {Placement::Edge::kMiddle, 3})), 12u);
  EXPECT_EQ(address(Buffer(100, 1, {Placement::Edge::kMiddle, 3})), 3u);
  EXPECT_EQ(address(Buffer(100, 4, kStart)), 0u);
  EXPECT_EQ(address(Buffer(100, 4, kEnd)), 28u);
}

TEST(Buffer, HasZonesOnBothSidesInTheMiddle) {
  const Buffer buffer(1000, 4, kMiddle);
  EXPECT_GE(buffer.zone_before(), 64);
  EXPECT_GE(buffer.zone_bytes() - buffer.zone_before() - 1000, 64);
}

TEST(BufferDeathTest, DiesBeyondTheEdges) {
  Buffer start(100, 1, kStart), end(100, 1, kEnd);
  start.data()[0] = end.data()[99] = std::byte{1};
  EXPECT_DEATH(*const_cast<volatile std::byte*>(start.data() - 1) = std::byte{1}, "");
  EXPECT_DEATH(*const_cast<volatile std::byte*>(end.data() + 100) = std::byte{1}, "");
}

TEST(Buffer, IsUsedAgain) {
  std::byte* first = nullptr;
  {
    const Buffer buffer(1000, 4, kMiddle);
    first = buffer.data();
  }
  const Buffer again(2000, 4, kMiddle);
  EXPECT_EQ(again.data(), first);
  const Buffer other(1000, 4, kMiddle);
  EXPECT_NE(other.data(), first);
}

TEST(Buffer, MovesItsMemory) {
  Buffer one(100, 1, kMiddle), two(200, 1, kMiddle);
  std::byte* const data = one.data();
  two = std::move(one);
  EXPECT_EQ(two.data(), data);
  const Buffer three = std::move(two);
  EXPECT_EQ(three.data(), data);
}

TEST(Buffer, MayBeEmptyOrLarge) {
  EXPECT_NE(Buffer(0, 4, kEnd).data(), nullptr);
  Buffer large(40 << 20, 1, kEnd);
  large.data()[0] = large.data()[(40 << 20) - 1] = std::byte{1};
}

}  // namespace
}  // namespace conformance
