// A PropertyResult as bytes, from one process of the suite to another.
#ifndef DNNSPEC_CONFORMANCE_JUDGE_SERIALIZE_H_
#define DNNSPEC_CONFORMANCE_JUDGE_SERIALIZE_H_

#include <string>
#include <string_view>

#include "conformance/judge/judge.h"

namespace conformance {

std::string Pack(const PropertyResult& result);

// The opposite; `bytes` come from Pack.
PropertyResult Unpack(std::string_view bytes);

}  // namespace conformance

#endif  // DNNSPEC_CONFORMANCE_JUDGE_SERIALIZE_H_
