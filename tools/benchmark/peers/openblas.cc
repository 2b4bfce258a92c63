// OpenBLAS: copies, transpositions of matrices and sums of floats. Other types of four bytes that
// are only moved pass for floats.

#include <cblas-openblas.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "tools/benchmark/cases.h"
#include "tools/benchmark/peers/loops.h"
#include "tools/benchmark/peers/peer.h"
#include "tools/benchmark/subject.h"

namespace bench {
namespace {

// One function for all matrices of the case, which are listed beforehand.
class Calls : public Runnable {
 public:
  enum class Of { kCopy, kAdd, kScale, kRows, kTranspose };

  Calls(const Case& c, const Loops& loops, Of of, void* src, void* dst)
      : of_(of), alpha_(c.scale_mask == 0 ? 0.25f : 1), beta_(c.beta) {
    const bool matrix = of == Of::kRows || of == Of::kTranspose;
    inner_ = loops.back();
    if (matrix) outer_ = loops[loops.size() - 2];
    auto* const from = static_cast<float*>(src);
    auto* const to = static_cast<float*>(dst);
    ForEach(loops, loops.size() - (matrix ? 2 : 1),
            [&](int64_t i, int64_t o) { places_.emplace_back(from + i, to + o); });
  }

  void Run() override {
    for (const auto& [src, dst] : places_) RunAt(src, dst);
  }

  std::string Info() override {
    switch (of_) {
      case Of::kCopy:
        return "scopy";
      case Of::kAdd:
        return "saxpy";
      case Of::kScale:
        return "saxpby";
      default:
        return "somatcopy";
    }
  }

 private:
  void RunAt(const float* src, float* dst) const {
    const auto count = static_cast<blasint>(inner_.count);
    const auto from = static_cast<blasint>(inner_.src), to = static_cast<blasint>(inner_.dst);
    switch (of_) {
      case Of::kCopy:
        return cblas_scopy(count, src, from, dst, to);
      case Of::kAdd:
        return cblas_saxpy(count, alpha_, src, from, dst, to);
      case Of::kScale:
        return cblas_saxpby(count, alpha_, src, from, beta_, dst, to);
      case Of::kRows:
        return cblas_somatcopy(CblasRowMajor, CblasNoTrans, static_cast<blasint>(outer_.count),
                               count, alpha_, src, static_cast<blasint>(outer_.src), dst,
                               static_cast<blasint>(outer_.dst));
      case Of::kTranspose:
        return cblas_somatcopy(CblasRowMajor, CblasTrans, count, static_cast<blasint>(outer_.count),
                               alpha_, src, from, dst, static_cast<blasint>(outer_.dst));
    }
  }

  const Of of_;
  const float alpha_, beta_;
  Loop outer_ = {}, inner_ = {};
  std::vector<std::pair<const float*, float*>> places_;
};

}  // namespace

PeerInfo InitializePeer(int threads, const std::string&) {
  openblas_set_num_threads(threads);
  const std::string core = openblas_get_corename();
  PeerInfo info;
  info.name = "OpenBLAS";
  // "OpenBLAS 0.3.21 NO_LAPACK ..."
  std::string version = openblas_get_config();
  version.erase(0, version.find(' ') + 1);
  info.version = version.substr(0, version.find(' '));
  for (const char* known : {"Haswell", "Zen", "Excavator"})
    if (core == known) info.instructions = "AVX2";
  for (const char* known : {"SkylakeX", "Cooperlake", "SapphireRapids"})
    if (core == known) info.instructions = "AVX512";
  for (const char* known : {"Prescott", "Core2", "Penryn", "Nehalem", "Barcelona"})
    if (core == known) info.instructions = "SSE4";
  return info;
}

std::unique_ptr<Runnable> MakePeer(const Case& c, void* src, void* dst) {
  const bool arithmetic = c.scale_mask >= 0 || c.sum;
  if (c.src.type != c.dst.type || SizeOf(c.src.type) != 4) return nullptr;
  if (arithmetic && c.src.type != "f32") return nullptr;
  if (c.scale_mask > 0 || c.src_zero != 0 || c.dst_zero != 0) return nullptr;
  const Loops loops = LoopsOf(c);
  const Loop& inner = loops.back();
  using Of = Calls::Of;
  const auto make = [&](Of of) { return std::make_unique<Calls>(c, loops, of, src, dst); };
  if (c.sum && inner.src == 1 && inner.dst == 1) return make(c.beta == 1 ? Of::kAdd : Of::kScale);
  if (c.sum) return nullptr;
  if (loops.size() > 1) {
    const Loop& outer = loops[loops.size() - 2];
    if (inner.src == 1 && inner.dst == 1 && outer.src >= inner.count) return make(Of::kRows);
    if (outer.src == 1 && inner.dst == 1 && inner.src >= outer.count) return make(Of::kTranspose);
  }
  if (inner.src == 0) return nullptr;
  return make(arithmetic ? Of::kScale : Of::kCopy);
}

}  // namespace bench
