"""operations: writes from topics.bzl what lists every primitive."""

def _camel_case(topic):
    return "".join([word.capitalize() for word in topic.split("_")])

def _params_impl(ctx):
    out = ctx.actions.declare_file("params.h")
    lines = [
        "// Written by the build from topics.bzl: the parameters of every primitive.",
        "#ifndef DNNSPEC_API_SPI_PARAMS_H_",
        "#define DNNSPEC_API_SPI_PARAMS_H_",
        "",
        "#include <variant>",
        "",
    ]
    for topic in ctx.attr.primitives:
        lines.append('#include "api/%s/params.h"' % topic)
    names = [_camel_case(t) + "Params" for t in ctx.attr.primitives]
    lines += [
        "",
        "namespace spi {",
        "",
        "using Params = std::variant<%s>;" % ", ".join(names),
        "",
        "}  // namespace spi",
        "",
        "#endif  // DNNSPEC_API_SPI_PARAMS_H_",
        "",
    ]
    ctx.actions.write(out, "\n".join(lines))
    return [DefaultInfo(files = depset([out]))]

params_header = rule(
    implementation = _params_impl,
    attrs = {"primitives": attr.string_list(mandatory = True)},
)

def _signatures_impl(ctx):
    header = ctx.actions.declare_file("operations.h")
    names = ["k%sSignature" % _camel_case(t) for t in ctx.attr.primitives]
    includes = ['#include "api/%s/operation.h"' % topic for topic in ctx.attr.primitives]
    ctx.actions.write(header, "\n".join([
        "// Written by the build from topics.bzl: what the operation of each primitive says.",
        "#ifndef DNNSPEC_API_SPI_OPERATIONS_H_",
        "#define DNNSPEC_API_SPI_OPERATIONS_H_",
        "",
    ] + includes + [
        "",
        "#endif  // DNNSPEC_API_SPI_OPERATIONS_H_",
        "",
    ]))
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

def _planners_impl(ctx):
    folder = ctx.label.package
    out = ctx.actions.declare_file(ctx.label.name + ".h")
    guard = "DNNSPEC_%s_%s_H_" % (folder.upper(), ctx.label.name.upper())
    names = ["Plan" + _camel_case(topic) for topic in ctx.attr.primitives]
    lines = [
        "// Written by the build from topics.bzl: the planner of every primitive.",
        "#ifndef " + guard,
        "#define " + guard,
        "",
        "#include <array>",
        "",
    ]
    lines += ['#include "%s/%s/plan.h"' % (folder, topic) for topic in ctx.attr.primitives]
    lines += [
        "",
        "namespace %s {" % folder,
        "",
        "// By the index of an operation's parameters.",
        "inline constexpr std::array kPlanners = {%s};" % ", ".join(names),
        "",
        "}  // namespace " + folder,
        "",
        "#endif  // " + guard,
        "",
    ]
    ctx.actions.write(out, "\n".join(lines))
    return [DefaultInfo(files = depset([out]))]

# NAME.h of an implementation's folder: kPlanners, the PlanShuffle of shuffle/plan.h and so on, in the
# namespace that is called like the folder.
planner_table = rule(
    implementation = _planners_impl,
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
