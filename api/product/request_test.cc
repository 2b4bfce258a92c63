#include <gtest/gtest.h>

#include <cstddef>
#include <string>
#include <vector>

#include "api/fake/refusal.h"
#include "oneapi/dnnl/convolution/convolution.hpp"
#include "oneapi/dnnl/inner_product/inner_product.hpp"

namespace {

using dnnl::memory;
using dnnl::prop_kind;
using fake::Refusal;

// Source, weights, bias and destination, one of which has a negative rank: a program wrote it.
std::vector<memory::desc> WithBroken(std::size_t broken, std::vector<memory::desc> descs) {
  if (broken < descs.size()) descs[broken].data.ndims = -1;
  return descs;
}

memory::desc Any(const memory::dims& dims) {
  return {dims, memory::data_type::f32, memory::format_tag::any};
}

std::string Refused(const std::string& primitive, const char* name) {
  return "invalid_arguments: " + primitive + ": " + name + "_desc: ndims = -1 is negative (MD-024)";
}

std::vector<memory::desc> OfInnerProduct(std::size_t broken) {
  return WithBroken(broken, {Any({2, 3}), Any({4, 3}), Any({4}), Any({2, 4})});
}

TEST(Request, ABrokenTensorHasTheNameOfItsDirection) {
  using Forward = dnnl::inner_product_forward::desc;
  using BackwardData = dnnl::inner_product_backward_data::desc;
  using BackwardWeights = dnnl::inner_product_backward_weights::desc;
  const auto forward = [](std::size_t broken) {
    const auto d = OfInnerProduct(broken);
    return Refusal([&] { Forward(prop_kind::forward_training, d[0], d[1], d[2], d[3]); });
  };
  const auto data = [](std::size_t broken) {
    const auto d = OfInnerProduct(broken);
    return Refusal([&] { BackwardData(d[0], d[1], d[3]); });
  };
  const auto weights = [](std::size_t broken) {
    const auto d = OfInnerProduct(broken);
    return Refusal([&] { BackwardWeights(d[0], d[1], d[2], d[3]); });
  };
  const char* const of_forward[] = {"src", "weights", "bias", "dst"};
  const char* const of_data[] = {"diff_src", "weights", nullptr, "diff_dst"};
  const char* const of_weights[] = {"src", "diff_weights", "diff_bias", "diff_dst"};
  for (const std::size_t broken : {0, 1, 2, 3}) {
    EXPECT_EQ(forward(broken), Refused("inner_product", of_forward[broken]));
    EXPECT_EQ(weights(broken), Refused("inner_product", of_weights[broken]));
    if (of_data[broken] == nullptr) continue;
    EXPECT_EQ(data(broken), Refused("inner_product", of_data[broken]));
  }
  EXPECT_EQ(forward(4) + data(4) + weights(4), "");
}

TEST(Request, ABrokenTensorHasTheNameOfItsPrimitive) {
  const auto data = [](std::size_t broken) {
    const auto d = WithBroken(broken, {Any({2, 3, 5, 5}), Any({4, 3, 3, 3}), Any({2, 4, 3, 3})});
    return Refusal([&] {
      dnnl::convolution_backward_data::desc(dnnl::algorithm::convolution_direct, d[0], d[1], d[2],
                                            {1, 1}, {0, 0}, {0, 0});
    });
  };
  EXPECT_EQ(data(1), Refused("convolution", "weights"));
  EXPECT_EQ(data(2), Refused("convolution", "diff_dst"));
  EXPECT_EQ(data(3), "");
}

}  // namespace
