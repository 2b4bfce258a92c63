#include "conformance/report/badge.h"

#include <algorithm>

#include "conformance/report/markup.h"

namespace conformance {
namespace {

constexpr const char* kClaims[] = {"non-conformant", "partial", "conformant", "not judged",
                                   "not claimed"};

}  // namespace

std::string ToBadge(const Document& document) {
  int passed = 0, judged = 0, failed = 0;
  for (const RecordedRun& run : document.runs) {
    passed += run.Count("pass") + run.Count("weak");
    failed += run.Count("fail") + run.Count("unexpected_pass");
    judged += static_cast<int>(run.requirements.size()) - run.Count("not_run");
  }
  std::string text = judged == 0 ? std::string("nothing run")
                                 : std::to_string(passed) + " of " + std::to_string(judged);
  if (document.runs.size() == 1 && !document.runs[0].claims_file.empty()) {
    // The worst that its claims came to says more than a number.
    for (const char* verdict : kClaims) {
      const auto& claims = document.runs[0].claims;
      if (std::none_of(claims.begin(), claims.end(), [verdict](const RecordedClaim& claim) {
            return claim.part.empty() && claim.verdict == verdict;
          }))
        continue;
      text = std::string(verdict) + ", " + text;
      break;
    }
  }
  const char* const color = failed > 0 ? "#b3261e" : judged == 0 ? "#5f6368" : "#1b6e3c";
  const std::string label = "dnnspec";
  const auto width = [](const std::string& words) {
    return 10 + static_cast<int>(words.size()) * 7;
  };
  const int left = width(label), all = left + width(text);
  const auto number = [](int value) { return std::to_string(value); };
  const auto words = [&](int begin, int end, const std::string& what) {
    return "<text x=\"" + number((begin + end) / 2) + "\" y=\"14\">" + EscapedForMarkup(what) +
           "</text>";
  };
  return "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"" + number(all) +
         "\" height=\"20\" role=\"img\" aria-label=\"" + EscapedForMarkup(label + ": " + text) +
         "\"><title>" + EscapedForMarkup(label + ": " + text) + "</title><rect width=\"" +
         number(all) + "\" height=\"20\" rx=\"3\" fill=\"#3c4043\"/>" + "<path d=\"M" +
         number(left) + " 0h" + number(all - left - 3) +
         "a3 3 0 0 1 3 3v14a3 3 0 0 "
         "1-3 3h-" +
         number(all - left - 3) + "z\" fill=\"" + color +
         "\"/><g fill=\"#fff\" text-anchor=\"middle\" font-family=\"DejaVu "
         "Sans,Verdana,sans-serif\" "
         "font-size=\"11\">" +
         words(0, left, label) + words(left, all, text) + "</g></svg>\n";
}

}  // namespace conformance
