// C enumeration of format tags: dense plain layouts by name.
//
// A tag is a word over the first N letters, outermost dim first; `a` is logical dim 0 wherever it
// stands (MD-051, MD-052). The names after the words are aliases in the letters of their domain
// (MD-054): activations n c d h w, weights [g] o i d h w, RNN data t n c, states l d n c, RNN
// weights l d i g o.
//
// There are no blocked tags ("nChw16c"): no tiled tag is part of the portable API (MD-059), and a
// program that names one should hear it from the compiler, at the line, rather than at run time.
// Opaque layouts are had from `any` and a query (OPT-001).
//
// Source: "Memory Formats" page; oneDNN 2.6.3, "dnnl_types.h" (names and numbers; the gaps are its
// blocked tags). Valid C99 and C++.
#ifndef DNNSPEC_API_MEMORY_C_TAGS_H_
#define DNNSPEC_API_MEMORY_C_TAGS_H_

#include "oneapi/dnnl/types/c_enum.h"

typedef enum DNNSPEC_INT_ENUM {
  dnnl_format_tag_undef = 0,
  dnnl_format_tag_any = 1,

  dnnl_a = 2,

  dnnl_ab = 3,
  dnnl_ba = 22,

  dnnl_abc = 4,
  dnnl_acb = 17,
  dnnl_bac = 23,
  dnnl_bca = 26,
  dnnl_cba = 29,

  dnnl_abcd = 5,
  dnnl_abdc = 15,
  dnnl_acbd = 6,
  dnnl_acdb = 20,
  dnnl_adbc = 511,
  dnnl_adcb = 291,
  dnnl_bacd = 24,
  dnnl_bcda = 27,
  dnnl_cdba = 30,
  dnnl_dcab = 31,

  dnnl_abcde = 7,
  dnnl_abced = 35,
  dnnl_abdec = 16,
  dnnl_acbde = 18,
  dnnl_acdeb = 21,
  dnnl_adecb = 312,
  dnnl_bacde = 25,
  dnnl_bcdea = 28,
  dnnl_cdeba = 32,
  dnnl_decab = 33,

  dnnl_abcdef = 8,
  dnnl_abcdfe = 36,
  dnnl_abdefc = 223,
  dnnl_abdfce = 222,
  dnnl_acbdef = 19,
  dnnl_adefcb = 335,
  dnnl_defcab = 34,

  dnnl_abcdefg = 9,
  dnnl_abcdegf = 37,
  dnnl_abcdefgh = 10,
  dnnl_abcdefhg = 38,
  dnnl_abcdefghi = 11,
  dnnl_abcdefgih = 39,
  dnnl_abcdefghij = 12,
  dnnl_abcdefghji = 40,
  dnnl_abcdefghijk = 13,
  dnnl_abcdefghikj = 41,
  dnnl_abcdefghijkl = 14,
  dnnl_abcdefghijlk = 42,

  dnnl_format_tag_last = 514,

  dnnl_x = dnnl_a,

  dnnl_nc = dnnl_ab,
  dnnl_cn = dnnl_ba,
  dnnl_tn = dnnl_ab,
  dnnl_nt = dnnl_ba,
  dnnl_ncw = dnnl_abc,
  dnnl_nwc = dnnl_acb,
  dnnl_nchw = dnnl_abcd,
  dnnl_nhwc = dnnl_acdb,
  dnnl_chwn = dnnl_bcda,
  dnnl_ncdhw = dnnl_abcde,
  dnnl_ndhwc = dnnl_acdeb,

  dnnl_oi = dnnl_ab,
  dnnl_io = dnnl_ba,
  dnnl_oiw = dnnl_abc,
  dnnl_owi = dnnl_acb,
  dnnl_wio = dnnl_cba,
  dnnl_iwo = dnnl_bca,
  dnnl_oihw = dnnl_abcd,
  dnnl_hwio = dnnl_cdba,
  dnnl_ohwi = dnnl_acdb,
  dnnl_ihwo = dnnl_bcda,
  dnnl_iohw = dnnl_bacd,
  dnnl_oidhw = dnnl_abcde,
  dnnl_iodhw = dnnl_bacde,
  dnnl_dhwio = dnnl_cdeba,
  dnnl_odhwi = dnnl_acdeb,
  dnnl_idhwo = dnnl_bcdea,

  dnnl_goiw = dnnl_abcd,
  dnnl_gowi = dnnl_abdc,
  dnnl_gwio = dnnl_adcb,
  dnnl_wigo = dnnl_dcab,
  dnnl_goihw = dnnl_abcde,
  dnnl_gohwi = dnnl_abdec,
  dnnl_ghwio = dnnl_adecb,
  dnnl_hwigo = dnnl_decab,
  dnnl_giohw = dnnl_acbde,
  dnnl_goidhw = dnnl_abcdef,
  dnnl_godhwi = dnnl_abdefc,
  dnnl_gdhwio = dnnl_adefcb,
  dnnl_giodhw = dnnl_acbdef,
  dnnl_dhwigo = dnnl_defcab,

  dnnl_tnc = dnnl_abc,
  dnnl_ntc = dnnl_bac,
  dnnl_ldnc = dnnl_abcd,
  dnnl_ldigo = dnnl_abcde,
  dnnl_ldgoi = dnnl_abdec,
  dnnl_ldio = dnnl_abcd,
  dnnl_ldoi = dnnl_abdc,
  dnnl_ldgo = dnnl_abcd,
} dnnl_format_tag_t;

#endif  // DNNSPEC_API_MEMORY_C_TAGS_H_
