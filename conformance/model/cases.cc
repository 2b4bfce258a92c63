#include "conformance/model/cases.h"

#include <algorithm>

namespace conformance {
namespace {

// Small seeds draw nothing simpler, but are easier to read.
std::vector<uint64_t> SmallerSeeds(uint64_t seed) {
  std::vector<uint64_t> seeds;
  for (uint64_t smaller = 0; smaller < std::min<uint64_t>(seed, 20); ++smaller)
    seeds.push_back(smaller);
  return seeds;
}

}  // namespace

void FaultCase::Print(Fields* fields) const {
  fields->Set("call", call);
  fields->SetInt("seed", static_cast<int64_t>(seed));
}

FaultCase FaultCase::Parse(const Fields& fields) {
  return {fields.Text("call"), static_cast<uint64_t>(fields.Int("seed"))};
}

std::vector<FaultCase> FaultCase::Simpler() const {
  std::vector<FaultCase> cases;
  for (uint64_t smaller : SmallerSeeds(seed)) cases.push_back({call, smaller});
  return cases;
}

std::vector<SeedCase> SeedCase::Simpler() const {
  std::vector<SeedCase> cases;
  for (uint64_t smaller : SmallerSeeds(seed)) cases.push_back({smaller});
  return cases;
}

Cases<SeedCase> Seeds() {
  return {0, [](int64_t, Random& random) {
            return SeedCase{static_cast<uint64_t>(random.Between(0, 99999))};
          }};
}

void CopiesInOrder::Print(Fields* fields) const {
  fields->SetInt("buffers", buffers);
  fields->SetInt("size", size);
  fields->SetInts("copies", copies);
  if (partly.empty()) return;
  fields->SetInts("part", {begin, length});
  fields->SetInts("partly", partly);
}

CopiesInOrder CopiesInOrder::Parse(const Fields& fields) {
  CopiesInOrder c;
  c.buffers = fields.Int("buffers");
  c.size = fields.Int("size");
  c.copies = fields.Ints("copies");
  if (c.buffers < 2 || c.size < 1 || c.copies.size() % 2 != 0)
    fields.Reject("copies", "are pairs, between at least two buffers of at least one element");
  for (size_t i = 0; i + 1 < c.copies.size(); i += 2) {
    const int64_t from = c.copies[i], to = c.copies[i + 1];
    if (from < 0 || to < 0 || from >= c.buffers || to >= c.buffers || from == to)
      fields.Reject("copies", "join two buffers that exist");
  }
  if (!fields.Has("part")) return c;
  const std::vector<int64_t> part = fields.Ints("part");
  c.partly = fields.Ints("partly");
  if (part.size() != 2 || part[0] < 0 || part[1] < 1 || part[0] > c.size - part[1]) {
    fields.Reject("part", "is where a part of a buffer begins, and its length");
  } else {
    c.begin = part[0];
    c.length = part[1];
  }
  if (c.partly.size() != c.copies.size() / 2 || c.partly.empty())
    fields.Reject("partly", "is 0 or 1 of each copy");
  return c;
}

std::vector<CopiesInOrder> CopiesInOrder::Simpler() const {
  std::vector<CopiesInOrder> cases;
  const auto pairs = static_cast<std::ptrdiff_t>(count());
  if (!partly.empty()) {
    cases.push_back(*this);
    cases.back().partly.clear();
    cases.back().begin = cases.back().length = 0;
  }
  // Halves first, then single copies.
  for (const std::ptrdiff_t some : {pairs / 2, std::ptrdiff_t{1}}) {
    if (some < 1 || (some == 1 && pairs < 2)) continue;
    for (std::ptrdiff_t at = 0; at + some <= pairs; at += some) {
      cases.push_back(*this);
      auto& fewer = cases.back().copies;
      const std::ptrdiff_t end = std::min(at + some, pairs);
      fewer.erase(fewer.begin() + 2 * at, fewer.begin() + 2 * end);
      auto& parts = cases.back().partly;
      if (!parts.empty()) parts.erase(parts.begin() + at, parts.begin() + end);
    }
  }
  if (size > 1 && begin + length <= size / 2) {
    cases.push_back(*this);
    cases.back().size = size / 2;
  }
  if (length > 1) {
    cases.push_back(*this);
    cases.back().length = length / 2;
  }
  return cases;
}

Cases<CopiesInOrder> Hazards() {
  return {0, [](int64_t index, Random& random) {
            CopiesInOrder c;
            c.buffers = random.Between(2, 6);
            c.size = index % 8 == 0 ? random.Between(10000, 60000) : random.Between(1, 300);
            for (int64_t copy = random.Between(2, 24); copy-- > 0;) {
              const int64_t from = random.Between(0, c.buffers - 1);
              int64_t to = random.Between(0, c.buffers - 2);
              if (to >= from) ++to;
              c.copies.push_back(from);
              c.copies.push_back(to);
            }
            if (random.Chance(50)) return c;
            c.length =
                random.Between(1, random.Chance(50) ? std::min<int64_t>(c.size, 16) : c.size);
            c.begin = random.Between(0, c.size - c.length);
            while (c.partly.size() < c.copies.size() / 2) c.partly.push_back(random.Between(0, 1));
            return c;
          }};
}

}  // namespace conformance
