#include "api/eltwise/operation.h"

#include <string>
#include <variant>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "api/spi/eltwise_limits.h"
#include "api/spi/plugin_abi.h"

namespace spi {
namespace {

template <typename... Args>
absl::Status Invalid(const Args&... args) {
  return absl::InvalidArgumentError(absl::StrCat("eltwise: ", args...));
}

// The argument that the function, or its derivative, is of.
int DataArgument(bool forward, Algorithm algorithm) {
  return !forward && UsesDst(algorithm) ? kArgDst : kArgSrc;
}

absl::Status CheckAlgorithm(const EltwiseView& operation) {
  if (!IsEltwise(operation.algorithm))
    return Invalid("algorithm = ", static_cast<int>(operation.algorithm),
                   " is no eltwise algorithm (ELT-007)");
  if (!operation.forward && operation.algorithm == Algorithm::kEltwiseRound)
    return Invalid("eltwise_round has no backward (ELT-014)");
  const std::string broken = BrokenLimit(operation.algorithm, operation.alpha, operation.beta);
  return broken.empty() ? absl::OkStatus() : Invalid(broken);
}

absl::Status Compare(const char* a_name, const Layout& a, const char* b_name, const Layout& b,
                     const char* requirement) {
  if (a.rank != b.rank)
    return Invalid(a_name, ".rank = ", a.rank, " is not ", b_name, ".rank = ", b.rank, " (",
                   requirement, ")");
  for (int j = 0; j < a.rank; ++j)
    if (a.dims[j] != b.dims[j])
      return Invalid(a_name, ".dims[", j, "] = ", a.dims[j], " is not ", b_name, ".dims[", j,
                     "] = ", b.dims[j], " (", requirement, ")");
  if (a.type != b.type)
    return Invalid(a_name, ".type = ", NameOf(a.type), " is not ", b_name,
                   ".type = ", NameOf(b.type), " (ELT-012)");
  return absl::OkStatus();
}

absl::Status Validate(const Operation& request) {
  const EltwiseView operation(request);
  absl::Status status = CheckAlgorithm(operation);
  if (!status.ok()) return status;
  const bool of_dst = DataArgument(operation.forward, operation.algorithm) == kArgDst;
  const char* const data = of_dst ? "dst" : "src";
  if (operation.data.kind == LayoutKind::kNone) return Invalid(data, " is missing (ELT-005)");
  if (operation.forward) {
    if (operation.to.kind == LayoutKind::kNone) return Invalid("dst is missing (ELT-005)");
    return Compare("src", operation.data, "dst", operation.to, "ELT-002");
  }
  if (Find(request, of_dst ? kArgSrc : kArgDst) >= 0)
    return Invalid(of_dst ? "src" : "dst", " is not read by the backward of ",
                   NameOf(operation.algorithm), " (ELT-005)");
  status = Compare("diff_dst", operation.diff_dst, data, operation.data, "ELT-011");
  return status.ok() ? Compare("diff_src", operation.to, "diff_dst", operation.diff_dst, "ELT-003")
                     : status;
}

std::string Print(const Operation& operation) {
  const auto& params = std::get<EltwiseParams>(operation.params);
  return absl::StrCat(" ", NameOf(params.algorithm), " alpha ", params.alpha, " beta ",
                      params.beta);
}

constexpr auto kReads = static_cast<uint8_t>(Access::kRead);
constexpr auto kWrites = static_cast<uint8_t>(Access::kWrite);
// Which of src and dst backward reads is known by the algorithm.
constexpr ArgumentRule kArguments[] = {
    {kArgSrc, "src", kReads, kReads, 0, true, "ELT-008"},
    {kArgDst, "dst", kWrites, kReads, 0, true, "ELT-008"},
    {kArgDiffDst, "diff_dst", 0, kReads, 0, false, nullptr},
    {kArgDiffSrc, "diff_src", 0, kWrites, 0, false, nullptr},
};
constexpr InPlace kInPlace[] = {{kArgDst, kArgSrc}, {kArgDiffSrc, kArgDiffDst}};

}  // namespace

constexpr Signature kEltwiseSignature = {
    PrimitiveKind::kEltwise, "eltwise", kArguments, "ELT-013", "MD-014",
    {0, "ELT-081"},          kInPlace,  nullptr,    Validate,  Print,
};

void ToC(const EltwiseParams& params, dnnspec_eltwise_params* c) {
  c->algorithm = static_cast<int32_t>(params.algorithm);
  c->alpha = params.alpha;
  c->beta = params.beta;
}

void FromC(const dnnspec_eltwise_params& c, EltwiseParams* params) {
  params->algorithm = static_cast<Algorithm>(c.algorithm);
  params->alpha = c.alpha;
  params->beta = c.beta;
}

Operation MakeEltwiseForward(PropKind prop, const EltwiseParams& params, const Layout& src,
                             const Layout& dst) {
  Operation operation;
  operation.kind = PrimitiveKind::kEltwise;
  operation.prop = prop;
  operation.tensors = {{kArgSrc, Access::kRead, src}, {kArgDst, Access::kWrite, dst}};
  operation.params = params;
  return operation;
}

Operation MakeEltwiseBackward(const EltwiseParams& params, const Layout& data,
                              const Layout& diff_dst, const Layout& diff_src) {
  Operation operation;
  operation.kind = PrimitiveKind::kEltwise;
  operation.prop = PropKind::kBackwardData;
  operation.tensors.reserve(4);  // with a scratchpad
  operation.tensors.push_back({DataArgument(false, params.algorithm), Access::kRead, data});
  operation.tensors.push_back({kArgDiffDst, Access::kRead, diff_dst});
  operation.tensors.push_back({kArgDiffSrc, Access::kWrite, diff_src});
  operation.params = params;
  return operation;
}

EltwiseView::EltwiseView(const Operation& operation)
    : forward(IsForward(operation.prop)),
      algorithm(std::get<EltwiseParams>(operation.params).algorithm),
      alpha(std::get<EltwiseParams>(operation.params).alpha),
      beta(std::get<EltwiseParams>(operation.params).beta),
      data(LayoutOf(operation, DataArgument(forward, algorithm))),
      diff_dst(LayoutOf(operation, kArgDiffDst)),
      to(LayoutOf(operation, forward ? kArgDst : kArgDiffSrc)) {}

}  // namespace spi
