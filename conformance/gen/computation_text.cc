#include "conformance/gen/computation_text.h"

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "conformance/gen/shapes.h"
#include "conformance/gen/statements.h"
#include "spec/numeric/convert.h"

namespace conformance {
namespace {

constexpr int64_t kMostElements = 512;

// In the program: puts words to places, which are one behind the other where there are none, or
// takes them from there.
constexpr char kMove[] =
    R"(  const auto move = [](unsigned char* data, const std::vector<int64_t>& places, size_t bytes,
                       std::vector<uint32_t>* words, bool store) {
    for (size_t k = 0; k < words->size(); ++k) {
      unsigned char* const at = data + (places.empty() ? k : places[k]) * bytes;
      if (store) std::memcpy(at, &(*words)[k], bytes);
      if (!store) std::memcpy(&(*words)[k], at, bytes);
    }
  };
)";

std::string ArgumentName(const std::string& tensor) {
  std::string name = "DNNL_ARG_";
  for (const char c : tensor) name += c == '_' ? c : static_cast<char>(c - 'a' + 'A');
  return name;
}

std::string Words(const std::vector<spec::Bits>& elements) {
  std::string text;
  for (const spec::Bits bits : elements)
    text += (text.empty() ? "" : ", ") + std::to_string(bits) + "u";
  return "{" + text + "}";
}

// One tensor of the program, by the name that arguments have.
class Text {
 public:
  Text(const Computation& c, Role role)
      : name_(c.NameOf(role)), use_(c.uses[role]), dims_(c.DimsOf(role)) {}

  const std::string& name() const { return name_; }
  std::string Bytes() const { return std::to_string(spec::BytesOf(use_.type)); }

  std::string Descriptor() const {
    const std::string type = spec::NameOf(use_.type);
    const std::string given = use_.any ? "memory::desc(memory::dims" + Braced(dims_) +
                                             ", memory::data_type::" + type +
                                             ", memory::format_tag::any)"
                                       : DescExpression({use_.type, dims_, use_.layout});
    return "  const memory::desc " + name_ + " = " + given + ";\n";
  }

  // Memory, and `words` in it.
  std::string Filled(const std::vector<spec::Bits>& words) const {
    const std::string of = name_ + "_";
    std::string text = "  std::vector<uint32_t> " + of + "words = " + Words(words) + ";\n";
    if (use_.any)
      return text + "  memory " + of + "memory(pd." + name_ + "_desc(), engine);\n" +
             Reordered(true);
    const spec::Plain plain = PlainOf({use_.type, dims_, use_.layout});
    const int64_t shift = use_.at.shift * spec::BytesOf(use_.type);
    const int64_t bytes = spec::ExtentOf(plain) * spec::BytesOf(use_.type) + shift + 4096;
    text += "  alignas(64) static unsigned char " + of + "bytes[" + std::to_string(bytes) + "];\n";
    text += "  unsigned char* const " + of + "data = " + of + "bytes + 2048 + " +
            std::to_string(shift) + ";\n";
    text += "  const std::vector<int64_t> " + of + "at = " + Braced(OffsetsOf(plain)) + ";\n";
    text += "  memory " + of + "memory(" + name_ + ", engine, " + of + "data);\n";
    return text + "  move(" + of + "data, " + of + "at, " + Bytes() + ", &" + of +
           "words, true);\n";
  }

  // The words that are there now.
  std::string Read() const {
    if (use_.any) return Reordered(false);
    const std::string of = name_ + "_";
    return "  move(" + of + "data, " + of + "at, " + Bytes() + ", &" + of + "words, false);\n";
  }

