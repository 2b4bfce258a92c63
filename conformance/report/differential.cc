#include "conformance/report/differential.h"

#include <algorithm>
#include <utility>

#include "conformance/case/printable.h"
#include "conformance/report/results.h"
#include "nlohmann/json.hpp"

namespace conformance {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::pair<Reply::Kind, const char*> kKinds[] = {
    {Reply::kHeld, "held"}, {Reply::kFailed, "failed"}, {Reply::kNotRun, "not_run"}};

const char* NameOf(Reply::Kind kind) {
  for (const auto& [known, name] : kKinds)
    if (known == kind) return name;
  return "";
}

// In ASCII, for a runner says its replies on standard output.
std::string Dump(const Json& json, int indent) {
  return json.dump(indent, ' ', true, Json::error_handler_t::replace);
}

std::string Shown(const Reply& reply) {
  switch (reply.kind) {
    case Reply::kHeld:
      return "as expected";
    case Reply::kNotRun:
      return "not run: " + reply.got;
    case Reply::kFailed:
      break;
  }
  return reply.got + " at " + reply.where;
}

// What the oracle wants, in the words of the first that failed.
std::string Wanted(const Comparison& comparison) {
  for (const Reply& reply : comparison.replies)
    if (reply.kind == Reply::kFailed) return reply.expected;
  return "";
}

std::string ComparisonText(const Comparison& comparison) {
  std::string text = FindingOf(comparison) == Finding::kQuestion
                         ? "QUESTION TO THE SPECIFICATION  all agree against the oracle\n"
                         : "DISAGREEMENT\n";
  text += "  case      " + Printable(comparison.line) + "\n";
  text += "  oracle    " + Printable(Wanted(comparison)) + "\n";
  size_t width = 8;
  const auto name = [](const Reply& reply) { return Printable(reply.subject); };
  for (const Reply& reply : comparison.replies) width = std::max(width, name(reply).size());
  for (const Reply& reply : comparison.replies)
    text += "  " + name(reply) + std::string(width + 2 - name(reply).size(), ' ') +
            Printable(Shown(reply)) + "\n";
  return text + "\n";
}

std::string Counted(int number, const char* one, const char* many) {
  return std::to_string(number) + " " + (number == 1 ? one : many);
}

}  // namespace

const char* NameOf(Finding finding) {
  switch (finding) {
    case Finding::kNothing:
      return "none";
    case Finding::kDisagreement:
      return "disagreement";
    case Finding::kQuestion:
      return "question to the specification";
  }
  return "";
}

Finding FindingOf(const Comparison& comparison) {
  int ran = 0, failed = 0;
  bool alike = true;
  const Reply* first = nullptr;
  for (const Reply& reply : comparison.replies) {
    if (reply.kind == Reply::kNotRun) continue;
    ++ran;
    if (reply.kind != Reply::kFailed) continue;
    ++failed;
    if (first == nullptr) first = &reply;
    alike = alike && reply.where == first->where && reply.got == first->got;
  }
  if (ran < 2 || failed == 0) return Finding::kNothing;
  return failed == ran && alike ? Finding::kQuestion : Finding::kDisagreement;
}

std::string ReplyLine(const Reply& reply) {
  return Dump({{"subject", reply.subject},
               {"result", NameOf(reply.kind)},
               {"where", reply.where},
               {"expected", reply.expected},
               {"got", reply.got}},
              -1);
}

std::string ParseReply(std::string_view line, Reply* reply) {
  const Json json = Json::parse(line, nullptr, /*allow_exceptions=*/false);
  if (!json.is_object()) return "no answer: '" + std::string(line) + "'";
  const std::string result = json.value("result", std::string());
  const auto kind = std::find_if(std::begin(kKinds), std::end(kKinds),
                                 [&result](const auto& known) { return known.second == result; });
  if (kind == std::end(kKinds)) return "no result: '" + std::string(line) + "'";
  reply->kind = kind->first;
  reply->subject = json.value("subject", std::string());
  reply->where = json.value("where", std::string());
  reply->expected = json.value("expected", std::string());
  reply->got = json.value("got", std::string());
  return "";
}

std::string DifferentialText(const std::vector<Comparison>& comparisons) {
  std::string text;
  int disagreements = 0, questions = 0;
  for (const Comparison& comparison : comparisons) {
    const Finding finding = FindingOf(comparison);
    if (finding == Finding::kNothing) continue;
    ++(finding == Finding::kQuestion ? questions : disagreements);
    text += ComparisonText(comparison);
  }
  return text + "differential: " +
         Counted(static_cast<int>(comparisons.size()), "failing case", "failing cases") +
         " compared: " + Counted(disagreements, "disagreement", "disagreements") + ", " +
         Counted(questions, "question", "questions") + " to the specification\n";
}

std::string DifferentialJson(const std::vector<Comparison>& comparisons,
                             const std::string& command) {
  Json list = Json::array();
  for (const Comparison& comparison : comparisons) {
    Json subjects = Json::array();
    for (const Reply& reply : comparison.replies) subjects.push_back(Json::parse(ReplyLine(reply)));
    list.push_back({{"case", comparison.line},
                    {"finding", NameOf(FindingOf(comparison))},
                    {"subjects", std::move(subjects)}});
  }
  return Dump({{"suite", std::string("dnnspec ") + kSuiteVersion},
               {"run", {{"command", command}}},
               {"comparisons", std::move(list)}},
              1) +
         "\n";
}

}  // namespace conformance
