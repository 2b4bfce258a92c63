#include "conformance/gen/computation_blocks.h"

#include <algorithm>

namespace conformance {
namespace {

std::string FieldOf(Role role) { return std::string(KeyOf(role)) + "_blocks"; }

BlockedTensor InBlocksOfOneAxis(Random& random, spec::Type type, const spec::Dims& dims,
                                int64_t size) {
  const int axis = dims.size() > 1 && random.Chance(75) ? 1 : 0;
  return DenselyBlocked(type, dims, {{axis, size}});
}

// Whether a line can tell it.
bool IsTold(const BlockedTensor& tensor) {
  return ParseBlockedTensor(ToString(tensor)).has_value();
}

}  // namespace

void SetBlocks(Fields* fields, const BlocksOfRoles& blocks) {
  for (const Role role : kRoles)
    if (blocks[role]) SetBlockedTensor(fields, FieldOf(role), *blocks[role]);
}

BlocksOfRoles GetBlocks(const Fields& fields, const Computation& c) {
  BlocksOfRoles blocks;
  for (const Role role : kRoles) {
    const std::string field = FieldOf(role);
    if (!fields.Has(field)) continue;
    const BlockedTensor tensor = GetBlockedTensor(fields, field);
    if (!c.Has(role) || !c.uses[role].any) {
      fields.Reject(field, std::string("wants ") + KeyOf(role) + " to be any");
    } else if (tensor.type != c.uses[role].type || tensor.dims() != c.DimsOf(role)) {
      fields.Reject(field, std::string("has another type or other dims than ") + KeyOf(role) +
                               ", " + spec::NameOf(c.uses[role].type) + ":" +
                               Join(c.DimsOf(role), 'x'));
    } else {
      blocks[role] = tensor;
    }
  }
  return blocks;
}

BlocksOfRoles AnyBlocksOf(Random& random, const Computation& c, int64_t size) {
  BlocksOfRoles blocks;
  for (const Role role : kRoles) {
    if (!c.Has(role) || !c.uses[role].any || role == kBias || random.Chance(20)) continue;
    const spec::Dims dims = c.DimsOf(role);
    const spec::Type type = c.uses[role].type;
    const BlockedTensor tensor =
        random.Chance(65) ? InBlocksOfOneAxis(random, type, dims, size)
                          : AnyBlockedTensor(random, type, dims,
                                             AnyBlocks(random, static_cast<int>(dims.size())));
    if (IsTold(tensor)) blocks[role] = tensor;
  }
  return blocks;
}

BlocksOfRoles BlocksFor(const Computation& simpler, const BlocksOfRoles& blocks) {
  BlocksOfRoles left;
  for (const Role role : kRoles) {
    if (!blocks[role] || !simpler.Has(role) || !simpler.uses[role].any) continue;
    BlockedTensor tensor = *blocks[role];
    tensor.type = simpler.uses[role].type;
    const spec::Dims dims = simpler.DimsOf(role);
    if (tensor.dims() != dims) {
      std::vector<spec::Block> within = tensor.layout.blocks;
      within.erase(std::remove_if(within.begin(), within.end(),
                                  [&dims](const spec::Block& block) {
                                    return block.axis >= static_cast<int>(dims.size());
                                  }),
                   within.end());
      tensor = DenselyBlocked(tensor.type, dims, within);
    }
    left[role] = tensor;
  }
  return left;
}

std::vector<BlocksOfRoles> SimplerBlocks(const BlocksOfRoles& blocks) {
  std::vector<BlocksOfRoles> simpler;
  for (const Role role : kRoles) {
    if (!blocks[role]) continue;
    simpler.push_back(blocks);
    simpler.back()[role].reset();
    for (const BlockedTensor& plainer : SimplerLayouts(*blocks[role])) {
      simpler.push_back(blocks);
      simpler.back()[role] = plainer;
    }
  }
  return simpler;
}

std::vector<std::string> ClassesOf(const BlocksOfRoles& blocks) {
  std::vector<std::string> classes;
  for (const Role role : kRoles) {
    if (!blocks[role]) continue;
    classes.push_back(std::string(KeyOf(role)) + " in blocks");
    for (const spec::Block& block : blocks[role]->layout.blocks)
      classes.push_back("blocks of " + std::to_string(block.size));
    if (spec::PaddedDims(blocks[role]->layout) != blocks[role]->dims())
      classes.emplace_back("padding");
  }
  return classes;
}

}  // namespace conformance
