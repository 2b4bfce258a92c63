// Propagation kinds that a forward primitive refuses.
#ifndef DNNSPEC_CONFORMANCE_SUBJECT_PROP_KINDS_H_
#define DNNSPEC_CONFORMANCE_SUBJECT_PROP_KINDS_H_

#include <string>
#include <vector>

#include "oneapi/dnnl/dnnl.hpp"

namespace conformance {

struct NamedKind {
  std::string name;
  dnnl::prop_kind kind;
};

inline const std::vector<NamedKind>& KindsOtherThanForward() {
  using dnnl::prop_kind;
  static const auto* const kinds =
      new std::vector<NamedKind>{{"undef", prop_kind::undef},
                                 {"backward", prop_kind::backward},
                                 {"backward_data", prop_kind::backward_data},
                                 {"backward_weights", prop_kind::backward_weights},
                                 {"backward_bias", prop_kind::backward_bias}};
  return *kinds;
}

inline std::vector<std::string> NamesOf(const std::vector<NamedKind>& kinds) {
  std::vector<std::string> names;
  for (const NamedKind& kind : kinds) names.push_back(kind.name);
  return names;
}

}  // namespace conformance

#endif  // DNNSPEC_CONFORMANCE_SUBJECT_PROP_KINDS_H_
