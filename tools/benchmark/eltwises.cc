#include <string>
#include <vector>

#include "tools/benchmark/cases.h"

namespace bench {
namespace {

struct Named {
  const char* name;
  Eltwise eltwise;
};

constexpr Named kFunctions[] = {
    {"relu", {"relu", 0, 0}},
    {"relu 0.1", {"relu", 0.1f, 0}},
    {"linear", {"linear", 0.5f, 0.25f}},
    {"clip 0 6", {"clip", 0, 6}},
    {"square", {"square", 0, 0}},
    {"sqrt", {"sqrt", 0, 0}},
    {"tanh", {"tanh", 0, 0}},
    {"elu", {"elu", 1, 0}},
    {"soft_relu", {"soft_relu", 0, 0}},
    {"logistic", {"logistic", 0, 0}},
    {"exp", {"exp", 0, 0}},
    {"log", {"log", 0, 0}},
    {"gelu_tanh", {"gelu_tanh", 0, 0}},
    {"gelu_erf", {"gelu_erf", 0, 0}},
    {"swish", {"swish", 1, 0}},
    {"pow 1.7", {"pow", 1, 1.7f}},
};

void Add(const Named& function, const std::string& type, const std::string& shape, const Dims& dims,
         bool forward, std::vector<Case>* cases) {
  Case c;
  c.group = std::string("eltwise, ") + (forward ? "forward" : "backward");
  c.name = type + " " + function.name + " " + shape;
  c.kind = Kind::kEltwise;
  c.eltwise = function.eltwise;
  c.forward = forward;
  std::string word;
  for (size_t j = 0; j < dims.size(); ++j) word += static_cast<char>('a' + j);
  c.src = c.dst = Dense(type, dims, word);
  cases->push_back(c);
}

}  // namespace

std::vector<Case> EltwiseCases() {
  std::vector<Case> cases;
  const Dims l2 = {64, 768}, llc = {8, 64, 56, 56}, memory = {64, 64, 112, 56};
  for (const bool forward : {true, false})
    for (const Named& function : kFunctions) {
      Add(function, "f32", "L2", l2, forward, &cases);
      Add(function, "f32", "LLC", llc, forward, &cases);
    }
  for (const Named& function : {kFunctions[0], kFunctions[6], kFunctions[13]}) {
    Add(function, "f32", "memory", memory, true, &cases);
    Add(function, "f32", "of 100", {1, 100}, true, &cases);
    for (const char* type : {"bf16", "f16", "s32", "s8", "u8"})
      Add(function, type, "LLC", llc, true, &cases);
    Add(function, "bf16", "LLC", llc, false, &cases);
  }
  return cases;
}

}  // namespace bench
