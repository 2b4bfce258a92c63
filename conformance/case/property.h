// A property: the check of one requirement over many cases.
//
//   // in conformance/shuffle/formula.cc, compiled once for each subject
//   void IsTheFormula(const ShuffleCase& c, Trial& trial) { ... }
//
//   const bool defined = Define<ShuffleCase>(spec::SHU_020, "", AnyShuffle(), IsTheFormula,
//                                            {"rank 5", "group 1", "gapped"});
//
// A case type C is a plain struct with
//   void Print(Fields* fields) const;             writes every member
//   static C Parse(const Fields& fields);         the opposite; rejects what means nothing
//   std::vector<C> Simpler() const;               smaller cases to try when this one fails:
//                                                 structure first, then sizes, then data; each
//                                                 strictly simpler
// Generators and case types know nothing of dnnl.hpp and are compiled once; only checks are
// compiled for each subject.
#ifndef DNNSPEC_CONFORMANCE_CASE_PROPERTY_H_
#define DNNSPEC_CONFORMANCE_CASE_PROPERTY_H_

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "conformance/case/fields.h"
#include "conformance/case/random.h"
#include "conformance/case/trial.h"
#include "spec/requirements.h"

namespace conformance {

// The input space of a property.
template <class C>
struct Cases {
  // Finite spaces: all `count` of them are run, in order. 0: unbounded.
  int64_t count = 0;
  // The case number `index`. Finite spaces use the index; unbounded ones draw from `random`, which
  // is seeded from the run's seed, the property's name and the index. Pure: same arguments, same
  // case.
  std::function<C(int64_t index, Random& random)> at;
  // Whether a case is one of these: what Simpler() offers, or a person types, may not be. A failure
  // of "equal types" must not be shrunk to a case with two. Empty: every case that parses is.
  std::function<bool(const C&)> contains = nullptr;
  // Of an unbounded space: a case takes as long as so many of most properties, hence that much
  // fewer are drawn.
  int64_t cost = 1;
};

template <class C>
Cases<C> Listed(std::vector<C> list) {
  const auto count = static_cast<int64_t>(list.size());
  return {count, [list = std::move(list)](int64_t index, Random&) { return list[index]; }, nullptr};
}

template <class C>
Cases<C> Drawn(std::function<C(Random&)> draw) {
  return {0, [draw = std::move(draw)](int64_t, Random& random) { return draw(random); }, nullptr};
}

// The same space, of cases that each cost as much as so many of most properties.
template <class C>
Cases<C> Costly(Cases<C> cases, int64_t cost) {
  cases.cost = cost;
  return cases;
}

// Type-erased, as what runs it sees it.
class Property {
 public:
  Property(const spec::Requirement& requirement, std::string_view variant,
           std::vector<std::string> must_cover, const char* file);
  virtual ~Property() = default;

  const spec::Requirement& requirement() const { return requirement_; }
  // The requirement's id, or "ID/variant" where several properties check one requirement.
  const std::string& name() const { return name_; }
  // Classes of input without which a pass means nothing: missing one is a suite error.
  const std::vector<std::string>& must_cover() const { return must_cover_; }
  // Where it is defined, as the compiler was told: ends in the path from the repository's root.
  const char* file() const { return file_; }

  virtual int64_t count() const = 0;          // 0: unbounded
  virtual int64_t cost() const { return 1; }  // as Cases has it

  // Case number `index` under the run's `seed`: runs it, or prints its line.
  virtual void Run(uint64_t seed, int64_t index, Trial& trial) const = 0;
  virtual std::string Line(uint64_t seed, int64_t index) const = 0;

  // The same for a line that was printed. `fields` is the line without the name. Returns what is
  // wrong with the line, or nothing.
  virtual std::string RunFields(const Fields& fields, Trial& trial) const = 0;

  // The line of the case that `fields` tells: the line they come from, else Parse is not the
  // opposite of Print. "" where they tell no case of this property.
  virtual std::string Reprinted(const Fields& fields) const = 0;

  // What the case that `fields` tells multiplies, of a kind that counts it; else 0.
  virtual int64_t Products(const Fields&) const { return 0; }

  // Lines to try next when `fields` fails, simplest first.
  virtual std::vector<std::string> Simpler(const Fields& fields) const = 0;

