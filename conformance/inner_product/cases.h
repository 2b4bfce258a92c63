// The input space of the inner product properties: a problem, and how each tensor is presented.
#ifndef DNNSPEC_CONFORMANCE_INNER_PRODUCT_CASES_H_
#define DNNSPEC_CONFORMANCE_INNER_PRODUCT_CASES_H_

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "conformance/case/asked.h"
#include "conformance/case/fields.h"
#include "conformance/case/property.h"
#include "conformance/case/random.h"
#include "conformance/case/trial.h"
#include "conformance/gen/computation.h"
#include "spec/memory/oracle.h"
#include "spec/numeric/convert.h"

namespace conformance {

// One execution: `dir=fwd mb=2 ic=5 sp=3x2 oc=7 src=f32:abcd wei=f32:any dst=f32:ab values=integers
// seed=7`; with a bias `bias=f32:a`, with attributes `scale=channel post=sum:0.5,relu:1:0.25:0`
// (fused.h), and where they are not "mid", `src_at=` and the like for placements.
struct InnerProductCase : Computation {
  int64_t mb = 1, ic = 1, oc = 1;
  spec::Dims spatial;  // up to three

  int64_t inputs() const;  // of one output
  spec::Dims DimsOf(Role role) const override;
  int64_t channels() const override { return oc; }
  int64_t terms() const override { return inputs(); }
  int64_t products() const { return mb * oc * inputs(); }

  void Print(Fields* fields) const;
  static InnerProductCase Parse(const Fields& fields);
  std::vector<InnerProductCase> Simpler() const;

  Asked AskedFor() const { return AskedOf("inner_product"); }

  // For the comparison with ORC-IP of the case's own data (program.cc).
  std::string Statements(Profile profile, std::string_view where, std::string_view expected) const;
};

// What a draw may give.
struct InnerProductLimits : TensorLimits {
  std::vector<Direction> directions = EachDirection();
  std::vector<Types> types{
      Types{spec::Type::kF32, spec::Type::kF32, spec::Type::kF32, spec::Type::kF32}};
  std::vector<Numbers> numbers{Numbers::kIntegers};
  std::vector<int64_t> batches{1, 2, 3, 7, 16, 33};
  int64_t most_products = 1 << 15;
  int bias_percent = 50;
  int64_t count = 0;  // of cases; 0: as many as a run draws
};

InnerProductCase AnyInnerProductCase(Random& random, const InnerProductLimits& limits = {});
// Whether a draw could give `c`, as far as directions, types, numbers and attributes go.
bool Fits(const InnerProductCase& c, const InnerProductLimits& limits);
Cases<InnerProductCase> AnyInnerProduct(const InnerProductLimits& limits = {});

// Layers of networks that people run, as far as a case may take: forward and both backward.
Cases<InnerProductCase> NetworkInnerProducts();
// Work for several threads, of numbers of outputs and rows that these do not share evenly.
Cases<InnerProductCase> ThreadedInnerProducts(const std::vector<Direction>& directions);
// The same of the types beside f32.
Cases<InnerProductCase> ThreadedInnerProductsOfTypes(Direction direction);
// As many products in a sum as there may be in a block of them, one more and one less, of more
// rows and outputs than a tile has.
Cases<InnerProductCase> AroundBlocks();
// Rows of each type with a few elements between them, forward, beside weights that `any` chooses.
Cases<InnerProductCase> RowsApart();
// Up to 10^5 inputs.
Cases<InnerProductCase> LongInnerProducts();
// The same of outputs or of rows, backward.
Cases<InnerProductCase> LongGradients(Direction direction);
// Thousands of rows or of outputs beside a few of the other, sums of 40,000 products, and a
// gradient of weights of 16 MiB by two rows.
Cases<InnerProductCase> LongAndNarrow();
// Every subset of the tensors of each direction as `any`.
Cases<InnerProductCase> AnySubsets();

// Classes of input that `c` belongs to: its direction, "rank 4", "bias", "any src", "one row",
// "one output", "one channel", "long", "tail", "work for threads", and those of its tensors.
std::vector<std::string> ClassesOf(const InnerProductCase& c);

}  // namespace conformance

#endif  // DNNSPEC_CONFORMANCE_INNER_PRODUCT_CASES_H_
