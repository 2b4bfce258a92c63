// Reads spec/<topic>/requirements.md: the form is described in spec/reading.md.
#ifndef DNNSPEC_TOOLS_REQUIREMENTS_CATALOGUE_H_
#define DNNSPEC_TOOLS_REQUIREMENTS_CATALOGUE_H_

#include <map>
#include <set>
#include <string>
#include <vector>

namespace tools {

struct Entry {
  std::string id;                   // "REO-010", "MD-T-nchw"
  std::string level;                // as the file writes it: "must", "optional-type"
  std::string topic;                // "reorder"
  std::string text, source, check;  // one line each
};

// The requirements of several files, in the order they were added.
class Catalogue {
 public:
  // Adds the requirements of one file. Returns the first fault as "file:line: what", or nothing.
  // After a fault the catalogue is not to be used.
  std::string Add(const std::string& topic, const std::string& file, const std::string& contents);

  // Withdrawn requirements are not among them.
  const std::vector<Entry>& entries() const { return entries_; }

 private:
  struct Last {
    std::string topic;
    int number = -1;  // the highest of the area so far
  };

  std::string CheckId(const std::string& id, const std::string& topic);

  std::vector<Entry> entries_;
  std::set<std::string> seen_;
  std::map<std::string, Last> areas_;
};

// "MD-T-nchw" as a C++ identifier: "MD_T_nchw".
std::string IdentifierOf(const std::string& id);

// The declarations for spec/requirements.h, and the definitions behind it.
std::string WriteIdentifiers(const std::vector<Entry>& entries);
std::string WriteData(const std::vector<Entry>& entries);

}  // namespace tools

#endif  // DNNSPEC_TOOLS_REQUIREMENTS_CATALOGUE_H_
