// Lines of cases: whatever the text, a line is refused with a reason, or it is read, printed and
// read again to the same.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>

#include "conformance/case/fields.h"
#include "conformance/memory/cases.h"
#include "conformance/memory/descriptor_case.h"
#include "conformance/reorder/cases.h"
#include "conformance/shuffle/cases.h"

namespace {

using conformance::Fields;

template <class C>
void Read(const std::string& text) {
  const Fields fields = Fields::Parse(text);
  if (!fields.error().empty()) return;
  const C read = C::Parse(fields);
  if (!fields.error().empty()) return;
  Fields printed;
  read.Print(&printed);
  const Fields again = Fields::Parse(printed.ToString());
  const C reread = C::Parse(again);
  Fields reprinted;
  reread.Print(&reprinted);
  if (again.error().empty() && reprinted.ToString() == printed.ToString()) return;
  std::fprintf(stderr, "read      %s\nprinted   %s\nreprinted %s\n%s\n", text.c_str(),
               printed.ToString().c_str(), reprinted.ToString().c_str(), again.error().c_str());
  std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace conformance;
  const std::string text(reinterpret_cast<const char*>(data), size);
  Read<ReorderCase>(text);
  Read<ShuffleCase>(text);
  Read<ShuffleParameters>(text);
  Read<TagCase>(text);
  Read<PairCase>(text);
  Read<ReshapeCase>(text);
  Read<PermuteCase>(text);
  return 0;
}
