// Descriptors against their oracle: construction from strides, regions, reshapes and permutations
// with numbers of every size.
#include <climits>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <string>
#include <vector>

#include "conformance/memory/descriptor_case.h"
#include "conformance/subject/tensor.h"
#include "oneapi/dnnl/dnnl.hpp"
#include "spec/memory/oracle.h"
#include "tools/fuzz/bytes.h"

namespace conformance {
namespace {

using Desc = dnnl::memory::desc;
using tools::Bytes;

constexpr size_t kMaxRank = 12;  // MD-024, project

int64_t NumberFrom(Bytes& bytes) {
  switch (bytes.Next() % 8) {
    case 0:
      return bytes.Between(-2, 3);
    case 1:
      return static_cast<int64_t>(bytes.Word());
    case 2:
      return (int64_t{1} << bytes.Between(0, 62)) + bytes.Between(-1, 1);
    case 3:
      return bytes.Pick<int64_t>({INT64_MAX, INT64_MIN, INT32_MAX, INT64_MAX / 2});
    default:
      return bytes.Between(0, 9);
  }
}

spec::Dims NumbersFrom(Bytes& bytes, size_t count) {
  // Now and then one too many or too few.
  const uint8_t dice = bytes.Next();
  if (dice == 1) ++count;
  if (dice == 2 && count > 0) --count;
  spec::Dims numbers(count);
  for (int64_t& number : numbers) number = NumberFrom(bytes);
  return numbers;
}

// Row-major strides now and then, or nothing would be accepted.
spec::Dims StridesFrom(Bytes& bytes, const spec::Dims& dims) {
  if (bytes.Flag()) return NumbersFrom(bytes, dims.size());
  spec::Dims strides(dims.size());
  uint64_t stride = 1;
  for (size_t j = dims.size(); j-- > 0;) {
    strides[j] = static_cast<int64_t>(stride & INT64_MAX);
    stride *= static_cast<uint64_t>(dims[j]);
  }
  return strides;
}

[[noreturn]] void Fault(const DescriptorCase& view, const std::string& what) {
  Fields fields;
  view.Print(&fields);
  std::fprintf(stderr, "%s\n%s\n", fields.ToString().c_str(), what.c_str());
  std::abort();
}

// True if `call` returns; false if it throws dnnl::error. Anything else ends the process.
template <class Call>
bool Accepts(Call call) {
  try {
    call();
    return true;
  } catch (const dnnl::error& e) {
    if (std::string(e.what()).empty()) std::abort();
    return false;
  }
}

void Look(Bytes& bytes) {
  DescriptorCase view;
  view.type = bytes.Pick<spec::Type>({spec::Type::kF32, spec::Type::kS8, spec::Type::kBF16});
  view.dims = NumbersFrom(bytes, static_cast<size_t>(bytes.Between(1, kMaxRank)));
  view.strides = StridesFrom(bytes, view.dims);
  for (int64_t n = bytes.Between(0, 2); n > 0; --n) {
    const size_t rank = view.dims.size();
    view.regions.push_back({NumbersFrom(bytes, rank), NumbersFrom(bytes, rank)});
  }
  Desc desc;
  const bool accepted = Accepts([&] {
    desc = Desc(view.dims, DataTypeOf(view.type), view.strides);
    for (const Region& region : view.regions)
      desc = desc.submemory_desc(region.dims, region.offsets);
  });
  const spec::Validity wanted =
      view.dims.size() > kMaxRank ? spec::Validity::kMustReject : view.Verdict(Profile::kProject);
  if (wanted == spec::Validity::kMustAccept && !accepted) Fault(view, "refused, must be accepted");
  if (wanted == spec::Validity::kMustReject && accepted) Fault(view, "accepted, must be refused");
  if (!accepted) return;
  desc.get_size();
  if (!(desc == Desc(desc))) Fault(view, "a copy is not equal");

  const spec::Dims to = NumbersFrom(bytes, static_cast<size_t>(bytes.Between(1, kMaxRank)));
  Desc reshaped;
  if (Accepts([&] { reshaped = desc.reshape(to); }) && reshaped.dims() != to)
    Fault(view, "reshape gives other dims");
  std::vector<int> axes(desc.dims().size());
  for (int& axis : axes) axis = static_cast<int>(bytes.Between(-1, 12));
  Desc permuted;
  if (Accepts([&] { permuted = desc.permute_axes(axes); }) &&
      permuted.get_size() != desc.get_size())
    Fault(view, "permute_axes changes the size");
}

}  // namespace
}  // namespace conformance

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  conformance::Bytes bytes(data, size);
  conformance::Look(bytes);
  return 0;
}
