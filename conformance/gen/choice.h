// A case that is one of a few named alternatives: `what=eltwise`. Names hold no blanks.
#ifndef DNNSPEC_CONFORMANCE_GEN_CHOICE_H_
#define DNNSPEC_CONFORMANCE_GEN_CHOICE_H_

#include <string>
#include <vector>

#include "conformance/case/fields.h"
#include "conformance/case/property.h"

namespace conformance {

struct Choice {
  std::string what;

  void Print(Fields* fields) const { fields->Set("what", what); }
  static Choice Parse(const Fields& fields) { return {fields.Text("what")}; }
  std::vector<Choice> Simpler() const { return {}; }
};

// All of them, in order.
inline Cases<Choice> Choices(const std::vector<std::string>& names) {
  std::vector<Choice> choices;
  for (const std::string& name : names) choices.push_back({name});
  return Listed(std::move(choices));
}

}  // namespace conformance

#endif  // DNNSPEC_CONFORMANCE_GEN_CHOICE_H_
