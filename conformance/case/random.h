// The suite's own source of randomness: integers only, so that a seed means the same case on every
// platform and in every version of every library.
#ifndef DNNSPEC_CONFORMANCE_CASE_RANDOM_H_
#define DNNSPEC_CONFORMANCE_CASE_RANDOM_H_

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <iterator>
#include <string_view>

namespace conformance {

// SplitMix64's finaliser: a bijection in which every bit of `x` matters.
// Source: Steele, Lea, Flood, "Fast splittable pseudorandom number generators", 2014.
constexpr uint64_t Mix(uint64_t x) {
  x += 0x9e3779b97f4a7c15;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9;
  x = (x ^ (x >> 27)) * 0x94d049bb133111eb;
  return x ^ (x >> 31);
}

// The same for a name (FNV-1a, then mixed).
constexpr uint64_t Mix(std::string_view name) {
  uint64_t hash = 0xcbf29ce484222325;
  for (char c : name) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3;
  return Mix(hash);
}

class Random {
 public:
  explicit constexpr Random(uint64_t seed) : state_(seed) {}

  constexpr uint64_t Bits() { return Mix(state_++ * 0x9e3779b97f4a7c15); }

  // Uniform in [low, high]; low <= high. (The bias of the modulo is below 2^-32 for our ranges.)
  constexpr int64_t Between(int64_t low, int64_t high) {
    const uint64_t span = static_cast<uint64_t>(high) - static_cast<uint64_t>(low) + 1;
    return static_cast<int64_t>(static_cast<uint64_t>(low) + (span == 0 ? Bits() : Bits() % span));
  }

  // True `percent` times in a hundred.
  constexpr bool Chance(int percent) { return Between(0, 99) < percent; }

  template <class Container>
  constexpr auto Pick(const Container& from) -> decltype(*std::begin(from)) {
    return *std::next(std::begin(from), Between(0, static_cast<int64_t>(std::size(from)) - 1));
  }
  template <class T>
  constexpr T Pick(std::initializer_list<T> from) {
    return *(from.begin() + Between(0, static_cast<int64_t>(from.size()) - 1));
  }

 private:
  uint64_t state_;
};

}  // namespace conformance

#endif  // DNNSPEC_CONFORMANCE_CASE_RANDOM_H_
