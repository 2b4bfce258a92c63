// Reads what a subject says it supports: a text file that its maker writes. docs/claims.md has the
// format in prose.
//
//   dnnspec-claims 1
//   engines cpu
//
//   topic reorder
//     types  f32 s32 s8 u8
//     ranks  1-6
//     layouts dense
//     attributes scales sum
//     except f32->s32 s32->f32
//     without REO-056* output scales along axes
//
// Inside a claim a refusal ("unimplemented") is a failure. What is outside is not judged at all.
#ifndef DNNSPEC_CONFORMANCE_VERDICT_CLAIMS_H_
#define DNNSPEC_CONFORMANCE_VERDICT_CLAIMS_H_

#include <bitset>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "conformance/case/property.h"
#include "conformance/case/trial.h"
#include "conformance/judge/judge.h"
#include "spec/requirements.h"

namespace conformance {

inline constexpr int kClaimsVersion = 1;
inline constexpr int kHighestRank = 12;

// The data types that a claim can name, in the order of reports.
const std::vector<std::string>& ClaimableTypes();

// dense: elements without gaps, axes in any order; strided: all else that strides say; regions of
// other tensors (submemory_desc); blocked; any: the library chooses.
const std::vector<std::string>& ClaimableLayouts();
const std::vector<std::string>& ClaimableDirections();
// scales: output scales, all equal; masks: for each index of axes; run_time: what is given at
// execution; sum and eltwise: post-ops.
const std::vector<std::string>& ClaimableAttributes();

// What is claimed of one chapter.
struct TopicClaim {
  // A line `without NAME reason` or `only NAME`: requirements or properties.
  struct Names {
    std::string pattern;  // an id or a property's name; a '*' at the end stands for any rest
    std::string reason;
    std::string place;  // "my.claims:12"

    bool Matches(std::string_view requirement, std::string_view property) const;
  };

  std::string topic;  // "reorder"
  std::string place;
  std::set<std::string> types;          // of every tensor
  std::bitset<kHighestRank + 1> ranks;  // of every tensor; 0: a descriptor without dimensions
  std::set<std::pair<std::string, std::string>> except;  // reorders from and to these types
  // Words of ClaimableLayouts(), ClaimableDirections() and ClaimableAttributes(); nullopt: all.
  std::optional<std::set<std::string>> layouts;     // of every tensor
  std::optional<std::set<std::string>> directions;  // of primitives that have some
  std::optional<std::set<std::string>> attributes;  // none of these: {}
  std::vector<Names> only;                          // if any, nothing else
  std::vector<Names> without;

  TopicClaim();

  // The whole chapter.
  bool complete() const;
  // Whether cases of one property can be inside and outside.
  bool by_case() const;
};

struct Claims {
  std::string file;
  std::vector<EngineChoice> engines;
  std::optional<Profile> profile;
  std::vector<TopicClaim> topics;

  std::string error;  // "my.claims:3: ...": then nothing else counts

  const TopicClaim* Find(std::string_view topic) const;

  // Why no case of this property is claimed: "not claimed: ..."; empty if some may be. `guest` is
  // what GuestTopicOf() says of the property.
  std::string Outside(EngineChoice engine, const spec::Requirement& requirement,
                      std::string_view property, std::string_view guest) const;
};

// All properties and requirements that there are, each with its chapter.
using NamesByTopic = std::map<std::string, std::string>;

// A line that names nothing of its topic is an error.
Claims ParseClaims(std::string_view text, std::string_view file, const NamesByTopic& names);

// Why a case is not claimed, by what its line names: "not claimed: f16", "not claimed: layout
// strided"; empty if it is claimed. A line that names no data type, shape, ... is claimed.
std::string OutsideOf(const TopicClaim& claim, std::string_view line);

// The same of what a case was refused, whose line did not say it: cases written by hand have names.
std::string OutsideOf(const TopicClaim& claim, const Asked& refused);

// The primitive whose topic gives a property to another chapter: "eltwise" of PRIM-016/eltwise,
// which asks eltwise what the chapter "model" says of all primitives. "" for a property that
// belongs to the chapter of its topic, and for those of "model" and "memory".
std::string GuestTopicOf(const Property& property);

// Has cases outside the claims left out, of the property's chapter and of its guest topic, and
// refusals inside them count as failures: inside those of the primitive that refused, too. Without
// claims a guest is not run where the subject says `unimplemented`: whether it must have the
// primitive is the business of the primitive's chapter. `claims` must outlive the run; null:
// nothing is claimed.
void ApplyClaims(const Claims* claims, const Property& property, RunOptions* run_options);

// The data types that a line names.
std::set<std::string> TypesIn(std::string_view line);

}  // namespace conformance

#endif  // DNNSPEC_CONFORMANCE_VERDICT_CLAIMS_H_
