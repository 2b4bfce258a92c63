#include "conformance/case/property.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>

namespace conformance {
namespace {

std::vector<std::unique_ptr<Property>>& Registry() {
  static auto* const registry = new std::vector<std::unique_ptr<Property>>;
  return *registry;
}

bool ByName(const std::unique_ptr<Property>& a, const std::unique_ptr<Property>& b) {
  return a->name() < b->name();
}

}  // namespace

Property::Property(const spec::Requirement& requirement, std::string_view variant,
                   std::vector<std::string> must_cover, const char* file)
    : requirement_(requirement),
      name_(requirement.id),
      must_cover_(std::move(must_cover)),
      file_(file) {
  if (!variant.empty()) name_.append("/").append(variant);
}

// Every step is mixed: a Random is a counter under a hash, so neighbouring seeds would give the
// same numbers one step apart.
Random Property::RandomAt(uint64_t seed, int64_t index) const {
  return Random(Mix(Mix(Mix(name_) ^ Mix(seed)) + static_cast<uint64_t>(index)));
}

std::string Property::LineOf(const Fields& fields) const {
  const std::string text = fields.ToString();
  return text.empty() ? name_ : name_ + ' ' + text;
}

std::vector<const Property*> Properties() {
  std::vector<const Property*> properties;
  for (const auto& property : Registry()) properties.push_back(property.get());
  return properties;
}

bool Add(std::unique_ptr<Property> property) {
  auto& registry = Registry();
  const auto at = std::lower_bound(registry.begin(), registry.end(), property, ByName);
  if (at != registry.end() && (*at)->name() == property->name()) {
    // Two checks under one name is a mistake in the suite that no run may get past.
    std::fprintf(stderr, "conformance: two properties are named %s\n", property->name().c_str());
    std::_Exit(2);
  }
  registry.insert(at, std::move(property));
  return true;
}

bool Define(const spec::Requirement& requirement, std::string_view variant,
            void (*check)(const NoParameters&, Trial&), const char* file) {
  return Define<NoParameters>(requirement, variant, Listed<NoParameters>({NoParameters()}), check,
                              {}, file);
}

}  // namespace conformance
