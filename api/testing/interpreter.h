// What an operation computes, by the oracles of the specification: the one answer that the tests of
// api and of its implementations compare with. On the host, one element after another.
//
//   const Interpretation right(operation, before);
//   EXPECT_EQ(right.after(), got);          // what has one right value
//   EXPECT_EQ(right.Mismatch(got), "");     // whatever the oracles allow
//
// Operations are resolved: layouts are strided, blocked or not. Buffers stand in the order of
// operation.tensors; what is behind them (workspace, scratchpad) is not looked at.
#ifndef DNNSPEC_API_TESTING_INTERPRETER_H_
#define DNNSPEC_API_TESTING_INTERPRETER_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "absl/types/span.h"
#include "api/spi/layout.h"
#include "api/spi/operation.h"

namespace spi {

using Bytes = std::vector<std::byte>;

// Bytes of a buffer that holds every element and the padding of `layout`.
size_t BytesOf(const Layout& layout);

// An element of `from` as one of `to`, by the formats' own conversions: bits, in the low end.
uint32_t Convert(DataType from, DataType to, uint32_t bits);

// Computes `operation` on buffers by their addresses. An element becomes what f32 arithmetic makes
// of it, each operation rounded by itself, and the nearest number where that is no
// definition, as for tanh; padding becomes zero (OPT-045); no other byte is written. A tensor that
// is written may be one that is read, where both have one layout and the operation is elementwise.
void Interpret(const Operation& operation, absl::Span<void* const> buffers);

// An operation on given data, which no two tensors share.
class Interpretation {
 public:
  Interpretation(Operation operation, std::vector<Bytes> before);

  const Operation& operation() const { return operation_; }
  const std::vector<Bytes>& before() const { return before_; }
  const std::vector<Bytes>& after() const { return after_; }

  // "" if the buffers may hold `got` after an execution; else the first difference. Allowed are
  //   - of elements that are written: what the oracles allow in the project profile on a CPU
  //     engine, as api/TOPIC/testing/interpret.h says; where they say nothing, Interpret()'s value
  //     alone;
  //   - of everything else, gaps and bytes behind the tensors among it: what was there before.
  std::string Mismatch(const std::vector<Bytes>& got) const;

 private:
  Operation operation_;
  std::vector<Bytes> before_, after_;
};

}  // namespace spi

#endif  // DNNSPEC_API_TESTING_INTERPRETER_H_
