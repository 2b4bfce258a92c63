// OpenCV's core: transpositions, interleaving, conversions with one scale, and weighted sums of
// matrices. Types of two bytes that are only moved pass for integers.

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <opencv2/core.hpp>
#include <opencv2/core/utility.hpp>
#include <opencv2/core/version.hpp>
#include <string>
#include <utility>
#include <vector>

#include "tools/benchmark/cases.h"
#include "tools/benchmark/peers/loops.h"
#include "tools/benchmark/peers/peer.h"
#include "tools/benchmark/subject.h"

namespace bench {
namespace {

constexpr int kNone = -1;

// The depth of a matrix that computes in this type.
int DepthOf(const std::string& type) {
  return type == "f32"   ? CV_32F
         : type == "f16" ? CV_16F
         : type == "s32" ? CV_32S
         : type == "s8"  ? CV_8S
         : type == "u8"  ? CV_8U
                         : kNone;
}

// The depth of one that is only moved.
int MovedDepthOf(const std::string& type) {
  const int64_t size = SizeOf(type);
  return size == 4 ? CV_32S : size == 2 ? CV_16U : CV_8U;
}

// What is called of OpenCV, each time with the same matrices.
class Calls : public Runnable {
 public:
  explicit Calls(std::string info) : info_(std::move(info)) {}
  void Add(std::function<void()> call) { calls_.push_back(std::move(call)); }
  void Run() override {
    for (const auto& call : calls_) call();
  }
  std::string Info() override { return info_; }

 private:
  const std::string info_;
  std::vector<std::function<void()>> calls_;
};

class Builder {
 public:
  Builder(const Case& c, void* src, void* dst)
      : c_(c),
        loops_(LoopsOf(c)),
        inner_(loops_.back()),
        outer_(loops_.size() > 1 ? loops_[loops_.size() - 2] : Loop{1, 0, 0}),
        src_(static_cast<uint8_t*>(src)),
        dst_(static_cast<uint8_t*>(dst)),
        src_size_(SizeOf(c.src.type)),
        dst_size_(SizeOf(c.dst.type)) {}

  std::unique_ptr<Runnable> Build() {
    const bool moves = c_.src.type == c_.dst.type && c_.scale_mask < 0 && !c_.sum &&
                       c_.src_zero == 0 && c_.dst_zero == 0;
    const bool rows = inner_.src == 1 && inner_.dst == 1;
    if (c_.scale_mask > 0) return nullptr;
    if (c_.sum) return rows && c_.src.type == c_.dst.type ? Sum() : nullptr;
    if (!moves) return rows ? Convert() : nullptr;
    if (inner_.dst == 1 && inner_.src == 2 && loops_.size() == 1) return EverySecond();
    if (outer_.src == 1 && inner_.dst == 1 && loops_.size() > 1) return Transpose(1, 2);
    if (!rows) return nullptr;
    // Runs that one element of a matrix with several channels can be.
    const bool elements = loops_.size() > 2 && inner_.count * src_size_ <= 32 &&
                          loops_[loops_.size() - 3].src == inner_.count &&
                          outer_.dst == inner_.count;
    return elements ? Transpose(inner_.count, 3) : Copy();
  }

 private:
  cv::Mat Matrix(const Loop& across, const Loop& along, uint8_t* at, int type, int64_t step) {
    return cv::Mat(static_cast<int>(across.count), static_cast<int>(along.count), type, at,
                   static_cast<size_t>(step));
  }

  // The rows of the two innermost loops, in both operands.
  void EachOfRows(int src_type, int dst_type,
                  const std::function<void(const cv::Mat&, const cv::Mat&)>& add) {
    const size_t outer = loops_.size() > 2 ? loops_.size() - 2 : 0;
    const int64_t src_step = loops_.size() > 1 ? outer_.src * src_size_ : 0;
    const int64_t dst_step = loops_.size() > 1 ? outer_.dst * dst_size_ : 0;
    ForEach(loops_, outer, [&](int64_t src, int64_t dst) {
      add(Matrix(outer_, inner_, src_ + src * src_size_, src_type, src_step),
          Matrix(outer_, inner_, dst_ + dst * dst_size_, dst_type, dst_step));
    });
  }

  std::unique_ptr<Runnable> Copy() {
    auto calls = std::make_unique<Calls>("copyTo");
    if (outer_.src != 0 && outer_.src < inner_.count) return nullptr;
    if (outer_.src == 0 && loops_.size() > 1) return nullptr;
    const int type = MovedDepthOf(c_.src.type);
    EachOfRows(type, type, [&](const cv::Mat& src, const cv::Mat& dst) {
      calls->Add([src, dst]() mutable { src.copyTo(dst); });
    });
    return calls;
  }

