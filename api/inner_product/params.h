// The parameters of an inner product, of which there are none: its tensors and attributes say all.
#ifndef DNNSPEC_API_INNER_PRODUCT_PARAMS_H_
#define DNNSPEC_API_INNER_PRODUCT_PARAMS_H_

namespace spi {

struct InnerProductParams {};

inline bool operator==(const InnerProductParams&, const InnerProductParams&) { return true; }

}  // namespace spi

#endif  // DNNSPEC_API_INNER_PRODUCT_PARAMS_H_
