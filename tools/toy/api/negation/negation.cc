#include "oneapi/dnnl/negation/negation.hpp"

#include <memory>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "api/engine/throw.h"
#include "api/memory/layout.h"
#include "api/model/primitive_state.h"
#include "api/negation/operation.h"

namespace api {
namespace {

using State = dnnl::state::primitive_desc;

absl::StatusOr<std::shared_ptr<const State>> Describe(const dnnl::engine& on,
                                                      const dnnl::memory::desc& src,
                                                      const dnnl::memory::desc& dst,
                                                      const dnnl::primitive_attr& attr) {
  const auto& engine = dnnl::state::access::of(on);
  if (engine == nullptr)
    return absl::InvalidArgumentError("negation: the engine is empty (ERR-011)");
  auto made = std::make_shared<dnnl::state::computation>();
  absl::Status status = CopyAttributes("negation", attr, made.get());
  if (status.ok() && made->attr != nullptr)
    status = CheckAttributes("negation", spi::kNegationSignature.attributes, *made->attr);
  if (!status.ok()) return status;
  if (HasRunTimeValues(src.data) || HasRunTimeValues(dst.data))
    return absl::UnimplementedError("negation: run-time dims and strides are not served (NEG-002)");
  const absl::StatusOr<spi::Layout> from = LayoutOf(src.data), to = LayoutOf(dst.data);
  if (!from.ok()) return from.status();
  if (!to.ok()) return to.status();
  spi::FillNegation(*from, *to, &made->resolved);
  return Complete(std::move(made), engine);
}

}  // namespace
}  // namespace api

namespace dnnl {

negation::primitive_desc::primitive_desc(const engine& aengine, const memory::desc& src,
                                         const memory::desc& dst, const primitive_attr& attr,
                                         bool allow_empty) {
  state_ = api::ValueOrEmpty([&] { return api::Describe(aengine, src, dst, attr); }, allow_empty);
}

}  // namespace dnnl
