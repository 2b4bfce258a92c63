"""implementation_table: a cc_library that lists implementations for api to run on."""

load("@rules_cc//cc:defs.bzl", "cc_library")

def _source_impl(ctx):
    out = ctx.actions.declare_file(ctx.attr.name + ".cc")
    lines = ["// Written by the build: the implementations of one table, in order.", '#include "api/spi/implementation.h"', ""]
    for namespace in ctx.attr.namespaces:
        lines.append("namespace %s {\nspi::Implementation& GetImplementation();\n}" % namespace)
    lines += [
        "",
        "namespace spi {",
        "",
        "const std::vector<Implementation*>& Implementations() {",
        "  static const std::vector<Implementation*>* const table = [] {",
        "    if (const ImplementationGetter chosen = ChosenAtRunTime())",
        "      return new std::vector<Implementation*>{&chosen()};",
        "    return new std::vector<Implementation*>{",
    ]
    for namespace in ctx.attr.namespaces:
        lines.append("        &%s::GetImplementation()," % namespace)
    lines += ["    };", "  }();", "  return *table;", "}", "", "}  // namespace spi", ""]
    ctx.actions.write(out, "\n".join(lines))
    return [DefaultInfo(files = depset([out]))]

_source = rule(
    implementation = _source_impl,
    attrs = {"namespaces": attr.string_list()},
)

def implementation_table(name, implementations):
    """What //:implementation may point to.

    Args:
      name: the cc_library
      implementations: namespace -> label, best first. Each label is a cc_library that defines
        `spi::Implementation& NAMESPACE::GetImplementation()`.
    """
    _source(
        name = name + "_table",
        namespaces = implementations.keys(),
    )
    cc_library(
        name = name,
        srcs = [":" + name + "_table"],
        visibility = ["//visibility:public"],
        deps = implementations.values() + [str(Label("//api/spi"))],
        alwayslink = True,
    )
