// An inner product as dispatches: every decision about how shaders do it, made without a device.
//
//   C(m, n) = sum over k of A(m, k) * B(n, k)
//
//   direction         m    n        k        A         B        C
//   forward           n    oc       inputs   src       weights  dst
//   backward data     n    inputs   oc       diff_dst  weights  diff_src
//   backward weights  oc   inputs   n        diff_dst  src      diff_weights
//   of the bias       oc   1        n        diff_dst  ones     diff_bias
//
// Each of m, n and k is some axes of the tensors that have it, paired and of equal length. A tensor
// is the sum of what its layout says of each axis, so that no layout is a special case.
#ifndef DNNSPEC_IMPL_VULKAN_INNER_PRODUCT_PRODUCT_H_
#define DNNSPEC_IMPL_VULKAN_INNER_PRODUCT_PRODUCT_H_

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "absl/container/inlined_vector.h"
#include "absl/status/statusor.h"
#include "api/inner_product/operation.h"
#include "impl_vulkan/device/steps.h"
#include "impl_vulkan/inner_product/epilogue.h"
#include "impl_vulkan/inner_product/parameters.h"
#include "impl_vulkan/strided/plan.h"

namespace impl_vulkan {

enum Index { kM, kN, kK };
constexpr int kIndices = 3;

// One tensor, and which of its axes make up which index.
struct Operand {
  int position = -1;  // among the buffers of an execution; -1: there is none
  spi::Layout layout;
  std::array<absl::InlinedVector<int, 4>, kIndices> axes;

  bool present() const { return position >= 0; }
};

// In the order of the shaders' bindings, but for the scales before the partial sums.
enum OperandOf { kA, kB, kC, kBias, kPartial };
constexpr int kOperands = 5;

struct Product {
  // kB is absent for ones. kPartial is what sums that are cut would be kept in: as kC, but without
  // gaps and of four bytes. Those of several products lie one behind the other.
  std::array<Operand, kOperands> operands;
  int scales_position = -1;
  Epilogue epilogue;
};

// One of each tensor that is written and has elements. `operation` is resolved. kUnimplemented for
// types and attributes that are not served.
absl::StatusOr<std::vector<Product>> ProductsOf(const spi::Operation& operation);

enum class ProductKernel {
  kDirect,  // each invocation for itself
  kTile,    // workgroups, through shared memory
};
const char* NameOf(ProductKernel kernel);  // "direct"

struct ProductDispatch {
  ProductKernel kernel = ProductKernel::kDirect;
  bool extras = false;              // a module with scales and partial sums
  bool partial = false;             // one of several on the same sums
  std::vector<uint32_t> constants;  // specialization constants, from 0 on
  ProductParameters parameters;
  Step step;  // without its pipeline and the place of its parameters
};

// Whether a device with `limits` can run a product by tiles at all, and whether it should.
bool CanTile(const Product& product, const Limits& limits);
bool ShouldTile(const Product& product, const Limits& limits);

// The dispatches of `product`, in order; passes of those that go on where others ended ascend.
// kUnimplemented where a tensor has blocks that no binding can span, or there are too many pieces.
absl::StatusOr<std::vector<ProductDispatch>> PlanProduct(const Product& product,
                                                         const Limits& limits,
                                                         ProductKernel kernel);

// "f32 f32 f32->f32 33x10x512 bias scales sum 3 steps"
std::string Describe(const Product& product);

}  // namespace impl_vulkan

#endif  // DNNSPEC_IMPL_VULKAN_INNER_PRODUCT_PRODUCT_H_
