#include "api/convolution/operation.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <limits>
#include <string>
#include <variant>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/types/span.h"
#include "api/spi/plugin_abi.h"

namespace spi {
namespace {

// Sums and products of a few numbers of 64 bits are exact in it.
__extension__ using Wide = __int128;

constexpr int64_t kLargest = std::numeric_limits<int64_t>::max();

template <typename... Args>
absl::Status Invalid(const Args&... args) {
  return absl::InvalidArgumentError(absl::StrCat("convolution: ", args...));
}

const char* NameOf(ConvolutionAlgorithm algorithm) {
  switch (algorithm) {
    case ConvolutionAlgorithm::kDirect:
      return "convolution_direct";
    case ConvolutionAlgorithm::kWinograd:
      return "convolution_winograd";
    case ConvolutionAlgorithm::kAuto:
      return "convolution_auto";
  }
  return nullptr;
}

absl::Status CheckRanks(const ConvolutionView& operation, const ProductNames& names) {
  const int rank = operation.src.rank;
  if (rank < 3 || rank > 5)
    return Invalid(names.src, ".rank = ", rank, " is not in [3, 5] (CONV-020)");
  if (operation.dst.rank != rank)
    return Invalid(names.dst, ".rank = ", operation.dst.rank, " is not ", names.src,
                   ".rank = ", rank, " (CONV-020)");
  if (operation.weights.rank != rank && !operation.grouped)
    return Invalid(names.weights, ".rank = ", operation.weights.rank, " is neither ", names.src,
                   ".rank = ", rank, " nor one more (CONV-021)");
  if (operation.bias != nullptr && operation.bias->rank != 1)
    return Invalid(names.bias, ".rank = ", operation.bias->rank, " is not 1 (CONV-024)");
  return absl::OkStatus();
}

// An axis of a tensor that has the channels of every group.
struct Channels {
  const char* name;
  const Layout& tensor;
  int axis;
  int of_weights;  // the axis of weights without groups that has those of one
  const char* requirement;
};

absl::Status CheckChannels(const ConvolutionView& operation, const ProductNames& names,
                           const Channels& of) {
  const int axis = of.of_weights + (operation.grouped ? 1 : 0);
  const int64_t dim = of.tensor.dims[of.axis], group = operation.weights.dims[axis];
  if (dim == Wide{operation.groups} * group) return absl::OkStatus();
  const std::string first =
      operation.grouped ? absl::StrCat(names.weights, ".dims[0] * ") : std::string();
  const std::string groups =
      operation.grouped ? absl::StrCat(operation.groups, " * ") : std::string();
  return Invalid(of.name, ".dims[", of.axis, "] = ", dim, " is not ", first, names.weights,
                 ".dims[", axis, "] = ", groups, group, " (", of.requirement, ")");
}

absl::Status CheckDims(const ConvolutionView& operation, const ProductNames& names) {
  const Layout &src = operation.src, &dst = operation.dst, &weights = operation.weights;
  if (dst.dims[0] != src.dims[0])
    return Invalid(names.dst, ".dims[0] = ", dst.dims[0], " is not ", names.src,
                   ".dims[0] = ", src.dims[0], " (CONV-022)");
  absl::Status status = CheckChannels(operation, names, {names.src, src, 1, 1, "CONV-023"});
  if (status.ok()) status = CheckChannels(operation, names, {names.dst, dst, 1, 0, "CONV-023"});
  if (status.ok() && operation.bias != nullptr)
    status = CheckChannels(operation, names, {names.bias, *operation.bias, 0, 0, "CONV-024"});
  for (int j = 0; j < weights.rank && status.ok(); ++j)
    if (weights.dims[j] == 0) status = Invalid(names.weights, ".dims[", j, "] = 0 (CONV-032)");
  return status;
}

// Spatial axis `j` of the source.
absl::Status CheckWindow(const ConvolutionParams& params, int j) {
  const int64_t stride = params.strides[j];
  if (stride < 1) return Invalid("strides[", j, "] = ", stride, " is below 1 (CONV-027)");
  if (params.dilates[j] < 0)
    return Invalid("dilates[", j, "] = ", params.dilates[j], " is below 0 (CONV-028)");
  if (params.padding_l[j] < 0)
    return Invalid("padding_l[", j, "] = ", params.padding_l[j], " is below 0 (CONV-029)");
  if (params.padding_r[j] <= -stride)
    return Invalid("padding_r[", j, "] = ", params.padding_r[j], " is not above -strides[", j,
                   "] = ", -stride, " (CONV-030)");
  return absl::OkStatus();
}

std::string TextOf(Wide value) {
  if (value < -Wide{kLargest} || value > kLargest) return "a number beyond 64 bits";
  return absl::StrCat(static_cast<int64_t>(value));
}

absl::Status CheckExtent(const ConvolutionView& operation, const ProductNames& names, int j) {
  const ConvolutionParams& params = operation.params;
  const ConvolutionAxis& axis = operation.axes[3 - operation.spatial + j];
  const Wide kernel = 1 + (axis.kernel - Wide{1}) * (params.dilates[j] + Wide{1});
  const Wide padded = Wide{axis.input} + params.padding_l[j] + params.padding_r[j];
  const Wide range = padded - kernel;
  const Wide floor = range / axis.stride - (range % axis.stride < 0 ? 1 : 0);
  if (axis.output != floor + 1)
    return Invalid(names.dst, ".dims[", 2 + j, "] = ", axis.output, " is not floor((", axis.input,
                   " - ", TextOf(kernel), " + ", params.padding_l[j], " + ", params.padding_r[j],
                   ") / ", axis.stride, ") + 1 = ", TextOf(floor + 1), " (CONV-025)");
  if (padded > kLargest)
    return absl::UnimplementedError(
        absl::StrCat("convolution: ", names.src, ".dims[", 2 + j, "] = ", axis.input,
                     " with padding_l[", j, "] = ", params.padding_l[j], " and padding_r[", j,
                     "] = ", params.padding_r[j], " is above ", kLargest, " (CONV-026)"));
  return absl::OkStatus();
}

absl::Status Validate(const Operation& request) {
  const ConvolutionView operation(request);
  const ProductNames names = ProductNamesOf(operation.prop);
  absl::Status status = CheckRanks(operation, names);
  if (status.ok()) status = CheckDims(operation, names);
  for (int j = 0; j < operation.spatial && status.ok(); ++j)
    status = CheckWindow(operation.params, j);
  for (int j = 0; j < operation.spatial && status.ok(); ++j)
    status = CheckExtent(operation, names, j);
  if (status.ok() && NameOf(operation.params.algorithm) == nullptr)
    status = Invalid("algorithm = ", static_cast<int>(operation.params.algorithm),
                     " is no convolution algorithm (CONV-043)");
  return status;
}

std::string Print(const Operation& request) {
  const ConvolutionView operation(request);
  const ConvolutionParams& params = operation.params;
  const char* const algorithm = NameOf(params.algorithm);
  const auto spatial = [&operation](const std::array<int64_t, 3>& values) {
    return absl::StrJoin(absl::MakeSpan(values).first(static_cast<size_t>(operation.spatial)), "x");
  };
  return absl::StrCat(" ", algorithm == nullptr ? "undef" : algorithm, " strides ",
                      spatial(params.strides), " dilates ", spatial(params.dilates), " padding_l ",
                      spatial(params.padding_l), " padding_r ", spatial(params.padding_r));
}

}  // namespace

constexpr Signature kConvolutionSignature = {
    PrimitiveKind::kConvolution,
    "convolution",
    kProductArguments,
    "CONV-045",
    "CONV-046",
    kProductAttributes,
    {},
    nullptr,
    Validate,
    Print,
};

void ToC(const ConvolutionParams& params, dnnspec_convolution_params* c) {
  c->algorithm = static_cast<int32_t>(params.algorithm);
  std::copy(params.strides.begin(), params.strides.end(), c->strides);
  std::copy(params.dilates.begin(), params.dilates.end(), c->dilates);
  std::copy(params.padding_l.begin(), params.padding_l.end(), c->padding_l);
  std::copy(params.padding_r.begin(), params.padding_r.end(), c->padding_r);
}

void FromC(const dnnspec_convolution_params& c, ConvolutionParams* params) {
  params->algorithm = static_cast<ConvolutionAlgorithm>(c.algorithm);
  std::copy(std::begin(c.strides), std::end(c.strides), params->strides.begin());
  std::copy(std::begin(c.dilates), std::end(c.dilates), params->dilates.begin());
  std::copy(std::begin(c.padding_l), std::end(c.padding_l), params->padding_l.begin());
  std::copy(std::begin(c.padding_r), std::end(c.padding_r), params->padding_r.begin());
}

Operation MakeConvolution(PropKind prop, const ConvolutionParams& params, const Layout& src,
                          const Layout& weights, const Layout* bias, const Layout& dst) {
  return MakeProduct(PrimitiveKind::kConvolution, prop, params, src, weights, bias, dst);
}

ConvolutionView::ConvolutionView(const Operation& operation)
    : ProductView(operation),
      params(std::get<ConvolutionParams>(operation.params)),
      grouped(weights.rank == src.rank + 1),
      batch(src.dims[0]),
      groups(grouped ? weights.dims[0] : 1),
      ic(weights.dims[grouped ? 2 : 1]),
      oc(weights.dims[grouped ? 1 : 0]),
      spatial(std::clamp(src.rank - 2, 0, 3)) {
  for (int j = 0; j < spatial; ++j)
    axes[3 - spatial + j] = {src.dims[2 + j],
                             dst.dims[2 + j],
                             weights.dims[(grouped ? 3 : 2) + j],
                             params.strides[j],
                             std::min(params.dilates[j], kLargest - 1) + 1,
                             params.padding_l[j]};
}

}  // namespace spi
