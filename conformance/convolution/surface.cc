// CONV-001 to CONV-004: the names and parameter orders.
#include <type_traits>

#include "conformance/case/property.h"
#include "conformance/convolution/cases.h"
#include "conformance/convolution/run.h"
#include "conformance/gen/choice.h"
#include "conformance/subject/computation_empty.h"
#include "spec/requirements.h"

namespace conformance {
namespace {

using dnnl::algorithm;
using dnnl::memory;
using dnnl::prop_kind;

using Md = const memory::desc&;
using Dims = const memory::dims&;
using Engine = const dnnl::engine&;
using Attr = const dnnl::primitive_attr&;
using Hint = const ConvolutionForward::primitive_desc&;

void ForwardDescExists(const NoParameters&, Trial& trial) {
  using Desc = ConvolutionForward::desc;
  trial.Expect(
      std::is_constructible_v<Desc, prop_kind, algorithm, Md, Md, Md, Md, Dims, Dims, Dims, Dims>,
      "desc(kind, algorithm, src, weights, bias, dst, strides, dilates, l, r)") &&
      trial.Expect(
          std::is_constructible_v<Desc, prop_kind, algorithm, Md, Md, Md, Md, Dims, Dims, Dims>,
          "desc(kind, algorithm, src, weights, bias, dst, strides, l, r)") &&
      trial.Expect(
          std::is_constructible_v<Desc, prop_kind, algorithm, Md, Md, Md, Dims, Dims, Dims, Dims>,
          "desc(kind, algorithm, src, weights, dst, strides, dilates, l, r)") &&
      trial.Expect(
          std::is_constructible_v<Desc, prop_kind, algorithm, Md, Md, Md, Dims, Dims, Dims>,
          "desc(kind, algorithm, src, weights, dst, strides, l, r)") &&
      trial.Expect(!std::is_constructible_v<Desc, prop_kind, Md, Md, Md, Dims, Dims, Dims>,
                   "desc without an algorithm", "not there", "there") &&
      trial.Expect(!std::is_constructible_v<Desc, prop_kind, algorithm, Md, Md, Md, Dims, Dims>,
                   "desc without one padding", "not there", "there");
}

void DataDescExists(const NoParameters&, Trial& trial) {
  using Desc = ConvolutionBackwardData::desc;
  trial.Expect(std::is_constructible_v<Desc, algorithm, Md, Md, Md, Dims, Dims, Dims, Dims>,
               "desc(algorithm, diff_src, weights, diff_dst, strides, dilates, l, r)") &&
      trial.Expect(std::is_constructible_v<Desc, algorithm, Md, Md, Md, Dims, Dims, Dims>,
                   "desc(algorithm, diff_src, weights, diff_dst, strides, l, r)") &&
      trial.Expect(!std::is_constructible_v<Desc, algorithm, Md, Md, Md, Md, Dims, Dims, Dims>,
                   "desc of backward data with a bias", "not there", "there");
}

void WeightsDescExists(const NoParameters&, Trial& trial) {
  using Desc = ConvolutionBackwardWeights::desc;
  trial.Expect(std::is_constructible_v<Desc, algorithm, Md, Md, Md, Md, Dims, Dims, Dims, Dims>,
               "desc(algorithm, src, diff_weights, diff_bias, diff_dst, strides, dilates, l, r)") &&
      trial.Expect(std::is_constructible_v<Desc, algorithm, Md, Md, Md, Md, Dims, Dims, Dims>,
                   "desc(algorithm, src, diff_weights, diff_bias, diff_dst, strides, l, r)") &&
      trial.Expect(std::is_constructible_v<Desc, algorithm, Md, Md, Md, Dims, Dims, Dims, Dims>,
                   "desc(algorithm, src, diff_weights, diff_dst, strides, dilates, l, r)") &&
      trial.Expect(std::is_constructible_v<Desc, algorithm, Md, Md, Md, Dims, Dims, Dims>,
                   "desc(algorithm, src, diff_weights, diff_dst, strides, l, r)");
}

void ForwardPdExists(const NoParameters&, Trial& trial) {
  using Pd = ConvolutionForward::primitive_desc;
  using Desc = const ConvolutionForward::desc&;
  trial.Expect(std::is_default_constructible_v<Pd>, "primitive_desc()") &&
      trial.Expect(std::is_constructible_v<Pd, Desc, Engine>, "primitive_desc(desc, engine)") &&
      trial.Expect(std::is_constructible_v<Pd, Desc, Engine, bool>,
                   "primitive_desc(desc, engine, allow_empty)") &&
      trial.Expect(std::is_constructible_v<Pd, Desc, Attr, Engine>,
                   "primitive_desc(desc, attr, engine)") &&
      trial.Expect(std::is_constructible_v<Pd, Desc, Attr, Engine, bool>,
                   "primitive_desc(desc, attr, engine, allow_empty)") &&
      trial.Expect(std::is_constructible_v<ConvolutionForward, const Pd&>,
                   "convolution_forward(pd)") &&
      trial.Expect(std::is_base_of_v<dnnl::primitive, ConvolutionForward>,
                   "convolution_forward is a primitive");
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
    Define(spec::CONV_001, "", ForwardDescExists),
    Define(spec::CONV_002, "", DataDescExists),
    Define(spec::CONV_003, "", WeightsDescExists),
    Define(spec::CONV_004, "forward", ForwardPdExists),
    Define(spec::CONV_004, "data", BackwardPdExists<ConvolutionBackwardData>),
    Define(spec::CONV_004, "weights", BackwardPdExists<ConvolutionBackwardWeights>),
    Define<Choice>(spec::CONV_004, "empty", Choices(NamesOfDirections()),
                   AllowEmptyGivesEmpty<ConvolutionCase>),
};

}  // namespace
}  // namespace conformance
