"""source_files: the sources of ours that some targets are made of."""

_Sources = provider(fields = ["files"])

def _collect_impl(_target, ctx):
    files, transitive = [], []
    for name in ["srcs", "hdrs", "textual_hdrs"]:
        files += [
            file
            for file in getattr(ctx.rule.files, name, [])
            if file.is_source and file.owner.workspace_name == ctx.label.workspace_name
        ]
    for name in ["deps", "actual"]:
        found = getattr(ctx.rule.attr, name, None) or []
        for dep in found if type(found) == type([]) else [found]:
            if _Sources in dep:
                transitive.append(dep[_Sources].files)
    return [_Sources(files = depset(files, transitive = transitive))]

_collect = aspect(
    implementation = _collect_impl,
    attr_aspects = ["deps", "actual"],
)

def _source_files_impl(ctx):
    files = depset(transitive = [target[_Sources].files for target in ctx.attr.targets])
    out = ctx.actions.declare_file(ctx.attr.name)
    ours = [file for file in files.to_list() if file.owner.workspace_name == ctx.label.workspace_name]
    ctx.actions.write(out, "".join(sorted([file.short_path + "\n" for file in ours])))
    return [DefaultInfo(files = depset([out]), runfiles = ctx.runfiles(files = [out] + ours))]

# A file of paths, one a line; the files themselves are among its runfiles.
source_files = rule(
    implementation = _source_files_impl,
    attrs = {"targets": attr.label_list(aspects = [_collect], mandatory = True)},
)
