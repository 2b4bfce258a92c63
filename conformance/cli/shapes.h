// Lines of a batch that name a shape instead of a case (conformance/batches).
#ifndef DNNSPEC_CONFORMANCE_CLI_SHAPES_H_
#define DNNSPEC_CONFORMANCE_CLI_SHAPES_H_

#include <string>
#include <string_view>
#include <vector>

namespace conformance {

// The cases that one line stands for.
struct ShapeCases {
  std::string name;                // of the shape, as "stage2"
  std::vector<std::string> cases;  // lines, as --case takes them
  std::string error;               // what is wrong with the line; then nothing else counts
};

// Whether a line is one of these, and no case.
bool IsShape(std::string_view line);

// Of "tensor NAME dims=1x240x28x28", reorders between row-major and channels-last, with
// conversions; with `to=acbd` another layout than channels-last. With `group=3`, which divides the
// extent of `axis=1`, shuffles too. Of "eltwise NAME dims=1x64x56x56 alg=relu", with `alpha=` and
// `beta=` where they are not 0, its directions in both layouts. Of "inner_product NAME mb=1 ic=960
// oc=1000", with `sp=7x7` where the source has spatial axes, its three directions.
// With problem descriptors as benchdnn has them, "convolution ic64ih56oc64kh3ph1" and
// "inner_product mb1ic960oc1000", named by themselves or by what is behind their `n`, the same.
ShapeCases CasesOfShape(std::string_view line);

}  // namespace conformance

#endif  // DNNSPEC_CONFORMANCE_CLI_SHAPES_H_
