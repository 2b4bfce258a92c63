#include "conformance/mutants/mutation_report.h"

#include <algorithm>
#include <cstdio>
#include <map>
#include <sstream>

#include "conformance/mutants/kills.h"
#include "conformance/report/markup.h"
#include "nlohmann/json.hpp"
#include "tools/mutate/active.h"

namespace conformance {
namespace {

using Json = nlohmann::ordered_json;

const mutants::Entry& EntryOf(const MutantResult& result) {
  return mutants::kEntries[result.number];
}

std::string Joined(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : " ") + word;
  return text;
}

const char* OutcomeOf(const MutantResult& result) {
  if (!result.beyond.empty()) return "beyond";
  if (!result.unjust.empty()) return "UNJUST";
  if (!result.good()) return "ALIVE";
  return result.question == Question::kFair ? "fair" : "killed";
}

std::string WhyAlive(const MutantResult& result) {
  if (!result.unfounded.empty()) return result.unfounded + " fails without the mutant too";
  if (!result.unjust.empty())
    return result.unjust + " fails in the portable profile, but " + EntryOf(result).allowed +
           " allows it: " + EntryOf(result).why + "\n        " + result.failure.minimal;
  return std::string("no property of ") + EntryOf(result).kills +
         " noticed: " + EntryOf(result).why;
}

auto CountBeyond(const std::vector<MutantResult>& results) {
  return std::count_if(results.begin(), results.end(),
                       [](const MutantResult& result) { return !result.beyond.empty(); });
}

}  // namespace

std::string Line(const MutantResult& result) {
  char head[160];
  std::snprintf(head, sizeof(head), "%-6s  %-44s %6lld cases %6.2f s  ", OutcomeOf(result),
                EntryOf(result).name, static_cast<long long>(result.cases), result.seconds);
  if (!result.beyond.empty()) return head + ("out of reach: " + result.beyond) + "\n";
  if (!result.good()) return head + WhyAlive(result) + "\n";
  if (result.killers.empty())
    return head + std::string(EntryOf(result).allowed) + ", said " + std::to_string(result.judges) +
           " properties\n";
  return head + Joined(result.killers) +
         (*EntryOf(result).allowed != '\0' && result.question == Question::kBoth
              ? std::string(", not in portable: ") + EntryOf(result).allowed
              : "") +
         (result.cap.empty() ? "" : ", under " + result.cap) + "\n        " +
         result.failure.minimal +
         (result.failure.signal.empty() ? "" : "  (" + result.failure.signal + ")") + "\n";
}

std::string Score(const std::vector<MutantResult>& results) {
  struct Count {
    size_t killed = 0, all = 0;
  };
  std::map<std::string, Count> areas;
  Count total;
  const bool fair = !results.empty() && results[0].question == Question::kFair;
  double seconds = 0;
  size_t beyond = 0;
  for (const MutantResult& result : results) {
    if (!result.beyond.empty()) {
      ++beyond;
      continue;
    }
    Count& area = areas[EntryOf(result).area];
    area.killed += result.good();
    total.killed += result.good();
    ++area.all;
    ++total.all;
    seconds += result.seconds;
  }
  std::ostringstream out;
  for (const auto& [name, count] : areas)
    out << count.killed << " of " << count.all << "  " << name << "\n";
  out << total.killed << " of " << total.all
      << (fair ? " allowed mutants are not blamed" : " mutants killed");
  if (beyond > 0) out << ", " << beyond << " out of reach of this machine";
  out << ", in " << seconds << " s\n";
  return out.str();
}

std::string ToJson(const std::vector<MutantResult>& results) {
  Json list = Json::array();
  for (const MutantResult& result : results) {
    const mutants::Entry& entry = EntryOf(result);
    list.push_back({{"mutant", entry.name},
                    {"area", entry.area},
                    {"file", entry.file},
                    {"why", entry.why},
                    {"requirements", Joined(RequirementsIn(entry))},
                    {"allowed", entry.allowed},
                    {"killed", !result.killers.empty() && result.good()},
                    {"killed_by", result.killers},
                    {"case", result.failure.minimal},
                    {"where", result.failure.where},
                    {"expected", result.failure.expected},
                    {"got", result.failure.got},
                    {"signal", result.failure.signal},
                    {"cases", result.cases},
                    {"seconds", result.seconds}});
    if (!result.beyond.empty()) {
      list.back()["out_of_reach"] = result.beyond;
    } else if (!result.good()) {
      list.back()["alive"] = WhyAlive(result);
    }
  }
  const auto killed = std::count_if(results.begin(), results.end(),
                                    [](const MutantResult& result) { return result.good(); });
  const auto beyond = CountBeyond(results);
  const Json report = {{"killed", killed},
                       {"all", results.size() - static_cast<size_t>(beyond)},
                       {"out_of_reach", beyond},
                       {"mutants", std::move(list)}};
  // What a subject throws need not be UTF-8.
  return report.dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
}

std::string ToJunit(const std::vector<MutantResult>& results) {
  const auto alive = std::count_if(results.begin(), results.end(), [](const MutantResult& result) {
    return !result.good() && result.beyond.empty();
  });
  std::ostringstream out;
  out << "<testsuites><testsuite name=\"mutants\" tests=\"" << results.size() << "\" failures=\""
      << alive << "\" skipped=\"" << CountBeyond(results) << "\">\n";
  for (const MutantResult& result : results) {
    out << "<testcase classname=\"mutants\" name=\"" << EscapedForMarkup(EntryOf(result).name)
        << "\" time=\"" << result.seconds << "\">";
    if (!result.beyond.empty())
      out << "<skipped message=\"" << EscapedForMarkup(result.beyond) << "\"/>";
    else if (!result.good())
      out << "<failure message=\"" << EscapedForMarkup(WhyAlive(result)) << "\"/>";
    out << "</testcase>\n";
  }
  out << "</testsuite></testsuites>\n";
  return out.str();
}

}  // namespace conformance
