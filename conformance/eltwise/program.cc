// A failure as calls with literal data: what the program is around them is conformance/reproduce.
#include <string>
#include <string_view>

#include "conformance/eltwise/cases.h"
#include "conformance/gen/statements.h"

namespace conformance {
namespace {

std::string AlgorithmText(const EltwiseCase& c, bool use_dst) {
  return std::string("dnnl::algorithm::eltwise_") + spec::NameOf(c.function.algorithm) +
         (use_dst ? "_use_dst_for_bwd" : "");
}

// The data tensor of a backward, which the execution has beside its source and destination.
std::string DataText(const EltwiseCase& c) {
  const spec::Plain plain = PlainOf(c.data);
  const std::string bytes = std::to_string(spec::BytesOf(c.data.type));
  std::string words;
  for (const spec::Bits bits : c.Source())
    words += (words.empty() ? "" : ", ") + std::to_string(bits) + "u";
  return "  const memory::desc data = " + DescExpression(c.data) +
         ";\n"
         "  alignas(64) static unsigned char data_bytes[" +
         std::to_string(spec::ExtentOf(plain) * spec::BytesOf(c.data.type) + 4096) +
         "];\n  unsigned char* const data_data = data_bytes + 64 + " +
         std::to_string(c.data_at.shift * spec::BytesOf(c.data.type)) +
         ";\n  static const uint32_t data_words[] = {" + words +
         "};\n  static const int64_t data_at[] = " + Braced(OffsetsOf(plain)) +
         ";\n  for (int k = 0; k < " + std::to_string(spec::ElementCount(c.data.dims)) +
         "; ++k)\n    std::memcpy(data_data + data_at[k] * " + bytes + ", &data_words[k], " +
         bytes + ");\n  memory data_memory(data, engine, data_data);\n";
}

std::string CallsText(const EltwiseCase& c) {
  const std::string parameters =
      FloatLiteral(c.function.alpha) + ", " + FloatLiteral(c.function.beta);
  const std::string forward =
      "  const dnnl::eltwise_forward::primitive_desc forward(\n"
      "      {dnnl::prop_kind::forward_training, " +
      AlgorithmText(c, false) + ", " + (c.forward() ? "src" : "data") + ", " + parameters +
      "}, engine);\n";
  if (c.forward())
    return forward +
           "  const dnnl::primitive eltwise = dnnl::eltwise_forward(forward);\n"
           "  eltwise.execute(stream, {{DNNL_ARG_SRC, src_memory}, {DNNL_ARG_DST, dst_memory}});\n";
  return DataText(c) + forward +
         "  const dnnl::eltwise_backward::primitive_desc backward(\n      {" +
         AlgorithmText(c, c.by_result()) + ", src, data, " + parameters +
         "}, engine, forward);\n"
         "  const dnnl::primitive eltwise = dnnl::eltwise_backward(backward);\n"
         "  eltwise.execute(stream, {{DNNL_ARG_" +
         (c.by_result() ? "DST" : "SRC") +
         ", data_memory},\n"
         "                           {DNNL_ARG_DIFF_DST, src_memory},\n"
         "                           {DNNL_ARG_DIFF_SRC, dst_memory}});\n";
}

// One word, and not a zero, which may have either sign.
bool IsOneWord(const spec::EltwiseResult& result) {
  return result.count == 1 && !result.nan && !result.integer &&
         result.ranges[0].low == result.ranges[0].high && result.ranges[0].low != 0;
}

}  // namespace

std::string EltwiseCase::Statements(Profile profile, std::string_view where,
                                    std::string_view expected) const {
  const std::string_view name = forward() ? "dst[" : "diff_src[";
  const auto number = NumberOfElement(where, data.dims);
  if (!number || where.substr(0, name.size()) != name || where.back() != ']') return "";
  if (!forward() && data_at.edge != Placement::Edge::kMiddle) return "";
  spec::EltwiseLimits limits;
  limits.tight = profile == Profile::kProject;
  if (limits.tight) limits.readings = spec::Strictness::kProject;
  const std::vector<spec::Bits> source = Source(), diff_dst = Gradient();
  ExecutionText execution{forward() ? data : Output(),
                          Output(),
                          forward() ? data_at : gradient_at,
                          output_at,
                          forward() ? source : diff_dst,
                          {},
                          {},
                          {},
                          CallsText(*this)};
  for (size_t k = 0; k < source.size(); ++k) {
    const spec::EltwiseResult result =
        ExpectedElement(*this, source[k], forward() ? 0 : diff_dst[k], limits);
    execution.exact.push_back(IsOneWord(result));
    execution.after.push_back(
        execution.exact.back() ? spec::Convert(data.type, result.ranges[0].low) : 0);
    execution.before.push_back(execution.source[k] ^ 0x55);
  }
  const auto at = static_cast<size_t>(*number);
  if (!execution.exact[at] || spec::ToString(data.type, execution.after[at]) != expected) return "";
  return StatementsOf(execution);
}

}  // namespace conformance
