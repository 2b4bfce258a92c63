#include "api/spi/signatures.h"

#include <algorithm>
#include <variant>

#include "absl/strings/str_cat.h"

namespace spi {
namespace {

template <typename... Args>
absl::Status Invalid(const Signature& signature, const Args&... args) {
  return absl::InvalidArgumentError(absl::StrCat(signature.name, ": ", args...));
}

// Null for tensors of attributes, and for what the primitive does not have.
const ArgumentRule* RuleOf(const Signature& signature, int argument) {
  for (const ArgumentRule& rule : signature.arguments)
    if (rule.argument == argument) return &rule;
  return nullptr;
}

uint8_t AccessOf(const ArgumentRule& rule, PropKind prop) {
  if (prop == PropKind::kBackwardWeights) return rule.backward_weights;
  return IsForward(prop) ? rule.forward : rule.backward;
}

absl::Status CheckLayout(const Signature& signature, const ArgumentRule& rule,
                         const Layout& layout) {
  if (layout.rank < 1 || layout.rank > kMaxRank)
    return Invalid(signature, rule.name, ".rank = ", layout.rank, " is not in [1, ", kMaxRank,
                   "] (", signature.rank, ")");
  if (SizeOf(layout.type) == 0)
    return Invalid(signature, rule.name, ".type = ", static_cast<int>(layout.type),
                   " is no data type (MD-020)");
  if (rule.any != nullptr && layout.kind == LayoutKind::kAny)
    return Invalid(signature, rule.name, " is `any` and has no layout (", rule.any, ")");
  return absl::OkStatus();
}

absl::Status CheckRepeated(const Signature& signature, const ArgumentRule& rule,
                           const Layout& layout) {
  if (layout.kind != LayoutKind::kStrided || IsEmpty(layout)) return absl::OkStatus();
  for (int j = 0; j < layout.rank; ++j)
    if (layout.strides[j] == 0 && StepsAlong(layout, j) > 1)
      return Invalid(signature, rule.name, ".strides[", j, "] = 0 repeats one element ", rule.name,
                     ".dims[", j, "] = ", layout.dims[j], " times (", signature.repeated, ")");
  return absl::OkStatus();
}

// As many factors as the mask means.
absl::Status CheckScales(const Signature& signature, const Operation& request) {
  for (const Scales& scales : request.attributes->scales) {
    const Layout& scaled = LayoutOf(request, scales.argument);
    if (scales.mask < 0)
      return Invalid(signature, "output scale mask = ", scales.mask, " is negative (ATTR-026)");
    if (scales.mask >> scaled.rank != 0)
      return Invalid(signature, "output scale mask = ", scales.mask, " has bits beyond ",
                     RuleOf(signature, scales.argument)->name, ".rank = ", scaled.rank,
                     " (ATTR-025)");
    int64_t count = 1;
    bool overflow = false;
    for (int j = 0; j < scaled.rank; ++j)
      if (scales.mask >> j & 1) overflow |= __builtin_mul_overflow(count, scaled.dims[j], &count);
    const int64_t given = scales.run_time
                              ? std::max<int64_t>(LayoutOf(request, kArgOutputScales).dims[0], 0)
                              : static_cast<int64_t>(scales.values.size());
    const bool none = !scales.run_time && given == 0 && scales.mask == 0;
    if (none || (!overflow && given == count)) continue;
    return Invalid(signature, "output scales has ", given, " values for ",
                   overflow ? "more than 64 bits count" : absl::StrCat(count), " of mask ",
                   scales.mask, " (ATTR-024)");
  }
  return absl::OkStatus();
}

absl::Status CheckSums(const Signature& signature, const Operation& request) {
  const DataType own = LayoutOf(request, kArgDst).type;
  for (const PostOp& op : request.attributes->post_ops) {
    const auto* const sum = std::get_if<SumOp>(&op);
    if (sum != nullptr && SizeOf(sum->type) != SizeOf(own))
      return Invalid(signature, "sum data type ", NameOf(sum->type), " has ", SizeOf(sum->type),
                     " bytes, not ", SizeOf(own), " of ", NameOf(own), " (ATTR-050)");
  }
  return absl::OkStatus();
}

const char* NameOf(PropKind prop) {
  switch (prop) {
    case PropKind::kForwardTraining:
      return " forward_training";
    case PropKind::kForwardInference:
      return " forward_inference";
    case PropKind::kBackward:
      return " backward";
    case PropKind::kBackwardData:
      return " backward_data";
    case PropKind::kBackwardWeights:
      return " backward_weights";
    case PropKind::kBackwardBias:
      return " backward_bias";
    case PropKind::kUndef:
      break;
  }
  return "";
}

}  // namespace

absl::Status CheckRequest(const Operation& request) {
  const Signature& signature = SignatureOf(request);
  for (const ArgumentRule& rule : signature.arguments)
    if (!rule.optional && AccessOf(rule, request.prop) != 0 && Find(request, rule.argument) < 0)
      return Invalid(signature, rule.name, " is missing");
  for (const TensorArg& tensor : request.tensors) {
    const ArgumentRule* const rule = RuleOf(signature, tensor.argument);
    if (rule == nullptr && IsOfAttributes(tensor.argument)) continue;
    if (rule == nullptr || AccessOf(*rule, request.prop) == 0)
      return Invalid(signature, "argument ", tensor.argument, " does not occur");
    const absl::Status status = CheckLayout(signature, *rule, tensor.layout);
    if (!status.ok()) return status;
  }
  // Which relations hold is told before how the elements lie.
  absl::Status status = signature.validate(request);
  if (status.ok() && request.attributes != nullptr) {
    status = CheckScales(signature, request);
    if (status.ok()) status = CheckSums(signature, request);
  }
  for (const TensorArg& tensor : request.tensors) {
    const ArgumentRule* const rule = RuleOf(signature, tensor.argument);
    if (status.ok() && rule != nullptr && Writes(tensor.access))
      status = CheckRepeated(signature, *rule, tensor.layout);
  }
  return status;
}

InPlaceTensors InPlaceOf(const Operation& operation) {
  const Signature& signature = SignatureOf(operation);
  for (const InPlace& pair : signature.in_place) {
    const InPlaceTensors found = {Find(operation, pair.read), Find(operation, pair.written)};
    if (found.read < 0 || found.written < 0) continue;
    const Access access = operation.tensors[static_cast<size_t>(found.written)].access;
    if (access != Access::kWrite) continue;
    return signature.elementwise == nullptr || signature.elementwise(operation) ? found
                                                                                : InPlaceTensors();
  }
  return {};
}

std::string ToString(const Operation& operation) {
  const Signature& signature = SignatureOf(operation);
  std::string text = absl::StrCat(signature.name, NameOf(operation.prop));
  for (const TensorArg& tensor : operation.tensors) {
    const ArgumentRule* const rule = RuleOf(signature, tensor.argument);
    absl::StrAppend(&text, " ", rule == nullptr ? absl::StrCat(tensor.argument) : rule->name, ":",
                    ToString(tensor.layout));
  }
  if (signature.print != nullptr) text += signature.print(operation);
  if (operation.attributes != nullptr) text += ToString(*operation.attributes);
  return text;
}

}  // namespace spi
