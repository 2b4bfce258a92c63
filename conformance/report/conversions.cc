#include "conformance/report/conversions.h"

#include <algorithm>
#include <optional>
#include <string_view>

namespace conformance {
namespace {

// Places in kConvertedTypes.
struct Pair {
  size_t from = 0, to = 0;
};

std::optional<size_t> PlaceOf(std::string_view type) {
  const auto at = std::find(std::begin(kConvertedTypes), std::end(kConvertedTypes), type);
  if (at == std::end(kConvertedTypes)) return std::nullopt;
  return static_cast<size_t>(at - std::begin(kConvertedTypes));
}

std::optional<Pair> PairOf(std::string_view from, std::string_view to) {
  const auto source = PlaceOf(from), destination = PlaceOf(to);
  if (!source || !destination) return std::nullopt;
  return Pair{*source, *destination};
}

// Of "f32 to s8" with " to ", of "REO-040/f32-s8" with "-" behind the '/'.
std::optional<Pair> PairIn(std::string_view text, std::string_view between) {
  const size_t at = text.find(between);
  if (at == std::string_view::npos) return std::nullopt;
  return PairOf(text.substr(0, at), text.substr(at + between.size()));
}

std::optional<Pair> PairOfVariant(std::string_view property) {
  const size_t slash = property.find('/');
  return slash == std::string_view::npos ? std::nullopt : PairIn(property.substr(slash + 1), "-");
}

// The value of a field of a case's line, up to a colon; "" if it has none of that key.
std::string_view FieldOf(std::string_view line, std::string_view key) {
  const std::string field = " " + std::string(key) + "=";
  const size_t at = line.find(field);
  if (at == std::string_view::npos) return "";
  const std::string_view value = line.substr(at + field.size());
  return value.substr(0, value.find_first_of(": "));
}

// Of the line of a case that moves one tensor to another.
std::optional<Pair> PairOfCase(std::string_view line) {
  // A shuffle and an inner product have these too, and convert nothing by themselves.
  if (!FieldOf(line, "dir").empty()) return std::nullopt;
  if (const auto pair = PairOf(FieldOf(line, "src"), FieldOf(line, "dst"))) return pair;
  return PairOf(FieldOf(line, "from"), FieldOf(line, "to"));
}

bool HasAttributes(std::string_view line) {
  for (const char* key : {"mask", "alpha", "scales", "alphas", "beta", "zs", "zd"})
    if (!FieldOf(line, key).empty()) return true;
  return false;
}

void AddOnce(const std::string& id, std::vector<std::string>* ids) {
  if (std::find(ids->begin(), ids->end(), id) == ids->end()) ids->push_back(id);
}

// From what says least.
int Weight(std::string_view verdict) {
  constexpr std::string_view kNone[] = {"not_run", "refused", "not_claimed"};
  const auto at = std::find(std::begin(kNone), std::end(kNone), verdict);
  return at != std::end(kNone) ? static_cast<int>(at - std::begin(kNone)) : 3 + Severity(verdict);
}

class Table {
 public:
  void Add(Pair pair, const std::string& verdict, const std::string& id) {
    conversions_.empty = false;
    Conversion& conversion = conversions_.of[pair.from][pair.to];
    if (Weight(verdict) > Weight(conversion.verdict)) {
      conversion.verdict = verdict;
      conversion.ids.clear();
    }
    if (verdict == conversion.verdict && Severity(verdict) > Severity("pass"))
      AddOnce(id, &conversion.ids);
  }

  void AddWithAttributes(Pair pair, const std::string& id) {
    conversions_.empty = false;
    AddOnce(id, &conversions_.of[pair.from][pair.to].with_attributes);
  }

  Conversions Done() { return std::move(conversions_); }

 private:
  Conversions conversions_;
};

// Why a property of a pair has no verdict.
std::string WhyNot(std::string_view reason) {
  const auto begins = [reason](std::string_view with) {
    return reason.substr(0, with.size()) == with;
  };
  return begins("not claimed:") ? "not_claimed" : begins("refused:") ? "refused" : "not_run";
}

void AddProperty(const RecordedProperty& property, const std::string& id, Table* table) {
  if (const auto pair = PairOfVariant(property.name))
    table->Add(*pair, property.verdict == "not_run" ? WhyNot(property.reason) : property.verdict,
               id);
  for (const auto& [name, count] : property.classes) {
    const auto pair = PairIn(name, " to ");
    if (!pair) continue;
    // What failed in a property that has a verdict has that one.
    const bool red = Severity(property.verdict) > Severity("pass");
    if (count.failed > 0) {
      table->Add(*pair, red ? property.verdict : "fail", id);
    } else if (count.run > 0) {
      table->Add(*pair, "pass", id);
    } else if (count.refused > 0) {
      table->Add(*pair, "refused", id);
    }
  }
}

void AddFailure(const RecordedFailure& failure, const RecordedRequirement& requirement,
                Table* table) {
  const auto pair = PairOfCase(failure.minimal);
  // Of warnings a file has a few examples: a table of them would be full of chance.
  if (!pair || failure.warning) return;
  std::string verdict = requirement.verdict;
  for (const RecordedProperty& property : requirement.properties)
    if (property.name == failure.property) verdict = property.verdict;
  if (Severity(verdict) <= Severity("pass")) return;
  if (HasAttributes(failure.minimal)) {
    if (verdict == "fail") table->AddWithAttributes(*pair, requirement.id);
  } else {
    table->Add(*pair, verdict, requirement.id);
  }
}

}  // namespace

Conversions ConversionsOf(const RecordedRun& run) {
  Table table;
  for (const RecordedRequirement& requirement : run.requirements) {
    for (const RecordedProperty& property : requirement.properties)
      AddProperty(property, requirement.id, &table);
    for (const RecordedFailure& failure : requirement.failures)
      AddFailure(failure, requirement, &table);
  }
  return table.Done();
}

}  // namespace conformance
