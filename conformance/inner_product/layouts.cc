// IP-030, IP-031, IP-033 to IP-037: plain layouts, and what `any` becomes.
#include <cstdint>
#include <utility>
#include <vector>

#include "conformance/case/property.h"
#include "conformance/gen/computation_blocks.h"
#include "conformance/inner_product/cases.h"
#include "conformance/inner_product/run.h"
#include "conformance/subject/computation_blocks.h"
#include "conformance/subject/computation_checks.h"
#include "conformance/subject/computation_layouts.h"
#include "spec/requirements.h"

namespace conformance {
namespace {

InnerProductLimits Opaque() {
  InnerProductLimits limits;
  limits.any_percent = 80;
  return limits;
}

// As Opaque, of all types that the tables have.
InnerProductLimits OpaqueOfTypes(Direction direction) {
  InnerProductLimits limits = Opaque();
  limits.directions = {direction};
  for (const Types& types : NarrowTypes(direction)) limits.types.push_back(types);
  return limits;
}

// Of every type, with what may be fused in a quarter of the forwards.
InnerProductLimits AllLayouts(Direction direction) {
  InnerProductLimits limits;
  limits.directions = {direction};
  limits.every_type = limits.scales = limits.post_ops = true;
  limits.attributes_percent = 25;
  limits.all_layouts = true;
  limits.any_percent = 15;
  return limits;
}

// Of few elements, so that blocks are a part of an axis, and no attributes.
InnerProductLimits InBlocks() {
  InnerProductLimits limits;
  limits.every_type = true;
  limits.any_percent = 100;
  limits.most_products = 1 << 14;
  limits.count = 300;
  return limits;
}

// Inputs of which several blocks, and several places, are among the columns of a tile.
Cases<InnerProductCase> ManyBlocks() {
  std::vector<InnerProductCase> cases;
  uint64_t seed = 0;
  for (const int64_t channels : {4, 8, 16})
    for (const spec::Dims& spatial : {spec::Dims{2}, spec::Dims{4}, spec::Dims{2, 2}})
      for (const Direction direction : kDirections)
        for (int i = 0; i < 6; ++i) {  // each size of blocks, WithBlocks()
          InnerProductCase c;
          c.direction = direction;
          c.mb = 20;
          c.ic = channels;
          c.oc = 24;
          c.spatial = spatial;
          c.SetAny(true);
          c.seed = ++seed;
          cases.push_back(std::move(c));
        }
  return Listed(std::move(cases));
}

InnerProductLimits FewOfTypes(Direction direction) {
  InnerProductLimits limits = OpaqueOfTypes(direction);
  limits.count = 200;
  return limits;
}

InnerProductLimits Broadcasts() {
  InnerProductLimits limits;
  limits.all_layouts = limits.broadcasts = limits.every_type = true;
  return limits;
}

// Of every type and any shape, with what may be fused in a third of the forwards.
InnerProductLimits HalfOpen() {
  InnerProductLimits limits;
  limits.every_type = limits.scales = limits.post_ops = true;
  limits.attributes_percent = 33;
  limits.any_percent = 50;
  limits.count = 500;
  return limits;
}

InnerProductLimits OpenAndFused() {
  InnerProductLimits limits = HalfOpen();
  limits.directions = {Direction::kForward};
  limits.attributes_percent = 100;
  limits.any_percent = 80;
  limits.count = 100;
  return limits;
}

InnerProductLimits Forward() {
  InnerProductLimits limits = Opaque();
  limits.directions = {Direction::kForward};
  return limits;
}

const bool kDefined[] = {
    Define<InnerProductCase>(spec::IP_030, "", AnySubsets(), IsTheFormula),
    Define<InnerProductCase>(spec::IP_030, "types", AnyInnerProduct(HalfOpen()), IsTheFormula,
                             {"any src", "any wei", "any bias", "any dst", "bf16 wei", "s8 wei"}),
    Define<InnerProductCase>(
        spec::IP_031, "forward", AnyInnerProduct(AllLayouts(Direction::kForward)),
        GivenLayoutsAreUsed,
        {"permuted src", "permuted wei", "permuted dst", "gapped src", "gapped wei", "gapped bias",
         "gapped dst", "region src", "region wei", "region bias", "region dst"}),
    Define<InnerProductCase>(
        spec::IP_031, "data", AnyInnerProduct(AllLayouts(Direction::kBackwardData)),
        GivenLayoutsAreUsed,
        {"permuted src", "permuted wei", "permuted dst", "gapped src", "region src"}),
    Define<InnerProductCase>(spec::IP_031, "weights",
                             AnyInnerProduct(AllLayouts(Direction::kBackwardWeights)),
                             GivenLayoutsAreUsed,
                             {"permuted src", "permuted wei", "permuted dst", "gapped wei",
                              "gapped bias", "region wei"}),
    Define<InnerProductCase>(spec::IP_031, "rows-apart", RowsApart(), GivenLayoutsAreUsed,
                             {"gapped src", "u8 src", "s8 src", "bf16 src", "f16 src", "any wei"}),
    Define<InnerProductCase>(spec::IP_031, "broadcasts", AnyInnerProduct(Broadcasts()),
                             GivenLayoutsAreUsed, {"zero stride src", "zero stride wei"}),
    Define<BlockedCase<InnerProductCase>>(
        spec::IP_031, "blocks", WithBlocks(AnyInnerProduct(InBlocks())), GivenBlocksAreUsed,
        {"src in blocks", "wei in blocks", "dst in blocks", "blocks of 3", "blocks of 5",
         "blocks of 16", "padding"}),
    Define<BlockedCase<InnerProductCase>>(spec::IP_031, "small-blocks", WithBlocks(ManyBlocks()),
                                          GivenBlocksAreUsed,
                                          {"blocks of 3", "blocks of 5", "blocks of 16"}),
    Define<InnerProductCase>(spec::IP_033, "", AnyInnerProduct(Opaque()), ResolutionIsStable,
                             {"any src", "any wei", "any dst", "any bias"}),
    Define<InnerProductCase>(spec::IP_033, "forward",
                             AnyInnerProduct(FewOfTypes(Direction::kForward)), ResolutionIsStable,
                             {"any wei", "bf16 wei", "s8 wei"}),
    Define<InnerProductCase>(spec::IP_033, "data",
                             AnyInnerProduct(FewOfTypes(Direction::kBackwardData)),
                             ResolutionIsStable, {"any wei", "bf16 wei"}),
    Define<InnerProductCase>(spec::IP_033, "weights",
                             AnyInnerProduct(FewOfTypes(Direction::kBackwardWeights)),
                             ResolutionIsStable, {"any wei", "bf16 wei"}),
    Define<InnerProductCase>(spec::IP_033, "attributes", AnyInnerProduct(OpenAndFused()),
                             ResolutionIsStable, {"any wei", "sum", "scale of each channel"}),
    Define<InnerProductCase>(spec::IP_034, "", AnyInnerProduct(Forward()),
                             WeightsOfBatchesAreReordered),
    Define<InnerProductCase>(spec::IP_035, "forward",
                             AnyInnerProduct(OpaqueOfTypes(Direction::kForward)),
                             ResolvedIsADescriptor, {"any src", "any wei", "any dst", "any bias"}),
    Define<InnerProductCase>(spec::IP_035, "data",
                             AnyInnerProduct(OpaqueOfTypes(Direction::kBackwardData)),
                             ResolvedIsADescriptor, {"any src", "any wei", "any dst"}),
    Define<InnerProductCase>(spec::IP_035, "weights",
                             AnyInnerProduct(OpaqueOfTypes(Direction::kBackwardWeights)),
                             ResolvedIsADescriptor, {"any src", "any wei", "any dst", "any bias"}),
    Define<InnerProductCase>(spec::IP_036, "forward",
                             AnyInnerProduct(OpaqueOfTypes(Direction::kForward)),
                             ReordersGoThereAndBack, {"any src", "any wei", "any dst", "any bias"}),
    Define<InnerProductCase>(spec::IP_036, "data",
                             AnyInnerProduct(OpaqueOfTypes(Direction::kBackwardData)),
                             ReordersGoThereAndBack, {"any src", "any wei", "any dst"}),
    Define<InnerProductCase>(spec::IP_036, "weights",
                             AnyInnerProduct(OpaqueOfTypes(Direction::kBackwardWeights)),
                             ReordersGoThereAndBack, {"any src", "any wei", "any dst", "any bias"}),
    Define<InnerProductCase>(spec::IP_037, "", AnyInnerProduct(Opaque()), OpaqueMemoryIsLargeEnough,
                             {"any src", "any wei", "any dst"}),
    Define<InnerProductCase>(spec::IP_037, "forward",
                             AnyInnerProduct(FewOfTypes(Direction::kForward)),
                             OpaqueMemoryIsLargeEnough, {"any dst", "u8 dst", "tail of outputs"}),
    Define<InnerProductCase>(spec::IP_037, "attributes", AnyInnerProduct(OpenAndFused()),
                             OpaqueMemoryIsLargeEnough, {"any dst", "sum"}),
    Define<InnerProductCase>(spec::IP_037, "data",
                             AnyInnerProduct(FewOfTypes(Direction::kBackwardData)),
                             OpaqueMemoryIsLargeEnough, {"any src", "bf16 src"}),
    Define<InnerProductCase>(spec::IP_037, "weights",
                             AnyInnerProduct(FewOfTypes(Direction::kBackwardWeights)),
                             OpaqueMemoryIsLargeEnough, {"any wei", "bf16 wei"}),
};

}  // namespace
}  // namespace conformance
