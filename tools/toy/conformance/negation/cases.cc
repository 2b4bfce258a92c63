#include "conformance/negation/cases.h"

#include "conformance/case/random.h"
#include "conformance/gen/layouts.h"
#include "conformance/gen/shapes.h"
#include "conformance/gen/values.h"
#include "spec/memory/oracle.h"
#include "spec/negation/oracle.h"

namespace conformance {

std::vector<spec::Bits> NegationCase::Source() const {
  return Values(ValueKind::kIndex, src.type, src.type, seed, spec::ElementCount(src.dims));
}

std::vector<spec::Bits> NegationCase::Expected() const {
  std::vector<spec::Bits> expected = Source();
  for (spec::Bits& bits : expected) bits = spec::Negated(bits);
  return expected;
}

void NegationCase::Print(Fields* fields) const {
  SetTensor(fields, "src", src);
  SetTensor(fields, "dst", dst);
  fields->SetInt("seed", static_cast<int64_t>(seed));
}

NegationCase NegationCase::Parse(const Fields& fields) {
  NegationCase c{GetTensor(fields, "src"), GetTensor(fields, "dst"),
                 static_cast<uint64_t>(fields.Int("seed"))};
  if (c.dst.dims != c.src.dims) fields.Reject("dst", "has not the dims of src");
  return c;
}

std::vector<NegationCase> NegationCase::Simpler() const {
  std::vector<NegationCase> simpler;
  for (const Cut& cut : Cuts(src.dims))
    simpler.push_back({CutTensor(src, cut), CutTensor(dst, cut), seed});
  for (const LayoutSpec& layout : PlainerLayouts(src.layout, src.dims))
    simpler.push_back({{src.type, src.dims, layout}, dst, seed});
  for (const LayoutSpec& layout : PlainerLayouts(dst.layout, dst.dims))
    simpler.push_back({src, {dst.type, dst.dims, layout}, seed});
  if (seed != 0) simpler.push_back({src, dst, 0});
  return simpler;
}

Cases<NegationCase> AnyNegation() {
  return Drawn<NegationCase>([](Random& random) {
    ShapeLimits shapes;
    shapes.max_rank = 6;
    LayoutLimits limits;
    limits.odd_unit_strides = false;
    const spec::Dims dims = AnyShape(random, shapes);
    return NegationCase{AnyTensor(random, spec::Type::kF32, dims, limits),
                        AnyTensor(random, spec::Type::kF32, dims, limits),
                        static_cast<uint64_t>(random.Between(0, 9999))};
  });
}

}  // namespace conformance