 private:
  // Through a row-major memory.
  std::string Reordered(bool store) const {
    const std::string of = name_ + "_", whole = DescExpression({use_.type, dims_, RowMajor(dims_)});
    const std::string moved = "    move(static_cast<unsigned char*>(rows.get_data_handle()), {}, " +
                              Bytes() + ", &" + of + "words, " + (store ? "true" : "false") +
                              ");\n";
    const std::string from = store ? "rows" : of + "memory", to = store ? of + "memory" : "rows";
    const std::string copied = "    dnnl::reorder(" + from + ", " + to + ").execute(stream, " +
                               from + ", " + to + ");\n    stream.wait();\n";
    return "  {\n    memory rows(" + whole + ", engine);\n" +
           (store ? moved + copied : copied + moved) + "  }\n";
  }

  std::string name_;
  TensorUse use_;
  spec::Dims dims_;
};

std::string AttributeText(const Computation& c) {
  std::string text = "  dnnl::primitive_attr attr;\n";
  if (c.attributes.scales != FusedAttributes::kNone) {
    std::string scales;
    for (const float scale : ScaleValues(c.attributes, c.channels(), c.seed))
      scales += (scales.empty() ? "" : ", ") + FloatLiteral(scale);
    text += std::string("  attr.set_output_scales(") +
            (c.attributes.scales == FusedAttributes::kCommon ? "0" : "1 << 1") + ", {" + scales +
            "});\n";
  }
  if (c.attributes.post_ops.empty()) return text;
  text += "  dnnl::post_ops ops;\n";
  for (const PostOp& op : c.attributes.post_ops) {
    const std::string scale = FloatLiteral(op.scale);
    text += op.kind == PostOp::kSum
                ? "  ops.append_sum(" + scale + ");\n"
                : "  ops.append_eltwise(" + scale + ", dnnl::algorithm::eltwise_" +
                      NameOf(op.kind) + ", " + FloatLiteral(op.alpha) + ", " +
                      FloatLiteral(op.beta) + ");\n";
  }
  return text + "  attr.set_post_ops(ops);\n";
}

// `pd`, and for a backward the forward of its hint.
std::string MakingText(const Computation& c, const ComputationText& given) {
  const char* const classes[] = {"forward", "backward_data", "backward_weights"};
  const std::string primitive = "dnnl::" + given.primitive + "_";
  const std::string name = primitive + classes[static_cast<int>(c.direction)];
  std::string arguments, any;
  for (const Role role : kRoles) {
    if (!c.Has(role)) continue;
    arguments += (arguments.empty() ? "" : ", ") + c.NameOf(role);
    if (role == kBias) continue;
    const spec::Type type = c.uses[c.direction == Direction::kBackwardData ? kWeights : kSrc].type;
    any += std::string(any.empty() ? "" : ",\n       ") + "memory::desc(memory::dims" +
           Braced(c.DimsOf(role)) + ", memory::data_type::" + spec::NameOf(type) +
           ", memory::format_tag::any)";
  }
  arguments = given.before + arguments + given.behind;
  if (c.forward())
    return "  const " + name + "::primitive_desc pd(\n      {dnnl::prop_kind::forward_training, " +
           arguments + "}, attr, engine);\n";
  return "  const " + primitive + "forward::primitive_desc hint(\n" +
         "      {dnnl::prop_kind::forward_training,\n       " + given.before + any + given.behind +
         "},\n      engine);\n  const " + name + "::primitive_desc pd({" + arguments +
         "}, attr, engine, hint);\n";
}

// What must be in each element, and whether it is one word.
struct Wanted {
  std::vector<spec::Bits> words;
  std::vector<int64_t> compared;
};

Wanted WantedOf(const Computation& c, Role role, const std::vector<ExpectedElement>& expected) {
  Wanted wanted;
  for (const ExpectedElement& element : expected) {
    const double value = element.approx.value;
    const bool exact = element.approx.error == 0 && value == value &&
                       !(element.exact_integer && (value > 0x1p24 || value < -0x1p24));
    wanted.compared.push_back(exact ? 1 : 0);
    wanted.words.push_back(spec::Convert(c.uses[role].type, static_cast<float>(value)));
  }
  return wanted;
}

