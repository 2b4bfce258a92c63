// Results files that tests write by hand.
#ifndef DNNSPEC_CONFORMANCE_REPORT_WRITTEN_H_
#define DNNSPEC_CONFORMANCE_REPORT_WRITTEN_H_

#include <gtest/gtest.h>

#include <cstddef>
#include <string>

#include "conformance/report/document.h"

namespace conformance {

// A requirement with one property; `more` is fields of it.
inline std::string Requirement(const std::string& id, const std::string& verdict,
                               const std::string& more = "") {
  const std::string verdict_json =
      verdict == "not_run" ? "\"not_run\": \"no GPU engine\"" : "\"verdict\": \"" + verdict + "\"";
  return "{\"id\": \"" + id +
         "\", \"level\": \"MUST\", \"topic\": \"shuffle\", \"text\": \"Text of " + id + ".\", " +
         verdict_json + ", \"cases\": 1234, \"seconds\": 0.5, \"properties\": " +
         "[{\"classes\": {\"f32\": {\"run\": 3}, \"s8\": {\"run\": 0}}}]" + more + "}";
}

// For `more`.
inline constexpr char kFailure[] =
    ", \"failures\": [{\"property\": \"SHU-020\", \"case\": \"SHU-020 a=1\", \"minimal\": "
    "\"SHU-020 a=0\", \"where\": \"dst[<b>]\", \"expected\": \"1\", \"got\": \"2 & 3\", "
    "\"signal\": null, \"count\": 5, \"warning\": false, \"alone\": true, \"replay\": "
    "\"tools/conform --case='SHU-020 a=0'\", \"reproducer\": \"reproducers/SHU-020.cc\"}]";

// A file of one subject.
inline std::string File(const std::string& requirements, const std::string& more = "") {
  return "{\"format\": 1, \"suite\": \"dnnspec 0.1.0\", \"subject\": \"vendor\", \"version\": "
         "\"2.6.3\", \"run\": {\"seed\": 7, \"engine\": \"cpu\", \"profile\": \"portable\", "
         "\"command\": \"tools/conform\", \"seconds\": 2.5}, \"problems\": [], \"requirements\": "
         "[" +
         requirements + "]" + more + "}";
}

// As documents.
inline Document Parse(const std::string& text) {
  Document document = ParseDocument(text, "r.json");
  EXPECT_EQ(document.error, "");
  return document;
}

inline Document Typical() {
  return Parse(File(Requirement("SHU-001", "pass") + "," + Requirement("SHU-002", "not_run") + "," +
                        Requirement("SHU-020", "fail", kFailure),
                    ", \"claims\": {\"file\": \"my.claims\", \"verdicts\": [{\"topic\": "
                    "\"shuffle\", \"part\": null, \"verdict\": \"non-conformant\"}, {\"topic\": "
                    "\"shuffle\", \"part\": \"f32\", \"verdict\": \"conformant\"}]}"));
}

// Where `part` stands in `text`.
inline size_t Place(const std::string& text, const std::string& part) {
  const size_t at = text.find(part);
  EXPECT_NE(at, std::string::npos) << part;
  return at;
}

}  // namespace conformance

#endif  // DNNSPEC_CONFORMANCE_REPORT_WRITTEN_H_
