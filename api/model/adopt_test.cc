// What a primitive descriptor tells once an implementation has chosen layouts, a workspace and a
// scratchpad, and what next_impl asks for then.
#include <gtest/gtest.h>

#include <memory>
#include <utility>

#include "absl/status/status.h"
#include "api/engine/engine_state.h"
#include "api/engine/handle_state.h"
#include "api/fake/fake.h"
#include "api/memory/layout.h"
#include "api/model/primitive_state.h"
#include "api/model/resolve.h"
#include "oneapi/dnnl/engine/engine.hpp"
#include "oneapi/dnnl/memory/memory.hpp"
#include "oneapi/dnnl/model/primitive_desc.hpp"

namespace api {
namespace {

using dnnl::memory;
using spi::DataType;

class Adopted : public testing::Test {
 protected:
  Adopted() { fake::Reset(); }
  ~Adopted() override { fake::Reset(); }

  // A training shuffle whose tensors are both open.
  static spi::Operation Request() {
    const spi::Layout open = spi::Any(DataType::kF32, {2, 20});
    return spi::MakeShuffle(spi::PropKind::kForwardTraining, open, open, {1, 4});
  }

  // As a primitive's topic makes it, but for the checks, which let no shuffle leave a layout open.
  std::shared_ptr<const dnnl::state::computation> Made(
      dnnl::scratchpad_mode mode = dnnl::scratchpad_mode::library) {
    auto made = std::make_shared<dnnl::state::computation>();
    made->device = *dnnl::state::access::of(cpu_);
    made->scratchpad_mode = mode;
    made->resolved = Request();
    NoteRequest(made.get());
    const absl::Status status =
        Adopt(made->device.spi_engine->MakePlan({made->resolved, nullptr, 0}), made.get());
    EXPECT_TRUE(status.ok()) << status;
    return made;
  }

  dnnl::primitive_desc Handle(std::shared_ptr<const dnnl::state::computation> made) const {
    return dnnl::state::access::make<dnnl::primitive_desc>(
        std::make_shared<const dnnl_primitive_desc>(
            std::move(made),
            dnnl::state::engines{dnnl::state::access::of(cpu_), nullptr, nullptr}));
  }

