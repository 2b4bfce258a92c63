#include "conformance/subject/descriptor_text.h"

#include <algorithm>
#include <cstdint>

namespace conformance {
namespace {

using dnnl::memory;

constexpr int kMostAxes = 12;  // what descriptors have room for

// The `count` values from `first` on.
std::string ListText(const int64_t* first, int count, char separator) {
  std::string text;
  for (int i = 0; i < count; ++i) {
    if (i > 0) text += separator;
    text += first[i] == DNNL_RUNTIME_DIM_VAL ? "?" : std::to_string(first[i]);
  }
  return text;
}

// "f32 2x3".
std::string TypeAndDims(memory::data_type type, const int64_t* dims, int count) {
  return TextOf(type) + (count == 0 ? " of no dims" : " " + ListText(dims, count, 'x'));
}

// "16b4a".
template <class Blocking>
std::string BlocksText(const Blocking& blocking) {
  std::string text;
  for (int k = 0; k < std::min<int>(blocking.inner_nblks, kMostAxes); ++k) {
    const int64_t axis = blocking.inner_idxs[k];
    text += std::to_string(blocking.inner_blks[k]);
    text += axis >= 0 && axis < kMostAxes ? std::string(1, static_cast<char>('a' + axis))
                                          : "(axis " + std::to_string(axis) + ")";
  }
  return text;
}

// What the members of C's descriptors tell beside type and dims.
template <class Data>
std::string LayoutText(const Data& data, int rank) {
  std::string text;
  if (data.format_kind == dnnl_format_kind_any) return ", any";
  if (data.format_kind == dnnl_format_kind_undef) return ", no format";
  if (data.format_kind == dnnl_blocked) {
    const auto& blocking = data.format_desc.blocking;
    if (rank > 0) text += ", strides " + ListText(blocking.strides, rank, ',');
    if (blocking.inner_nblks > 0) text += ", blocks " + BlocksText(blocking);
  } else {
    text += ", format kind " + std::to_string(static_cast<int>(data.format_kind));
  }
  if (!std::equal(data.dims, data.dims + rank, data.padded_dims))
    text += ", padded dims " + ListText(data.padded_dims, rank, 'x');
  if (std::any_of(data.padded_offsets, data.padded_offsets + rank, [](auto at) { return at != 0; }))
    text += ", padded offsets " + ListText(data.padded_offsets, rank, ',');
  if (data.offset0 != 0) text += ", offset " + ListText(&data.offset0, 1, ',');
  if (data.extra.flags != 0) text += ", extra flags " + std::to_string(data.extra.flags);
  return text;
}

template <class Desc>
auto MembersText(const Desc& desc, int)
    -> decltype(desc.data.format_desc.blocking.inner_nblks, desc.data.padded_offsets[0],
                desc.data.offset0, desc.data.extra.flags, std::string()) {
  const auto& data = desc.data;
  const int rank = std::clamp(static_cast<int>(data.ndims), 0, kMostAxes);
  const auto type = static_cast<memory::data_type>(data.data_type);
  return TypeAndDims(type, data.dims, rank) + LayoutText(data, rank);
}

// Where descriptors have no such members.
template <class Desc>
std::string MembersText(const Desc& desc, long) {
  const memory::dims dims = desc.dims();
  return TypeAndDims(desc.data_type(), dims.data(), static_cast<int>(dims.size())) + ", " +
         std::to_string(desc.get_size()) + " bytes";
}

// Of several names for one number, the one that most primitives use.
const char* PlainName(int arg) {
#define DNNSPEC_NAME(name) \
  case DNNL_ARG_##name:    \
    return "DNNL_ARG_" #name
  switch (arg) {
    DNNSPEC_NAME(SRC);
    DNNSPEC_NAME(SRC_1);
    DNNSPEC_NAME(SRC_2);
    DNNSPEC_NAME(DST);
    DNNSPEC_NAME(DST_1);
    DNNSPEC_NAME(DST_2);
    DNNSPEC_NAME(WEIGHTS);
    DNNSPEC_NAME(WEIGHTS_1);
    DNNSPEC_NAME(BIAS);
    DNNSPEC_NAME(MEAN);
    DNNSPEC_NAME(VARIANCE);
    DNNSPEC_NAME(WORKSPACE);
    DNNSPEC_NAME(SCRATCHPAD);
    DNNSPEC_NAME(DIFF_SRC);
    DNNSPEC_NAME(DIFF_SRC_1);
    DNNSPEC_NAME(DIFF_SRC_2);
    DNNSPEC_NAME(DIFF_DST);
    DNNSPEC_NAME(DIFF_DST_1);
    DNNSPEC_NAME(DIFF_DST_2);
    DNNSPEC_NAME(DIFF_WEIGHTS);
    DNNSPEC_NAME(DIFF_BIAS);
    DNNSPEC_NAME(ATTR_OUTPUT_SCALES);
    default:
      return nullptr;
  }
#undef DNNSPEC_NAME
}

}  // namespace

std::string TextOf(memory::data_type type) {
  switch (type) {
    case memory::data_type::undef:
      return "undef";
    case memory::data_type::f16:
      return "f16";
    case memory::data_type::bf16:
      return "bf16";
    case memory::data_type::f32:
      return "f32";
    case memory::data_type::s32:
      return "s32";
    case memory::data_type::s8:
      return "s8";
    case memory::data_type::u8:
      return "u8";
    default:
      return "data type " + std::to_string(static_cast<int>(type));
  }
}

std::string TextOf(const memory::desc& desc) {
  return desc.is_zero() ? "the zero descriptor" : MembersText(desc, 0);
}

std::string NameOfArgument(int arg) {
  if (const char* const name = PlainName(arg)) return name;
  const int of_zero_points = arg - DNNL_ARG_ATTR_ZERO_POINTS;
  if (const char* const name = of_zero_points > 0 ? PlainName(of_zero_points) : nullptr)
    return std::string("DNNL_ARG_ATTR_ZERO_POINTS | ") + name;
#ifdef DNNL_ARG_ATTR_INPUT_SCALES  // not in headers 2.1 and 2.2
  const int of_scales = arg - DNNL_ARG_ATTR_INPUT_SCALES;
  if (const char* const name = of_scales > 0 ? PlainName(of_scales) : nullptr)
    return std::string("DNNL_ARG_ATTR_INPUT_SCALES | ") + name;
#endif
  const int source = arg - DNNL_ARG_MULTIPLE_SRC;
  if (source >= 0 && source < DNNL_ARG_MULTIPLE_SRC)
    return "DNNL_ARG_MULTIPLE_SRC + " + std::to_string(source);
  return "argument " + std::to_string(arg);
}

// Texts of descriptors and types stand in brackets: kinds of failures do not differ in what is
// there.
bool ExpectDescriptor(Trial& trial, bool held, std::string_view where, std::string_view what,
                      const memory::desc& expected, const memory::desc& got) {
  if (held) return true;
  const std::string wanted = TextOf(expected), came = TextOf(got);
  const auto in_brackets = [](std::string_view words, const std::string& text) {
    return words == text ? text : std::string(words) + " (" + text + ")";
  };
  trial.Fail(where, in_brackets(what, wanted),
             (got.is_zero() ? came : in_brackets("another", came)) +
                 (came == wanted && !(got == expected) ? ", unequal all the same" : ""));
  return false;
}

bool ExpectDescriptor(Trial& trial, std::string_view where, std::string_view what,
                      const memory::desc& expected, const memory::desc& got) {
  return ExpectDescriptor(trial, got == expected, where, what, expected, got);
}

bool ExpectType(Trial& trial, std::string_view where, memory::data_type expected,
                memory::data_type got) {
  if (got == expected) return true;
  trial.Fail(where, "the type (" + TextOf(expected) + ")", "another (" + TextOf(got) + ")");
  return false;
}

}  // namespace conformance
