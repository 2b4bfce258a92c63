#include "api/memory/tags.h"

#include <algorithm>
#include <limits>

#include "absl/strings/str_cat.h"

namespace api {
namespace {

constexpr char kAlphabet[] = "abcdefghijkl";

}  // namespace

const char* WordOf(dnnl_format_tag_t tag) {
#define DNNSPEC_TAG(word) \
  case dnnl_##word:       \
    return #word
  switch (static_cast<int>(tag)) {
    DNNSPEC_TAG(a);
    DNNSPEC_TAG(ab);
    DNNSPEC_TAG(ba);
    DNNSPEC_TAG(abc);
    DNNSPEC_TAG(acb);
    DNNSPEC_TAG(bac);
    DNNSPEC_TAG(bca);
    DNNSPEC_TAG(cba);
    DNNSPEC_TAG(abcd);
    DNNSPEC_TAG(abdc);
    DNNSPEC_TAG(acbd);
    DNNSPEC_TAG(acdb);
    DNNSPEC_TAG(adbc);
    DNNSPEC_TAG(adcb);
    DNNSPEC_TAG(bacd);
    DNNSPEC_TAG(bcda);
    DNNSPEC_TAG(cdba);
    DNNSPEC_TAG(dcab);
    DNNSPEC_TAG(abcde);
    DNNSPEC_TAG(abced);
    DNNSPEC_TAG(abdec);
    DNNSPEC_TAG(acbde);
    DNNSPEC_TAG(acdeb);
    DNNSPEC_TAG(adecb);
    DNNSPEC_TAG(bacde);
    DNNSPEC_TAG(bcdea);
    DNNSPEC_TAG(cdeba);
    DNNSPEC_TAG(decab);
    DNNSPEC_TAG(abcdef);
    DNNSPEC_TAG(abcdfe);
    DNNSPEC_TAG(abdefc);
    DNNSPEC_TAG(abdfce);
    DNNSPEC_TAG(acbdef);
    DNNSPEC_TAG(adefcb);
    DNNSPEC_TAG(defcab);
    DNNSPEC_TAG(abcdefg);
    DNNSPEC_TAG(abcdegf);
    DNNSPEC_TAG(abcdefgh);
    DNNSPEC_TAG(abcdefhg);
    DNNSPEC_TAG(abcdefghi);
    DNNSPEC_TAG(abcdefgih);
    DNNSPEC_TAG(abcdefghij);
    DNNSPEC_TAG(abcdefghji);
    DNNSPEC_TAG(abcdefghijk);
    DNNSPEC_TAG(abcdefghikj);
    DNNSPEC_TAG(abcdefghijkl);
    DNNSPEC_TAG(abcdefghijlk);
    default:
      return nullptr;
  }
#undef DNNSPEC_TAG
}

const char* AliasesOf(dnnl_format_tag_t tag) {
  static constexpr struct {
    dnnl_format_tag_t tag;
    const char* aliases;
  } kRows[] = {
      {dnnl_a, "x"},
      {dnnl_ab, "nc, oi, tn"},
      {dnnl_ba, "cn, io, nt"},
      {dnnl_abc, "ncw, oiw, tnc"},
      {dnnl_acb, "nwc, owi"},
      {dnnl_bac, "ntc"},
      {dnnl_bca, "iwo"},
      {dnnl_cba, "wio"},
      {dnnl_abcd, "nchw, oihw, goiw, ldnc, ldio, ldgo"},
      {dnnl_abdc, "gowi, ldoi"},
      {dnnl_acdb, "nhwc, ohwi"},
      {dnnl_adcb, "gwio"},
      {dnnl_bacd, "iohw"},
      {dnnl_bcda, "chwn, ihwo"},
      {dnnl_cdba, "hwio"},
      {dnnl_dcab, "wigo"},
      {dnnl_abcde, "ncdhw, oidhw, goihw, ldigo"},
      {dnnl_abdec, "gohwi, ldgoi"},
      {dnnl_acbde, "giohw"},
      {dnnl_acdeb, "ndhwc, odhwi"},
      {dnnl_adecb, "ghwio"},
      {dnnl_bacde, "iodhw"},
      {dnnl_bcdea, "idhwo"},
      {dnnl_cdeba, "dhwio"},
      {dnnl_decab, "hwigo"},
      {dnnl_abcdef, "goidhw"},
      {dnnl_abdefc, "godhwi"},
      {dnnl_acbdef, "giodhw"},
      {dnnl_adefcb, "gdhwio"},
      {dnnl_defcab, "dhwigo"},
  };
  for (const auto& row : kRows)
    if (row.tag == tag) return row.aliases;
  return "";
}

absl::Status StridesOf(const char* word, int rank, const int64_t* dims, int64_t* strides) {
  int64_t stride = 1;
  for (int k = rank - 1; k >= 0; --k) {
    const int j = word[k] - 'a';
    if (stride != DNNL_RUNTIME_DIM_VAL && stride < 0) {
      if (std::count(dims, dims + rank, 0) == 0)
        return absl::InvalidArgumentError(
            absl::StrCat("memory::desc: strides[", j, "] does not fit 64 bits (MD-026)"));
      strides[j] = std::numeric_limits<int64_t>::max();  // no element is there (MD-017)
      continue;
    }
    strides[j] = stride;
    if (stride == DNNL_RUNTIME_DIM_VAL || dims[j] == DNNL_RUNTIME_DIM_VAL) {
      stride = DNNL_RUNTIME_DIM_VAL;
    } else if (__builtin_mul_overflow(stride, std::max<int64_t>(1, dims[j]), &stride)) {
      stride = -1;  // an error only if some dim lies outside
    }
  }
  return absl::OkStatus();
}

absl::Status RowMajorStrides(int rank, const int64_t* dims, int64_t* strides) {
  return StridesOf(kAlphabet, rank, dims, strides);
}

}  // namespace api
