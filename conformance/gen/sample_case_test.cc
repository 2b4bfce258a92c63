#include "conformance/gen/sample_case.h"

#include <algorithm>
#include <set>
#include <string>

#include "conformance/case/fields.h"
#include "conformance/case/random.h"
#include "conformance/gen/tensors.h"
#include "gtest/gtest.h"
#include "spec/memory/oracle.h"
#include "spec/numeric/convert.h"

namespace conformance {
namespace {

std::string Line(const SampleCase& c) {
  Fields fields;
  c.Print(&fields);
  return fields.ToString();
}

TEST(SampleCase, ComesBackFromItsLine) {
  for (const char* line :
       {"kind=forward seed=7", "kind=eltwise-backward seed=1 type=bf16 rank=1 size=large",
        "kind=reorder seed=99999 size=medium"}) {
    const Fields fields = Fields::Parse(line);
    const SampleCase c = SampleCase::Parse(fields);
    EXPECT_EQ(fields.error(), "") << line;
    EXPECT_EQ(Line(c), line);
    for (const SampleCase& simpler : c.Simpler()) EXPECT_NE(Line(simpler), line);
  }
}

TEST(SampleCase, RejectsTypesRanksAndSizesThatAreNone) {
  for (const char* field : {"type=f31", "rank=0", "rank=7", "size=huge"}) {
    const Fields fields = Fields::Parse(std::string("kind=forward seed=7 ") + field);
    SampleCase::Parse(fields);
    EXPECT_NE(fields.error(), "") << field;
  }
}

TEST(DrawSampleTensor, HasTheRankTypeAndSizeOfTheCase) {
  for (const SampleSize size : {SampleSize::kSmall, SampleSize::kMedium, SampleSize::kLarge}) {
    for (int rank = 1; rank <= kMostSampleRank; ++rank) {
      for (uint64_t seed = 0; seed < 20; ++seed) {
        SampleCase c{"forward", seed};
        c.type = spec::Type::kS8;
        c.rank = rank;
        c.size = size;
        Random random(Mix(seed));
        const TensorSpec tensor = DrawSampleTensor(c, random);
        EXPECT_EQ(tensor.type, spec::Type::kS8);
        ASSERT_EQ(tensor.rank(), rank);
        EXPECT_EQ(tensor.layout.strides.size(), tensor.dims.size());
        EXPECT_EQ(tensor.dims[rank > 1 ? 1 : 0] % 2, 0);
        const int64_t count = spec::ElementCount(tensor.dims);
        EXPECT_EQ(count > 65536, size == SampleSize::kLarge) << ToString(tensor);
        EXPECT_EQ(count >= 2048, size != SampleSize::kSmall) << ToString(tensor);
        EXPECT_LT(count, 600000);
      }
    }
  }
}

TEST(DifferentElements, AreDifferentAndOfBothSigns) {
  const TensorSpec tensor{spec::Type::kBF16, {4, 12, 5}, RowMajor({4, 12, 5})};
  const auto elements = DifferentElements(tensor, spec::Type::kBF16, 3);
  EXPECT_EQ(std::set<spec::Bits>(elements.begin(), elements.end()).size(), elements.size());
  const auto below = std::count_if(elements.begin(), elements.end(), [](spec::Bits bits) {
    return spec::Widen(spec::Type::kBF16, bits) < 0;
  });
  EXPECT_GT(below, 0);
  EXPECT_LT(below, 240);
}

TEST(SmallElements, StayWithinTheirBound) {
  for (const spec::Type type : spec::kTypes) {
    const TensorSpec tensor{type, {500}, RowMajor({500})};
    for (const spec::Bits bits : SmallElements(tensor, 3, 1)) {
      const float value = spec::Widen(type, bits);
      EXPECT_LE(value, 3);
      EXPECT_GE(value, type == spec::Type::kU8 ? 0 : -3);
    }
  }
}

}  // namespace
}  // namespace conformance
