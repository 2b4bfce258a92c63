// From pieces to dispatches: kernels, tiles, constants.
#include <algorithm>
#include <utility>

#include "impl_vulkan/product/pieces.h"
#include "impl_vulkan/product/product.h"
#include "impl_vulkan/product/tile.h"

namespace impl_vulkan {
namespace {

using spi::DataType;

constexpr uint32_t kDirectInvocations = 64;

// Of the fewer of rows and columns, and of the others, a workgroup that shares sums has at most so
// many; and so many workgroups keep a device busy.
constexpr int64_t kMostOfFew = 8, kMostOfMany = 4;
constexpr int64_t kBusyVectors = 1 << 10;
// Fewer terms leave most of its invocations without any.
constexpr int64_t kLeastShared = 64;

// Elements of C that an invocation of product_direct.comp has along an index: the more, the less
// often a factor is read, as long as there are invocations enough.
uint32_t DirectTile(int64_t extent) { return extent >= 64 ? 8 : extent >= 4 ? 4 : 1; }

BufferUse UseOf(const Operand& operand, Access access) {
  return impl_vulkan::UseOf(operand.position, operand.layout, access);
}

void AddUses(const Product& product, const Piece& piece, int64_t parts, ProductDispatch* dispatch) {
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
  AddExtraUses({product.epilogue, product.scales_position, piece.channel,
                ExtentOf(operands[kC], kN), operands[kPartial].position, operands[kPartial].layout,
                dispatch->partial, piece.begins, piece.ends, parts},
               a, c, &dispatch->step);
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
  dispatch->step.groups = GroupsOf((rows * columns + of_group - 1) / of_group, limits);
}

void SetDirect(const Limits& limits, ProductDispatch* dispatch) {
  const ProductParameters& parameters = dispatch->parameters;
  // A GPU wants many invocations.
  const bool few = limits.stages && int64_t{parameters.m} * parameters.n < kBusyInvocations;
  const uint32_t most = few ? 1 : limits.stages ? 4 : 8;
  const uint32_t m = std::min(DirectTile(parameters.m), most),
                 n = std::min(DirectTile(parameters.n), most);
  const uint32_t invocations = std::min(limits.invocations, kDirectInvocations);
  dispatch->kernel = ProductKernel::kDirect;
  dispatch->constants[3] = invocations;
  dispatch->constants.insert(dispatch->constants.end(), {m, n});
  SetTiles(TilesOf(parameters.m, m), TilesOf(parameters.n, n), invocations, limits, dispatch);
}

void SetTile(const TileShape& shape, const Limits& limits, ProductDispatch* dispatch) {
  const ProductParameters& parameters = dispatch->parameters;
  const auto is_closer = [&](ChainOf along, ChainOf across) {
    return IsCloser(parameters.links, parameters.chains[along], parameters.chains[across]) ? 1u
                                                                                           : 0u;
  };
  dispatch->kernel = ProductKernel::kTile;
  dispatch->constants[3] = shape.invocations();
  dispatch->constants.insert(dispatch->constants.end(),
                             {shape.m, shape.n, shape.tile_m, shape.tile_n, shape.k,
                              is_closer(kAK, kAM), is_closer(kBK, kBN), is_closer(kCN, kCM) ^ 1});
  SetTiles(TilesOf(parameters.m, shape.tile_m), TilesOf(parameters.n, shape.tile_n), 1, limits,
           dispatch);
}

// What a workgroup of product_vector.comp has.
struct VectorShape {
  uint32_t m = 1, n = 1, invocations = 64;
};

VectorShape VectorFor(int64_t m, int64_t n, const Limits& limits) {
  const int64_t few = std::min({m, n, kMostOfFew}), most = std::max(m, n);
  // The more, the less often the few are read, as long as there are workgroups enough.
  int64_t many = std::min(most, kMostOfMany);
  while (many > 1 && most / many < kBusyVectors) many /= 2;
  VectorShape shape;
  shape.m = static_cast<uint32_t>(m < n ? few : many);
  shape.n = static_cast<uint32_t>(m < n ? many : few);
  const auto fits = [&] {
    return shape.invocations <= limits.invocations &&
           sizeof(float) * shape.m * shape.n * shape.invocations <= limits.shared_bytes;
  };
  while (shape.invocations > 1 && !fits()) shape.invocations /= 2;  // a power of two
  return shape;
}

void SetVector(const Limits& limits, ProductDispatch* dispatch) {
  const ProductParameters& parameters = dispatch->parameters;
  const VectorShape shape = VectorFor(parameters.m, parameters.n, limits);
  dispatch->kernel = ProductKernel::kVector;
  dispatch->constants[3] = shape.invocations;
  dispatch->constants.insert(dispatch->constants.end(), {shape.m, shape.n});
  SetTiles(TilesOf(parameters.m, shape.m), TilesOf(parameters.n, shape.n), 1, limits, dispatch);
}

void SetParameters(const Product& product, const Piece& piece, ProductDispatch* dispatch) {
  ProductParameters& parameters = dispatch->parameters;
  const auto& operands = piece.operands;
  parameters.m = static_cast<uint32_t>(ExtentOf(operands[kC], kM));
  parameters.n = static_cast<uint32_t>(ExtentOf(operands[kC], kN));
  parameters.k = static_cast<uint32_t>(ExtentOf(operands[kA], kK));
  parameters.part = parameters.k;
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

// The numbers of rows, columns and terms.
struct Extents {
  int64_t m, n, k;
};

Extents ExtentsOf(const Product& product) {
  const auto& operands = product.operands;
  return {ExtentOf(operands[kC], kM), ExtentOf(operands[kC], kN), ExtentOf(operands[kA], kK)};
}

// Whether neighbours along k lie closer in memory than those along `other`, if there are any.
bool IsAlongK(const Operand& operand, Index other) {
  if (!operand.present() || ExtentOf(operand, other) == 1) return true;
  Link links[kMaxLinks];
  uint32_t used = 0;
  const Chain across = AddChain(operand.layout, operand.axes[other], links, &used),
              along = AddChain(operand.layout, operand.axes[kK], links, &used);
  return IsCloser(links, along, across);
}

bool CanShare(const Product& product) {
  const Extents all = ExtentsOf(product);
  return std::min(all.m, all.n) < kLeastTiled && all.k > 1 && IsAlongK(product.operands[kA], kM) &&
         IsAlongK(product.operands[kB], kN);
}

bool CanTile(const Product& product, const Limits& limits) {
  const Extents all = ExtentsOf(product);
  return product.operands[kB].present() && all.k > 0 && TileFor(1, all.m, all.n, limits) != nullptr;
}

// With the sums in so many parts, each of these.
int64_t BusyInvocations(const Product& product, ProductKernel kernel, int64_t parts,
                        const Limits& limits) {
  const Extents all = ExtentsOf(product);
  if (kernel == ProductKernel::kTile)
    return InvocationsFor(*TileFor(parts, all.m, all.n, limits), all.m, all.n);
  if (kernel == ProductKernel::kDirect) return all.m * all.n;
  const VectorShape shape = VectorFor(all.m, all.n, limits);
  return TilesOf(all.m, shape.m) * TilesOf(all.n, shape.n) * shape.invocations;
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

void AddExtraUses(const ExtraUses& extra, const BufferUse& a, const BufferUse& c, Step* step) {
  constexpr uint64_t kBytes = sizeof(float);
  const bool many = extra.epilogue.scale_of_channel;
  const ByteRange table = {many ? static_cast<uint64_t>(extra.first_channel) * kBytes : 0,
                           many ? static_cast<uint64_t>(extra.channels) * kBytes : kBytes};
  step->uses.push_back(extra.epilogue.scales
                           ? BufferUse{extra.scales_position, Access::kRead, table, sizeof(float)}
                           : a);
  const Access access = extra.begins ? Access::kWrite
                        : extra.ends ? Access::kRead
                                     : Access::kReadWrite;
  // Of those that a shader may write, as C is.
  BufferUse partial = extra.has_partial ? UseOf(extra.partial_position, extra.partial, access) : c;
  if (extra.parts > 1) partial.range.bytes *= static_cast<uint64_t>(extra.parts);
  step->uses.push_back(partial);
}

std::array<uint32_t, 3> GroupsOf(int64_t groups, const Limits& limits) {
  const int64_t x = std::min<int64_t>(groups, limits.groups);
  return {ToUint32(x), ToUint32((groups + x - 1) / x), 1};
}

std::vector<ProductKernel> KernelsOf(const Product& product, const Limits& limits) {
  constexpr ProductKernel kDirect = ProductKernel::kDirect, kTile = ProductKernel::kTile,
                          kVector = ProductKernel::kVector;
  const Extents all = ExtentsOf(product);
  if (CanShare(product)) {
    if (limits.stages && all.k >= kLeastShared) return {kVector, kDirect};
    return {kDirect, kVector};
  }
  if (!CanTile(product, limits)) return {kDirect};
  if (limits.stages && std::min({all.m, all.n, all.k}) >= kLeastTiled) return {kTile, kDirect};
  return {kDirect, kTile};
}

int64_t PartsOf(const Product& product, const Limits& limits) {
  const auto& operands = product.operands;
  // Partial sums of integers would have to be told from f32 when they are added up.
  if (!limits.stages || !CanTotal(product.epilogue, operands[kBias].layout) ||
      operands[kC].axes[kN].size() > 1 || spi::SizeOf(operands[kA].layout.type) == 1) {
    return 1;
  }
  const ProductKernel kernel = KernelsOf(product, limits).front();
  const int64_t least = kernel == ProductKernel::kDirect ? kLeastPart / 4
                        : kernel == ProductKernel::kTile ? kLeastPart
                                                         : 2 * kLeastPart;
  int64_t most = MostParts(ExtentsOf(product).k, least, SpanOf(operands[kPartial].layout));
  if (most < 2) return 1;
  most = std::min(most, kBusyInvocations / BusyInvocations(product, kernel, most, limits));
  if (most < 2) return 1;
  const absl::StatusOr<std::vector<Piece>> pieces = CutProduct(product, limits);
  return pieces.ok() && pieces->size() == 1 ? most : 1;
}

absl::StatusOr<std::vector<ProductDispatch>> PlanProduct(const Product& product,
                                                         const Limits& limits, ProductKernel kernel,
                                                         int64_t parts) {
  const absl::StatusOr<std::vector<Piece>> pieces = CutProduct(product, limits);
  if (!pieces.ok()) return pieces.status();
  std::vector<ProductDispatch> dispatches;
  for (const Piece& piece : *pieces) {
    ProductDispatch dispatch;
    dispatch.partial = !piece.begins || !piece.ends || parts > 1;
    dispatch.extras = dispatch.partial || product.epilogue.scales;
    AddUses(product, piece, parts, &dispatch);
    SetParameters(product, piece, &dispatch);
    SetConstants(product, piece, &dispatch);
    const TileShape* const shape =
        TileFor(parts, dispatch.parameters.m, dispatch.parameters.n, limits);
    if (kernel == ProductKernel::kTile && shape != nullptr) {
      SetTile(*shape, limits, &dispatch);
    } else if (kernel == ProductKernel::kVector) {
      SetVector(limits, &dispatch);
    } else {
      SetDirect(limits, &dispatch);
    }
    if (parts > 1)
      SetParts(dispatch.parameters.k, SpanOf(piece.operands[kPartial].layout), parts, &dispatch);
    // Partial sums are read by the piece that goes on.
    if (dispatch.partial) dispatch.step.pass = static_cast<int>(dispatches.size());
    dispatches.push_back(std::move(dispatch));
  }
  return dispatches;
}

}  // namespace impl_vulkan
