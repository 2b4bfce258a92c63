// The text form of a case: `REO-010 src=f32:2x3x4:s12,4,1 dst=u8:2x3x4:s12,1,3 seed=7`.
//
// A line is the name of a property and key=value fields in a fixed order. Values hold no blanks.
// The line is all there is to a case: it is printed, parsed, shrunk, replayed and reported.
#ifndef DNNSPEC_CONFORMANCE_CASE_FIELDS_H_
#define DNNSPEC_CONFORMANCE_CASE_FIELDS_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace conformance {

// The fields of one case, in order. Getters record the first thing that is wrong (a key that is
// missing, a value that does not parse) in error() and return a harmless value, so that a Parse
// function reads straight through and looks once at the end.
class Fields {
 public:
  Fields() = default;

  void Set(std::string_view key, std::string_view value);
  void SetInt(std::string_view key, int64_t value);
  void SetInts(std::string_view key,
               const std::vector<int64_t>& values);  // joined by ','; "-" if none
  void SetFloat(std::string_view key, float value);  // bits survive: "0.5", "nan:7fc000d0", "-inf"

  bool Has(std::string_view key) const;
  std::string Text(std::string_view key) const;
  int64_t Int(std::string_view key) const;
  std::vector<int64_t> Ints(std::string_view key) const;
  float Float(std::string_view key) const;

  // Records that a value which parsed as text means nothing to the case.
  void Reject(std::string_view key, std::string_view why) const;

  // Empty while every read went well and every field was read.
  std::string error() const;

  // "key=value key=value".
  std::string ToString() const;
  // The opposite; nullopt-like: error() says what is wrong.
  static Fields Parse(std::string_view text);

 private:
  const std::string* Find(std::string_view key) const;

  std::vector<std::pair<std::string, std::string>> items_;
  mutable std::vector<bool> read_;
  mutable std::string error_;
};

// For a case without parameters: a literal check that has one case only.
struct NoParameters {
  void Print(Fields*) const {}
  static NoParameters Parse(const Fields&) { return {}; }
  std::vector<NoParameters> Simpler() const { return {}; }
};

}  // namespace conformance

#endif  // DNNSPEC_CONFORMANCE_CASE_FIELDS_H_
