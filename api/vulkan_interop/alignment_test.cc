// Memories that begin inside a word of 32 bits (MEM-028, INTEROP-009): each kind of primitive,
// executed again and again with handles that are less than a word apart. The suite has none of
// these, for without this header nobody knows an address inside memory of a device.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <random>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "oneapi/dnnl/dnnl_vulkan.hpp"

namespace {

namespace vk = dnnl::vulkan_interop;
using dnnl::memory;
using Tag = memory::format_tag;
using Type = memory::data_type;

constexpr size_t kRoom = 64;
constexpr unsigned char kGuard = 0xee;

struct Argument {
  int index;
  memory::desc desc;

  size_t element_bytes() const { return memory::data_type_size(desc.data_type()); }
};

// Memory for an argument, and room to begin anywhere in its first words.
class Place {
 public:
  Place(Argument argument, const dnnl::engine& engine)
      : argument_(std::move(argument)),
        bytes_(argument_.desc.get_size() + kRoom),
        owner_(vk::make_memory({{static_cast<memory::dim>(bytes_)}, Type::u8, Tag::a}, engine,
                               vk::memory_kind::pointer)) {}

  unsigned char* host() const { return static_cast<unsigned char*>(owner_.get_data_handle()); }
  unsigned char* At(size_t element) const { return host() + element * argument_.element_bytes(); }
  size_t bytes() const { return bytes_; }
  const Argument& argument() const { return argument_; }

  void AddTo(std::unordered_map<int, memory>* arguments, size_t element) const {
    arguments->emplace(argument_.index, memory(argument_.desc, owner_.get_engine(), At(element)));
  }

 private:
  Argument argument_;
  size_t bytes_;
  memory owner_;
};

class Alignment : public ::testing::Test {
 protected:
  void SetUp() override {
    if (dnnl::engine::get_count(dnnl::engine::kind::gpu) == 0)
      GTEST_SKIP() << "no GPU engine: no Vulkan, or an implementation without it";
    engine_ = dnnl::engine(dnnl::engine::kind::gpu, 0);
    stream_ = dnnl::stream(engine_);
  }

  // Begun at any of four elements, on each side, the same comes out as of memories that begin on a
  // word, and nothing beside it changes.
  void ExpectSameAnywhere(const dnnl::primitive& primitive, const std::vector<Argument>& inputs,
                          const Argument& output) {
    std::vector<Place> shifted, straight;
    for (const Argument& input : inputs) {
      shifted.emplace_back(input, engine_);
      straight.emplace_back(input, engine_);
      // As bf16, numbers from 0 to 1.
      std::generate_n(shifted.back().host(), shifted.back().bytes(),
                      [&] { return static_cast<unsigned char>(random_() & 0x3f); });
    }
    const Place got(output, engine_), expected(output, engine_);
    for (size_t from = 0; from < 4; ++from) {
      for (size_t k = 0; k < inputs.size(); ++k)
        std::memcpy(straight[k].host(), shifted[k].At(from), inputs[k].desc.get_size());
      Run(primitive, straight, 0, expected, 0);
      for (size_t to = 0; to < 4; ++to) {
        Run(primitive, shifted, from, got, to);
        std::vector<unsigned char> wanted(got.bytes(), kGuard);
        std::memcpy(wanted.data() + (got.At(to) - got.host()), expected.host(),
                    output.desc.get_size());
        EXPECT_EQ(std::memcmp(got.host(), wanted.data(), wanted.size()), 0)
            << "from element " << from << " to element " << to;
      }
    }
  }

  void ExpectReordered(const memory::desc& from, const memory::desc& to) {
    ExpectSameAnywhere(dnnl::reorder(dnnl::reorder::primitive_desc(engine_, from, engine_, to)),
                       {{DNNL_ARG_FROM, from}}, {DNNL_ARG_TO, to});
  }

  dnnl::engine engine_;
  dnnl::stream stream_;

 private:
  void Run(const dnnl::primitive& primitive, const std::vector<Place>& inputs, size_t from,
           const Place& output, size_t to) {
    std::memset(output.host(), kGuard, output.bytes());
    std::unordered_map<int, memory> arguments;
    for (const Place& input : inputs) input.AddTo(&arguments, from);
    output.AddTo(&arguments, to);
    primitive.execute(stream_, arguments);
    stream_.wait();
  }

