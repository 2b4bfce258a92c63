// IP-001, IP-002: the names and parameter orders.
#include <type_traits>

#include "conformance/case/property.h"
#include "conformance/gen/choice.h"
#include "conformance/inner_product/cases.h"
#include "conformance/inner_product/run.h"
#include "conformance/subject/computation_empty.h"
#include "spec/requirements.h"

namespace conformance {
namespace {

using dnnl::memory;
using dnnl::prop_kind;

using Md = const memory::desc&;
using Engine = const dnnl::engine&;
using Attr = const dnnl::primitive_attr&;
using Hint = const ProductForward::primitive_desc&;

void DescsExist(const NoParameters&, Trial& trial) {
  using Forward = ProductForward::desc;
  using Data = ProductBackwardData::desc;
  using Weights = ProductBackwardWeights::desc;
  trial.Expect(std::is_constructible_v<Forward, prop_kind, Md, Md, Md, Md>,
               "inner_product_forward::desc(prop_kind, src, weights, bias, dst)") &&
      trial.Expect(std::is_constructible_v<Forward, prop_kind, Md, Md, Md>,
                   "inner_product_forward::desc(prop_kind, src, weights, dst)") &&
      trial.Expect(std::is_constructible_v<Data, Md, Md, Md>,
                   "inner_product_backward_data::desc(diff_src, weights, diff_dst)") &&
      trial.Expect(
          std::is_constructible_v<Weights, Md, Md, Md, Md>,
          "inner_product_backward_weights::desc(src, diff_weights, diff_bias, diff_dst)") &&
      trial.Expect(std::is_constructible_v<Weights, Md, Md, Md>,
                   "inner_product_backward_weights::desc(src, diff_weights, diff_dst)") &&
      trial.Expect(!std::is_constructible_v<Forward, Md, Md, Md>,
                   "inner_product_forward::desc(src, weights, dst)", "not there", "there") &&
      trial.Expect(!std::is_constructible_v<Data, Md, Md, Md, Md>,
                   "inner_product_backward_data::desc with a bias", "not there", "there");
}

void ForwardPdExists(const NoParameters&, Trial& trial) {
  using Pd = ProductForward::primitive_desc;
  using Desc = const ProductForward::desc&;
  trial.Expect(std::is_default_constructible_v<Pd>, "primitive_desc()") &&
      trial.Expect(std::is_constructible_v<Pd, Desc, Engine>, "primitive_desc(desc, engine)") &&
      trial.Expect(std::is_constructible_v<Pd, Desc, Engine, bool>,
                   "primitive_desc(desc, engine, allow_empty)") &&
      trial.Expect(std::is_constructible_v<Pd, Desc, Attr, Engine>,
                   "primitive_desc(desc, attr, engine)") &&
      trial.Expect(std::is_constructible_v<Pd, Desc, Attr, Engine, bool>,
                   "primitive_desc(desc, attr, engine, allow_empty)") &&
      trial.Expect(std::is_constructible_v<ProductForward, const Pd&>,
                   "inner_product_forward(pd)") &&
      trial.Expect(std::is_base_of_v<dnnl::primitive, ProductForward>,
                   "inner_product_forward is a primitive");
}

template <class Primitive>
void BackwardPdExists(const NoParameters&, Trial& trial) {
  using Pd = typename Primitive::primitive_desc;
  using Desc = const typename Primitive::desc&;
  trial.Expect(std::is_default_constructible_v<Pd>, "primitive_desc()") &&
      trial.Expect(std::is_constructible_v<Pd, Desc, Engine, Hint>,
                   "primitive_desc(desc, engine, hint)") &&
      trial.Expect(std::is_constructible_v<Pd, Desc, Engine, Hint, bool>,
                   "primitive_desc(desc, engine, hint, allow_empty)") &&
      trial.Expect(std::is_constructible_v<Pd, Desc, Attr, Engine, Hint>,
                   "primitive_desc(desc, attr, engine, hint)") &&
      trial.Expect(std::is_constructible_v<Pd, Desc, Attr, Engine, Hint, bool>,
                   "primitive_desc(desc, attr, engine, hint, allow_empty)") &&
      trial.Expect(!std::is_constructible_v<Pd, Desc, Engine>, "primitive_desc without a hint",
                   "not there", "there") &&
      trial.Expect(std::is_constructible_v<Primitive, const Pd&>, "the primitive of a pd") &&
      trial.Expect(std::is_base_of_v<dnnl::primitive, Primitive>, "it is a primitive");
}

const bool kDefined[] = {
    Define(spec::IP_001, "", DescsExist),
    Define(spec::IP_002, "forward", ForwardPdExists),
    Define(spec::IP_002, "data", BackwardPdExists<ProductBackwardData>),
    Define(spec::IP_002, "weights", BackwardPdExists<ProductBackwardWeights>),
    Define<Choice>(spec::IP_002, "empty", Choices(NamesOfDirections()),
                   AllowEmptyGivesEmpty<InnerProductCase>),
};

}  // namespace
}  // namespace conformance