  const dnnl::engine cpu_{dnnl::engine::kind::cpu, 0};
  const spi::Layout blocked_ = spi::Strided(DataType::kF32, {2, 20}, {{1, 16}});
  const spi::Layout plain_ = spi::Strided(DataType::kF32, {2, 20});
};

TEST_F(Adopted, QueriesTellWhatWasChosen) {
  fake::controls().chosen = {blocked_, plain_};
  fake::controls().workspace = spi::Strided(DataType::kU8, {7});
  const auto made = Made();
  EXPECT_EQ(RequestOf(*made), Request());
  const dnnl::primitive_desc pd = Handle(made);
  EXPECT_EQ(pd.src_desc().get_size(), 2u * 32 * 4);
  EXPECT_EQ(pd.dst_desc(), memory::desc({2, 20}, memory::data_type::f32, memory::format_tag::ab));
  EXPECT_EQ(pd.workspace_desc().get_size(), 7u);
  EXPECT_EQ(pd.scratchpad_desc().get_size(), 0u);
  EXPECT_EQ(pd.query_s64(dnnl::query::memory_consumption_s64), 24);
}

TEST_F(Adopted, TheScratchpadIsAnArgumentWhereTheUserProvidesIt) {
  const dnnl::primitive_desc pd = Handle(Made(dnnl::scratchpad_mode::user));
  EXPECT_EQ(pd.scratchpad_desc().get_size(), 24u);
  EXPECT_EQ(pd.query_s64(dnnl::query::memory_consumption_s64), 0);
}

TEST_F(Adopted, TheNextImplementationChoosesAnew) {
  fake::controls().candidates = 2;
  fake::controls().chosen = {blocked_, plain_};
  fake::controls().workspace = spi::Strided(DataType::kU8, {7});
  dnnl::primitive_desc pd = Handle(Made());
  fake::controls().chosen = {plain_, blocked_};
  fake::controls().workspace.reset();
  fake::controls().scratchpad_bytes = 0;
  ASSERT_TRUE(pd.next_impl());
  EXPECT_EQ(pd.src_desc().get_size(), 2u * 20 * 4);
  EXPECT_EQ(pd.dst_desc().get_size(), 2u * 32 * 4);
  EXPECT_EQ(pd.workspace_desc().get_size(), 0u);
  EXPECT_EQ(pd.query_s64(dnnl::query::memory_consumption_s64), 0);
  EXPECT_FALSE(pd.next_impl());
  EXPECT_EQ(pd.src_desc().get_size(), 2u * 20 * 4);
}

TEST_F(Adopted, WhatWasAskedForIsKnownWhereNothingWasChosen) {
  auto made = std::make_shared<dnnl::state::computation>();
  made->resolved = spi::MakeShuffle(spi::PropKind::kForwardTraining, plain_, plain_, {1, 4});
  ASSERT_TRUE(Complete(made, dnnl::state::access::of(cpu_)).ok());
  EXPECT_EQ(made->open, 0u);
  EXPECT_EQ(RequestOf(*made),
            spi::MakeShuffle(spi::PropKind::kForwardTraining, plain_, plain_, {1, 4}));
}

TEST_F(Adopted, AnOpaqueLayoutIsItsOwnDescriptor) {
  fake::controls().chosen = {spi::Opaque(DataType::kF32, {2, 20}, 7, 1024), plain_};
  const dnnl::primitive_desc pd = Handle(Made());
  const memory::desc md = pd.src_desc();
  EXPECT_EQ(md.dims(), (memory::dims{2, 20}));
  EXPECT_EQ(md.data_type(), memory::data_type::f32);
  EXPECT_EQ(md.get_size(), 1024u);
  EXPECT_EQ(md, pd.src_desc());
  EXPECT_NE(md, pd.dst_desc());
  EXPECT_EQ(LayoutOf(md.data), pd.get()->computation->resolved.tensors[0].layout);
  const memory holds(md, cpu_);
  EXPECT_EQ(holds.get_desc(), md);
  // Its elements are where nobody else can tell.
  EXPECT_THROW(md.permute_axes({1, 0}), dnnl::error);
  EXPECT_THROW(md.reshape({40}), dnnl::error);
  EXPECT_THROW(md.submemory_desc({1, 20}, {0, 0}), dnnl::error);

  fake::controls().chosen = {spi::Opaque(DataType::kF32, {2, 20}, 8, 1024), plain_};
  EXPECT_NE(Handle(Made()).src_desc(), md);
}

TEST_F(Adopted, AnOpaqueLayoutIsReadByWhoChoseItAlone) {
  fake::controls().chosen = {spi::Opaque(DataType::kF32, {2, 20}, 7, 1024), plain_};
  const auto made = Made();
  const spi::Operation again =
      spi::MakeShuffle(spi::PropKind::kForwardTraining, made->resolved.tensors[0].layout,
                       made->resolved.tensors[0].layout, {1, 4});
  const uint16_t owner = OwnerOf(*made->device.implementation);
  EXPECT_TRUE(CheckOwner(again, owner).ok());
  const absl::Status status = CheckOwner(again, static_cast<uint16_t>(owner + 1));
  EXPECT_EQ(status.code(), absl::StatusCode::kUnimplemented);
  EXPECT_EQ(
      status.message(),
      "shuffle: DNNL_ARG_SRC: the layout f32 2x20 opaque 7 (1024 bytes) was chosen by another "
      "implementation (OPT-013)");
}

TEST_F(Adopted, AnIllegalAnswerIsNoDescriptor) {
  fake::controls().chosen = {plain_};
  dnnl::state::computation made;
  made.device = *dnnl::state::access::of(cpu_);
  made.resolved = Request();
  const absl::Status status =
      Adopt(made.device.spi_engine->MakePlan({made.resolved, nullptr, 0}), &made);
  EXPECT_EQ(status.code(), absl::StatusCode::kInternal);
  EXPECT_EQ(made.plan, nullptr);
}

}  // namespace
}  // namespace api
