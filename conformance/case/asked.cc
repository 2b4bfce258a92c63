#include "conformance/case/asked.h"

#include <algorithm>

namespace conformance {
namespace {

constexpr char kBetweenParts = '|';
constexpr char kBetweenItems = ';';

std::string Joined(const std::vector<std::string>& items, std::string_view between) {
  std::string text;
  for (const std::string& item : items) {
    if (!text.empty()) text += between;
    text += item;
  }
  return text;
}

// Takes what stands before the next `end` off *text.
std::string Taken(std::string_view* text, char end) {
  const std::string_view part = text->substr(0, text->find(end));
  text->remove_prefix(std::min(text->size(), part.size() + 1));
  return std::string(part);
}

std::vector<std::string> Items(std::string_view text) {
  std::vector<std::string> items;
  while (!text.empty()) items.push_back(Taken(&text, kBetweenItems));
  return items;
}

}  // namespace

std::string Asked::Request() const {
  std::string text = prop;
  if (!types.empty()) text += (text.empty() ? "" : " ") + Joined(types, " -> ");
  if (!features.empty()) text += (text.empty() ? "with " : " with ") + Joined(features, ", ");
  if (high_rank()) text += ", rank " + std::to_string(kPromisedRank + 1) + " and more";
  return text;
}

std::string Asked::ToString() const {
  const std::string request = Request();
  return request.empty() ? topic : topic + " " + request;
}

std::string Asked::Key() const {
  const std::string items(1, kBetweenItems);
  return topic + kBetweenParts + prop + kBetweenParts + Joined(types, items) + kBetweenParts +
         (high_rank() ? "high" : "") + kBetweenParts + Joined(features, items);
}

Asked Asked::Parse(std::string_view key) {
  Asked asked;
  asked.topic = Taken(&key, kBetweenParts);
  asked.prop = Taken(&key, kBetweenParts);
  asked.types = Items(Taken(&key, kBetweenParts));
  asked.rank = Taken(&key, kBetweenParts) == "high" ? kPromisedRank + 1 : 0;
  asked.features = Items(Taken(&key, kBetweenParts));
  return asked;
}

}  // namespace conformance
