// What constructors of convolutions have to refuse: each a change of arguments that are legal.
#ifndef DNNSPEC_CONFORMANCE_CONVOLUTION_FAULTS_H_
#define DNNSPEC_CONFORMANCE_CONVOLUTION_FAULTS_H_

#include <cstdint>
#include <string>
#include <vector>

#include "conformance/convolution/cases.h"
#include "conformance/convolution/run.h"
#include "conformance/subject/computation_refusals.h"
#include "spec/memory/oracle.h"

namespace conformance::faults {

using Arguments = Request<ConvolutionNumbers>;

// Two axes: 5 by 6 with a kernel of 3 by 2.
Arguments Plane();
// The same with two groups.
Arguments Grouped();
// One axis of `input` places, as many outputs as are claimed.
Arguments Line(int64_t input, int64_t kernel, int64_t stride, int64_t padding_l, int64_t padding_r,
               int64_t output, int64_t dilation = 0);
// Of equal numbers for every axis, with these dims.
Arguments OfRank(spec::Dims src, spec::Dims weights, spec::Dims dst, size_t axes);
// Of these axes, each with as many outputs as it has: four channels in, three out.
Arguments OfAxes(const std::vector<spec::ConvolutionAxis>& axes);

struct Fault {
  std::string name;
  Arguments wrong;
  bool of_bias = false;  // nothing that backward data has
};

using Faults = std::vector<Fault> (*)();

std::vector<Fault> Ranks();
std::vector<Fault> WeightsRanks();
std::vector<Fault> Batches();
std::vector<Fault> Channels();
std::vector<Fault> Biases();
std::vector<Fault> Outputs();
std::vector<Fault> FarOutputs();
std::vector<Fault> Strides();
std::vector<Fault> Dilations();
std::vector<Fault> PaddingsBefore();
std::vector<Fault> PaddingsBehind();
std::vector<Fault> Nothings();
std::vector<Fault> ShortVectors();
std::vector<Fault> LongVectors();
std::vector<Fault> OpenDims();
std::vector<Fault> ZeroDescriptors();
std::vector<Fault> Algorithms();

}  // namespace conformance::faults

#endif  // DNNSPEC_CONFORMANCE_CONVOLUTION_FAULTS_H_
