// The functions of eltwise and their derivatives, as the specification writes them, in wide
// arithmetic and by formulas without cancellation. Where a formula as printed has no value but a
// limit, the limit.
#ifndef DNNSPEC_SPEC_ELTWISE_FUNCTIONS_H_
#define DNNSPEC_SPEC_ELTWISE_FUNCTIONS_H_

namespace spec {

enum class EltwiseAlgorithm {
  kRelu,
  kTanh,
  kElu,
  kSquare,
  kAbs,
  kSqrt,
  kLinear,
  kBoundedRelu,
  kSoftRelu,
  kLogistic,
  kExp,
  kGeluTanh,
  kSwish,
  kLog,
  kClip,
  kPow,
  kGeluErf,
  kRound,
};
inline constexpr EltwiseAlgorithm kEltwiseAlgorithms[] = {
    EltwiseAlgorithm::kRelu,     EltwiseAlgorithm::kTanh,     EltwiseAlgorithm::kElu,
    EltwiseAlgorithm::kSquare,   EltwiseAlgorithm::kAbs,      EltwiseAlgorithm::kSqrt,
    EltwiseAlgorithm::kLinear,   EltwiseAlgorithm::kSoftRelu, EltwiseAlgorithm::kBoundedRelu,
    EltwiseAlgorithm::kLogistic, EltwiseAlgorithm::kExp,      EltwiseAlgorithm::kGeluTanh,
    EltwiseAlgorithm::kSwish,    EltwiseAlgorithm::kLog,      EltwiseAlgorithm::kClip,
    EltwiseAlgorithm::kPow,      EltwiseAlgorithm::kGeluErf,  EltwiseAlgorithm::kRound};

// "relu", "gelu_tanh".
const char* NameOf(EltwiseAlgorithm algorithm);

struct Eltwise {
  EltwiseAlgorithm algorithm = EltwiseAlgorithm::kRelu;
  float alpha = 0, beta = 0;
};

// Whether backward by the destination is defined.
bool HasDerivativeByResult(EltwiseAlgorithm algorithm);
// Whether the algorithm has an alpha, and a beta.
bool HasAlpha(EltwiseAlgorithm algorithm);
bool HasBeta(EltwiseAlgorithm algorithm);

long double Function(const Eltwise& eltwise, long double s);
// Not of round.
long double Derivative(const Eltwise& eltwise, long double s);
// The same by d = Function(s), of those that have one.
long double DerivativeByResult(const Eltwise& eltwise, long double d);

}  // namespace spec

#endif  // DNNSPEC_SPEC_ELTWISE_FUNCTIONS_H_
