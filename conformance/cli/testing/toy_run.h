// A whole runner, with toy properties, run as a person would.
#ifndef DNNSPEC_CONFORMANCE_CLI_TESTING_TOY_RUN_H_
#define DNNSPEC_CONFORMANCE_CLI_TESTING_TOY_RUN_H_

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "nlohmann/json.hpp"
#include "tools/testing/command.h"

namespace conformance {

inline constexpr char kRunner[] = "conformance/cli/testing/toy_runner";

using Environment = std::map<std::string, std::string>;

inline tools::Outcome RunToy(std::vector<std::string> arguments,
                             const Environment& environment = {}) {
  arguments.insert(arguments.begin(), kRunner);
  return tools::Run(arguments, environment);
}

inline int Lines(const std::string& text) {
  return static_cast<int>(std::count(text.begin(), text.end(), '\n'));
}

class Runner : public testing::Test {
 protected:
  // The results of a run with these flags.
  nlohmann::json Results(std::vector<std::string> arguments) {
    arguments.push_back("--out=" + scratch_ / "out");
    outcome_ = RunToy(std::move(arguments));
    return nlohmann::json::parse(scratch_.Read("out/results.json"));
  }

  nlohmann::json Requirement(const nlohmann::json& results, const std::string& id) {
    for (const nlohmann::json& requirement : results["requirements"])
      if (requirement["id"] == id) return requirement;
    ADD_FAILURE() << "no " << id;
    return {};
  }

  tools::Scratch scratch_;
  tools::Outcome outcome_;
};

}  // namespace conformance

#endif  // DNNSPEC_CONFORMANCE_CLI_TESTING_TOY_RUN_H_
