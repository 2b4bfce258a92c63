#include "impl_cpu/product/finish.h"

#include <algorithm>
#include <variant>

#include "absl/strings/str_cat.h"
#include "impl_cpu/product/arguments.h"

namespace impl_cpu {
namespace {

using spi::DataType;

bool IsInteger(DataType type) {
  return type == DataType::kU8 || type == DataType::kS8 || type == DataType::kS32;
}

void AddScales(const spi::Operation& operation, Finish* finish) {
  for (const spi::Scales& scales : operation.attributes->scales) {
    finish->scale = scales.mask == 0 ? Finish::Scale::kOne : Finish::Scale::kMany;
    if (scales.run_time) {
      finish->scales_buffer = spi::Find(operation, spi::kArgOutputScales);
    } else {
      finish->scales.assign(scales.values.begin(), scales.values.end());
    }
  }
}

}  // namespace

Finish FinishOf(const spi::Operation& operation, const spi::Layout* bias, const spi::Layout& dst) {
  Finish finish;
  if (bias != nullptr) {
    finish.bias_type = bias->type;
    finish.bias_buffer = PositionOf(operation, *bias);
    finish.bias_offset = bias->offset;
    finish.bias = Index(*bias, {0});
  }
  if (operation.attributes != nullptr) {
    AddScales(operation, &finish);
    for (spi::PostOp op : operation.attributes->post_ops) {
      if (auto* const sum = std::get_if<spi::SumOp>(&op)) {
        if (sum->scale == 0) continue;
        if (sum->type == DataType::kUndef) sum->type = dst.type;
      }
      finish.post_ops.push_back(op);
    }
  }
  finish.exact = dst.type == DataType::kS32 && finish.scale == Finish::Scale::kNone &&
                 finish.post_ops.empty() && (bias == nullptr || IsInteger(bias->type));
  return finish;
}

bool Finish::sums() const {
  return std::any_of(post_ops.begin(), post_ops.end(),
                     [](const spi::PostOp& op) { return std::holds_alternative<spi::SumOp>(op); });
}

std::string ToString(const Finish& finish) {
  std::string text;
  if (finish.bias_buffer >= 0) absl::StrAppend(&text, " bias");
  if (finish.scale == Finish::Scale::kOne) absl::StrAppend(&text, " scale:one");
  if (finish.scale == Finish::Scale::kMany) absl::StrAppend(&text, " scale:many");
  for (const spi::PostOp& op : finish.post_ops)
    absl::StrAppend(&text, std::holds_alternative<spi::SumOp>(op) ? " sum" : " eltwise");
  return text;
}

}  // namespace impl_cpu
