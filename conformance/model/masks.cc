// ATTR-025: bits of a mask that stand for no axis of the destination.
#include <string>
#include <vector>

#include "conformance/case/property.h"
#include "conformance/gen/values.h"
#include "conformance/model/cases.h"
#include "conformance/model/holder.h"
#include "conformance/subject/attempt.h"
#include "conformance/subject/device.h"
#include "conformance/subject/expect.h"
#include "conformance/subject/tensor.h"
#include "oneapi/dnnl/dnnl.hpp"
#include "spec/reorder/oracle.h"
#include "spec/requirements.h"

namespace conformance {
namespace {

using dnnl::memory;
using dnnl::prop_kind;
using Desc = memory::desc;

// A primitive that takes output scales, and the dims of its destination.
struct Scaled {
  std::string name;
  spec::Type to = spec::Type::kF32;
  memory::dims dims;
  int masks = 1;       // that it serves, as bits: bit 2 stands for mask 2
  int open_axis = -1;  // whose extent comes with the execution
};

constexpr int kEveryMask = 0xff;  // of three axes
constexpr int kCommonOrChannel = 1 << 0 | 1 << 2;

Scaled DrawScaled(Random& random) {
  Scaled scaled;
  scaled.name = random.Pick({"reorder", "reorder", "open reorder", "inner product", "convolution"});
  scaled.dims = {random.Between(2, 5), random.Between(2, 5)};
  scaled.masks = kCommonOrChannel;
  if (scaled.name == "inner product") return scaled;
  scaled.dims.push_back(random.Between(2, 5));
  if (scaled.name == "convolution") return scaled;
  scaled.masks = kEveryMask;
  scaled.to = AnyType(random);
  if (scaled.name == "open reorder") scaled.open_axis = static_cast<int>(random.Between(0, 2));
  return scaled;
}

// May throw. All strides of what is open come with the execution as well.
void MakeReorder(const Scaled& scaled, const dnnl::primitive_attr& attr,
                 const dnnl::engine& engine) {
  memory::dims dims = scaled.dims;
  memory::dims strides{dims[1] * dims[2], dims[2], 1};
  if (scaled.open_axis >= 0) {
    dims[static_cast<size_t>(scaled.open_axis)] = DNNL_RUNTIME_DIM_VAL;
    strides.assign(dims.size(), DNNL_RUNTIME_DIM_VAL);
  }
  dnnl::reorder::primitive_desc(engine, Desc(dims, memory::data_type::f32, strides), engine,
                                Desc(dims, DataTypeOf(scaled.to), strides), attr);
}

void Make(const Scaled& scaled, const dnnl::primitive_attr& attr, const dnnl::engine& engine) {
  const memory::dims& dims = scaled.dims;
  if (scaled.name == "inner product") {
    using Product = dnnl::inner_product_forward;
    Product::primitive_desc(Product::desc(prop_kind::forward_inference, Rows({dims[0], 7}),
                                          Rows({dims[1], 7}), Rows(dims)),
                            attr, engine);
  } else if (scaled.name == "convolution") {
    using Convolution = dnnl::convolution_forward;
    Convolution::primitive_desc(
        Convolution::desc(prop_kind::forward_inference, dnnl::algorithm::convolution_direct,
                          Rows({dims[0], 3, dims[2]}), Rows({dims[1], 3, 1}), Rows(dims), {1}, {0},
                          {0}),
        attr, engine);
  } else {
    MakeReorder(scaled, attr, engine);
  }
}

void BitsBeyondTheRank(const SeedCase& c, Trial& trial) {
  Device* const device = DeviceFor(trial);
  if (device == nullptr) return;
  Random random(Mix(c.seed));
  const Scaled scaled = DrawScaled(random);
  const auto rank = static_cast<int>(scaled.dims.size());
  int within = static_cast<int>(random.Between(0, (1 << rank) - 1));
  if ((scaled.masks >> within & 1) == 0) within = 0;
  // The number of scales that an open extent stands for is not known.
  if (scaled.open_axis >= 0) within &= ~(1 << scaled.open_axis);
  const int beyond = within | 1 << random.Pick<int64_t>({rank, random.Between(rank, 30)});
  const bool run_time = random.Chance(50);
  const std::vector<float> scales =
      run_time
          ? std::vector<float>{DNNL_RUNTIME_F32_VAL}
          : std::vector<float>(static_cast<size_t>(spec::ScaleCount(within, scaled.dims)), 2.f);
  const auto with = [&](int mask) {
    return Attempt([&] {
      dnnl::primitive_attr attr;
      attr.set_output_scales(mask, scales);
      Make(scaled, attr, device->engine);
    });
  };
  const auto right = with(within);
  if (right) {
    trial.Cover(scaled.name + (run_time ? " with run-time scales" : ""));
    trial.Cover(std::string("to ") + spec::NameOf(scaled.to));
  }
  const auto made = with(beyond);
  const std::string name = scaled.name + " with mask " + std::to_string(beyond) + " on rank " +
                           std::to_string(rank) + (run_time ? ", of run-time scales" : "");
  trial.Record("mask bits beyond the rank", made ? "accepted" : "refused");
  if (!made) {
    ExpectLeftOpen(trial, made.refusal, name);
  } else if (trial.project()) {
    trial.Fail(name, "dnnl::error", "accepted");
  }
}

const bool defined = Define(spec::ATTR_025, "", Seeds(), BitsBeyondTheRank,
                            {"to f32", "to s8", "reorder", "reorder with run-time scales"});

}  // namespace
}  // namespace conformance
