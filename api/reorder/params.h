// The parameters of a reorder, of which there are none: its tensors and attributes say all.
#ifndef DNNSPEC_API_REORDER_PARAMS_H_
#define DNNSPEC_API_REORDER_PARAMS_H_

namespace spi {

struct ReorderParams {};

inline bool operator==(const ReorderParams&, const ReorderParams&) { return true; }

}  // namespace spi

#endif  // DNNSPEC_API_REORDER_PARAMS_H_
