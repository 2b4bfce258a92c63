#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "conformance/cli/shapes.h"

namespace conformance {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::SizeIs;

ShapeCases Shape(const std::string& problem) { return CasesOfShape("convolution " + problem); }
std::string ErrorOf(const std::string& problem) { return Shape(problem).error; }

// The fields of the problem in the forward case.
std::string SizeOf(const std::string& problem) {
  const ShapeCases shape = Shape(problem);
  EXPECT_EQ(shape.error, "") << problem;
  if (shape.cases.empty()) return "";
  const std::string& line = shape.cases[0];
  const size_t begin = line.find("mb=");
  return line.substr(begin, line.find(" src=") - begin);
}

TEST(ConvolutionShapes, AreTheirDirections) {
  const ShapeCases shape = Shape("g32mb1ic128ih56oc128oh56kh3ph1n\"resnext:conv2\"");
  EXPECT_EQ(shape.error, "");
  EXPECT_EQ(shape.name, "resnext:conv2");
  const std::string size =
      " mb=1 g=32 ic=4 oc=4 in=56x56 k=3x3 pl=1x1 pr=1x1 src=f32:any wei=f32:any";
  EXPECT_THAT(
      shape.cases,
      ElementsAre(
          "CONV-080 dir=fwd" + size + " bias=f32:any dst=f32:any values=integers seed=1",
          "CONV-100 dir=bwd_data" + size + " dst=f32:any values=integers seed=1",
          "CONV-110 dir=bwd_weights" + size + " bias=f32:any dst=f32:any values=integers seed=1"));
}

TEST(ConvolutionShapes, MayBeWrittenInOtherWays) {
  const std::string usual = SizeOf("mb1ic3ih8oc4kh3ph1nname");
  for (const char* same : {"mb1ic3ih8iw8oc4oh8ow8kh3kw3sh1sw1ph1pw1dh0dw0n\"a name\"",
                           "mb1_ic3ih8iw8_oc4oh8ow8_kh3kw3_ph1", "oc4ic3mb1kh3ph1ih8",
                           "mb1ic3ih8oc4oh8kh3", "_mb1ic3ih8oc4kh3ph1_"})
    EXPECT_EQ(SizeOf(same), usual) << same;
  EXPECT_EQ(Shape("ic3ih8oc4kh3ph1").name, "ic3ih8oc4kh3ph1");
  EXPECT_EQ(Shape("  ic3ih8oc4kh3ph1n\"a name\" ").name, "a name");
}

TEST(ConvolutionShapes, HaveWhatIsLeftOut) {
  EXPECT_EQ(SizeOf("ic3ih8oc4kh3"), "mb=2 ic=3 oc=4 in=8x8 k=3x3");
  EXPECT_EQ(SizeOf("ic3iw8oc4kw3"), "mb=2 ic=3 oc=4 in=8 k=3");
  EXPECT_EQ(SizeOf("ic3id8oc4kd3"), "mb=2 ic=3 oc=4 in=8x8x8 k=3x3x3");
  EXPECT_EQ(SizeOf("ic3id8oc4kd3iw5kw1"), "mb=2 ic=3 oc=4 in=8x8x5 k=3x3x1");
  EXPECT_EQ(SizeOf("ic3ih8iw9oc4kh3kw1sh2"), "mb=2 ic=3 oc=4 in=8x9 k=3x1 s=2x1 pr=-1x0");
  EXPECT_EQ(SizeOf("g1ic3ih8oc4kh3"), "mb=2 g=1 ic=3 oc=4 in=8x8 k=3x3");
  // As benchdnn counts them: places between those that are read.
  EXPECT_EQ(SizeOf("ic3ih9oc4kh3dh1"), "mb=2 ic=3 oc=4 in=9x9 k=3x3 d=1x1");
  // The stem of ResNet-50: the last place of the padding behind is not read.
  EXPECT_EQ(SizeOf("ic3ih224oc64oh112kh7sh2ph3"),
            "mb=2 ic=3 oc=64 in=224x224 k=7x7 s=2x2 pl=3x3 pr=2x2");
  EXPECT_EQ(SizeOf("ic3ih224oc64kh7sh2ph3"), SizeOf("ic3ih224oc64oh112kh7sh2ph3"));
  // What the outputs want, half of it in front.
  EXPECT_EQ(SizeOf("ic3ih224oc64oh112kh7sh2"),
            "mb=2 ic=3 oc=64 in=224x224 k=7x7 s=2x2 pl=2x2 pr=3x3");
  EXPECT_EQ(SizeOf("ic3ih8oc4oh10kh3ph2"), "mb=2 ic=3 oc=4 in=8x8 k=3x3 pl=2x2 pr=2x2");
  // Behind a stride of 4 places of the source need not be read.
  EXPECT_EQ(SizeOf("ic3ih12oc4oh3kh1sh4"), "mb=2 ic=3 oc=4 in=12x12 k=1x1 s=4x4 pr=-3x-3");
  EXPECT_EQ(SizeOf("ic3ih12oc4kh1sh4"), "mb=2 ic=3 oc=4 in=12x12 k=1x1 s=4x4 pr=-3x-3");
  // Behind a stride of 2 the last place of the source need not be read.
  EXPECT_EQ(SizeOf("ic3ih56oc4oh28kh1sh2"), "mb=2 ic=3 oc=4 in=56x56 k=1x1 s=2x2 pr=-1x-1");
}

TEST(ConvolutionShapes, ThatCannotBeReadSayWhatIsWrong) {
  EXPECT_EQ(ErrorOf(""), "ic is missing");
  EXPECT_THAT(ErrorOf("ic3ih8oc4kh3 ph1"), HasSubstr("' ph1' begins with none of g, mb, ic, "));
  EXPECT_THAT(ErrorOf("ic3ih8oc4kh3xh1"), HasSubstr("'xh1' begins with none of g, mb, ic, "));
  EXPECT_THAT(ErrorOf("ic3ih8oc4kh3=1"), HasSubstr("'=1' begins with none of g, mb, ic, "));
  EXPECT_THAT(ErrorOf("stem mb=1 ic=3"), HasSubstr("'stem mb=1 ic=3' begins with none of g, "));
  EXPECT_EQ(ErrorOf("ic3ihoc4kh3"),
            "'ihoc4kh3' begins with none of g, mb, ic, id, ih, iw, oc, od, oh, "
            "ow, kd, kh, kw, sd, sh, sw, pd, ph, pw, dd, dh, dw, n");
  EXPECT_EQ(ErrorOf("ic3ih8oc4kh"), "kh wants a number behind it");
  EXPECT_EQ(ErrorOf("ic3ih8oc4kh-3"), "kh wants a number behind it");
  EXPECT_EQ(ErrorOf("ic3ih8oc4kh3ic3"), "ic is there twice");
  EXPECT_EQ(ErrorOf("ic3ih1048577oc4kh3"), "ih1048577 is beyond 2^20");
  EXPECT_EQ(ErrorOf("ic3ih99999999999999999999999oc4kh3"),
            "ih99999999999999999999999 is beyond 2^20");
  EXPECT_EQ(ErrorOf("ic3ih8oc4kh3n"), "n wants a name behind it");
  EXPECT_EQ(ErrorOf("ic3ih8oc4kh3n\"\""), "n wants a name behind it");
  for (const char* name : {"n\"a", "na\"", "n\"a\"b\""})
    EXPECT_EQ(ErrorOf("ic3ih8oc4kh3" + std::string(name)),
              "the name behind n has a quote too many or too few");
}

TEST(ConvolutionShapes, ThatMeanNothingSayWhatIsWrong) {
  EXPECT_EQ(ErrorOf("ih8oc4kh3"), "ic is missing");
  EXPECT_EQ(ErrorOf("ic3ih8kh3"), "oc is missing");
  EXPECT_EQ(ErrorOf("ic3oc4"), "ih and kh are missing, or iw and kw");
  EXPECT_EQ(ErrorOf("ic3ih8oc4"), "kh is missing");
  EXPECT_EQ(ErrorOf("ic3oc4kh3"), "ih is missing");
  EXPECT_EQ(ErrorOf("ic3ih8oc4kh3iw8"), "kw is missing");
  for (const char* key : {"g", "mb", "sh", "oh"})
    EXPECT_EQ(ErrorOf(std::string(key) + "0ic3ih8oc4kh3"), std::string(key) + "0 is below 1");
  EXPECT_EQ(ErrorOf("ic0ih8oc4kh3"), "ic0 is below 1");
  EXPECT_EQ(ErrorOf("ic3ih8oc4kh0"), "kh0 is below 1");
  EXPECT_EQ(ErrorOf("g2ic3ih8oc4kh3"), "g2 does not divide ic3");
  EXPECT_EQ(ErrorOf("g2ic4ih8oc3kh3"), "g2 does not divide oc3");
  EXPECT_EQ(ErrorOf("ic3ih8oc4kh11ph1"), "kh11 reaches beyond ih8 and its padding");
  EXPECT_EQ(ErrorOf("ic3ih8oc4kh4dh3"), "kh4 reaches beyond ih8 and its padding");
  const std::string less =
      " is less than what follows from ih8, kernel, stride, dilate and padding";
  EXPECT_EQ(ErrorOf("ic3ih8oc4oh5kh3ph0"), "oh5" + less);
  EXPECT_EQ(ErrorOf("ic3ih8oc4oh2kh3"), "oh2" + less);
  EXPECT_EQ(ErrorOf("ic8192ih1oc8193kh1"), "a tensor has more than 67,108,864 elements");
  EXPECT_EQ(ErrorOf("ic4096ih64oc4096kh1"), "there are more than 4,294,967,296 products");
  EXPECT_THAT(Shape("ic4096ih8oc4096kh1").cases, SizeIs(3));
}

}  // namespace
}  // namespace conformance
