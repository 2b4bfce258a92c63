"""operations_header: writes the closed set of operations from topics.bzl."""

def _impl(ctx):
    out = ctx.actions.declare_file(ctx.attr.name + ".h")
    lines = [
        "// Written by the build from topics.bzl: every operation that a primitive can ask for.",
        "#ifndef DNNSPEC_API_SPI_OPERATIONS_H_",
        "#define DNNSPEC_API_SPI_OPERATIONS_H_",
        "",
        "#include <variant>",
        "",
    ]
    for topic in ctx.attr.primitives:
        lines.append('#include "api/%s/operation.h"' % topic)
    names = [t[0].upper() + t[1:] + "Operation" for t in ctx.attr.primitives]
    lines += [
        "",
        "namespace spi {",
        "",
        "using Operation = std::variant<%s>;" % ", ".join(names),
        "",
        "}  // namespace spi",
        "",
        "#endif  // DNNSPEC_API_SPI_OPERATIONS_H_",
        "",
    ]
    ctx.actions.write(out, "\n".join(lines))
    return [DefaultInfo(files = depset([out]))]

operations_header = rule(
    implementation = _impl,
    attrs = {"primitives": attr.string_list(mandatory = True)},
)
