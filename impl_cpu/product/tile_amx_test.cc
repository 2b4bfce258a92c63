// Sums of products by AMX, beside a loop over all of them.
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <random>
#include <utility>
#include <vector>

#include "hwy/targets.h"
#include "impl_cpu/product/kernel.h"
#include "impl_cpu/testing/targets.h"

namespace impl_cpu {
namespace {

struct Shape {
  int64_t rows, depth;  // elements of 32 bits
  int panels;
  int64_t a_gap, sums_gap;
  bool add, first;
};

std::vector<Shape> Shapes() {
  std::vector<Shape> shapes;
  for (int64_t rows : {1, 2, 15, 16, 17, 31, 32, 33, 48, 49, 64, 65, 97})
    for (int64_t depth : {0, 1, 7, 15, 16, 17, 32, 45})
      for (int panels : {1, 2})
        shapes.push_back(
            {rows, depth, panels, rows % 3, depth % 2 * 5, rows % 2 == 0, (rows + depth) % 3 == 0});
  return shapes;
}

// Bytes behind which there is nothing to read or write.
class Block {
 public:
  explicit Block(size_t size) : size_(size) {
    const auto page = static_cast<size_t>(sysconf(_SC_PAGESIZE));
    pages_ = (size + page - 1) / page * page;
    mapped_ = pages_ + page;
    all_ = static_cast<std::byte*>(
        mmap(nullptr, mapped_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
    EXPECT_NE(static_cast<void*>(all_), MAP_FAILED);
    EXPECT_EQ(mprotect(all_ + pages_, page, PROT_NONE), 0);
  }
  ~Block() { munmap(all_, mapped_); }
  Block(const Block&) = delete;
  Block& operator=(const Block&) = delete;

  std::byte* data() const { return all_ + pages_ - size_; }
  size_t size() const { return size_; }

 private:
  size_t size_, pages_, mapped_;
  std::byte* all_;
};

struct Operands {
  explicit Operands(const Shape& shape)
      : a_row(shape.depth + shape.a_gap),
        sums_row(shape.panels * kPanel + shape.sums_gap),
        a(static_cast<size_t>(4 * std::max<int64_t>(0, (shape.rows - 1) * a_row + shape.depth))),
        b(static_cast<size_t>(4 * shape.panels * shape.depth * kPanel)),
        sums(static_cast<size_t>(4 * ((shape.rows - 1) * sums_row + shape.panels * kPanel))),
        first(static_cast<size_t>(4 * shape.panels * kPanel)) {}

  TileArgs Args(const Shape& shape) {
    TileArgs args;
    args.a = a.data();
    args.a_row = a_row;
    args.a_step = 1;
    args.b = b.data();
    args.b_panel = shape.depth * kPanel;
    args.depth = shape.depth;
    args.sums = sums.data();
    args.sums_row = sums_row;
    args.sums_panel = kPanel;
    args.add = shape.add;
    args.first = shape.first ? first.data() : nullptr;
    return args;
  }

  int64_t a_row, sums_row;
  Block a, b, sums, first;
};

// `Of(word, i)` is number i of a word, `side` of them.
template <class Sum, class OfA, class OfB>
std::vector<Sum> Wanted(const Shape& shape, const Operands& operands, int side, OfA of_a,
                        OfB of_b) {
  std::vector<Sum> wanted;
  const auto at = [](const Block& from, int64_t i) { return from.data() + 4 * i; };
  for (int64_t r = 0; r < shape.rows; ++r)
    for (int64_t c = 0; c < shape.panels * kPanel; ++c) {
      Sum sum = 0;
      const std::byte* const begin = shape.add     ? at(operands.sums, r * operands.sums_row + c)
                                     : shape.first ? at(operands.first, c)
                                                   : nullptr;
      if (begin != nullptr) std::memcpy(&sum, begin, sizeof(sum));
      for (int64_t k = 0; k < shape.depth; ++k)
        for (int i = 0; i < side; ++i)
          sum += of_a(at(operands.a, r * operands.a_row + k), i) *
                 of_b(at(operands.b, (c / kPanel * shape.depth + k) * kPanel + c % kPanel), i);
      wanted.push_back(sum);
    }
  return wanted;
}

template <class Sum>
void ExpectSums(const Shape& shape, const Operands& operands, const std::vector<Sum>& wanted) {
  size_t i = 0;
  for (int64_t r = 0; r < shape.rows; ++r)
    for (int64_t c = 0; c < shape.panels * kPanel; ++c, ++i) {
      Sum sum;
      std::memcpy(&sum, operands.sums.data() + 4 * (r * operands.sums_row + c), sizeof(sum));
      ASSERT_EQ(sum, wanted[i]) << "rows " << shape.rows << " depth " << shape.depth << " panels "
                                << shape.panels << ", row " << r << " column " << c;
    }
}

template <class Number>
void Fill(Block* to, size_t count, Number number) {
  for (size_t i = 0; i < count; ++i) {
    const auto value = number();
    std::memcpy(to->data() + i * sizeof(value), &value, sizeof(value));
  }
}

class Amx : public ::testing::Test {
 protected:
  void SetUp() override {
    if (FindBf16AmxKernel() == nullptr) GTEST_SKIP() << "no AMX here, or it may not be used";
  }

  // Small integers, exact as bf16 and in sums.
  uint16_t SmallBf16() {
    const auto value = static_cast<float>(static_cast<int>(random_() % 17) - 8);
    uint32_t bits;
    std::memcpy(&bits, &value, sizeof(bits));
    return static_cast<uint16_t>(bits >> 16);
  }

  std::mt19937 random_{1};
};

float Bf16(const std::byte* word, int i) {
  uint16_t half;
  std::memcpy(&half, word + 2 * i, sizeof(half));
  const uint32_t bits = uint32_t{half} << 16;
  float value;
  std::memcpy(&value, &bits, sizeof(value));
  return value;
}

TEST_F(Amx, SumsPairsOfBf16) {
  for (const Shape& shape : Shapes()) {
    Operands operands(shape);
    Fill(&operands.a, operands.a.size() / 2, [this] { return SmallBf16(); });
    Fill(&operands.b, operands.b.size() / 2, [this] { return SmallBf16(); });
    const auto small = [this] { return static_cast<float>(random_() % 100); };
    Fill(&operands.sums, operands.sums.size() / 4, small);
    Fill(&operands.first, operands.first.size() / 4, small);
    const auto wanted = Wanted<float>(shape, operands, 2, Bf16, Bf16);
    FindBf16AmxKernel()(shape.panels, shape.rows, operands.Args(shape));
    ASSERT_NO_FATAL_FAILURE(ExpectSums(shape, operands, wanted));
  }
}

// Every byte there is, so that what saturates between sums would show. Of s8, a holds what is 128
// more.
TEST_F(Amx, SumsQuadsExactly) {
  for (const spi::DataType type : {spi::DataType::kU8, spi::DataType::kS8})
    for (const Shape& shape : Shapes()) {
      Operands operands(shape);
      const auto byte = [this] { return static_cast<uint8_t>(random_()); };
      const auto sum = [this] { return static_cast<int32_t>(random_() % 1000); };
      Fill(&operands.a, operands.a.size(), byte);
      Fill(&operands.b, operands.b.size(), byte);
      Fill(&operands.sums, operands.sums.size() / 4, sum);
      Fill(&operands.first, operands.first.size() / 4, sum);
      const int32_t raised = type == spi::DataType::kS8 ? 128 : 0;
      const auto wanted = Wanted<int32_t>(
          shape, operands, 4,
          [raised](const std::byte* word, int i) {
            return std::to_integer<int32_t>(word[i]) - raised;
          },
          [](const std::byte* word, int i) {
            return static_cast<int32_t>(static_cast<int8_t>(word[i]));
          });
      FindQuadAmxKernel(type)(shape.panels, shape.rows, operands.Args(shape));
      ASSERT_NO_FATAL_FAILURE(ExpectSums(shape, operands, wanted));
    }
}

// Rows of a picture of `width` places, of which three taps read pieces that lie apart; the last of
// two tiles of a row computes some places once more.
struct Picture {
  explicit Picture(int64_t rows, int64_t width, int64_t height, int64_t depth) {
    pieces = {{2 * depth, 0}, {0, 2 * depth * kPanel}, {5 * depth, depth * kPanel}};
    for (int64_t row = 0; row < rows; ++row)
      for (const int64_t w : {int64_t{0}, width - height}) {
        tiles.push_back({(row * (width + 1) + w) * depth, row * width + w});
        if (width == height) break;
      }
    args.pieces = pieces.data();
    args.piece_count = static_cast<int64_t>(pieces.size());
    args.tiles = tiles.data();
    args.tile_count = static_cast<int64_t>(tiles.size());
    args.height = height;
    args.rows = rows * width;
    elements = (rows * (width + 1) + 6) * depth;
  }

  std::vector<AmxPieces::Piece> pieces;
  std::vector<AmxPieces::Rows> tiles;
  AmxPieces args;
  int64_t elements;  // of a
};

TEST_F(Amx, SumsPiecesThatLieApart) {
  for (const spi::DataType type : {spi::DataType::kU8, spi::DataType::kS8})
    for (int64_t rows : {1, 2, 3})
      for (const auto& [width, height] : {std::pair(1, 1), std::pair(14, 14), std::pair(16, 16),
                                          std::pair(17, 9), std::pair(28, 14), std::pair(31, 16)})
        for (int64_t depth : {16, 48})
          for (int panels : {1, 2}) {
            const Picture picture(rows, width, height, depth);
            Block a(static_cast<size_t>(4 * picture.elements));
            Block b(static_cast<size_t>(4 * panels * 3 * depth * kPanel));
            Block sums(static_cast<size_t>(4 * rows * width * panels * kPanel));
            const auto byte = [this] { return static_cast<uint8_t>(random_()); };
            Fill(&a, a.size(), byte);
            Fill(&b, b.size(), byte);
            TileArgs args;
            args.a = a.data();
            args.a_row = depth;
            args.b = b.data();
            args.b_panel = 3 * depth * kPanel;
            args.depth = depth;
            args.sums = sums.data();
            args.sums_row = panels * kPanel;
            args.sums_panel = kPanel;
            FindQuadAmxPiecesKernel(type)(panels, picture.args, args);
            const int32_t raised = type == spi::DataType::kS8 ? 128 : 0;
            for (int64_t row = 0; row < rows; ++row)
              for (int64_t w = 0; w < width; ++w)
                for (int64_t c = 0; c < panels * kPanel; ++c) {
                  int32_t wanted = 0, sum;
                  for (const AmxPieces::Piece& piece : picture.pieces)
                    for (int64_t k = 0; k < 4 * depth; ++k) {
                      const int64_t of_a = 4 * ((row * (width + 1) + w) * depth + piece.a) + k;
                      const int64_t of_b =
                          4 * (c / kPanel * args.b_panel + piece.b + k / 4 * kPanel + c % kPanel) +
                          k % 4;
                      wanted += (std::to_integer<int32_t>(a.data()[of_a]) - raised) *
                                static_cast<int8_t>(std::to_integer<uint8_t>(b.data()[of_b]));
                    }
                  std::memcpy(&sum, sums.data() + 4 * ((row * width + w) * panels * kPanel + c), 4);
                  ASSERT_EQ(sum, wanted) << rows << "x" << width << " depth " << depth << " panels "
                                         << panels << " at " << row << " " << w << " " << c;
                }
          }
}

// One number of b that is too small, wherever it is: nothing is stored.
TEST_F(Amx, RefusesSmallNumbers) {
  const Shape shape = {20, 5, 2, 0, 0, false, false};
  Operands operands(shape);
  Fill(&operands.a, operands.a.size() / 2, [this] { return SmallBf16(); });
  const uint16_t least = 0x0100;
  for (size_t small = 0; small < operands.b.size() / 2; small += 7) {
    Fill(&operands.b, operands.b.size() / 2, [] { return uint16_t{0x3f80}; });
    const auto set = [&](uint16_t bits) {
      std::memcpy(operands.b.data() + 2 * small, &bits, sizeof(bits));
    };
    for (const uint16_t bits : {0x0001, 0x80ff, 0x0000, 0x8000, 0x0100, 0x8100}) {
      set(bits);
      Fill(&operands.sums, operands.sums.size() / 4, [] { return -1.0f; });
      bool refused = false;
      TileArgs args = operands.Args(shape);
      args.refused = &refused;
      args.least_b = least;
      FindBf16AmxKernel()(shape.panels, shape.rows, args);
      const bool is_small = (bits & 0x7fff) != 0 && (bits & 0x7fff) < least;
      ASSERT_EQ(refused, is_small) << bits << " at " << small;
      float sum;
      std::memcpy(&sum, operands.sums.data(), sizeof(sum));
      if (is_small) {
        ASSERT_EQ(sum, -1.0f);
      }
    }
  }
}

// A machine that has it and is kept to less does without.
TEST(AmxKernels, AreOfTheBestInstructionSets) {
  ForEachTarget([] {
    const int64_t allowed = hwy::SupportedTargets();
    const bool found = FindBf16AmxKernel() != nullptr;
    if ((allowed & -allowed) > HWY_AVX3_DL) {
      EXPECT_FALSE(found);
    }
    for (const spi::DataType type : {spi::DataType::kU8, spi::DataType::kS8}) {
      EXPECT_EQ(FindQuadAmxKernel(type) != nullptr, found);
      EXPECT_EQ(FindQuadAmxPiecesKernel(type) != nullptr, found);
      EXPECT_EQ(FindQuadTileKernels(type).amx != nullptr, found);
    }
    EXPECT_EQ(FindBf16AmxPiecesKernel() != nullptr, found);
    // Some machines that have AMX lack the vector instructions for bf16.
    const TileKernels pairs = FindBf16PairTileKernels(/*widened=*/false);
    EXPECT_EQ(pairs.amx != nullptr, found && pairs.max_rows > 0);
    EXPECT_EQ(FindBf16PairTileKernels(/*widened=*/true).amx, nullptr);
  });
}

}  // namespace
}  // namespace impl_cpu
