// The input spaces of chapter "model".
#ifndef DNNSPEC_CONFORMANCE_MODEL_CASES_H_
#define DNNSPEC_CONFORMANCE_MODEL_CASES_H_

#include <cstdint>
#include <string>
#include <vector>

#include "conformance/case/fields.h"
#include "conformance/case/property.h"
#include "conformance/case/random.h"

namespace conformance {

// A named call with a fault in it, and the seed of its arguments: `call=reshape-product seed=7`.
struct FaultCase {
  std::string call;
  uint64_t seed = 0;

  void Print(Fields* fields) const;
  static FaultCase Parse(const Fields& fields);
  std::vector<FaultCase> Simpler() const;
};

// A seed and nothing else, for checks that draw their own arguments: `seed=7`.
struct SeedCase {
  uint64_t seed = 0;

  void Print(Fields* fields) const { fields->SetInt("seed", static_cast<int64_t>(seed)); }
  static SeedCase Parse(const Fields& fields) {
    return {static_cast<uint64_t>(fields.Int("seed"))};
  }
  std::vector<SeedCase> Simpler() const;
};

Cases<SeedCase> Seeds();

// Copies between buffers of a pool, in order of submission: `buffers=4 size=100 copies=0,1,1,2`.
// With `part=90,7 partly=0,1` the second copies seven elements alone, from number 90 on.
struct CopiesInOrder {
  int64_t buffers = 2, size = 1;
  std::vector<int64_t> copies;    // from, to, from, to ...; from and to differ
  int64_t begin = 0, length = 0;  // of the part; nothing of length 0
  std::vector<int64_t> partly;    // of each copy 0 or 1; empty where there is no part

  int64_t count() const { return static_cast<int64_t>(copies.size() / 2); }
  bool IsPart(int64_t copy) const { return !partly.empty() && partly[copy] != 0; }

  void Print(Fields* fields) const;
  static CopiesInOrder Parse(const Fields& fields);
  std::vector<CopiesInOrder> Simpler() const;
};

// Reads after writes, writes after reads and writes after writes, all mixed; in every other case
// some copies are of a part, so that one takes longer than the next.
Cases<CopiesInOrder> Hazards();

}  // namespace conformance

#endif  // DNNSPEC_CONFORMANCE_MODEL_CASES_H_
