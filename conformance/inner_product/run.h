// Makes and executes the inner product that a case describes, on the subject.
#ifndef DNNSPEC_CONFORMANCE_INNER_PRODUCT_RUN_H_
#define DNNSPEC_CONFORMANCE_INNER_PRODUCT_RUN_H_

#include <array>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "conformance/case/trial.h"
#include "conformance/inner_product/cases.h"
#include "conformance/inner_product/data.h"
#include "conformance/subject/attempt.h"
#include "conformance/subject/device.h"
#include "conformance/subject/tensor.h"
#include "oneapi/dnnl/dnnl.hpp"

namespace conformance {

using ProductForward = dnnl::inner_product_forward;
using ProductBackwardData = dnnl::inner_product_backward_data;
using ProductBackwardWeights = dnnl::inner_product_backward_weights;

// By Role; the zero descriptor where there is no tensor.
using ProductDescs = std::array<dnnl::memory::desc, 4>;

// DNNL_ARG_DIFF_WEIGHTS and the like.
int ArgumentOf(const InnerProductCase& c, Role role);

// The primitive descriptor of one of the three classes.
struct ProductPd {
  Direction direction = Direction::kForward;
  ProductForward::primitive_desc forward;
  ProductBackwardData::primitive_desc backward_data;
  ProductBackwardWeights::primitive_desc backward_weights;
  // What it was made of: no check but one asks whether a descriptor can do without.
  std::shared_ptr<const void> desc, hint;

  template <class Use>
  auto With(Use use) {
    if (direction == Direction::kForward) return use(forward);
    if (direction == Direction::kBackwardData) return use(backward_data);
    return use(backward_weights);
  }

  // By its getter.
  dnnl::memory::desc DescOf(Role role) const;
  // May throw.
  dnnl::primitive Primitive() const;
};

// What is not in a case.
struct Making {
  dnnl::prop_kind kind = dnnl::prop_kind::forward_training;
  bool user_scratchpad = false;
  std::optional<ProductForward::primitive_desc> hint;  // else HintFor
};

// The descriptors that a case gives to the constructor. nullopt after recording the outcome in
// `trial` where one was refused.
std::optional<ProductDescs> DescsFor(const InnerProductCase& c, Trial& trial);

// The attributes of a case; may throw.
dnnl::primitive_attr AttrOf(const InnerProductCase& c);

// The constructor calls; may throw. The hint is a forward of the same shape with `any` for all.
ProductPd MakePd(const InnerProductCase& c, const ProductDescs& descs, const dnnl::engine& engine,
                 const Making& making = {});
ProductForward::primitive_desc HintFor(const InnerProductCase& c, const dnnl::engine& engine);

// The same for a check that only starts from it. nullopt after recording the outcome: not run where
// "Unsupported is not wrong" (spec/README.md) lets the subject refuse, otherwise a failure.
std::optional<ProductPd> PdFor(const InnerProductCase& c, const ProductDescs& descs, Device& device,
                               Trial& trial, const Making& making = {});
std::optional<dnnl::primitive> PrimitiveOf(const ProductPd& pd, Trial& trial);

// The memory of one primitive's tensors, in the layouts that its descriptor tells.
class ProductBench {
 public:
  // May throw.
  ProductBench(const InnerProductCase& c, const ProductPd& pd, Device& device);

  // Stores all of `data`, outputs too, through reorders where the case says `any`. What is stored
  // is then in *data: an element that others share its place with holds theirs. False with the
  // outcome in `trial` where that was refused.
  bool Fill(InnerProductData* data, Trial& trial);
  // The same of inputs alone: outputs keep what an execution left there.
  bool FillInputs(InnerProductData* data, Trial& trial);

  // What execute() gets.
  std::unordered_map<int, dnnl::memory> Arguments();
  const dnnl::memory& scratchpad() const { return scratchpad_; }  // empty if there is none
  // Executes and waits. False, with a failure, if that throws.
  bool Execute(const dnnl::primitive& primitive, Trial& trial);

  // What the outputs hold.
  std::optional<InnerProductData> Read(Trial& trial);

  // Fails unless inputs are as Fill left them, and of outputs all that is no element. True if so.
  bool ExpectFootprint(Trial& trial);

 private:
  struct Slot {
    bool opaque = false;
    std::unique_ptr<Tensor> tensor;  // of an opaque one the elements are its bytes
    dnnl::memory memory;
    std::vector<spec::Bits> stored;  // of the tensor
  };

  bool FillOne(Role role, std::vector<spec::Bits>* elements, Trial& trial);

  InnerProductCase case_;
  Device& device_;
  std::array<Slot, 4> slots_;
  dnnl::memory scales_, scratchpad_;
  bool has_scales_ = false, has_scratchpad_ = false;
};

// One that has run.
struct RanProduct {
  ProductPd pd;
  dnnl::primitive primitive;
  std::unique_ptr<ProductBench> bench;
  InnerProductData data;     // as it was stored
  InnerProductData results;  // of outputs
};

// From descriptors to results, of the case's own data or of other. nullopt after recording the
// outcome in `trial` when something was refused or failed.
std::optional<RanProduct> RunProduct(const InnerProductCase& c, InnerProductData data, Trial& trial,
                                     const Making& making = {});
// And tells the trial which classes of input it saw.
std::optional<RanProduct> RunProduct(const InnerProductCase& c, Trial& trial,
                                     const Making& making = {});

// Fails at the first element that ORC-IP does not accept. True when there is none.
bool ExpectOracle(const InnerProductCase& c, const InnerProductData& data,
                  const InnerProductData& results, Trial& trial);
// The property of most: the case is run, and ORC-IP accepts what comes.
void IsTheFormula(const InnerProductCase& c, Trial& trial);
// The same where the case may be refused, which it then is each time.
void RefusedOrRight(const InnerProductCase& c, Trial& trial);
// Fails at the first element where the outputs differ in bits, but for the sign of zero.
bool ExpectSameResults(const InnerProductCase& c, const std::string& what,
                       const InnerProductData& expected, const InnerProductData& results,
                       Trial& trial);

// Trial::Cover for every class of `c`.
void SawProduct(Trial& trial, const InnerProductCase& c);

}  // namespace conformance

#endif  // DNNSPEC_CONFORMANCE_INNER_PRODUCT_RUN_H_
