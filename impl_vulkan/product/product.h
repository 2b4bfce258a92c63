// A product of matrices as dispatches: every decision about how shaders do it, made without a
// device.
//
//   C(m, n) = sum over k of A(m, k) * B(n, k)
//
// Each of m, n and k is some axes of the tensors that have it, paired and of equal length. A tensor
// is the sum of what its layout says of each axis, so that no layout is a special case.
#ifndef DNNSPEC_IMPL_VULKAN_PRODUCT_PRODUCT_H_
#define DNNSPEC_IMPL_VULKAN_PRODUCT_PRODUCT_H_

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "absl/container/inlined_vector.h"
#include "absl/status/statusor.h"
#include "api/spi/operation.h"
#include "impl_vulkan/device/steps.h"
#include "impl_vulkan/product/epilogue.h"
#include "impl_vulkan/product/parameters.h"
#include "impl_vulkan/strided/plan.h"

namespace impl_vulkan {

enum Index { kM, kN, kK };
constexpr int kIndices = 3;

// One tensor, and which of its axes make up which index.
using Axes = absl::InlinedVector<int, 4>;

struct Operand {
  int position = -1;  // among the buffers of an execution; -1: there is none
  spi::Layout layout;
  std::array<Axes, kIndices> axes;

  bool present() const { return position >= 0; }
};

// In the order of the shaders' bindings, but for the scales before the partial sums.
enum OperandOf { kA, kB, kC, kBias, kPartial };
constexpr int kOperands = 5;

struct Product {
  const char* primitive = "";  // in messages
  // kB is absent for ones. kPartial is what sums that are cut would be kept in: as kC, but without
  // gaps and of four bytes. Those of several products lie one behind the other.
  std::array<Operand, kOperands> operands;
  int scales_position = -1;
  Epilogue epilogue;
};

// Where the table of scales is bound: what is known in advance behind all tensors, the scratchpad
// among them. -1: there is none.
int ScalesPosition(const spi::Operation& operation, const Epilogue& epilogue);

// Says where the partial sums of each lie in `scratchpad`, behind `before` others, and brings the
// axes of each index into an order in which as many as possible go on where others end.
void Arrange(int scratchpad, int64_t before, std::vector<Product>* products);

enum class ProductKernel {
  kDirect,  // each invocation for itself
  kTile,    // workgroups, through shared memory
  kVector,  // workgroups, whose invocations share the sums of few elements
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

// The kernels that a device with `limits` can run a product by, and that are of use, the best one
// first.
std::vector<ProductKernel> KernelsOf(const Product& product, const Limits& limits);

BufferUse UseOf(int position, const spi::Layout& layout, Access access);

// What dispatches of sums bind beside A, B, C and the bias where they have extras: a table of
// scales, or else `a`, and partial sums, or else `c`.
struct ExtraUses {
  const Epilogue& epilogue;
  int scales_position = -1;
  int64_t first_channel = 0, channels = 1;  // of the table
  int partial_position = -1;
  const spi::Layout& partial;
  bool has_partial = false, begins = true, ends = true;
  int64_t parts = 1;
};
void AddExtraUses(const ExtraUses& extra, const BufferUse& a, const BufferUse& c, Step* step);

// Of so many workgroups.
std::array<uint32_t, 3> GroupsOf(int64_t groups, const Limits& limits);

inline uint32_t ToUint32(int64_t value) { return static_cast<uint32_t>(value); }

// Cuts the sums of a dispatch into `parts` that run side by side. `terms` is how many each has (of
// a convolution: taps), `span` how many partial sums a part keeps.
template <class AnyDispatch>
void SetParts(uint32_t terms, int64_t span, int64_t parts, AnyDispatch* dispatch) {
  dispatch->parameters.part = ToUint32((terms + parts - 1) / parts);
  dispatch->parameters.partial_step = ToUint32(span);
  dispatch->constants[4] = dispatch->constants[5] = 0;
  dispatch->constants[6] = 2;
  const uint32_t part = dispatch->parameters.part;
  dispatch->step.groups[2] = (terms + part - 1) / part;
}

// Into how many parts that run side by side the sums are worth cutting, where too few elements keep
// a device busy; 1: none.
int64_t PartsOf(const Product& product, const Limits& limits);

// Whether sums that are cut so can be finished: by no scales, nor a bias in blocks.
bool CanTotal(const Epilogue& epilogue, const spi::Layout& bias);

// Partial sums, one behind the other, and what becomes of them. Of C and the bias the axis of the
// channels; the axes of the operands are not used.
struct Partials {
  const char* primitive = "";
  Operand partial, c, bias;
  int channel = 1;
  Epilogue epilogue;
};

// The sums of `parts` of each.
Product TotalOf(const Partials& partials, int64_t parts);

// The dispatches of `product`, in order; with several `parts`, of which none is left unless there
// is one dispatch, it only keeps partial sums. Passes of those that go on where others ended
// ascend. kUnimplemented where a tensor has blocks that no binding can span, or there are too many
// pieces.
absl::StatusOr<std::vector<ProductDispatch>> PlanProduct(const Product& product,
                                                         const Limits& limits, ProductKernel kernel,
                                                         int64_t parts = 1);

// "f32 f32 f32->f32 33x10x512 bias scales sum 3 steps"
std::string Describe(const Product& product);

}  // namespace impl_vulkan

#endif  // DNNSPEC_IMPL_VULKAN_PRODUCT_PRODUCT_H_
