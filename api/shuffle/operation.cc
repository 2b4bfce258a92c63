#include "api/shuffle/operation.h"

#include <string>
#include <variant>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "api/spi/plugin_abi.h"

namespace spi {
namespace {

template <typename... Args>
absl::Status Invalid(const Args&... args) {
  return absl::InvalidArgumentError(absl::StrCat("shuffle: ", args...));
}

absl::Status CheckTensors(const char* from_name, const char* to_name, const Layout& from,
                          const Layout& to) {
  if (from.rank != to.rank)
    return Invalid(from_name, ".rank = ", from.rank, " is not ", to_name, ".rank = ", to.rank,
                   " (SHU-004)");
  for (int j = 0; j < from.rank; ++j)
    if (from.dims[j] != to.dims[j])
      return Invalid(from_name, ".dims[", j, "] = ", from.dims[j], " is not ", to_name, ".dims[", j,
                     "] = ", to.dims[j], " (SHU-004)");
  if (from.type != to.type)
    return Invalid(from_name, ".type = ", NameOf(from.type), " is not ", to_name,
                   ".type = ", NameOf(to.type), " (SHU-054)");
  return absl::OkStatus();
}

absl::Status Validate(const Operation& request) {
  const ShuffleView operation(request);
  const Layout& to = operation.to;
  const char* const from_name = operation.forward ? "src" : "diff_dst";
  const char* const to_name = operation.forward ? "dst" : "diff_src";
  absl::Status status = CheckTensors(from_name, to_name, operation.from, to);
  if (!status.ok()) return status;
  if (operation.axis < 0 || operation.axis >= to.rank)
    return Invalid("axis = ", operation.axis, " is not in [0, ", to.rank, ") (SHU-007)");
  if (operation.group_size < 1)
    return Invalid("group_size = ", operation.group_size, " is below 1 (SHU-008)");
  const int64_t size = to.dims[operation.axis];
  if (size % operation.group_size != 0)
    return Invalid("group_size = ", operation.group_size, " does not divide ", from_name, ".dims[",
                   operation.axis, "] = ", size, " (SHU-008)");
  return absl::OkStatus();
}

// With one group, and with groups of one, nothing moves.
bool IsElementwise(const Operation& request) {
  const ShuffleView operation(request);
  const int64_t size = operation.from.dims[operation.axis];
  return operation.group_size == 1 || operation.group_size == size;
}

std::string Print(const Operation& operation) {
  const auto& params = std::get<ShuffleParams>(operation.params);
  return absl::StrCat(" axis ", params.axis, " group ", params.group_size);
}

constexpr auto kReads = static_cast<uint8_t>(Access::kRead);
constexpr auto kWrites = static_cast<uint8_t>(Access::kWrite);
constexpr ArgumentRule kArguments[] = {
    {kArgSrc, "src", kReads, 0, 0, false, "SHU-010"},
    {kArgDst, "dst", kWrites, 0, 0, false, "SHU-010"},
    {kArgDiffDst, "diff_dst", 0, kReads, 0, false, "SHU-011"},
    {kArgDiffSrc, "diff_src", 0, kWrites, 0, false, "SHU-011"},
};
constexpr InPlace kInPlace[] = {{kArgDst, kArgSrc}, {kArgDiffSrc, kArgDiffDst}};

}  // namespace

constexpr Signature kShuffleSignature = {
    PrimitiveKind::kShuffle, "shuffle", kArguments,    "SHU-004", "MD-014",
    {0, "SHU-012"},          kInPlace,  IsElementwise, Validate,  Print,
};

void ToC(const ShuffleParams& params, dnnspec_shuffle_params* c) {
  c->axis = params.axis;
  c->group_size = params.group_size;
}

void FromC(const dnnspec_shuffle_params& c, ShuffleParams* params) {
  params->axis = c.axis;
  params->group_size = c.group_size;
}

void FillShuffle(PropKind prop, const Layout& from, const Layout& to, const ShuffleParams& params,
                 Operation* operation) {
  const bool forward = IsForward(prop);
  operation->kind = PrimitiveKind::kShuffle;
  operation->prop = prop;
  operation->params = params;
  operation->tensors.resize(2);
  TensorArg &read = operation->tensors[0], &written = operation->tensors[1];
  read.argument = forward ? kArgSrc : kArgDiffDst;
  read.layout = from;
  written.argument = forward ? kArgDst : kArgDiffSrc;
  written.access = Access::kWrite;
  written.layout = to;
}

ShuffleView::ShuffleView(const Operation& operation)
    : forward(IsForward(operation.prop)),
      from(operation.tensors[0].layout),
      to(operation.tensors[1].layout),
      axis(std::get<ShuffleParams>(operation.params).axis),
      group_size(std::get<ShuffleParams>(operation.params).group_size) {}

}  // namespace spi
