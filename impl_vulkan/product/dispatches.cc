// From pieces to dispatches: kernels, tiles, constants.
#include <algorithm>
#include <utility>

#include "impl_vulkan/product/pieces.h"
#include "impl_vulkan/product/product.h"

namespace impl_vulkan {
namespace {

using spi::DataType;

constexpr uint32_t kDirectInvocations = 64;

// Elements of C that an invocation of product_direct.comp has along an index: the more, the less
// often a factor is read, as long as there are invocations enough.
uint32_t DirectTile(uint32_t extent) { return extent >= 64 ? 8 : extent >= 4 ? 4 : 1; }

// What product_tile.comp is specialized for: of an invocation, of a workgroup, and the depth.
struct TileShape {
  uint32_t m, n, tile_m, tile_n, k;

  uint32_t invocations() const { return tile_m / m * (tile_n / n); }
  uint64_t shared_bytes() const { return 4 * uint64_t{k} * (tile_m + tile_n + 2); }
};
// The first that fits the device, and of which a product has as many as keep one busy.
constexpr TileShape kShapes[] = {
    {8, 8, 128, 128, 8},
    {4, 4, 64, 64, 16},
    {8, 8, 64, 64, 16},
};
constexpr int64_t kBusyTiles = 64;
// Shorter indices leave most of a tile without work.
constexpr int64_t kLeastTiled = 16;

int64_t TilesOf(int64_t extent, uint32_t tile) { return (extent + tile - 1) / tile; }

const TileShape* ShapeFor(int64_t m, int64_t n, const Limits& limits) {
  for (const TileShape& shape : kShapes) {
    const bool large = shape.tile_m == kShapes[0].tile_m;
    if (shape.invocations() > limits.invocations || shape.shared_bytes() > limits.shared_bytes ||
        (large && TilesOf(m, shape.tile_m) * TilesOf(n, shape.tile_n) < kBusyTiles)) {
      continue;
    }
    return &shape;
  }
  return nullptr;
}

// Whether the innermost axis of k lies closer in memory than that of the operand's other index.
bool IsAlongK(const ProductParameters& parameters, ChainOf k, ChainOf other) {
  const Link& along = parameters.links[parameters.chains[k].first];
  const Link& across = parameters.links[parameters.chains[other].first];
  return along.stride <= across.stride;
}

BufferUse UseOf(const Operand& operand, Access access) {
  return impl_vulkan::UseOf(operand.position, operand.layout, access);
}

void AddUses(const Product& product, const Piece& piece, ProductDispatch* dispatch) {
  const auto& operands = piece.operands;
  auto& uses = dispatch->step.uses;
  BufferUse a = UseOf(operands[kA], Access::kRead);
  // Nothing is read of what has no elements, but something is bound.
  if (ExtentOf(operands[kA], kK) == 0) a = {kConstants, Access::kRead, {0, sizeof(uint32_t)}};
  const bool read = product.epilogue.old_type != DataType::kUndef;
  const BufferUse c = UseOf(operands[kC], read ? Access::kReadWrite : Access::kWrite);
  uses.push_back(a);
  uses.push_back(
      a.position != kConstants && operands[kB].present() ? UseOf(operands[kB], Access::kRead) : a);
  uses.push_back(c);
  uses.push_back(operands[kBias].present() ? UseOf(operands[kBias], Access::kRead) : a);
  if (!dispatch->extras) return;
  const auto scale_bytes = static_cast<uint64_t>(sizeof(float));
  const bool many = product.epilogue.scale_of_channel;
  const ByteRange table = {
      many ? static_cast<uint64_t>(piece.channel) * scale_bytes : 0,
      many ? static_cast<uint64_t>(ExtentOf(operands[kC], kN)) * scale_bytes : scale_bytes};
  uses.push_back(product.epilogue.scales
                     ? BufferUse{product.scales_position, Access::kRead, table, sizeof(float)}
                     : a);
  const Access access = piece.begins ? Access::kWrite
                        : piece.ends ? Access::kRead
                                     : Access::kReadWrite;
  // Of those that a shader may write, as C is.
  uses.push_back(dispatch->partial ? UseOf(operands[kPartial], access) : c);
}

void SetConstants(const Product& product, const Piece& piece, ProductDispatch* dispatch) {
  const auto type = [&](OperandOf which) {
    const Operand& operand = piece.operands[which];
    return operand.present() ? static_cast<uint32_t>(operand.layout.type) : 0;
  };
  const ProductParameters& parameters = dispatch->parameters;
  dispatch->constants = {
      type(kA),
      type(kB),
      type(kC),
      0,  // invocations: the kernel's
      static_cast<uint32_t>(piece.ends ? product.epilogue.old_type : DataType::kUndef),
      type(kBias),
      (piece.begins ? 0u : 1u) | (piece.ends ? 0u : 2u),
      parameters.chains[kAK].links,
      parameters.chains[kBK].links,
  };
}

void SetTiles(int64_t rows, int64_t columns, int64_t of_group, const Limits& limits,
              ProductDispatch* dispatch) {
  ProductParameters& parameters = dispatch->parameters;
  parameters.rows = static_cast<uint32_t>(rows);
  parameters.columns = static_cast<uint32_t>(columns);
  parameters.columns_divisor = DivisorOf(parameters.columns);
  parameters.tiles = static_cast<uint32_t>(rows * columns);
  const int64_t groups = (rows * columns + of_group - 1) / of_group;
  const int64_t x = std::min<int64_t>(groups, limits.groups);
  dispatch->step.groups = {static_cast<uint32_t>(x), static_cast<uint32_t>((groups + x - 1) / x),
                           1};
}

void SetDirect(const Limits& limits, ProductDispatch* dispatch) {
  const ProductParameters& parameters = dispatch->parameters;
  const uint32_t m = DirectTile(parameters.m), n = DirectTile(parameters.n);
  const uint32_t invocations = std::min(limits.invocations, kDirectInvocations);
  dispatch->kernel = ProductKernel::kDirect;
  dispatch->constants[3] = invocations;
  dispatch->constants.insert(dispatch->constants.end(), {m, n});
  SetTiles(TilesOf(parameters.m, m), TilesOf(parameters.n, n), invocations, limits, dispatch);
}

void SetTile(const TileShape& shape, const Limits& limits, ProductDispatch* dispatch) {
  const ProductParameters& parameters = dispatch->parameters;
  dispatch->kernel = ProductKernel::kTile;
  dispatch->constants[3] = shape.invocations();
  dispatch->constants.insert(
      dispatch->constants.end(),
      {shape.m, shape.n, shape.tile_m, shape.tile_n, shape.k,
       IsAlongK(parameters, kAK, kAM) ? 1u : 0u, IsAlongK(parameters, kBK, kBN) ? 1u : 0u});
  SetTiles(TilesOf(parameters.m, shape.tile_m), TilesOf(parameters.n, shape.tile_n), 1, limits,
           dispatch);
}

void SetParameters(const Product& product, const Piece& piece, ProductDispatch* dispatch) {
  ProductParameters& parameters = dispatch->parameters;
  const auto& operands = piece.operands;
  parameters.m = static_cast<uint32_t>(ExtentOf(operands[kC], kM));
  parameters.n = static_cast<uint32_t>(ExtentOf(operands[kC], kN));
  parameters.k = static_cast<uint32_t>(ExtentOf(operands[kA], kK));
  parameters.scale_stride = product.epilogue.scale_of_channel ? 1 : 0;
  parameters.steps = static_cast<uint32_t>(product.epilogue.steps.size());
  std::copy(product.epilogue.steps.begin(), product.epilogue.steps.end(), parameters.epilogue);
  uint32_t links = 0;
  const auto add = [&](OperandOf which, Index index, ChainOf chain) {
    const Operand& operand = operands[which];
    parameters.chains[chain] =
        AddChain(operand.layout, operand.axes[index], parameters.links, &links);
  };
  add(kA, kM, kAM);
  add(kA, kK, kAK);
  add(kB, kN, kBN);
  add(kB, kK, kBK);
  add(kC, kM, kCM);
  add(kC, kN, kCN);
  add(kBias, kN, kBiasN);
  add(kPartial, kM, kPartialM);
  add(kPartial, kN, kPartialN);
}

}  // namespace

BufferUse UseOf(int position, const spi::Layout& layout, Access access) {
  const int64_t bytes = spi::SizeOf(layout.type);
  return {
      position,
      access,
      {static_cast<uint64_t>(layout.offset * bytes), static_cast<uint64_t>(SpanOf(layout) * bytes)},
      static_cast<uint32_t>(bytes)};
}

bool CanTile(const Product& product, const Limits& limits) {
  const auto& operands = product.operands;
  return operands[kB].present() && ExtentOf(operands[kA], kK) > 0 &&
         ShapeFor(ExtentOf(operands[kC], kM), ExtentOf(operands[kC], kN), limits) != nullptr;
}

bool ShouldTile(const Product& product, const Limits& limits) {
  const auto& operands = product.operands;
  return limits.stages && CanTile(product, limits) &&
         std::min({ExtentOf(operands[kC], kM), ExtentOf(operands[kC], kN),
                   ExtentOf(operands[kA], kK)}) >= kLeastTiled;
}

absl::StatusOr<std::vector<ProductDispatch>> PlanProduct(const Product& product,
                                                         const Limits& limits,
                                                         ProductKernel kernel) {
  const absl::StatusOr<std::vector<Piece>> pieces = CutProduct(product, limits);
  if (!pieces.ok()) return pieces.status();
  std::vector<ProductDispatch> dispatches;
  for (const Piece& piece : *pieces) {
    ProductDispatch dispatch;
    dispatch.partial = !piece.begins || !piece.ends;
    dispatch.extras = dispatch.partial || product.epilogue.scales;
    AddUses(product, piece, &dispatch);
    SetParameters(product, piece, &dispatch);
    SetConstants(product, piece, &dispatch);
    const TileShape* const shape = ShapeFor(dispatch.parameters.m, dispatch.parameters.n, limits);
    if (kernel == ProductKernel::kTile && shape != nullptr) {
      SetTile(*shape, limits, &dispatch);
    } else {
      SetDirect(limits, &dispatch);
    }
    // Partial sums are read by the piece that goes on.
    if (dispatch.partial) dispatch.step.pass = static_cast<int>(dispatches.size());
    dispatches.push_back(std::move(dispatch));
  }
  return dispatches;
}

}  // namespace impl_vulkan
