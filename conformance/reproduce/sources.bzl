"""program_sources: the sources behind a runner, as text that it can hand on."""

load("@rules_cc//cc:defs.bzl", "cc_library")

_Sources = provider(
    doc = "Source files of a library and of what it depends on.",
    fields = {"files": "depset of files"},
)

# What programs are made of: the suite's own folders, wherever the repository lies.
_FOLDERS = ("conformance/", "spec/")

# Written into a program anew, with the requirements that it names.
_LEFT_OUT = ("spec/requirement_data.cc", "spec/requirement_ids.inc", "spec/requirements.cc")

def _path(file):
    path = file.short_path
    if path.startswith("../"):
        path = path.split("/", 2)[2]
    return path

def _collect_impl(target, ctx):
    _ = target  # @unused
    files = []
    for attribute in ("srcs", "hdrs"):
        for source in getattr(ctx.rule.attr, attribute, []):
            files += [
                file
                for file in source.files.to_list()
                if file.extension in ("cc", "h", "inc") and _path(file) not in _LEFT_OUT and
                   _path(file).startswith(_FOLDERS)
            ]
    return [_Sources(files = depset(files, transitive = [
        dep[_Sources].files
        for dep in getattr(ctx.rule.attr, "deps", [])
        if _Sources in dep
    ]))]

_collect = aspect(implementation = _collect_impl, attr_aspects = ["deps"])

def _embedded_impl(ctx):
    files = {}
    for library in ctx.attr.libraries:
        for file in library[_Sources].files.to_list():
            files[_path(file)] = file
    out = ctx.actions.declare_file(ctx.label.name + ".cc")
    arguments = ctx.actions.args()
    arguments.add(out)
    for path in sorted(files):
        arguments.add(path + "=" + files[path].path)
    arguments.use_param_file("@%s", use_always = True)
    arguments.set_param_file_format("multiline")
    ctx.actions.run(
        arguments = [arguments],
        executable = ctx.executable._embed,
        inputs = files.values(),
        mnemonic = "EmbedSources",
        outputs = [out],
    )
    return [DefaultInfo(files = depset([out]))]

_embedded = rule(
    implementation = _embedded_impl,
    attrs = {
        "libraries": attr.label_list(aspects = [_collect], mandatory = True),
        "_embed": attr.label(
            cfg = "host",
            default = Label("//conformance/reproduce:embed"),
            executable = True,
        ),
    },
)

def program_sources(name, libraries, tags = [], **kwargs):
    """A library that defines conformance::kSources: the suite's files behind `libraries`.

    Args:
      name: of the library
      libraries: cc_library targets
      tags: for all targets
      **kwargs: for all targets
    """
    _embedded(
        name = name + "_text",
        libraries = libraries,
        tags = tags,
        **kwargs
    )
    cc_library(
        name = name,
        srcs = [":%s_text" % name],
        tags = tags,
        deps = [str(Label("//conformance/reproduce:sources"))],
        # Used by the runner, which may stand behind it on the command line.
        alwayslink = True,
        **kwargs
    )
