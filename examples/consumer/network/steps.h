// A network as a list of primitives, which is built once and run often, on one engine.
//
// With Layouts::kAny every tensor of a convolution is left to the library (format_tag::any); what
// comes from elsewhere in another layout goes through a reorder, as oneDNN's guide has it in
// "Memory Format Propagation". With Layouts::kPlain all are row-major: nchw, oihw, goihw.
#ifndef NETWORK_STEPS_H_
#define NETWORK_STEPS_H_

#include <string>
#include <unordered_map>
#include <vector>

#include "network/plain.h"
#include "oneapi/dnnl/dnnl.hpp"

namespace network {

using dnnl::memory;

enum class Layouts { kAny, kPlain };

// A tensor, or a region of one: primitives of `desc` take the parent's memory.
struct View {
  memory buffer;
  memory::desc desc;

  View Channels(memory::dim begin, memory::dim end) const;
};

// The layout as a format tag in letters: acdb is nhwc, aBcd16b has blocks of 16 channels. A region
// is a part of a tensor, with gaps.
std::string FormatName(const memory::desc& desc);

class Steps {
 public:
  // Shows the layouts of each edge on standard output if `verbose`.
  Steps(const dnnl::engine& engine, Layouts layouts, bool verbose);

  const dnnl::engine& engine() const { return engine_; }

  // What a convolution is created with, for a tensor of these dims.
  memory::desc Open(const memory::dims& dims) const;

  View New(const memory::desc& desc) const;

  // Copies now, and waits. `Put` stores the tensor in the layout of `desc`.
  View Put(const plain::Tensor& tensor, const memory::desc& desc);
  plain::Tensor Get(const View& view);

  // Adds steps. `As` is `from` itself where it has the layout `wanted` already; `name` is what it
  // is to the layer.
  void Add(const dnnl::primitive& primitive, const std::unordered_map<int, memory>& arguments);
  View As(const std::string& name, const View& from, const memory::desc& wanted);
  void Reorder(const View& from, const View& to);
  void Accumulate(const View& from, const View& to, float scale);  // to += scale * from

  // One line for a layer: edges that `As` and `Show` named since the last one, and
  // `implementation`.
  void Show(const std::string& name, const memory::desc& desc);
  void EndLayer(const std::string& layer, const char* implementation);

  void Run();
  double MedianMilliseconds(int runs);

 private:
  struct Step {
    dnnl::primitive primitive;
    std::unordered_map<int, memory> arguments;
  };

  void Edge(const std::string& name, const memory::desc& from, const memory::desc& to);

  dnnl::engine engine_, host_;  // one, on the CPU: a stream serves its own engine only
  dnnl::stream stream_;
  Layouts layouts_;
  bool verbose_;
  std::string edges_;
  std::vector<Step> steps_;
};

// Row-major f32 of 1 to 5 dims.
memory::desc RowMajor(const memory::dims& dims);

// CPU, and the GPU if there is one.
std::vector<dnnl::engine> Engines();
const char* Name(const dnnl::engine& engine);

}  // namespace network

#endif  // NETWORK_STEPS_H_
