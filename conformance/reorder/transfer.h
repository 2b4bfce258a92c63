// Reorders between two engines, or two engine objects of one device (XENG): made and executed.
#ifndef DNNSPEC_CONFORMANCE_REORDER_TRANSFER_H_
#define DNNSPEC_CONFORMANCE_REORDER_TRANSFER_H_

#include <cstddef>
#include <optional>
#include <utility>
#include <vector>

#include "conformance/case/trial.h"
#include "conformance/reorder/cases.h"
#include "conformance/reorder/run.h"
#include "conformance/subject/device.h"
#include "conformance/subject/tensor.h"
#include "oneapi/dnnl/dnnl.hpp"
#include "spec/numeric/convert.h"

namespace conformance {

// One side of a reorder.
struct Side {
  dnnl::engine::kind kind;
  Device device;
};

const char* NameOf(dnnl::engine::kind kind);  // "cpu", "gpu"

// A run of the CPU's engine is about that one: what involves a device belongs to the device's run.
bool HasDevice(const Trial& trial);

// An engine object of its own, not shared with any other side. nullopt after recording the outcome
// in `trial` where there is none.
std::optional<Side> SideOf(dnnl::engine::kind kind, Trial& trial, size_t index = 0);
// The other side of `side` where both are of one device: another engine object, but in the portable
// profile, where nobody may rely on that (ENG-009, A-10), the same.
std::optional<Side> OtherSideOf(const Side& side, Trial& trial);

// Of the engine that the run is about.
dnnl::engine::kind KindOf(const Trial& trial);
using Kinds = std::pair<dnnl::engine::kind, dnnl::engine::kind>;
// The direction of a case between different devices: there, or back.
Kinds DirectionOf(const ReorderCase& c);
// Between different devices; without a second one, between two engine objects of the one there is
// (project).
Kinds EnginesOf(const ReorderCase& c, const Trial& trial);

// A reorder between two sides, ready to run.
struct Transfer {
  ReorderPd pd;
  dnnl::stream stream;
  Tensor from, to;
  std::vector<spec::Bits> source, old;
};

// nullopt after recording the outcome in `trial`. What may be refused is not run: XENG-002 is MUST
// for f32 with equal layouts, XENG-003 is SHOULD.
std::optional<Transfer> SetUpTransfer(const ReorderCase& c, const Side& src_side,
                                      const Side& dst_side, Trial& trial);
// Executes and waits. False, with a failure, if that throws or changes its arguments.
bool RunTransfer(const ReorderCase& c, Transfer& transfer, Trial& trial);
// Both, and that the destination holds what the oracle says.
void CheckTransfer(const ReorderCase& c, const Side& src, const Side& dst, Trial& trial);

}  // namespace conformance

#endif  // DNNSPEC_CONFORMANCE_REORDER_TRANSFER_H_
