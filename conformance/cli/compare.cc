#include "conformance/cli/compare.h"

#include <algorithm>
#include <set>
#include <sstream>

#include "conformance/cli/program.h"
#include "conformance/report/files.h"
#include "nlohmann/json.hpp"

namespace conformance {

std::vector<std::string> FailingLines(const std::vector<std::string>& documents) {
  std::vector<std::string> lines;
  std::set<std::string> known;
  for (const std::string& document : documents) {
    const auto json = nlohmann::json::parse(document);
    for (const auto& requirement : json["requirements"])
      for (const auto& failure : requirement["failures"]) {
        std::string line = failure["minimal"].get<std::string>();
        if (known.insert(line).second) lines.push_back(std::move(line));
      }
  }
  std::sort(lines.begin(), lines.end());
  return lines;
}

std::string CompareSubjects(const std::vector<Subject>& subjects,
                            const std::vector<std::string>& lines, const std::string& scratch,
                            std::vector<Comparison>* comparisons) {
  comparisons->clear();
  std::string text;
  for (const std::string& line : lines) {
    comparisons->push_back({line, {}});
    text += line + "\n";
  }
  if (lines.empty()) return "";
  const std::string file = scratch + "/lines";
  const std::string problem = WriteFile(file, text);
  if (!problem.empty()) return problem;
  for (const Subject& subject : subjects) {
    std::vector<std::string> arguments = CommonArguments(subject);
    arguments.push_back("--answers=" + file);
    const Ended ended = AskProgram(arguments);
    std::istringstream answers(ended.out);
    for (Comparison& comparison : *comparisons) {
      std::string answer;
      std::getline(answers, answer);
      Reply reply;
      const std::string wrong = ParseReply(answer, &reply);
      if (!wrong.empty())
        return "the runner of '" + subject.name + "' ended with status " +
               std::to_string(ended.status) + ": " + wrong;
      comparison.replies.push_back(std::move(reply));
    }
  }
  return "";
}

}  // namespace conformance