// The output that `where` names an element of, and its number.
std::optional<std::pair<Role, size_t>> ElementAt(const Computation& c, std::string_view where) {
  for (const Role role : kRoles) {
    if (!c.Has(role) || !c.Writes(role)) continue;
    const auto number = NumberOfElement(where, c.DimsOf(role));
    if (number &&
        where == c.NameOf(role) + "[" + Join(spec::Unravel(*number, c.DimsOf(role)), ',') + "]")
      return std::pair(role, static_cast<size_t>(*number));
  }
  return std::nullopt;
}

bool IsWritable(const Computation& c) {
  for (const Role role : kRoles) {
    if (!c.Has(role)) continue;
    const TensorUse& use = c.uses[role];
    if (use.at.edge != Placement::Edge::kMiddle) return false;
    if (spec::ElementCount(c.DimsOf(role)) > kMostElements) return false;
    if (use.any) continue;
    const spec::Plain plain = PlainOf(c.TensorOf(role));
    if (spec::ExtentOf(plain) > 1 << 20) return false;
    for (size_t j = 0; j < plain.dims.size(); ++j)
      if (plain.strides[j] == 0 && plain.dims[j] > 1) return false;
  }
  return !c.attributes.run_time;
}

}  // namespace

std::string StatementsOf(const Computation& c, const ComputationText& given, std::string_view where,
                         std::string_view expected) {
  const auto element = ElementAt(c, where);
  if (!element || !IsWritable(c)) return "";
  const ComputedData data = DataOf(c);
  const auto [role, number] = *element;
  const Wanted wanted = WantedOf(c, role, given.expect(role, data));
  const spec::Type type = c.uses[role].type;
  if (wanted.compared[number] == 0 || spec::ToString(type, wanted.words[number]) != expected)
    return "";
  std::string text = "  using dnnl::memory;\n" + std::string(kMove);
  text +=
      "  const dnnl::engine engine(dnnl::engine::kind::cpu, 0);\n"
      "  dnnl::stream stream(engine);\n";
  std::string memories, arguments;
  for (const Role one : kRoles) {
    if (!c.Has(one)) continue;
    const Text tensor(c, one);
    text += tensor.Descriptor();
    memories += tensor.Filled(data[one]);
    arguments += (arguments.empty() ? "{" : ",\n                {") + ArgumentName(tensor.name()) +
                 ", " + tensor.name() + "_memory}";
  }
  const Text output(c, role);
  const char* const classes[] = {"forward", "backward_data", "backward_weights"};
  text += AttributeText(c) + MakingText(c, given) +
          "  // Elements in row-major order, by their bits, and where each lies.\n" + memories +
          "  dnnl::" + given.primitive + "_" + classes[static_cast<int>(c.direction)] +
          "(pd).execute(\n      stream, {" + arguments + "});\n  stream.wait();\n" + output.Read();
  text += "  const std::vector<uint32_t> after = " + Words(wanted.words) +
          ";\n  // Where the result is not exact, it is not compared here.\n"
          "  const std::vector<int64_t> compared = " +
          Braced(wanted.compared) + ";\n";
  const std::string of = output.name() + "_words";
  // Either sign of zero is right.
  const std::string sign =
      std::to_string(spec::IsFloat(type) ? 1u << (8 * spec::BytesOf(type) - 1) : 0u);
  text +=
      "  int wrong = 0;\n  for (size_t k = 0; k < after.size(); ++k) {\n"
      "    if (compared[k] == 0 || " +
      of +
      "[k] == after[k]) continue;\n"
      "    if (((" +
      of + "[k] | after[k]) & ~" + sign +
      "u) == 0) continue;\n"
      "    if (wrong++ < 10)\n      std::printf(\"element %zu: expected 0x%x, got 0x%x\\n\", k, "
      "after[k], " +
      of +
      "[k]);\n  }\n"
      "  std::printf(\"%d of " +
      std::to_string(wanted.words.size()) +
      " elements are wrong\\n\", wrong);\n  return wrong > 0 ? 1 : 0;\n";
  return text;
}

}  // namespace conformance
