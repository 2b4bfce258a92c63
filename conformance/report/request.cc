#include "conformance/report/request.h"

#include "conformance/case/printable.h"

namespace conformance {

std::string CaseFlags(const RunRequest& request) {
  std::string text;
  if (!request.topic.empty()) text += " --topic=" + Quoted(request.topic);
  if (!request.filter.empty()) text += " --filter=" + Quoted(request.filter);
  if (request.seed != kDefaultSeed) text += " --seed=" + std::to_string(request.seed);
  if (request.cases > 0) text += " --cases=" + std::to_string(request.cases);
  if (request.budget.count() > 0) {
    const int64_t us = request.budget.count() / 1000;
    text += " --budget=" + (us % 1000000 == 0 ? std::to_string(us / 1000000) + "s"
                            : us % 1000 == 0  ? std::to_string(us / 1000) + "ms"
                                              : std::to_string(us) + "us");
  }
  return text;
}

std::string ProgramFolder(const RunRequest& request) {
  if (request.reproducers == "-") return "";
  return request.reproducers.empty() ? request.out : request.reproducers;
}

}  // namespace conformance
