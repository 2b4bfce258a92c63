#include "impl_vulkan/convolution/convolution.h"

#include <utility>

#include "absl/strings/str_cat.h"
#include "impl_vulkan/product/epilogue.h"

namespace impl_vulkan {
namespace {

using spi::DataType;

class Maker {
 public:
  explicit Maker(const spi::Operation& operation) : operation_(operation), view_(operation) {}

  absl::StatusOr<Convolution> Make() {
    SetRange(kGroup, view_.groups);
    if (spi::IsForward(view_.prop)) {
      const absl::Status status = Forward();
      if (!status.ok()) return status;
    } else if (view_.prop == spi::PropKind::kBackwardData) {
      BackwardData();
    } else {
      BackwardWeights();
    }
    SetPartial();
    return std::move(made_);
  }

 private:
  absl::Status Forward() {
    SetRange(kChannel, view_.oc);
    SetRange(kOuter, view_.batch);
    SetRange(kInner, view_.ic);
    for (int d = 0; d < 3; ++d) {
      const spi::ConvolutionAxis& axis = AxisAt(d);
      SetRange(kX0 + d, axis.output);
      SetRange(kT0 + d, axis.kernel);
      GatherAt(d) = {-axis.padding, axis.stride, axis.step, 1};
    }
    SetActivation(kA, spi::kArgSrc, kOuter, kInner, kNoLoop);
    SetWeights(kB, spi::kArgWeights, kChannel, kInner, kT0);
    SetActivation(kC, spi::kArgDst, kOuter, kChannel, kX0);
    if (view_.bias != nullptr) {
      made_.operands[kBias] = {Position(spi::kArgBias), *view_.bias, {{kGroup, kChannel}}};
    }
    absl::StatusOr<Epilogue> epilogue = EpilogueOf("convolution", operation_.attributes.get(),
                                                   view_.bias != nullptr, view_.dst.type);
    if (!epilogue.ok()) return epilogue.status();
    made_.epilogue = *std::move(epilogue);
    made_.scales_position = ScalesPosition(operation_, made_.epilogue);
    return absl::OkStatus();
  }

  void BackwardData() {
    SetRange(kChannel, view_.ic);
    SetRange(kOuter, view_.batch);
    SetRange(kInner, view_.oc);
    for (int d = 0; d < 3; ++d) {
      const spi::ConvolutionAxis& axis = AxisAt(d);
      SetRange(kX0 + d, axis.input);
      SetRange(kT0 + d, axis.kernel);
      GatherAt(d) = {axis.padding, 1, -axis.step, axis.stride};
    }
    SetActivation(kA, spi::kArgDiffDst, kOuter, kInner, kNoLoop);
    SetWeights(kB, spi::kArgWeights, kInner, kChannel, kT0);
    SetActivation(kC, spi::kArgDiffSrc, kOuter, kChannel, kX0);
  }

  void BackwardWeights() {
    SetRange(kChannel, view_.oc);
    SetRange(kOuter, view_.ic);
    SetRange(kInner, view_.batch);
    made_.a_channel = kOuter;
    for (int d = 0; d < 3; ++d) {
      const spi::ConvolutionAxis& axis = AxisAt(d);
      SetRange(kX0 + d, axis.kernel);
      SetRange(kT0 + d, axis.output);
      GatherAt(d) = {-axis.padding, axis.step, axis.stride, 1};
    }
    SetActivation(kA, spi::kArgSrc, kInner, kOuter, kNoLoop);
    SetActivation(kB, spi::kArgDiffDst, kInner, kChannel, kT0);
    SetWeights(kC, spi::kArgDiffWeights, kChannel, kOuter, kX0);
  }

  void SetRange(int loop, int64_t extent) {
    made_.ranges[static_cast<size_t>(loop)].extent = extent;
  }
  const spi::ConvolutionAxis& AxisAt(int d) const { return view_.axes[static_cast<size_t>(d)]; }
  Gather& GatherAt(int d) { return made_.gathers[static_cast<size_t>(d)]; }
  int Position(int argument) const { return spi::Find(operation_, argument); }

  // `spatial`: the first of its three loops; kNoLoop: they are gathered.
  void SetActivation(OperandOf which, int argument, int batch, int channel, int spatial) {
    ConvolutionOperand& operand = made_.operands[which];
    operand = {Position(argument), spi::LayoutOf(operation_, argument), {}};
    operand.axes = {{kNoLoop, batch}, {kGroup, channel}};
    AddSpatial(spatial, &operand);
  }

  void SetWeights(OperandOf which, int argument, int oc, int ic, int spatial) {
    ConvolutionOperand& operand = made_.operands[which];
    operand = {Position(argument), spi::LayoutOf(operation_, argument), {}};
    if (view_.grouped) operand.axes.push_back({kNoLoop, kGroup});
    operand.axes.push_back({kNoLoop, oc});
    operand.axes.push_back({kNoLoop, ic});
    AddSpatial(spatial, &operand);
  }

  void AddSpatial(int spatial, ConvolutionOperand* operand) const {
    for (int d = 3 - view_.spatial; d < 3; ++d) {
      operand->axes.push_back(spatial == kNoLoop ? LoopsOf{kNoLoop, kNoLoop, d}
                                                 : LoopsOf{kNoLoop, spatial + d});
    }
  }

  // As C, but without gaps and of four bytes.
  void SetPartial() {
    const ConvolutionOperand& c = made_.operands[kC];
    ConvolutionOperand& partial = made_.operands[kPartial];
    partial = c;
    partial.position = static_cast<int>(operation_.tensors.size());
    partial.layout = spi::Strided(DataType::kF32, {c.layout.dims.data(), c.layout.rank},
                                  {c.layout.blocks.data(), c.layout.block_count});
  }

  const spi::Operation& operation_;
  const spi::ConvolutionView view_;
  Convolution made_;
};

}  // namespace

absl::StatusOr<Convolution> ConvolutionOf(const spi::Operation& operation) {
  return Maker(operation).Make();
}

std::string Describe(const Convolution& convolution) {
  const auto product = [&](int first, int loops) {
    int64_t extent = 1;
    for (int loop = first; loop < first + loops; ++loop) {
      extent *= convolution.ranges[static_cast<size_t>(loop)].extent;
    }
    return extent;
  };
  const auto type = [&](OperandOf which) {
    return spi::NameOf(convolution.operands[which].layout.type);
  };
  std::string text =
      absl::StrCat("convolution ", type(kA), " ", type(kB), "->", type(kC), " ", product(kGroup, 1),
                   "x", product(kOuter, 4), "x", product(kChannel, 1), "x", product(kInner, 4));
  if (convolution.operands[kBias].present()) absl::StrAppend(&text, " bias ", type(kBias));
  if (convolution.epilogue.scales) absl::StrAppend(&text, " scales");
  if (convolution.epilogue.old_type != DataType::kUndef) absl::StrAppend(&text, " sum");
  if (!convolution.epilogue.steps.empty()) {
    absl::StrAppend(&text, " ", convolution.epilogue.steps.size(), " steps");
  }
  return text;
}

}  // namespace impl_vulkan
