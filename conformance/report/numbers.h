// Numbers for people.
#ifndef DNNSPEC_CONFORMANCE_REPORT_NUMBERS_H_
#define DNNSPEC_CONFORMANCE_REPORT_NUMBERS_H_

#include <cstdint>
#include <string>

namespace conformance {

// "12,345".
std::string Grouped(int64_t number);

}  // namespace conformance

#endif  // DNNSPEC_CONFORMANCE_REPORT_NUMBERS_H_
