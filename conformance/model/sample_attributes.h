// Attributes for samples, and what descriptors made with them say of themselves.
#ifndef DNNSPEC_CONFORMANCE_MODEL_SAMPLE_ATTRIBUTES_H_
#define DNNSPEC_CONFORMANCE_MODEL_SAMPLE_ATTRIBUTES_H_

#include <cstdint>
#include <string>
#include <vector>

#include "conformance/case/random.h"
#include "conformance/case/trial.h"
#include "conformance/model/samples.h"
#include "conformance/subject/attempt.h"
#include "oneapi/dnnl/dnnl.hpp"

namespace conformance {

// Attributes that a sample of the plan may take: some kinds take none but the mode. Where nothing
// is executed, scales may be for the execution to bring.
dnnl::primitive_attr AnyAttributesFor(const SamplePlan& plan, Random& random,
                                      bool run_time = false);

// Tells `trial` that a sample was refused with attributes. The mode of the scratchpad alone is no
// reason to refuse.
void SampleWithAttributesRefused(const SamplePlan& plan, const dnnl::primitive_attr& attr,
                                 const Refusal& refusal, Trial& trial);

// How many output scales a mask means for the plan's destination.
int64_t CountOfScales(const SamplePlan& plan, int mask);

// Makes output scales of the mask come with the execution; the memory that brings them holds
// `scale` as often as the mask means. May throw.
dnnl::memory ScaleAtExecution(const SamplePlan& plan, int mask, float scale, const Device& device,
                              dnnl::primitive_attr* attr);

// What a descriptor says of itself, apart from its implementation.
std::string StateOf(const dnnl::primitive_desc_base& pd);

}  // namespace conformance

#endif  // DNNSPEC_CONFORMANCE_MODEL_SAMPLE_ATTRIBUTES_H_
