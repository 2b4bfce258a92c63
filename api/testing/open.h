// Operations that leave layouts open (format_tag::any): what the lists of them are made of.
//
// Each primitive has one list, in api/TOPIC/testing/open.h; the build writes the table of all of
// them from topics.bzl:
//
//   std::vector<Operation> OpenShuffle();
//
// It is empty where the primitive's signature refuses `any` of every argument.
#ifndef DNNSPEC_API_TESTING_OPEN_H_
#define DNNSPEC_API_TESTING_OPEN_H_

#include <cstdint>

#include "absl/types/span.h"
#include "api/spi/layout.h"

namespace spi {

// What a list has of a sum of products.
struct ProductTypes {
  DataType src, weights, dst;
  bool forward_only;
};
constexpr ProductTypes kProductTypes[] = {
    {DataType::kF32, DataType::kF32, DataType::kF32, false},
    {DataType::kBF16, DataType::kBF16, DataType::kF32, false},
    {DataType::kF16, DataType::kF16, DataType::kF16, false},
    {DataType::kU8, DataType::kS8, DataType::kS32, true},
    {DataType::kS8, DataType::kS8, DataType::kU8, true},
};

// Which tensors of one are open; with kPlainNhwc the others have their channels last.
enum Open : unsigned { kOpenSrc = 1, kOpenWeights = 2, kOpenDst = 4, kPlainNhwc = 8 };
constexpr unsigned kOpenOfProducts[] = {kOpenSrc | kOpenWeights | kOpenDst, kOpenWeights,
                                        kOpenSrc | kOpenDst, kOpenWeights | kPlainNhwc};

// The axes of `dims` stored in the order of nhwc.
Layout ChannelsLast(DataType type, absl::Span<const int64_t> dims);

// Any, ChannelsLast or Strided.
Layout LayoutFor(DataType type, absl::Span<const int64_t> dims, bool open,
                 bool channels_last = false);

}  // namespace spi

#endif  // DNNSPEC_API_TESTING_OPEN_H_
