#include "api/eltwise/testing/interpret.h"

#include <cstdint>
#include <optional>
#include <string>

#include "api/eltwise/operation.h"
#include "api/spi/types.h"
#include "api/testing/functions.h"
#include "spec/eltwise/oracle.h"
#include "spec/numeric/compare.h"
#include "spec/numeric/convert.h"

namespace spi {
namespace {

using spec::Bits;
using spec::Type;

class RightEltwise final : public Right {
 public:
  RightEltwise(Type type, const FunctionResult& result) : type_(type), result_(result) {}

  Bits value() const override { return spec::Convert(type_, result_.nearest); }
  bool Allows(Bits got) const override {
    if (spec::SameValue(type_, value(), got)) return true;
    return result_.allowed && spec::Accepts(type_, *result_.allowed, got);
  }
  std::string Text() const override {
    return result_.allowed ? spec::ToString(type_, *result_.allowed)
                           : spec::ToString(type_, value());
  }

 private:
  const Type type_;
  const FunctionResult result_;
};

}  // namespace

void InterpretEltwise(const Tensors& tensors, Use use) {
  const EltwiseView view(tensors.operation);
  const bool of_dst = !view.forward && UsesDst(view.algorithm);
  const Tensor data = tensors[of_dst ? kArgDst : kArgSrc];
  const std::optional<Tensor> diff_dst =
      view.forward ? std::nullopt : std::optional<Tensor>(tensors[kArgDiffDst]);
  const int argument = view.forward ? kArgDst : kArgDiffSrc;
  Tensor to = tensors[argument];
  const auto result = [&](int64_t k) {
    if (view.forward) return ForwardAt(view.algorithm, view.alpha, view.beta, data.Float(k));
    return BackwardAt(view.algorithm, view.alpha, view.beta, data.Float(k), diff_dst->Float(k));
  };
  for (int64_t k = 0; k < to.size(); ++k) use(argument, to, k, RightEltwise(to.type, result(k)));
  to.ClearPadding();
}

}  // namespace spi
