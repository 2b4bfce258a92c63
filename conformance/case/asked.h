// Says what a case asked of its subject, where the subject refused it. Claims and drafts of claims
// look at this alone; the sentence in a report is made from it.
#ifndef DNNSPEC_CONFORMANCE_CASE_ASKED_H_
#define DNNSPEC_CONFORMANCE_CASE_ASKED_H_

#include <string>
#include <string_view>
#include <vector>

namespace conformance {

// Up to here the documents promise ranks; above it reports and claims tell no rank from another.
inline constexpr int kPromisedRank = 6;

struct Asked {
  std::string topic;                  // the primitive: "reorder"
  std::string prop;                   // "forward", "backward"; "" for a primitive without
  std::vector<std::string> types;     // of its tensors, in the order of arguments; one: all alike
  int rank = 0;                       // the highest of its tensors
  std::vector<std::string> features;  // "scale", "sum", "between engines"

  bool high_rank() const { return rank > kPromisedRank; }

  // "f16 -> s8 with scale, sum, rank 7 and more": what was asked of the primitive.
  std::string Request() const;
  // "reorder f16 -> s8 with scale": the primitive too.
  std::string ToString() const;

  // As bytes without blanks, for counting; refusals that differ in a promised rank alone are one.
  std::string Key() const;
  // The opposite. Of bytes that are no key it makes something harmless.
  static Asked Parse(std::string_view key);

  bool operator<(const Asked& other) const { return Key() < other.Key(); }
};

}  // namespace conformance

#endif  // DNNSPEC_CONFORMANCE_CASE_ASKED_H_
