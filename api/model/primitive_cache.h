// Keeps what requests became, for later ones that are equal, until others have been used more
// lately: nobody can tell but by the time (PRIM-049). Only requests all of whose engines say
// PlansMayBeKept are kept.
//
// Functions may be called from several threads at once.
#ifndef DNNSPEC_API_MODEL_PRIMITIVE_CACHE_H_
#define DNNSPEC_API_MODEL_PRIMITIVE_CACHE_H_

#include <cstddef>
#include <memory>

#include "api/model/primitive_state.h"

namespace api {

// A request as the cache knows it: equal for equal ones, and nearly always different for others.
// 0 where nothing of it may be kept. Of one that has no plan yet.
std::size_t KeyOf(const dnnl::state::computation& request);

// What an earlier request equal to `request`, which has no plan yet, became; or null.
std::shared_ptr<const dnnl::state::computation> FindCached(std::size_t key,
                                                           const dnnl::state::computation& request);

// Keeps what the request with this key became, unless memory is short.
void Cache(std::size_t key, const std::shared_ptr<const dnnl::state::computation>& made);

}  // namespace api

#endif  // DNNSPEC_API_MODEL_PRIMITIVE_CACHE_H_
