#include "conformance/cli/shapes.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace conformance {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::SizeIs;
using testing::StartsWith;

std::string ErrorOf(const char* line) { return CasesOfShape(line).error; }

TEST(Shapes, AreToldFromCasesByTheirFirstWord) {
  EXPECT_TRUE(IsShape("tensor a dims=1x2"));
  EXPECT_TRUE(IsShape("inner_product"));
  EXPECT_TRUE(IsShape("convolution ic64ih56oc64kh3"));
  EXPECT_TRUE(IsShape("eltwise a dims=1x2 alg=relu"));
  EXPECT_FALSE(IsShape("REO-040/f32-f32 src=f32:1x2:ab dst=f32:1x2:ba"));
  EXPECT_FALSE(IsShape("tensors a"));
  EXPECT_FALSE(IsShape(""));
}

TEST(Shapes, OfATensorAreReorders) {
  const ShapeCases shape = CasesOfShape("tensor input  dims=1x3x224x224");
  EXPECT_EQ(shape.error, "");
  EXPECT_EQ(shape.name, "input");
  EXPECT_THAT(
      shape.cases,
      ElementsAre("REO-040/f32-f32 src=f32:1x3x224x224:abcd dst=f32:1x3x224x224:acdb values=mixed "
                  "seed=1",
                  "REO-040/f32-f32 src=f32:1x3x224x224:acdb dst=f32:1x3x224x224:abcd values=mixed "
                  "seed=1",
                  "REO-040/s8-s8 src=s8:1x3x224x224:abcd dst=s8:1x3x224x224:acdb values=mixed "
                  "seed=1",
                  "REO-040/f32-bf16 src=f32:1x3x224x224:abcd dst=bf16:1x3x224x224:acdb "
                  "values=mixed seed=1",
                  "REO-040/f32-s8 src=f32:1x3x224x224:abcd dst=s8:1x3x224x224:acdb values=mixed "
                  "seed=1",
                  "REO-040/u8-f32 src=u8:1x3x224x224:acdb dst=f32:1x3x224x224:abcd values=mixed "
                  "seed=1"));
  EXPECT_THAT(CasesOfShape("tensor heads dims=1x128x12x64 to=acbd").cases,
              Contains("REO-040/s8-s8 src=s8:1x128x12x64:abcd dst=s8:1x128x12x64:s98304,64,8192,1 "
                       "values=mixed seed=1"));
}

TEST(Shapes, WithAGroupAreShufflesToo) {
  const ShapeCases shape = CasesOfShape("tensor stage2 dims=1x60x28x28 group=3");
  EXPECT_EQ(shape.error, "");
  EXPECT_THAT(shape.cases, SizeIs(12));
  EXPECT_THAT(shape.cases, Contains("SHU-020 dir=fwd src=f32:1x60x28x28:abcd axis=1 group=3 "
                                    "values=index seed=1"));
  EXPECT_THAT(shape.cases, Contains("SHU-022 dir=bwd src=f32:1x60x28x28:acdb axis=1 group=3 "
                                    "values=index seed=1"));
  EXPECT_THAT(CasesOfShape("tensor t dims=4x6 axis=0 group=2").cases,
              Contains("SHU-020 dir=fwd src=s8:4x6:ba axis=0 group=2 values=index seed=1"));
}

TEST(Shapes, OfAnInnerProductAreItsDirections) {
  EXPECT_THAT(
      CasesOfShape("inner_product fc mb=1 ic=2048 oc=1000").cases,
      ElementsAre("IP-010 dir=fwd mb=1 ic=2048 sp=- oc=1000 src=f32:ab wei=f32:ab bias=f32:a "
                  "dst=f32:ab values=integers seed=1",
                  "IP-012 dir=bwd_data mb=1 ic=2048 sp=- oc=1000 src=f32:ab wei=f32:ab dst=f32:ab "
                  "values=integers seed=1",
                  "IP-013 dir=bwd_weights mb=1 ic=2048 sp=- oc=1000 src=f32:ab wei=f32:ab "
                  "bias=f32:a dst=f32:ab values=integers seed=1"));
  EXPECT_THAT(CasesOfShape("inner_product fc mb=1 ic=64 sp=7x7 oc=10").cases,
              Contains("IP-012 dir=bwd_data mb=1 ic=64 sp=7x7 oc=10 src=f32:abcd wei=f32:abcd "
                       "dst=f32:ab values=integers seed=1"));
}

TEST(Shapes, OfAnInnerProductMayBeAProblemDescriptor) {
  const ShapeCases fields = CasesOfShape("inner_product fc mb=8 ic=64 sp=7x7 oc=10");
  for (const char* line :
       {"inner_product mb8ic64ih7iw7oc10n\"fc\"", "inner_product mb8_oc10_ic64ih7nfc",
        "  inner_product\tmb8ic64ih7oc10n\"fc\" "}) {
    const ShapeCases problem = CasesOfShape(line);
    EXPECT_EQ(problem.error, "") << line;
    EXPECT_EQ(problem.name, "fc") << line;
    EXPECT_EQ(problem.cases, fields.cases) << line;
  }
  const ShapeCases nameless = CasesOfShape("inner_product ic5id2iw3oc4");
  EXPECT_EQ(nameless.name, "ic5id2iw3oc4");
  EXPECT_EQ(nameless.cases, CasesOfShape("inner_product a mb=2 ic=5 sp=2x2x3 oc=4").cases);
  // A name, which could be meant for one.
  EXPECT_EQ(CasesOfShape("inner_product ic5 mb=1 ic=2 oc=3").name, "ic5");
  EXPECT_EQ(ErrorOf("inner_product ic5"), "field 'oc' is missing");
  EXPECT_EQ(ErrorOf("inner_product ic5oc0"), "oc=0 is below 1");
  EXPECT_EQ(ErrorOf("inner_product ic5oc2ih0"), "ih0 is below 1");
  EXPECT_EQ(ErrorOf("inner_product ic5oc2kh3"),
            "'kh3' begins with none of mb, ic, id, ih, iw, oc, n");
}

