// What checks of refusals share that inner product and convolution have: requests that may be
// wrong, how they are presented, and which forward is the hint of a backward one. It has the dims
// of the legal request that is nearest, since a hint of other dims may be an error by itself
// (CONV-162, A-67).
#ifndef DNNSPEC_CONFORMANCE_SUBJECT_COMPUTATION_REFUSALS_H_
#define DNNSPEC_CONFORMANCE_SUBJECT_COMPUTATION_REFUSALS_H_

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "conformance/case/refusal.h"
#include "conformance/case/trial.h"
#include "conformance/gen/computation.h"
#include "conformance/subject/attempt.h"
#include "conformance/subject/computation.h"
#include "conformance/subject/device.h"
#include "conformance/subject/expect.h"
#include "conformance/subject/tensor.h"
#include "oneapi/dnnl/dnnl.hpp"
#include "spec/memory/oracle.h"

namespace conformance {

// Arguments of a constructor: dims by Role, none of which are the zero descriptor, and what
// PrimitivesOf of a primitive takes beside descriptors.
template <class Numbers>
struct Request {
  std::array<spec::Dims, 4> dims;
  Numbers numbers;
  // The role whose strides are known at execution only, and its axis where it is one alone.
  int open_strides = -1, open_axis = -1;
};

// How a request is presented.
struct Way {
  const char* name;
  Types types{spec::Type::kF32, spec::Type::kF32, spec::Type::kF32, spec::Type::kF32};
  bool any = false;
  dnnl::prop_kind kind = dnnl::prop_kind::forward_training;
  bool bias = true;
  // By the constructor that takes dilations, where there is one.
  bool dilates = true;
};
inline constexpr Way kUsual{"row-major"};

// Row-major; what depends on an open dim is open.
template <class Numbers>
dnnl::memory::desc DescOf(const Request<Numbers>& given, Role role, const Way& way) {
  constexpr int64_t kOpen = spec::kRunTimeDim;
  const spec::Dims& dims = given.dims[role];
  const bool open_strides = given.open_strides == role;
  if (dims.empty()) return {};
  if (way.any && !open_strides) return WithAny(way.types[role], dims);
  spec::Dims strides(dims.size(), 1);
  for (size_t axis = dims.size(); axis-- > 1;)
    strides[axis - 1] = dims[axis] == kOpen || strides[axis] == kOpen
                            ? kOpen
                            : strides[axis] * std::max<int64_t>(1, dims[axis]);
  if (open_strides && given.open_axis < 0) strides.assign(dims.size(), kOpen);
  if (open_strides && given.open_axis >= 0) strides[static_cast<size_t>(given.open_axis)] = kOpen;
  return {dims, DataTypeOf(way.types[role]), strides};
}

// The same with a batch of nothing, where the batch is not what is wrong.
template <class Numbers>
std::optional<Request<Numbers>> WithoutBatch(Request<Numbers> given) {
  for (const Role role : {kSrc, kDst}) {
    spec::Dims& dims = given.dims[role];
    if (dims.empty() || dims[0] != 2) return std::nullopt;
    dims[0] = 0;
  }
  return given;
}

// The axes by which the tensors of two requests differ.
template <class Numbers>
size_t DistanceOf(const Request<Numbers>& a, const Request<Numbers>& b) {
  size_t distance = 0;
  for (const Role role : kRoles) {
    const spec::Dims &x = a.dims[role], &y = b.dims[role];
    const size_t both = std::min(x.size(), y.size());
    distance += std::max(x.size(), y.size()) - both;
    for (size_t axis = 0; axis < both; ++axis) distance += x[axis] != y[axis] ? 1 : 0;
  }
  return distance;
}

// The one of `legal`, of which there are some, from which `wrong` differs least.
template <class Numbers>
Request<Numbers> NearestOf(const std::vector<Request<Numbers>>& legal,
                           const Request<Numbers>& wrong) {
  return *std::min_element(legal.begin(), legal.end(), [&](const auto& a, const auto& b) {
    return DistanceOf(a, wrong) < DistanceOf(b, wrong);
  });
}

// A primitive descriptor; of a backward one the hint is the forward of `legal`, in f32.
template <class Case, class Numbers>
Attempted<ComputationPd<Case>> TryRequest(const Request<Numbers>& given,
                                          const Request<Numbers>& legal, Direction direction,
                                          Device& device, const Way& way = kUsual) {
  using Of = PrimitivesOf<Case>;
  return Attempt([&] {
    ComputationDescs descs, any;
    for (const Role role : kRoles) {
      descs[role] = DescOf(given, role, way);
      any[role] = WithAny(spec::Type::kF32, legal.dims[role]);
    }
    ComputationPd<Case> pd;
    pd.direction = direction;
    if (direction == Direction::kForward) {
      const auto desc = Of::ForwardDesc(given.numbers, way.kind, descs, way.bias);
      pd.forward = typename Of::Forward::primitive_desc(*desc, device.engine);
      return pd;
    }
    const auto forward =
        Of::ForwardDesc(legal.numbers, dnnl::prop_kind::forward_training, any, false);
    const typename Of::Forward::primitive_desc hint(*forward, device.engine);
    if (direction == Direction::kBackwardData) {
      const auto desc = Of::DataDesc(given.numbers, descs);
      pd.backward_data = typename Of::BackwardData::primitive_desc(*desc, device.engine, hint);
    } else {
      const auto desc = Of::WeightsDesc(given.numbers, descs, way.bias);
      pd.backward_weights =
          typename Of::BackwardWeights::primitive_desc(*desc, device.engine, hint);
    }
    return pd;
  });
}

// Of a request that is legal, with itself as the hint.
template <class Case, class Numbers>
bool ExpectLegalRequest(const Request<Numbers>& legal, const std::string& what, Direction direction,
                        Device& device, Trial& trial) {
  return ExpectAccepted(trial, TryRequest<Case>(legal, legal, direction, device), what);
}

// Refused with this status, which portable leaves open, and so without a batch.
template <class Case, class Numbers>
bool ExpectRefusedRequest(const Request<Numbers>& wrong, const Request<Numbers>& legal,
                          const std::string& what, Refusal::Status status, Direction direction,
                          Device& device, Trial& trial) {
  const auto made = TryRequest<Case>(wrong, legal, direction, device);
  if (!ExpectRefused(trial, made, what)) return false;
  if (trial.project() && !trial.Expect(made.refusal.MayBe(status), "the status of " + what,
                                       std::to_string(status), std::to_string(made.refusal.status)))
    return false;
  const auto empty = WithoutBatch(wrong), empty_legal = WithoutBatch(legal);
  return !empty || !empty_legal ||
         ExpectRefused(trial, TryRequest<Case>(*empty, *empty_legal, direction, device),
                       what + " without a batch");
}

}  // namespace conformance

#endif  // DNNSPEC_CONFORMANCE_SUBJECT_COMPUTATION_REFUSALS_H_
