#include "conformance/mutants/tell.h"

#include <algorithm>
#include <cstdio>
#include <map>
#include <sstream>

#include "conformance/report/markup.h"
#include "nlohmann/json.hpp"
#include "tools/mutate/active.h"

namespace conformance {
namespace {

using Json = nlohmann::ordered_json;

const mutants::Entry& EntryOf(const Fate& fate) { return mutants::kEntries[fate.number]; }

std::string Joined(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : " ") + word;
  return text;
}

std::string WhyAlive(const Fate& fate) {
  if (!fate.unfounded.empty()) return fate.unfounded + " fails without the mutant too";
  if (!fate.unjust.empty())
    return fate.unjust + " fails in the portable profile, but " + EntryOf(fate).allowed +
           " allows it: " + EntryOf(fate).why + "\n        " + fate.failure.minimal;
  return std::string("no property of ") + EntryOf(fate).kills + " noticed: " + EntryOf(fate).why;
}

auto CountBeyond(const std::vector<Fate>& fates) {
  return std::count_if(fates.begin(), fates.end(),
                       [](const Fate& fate) { return !fate.beyond.empty(); });
}

}  // namespace

std::string Line(const Fate& fate) {
  char head[160];
  std::snprintf(head, sizeof(head), "%-6s  %-44s %6lld cases %6.2f s  ",
                !fate.beyond.empty()  ? "beyond"
                : fate.killed()       ? "killed"
                : fate.unjust.empty() ? "ALIVE"
                                      : "UNJUST",
                EntryOf(fate).name, static_cast<long long>(fate.cases), fate.seconds);
  if (!fate.beyond.empty()) return head + ("out of reach: " + fate.beyond) + "\n";
  if (!fate.killed()) return head + WhyAlive(fate) + "\n";
  return head + Joined(fate.killers) +
         (*EntryOf(fate).allowed != '\0'
              ? std::string(", not in portable: ") + EntryOf(fate).allowed
              : "") +
         (fate.cap.empty() ? "" : ", under " + fate.cap) + "\n        " + fate.failure.minimal +
         (fate.failure.signal.empty() ? "" : "  (" + fate.failure.signal + ")") + "\n";
}

std::string Score(const std::vector<Fate>& fates) {
  struct Count {
    size_t killed = 0, all = 0;
  };
  std::map<std::string, Count> areas;
  Count total;
  double seconds = 0;
  size_t beyond = 0;
  for (const Fate& fate : fates) {
    if (!fate.beyond.empty()) {
      ++beyond;
      continue;
    }
    Count& area = areas[EntryOf(fate).area];
    area.killed += fate.killed();
    total.killed += fate.killed();
    ++area.all;
    ++total.all;
    seconds += fate.seconds;
  }
  std::ostringstream out;
  for (const auto& [name, count] : areas)
    out << count.killed << " of " << count.all << "  " << name << "\n";
  out << total.killed << " of " << total.all << " mutants killed";
  if (beyond > 0) out << ", " << beyond << " out of reach of this machine";
  out << ", in " << seconds << " s\n";
  return out.str();
}

std::string ToJson(const std::vector<Fate>& fates) {
  Json list = Json::array();
  for (const Fate& fate : fates) {
    const mutants::Entry& entry = EntryOf(fate);
    list.push_back({{"mutant", entry.name},
                    {"area", entry.area},
                    {"file", entry.file},
                    {"why", entry.why},
                    {"requirements", entry.kills},
                    {"allowed", entry.allowed},
                    {"killed", fate.killed()},
                    {"killed_by", fate.killers},
                    {"case", fate.failure.minimal},
                    {"where", fate.failure.where},
                    {"expected", fate.failure.expected},
                    {"got", fate.failure.got},
                    {"signal", fate.failure.signal},
                    {"cases", fate.cases},
                    {"seconds", fate.seconds}});
    if (!fate.beyond.empty()) {
      list.back()["out_of_reach"] = fate.beyond;
    } else if (!fate.killed()) {
      list.back()["alive"] = WhyAlive(fate);
    }
  }
  const auto killed =
      std::count_if(fates.begin(), fates.end(), [](const Fate& fate) { return fate.killed(); });
  const auto beyond = CountBeyond(fates);
  const Json report = {{"killed", killed},
                       {"all", fates.size() - static_cast<size_t>(beyond)},
                       {"out_of_reach", beyond},
                       {"mutants", std::move(list)}};
  // What a subject throws need not be UTF-8.
  return report.dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
}

std::string ToJunit(const std::vector<Fate>& fates) {
  const auto alive = std::count_if(fates.begin(), fates.end(), [](const Fate& fate) {
    return !fate.killed() && fate.beyond.empty();
  });
  std::ostringstream out;
  out << "<testsuites><testsuite name=\"mutants\" tests=\"" << fates.size() << "\" failures=\""
      << alive << "\" skipped=\"" << CountBeyond(fates) << "\">\n";
  for (const Fate& fate : fates) {
    out << "<testcase classname=\"mutants\" name=\"" << EscapedForMarkup(EntryOf(fate).name)
        << "\" time=\"" << fate.seconds << "\">";
    if (!fate.beyond.empty())
      out << "<skipped message=\"" << EscapedForMarkup(fate.beyond) << "\"/>";
    else if (!fate.killed())
      out << "<failure message=\"" << EscapedForMarkup(WhyAlive(fate)) << "\"/>";
    out << "</testcase>\n";
  }
  out << "</testsuite></testsuites>\n";
  return out.str();
}

}  // namespace conformance
