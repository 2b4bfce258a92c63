#include "api/model/resolve.h"

#include <cstddef>
#include <limits>
#include <string>

#include "absl/strings/str_cat.h"
#include "api/memory/checks.h"
#include "api/memory/layout.h"
#include "api/model/argument_names.h"
#include "api/spi/signatures.h"

namespace api {
namespace {

template <typename... Args>
absl::Status Wrong(const spi::Operation& operation, const Args&... args) {
  return absl::InternalError(
      absl::StrCat(spi::SignatureOf(operation).name, ": the implementation's answer: ", args...));
}

// Whether a tensor can have this layout, whoever chose it.
absl::Status CheckLayout(const spi::Operation& operation, int argument, const spi::Layout& layout) {
  const auto wrong = [&](const auto&... what) {
    return Wrong(operation, NameOfArgument(argument), ": the layout ", spi::ToString(layout),
                 what...);
  };
  if (layout.kind == spi::LayoutKind::kOpaque)
    return layout.opaque_format != 0 && layout.opaque_bytes >= 0
               ? absl::OkStatus()
               : wrong(" has no format or no size");
  if (layout.kind != spi::LayoutKind::kStrided) return wrong(" is none");
  if (HasRunTimeValues(layout)) return wrong(" is known at execution only");
  const absl::Status status = CheckDesc("it", DescOf(layout));
  if (!status.ok()) return wrong(": ", status.message());
  // A descriptor may repeat an element for who reads it; what is chosen does not.
  for (int j = 0; j < layout.rank; ++j)
    if (!spi::IsEmpty(layout) && layout.strides[j] == 0 && spi::StepsAlong(layout, j) > 1)
      return wrong(" repeats one element");
  return absl::OkStatus();
}

absl::Status Choose(const spi::Layout& answer, uint16_t owner, const spi::Operation& operation,
                    spi::TensorArg* tensor) {
  const spi::Layout& open = tensor->layout;
  if (answer.type != open.type || answer.rank != open.rank || answer.dims != open.dims)
    return Wrong(operation, NameOfArgument(tensor->argument), ": the layout ",
                 spi::ToString(answer), " does not answer ", spi::ToString(open));
  absl::Status status = CheckLayout(operation, tensor->argument, answer);
  if (!status.ok()) return status;
  tensor->layout = answer;
  if (answer.kind == spi::LayoutKind::kOpaque) tensor->layout.owner = owner;
  return absl::OkStatus();
}

}  // namespace

uint16_t OwnerOf(const spi::Implementation& implementation) {
  uint16_t owner = 0;
  for (const spi::Implementation* const listed : spi::Implementations()) {
    ++owner;
    if (listed == &implementation) return owner;
  }
  return 0;
}

absl::Status CheckOwner(const spi::Operation& operation, uint16_t owner) {
  for (const spi::TensorArg& tensor : operation.tensors)
    if (tensor.layout.kind == spi::LayoutKind::kOpaque && tensor.layout.owner != owner)
      return absl::UnimplementedError(absl::StrCat(
          spi::SignatureOf(operation).name, ": ", NameOfArgument(tensor.argument), ": the layout ",
          spi::ToString(tensor.layout), " was chosen by another implementation (OPT-013)"));
  return absl::OkStatus();
}

absl::Status Resolve(const spi::Planned& planned, uint16_t owner, spi::Operation* operation) {
  if (planned.plan == nullptr) return Wrong(*operation, "no plan");
  std::size_t next = 0;
  for (spi::TensorArg& tensor : operation->tensors) {
    if (tensor.layout.kind != spi::LayoutKind::kAny) continue;
    if (next == planned.chosen.size())
      return Wrong(*operation, NameOfArgument(tensor.argument), ": no layout for ",
                   spi::ToString(tensor.layout));
    absl::Status status = Choose(planned.chosen[next++], owner, *operation, &tensor);
    if (!status.ok()) return status;
  }
  if (next != planned.chosen.size())
    return Wrong(*operation, planned.chosen.size(), " layouts for ", next, " that were open");
  if (planned.workspace != nullptr) {
    if (operation->prop != spi::PropKind::kForwardTraining)
      return Wrong(*operation, "a workspace outside forward training");
    absl::Status status = CheckLayout(*operation, spi::kArgWorkspace, *planned.workspace);
    if (!status.ok()) return status;
    operation->tensors.push_back({spi::kArgWorkspace, spi::Access::kWrite, *planned.workspace});
    if (planned.workspace->kind == spi::LayoutKind::kOpaque)
      operation->tensors.back().layout.owner = owner;
  }
  if (planned.scratchpad_bytes == 0) return absl::OkStatus();
  if (planned.scratchpad_bytes > static_cast<std::size_t>(std::numeric_limits<int64_t>::max()))
    return Wrong(*operation, "a scratchpad of ", planned.scratchpad_bytes, " bytes");
  operation->tensors.push_back(
      {spi::kArgScratchpad, spi::Access::kReadWrite,
       VectorLayout(spi::DataType::kU8, static_cast<int64_t>(planned.scratchpad_bytes))});
  return absl::OkStatus();
}

}  // namespace api