TEST(Shapes, OfAnEltwiseAreItsDirectionsInBothLayouts) {
  const ShapeCases shape = CasesOfShape("eltwise relu dims=1x64x56x56 alg=relu alpha=0.25");
  EXPECT_EQ(shape.error, "");
  EXPECT_EQ(shape.name, "relu");
  EXPECT_THAT(shape.cases, ElementsAre("ELT-060/everywhere dir=fwd alg=relu alpha=0.25 beta=0 "
                                       "data=f32:1x64x56x56:abcd values=small seed=1",
                                       "ELT-060/everywhere dir=bwd alg=relu alpha=0.25 beta=0 "
                                       "data=f32:1x64x56x56:abcd grad=abcd values=small seed=1",
                                       "ELT-060/everywhere dir=fwd alg=relu alpha=0.25 beta=0 "
                                       "data=f32:1x64x56x56:acdb values=small seed=1",
                                       "ELT-060/everywhere dir=bwd alg=relu alpha=0.25 beta=0 "
                                       "data=f32:1x64x56x56:acdb grad=acdb values=small seed=1"));
  // Which has no backward.
  EXPECT_THAT(CasesOfShape("eltwise r dims=2x6 alg=round").cases, SizeIs(2));
  EXPECT_EQ(ErrorOf("eltwise"), "eltwise wants a name before its sizes");
  EXPECT_EQ(ErrorOf("eltwise a dims=2x6"), "field 'alg' is missing");
  EXPECT_EQ(ErrorOf("eltwise a dims=2 alg=relu"), "dims=2 is no 2 to 5 extents, as 1x64x56x56");
  EXPECT_EQ(ErrorOf("eltwise a dims=2x6 alg=relu gamma=1"), "field 'gamma' means nothing here");
  EXPECT_THAT(ErrorOf("eltwise a dims=2x6 alg=rely"),
              StartsWith("alg=rely is none of relu, tanh, "));
}

TEST(Shapes, SayWhatIsWrong) {
  EXPECT_EQ(ErrorOf("tensor"), "tensor wants a name before its sizes");
  EXPECT_EQ(ErrorOf("tensor dims=1x2"), "tensor wants a name before its sizes");
  EXPECT_EQ(ErrorOf("tensor a"), "field 'dims' is missing");
  for (const char* dims :
       {"", "4", "0x4", "-1x4", "4x", "4xx4", "ax4", "1x2x3x4x5x6", "99999999999999999999x2"})
    EXPECT_EQ(ErrorOf(("tensor a dims=" + std::string(dims)).c_str()),
              "dims=" + std::string(dims) + " is no 2 to 5 extents, as 1x64x56x56");
  EXPECT_EQ(ErrorOf("tensor a dims=2x6 group=4"), "group=4 does not divide dims[1] = 6");
  EXPECT_EQ(ErrorOf("tensor a dims=2x6 group=0"), "group=0 does not divide dims[1] = 6");
  EXPECT_EQ(ErrorOf("tensor a dims=2x6 group=2 axis=2"), "axis=2 is none of dims=2x6");
  EXPECT_EQ(ErrorOf("tensor a dims=2x6 axis=0"), "axis=0 is of a shuffle, and wants group");
  for (const char* to : {"", "a", "abc", "aa", "ac", "AB"})
    EXPECT_EQ(ErrorOf(("tensor a dims=2x6 to=" + std::string(to)).c_str()),
              "to=" + std::string(to) + " is no order of the axes ab");
  for (const char* dims : {"8192x8193", "9223372036854775807x9223372036854775807"})
    EXPECT_EQ(ErrorOf(("tensor a dims=" + std::string(dims)).c_str()),
              "dims=" + std::string(dims) + " has more than 67,108,864 elements");
  EXPECT_EQ(ErrorOf("tensor a dims=8192x8192"), "");
  EXPECT_EQ(ErrorOf("tensor a dims=2x6 grop=2"), "field 'grop' means nothing here");
  EXPECT_EQ(ErrorOf("inner_product a mb=1 ic=2"), "field 'oc' is missing");
  EXPECT_EQ(ErrorOf("inner_product a mb=1 ic=0 oc=3"), "ic=0 is below 1");
  EXPECT_EQ(ErrorOf("inner_product a mb=1 ic=2 oc=3 sp=0x1"),
            "sp=0x1 is no 1 to 3 extents, as 7x7");
  EXPECT_EQ(ErrorOf("tensor a dims=2x6"), "");
}

}  // namespace
}  // namespace conformance
