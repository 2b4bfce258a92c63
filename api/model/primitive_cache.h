// Keeps what requests became, for later ones that are equal, until others have been used more
// lately: nobody can tell but by the time (PRIM-049). Whichever engine of a device they name:
// descriptors have that. Only requests all of whose devices say PlansMayBeKept are kept.
//
// Functions may be called from several threads at once.
#ifndef DNNSPEC_API_MODEL_PRIMITIVE_CACHE_H_
#define DNNSPEC_API_MODEL_PRIMITIVE_CACHE_H_

#include <cstddef>
#include <memory>

#include "api/model/primitive_state.h"

namespace api {

// A request, which has no devices and no plan yet, as the cache knows it: equal for equal ones, and
// nearly always different for others. 0 where nothing of it may be kept.
std::size_t KeyOf(const dnnl::state::computation& request, const dnnl::state::engines& engines);

// What an earlier request that equals this one, on the same devices, became; or null.
std::shared_ptr<const dnnl::state::computation> FindCached(std::size_t key,
                                                           const dnnl::state::computation& request,
                                                           const dnnl::state::engines& engines);

// Keeps what the request with this key became, unless memory is short.
void Cache(std::size_t key, const std::shared_ptr<const dnnl::state::computation>& made);

}  // namespace api

#endif  // DNNSPEC_API_MODEL_PRIMITIVE_CACHE_H_
