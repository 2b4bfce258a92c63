#include <string>

#include "absl/strings/str_cat.h"
#include "impl_cpu/strided/pipeline.h"

namespace impl_cpu {

using Kind = Step::Kind;

std::string NameOf(const Pipeline& p) {
  const auto name = [](Kind kind, const char* rows) {
    switch (kind) {
      case Kind::kNone:
        return "";
      case Kind::kRows:
        return rows;
      case Kind::kStreamRows:
        return "stream";
      case Kind::kTranspose:
        return "transpose";
      case Kind::kTransposeSplit:
        return "transpose-split";
      case Kind::kRecord:
        return "permute";
      case Kind::kAny:
        break;
    }
    return "gather";
  };
  if (p.compute != nullptr) return "compute+transpose";
  std::string text;
  const auto add = [&text](const char* step) {
    if (*step != 0) absl::StrAppend(&text, text.empty() ? "" : "+", step);
  };
  add(name(p.in.kind, p.convert == nullptr ? "copy" : "pack"));
  if (p.convert != nullptr) add("convert");
  if (p.combine != nullptr) add("combine");
  add(name(p.out.kind, "unpack"));
  return text;
}

std::string ToString(const Pipeline& p) {
  return absl::StrCat("box ", p.batch.chunk, "x", p.rows.chunk, "x", p.cols.chunk, " of ",
                      p.batch.extent, "x", p.rows.extent, "x", p.cols.extent);
}

}  // namespace impl_cpu
