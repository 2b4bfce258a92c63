#include "conformance/gen/networks.h"

#include <set>

#include "gtest/gtest.h"
#include "spec/memory/oracle.h"

namespace conformance {
namespace {

TEST(NetworkTensors, AreLargeAndTheirParametersFit) {
  for (const NetworkTensor& tensor : NetworkTensors()) {
    SCOPED_TRACE(tensor.name);
    const size_t rank = tensor.dims.size();
    EXPECT_GT(spec::ElementCount(tensor.dims), 1 << 20);
    EXPECT_LT(spec::ElementCount(tensor.dims), 1 << 22);
    ASSERT_LT(static_cast<size_t>(tensor.axis), rank);
    EXPECT_EQ(tensor.dims[tensor.axis] % tensor.group, 0);
    EXPECT_EQ(tensor.other.size(), rank);
    const std::set<int> axes(tensor.other.begin(), tensor.other.end());
    EXPECT_EQ(axes.size(), rank);
    EXPECT_EQ(*axes.rbegin(), static_cast<int>(rank) - 1);
  }
}

}  // namespace
}  // namespace conformance
