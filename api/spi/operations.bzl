"""operations: writes from topics.bzl what lists every primitive."""

def _camel_case(topic):
    return "".join([word.capitalize() for word in topic.split("_")])

def _header(ctx, name, what, lines):
    """Writes NAME.h of the package.

    Args:
      ctx: of a rule
      name: without the end
      what: what it has, for its first line
      lines: between the guards
    Returns:
      the file
    """
    out = ctx.actions.declare_file(name + ".h")
    guard = "DNNSPEC_%s_%s_H_" % (ctx.label.package.upper().replace("/", "_"), name.upper())
    ctx.actions.write(out, "\n".join([
        "// Written by the build from topics.bzl: %s." % what,
        "#ifndef " + guard,
        "#define " + guard,
        "",
    ] + lines + [
        "",
        "#endif  // " + guard,
        "",
    ]))
    return out

def _params_impl(ctx):
    names = [_camel_case(t) + "Params" for t in ctx.attr.primitives]
    out = _header(ctx, "params", "the parameters of every primitive", [
        "#include <variant>",
        "",
    ] + ['#include "api/%s/params.h"' % topic for topic in ctx.attr.primitives] + [
        "",
        "namespace spi {",
        "",
        "using Params = std::variant<%s>;" % ", ".join(names),
        "",
        "}  // namespace spi",
    ])
    return [DefaultInfo(files = depset([out]))]

params_header = rule(
    implementation = _params_impl,
    attrs = {"primitives": attr.string_list(mandatory = True)},
)

def _signatures_impl(ctx):
    names = ["k%sSignature" % _camel_case(t) for t in ctx.attr.primitives]
    includes = ['#include "api/%s/operation.h"' % topic for topic in ctx.attr.primitives]
    header = _header(ctx, "operations", "what the operation of each primitive says", includes)
    source = ctx.actions.declare_file(ctx.attr.name + ".cc")
    ctx.actions.write(source, "\n".join([
        "// Written by the build from topics.bzl: the signature of every primitive.",
        '#include "api/spi/signatures.h"',
        "",
        "namespace spi {",
        "",
        "constexpr std::array<const Signature*, std::variant_size_v<Params>> kSignatures = {",
        "    %s};" % ", ".join(["&" + name for name in names]),
        "",
        "}  // namespace spi",
        "",
    ]))
    return [
        DefaultInfo(files = depset([source])),
        OutputGroupInfo(header = depset([header])),
    ]

signature_table = rule(
    implementation = _signatures_impl,
    attrs = {"primitives": attr.string_list(mandatory = True)},
)

def _functions(ctx, what, folder, header, namespace, table, prefix):
    """Writes NAME.h: an array of functions, one of each primitive.

    Args:
      ctx: of a rule
      what: what one of them is, for the first line
      folder: that the topics' folders are in
      header: that declares one, in the folder of a topic
      namespace: of the functions and of the array
      table: the array
      prefix: what a function's name begins with
    Returns:
      what the rule provides
    """
    names = [prefix + _camel_case(topic) for topic in ctx.attr.primitives]
    out = _header(ctx, ctx.label.name, what + " of every primitive", [
        "#include <array>",
        "",
    ] + ['#include "%s/%s/%s"' % (folder, topic, header) for topic in ctx.attr.primitives] + [
        "",
        "namespace %s {" % namespace,
        "",
        "// By the index of an operation's parameters.",
        "inline constexpr std::array %s = {%s};" % (table, ", ".join(names)),
        "",
        "}  // namespace " + namespace,
    ])
    return [DefaultInfo(files = depset([out]))]

def _planners_impl(ctx):
    folder = ctx.label.package
    return _functions(ctx, "the planner", folder, "plan.h", folder, "kPlanners", "Plan")

# NAME.h of an implementation's folder: kPlanners, the PlanShuffle of shuffle/plan.h and so on, in the
# namespace that is called like the folder.
planner_table = rule(
    implementation = _planners_impl,
    attrs = {"primitives": attr.string_list(mandatory = True)},
)

def _interpreters_impl(ctx):
    header = "testing/interpret.h"
    return _functions(ctx, "the interpreter", "api", header, "spi", "kInterpreters", "Interpret")

# NAME.h for //api/testing: spi::kInterpreters, the InterpretShuffle of shuffle/testing/interpret.h and
# so on.
interpreter_table = rule(
    implementation = _interpreters_impl,
    attrs = {"primitives": attr.string_list(mandatory = True)},
)

def _open_impl(ctx):
    what = "the operations that leave layouts open"
    return _functions(ctx, what, "api", "testing/open.h", "spi", "kOpen", "Open")

# NAME.h for //api/testing: spi::kOpen, the OpenShuffle of shuffle/testing/open.h and so on.
open_table = rule(
    implementation = _open_impl,
    attrs = {"primitives": attr.string_list(mandatory = True)},
)

def _operation_table_impl(ctx):
    source = ctx.actions.declare_file(ctx.attr.name + ".cc")
    names = ["k%sInC" % _camel_case(t) for t in ctx.attr.primitives]
    ctx.actions.write(source, "\n".join([
        "// Written by the build from topics.bzl: the primitives that C has operation descriptors for.",
        '#include "api/model/operation_in_c.h"',
        "",
        "namespace api {",
        "",
        "extern const OperationInC %s;" % ", ".join(names),
        "",
        "absl::Span<const OperationInC* const> OperationsInC() {",
        "  static constexpr const OperationInC* kAll[] = {%s};" % ", ".join(["&" + name for name in names]),
        "  return kAll;",
        "}",
        "",
        "}  // namespace api",
        "",
    ]))
    return [DefaultInfo(files = depset([source]))]

# NAME.cc for //api/c_api: api::OperationsInC(), of the kShuffleInC of shuffle/c_api.cc and so on.
operation_table = rule(
    implementation = _operation_table_impl,
    attrs = {"primitives": attr.string_list(mandatory = True)},
)
