#include "conformance/report/scores.h"

#include <sstream>
#include <utility>

#include "conformance/report/problems.h"
#include "nlohmann/json.hpp"

namespace conformance {

std::string AddScores(std::string_view text, std::string_view name, Scores* scores) {
  Scores added = *scores;
  try {
    const auto document = nlohmann::json::parse(text);
    for (const nlohmann::json& json : document.at("mutants")) {
      // Not judged where it ran: it tells nothing of its requirements.
      if (json.contains("out_of_reach")) continue;
      ScoredMutant mutant;
      mutant.name = json.at("mutant").get<std::string>();
      mutant.why = json.at("why").get<std::string>();
      mutant.killed = json.at("killed").get<bool>();
      for (const auto& killer : json.at("killed_by").get<std::vector<std::string>>())
        mutant.killers += (mutant.killers.empty() ? "" : " ") + killer;
      std::istringstream ids(json.at("requirements").get<std::string>());
      for (std::string id; ids >> id;) added[id].push_back(mutant);
    }
  } catch (const nlohmann::json::exception& error) {
    return std::string(name) + ": no mutants.json of this suite: " + ProblemOf(error, text);
  }
  *scores = std::move(added);
  return "";
}

}  // namespace conformance
