#include "oneapi/dnnl/engine/error.hpp"

#include <gtest/gtest.h>

#include <exception>
#include <memory>
#include <string>
#include <type_traits>

#include "absl/status/status.h"
#include "api/engine/throw.h"

namespace {

TEST(Error, IsAnExceptionWithStatusAndText) {
  static_assert(std::is_base_of<std::exception, dnnl::error>::value, "ERR-001");
  const dnnl::error error(dnnl_unimplemented, "not here");
  EXPECT_EQ(error.status, dnnl_unimplemented);
  EXPECT_STREQ(error.message, "not here");
  EXPECT_STREQ(error.what(), error.message);
  EXPECT_STREQ(dnnl::error(dnnl_success, nullptr).what(), "");
}

TEST(Error, KeepsItsTextThroughCopies) {
  std::unique_ptr<dnnl::error> copy;
  {
    const std::string text = "a text that is longer than any small string buffer is";
    const dnnl::error error(dnnl_out_of_memory, text.c_str());
    copy = std::make_unique<dnnl::error>(error);
  }
  EXPECT_STREQ(copy->what(), "a text that is longer than any small string buffer is");
  EXPECT_EQ(copy->what(), copy->message);
  dnnl::error assigned(dnnl_success, "");
  assigned = *copy;
  copy.reset();
  EXPECT_STREQ(assigned.message, "a text that is longer than any small string buffer is");
}

TEST(Error, WrapsStatusesOfC) {
  EXPECT_NO_THROW(dnnl::error::wrap_c_api(dnnl_success, "fine"));
  EXPECT_THROW(dnnl::error::wrap_c_api(dnnl_runtime_error, "not"), dnnl::error);
}

TEST(Throw, KeepsTheMeaningOfAStatus) {
  EXPECT_EQ(api::CodeOf(absl::OkStatus()), dnnl_success);
  EXPECT_EQ(api::CodeOf(absl::InvalidArgumentError("")), dnnl_invalid_arguments);
  EXPECT_EQ(api::CodeOf(absl::UnimplementedError("")), dnnl_unimplemented);
  EXPECT_EQ(api::CodeOf(absl::ResourceExhaustedError("")), dnnl_out_of_memory);
  EXPECT_EQ(api::CodeOf(absl::InternalError("")), dnnl_runtime_error);
  EXPECT_EQ(api::CodeOf(absl::UnknownError("")), dnnl_runtime_error);
}

TEST(Throw, ThrowsUnlessEmptyIsAllowed) {
  const absl::StatusOr<int> failed = absl::InternalError("device lost");
  try {
    api::ValueOrThrow(failed);
    FAIL();
  } catch (const dnnl::error& error) {
    EXPECT_EQ(error.status, dnnl_runtime_error);
    EXPECT_STREQ(error.what(), "device lost");
  }
  const auto fail = [&] { return failed; };
  EXPECT_THROW(api::ValueOrEmpty(fail, false), dnnl::error);
  EXPECT_EQ(api::ValueOrEmpty(fail, true), 0);
  EXPECT_EQ(api::ValueOrEmpty([] { return absl::StatusOr<int>(7); }, false), 7);
}

}  // namespace
