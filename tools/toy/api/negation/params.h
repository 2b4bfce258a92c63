// The parameters of a negation: none.
#ifndef DNNSPEC_API_NEGATION_PARAMS_H_
#define DNNSPEC_API_NEGATION_PARAMS_H_

namespace spi {

struct NegationParams {};

inline bool operator==(const NegationParams&, const NegationParams&) { return true; }

}  // namespace spi

#endif  // DNNSPEC_API_NEGATION_PARAMS_H_
