// Descriptors, data types and arguments in the words of failures, for whoever has a binary alone.
//
//   f32 2x3x4, strides 12,4,1
//   f32 2x19, strides 32,16, blocks 16b, padded dims 2x32, offset 4
//   s8 2x?, any                      "?" is DNNL_RUNTIME_DIM_VAL
//   the zero descriptor
//
// For messages alone: layouts are judged by what they do (MD-047).
#ifndef DNNSPEC_CONFORMANCE_SUBJECT_DESCRIPTOR_TEXT_H_
#define DNNSPEC_CONFORMANCE_SUBJECT_DESCRIPTOR_TEXT_H_

#include <string>
#include <string_view>

#include "conformance/case/trial.h"
#include "oneapi/dnnl/dnnl.hpp"

namespace conformance {

// What tells descriptors apart, but for most of `extra`, where the subject's header shows it:
// blocks as in the tag "ABcd8b16a2b", the outermost first. Else type, dims and get_size().
std::string TextOf(const dnnl::memory::desc& desc);

// "f32"; "data type 9" for a number that has no name.
std::string TextOf(dnnl::memory::data_type type);

// "DNNL_ARG_SRC", "DNNL_ARG_ATTR_ZERO_POINTS | DNNL_ARG_DST"; "argument 5" for a number that has
// no name.
std::string NameOfArgument(int arg);

// Fails the trial unless `got` == `expected`. True when it is. `what` names the descriptor that is
// expected: "the descriptor given".
bool ExpectDescriptor(Trial& trial, std::string_view where, std::string_view what,
                      const dnnl::memory::desc& expected, const dnnl::memory::desc& got);

// The same of what was compared before.
bool ExpectDescriptor(Trial& trial, bool held, std::string_view where, std::string_view what,
                      const dnnl::memory::desc& expected, const dnnl::memory::desc& got);

// Fails the trial unless `got` == `expected`. True when it is.
bool ExpectType(Trial& trial, std::string_view where, dnnl::memory::data_type expected,
                dnnl::memory::data_type got);

}  // namespace conformance

#endif  // DNNSPEC_CONFORMANCE_SUBJECT_DESCRIPTOR_TEXT_H_
