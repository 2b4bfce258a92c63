#include "conformance/memory/tag_table.h"

#include <type_traits>

namespace conformance {
namespace {

// clang-format off
#define DNNSPEC_FOR_EACH_TAG(X)                                                                   \
  X(undef) X(any)                                                                                 \
  /* domain-agnostic, as listed on the page of memory formats */                                  \
  X(a) X(ab) X(ba) X(abc) X(acb) X(bac) X(bca) X(cba) X(abcd) X(abdc) X(acdb) X(bacd) X(bcda)     \
  X(cdba) X(dcab) X(abcde) X(abdec) X(acbde) X(acdeb) X(bacde) X(bcdea) X(cdeba) X(decab)         \
  X(abcdef) X(acbdef) X(defcab)                                                                   \
  /* aliases, likewise */                                                                         \
  X(x) X(nc) X(cn) X(tn) X(nt) X(ncw) X(nwc) X(nchw) X(nhwc) X(chwn) X(ncdhw) X(ndhwc) X(oi)      \
  X(io) X(oiw) X(owi) X(wio) X(iwo) X(oihw) X(hwio) X(ohwi) X(ihwo) X(iohw) X(oidhw) X(dhwio)     \
  X(odhwi) X(iodhw) X(idhwo) X(goiw) X(wigo) X(goihw) X(hwigo) X(giohw) X(goidhw) X(giodhw)       \
  X(dhwigo) X(tnc) X(ntc) X(ldnc) X(ldigo) X(ldgoi) X(ldio) X(ldoi) X(ldgo)                       \
  /* further plain tags of the 2.6.3 header (MD-058) */                                           \
  X(acbd) X(adbc) X(adcb) X(abced) X(adecb) X(abdfce) X(abdefc) X(abcdfe) X(adefcb) X(abcdefg)    \
  X(abcdegf) X(abcdefgh) X(abcdefhg) X(abcdefghi) X(abcdefgih) X(abcdefghij) X(abcdefghji)        \
  X(abcdefghijk) X(abcdefghikj) X(abcdefghijkl) X(abcdefghijlk) X(gowi) X(gohwi) X(godhwi)        \
  X(gwio) X(ghwio) X(gdhwio)
// clang-format on

#define DNNSPEC_PROBE(NAME)                                      \
  template <class Tags, class = void>                            \
  struct Probe_##NAME {                                          \
    static std::optional<Tags> Find() { return std::nullopt; }   \
  };                                                             \
  template <class Tags>                                          \
  struct Probe_##NAME<Tags, std::void_t<decltype(Tags::NAME)>> { \
    static std::optional<Tags> Find() { return Tags::NAME; }     \
  };
DNNSPEC_FOR_EACH_TAG(DNNSPEC_PROBE)
#undef DNNSPEC_PROBE

}  // namespace

const std::vector<NamedTag>& NamedTags() {
  static const auto* const tags = new std::vector<NamedTag>{
#define DNNSPEC_ROW(NAME) {#NAME, Probe_##NAME<dnnl::memory::format_tag>::Find()},
      DNNSPEC_FOR_EACH_TAG(DNNSPEC_ROW)
#undef DNNSPEC_ROW
  };
  return *tags;
}

std::optional<dnnl::memory::format_tag> FindTag(std::string_view name) {
  for (const NamedTag& named : NamedTags())
    if (name == named.name) return named.tag;
  return std::nullopt;
}

}  // namespace conformance
