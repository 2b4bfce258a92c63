// Descriptors at the end of 64 bits: MD-026.
#include <algorithm>

#include "conformance/harness/property.h"
#include "conformance/memory/descriptors.h"
#include "conformance/memory/view.h"
#include "oneapi/dnnl/dnnl.hpp"
#include "spec/requirements.h"

namespace conformance {
namespace {

std::string Call(const View& view) { return "desc(" + Text(view) + ")"; }

__extension__ using Wide = unsigned __int128;

// a * b, or the largest value when that is less.
Wide Times(Wide a, Wide b) { return a != 0 && b > ~Wide{0} / a ? ~Wide{0} : a * b; }

// What a buffer for the view takes: at least the elements and the reach of the last one, at most
// the largest dim times its stride.
struct Bytes {
  Wide least, most;
  Wide elements;  // what they take side by side
};

Bytes BytesOf(const View& view) {
  Wide elements = 1, reach = 0, extent = 1;
  for (size_t j = 0; j < view.dims.size(); ++j) {
    const Wide dim = static_cast<Wide>(view.dims[j]), stride = static_cast<Wide>(view.strides[j]);
    elements = Times(elements, dim);
    reach = std::max(reach, Times(dim, stride));
    extent += Times(dim - 1, stride);
  }
  const Wide element_bytes = static_cast<Wide>(spec::BytesOf(view.type));
  return {Times(std::max(elements, extent), element_bytes),
          Times(std::max({elements, extent, reach}), element_bytes),
          Times(elements, element_bytes)};
}

bool IsPositive(const View& view) {
  const auto positive = [](int64_t value) { return value > 0; };
  return std::all_of(view.dims.begin(), view.dims.end(), positive) &&
         std::all_of(view.strides.begin(), view.strides.end(), positive);
}

void OverflowIsRefused(const View& view, Trial& trial) {
  // Between 2^63 and 2^64 bytes the documents' size_t holds what their int64_t does not.
  const Wide least = Wide{1} << 64, most = (Wide{1} << 63) - 1;
  if (!view.IsWellFormed() || !IsPositive(view)) return trial.Vacuous();
  const Bytes bytes = BytesOf(view);
  const bool row_major = view.dims.size() <= 6 && view.strides == RowMajorStrides(view.dims);
  const auto with_tag = [&] {
    return Desc(view.dims, DataTypeOf(view.type), RowMajorTag(view.dims.size()));
  };
  // Without a layout there are the elements alone.
  const auto with_any = [&] {
    return Desc(view.dims, DataTypeOf(view.type), dnnl::memory::format_tag::any);
  };
  if (bytes.most <= most) {
    trial.Saw("fits");
    Accepted(trial, Call(view), [&] { return WithStrides(view); });
    if (row_major) Accepted(trial, Call(view) + " by its tag", with_tag);
    Accepted(trial, Call(view) + " by any", with_any);
  } else if (bytes.least >= least) {
    trial.Saw("overflows");
    if (!IsRefused([&] { return WithStrides(view); }))
      trial.Deviate(Call(view), "refused: the size does not fit into 64 bits", "accepted");
    if (row_major && !IsRefused(with_tag))
      trial.Deviate(Call(view) + " by its tag", "refused: the size does not fit into 64 bits",
                    "accepted");
    if (bytes.elements >= least && !IsRefused(with_any))
      trial.Deviate(Call(view) + " by any", "refused: the size does not fit into 64 bits",
                    "accepted");
  } else {
    trial.Vacuous();
  }
}

int64_t Near(Random& random, int bits) {
  const int64_t power = int64_t{1} << bits;
  return random.Pick({power - 1, power, power + 1, power - random.Between(2, 99)});
}

View DrawHuge(int64_t index, Random& random) {
  View view;
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
  Wide step = 1;
  view.strides.assign(view.dims.size(), 1);
  for (size_t j = view.dims.size(); j-- > 0;) {
    if (step >= Wide{1} << 63) {
      view.dims[j] = 1;
      continue;
    }
    view.strides[j] = static_cast<int64_t>(step);
    step = Times(step, static_cast<Wide>(view.dims[j]));
  }
  return view;
}

// One huge stride on a small dim: few elements, far apart.
View DrawFar(int64_t index, Random& random) {
  View view;
  view.type = random.Pick(spec::kTypes);
  view.dims = {random.Between(2, 9), random.Between(1, 9)};
  view.strides = {Near(random, static_cast<int>(index % 2 == 0 ? random.Between(31, 55) : 62)), 1};
  return view;
}

const bool defined[] = {
    Define(spec::MD_026, "", Cases<View>{0, DrawHuge}, OverflowIsRefused, {"fits", "overflows"}),
    Define(spec::MD_026, "far", Cases<View>{0, DrawFar}, OverflowIsRefused, {"fits", "overflows"}),
};

}  // namespace
}  // namespace conformance
