#include "oneapi/dnnl/model/service.hpp"

#include <gtest/gtest.h>

#include "api/fake/fake.h"
#include "api/fake/refusal.h"
#include "api/spi/types.h"
#include "oneapi/dnnl/dnnl_version.h"
#include "oneapi/dnnl/model/c_debug.h"

namespace {

TEST(Service, TellsTheVersionOfTheApi) {
  const dnnl::version_t* const version = dnnl::version();
  EXPECT_EQ(version, dnnl_version());
  EXPECT_EQ(version->major, DNNL_VERSION_MAJOR);
  EXPECT_EQ(version->minor, 6);
  EXPECT_NE(version->hash, nullptr);
}

TEST(Service, ChangesNothingItCannot) {
  EXPECT_EQ(dnnl::set_verbose(0), dnnl::status::success);
  EXPECT_EQ(dnnl::set_verbose(1), dnnl::status::unimplemented);
  EXPECT_EQ(dnnl::set_verbose(3), dnnl::status::invalid_arguments);
  EXPECT_EQ(dnnl::set_default_fpmath_mode(dnnl::fpmath_mode::strict), dnnl::status::success);
  EXPECT_EQ(dnnl::set_default_fpmath_mode(dnnl::fpmath_mode::any), dnnl::status::unimplemented);
  EXPECT_EQ(dnnl::get_default_fpmath_mode(), dnnl::fpmath_mode::strict);
  EXPECT_EQ(dnnl::set_max_cpu_isa(dnnl::cpu_isa::all), dnnl::status::success);
  EXPECT_EQ(dnnl::set_max_cpu_isa(dnnl::cpu_isa::avx2), dnnl::status::unimplemented);
  EXPECT_EQ(dnnl::set_cpu_isa_hints(dnnl::cpu_isa_hints::no_hints), dnnl::status::success);
  EXPECT_EQ(dnnl::set_cpu_isa_hints(dnnl::cpu_isa_hints::prefer_ymm), dnnl::status::unimplemented);
}

TEST(Service, RefusesWhatNamesNothing) {
  constexpr auto kInvalid = dnnl::status::invalid_arguments;
  for (int number : {-1, 4, 99}) {
    EXPECT_EQ(dnnl::set_default_fpmath_mode(static_cast<dnnl::fpmath_mode>(number)), kInvalid);
    EXPECT_EQ(dnnl::set_cpu_isa_hints(static_cast<dnnl::cpu_isa_hints>(number)), kInvalid);
    EXPECT_EQ(dnnl::set_max_cpu_isa(static_cast<dnnl::cpu_isa>(number)), kInvalid);
  }
}

TEST(Service, TellsTheInstructionSetOfTheCpuEngine) {
  using dnnl::cpu_isa;
  fake::Reset();
  EXPECT_EQ(dnnl::get_effective_cpu_isa(), cpu_isa::all);
  fake::controls().isa = spi::CpuIsa::kAvx512CoreVnni;
  EXPECT_EQ(dnnl::get_effective_cpu_isa(), cpu_isa::avx512_core_vnni);
  fake::controls().isa = spi::CpuIsa::kAvx2;
  EXPECT_EQ(dnnl::get_effective_cpu_isa(), cpu_isa::avx2);
  // A limit that AVX2 is within is none.
  for (cpu_isa isa : {cpu_isa::all, cpu_isa::avx2, cpu_isa::avx512_core, cpu_isa::avx2_vnni})
    EXPECT_EQ(dnnl::set_max_cpu_isa(isa), dnnl::status::success);
  for (cpu_isa isa : {cpu_isa::sse41, cpu_isa::avx})
    EXPECT_EQ(dnnl::set_max_cpu_isa(isa), dnnl::status::unimplemented);
  fake::Reset();
}

TEST(Service, NamesInstructionSetsAsImplementationsDo) {
  const auto same = [](spi::CpuIsa ours, dnnl::cpu_isa isa) {
    return static_cast<int>(ours) == static_cast<int>(isa);
  };
  EXPECT_TRUE(same(spi::CpuIsa::kAll, dnnl::cpu_isa::all));
  EXPECT_TRUE(same(spi::CpuIsa::kSse41, dnnl::cpu_isa::sse41));
  EXPECT_TRUE(same(spi::CpuIsa::kAvx2, dnnl::cpu_isa::avx2));
  EXPECT_TRUE(same(spi::CpuIsa::kAvx512Core, dnnl::cpu_isa::avx512_core));
  EXPECT_TRUE(same(spi::CpuIsa::kAvx512CoreVnni, dnnl::cpu_isa::avx512_core_vnni));
  EXPECT_TRUE(same(spi::CpuIsa::kAvx512CoreBf16, dnnl::cpu_isa::avx512_core_bf16));
  EXPECT_TRUE(same(spi::CpuIsa::kAvx512CoreAmx, dnnl::cpu_isa::avx512_core_amx));
}

TEST(Service, RemembersTheCapacity) {
  EXPECT_EQ(dnnl::get_primitive_cache_capacity(), 256);
  dnnl::set_primitive_cache_capacity(77);
  EXPECT_EQ(dnnl::get_primitive_cache_capacity(), 77);
  EXPECT_EQ(
      fake::Refusal([] { dnnl::set_primitive_cache_capacity(-1); }),
      "invalid_arguments: set_primitive_cache_capacity: capacity = -1 is negative (PRIM-049)");
  EXPECT_EQ(dnnl::get_primitive_cache_capacity(), 77);
}

TEST(Names, AreThoseOfTheEnumerators) {
  EXPECT_STREQ(dnnl_status2str(dnnl_out_of_memory), "out_of_memory");
  EXPECT_STREQ(dnnl_dt2str(dnnl_bf16), "bf16");
  EXPECT_STREQ(dnnl_fmt_kind2str(dnnl_blocked), "blocked");
  EXPECT_STREQ(dnnl_fmt_tag2str(dnnl_nhwc), "acdb");
  EXPECT_STREQ(dnnl_fmt_tag2str(dnnl_format_tag_any), "any");
  EXPECT_STREQ(dnnl_prop_kind2str(dnnl_forward_inference), "forward_inference");
  EXPECT_STREQ(dnnl_prim_kind2str(dnnl_shuffle), "shuffle");
  EXPECT_STREQ(dnnl_engine_kind2str(dnnl_gpu), "gpu");
  EXPECT_STREQ(dnnl_scratchpad_mode2str(dnnl_scratchpad_mode_user), "user");
  EXPECT_STREQ(dnnl_fmt_kind2str(dnnl_format_kind_rnn_packed), "rnn_packed");
  EXPECT_STREQ(dnnl_prim_kind2str(dnnl_primitive_kind_max), "primitive_kind_max");
  EXPECT_STREQ(dnnl_status2str(static_cast<dnnl_status_t>(99)), "unknown");
  EXPECT_STREQ(dnnl_dt2str(static_cast<dnnl_data_type_t>(-1)), "unknown");
  EXPECT_STREQ(dnnl_fmt_tag2str(static_cast<dnnl_format_tag_t>(200)), "unknown");
}

// Not all of them are the enumerator's.
TEST(Names, AreOneDnnsForWhatOtherPrimitivesUse) {
  EXPECT_STREQ(dnnl_alg_kind2str(dnnl_alg_kind_undef), "undef");
  EXPECT_STREQ(dnnl_alg_kind2str(dnnl_eltwise_gelu), "eltwise_gelu_tanh");
  EXPECT_STREQ(dnnl_alg_kind2str(dnnl_pooling_avg), "pooling_avg_exclude_padding");
  EXPECT_STREQ(dnnl_alg_kind2str(dnnl_softmax_log), "softmax_log");
  EXPECT_STREQ(dnnl_alg_kind2str(static_cast<dnnl_alg_kind_t>(5)), "unknown");
  EXPECT_STREQ(dnnl_rnn_flags2str(dnnl_rnn_flags_undef), "undef");
  EXPECT_STREQ(dnnl_rnn_flags2str(static_cast<dnnl_rnn_flags_t>(1)), "unknown");
  EXPECT_STREQ(dnnl_rnn_direction2str(dnnl_unidirectional), "unidirectional_left2right");
  EXPECT_STREQ(dnnl_rnn_direction2str(dnnl_bidirectional_sum), "bidirectional_sum");
  EXPECT_STREQ(dnnl_fpmath_mode2str(dnnl_fpmath_mode_bf16), "fpmath_mode_bf16");
  EXPECT_STREQ(dnnl_fpmath_mode2str(dnnl_fpmath_mode_any), "any");
  EXPECT_STREQ(dnnl_cpu_isa2str(dnnl_cpu_isa_all), "cpu_isa_all");
  EXPECT_STREQ(dnnl_cpu_isa2str(dnnl_cpu_isa_avx2_vnni), "cpu_isa_avx2_vnni");
  EXPECT_STREQ(dnnl_cpu_isa_hints2str(dnnl_cpu_isa_prefer_ymm), "cpu_isa_prefer_ymm");
  EXPECT_STREQ(dnnl_runtime2str(DNNL_RUNTIME_OMP), "OpenMP");
  EXPECT_STREQ(dnnl_runtime2str(DNNL_RUNTIME_SEQ), "sequential");
  EXPECT_STREQ(dnnl_runtime2str(DNNL_RUNTIME_SYCL), "unknown");
}

}  // namespace