  std::unique_ptr<Runnable> Convert() {
    const int src_type = DepthOf(c_.src.type), dst_type = DepthOf(c_.dst.type);
    if (src_type == kNone || dst_type == kNone) return nullptr;
    const double alpha = c_.scale_mask == 0 ? 0.25 : 1;
    const double beta = c_.dst_zero - alpha * c_.src_zero;
    auto calls = std::make_unique<Calls>("convertTo");
    EachOfRows(src_type, dst_type, [&](const cv::Mat& src, const cv::Mat& dst) {
      calls->Add([=]() mutable { src.convertTo(dst, dst_type, alpha, beta); });
    });
    return calls;
  }

  std::unique_ptr<Runnable> Sum() {
    const int type = DepthOf(c_.src.type);
    if (type == kNone || type == CV_16F) return nullptr;
    const double alpha = c_.scale_mask == 0 ? 0.25 : 1, beta = c_.beta;
    const bool add = alpha == 1 && beta == 1;
    auto calls = std::make_unique<Calls>(add ? "add" : "addWeighted");
    EachOfRows(type, type, [&](const cv::Mat& src, const cv::Mat& dst) {
      if (add)
        calls->Add([src, dst]() mutable { cv::add(src, dst, dst); });
      else
        calls->Add([=]() mutable { cv::addWeighted(src, alpha, dst, beta, 0, dst); });
    });
    return calls;
  }

  std::unique_ptr<Runnable> EverySecond() {
    auto calls = std::make_unique<Calls>("extractChannel");
    const int depth = MovedDepthOf(c_.src.type);
    const cv::Mat src = Matrix({1, 0, 0}, inner_, src_, CV_MAKETYPE(depth, 2), 0);
    const cv::Mat dst = Matrix({1, 0, 0}, inner_, dst_, depth, 0);
    calls->Add([src, dst]() mutable { cv::extractChannel(src, dst, 0); });
    return calls;
  }

  // Rows and columns of elements that are runs of `run`, in the last `used` loops.
  std::unique_ptr<Runnable> Transpose(int64_t run, size_t used) {
    const Loop down = loops_[loops_.size() - used], across = loops_[loops_.size() - used + 1];
    if (across.src < down.count * run || down.dst < across.count * run) return nullptr;
    const int depth = MovedDepthOf(c_.src.type);
    const bool merge = run == 1 && across.count <= 4 && down.dst == across.count;
    const bool split = run == 1 && down.count <= 4 && across.src == down.count;
    auto calls = std::make_unique<Calls>(merge ? "merge" : split ? "split" : "transpose");
    ForEach(loops_, loops_.size() - used, [&](int64_t i, int64_t o) {
      uint8_t* const src = src_ + i * src_size_;
      uint8_t* const dst = dst_ + o * dst_size_;
      if (merge) {
        Merge(calls.get(), Planes(src, depth, across, down, across.src),
              Row(dst, depth, across, down));
      } else if (split) {
        Split(calls.get(), Row(src, depth, down, across),
              Planes(dst, depth, down, across, down.dst));
      } else {
        const int type = CV_MAKETYPE(depth, static_cast<int>(run));
        const cv::Mat from = Matrix(across, down, src, type, across.src * src_size_);
        const cv::Mat to = Matrix(down, across, dst, type, down.dst * dst_size_);
        calls->Add([from, to]() mutable { cv::transpose(from, to); });
      }
    });
    return calls;
  }

  cv::Mat Row(uint8_t* at, int depth, const Loop& channels, const Loop& along) {
    return Matrix({1, 0, 0}, along, at, CV_MAKETYPE(depth, static_cast<int>(channels.count)), 0);
  }

  std::vector<cv::Mat> Planes(uint8_t* at, int depth, const Loop& channels, const Loop& along,
                              int64_t stride) {
    std::vector<cv::Mat> planes;
    for (int64_t i = 0; i < channels.count; ++i)
      planes.push_back(Matrix({1, 0, 0}, along, at + i * stride * src_size_, depth, 0));
    return planes;
  }

  static void Merge(Calls* calls, std::vector<cv::Mat> planes, const cv::Mat& row) {
    calls->Add([planes = std::move(planes), row]() mutable { cv::merge(planes, row); });
  }

  static void Split(Calls* calls, const cv::Mat& row, std::vector<cv::Mat> planes) {
    calls->Add([planes = std::move(planes), row]() mutable { cv::split(row, planes); });
  }

  const Case& c_;
  const Loops loops_;
  const Loop inner_, outer_;
  uint8_t* const src_;
  uint8_t* const dst_;
  const int64_t src_size_, dst_size_;
};

}  // namespace

PeerInfo InitializePeer(int threads, const std::string&) {
  cv::setNumThreads(threads);
  PeerInfo info;
  info.name = "OpenCV";
  info.version = CV_VERSION;
  info.instructions = cv::checkHardwareSupport(CV_CPU_AVX512_SKX) ? "AVX512"
                      : cv::checkHardwareSupport(CV_CPU_AVX2)     ? "AVX2"
                                                                  : "SSE4";
  return info;
}

std::unique_ptr<Runnable> MakePeer(const Case& c, void* src, void* dst) {
  try {
    return Builder(c, src, dst).Build();
  } catch (const cv::Exception&) {
    return nullptr;
  }
}

}  // namespace bench
