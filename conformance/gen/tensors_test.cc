#include "conformance/gen/tensors.h"

#include <algorithm>
#include <map>

#include "gtest/gtest.h"

namespace conformance {
namespace {

std::vector<TensorSpec> Tensors(int count) {
  Random random(1);
  std::vector<TensorSpec> tensors;
  LayoutLimits limits;
  limits.zero_strides = true;
  for (int i = 0; i < count; ++i)
    tensors.push_back(
        AnyTensor(random, AnyType(random), AnyShape(random, {1, 12, 512, true}), limits));
  return tensors;
}

TEST(Tensor, IsParsedAsItIsPrinted) {
  for (const TensorSpec& tensor : Tensors(5000)) {
    const std::string text = ToString(tensor);
    const auto parsed = ParseTensor(text);
    ASSERT_TRUE(parsed) << text;
    EXPECT_EQ(ToString(*parsed), text);
    EXPECT_EQ(parsed->dims, tensor.dims);
    EXPECT_EQ(parsed->type, tensor.type);
  }
}

TEST(Tensor, IsAFieldOfACase) {
  Fields fields;
  SetTensor(&fields, "src", *ParseTensor("bf16:2x3:sub(4x5:ba@1,2)"));
  EXPECT_EQ(fields.ToString(), "src=bf16:2x3:sub(4x5:ba@1,2)");
  const Fields parsed = Fields::Parse(fields.ToString());
  EXPECT_EQ(ToString(GetTensor(parsed, "src")), "bf16:2x3:sub(4x5:ba@1,2)");
  EXPECT_EQ(parsed.error(), "");
}

TEST(ParseTensor, RefusesWhatIsNoTensor) {
  for (const char* text :
       {"", "f32", "f32:2", "f32:2:", "f64:2:a", "f32:2x-1:ab", "f32:2:ab", "f32:2x3:s1",
        "f32:1x1x1x1x1x1x1x1x1x1x1x1x1:s1,1,1,1,1,1,1,1,1,1,1,1,1", "f32:3:sub(4:a@2)"}) {
    EXPECT_FALSE(ParseTensor(text)) << text;
    const Fields fields = Fields::Parse("src=" + std::string(text));
    GetTensor(fields, "src");
    EXPECT_NE(fields.error(), "") << text;
  }
}

TEST(Tensor, HasNoMoreElementsThanACaseCanHold) {
  const auto error = [](const std::string& text) {
    const Fields fields = Fields::Parse("src=" + text);
    GetTensor(fields, "src");
    return fields.error();
  };
  EXPECT_EQ(error("u8:8192x8192:ab"), "");
  EXPECT_NE(error("u8:8192x8193:ab").find("67108864 elements"), std::string::npos);
  EXPECT_NE(error("u8:3000000000x3000000000x3000000000:s1,1,1").find("67108864 elements"),
            std::string::npos);
  EXPECT_EQ(error("u8:3000000000x3000000000x0:s1,1,1"), "");
}

TEST(OffsetsOf, IsTheOffsetFormulaForEachElement) {
  for (const TensorSpec& tensor : Tensors(2000)) {
    const spec::Plain plain = PlainOf(tensor);
    const std::vector<int64_t> offsets = OffsetsOf(plain);
    ASSERT_EQ(static_cast<int64_t>(offsets.size()), spec::ElementCount(tensor.dims));
    for (size_t k = 0; k < offsets.size(); ++k) {
      const spec::Dims x = spec::Unravel(static_cast<int64_t>(k), tensor.dims);
      ASSERT_EQ(offsets[k], spec::OffsetOf(plain, x)) << ToString(tensor) << " " << Join(x, ',');
    }
  }
}

TEST(PermuteTensor, MovesAxesAndKeepsAddresses) {
  Random random(2);
  for (const TensorSpec& tensor : Tensors(1000)) {
    const std::vector<int> permutation = AnyPermutation(random, tensor.rank());
    const TensorSpec permuted = PermuteTensor(tensor, permutation);
    for (int i = 0; i < tensor.rank(); ++i)
      EXPECT_EQ(permuted.dims[permutation[i]], tensor.dims[i]);
    const auto before = OffsetsOf(PlainOf(tensor)), after = OffsetsOf(PlainOf(permuted));
    const auto numbers = NumbersBeforePermutation(tensor.dims, permutation);
    ASSERT_EQ(numbers.size(), after.size());
    for (size_t k = 0; k < after.size(); ++k)
      ASSERT_EQ(after[k], before[numbers[k]]) << ToString(tensor);
  }
}

TEST(CutTensor, StaysATensor) {
  for (const TensorSpec& tensor : Tensors(1000)) {
    for (const Cut& cut : Cuts(tensor.dims)) {
      const std::string text = ToString(CutTensor(tensor, cut));
      EXPECT_TRUE(ParseTensor(text)) << text;
    }
  }
}

std::vector<std::string> Classes(const char* text) { return ClassesOf(*ParseTensor(text)); }
bool Has(const std::vector<std::string>& classes, const char* name) {
  return std::count(classes.begin(), classes.end(), name) == 1;
}

TEST(ClassesOf, NamesWhatATensorIs) {
  EXPECT_EQ(Classes("f32:2x3:ab"), (std::vector<std::string>{"rank 2", "f32", "tag"}));
  EXPECT_EQ(Classes("s8:2x3:s3,1"), (std::vector<std::string>{"rank 2", "s8", "dense strides"}));
  EXPECT_TRUE(Has(Classes("f32:2x3:ba"), "permuted"));
  EXPECT_TRUE(Has(Classes("f32:2x3:s4,1"), "gapped"));
  EXPECT_FALSE(Has(Classes("f32:2x3:s4,1"), "dense strides"));
  EXPECT_TRUE(Has(Classes("f32:2x3:sub(2x3:ab@0,0)"), "region"));
  EXPECT_TRUE(Has(Classes("f32:0x3:ab"), "empty"));
  EXPECT_TRUE(Has(Classes("f32:4x3:s0,1"), "zero stride"));
  EXPECT_TRUE(Has(Classes("f32:1x3:ab"), "size-1 dim"));
  EXPECT_FALSE(Has(Classes("f32:1x3:ab"), "odd size-1 stride"));
  EXPECT_TRUE(Has(Classes("f32:1x3:s2,1"), "odd size-1 stride"));
  EXPECT_TRUE(Has(Classes("f32:17:a"), "tail"));
  EXPECT_FALSE(Has(Classes("f32:16:a"), "tail"));
  EXPECT_TRUE(Has(Classes("f32:64x64:ab"), "large"));
}

TEST(JudgeDescriptor, KnowsWhatAnImplementationMayRefuse) {
  const auto portable = [](const char* text) {
    return JudgeDescriptor(*ParseTensor(text)).portable;
  };
  EXPECT_EQ(portable("f32:2x3:ab"), spec::Validity::kMustAccept);
  EXPECT_EQ(portable("f32:2x3:s3,1"), spec::Validity::kMustAccept);
  EXPECT_EQ(portable("f32:1x3:s2,1"), spec::Validity::kEither);
  EXPECT_EQ(portable("f32:2x3:s0,1"), spec::Validity::kEither);
  EXPECT_EQ(portable("f32:1x3:sub(4x3:s2,1@0,0)"), spec::Validity::kMustReject);
}

}  // namespace
}  // namespace conformance
