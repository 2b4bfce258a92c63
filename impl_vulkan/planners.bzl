"""planners_source: the planners of all topics, in the order of topics.bzl."""

def _impl(ctx):
    out = ctx.actions.declare_file(ctx.attr.name + ".cc")
    names = ["Plan" + "".join([w.capitalize() for w in t.split("_")]) for t in ctx.attr.primitives]
    lines = ["// Written by the build from topics.bzl.", '#include "impl_vulkan/planners.h"', ""]
    lines += ['#include "impl_vulkan/%s/plan.h"' % topic for topic in ctx.attr.primitives]
    lines += [
        '#include "impl_vulkan/strided/program.h"',
        "",
        "namespace impl_vulkan {",
        "",
        "Planners AllPlanners() {",
        "  static constexpr Planner kTopics[] = {%s};" % ", ".join(names),
        "  return {kTopics, PlanTransfer, CopyBytes};",
        "}",
        "",
        "}  // namespace impl_vulkan",
        "",
    ]
    ctx.actions.write(out, "\n".join(lines))
    return [DefaultInfo(files = depset([out]))]

planners_source = rule(
    implementation = _impl,
    attrs = {"primitives": attr.string_list(mandatory = True)},
)
