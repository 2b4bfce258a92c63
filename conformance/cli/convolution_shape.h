// Convolutions of a batch (shapes.h).
#ifndef DNNSPEC_CONFORMANCE_CLI_CONVOLUTION_SHAPE_H_
#define DNNSPEC_CONFORMANCE_CLI_CONVOLUTION_SHAPE_H_

#include <string>
#include <string_view>
#include <vector>

#include "conformance/cli/problem.h"

namespace conformance {

// The problem descriptor of a convolution, `gXmbX_icXidXihXiwX_ocXodXohXowX_kdXkhXkwX_sdXshXswX_
// pdXphXpwX_ddXdhXdwX_nS`, with what benchdnn leaves out of it:
//   - mb is 2, strides are 1, dilates are 0;
//   - without numbers of d there are two spatial axes, without those of h as well there is one;
//   - without numbers of w that axis is as h, and without those of h that is as d;
//   - without an output size it follows from the padding, as if that were the same on both sides,
//     0 where it is not there;
//   - without a padding it follows from the output size, and half of it lies in front;
//   - behind there are as many places as the last output reads, below 0 where it reads not all of
//     the input.
// Of these `kd` and `id` or theirs of the first axis, ic and oc have to be there. Channels are
// those of all groups.
Problem ReadConvolution(std::string_view text);

// Its three directions. Returns what is wrong with the numbers.
std::string AddConvolution(const Problem& problem, std::vector<std::string>* cases);

}  // namespace conformance

#endif  // DNNSPEC_CONFORMANCE_CLI_CONVOLUTION_SHAPE_H_
