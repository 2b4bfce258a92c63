// Samples: primitives with what they need to run and what they must give, for checks of the
// programming model, to which the computation matters little. Each topic adds kinds of them in its
// sample.cc, so that those checks name no primitive:
//
//   const bool added = AddSample({"forward", "shuffle", dnnl::primitive::kind::shuffle, ...});
//
// All values are such that every order of summation gives the same: results are compared for
// equality.
#ifndef DNNSPEC_CONFORMANCE_SUBJECT_SAMPLE_H_
#define DNNSPEC_CONFORMANCE_SUBJECT_SAMPLE_H_

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "conformance/case/random.h"
#include "conformance/gen/sample_case.h"
#include "conformance/gen/tensors.h"
#include "conformance/subject/attempt.h"
#include "oneapi/dnnl/dnnl.hpp"
#include "spec/numeric/convert.h"

namespace conformance {

struct SampleKind;
class SampleOperation;

// What a sample is made of.
struct SamplePlan {
  // What is read beside the source: weights, the data of a backward.
  struct Input {
    int arg = 0;
    TensorSpec tensor;
  };

  const SampleKind* kind = nullptr;
  TensorSpec from, to;
  std::vector<Input> others;
  std::vector<int64_t> numbers;  // parameters of the primitive, as its topic understands them

  int from_arg() const;
  int to_arg() const;
  // Of a tensor by its argument; null where there is none.
  const TensorSpec* TensorOf(int arg) const;

  // Row-major elements of an input, and of the destination: `inputs` are the source's, then those
  // of the others.
  std::vector<spec::Bits> Values(uint64_t seed) const;
  std::vector<spec::Bits> ValuesOf(const Input& input, uint64_t seed) const;
  std::vector<spec::Bits> Results(const std::vector<std::vector<spec::Bits>>& inputs) const;

  // What a primitive descriptor is made from. May throw.
  std::unique_ptr<SampleOperation> Operation() const;
};

// The memory descriptors that an operation is made of, in the order of a plan's tensors.
struct SampleDescs {
  explicit SampleDescs(const SamplePlan& plan);  // may throw

  dnnl::memory::desc from, to;
  std::vector<dnnl::memory::desc> others;
};

// A primitive descriptor of a class that the topic alone knows.
class SamplePd {
 public:
  virtual ~SamplePd() = default;

  virtual dnnl::primitive_desc_base Base() const = 0;  // cut down
  virtual dnnl::primitive Primitive() const = 0;       // likewise; may throw
  virtual std::unique_ptr<SamplePd> Copy() const = 0;
  // next_impl(); false where the class has none.
  virtual bool Next() = 0;
};

// What a primitive descriptor is made from: an operation descriptor, or the arguments of a class
// that has none.
class SampleOperation {
 public:
  virtual ~SampleOperation() = default;

  virtual std::unique_ptr<SampleOperation> Copy() const = 0;
  // Overwrites it by an operation of the same kind.
  virtual void Assign(const SampleOperation& other) = 0;
  // May throw.
  virtual std::unique_ptr<SamplePd> On(const dnnl::engine& engine, const dnnl::primitive_attr& attr,
                                       bool allow_empty) const = 0;
  std::unique_ptr<SamplePd> On(const dnnl::engine& engine, const dnnl::primitive_attr& attr) const {
    return On(engine, attr, /*allow_empty=*/false);
  }
};

// A kind of sample.
struct SampleKind {
  std::string name;   // in lines of cases
  std::string topic;  // as claims name it: "inner_product"
  dnnl::primitive::kind primitive = dnnl::primitive::kind::undef;
  int from_arg = DNNL_ARG_SRC, to_arg = DNNL_ARG_DST;
  std::vector<spec::Type> types;  // of the source, that the documents know
  int min_rank = 1, max_rank = kMostSampleRank;
  int share = 1;  // of the cases, compared with other kinds: less of what is dear
  // Every subject with the topic offers it in f32; otherwise it may be unimplemented.
  bool is_mandatory = false;
  // It has an operation descriptor, and so next_impl() and arguments of one engine.
  bool has_operation = true;
  // Other extents than those drawn serve as well, at every axis but number 1, and other layouts.
  // Both tensors have the same extents, and one layout unless `has_own_layouts`.
  bool is_reshapable = false;
  bool has_own_layouts = false;
  // Axes, as bits, along which output scales may differ; 0: it takes neither scales nor sums.
  int scaled_axes = 0;

