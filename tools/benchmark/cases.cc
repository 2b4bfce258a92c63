#include "tools/benchmark/cases.h"

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace bench {
namespace {

class Table {
 public:
  void Begin(const std::string& group) { group_ = group; }

  Case& Reorder(const std::string& name, Tensor src, Tensor dst) {
    Case c;
    c.group = group_;
    c.name = name;
    c.src = std::move(src);
    c.dst = std::move(dst);
    cases_.push_back(c);
    return cases_.back();
  }

  // `types`: one type, or two with "->" between.
  Case& Permute(const std::string& types, const std::string& name, const Dims& dims,
                const std::string& from, const std::string& to) {
    const size_t arrow = types.find("->");
    const std::string src = types.substr(0, arrow);
    const std::string dst = arrow == std::string::npos ? src : types.substr(arrow + 2);
    return Reorder(types + " " + name, Dense(src, dims, from), Dense(dst, dims, to));
  }

  Case& Copy(const std::string& types, const std::string& name, const Dims& dims) {
    const std::string word = std::string("abcdef").substr(0, dims.size());
    return Permute(types, name, dims, word, word);
  }

  Case& Shuffle(const std::string& type, const std::string& name, const Dims& dims,
                const std::string& word, int axis, int64_t group_size) {
    Case& c = Reorder(type + " " + name, Dense(type, dims, word), Dense(type, dims, word));
    c.kind = Kind::kShuffle;
    c.axis = axis;
    c.group_size = group_size;
    return c;
  }

  std::vector<Case> Take() { return std::move(cases_); }

 private:
  std::string group_;
  std::vector<Case> cases_;
};

const char* const kTypes[] = {"f32", "bf16", "f16", "s32", "s8", "u8"};

void AddCopies(Table& t) {
  t.Begin("same layout, cache");
  const Dims l2 = {1, 64, 28, 28}, llc = {16, 64, 56, 28};
  t.Copy("f32", "copy L2", l2);
  t.Copy("f32", "copy LLC", llc);
  t.Copy("u8", "copy LLC", {16, 256, 56, 28});
  for (const char* src : kTypes)
    for (const char* dst : kTypes)
      if (std::string(src) != dst) t.Copy(std::string(src) + "->" + dst, "convert LLC", llc);
  t.Copy("f32->s8", "convert L2", l2);
  t.Copy("s8->f32", "convert L2", l2);
  t.Copy("f32->bf16", "convert L2", l2);
  t.Copy("f32->s8", "scale LLC", llc).scale_mask = 0;
  t.Copy("f32->u8", "scale LLC", llc).scale_mask = 0;
  t.Copy("f32", "scale LLC", llc).scale_mask = 0;
  t.Copy("s32->f32", "scale LLC", llc).scale_mask = 0;
  t.Copy("f32->s8", "scales per channel LLC", llc).scale_mask = 2;
  t.Copy("s8->f32", "scales per channel LLC", llc).scale_mask = 2;
  t.Permute("f32->s8", "scales per channel nhwc", {16, 64, 56, 28}, "acdb", "acdb").scale_mask = 2;
  Case& sum = t.Copy("f32", "sum LLC", llc);
  sum.sum = true;
  sum.beta = 1;
  t.Begin("same layout, memory");
  Case& large_sum = t.Copy("f32", "sum 32x64x56x56", {32, 64, 56, 56});
  large_sum.sum = true;
  large_sum.beta = 1;
  t.Copy("f32", "copy", {64, 64, 112, 56});
  t.Copy("u8", "copy", {64, 256, 112, 56});
  t.Copy("f32->s8", "convert", {64, 64, 112, 56});
  t.Copy("f32->bf16", "convert", {64, 64, 112, 56});
  t.Begin("strided");
  t.Reorder("f32 rows with gaps", {"f32", {4096, 200}, {256, 1}}, {"f32", {4096, 200}, {200, 1}});
  t.Reorder("f32 short rows with gaps", {"f32", {65536, 12}, {16, 1}},
            {"f32", {65536, 12}, {12, 1}});
  t.Reorder("f32->s8 short rows with gaps", {"f32", {65536, 12}, {16, 1}},
            {"s8", {65536, 12}, {12, 1}});
  t.Reorder("f32 every second", {"f32", {512, 1024}, {2048, 2}}, {"f32", {512, 1024}, {1024, 1}});
  t.Reorder("f32 every second 1024x1024", {"f32", {1024, 1024}, {2048, 2}},
            {"f32", {1024, 1024}, {1024, 1}});
  t.Reorder("u8 every second", {"u8", {512, 4096}, {8192, 2}}, {"u8", {512, 4096}, {4096, 1}});
  t.Reorder("f32 broadcast rows", {"f32", {512, 1024}, {0, 1}}, {"f32", {512, 1024}, {1024, 1}});
}

void AddPermutations(Table& t) {
  const Dims l2 = {1, 64, 28, 28}, llc = {8, 64, 56, 56}, memory = {64, 64, 112, 56};
  t.Begin("permute f32, LLC");
  t.Permute("f32", "nchw->nhwc 64", llc, "abcd", "acdb");
  t.Permute("f32", "nhwc->nchw 64", llc, "acdb", "abcd");
  t.Permute("f32", "nchw->nhwc 240", {8, 240, 28, 28}, "abcd", "acdb");
  t.Permute("f32", "nhwc->nchw 240", {8, 240, 28, 28}, "acdb", "abcd");
  t.Permute("f32", "nchw->chwn 32", {32, 64, 28, 28}, "abcd", "bcda");
  t.Permute("f32", "ncdhw->ndhwc 32", {2, 32, 16, 28, 28}, "abcde", "acdeb");
  t.Permute("f32", "batches of 7x5", {20000, 7, 5}, "abc", "acb");
  t.Permute("f32", "batches of 16x16", {3000, 16, 16}, "abc", "acb");
  t.Begin("permute f32, L2");
  t.Permute("f32", "nchw->nhwc 64", l2, "abcd", "acdb");
  t.Permute("f32", "nhwc->nchw 64", l2, "acdb", "abcd");
  t.Permute("f32", "nhwc->nchw 240", {1, 240, 14, 14}, "acdb", "abcd");
  t.Begin("permute f32, one image");
  for (const Dims& dims : {Dims{1, 240, 28, 28}, Dims{1, 64, 56, 56}, Dims{1, 64, 112, 112}}) {
    const std::string size = std::to_string(dims[1]) + "x" + std::to_string(dims[2]);
    t.Permute("f32", "nchw->nhwc " + size, dims, "abcd", "acdb");
    t.Permute("f32", "nhwc->nchw " + size, dims, "acdb", "abcd");
  }
  t.Begin("permute f32, memory");
  t.Permute("f32", "nchw->nhwc 32x256x14x14", {32, 256, 14, 14}, "abcd", "acdb");
  t.Permute("f32", "nhwc->nchw 32x256x14x14", {32, 256, 14, 14}, "acdb", "abcd");
  t.Permute("f32", "nchw->nhwc 64", memory, "abcd", "acdb");
  t.Permute("f32", "nhwc->nchw 64", memory, "acdb", "abcd");
  t.Begin("three channels");
  for (const char* type : {"f32", "bf16", "u8"}) {
    t.Permute(type, "nhwc->nchw 3", {8, 3, 224, 224}, "acdb", "abcd");
    t.Permute(type, "nchw->nhwc 3", {8, 3, 224, 224}, "abcd", "acdb");
  }
  t.Permute("u8->f32", "nhwc->nchw 3", {8, 3, 224, 224}, "acdb", "abcd");
  t.Begin("permute 2 bytes");
  t.Permute("bf16", "nchw->nhwc 64", llc, "abcd", "acdb");
  t.Permute("bf16", "nhwc->nchw 64", llc, "acdb", "abcd");
  t.Permute("f16", "nchw->nhwc 240", {8, 240, 28, 28}, "abcd", "acdb");
  t.Permute("bf16", "nhwc->nchw 64 L2", l2, "acdb", "abcd");
  t.Begin("permute 1 byte");
  t.Permute("s8", "nchw->nhwc 64", llc, "abcd", "acdb");
  t.Permute("u8", "nhwc->nchw 64", llc, "acdb", "abcd");
  t.Permute("u8", "nchw->nhwc 240", {8, 240, 28, 28}, "abcd", "acdb");
  t.Permute("u8", "nhwc->nchw 240", {8, 240, 28, 28}, "acdb", "abcd");
  t.Permute("u8", "nchw->nhwc 64 L2", l2, "abcd", "acdb");
  t.Begin("transpose 2-D");
  t.Permute("f32", "4096x4096", {4096, 4096}, "ab", "ba");
  t.Permute("f32", "1024x1024", {1024, 1024}, "ab", "ba");
  t.Permute("f32", "1000x1001", {1000, 1001}, "ab", "ba");
  t.Permute("f32", "512x512", {512, 512}, "ab", "ba");
  t.Permute("f32", "100000x8", {100000, 8}, "ab", "ba");
  t.Permute("f32", "8x100000", {8, 100000}, "ab", "ba");
  t.Permute("f32", "50000x5", {50000, 5}, "ab", "ba");
  t.Permute("f32", "1000000x3", {1000000, 3}, "ab", "ba");
  t.Permute("f32", "1023x1025", {1023, 1025}, "ab", "ba");
  t.Permute("u8", "2048x2048", {2048, 2048}, "ab", "ba");
  t.Permute("bf16", "1023x2049", {1023, 2049}, "ab", "ba");
  t.Begin("small weights");
  t.Permute("f32", "oihw->hwio 64x64x3x3", {64, 64, 3, 3}, "abcd", "cdba");
  t.Permute("f32", "hwio->oihw 128x128x3x3", {128, 128, 3, 3}, "cdba", "abcd");
  t.Permute("f32", "oihw->ohwi 128x128x3x3", {128, 128, 3, 3}, "abcd", "acdb");
  t.Permute("s8", "oihw->hwio 128x128x3x3", {128, 128, 3, 3}, "abcd", "cdba");
  t.Permute("f32", "oi->io 256x256", {256, 256}, "ab", "ba");
  t.Begin("weights");
  t.Permute("f32", "goihw->hwigo depthwise 512x3x3", {512, 1, 1, 3, 3}, "abcde", "decab");
  t.Permute("f32", "goidhw->dhwigo 4x32x32x3x3x3", {4, 32, 32, 3, 3, 3}, "abcdef", "defcab");
  t.Permute("f32", "oihw->ohwi 512x512x3x3", {512, 512, 3, 3}, "abcd", "acdb");
}

void AddConversions(Table& t) {
  const Dims l2 = {1, 64, 28, 28}, llc = {8, 64, 56, 56};
  t.Begin("permute and convert, LLC");
  for (const char* types : {"f32->s8", "f32->u8", "s8->f32", "u8->f32", "f32->bf16", "bf16->f32",
                            "f32->f16", "s32->f32", "s32->s8", "f16->bf16"}) {
    t.Permute(types, "nchw->nhwc", llc, "abcd", "acdb");
    t.Permute(types, "nhwc->nchw", llc, "acdb", "abcd");
  }
  t.Permute("f32->s8", "nchw->nhwc, scale", llc, "abcd", "acdb").scale_mask = 0;
  t.Permute("f32->s8", "nchw->nhwc, per channel", llc, "abcd", "acdb").scale_mask = 2;
  t.Permute("f32->s8", "nhwc->nchw, per channel", llc, "acdb", "abcd").scale_mask = 2;
  t.Permute("s8->f32", "nhwc->nchw, per channel", llc, "acdb", "abcd").scale_mask = 2;
  t.Permute("f32", "nchw->nhwc, per channel", llc, "abcd", "acdb").scale_mask = 2;
  t.Permute("f32->s8", "oihw->hwio, per output", {128, 128, 3, 3}, "abcd", "cdba").scale_mask = 1;
  t.Begin("zero points, LLC");
  const auto pair = [&](const char* types, const char* name, const char* from, const char* to) {
    for (const bool shifted : {false, true}) {
      Case& c = t.Permute(types, std::string(name) + (shifted ? ", scale, zero point" : ", scale"),
                          llc, from, to);
      c.scale_mask = 0;
      if (shifted) (c.src.type == "f32" ? c.dst_zero : c.src_zero) = 10;
    }
  };
  for (const char* types : {"f32->u8", "u8->f32", "s8->u8"}) {
    pair(types, "same order", "abcd", "abcd");
    pair(types, "nchw->nhwc", "abcd", "acdb");
    pair(types, "nhwc->nchw", "acdb", "abcd");
  }
  t.Begin("permute and convert, L2");
  for (const char* types : {"f32->s8", "s8->f32", "f32->bf16", "bf16->f32"}) {
    t.Permute(types, "nchw->nhwc", l2, "abcd", "acdb");
    t.Permute(types, "nhwc->nchw", l2, "acdb", "abcd");
  }
  t.Begin("permute and convert, memory");
  const Dims memory = {32, 64, 56, 56};
  for (const char* types : {"f32->bf16", "bf16->f32"}) {
    t.Permute(types, "nchw->nhwc", memory, "abcd", "acdb");
    t.Permute(types, "nhwc->nchw", memory, "acdb", "abcd");
  }
  t.Begin("every pair of types");
  const Dims small = {2, 64, 28, 28};
  for (const char* src : kTypes) {
    for (const char* dst : kTypes) {
      const std::string types = std::string(src) + "->" + dst;
      if (std::string(src) == dst) continue;
      t.Permute(types, "nchw->nhwc", small, "abcd", "acdb");
      t.Permute(types, "nhwc->nchw", small, "acdb", "abcd");
      t.Copy(types, "scale", small).scale_mask = 0;
      t.Permute(types, "nchw->nhwc, per channel", small, "abcd", "acdb").scale_mask = 2;
    }
  }
  t.Begin("sum and permute");
  const auto sum = [&](const char* types, const char* name, float beta) {
    Case& c = t.Permute(types, name, llc, "abcd", "acdb");
    c.sum = true;
    c.beta = beta;
  };
  sum("f32", "nchw->nhwc, beta 1", 1);
  sum("f32", "nchw->nhwc, beta 0.5", 0.5f);
  sum("s8", "nchw->nhwc, beta 1", 1);
  sum("s8", "nchw->nhwc, beta 0.5", 0.5f);
  sum("bf16", "nchw->nhwc, beta 0.5", 0.5f);
  sum("f32->s8", "nchw->nhwc, beta 1", 1);
}

void AddShuffles(Table& t) {
  t.Begin("shuffle, long runs");
  t.Shuffle("f32", "nchw 240x28x28 G3", {8, 240, 28, 28}, "abcd", 1, 3);
  t.Shuffle("bf16", "nchw 240x28x28 G3", {8, 240, 28, 28}, "abcd", 1, 3);
  t.Shuffle("s8", "nchw 240x28x28 G3", {8, 240, 28, 28}, "abcd", 1, 3);
  t.Shuffle("f32", "nchw 240x7x7 G4", {32, 240, 7, 7}, "abcd", 1, 4);
  t.Shuffle("f32", "ncdhw 64x8x28x28 G8", {2, 64, 8, 28, 28}, "abcde", 1, 8);
  t.Shuffle("f32", "nchw backward G2", {8, 240, 28, 28}, "abcd", 1, 2).forward = false;
  t.Begin("shuffle, innermost axis");
  for (const char* type : {"f32", "bf16", "s8", "u8", "s32", "f16"})
    t.Shuffle(type, "nhwc 240x28x28 G3", {8, 240, 28, 28}, "acdb", 1, 3);
  for (int64_t group_size : {2, 4, 8}) {
    const std::string g = std::to_string(group_size);
    t.Shuffle("f32", "nhwc 240x28x28 G" + g, {8, 240, 28, 28}, "acdb", 1, group_size);
    t.Shuffle("s8", "nhwc 240x28x28 G" + g, {8, 240, 28, 28}, "acdb", 1, group_size);
  }
  t.Shuffle("f32", "nhwc 240x28x28 G80", {8, 240, 28, 28}, "acdb", 1, 80);
  t.Shuffle("f32", "nhwc 32x480x14x14 G3", {32, 480, 14, 14}, "acdb", 1, 3);
  t.Shuffle("f32", "nhwc 8x960x7x7 G3", {8, 960, 7, 7}, "acdb", 1, 3);
  t.Shuffle("bf16", "ndhwc 64x8x28x28 G4", {2, 64, 8, 28, 28}, "acdeb", 1, 4);
  t.Shuffle("f32", "nhwc backward G3", {8, 240, 28, 28}, "acdb", 1, 3).forward = false;
  t.Begin("shuffle, other axes");
  t.Shuffle("f32", "nchw axis 3 G7", {8, 240, 28, 28}, "abcd", 3, 7);
  t.Shuffle("f32", "nchw axis 2 G4", {8, 240, 28, 28}, "abcd", 2, 4);
  t.Shuffle("u8", "nchw axis 0 G2", {8, 240, 28, 28}, "abcd", 0, 2);
  t.Shuffle("f32", "2-D axis 1 G8", {1024, 1024}, "ab", 1, 8);
  t.Shuffle("s8", "2-D axis 1 G32", {1024, 1024}, "ab", 1, 32);
}

void AddCalls(Table& t) {
  t.Begin("tiny");
  t.Copy("f32", "copy 1", {1});
  t.Copy("f32", "copy 16", {16});
  t.Copy("f32->s8", "convert 128", {2, 64});
  t.Permute("f32", "nchw->nhwc 1x8x4x4", {1, 8, 4, 4}, "abcd", "acdb");
  t.Shuffle("f32", "nchw 1x8x2x2 G2", {1, 8, 2, 2}, "abcd", 1, 2);
  t.Begin("create");
  t.Permute("f32", "reorder, shape not seen", {8, 64, 28, 28}, "abcd", "acdb").kind =
      Kind::kCreateNew;
  t.Permute("f32", "reorder, seen", {8, 64, 28, 28}, "abcd", "acdb").kind = Kind::kCreateSeen;
  t.Permute("f32->s8", "convert, shape not seen", {8, 64, 28, 28}, "abcd", "abcd").kind =
      Kind::kCreateNew;
}

}  // namespace

std::vector<Case> AllCases() {
  Table table;
  AddCopies(table);
  AddPermutations(table);
  AddConversions(table);
  AddShuffles(table);
  AddCalls(table);
  std::vector<Case> cases = table.Take();
  for (Case& c : InnerProductCases()) cases.push_back(std::move(c));
  for (Case& c : EltwiseCases()) cases.push_back(std::move(c));
  for (Case& c : ConvolutionCases()) cases.push_back(std::move(c));
  return cases;
}

}  // namespace bench