  std::mt19937 random_{1};
};

TEST_F(Alignment, OfReordersIsThatOfElements) {
  for (const Type type : {Type::u8, Type::bf16}) {
    ExpectReordered({{131}, type, Tag::a}, {{131}, type, Tag::a});
    ExpectReordered({{3, 67}, type, memory::dims{72, 1}}, {{3, 67}, type, memory::dims{68, 1}});
    ExpectReordered({{7, 37}, type, Tag::ab}, {{7, 37}, type, Tag::ba});
    // Rows of whole words, on both sides.
    ExpectReordered({{3, 64}, type, memory::dims{72, 1}}, {{3, 64}, type, memory::dims{68, 1}});
    ExpectReordered({{24, 64}, type, Tag::ab}, {{24, 64}, type, Tag::ba});
    ExpectReordered({{8, 64}, type, Tag::ab}, {{8, 64}, type, Tag::ba});
    ExpectReordered({{5, 3, 8}, type, Tag::abc}, {{5, 3, 8}, type, Tag::acb});
    ExpectReordered({{9, 5}, type, memory::dims{12, 2}}, {{9, 5}, type, memory::dims{17, 3}});
    ExpectReordered({{3, 33}, type, Tag::ab}, {{3, 33}, Type::f32, Tag::ab});
    ExpectReordered({{8, 40}, Type::f32, Tag::ab}, {{8, 40}, type, Tag::ba});
  }
}

TEST_F(Alignment, OfShufflesIsThatOfElements) {
  for (const Type type : {Type::u8, Type::bf16}) {
    const memory::desc data({2, 12, 8}, type, Tag::abc);
    const dnnl::shuffle_forward::primitive_desc shuffle(
        {dnnl::prop_kind::forward_inference, data, 1, 3}, engine_);
    ExpectSameAnywhere(dnnl::shuffle_forward(shuffle), {{DNNL_ARG_SRC, data}},
                       {DNNL_ARG_DST, data});
  }
}

TEST_F(Alignment, OfFunctionsIsThatOfElements) {
  for (const Type type : {Type::u8, Type::bf16}) {
    const memory::desc data({3, 41}, type, Tag::ab);
    const dnnl::eltwise_forward::primitive_desc linear(
        {dnnl::prop_kind::forward_inference, dnnl::algorithm::eltwise_linear, data, 2, 1}, engine_);
    ExpectSameAnywhere(dnnl::eltwise_forward(linear), {{DNNL_ARG_SRC, data}}, {DNNL_ARG_DST, data});
  }
}

TEST_F(Alignment, OfProductsIsThatOfElements) {
  for (const auto& [data, weight] : {std::pair(Type::u8, Type::s8), {Type::bf16, Type::bf16}}) {
    const memory::desc src({3, 37}, data, Tag::ab), weights({5, 37}, weight, Tag::ab),
        dst({3, 5}, data, Tag::ab);
    const dnnl::inner_product_forward::primitive_desc product(
        {dnnl::prop_kind::forward_inference, src, weights, dst}, engine_);
    ExpectSameAnywhere(dnnl::inner_product_forward(product),
                       {{DNNL_ARG_SRC, src}, {DNNL_ARG_WEIGHTS, weights}}, {DNNL_ARG_DST, dst});
  }
}

TEST_F(Alignment, OfConvolutionsIsThatOfElements) {
  for (const auto& [data, weight] : {std::pair(Type::u8, Type::s8), {Type::bf16, Type::bf16}}) {
    const memory::desc src({2, 3, 6, 7}, data, Tag::nchw), weights({5, 3, 3, 3}, weight, Tag::oihw),
        dst({2, 5, 6, 7}, data, Tag::nchw);
    const dnnl::convolution_forward::primitive_desc convolution(
        {dnnl::prop_kind::forward_inference,
         dnnl::algorithm::convolution_direct,
         src,
         weights,
         dst,
         {1, 1},
         {1, 1},
         {1, 1}},
        engine_);
    ExpectSameAnywhere(dnnl::convolution_forward(convolution),
                       {{DNNL_ARG_SRC, src}, {DNNL_ARG_WEIGHTS, weights}}, {DNNL_ARG_DST, dst});
  }
}

}  // namespace
