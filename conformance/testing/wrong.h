// Runs a library that is wrong on purpose, for its tests, and gives what the run says.
#ifndef DNNSPEC_CONFORMANCE_TESTING_WRONG_H_
#define DNNSPEC_CONFORMANCE_TESTING_WRONG_H_

#include <gtest/gtest.h>

#include <ostream>
#include <string>

#include "nlohmann/json.hpp"

namespace conformance {

// A fault, by its name in the environment variable WRONG, and the property that must find it.
struct Wrong {
  const char* name;
  const char* property;
};

void PrintTo(const Wrong& wrong, std::ostream* out);
std::string TestNameOf(const testing::TestParamInfo<Wrong>& wrong);

// results.json of a run of two properties with this many cases each, of the library with `fault`
// ("": without), kept to AVX2. `runner` is a path from the root of the runfiles.
nlohmann::json RunWrong(const std::string& runner, const std::string& fault,
                        const std::string& property, const std::string& bystander, int cases);

// "pass", "fail", ..., "not_run"; "not there" where the run had no such property.
std::string VerdictOf(const nlohmann::json& results, const std::string& property);

}  // namespace conformance

#endif  // DNNSPEC_CONFORMANCE_TESTING_WRONG_H_
