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
  switch (static_cast<int>(tag)) {
    case dnnl_a:
      return "x";
    case dnnl_ab:
      return "nc, oi, tn";
    case dnnl_ba:
      return "cn, io, nt";
    case dnnl_abc:
      return "ncw, oiw, tnc";
    case dnnl_acb:
      return "nwc, owi";
    case dnnl_bac:
      return "ntc";
    case dnnl_bca:
      return "iwo";
    case dnnl_cba:
      return "wio";
    case dnnl_abcd:
      return "nchw, oihw, goiw, ldnc, ldio, ldgo";
    case dnnl_abdc:
      return "gowi, ldoi";
    case dnnl_acdb:
      return "nhwc, ohwi";
    case dnnl_adcb:
      return "gwio";
    case dnnl_bacd:
      return "iohw";
    case dnnl_bcda:
      return "chwn, ihwo";
    case dnnl_cdba:
      return "hwio";
    case dnnl_dcab:
      return "wigo";
    case dnnl_abcde:
      return "ncdhw, oidhw, goihw, ldigo";
    case dnnl_abdec:
      return "gohwi, ldgoi";
    case dnnl_acbde:
      return "giohw";
    case dnnl_acdeb:
      return "ndhwc, odhwi";
    case dnnl_adecb:
      return "ghwio";
    case dnnl_bacde:
      return "iodhw";
    case dnnl_bcdea:
      return "idhwo";
    case dnnl_cdeba:
      return "dhwio";
    case dnnl_decab:
      return "hwigo";
    case dnnl_abcdef:
      return "goidhw";
    case dnnl_abdefc:
      return "godhwi";
    case dnnl_acbdef:
      return "giodhw";
    case dnnl_adefcb:
      return "gdhwio";
    case dnnl_defcab:
      return "dhwigo";
    default:
      return "";
  }
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
