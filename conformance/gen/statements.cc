#include "conformance/gen/statements.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>

namespace conformance {
namespace {

constexpr int64_t kMostElements = 512;
constexpr int64_t kMostBytes = int64_t{1} << 22;
constexpr size_t kColumns = 96;

// `items` between braces, broken into lines.
std::string Listed(const std::vector<std::string>& items) {
  std::string text = "{", line;
  for (size_t i = 0; i < items.size(); ++i) {
    const std::string item = items[i] + (i + 1 < items.size() ? "," : "");
    if (line.size() + item.size() + 1 > kColumns) {
      text += (text.size() == 1 ? "" : "\n      ") + line;
      line.clear();
    }
    line += (line.empty() ? "" : " ") + item;
  }
  return text + (text.size() == 1 ? "" : "\n      ") + line + "}";
}

std::string BitsArray(const char* name, const std::vector<spec::Bits>& values) {
  std::vector<std::string> items;
  for (spec::Bits bits : values) {
    char text[16];
    std::snprintf(text, sizeof(text), "0x%x", static_cast<unsigned>(bits));
    items.push_back(text);
  }
  return std::string("  static const uint32_t ") + name + "[] = " + Listed(items) + ";\n";
}

std::string Array(const char* name, const std::vector<int64_t>& values) {
  std::vector<std::string> items;
  for (int64_t value : values) items.push_back(std::to_string(value));
  return std::string("  static const int64_t ") + name + "[] = " + Listed(items) + ";\n";
}

// Bytes of a buffer for `tensor`: a region's is its parent's.
int64_t BytesFor(const TensorSpec& tensor) {
  TensorSpec whole = tensor;
  if (tensor.layout.is_region()) {
    whole.dims = tensor.layout.parents.back().dims;
    whole.layout.parents.clear();
  }
  return std::max(spec::SizeInBytes(PlainOf(whole), spec::BytesOf(tensor.type)),
                  spec::LeastSizeInBytes(PlainOf(tensor), spec::BytesOf(tensor.type)));
}

bool IsWritable(const TensorSpec& tensor, const Placement& placement) {
  const spec::Plain plain = PlainOf(tensor);
  // Where a stride is 0, elements share their place.
  for (size_t i = 0; i < plain.dims.size(); ++i)
    if (plain.strides[i] == 0 && plain.dims[i] > 1) return false;
  return placement.edge == Placement::Edge::kMiddle && BytesFor(tensor) <= kMostBytes;
}

// "alignas(64) static unsigned char src_bytes[12 + 64];", and a pointer to its data.
std::string BufferText(const std::string& name, const TensorSpec& tensor,
                       const Placement& placement) {
  const int64_t shift = placement.shift * spec::BytesOf(tensor.type);
  return "  alignas(64) static unsigned char " + name + "_bytes[" +
         std::to_string(BytesFor(tensor) + shift) + " + 128];\n" + "  std::memset(" + name +
         "_bytes, 0xa5, sizeof(" + name + "_bytes));\n" + "  unsigned char* const " + name +
         "_data = " + name + "_bytes + 64" + (shift == 0 ? "" : " + " + std::to_string(shift)) +
         ";\n";
}

std::string Wide(const TensorSpec& tensor) { return std::to_string(spec::BytesOf(tensor.type)); }

}  // namespace

std::string Braced(const std::vector<int64_t>& values) {
  std::string text;
  for (int64_t value : values) text += (text.empty() ? "" : ", ") + std::to_string(value);
  return "{" + text + "}";
}

std::string FloatLiteral(float value) {
  char text[40];
  if (std::isnan(value)) return "std::nanf(\"\")";
  if (std::isinf(value)) return value > 0 ? "HUGE_VALF" : "-HUGE_VALF";
  std::snprintf(text, sizeof(text), "%af", static_cast<double>(value));
  return text;
}

std::string DescExpression(const TensorSpec& tensor) {
  const LayoutSpec& layout = tensor.layout;
  const spec::Dims& base = layout.is_region() ? layout.parents.back().dims : tensor.dims;
  std::string text = "memory::desc(memory::dims" + Braced(base) +
                     ", memory::data_type::" + spec::NameOf(tensor.type) + ", ";
  text += layout.tag.empty() ? "memory::dims" + Braced(layout.strides) + ")"
                             : "memory::format_tag::" + layout.tag + ")";
  for (size_t i = layout.parents.size(); i-- > 0;) {
    const spec::Dims& inner = i == 0 ? tensor.dims : layout.parents[i - 1].dims;
    text += ".submemory_desc(" + Braced(inner) + ", " + Braced(layout.parents[i].offsets) + ")";
  }
  return text;
}

std::optional<int64_t> NumberOfElement(std::string_view where, const spec::Dims& dims) {
  const size_t open = where.find('['), close = where.find(']');
  if (open == std::string_view::npos || close == std::string_view::npos || close < open)
    return std::nullopt;
  const std::string inside(where.substr(open + 1, close - open - 1));
  spec::Dims x;
  for (const char* at = inside.c_str(); *at != '\0';) {
    char* end = nullptr;
    x.push_back(std::strtoll(at, &end, 10));
    if (end == at || (*end != '\0' && *end != ',')) return std::nullopt;
    at = *end == ',' ? end + 1 : end;
  }
  if (x.size() != dims.size()) return std::nullopt;
  for (size_t i = 0; i < x.size(); ++i)
    if (x[i] < 0 || x[i] >= dims[i]) return std::nullopt;
  return spec::Ravel(x, dims);
}

std::string StatementsOf(const ExecutionText& execution) {
  const TensorSpec& src = execution.src;
  const TensorSpec& dst = execution.dst;
  const int64_t count = spec::ElementCount(dst.dims);
  if (count == 0 || count > kMostElements || !IsWritable(src, execution.from) ||
      !IsWritable(dst, execution.to))
    return "";
  std::vector<int64_t> exact;
  for (bool value : execution.exact) exact.push_back(value ? 1 : 0);
  std::string text = "  using dnnl::memory;\n";
  text += "  const memory::desc src = " + DescExpression(src) + ";\n";
  text += "  const memory::desc dst = " + DescExpression(dst) + ";\n\n";
  text +=
      "  // Elements in row-major order, by their bits: of the source, of the destination before\n"
      "  // and after, and where each lies.\n";
  text += BitsArray("source", execution.source) + BitsArray("before", execution.before) +
          BitsArray("after", execution.after);
  text += Array("src_at", OffsetsOf(PlainOf(src))) + Array("dst_at", OffsetsOf(PlainOf(dst)));
  const bool all = std::find(exact.begin(), exact.end(), 0) == exact.end();
  if (!all)
    text += "  // Where the documents leave the result open, it is not compared.\n" +
            Array("compared", exact);
  text += "\n" + BufferText("src", src, execution.from) + BufferText("dst", dst, execution.to);
  const std::string n = std::to_string(count);
  text += "  for (int k = 0; k < " + n + "; ++k) {\n";
  text +=
      "    std::memcpy(src_data + src_at[k] * " + Wide(src) + ", &source[k], " + Wide(src) + ");\n";
  text += "    std::memcpy(dst_data + dst_at[k] * " + Wide(dst) + ", &before[k], " + Wide(dst) +
          ");\n  }\n\n";
  text +=
      "  const dnnl::engine engine(dnnl::engine::kind::cpu, 0);\n"
      "  dnnl::stream stream(engine);\n"
      "  memory src_memory(src, engine, src_data), dst_memory(dst, engine, dst_data);\n";
  text += execution.calls + "  stream.wait();\n\n";
  text += "  int wrong = 0;\n  for (int k = 0; k < " + n + "; ++k) {\n    uint32_t got = 0;\n" +
          "    std::memcpy(&got, dst_data + dst_at[k] * " + Wide(dst) + ", " + Wide(dst) + ");\n";
  text += std::string("    if (") + (all ? "" : "compared[k] == 0 || ") +
          "got == after[k]) continue;\n";
  text +=
      "    if (wrong++ < 10)\n"
      "      std::printf(\"element %d: expected 0x%x, got 0x%x\\n\", k, after[k], got);\n"
      "  }\n";
  text += "  std::printf(\"%d of " + n + " elements are wrong\\n\", wrong);\n";
  text += "  return wrong > 0 ? 1 : 0;\n";
  return text;
}

}  // namespace conformance
