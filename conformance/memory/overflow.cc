// Descriptors at the end of 64 bits: MD-026.
#include <algorithm>
#include <cstdint>

#include "conformance/case/property.h"
#include "conformance/memory/descriptor_case.h"
#include "conformance/memory/descriptors.h"
#include "oneapi/dnnl/dnnl.hpp"
#include "spec/memory/oracle.h"
#include "spec/requirements.h"

namespace conformance {
namespace {

std::string Call(const DescriptorCase& view) { return "desc(" + Text(view) + ")"; }

bool IsPositive(const DescriptorCase& view) {
  const auto positive = [](int64_t value) { return value > 0; };
  return std::all_of(view.dims.begin(), view.dims.end(), positive) &&
         std::all_of(view.strides.begin(), view.strides.end(), positive);
}

void OverflowIsRefused(const DescriptorCase& view, Trial& trial) {
  if (!view.IsWellFormed() || !IsPositive(view)) return trial.Vacuous();
  const int element_bytes = spec::BytesOf(view.type);
  const spec::Validity wanted = spec::JudgeSize(element_bytes, view.dims, view.strides);
  if (wanted == spec::Validity::kEither) return trial.Vacuous();
  const bool fits = wanted == spec::Validity::kMustAccept;
  trial.Cover(fits ? "fits" : "overflows");
  const auto judge = [&](const std::string& call, auto make) {
    if (fits) {
      Accepted(trial, call, make);
    } else if (!IsRefused(make)) {
      trial.Deviate(call, "refused: the size does not fit into 64 bits", "accepted");
    }
  };
  judge(Call(view), [&] { return WithStrides(view); });
  if (view.dims.size() <= 6 && view.strides == RowMajorStrides(view.dims)) {
    judge(Call(view) + " by its tag",
          [&] { return Desc(view.dims, DataTypeOf(view.type), RowMajorTag(view.dims.size())); });
  }
  // Without a layout there are the elements alone.
  if (spec::JudgeSize(element_bytes, view.dims, {}) == wanted) {
    judge(Call(view) + " by any",
          [&] { return Desc(view.dims, DataTypeOf(view.type), dnnl::memory::format_tag::any); });
  }
}

int64_t Near(Random& random, int bits) {
  const int64_t power = int64_t{1} << bits;
  return random.Pick({power - 1, power, power + 1, power - random.Between(2, 99)});
}

DescriptorCase DrawHuge(int64_t index, Random& random) {
  DescriptorCase view;
  view.type = random.Pick(spec::kTypes);
  // Exponents whose sum, with the bytes of the type, ends just below or above 64.
  const int type_bits = spec::BytesOf(view.type) / 2;  // 1, 2, 4 bytes: 0, 1, 2
  const int rank = static_cast<int>(random.Between(1, 4));
  int left = static_cast<int>(index % 2 == 0 ? random.Between(50, 62) : random.Between(64, 70)) -
             type_bits;
  for (int j = 0; j < rank; ++j) {
    const int bits = std::min(61, j + 1 == rank ? left : static_cast<int>(random.Between(0, left)));
    view.dims.push_back(bits == 0 ? 1 : Near(random, bits));
    left -= bits;
  }
  while (left > 0) {
    const int bits = std::min(61, left);
    view.dims.push_back(Near(random, bits));
    left -= bits;
  }
  // The strides themselves must fit into 64 bits.
  constexpr int64_t kMost = INT64_MAX;
  int64_t step = 1;
  view.strides.assign(view.dims.size(), 1);
  for (size_t j = view.dims.size(); j-- > 0;) {
    if (step == 0) {
      view.dims[j] = 1;
      continue;
    }
    view.strides[j] = step;
    // 0 once there is no next one.
    const int64_t dim = view.dims[j];
    step = dim <= 0 || step > kMost / dim ? 0 : step * dim;
  }
  return view;
}

// One huge stride on a small dim: few elements, far apart.
DescriptorCase DrawFar(int64_t index, Random& random) {
  DescriptorCase view;
  view.type = random.Pick(spec::kTypes);
  view.dims = {random.Between(2, 9), random.Between(1, 9)};
  view.strides = {Near(random, static_cast<int>(index % 2 == 0 ? random.Between(31, 55) : 62)), 1};
  return view;
}

const bool defined[] = {
    Define(spec::MD_026, "", Cases<DescriptorCase>{0, DrawHuge}, OverflowIsRefused,
           {"fits", "overflows"}),
    Define(spec::MD_026, "far", Cases<DescriptorCase>{0, DrawFar}, OverflowIsRefused,
           {"fits", "overflows"}),
};

}  // namespace
}  // namespace conformance
