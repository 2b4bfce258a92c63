// ORC-SHU: the definition of shuffle, as the guide writes it.
//
//   dst(u + v * C/G) = src(u * G + v),   0 <= u < C/G,  0 <= v < G
#ifndef DNNSPEC_SPEC_SHUFFLE_ORACLE_H_
#define DNNSPEC_SPEC_SHUFFLE_ORACLE_H_

#include <cstdint>
#include <vector>

namespace spec {

// The position on the source axis that feeds position `c` of the destination, for an axis of
// `size` and a group of `group`; `group` divides `size`.
int64_t ShuffleSource(int64_t c, int64_t size, int64_t group);

// Backward: the position on diff_dst's axis that feeds position `c` of diff_src.
int64_t ShuffleBackwardSource(int64_t c, int64_t size, int64_t group);

// The other formulations of ORC-SHU, for its test and for SHU-021: 3 (transposition, materialised:
// the positions that feed 0 .. size - 1) and 4 (modular).
std::vector<int64_t> ShuffleSourcesByTransposition(int64_t size, int64_t group);
int64_t ShuffleSourceByModulus(int64_t c, int64_t size, int64_t group);

}  // namespace spec

#endif  // DNNSPEC_SPEC_SHUFFLE_ORACLE_H_