  SamplePlan (*draw)(const SampleCase& c, Random& random) = nullptr;
  std::vector<spec::Bits> (*values)(const SamplePlan& plan, int arg, uint64_t seed) = nullptr;
  std::vector<spec::Bits> (*results)(const SamplePlan& plan,
                                     const std::vector<std::vector<spec::Bits>>& inputs) = nullptr;
  // Made of the very `descs`, which are the plan's. May throw.
  std::unique_ptr<SampleOperation> (*operation)(const SamplePlan& plan,
                                                const SampleDescs& descs) = nullptr;
};

// A kind of sums of products, with weights: what is the same for all topics that have some.
SampleKind ProductsKind(bool forward);
// The same of gradients of weights.
SampleKind WeightsGradientKind();

// Always true, so that it can initialise a namespace-scope constant.
bool AddSample(SampleKind kind);
// Those of the topics that are linked, by name.
const std::vector<const SampleKind*>& SampleKinds();
const SampleKind* SampleKindOf(const std::string& name);  // null: none of the linked topics has it

template <class Pd, class = void>
struct HasNextImpl : std::false_type {};
template <class Pd>
struct HasNextImpl<Pd, std::void_t<decltype(std::declval<Pd&>().next_impl())>> : std::true_type {};

template <class Class>
class SamplePdOf final : public SamplePd {
 public:
  using Pd = typename Class::primitive_desc;

  explicit SamplePdOf(Pd pd) : pd_(std::move(pd)) {}

  dnnl::primitive_desc_base Base() const override { return pd_; }
  dnnl::primitive Primitive() const override { return Class(pd_); }
  std::unique_ptr<SamplePd> Copy() const override { return std::make_unique<SamplePdOf>(pd_); }
  bool Next() override {
    if constexpr (HasNextImpl<Pd>::value) {
      return pd_.next_impl();
    } else {
      return false;
    }
  }

 private:
  Pd pd_;
};

template <class Class, class Operation>
class SampleOperationOf final : public SampleOperation {
 public:
  using Make = std::function<typename Class::primitive_desc(
      const Operation& operation, const dnnl::engine& engine, const dnnl::primitive_attr& attr,
      bool allow_empty)>;

  SampleOperationOf(Operation operation, Make make)
      : operation_(std::move(operation)), make_(std::move(make)) {}

  std::unique_ptr<SampleOperation> Copy() const override {
    return std::make_unique<SampleOperationOf>(operation_, make_);
  }
  void Assign(const SampleOperation& other) override {
    const auto& same = static_cast<const SampleOperationOf&>(other);
    operation_ = same.operation_;
    make_ = same.make_;
  }
  using SampleOperation::On;
  std::unique_ptr<SamplePd> On(const dnnl::engine& engine, const dnnl::primitive_attr& attr,
                               bool allow_empty) const override {
    return std::make_unique<SamplePdOf<Class>>(make_(operation_, engine, attr, allow_empty));
  }

 private:
  Operation operation_;
  Make make_;
};

// `make(operation, engine, attr, allow_empty)` is a primitive descriptor of the class.
template <class Class, class Operation, class Make>
std::unique_ptr<SampleOperation> OperationOf(Operation operation, Make make) {
  return std::make_unique<SampleOperationOf<Class, Operation>>(std::move(operation),
                                                               std::move(make));
}

// Of a class that is made by (operation, attributes, engine).
template <class Forward>
std::unique_ptr<SampleOperation> ForwardOperationOf(typename Forward::desc operation) {
  return OperationOf<Forward>(
      std::move(operation), [](const typename Forward::desc& made, const dnnl::engine& engine,
                               const dnnl::primitive_attr& attr, bool allow_empty) {
        return typename Forward::primitive_desc(made, attr, engine, allow_empty);
      });
}

// `make(hint)` is a descriptor, which has its hint among `hints` unless it is empty.
template <class Hint, class Make>
auto MakeOfHint(std::vector<Hint>& hints, const Hint& hint, Make make) -> decltype(make(hint)) {
  auto pd = make(hint);
  if (Attempt([&] { return pd.get_kind(); })) hints.push_back(hint);
  return pd;
}

// Of one that is made by (operation, attributes, engine, hint). Its hints are of `forward`, and
// live as long as this.
template <class Backward, class Forward>
std::unique_ptr<SampleOperation> BackwardOperationOf(typename Backward::desc operation,
                                                     typename Forward::desc forward) {
  using Hints = std::vector<typename Forward::primitive_desc>;
  return OperationOf<Backward>(
      std::move(operation), [hints = std::make_shared<Hints>(), forward = std::move(forward)](
                                const typename Backward::desc& made, const dnnl::engine& engine,
                                const dnnl::primitive_attr& attr, bool allow_empty) {
        // On no engine there is no hint either.
        const typename Forward::primitive_desc given(forward, engine, allow_empty);
        return MakeOfHint(*hints, given, [&](const auto& hint) {
          return typename Backward::primitive_desc(made, attr, engine, hint, allow_empty);
        });
      });
}

}  // namespace conformance

#endif  // DNNSPEC_CONFORMANCE_SUBJECT_SAMPLE_H_
