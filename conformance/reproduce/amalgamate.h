// Makes one program of many files: a check, and all that it stands on.
#ifndef DNNSPEC_CONFORMANCE_REPRODUCE_AMALGAMATE_H_
#define DNNSPEC_CONFORMANCE_REPRODUCE_AMALGAMATE_H_

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace conformance {

// Path to text.
using SourceTexts = std::map<std::string, std::string, std::less<>>;

// One translation unit with the last of `roots` (.cc files) last, before each of them the files
// that implement the headers it uses, and the headers themselves where they are first needed.
// Includes of what is not among `sources` stay as they are. `inserts` replace the include of a file
// that is generated.
//
// X.cc implements Y.h when it has its name, or lies beside it, includes it, has no header of its
// own and defines no property; or is a sample.cc, which adds to what the sample.h that it includes
// declares. Names in unnamed namespaces that would meet in one unit are renamed.
std::string Amalgamate(const SourceTexts& sources, const std::vector<std::string>& roots,
                       const SourceTexts& inserts);

// Whether `name` occurs in `text` as a whole word.
bool HasWord(std::string_view text, std::string_view name);

}  // namespace conformance

#endif  // DNNSPEC_CONFORMANCE_REPRODUCE_AMALGAMATE_H_