  // The body of a main() that makes the calls of a case with literal data, compares with literal
  // values and returns 1 where they differ: for a failure at `where` that such a comparison shows,
  // and that expects `expected`. "" where there is none; the check itself says it then.
  virtual std::string Statements(const Fields& fields, Profile profile, std::string_view where,
                                 std::string_view expected) const = 0;

 protected:
  Random RandomAt(uint64_t seed, int64_t index) const;
  std::string LineOf(const Fields& fields) const;

 private:
  const spec::Requirement& requirement_;
  std::string name_;
  std::vector<std::string> must_cover_;
  const char* file_;
};

// Every property that is linked, ordered by name.
std::vector<const Property*> Properties();

// Adds to Properties(). Always true, so that it can initialise a namespace-scope constant.
bool Add(std::unique_ptr<Property> property);

// Whether cases of this kind count what they multiply: as
//   int64_t C::products() const;
template <class C, class = void>
struct HasProducts : std::false_type {};
template <class C>
struct HasProducts<C, std::void_t<decltype(&C::products)>> : std::true_type {};

// Whether cases of this kind can be written as calls: as
//   std::string C::Statements(Profile, std::string_view where, std::string_view expected) const;
template <class C, class = void>
struct HasStatements : std::false_type {};
template <class C>
struct HasStatements<C, std::void_t<decltype(&C::Statements)>> : std::true_type {};

template <class C>
class PropertyOver final : public Property {
 public:
  using Check = void (*)(const C&, Trial&);

  PropertyOver(const spec::Requirement& requirement, std::string_view variant, Cases<C> cases,
               Check check, std::vector<std::string> must_cover,
               const char* file = __builtin_FILE())
      : Property(requirement, variant, std::move(must_cover), file),
        cases_(std::move(cases)),
        check_(check) {}

  int64_t count() const override { return cases_.count; }
  int64_t cost() const override { return cases_.cost; }

  void Run(uint64_t seed, int64_t index, Trial& trial) const override {
    check_(At(seed, index), trial);
  }

  std::string Line(uint64_t seed, int64_t index) const override { return Print(At(seed, index)); }

  std::string RunFields(const Fields& fields, Trial& trial) const override {
    const C parsed = C::Parse(fields);
    if (!fields.error().empty()) return fields.error();
    if (!Contains(parsed)) return "this is a case, but none of " + name();
    check_(parsed, trial);
    return "";
  }

  std::string Reprinted(const Fields& fields) const override {
    const C parsed = C::Parse(fields);
    return fields.error().empty() && Contains(parsed) ? Print(parsed) : "";
  }

  int64_t Products(const Fields& fields) const override {
    if constexpr (HasProducts<C>::value) {
      return C::Parse(fields).products();
    } else {
      return 0;
    }
  }

  std::vector<std::string> Simpler(const Fields& fields) const override {
    std::vector<std::string> lines;
    for (const C& c : C::Parse(fields).Simpler())
      if (Contains(c)) lines.push_back(Print(c));
    return lines;
  }

  std::string Statements(const Fields& fields, Profile profile, std::string_view where,
                         std::string_view expected) const override {
    if constexpr (HasStatements<C>::value) {
      return C::Parse(fields).Statements(profile, where, expected);
    } else {
      return "";
    }
  }

 private:
  bool Contains(const C& c) const { return !cases_.contains || cases_.contains(c); }

  C At(uint64_t seed, int64_t index) const {
    Random random = RandomAt(seed, index);
    return cases_.at(index, random);
  }

  std::string Print(const C& c) const {
    Fields fields;
    c.Print(&fields);
    return LineOf(fields);
  }

  Cases<C> cases_;
  Check check_;
};

// Defines a property. `variant` is empty unless several properties check one requirement. `file` is
// the caller's.
template <class C>
bool Define(const spec::Requirement& requirement, std::string_view variant, Cases<C> cases,
            void (*check)(const C&, Trial&), std::vector<std::string> must_cover = {},
            const char* file = __builtin_FILE()) {
  return Add(std::make_unique<PropertyOver<C>>(requirement, variant, std::move(cases), check,
                                               std::move(must_cover), file));
}

// A property with one literal case.
bool Define(const spec::Requirement& requirement, std::string_view variant,
            void (*check)(const NoParameters&, Trial&), const char* file = __builtin_FILE());

}  // namespace conformance

#endif  // DNNSPEC_CONFORMANCE_CASE_PROPERTY_H_
