#include "api/shuffle/operation.h"

#include "absl/strings/str_cat.h"

namespace spi {
namespace {

template <typename... Args>
absl::Status Invalid(const Args&... args) {
  return absl::InvalidArgumentError(absl::StrCat("shuffle: ", args...));
}

absl::Status CheckTensors(const char* from_name, const char* to_name, const Layout& from,
                          const Layout& to) {
  if (from.rank < 1 || from.rank > kMaxRank)
    return Invalid(from_name, ".rank = ", from.rank, " is not in [1, ", kMaxRank, "] (SHU-004)");
  if (SizeOf(from.type) == 0)
    return Invalid(from_name, ".type = ", static_cast<int>(from.type), " is no data type (MD-020)");
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

}  // namespace

absl::Status Validate(const ShuffleOperation& operation) {
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
  if (IsEmpty(to)) return absl::OkStatus();
  for (int j = 0; j < to.rank; ++j)
    if (to.strides[j] == 0 && StepsAlong(to, j) > 1)
      return Invalid(to_name, ".strides[", j, "] = 0 repeats one element ", to_name, ".dims[", j,
                     "] = ", to.dims[j], " times (MD-014)");
  return absl::OkStatus();
}

std::string ToString(const ShuffleOperation& operation) {
  std::string text = absl::StrCat("shuffle ", operation.forward ? "forward " : "backward ",
                                  ToString(operation.from));
  if (ToString(operation.from) != ToString(operation.to))
    absl::StrAppend(&text, " -> ", ToString(operation.to));
  return absl::StrCat(text, " axis ", operation.axis, " group ", operation.group_size);
}

}  // namespace spi
