"""mutated_library: a copy of a cc_library of ours, and of all below it, with mutants compiled in."""

load("@rules_cc//cc:defs.bzl", "cc_library")

_Sources = provider(fields = {"files": "depset of struct(file, name, public)"})

def _public_name(attrs, package, file):
    """What the include_prefix of its target lets a header be included as, or None."""
    prefix = getattr(attrs, "include_prefix", "")
    strip = getattr(attrs, "strip_include_prefix", "")
    if not prefix and not strip:
        return None
    base = strip.lstrip("/") if strip.startswith("/") else "/".join([p for p in [package, strip] if p])
    path = file.short_path
    if base:
        if not path.startswith(base + "/"):
            return None
        path = path[len(base) + 1:]
    return prefix + "/" + path if prefix else path

def _sources_aspect_impl(target, ctx):
    attrs = ctx.rule.attr
    below = []
    for name in ["deps", "actual", "build_setting_default"]:
        value = getattr(attrs, name, None)
        for dep in (value if type(value) == "list" else [value]):
            if type(dep) == "Target" and _Sources in dep:
                below.append(dep[_Sources].files)
    own = []
    if ctx.rule.kind == "cc_library" and not ctx.label.workspace_root.startswith("external/"):
        for name in ["srcs", "hdrs", "textual_hdrs"]:
            for source in getattr(attrs, name, []):
                for file in source.files.to_list():
                    public = None if name == "srcs" else _public_name(attrs, ctx.label.package, file)
                    own.append(struct(file = file, name = file.short_path, public = public))
    return [_Sources(files = depset(own, transitive = below))]

_sources_aspect = aspect(
    implementation = _sources_aspect_impl,
    attr_aspects = ["deps", "actual", "build_setting_default"],
)

def _mutated_sources_impl(ctx):
    files, publics = {}, {}
    for entry in ctx.attr.library[_Sources].files.to_list():
        files[entry.name] = entry.file
        names = publics.setdefault(entry.name, [])
        if entry.public and entry.public not in names:
            names.append(entry.public)
    table = ctx.actions.declare_file(ctx.attr.name + "/table.cc")
    args = ctx.actions.args()
    args.add("--table=" + table.path)
    for mutants in ctx.files.mutants:
        args.add("--mutants=" + mutants.path)
    inputs, copies, public = [], [], []
    for name in sorted(files):
        inputs.append(files[name])
        if not publics[name]:
            copy = ctx.actions.declare_file(ctx.attr.name + "/" + name)
            copies.append(copy)
            args.add("%s=%s=%s" % (files[name].path, name, copy.path))

        # A header has a copy under each name that it is included by.
        for place in publics[name]:
            copy = ctx.actions.declare_file(ctx.attr.name + "/include/" + place)
            public.append(copy)
            args.add("%s=%s=%s" % (files[name].path, name, copy.path))
            args.add("--alias=%s=%s" % (place, copy.path))
    ctx.actions.run(
        executable = ctx.executable._mutate,
        arguments = [args],
        inputs = inputs + ctx.files.mutants,
        outputs = [table] + copies + public,
        mnemonic = "Mutate",
        progress_message = "Mutating %s" % ctx.attr.library.label,
    )
    sources = [f for f in copies if f.extension == "cc"]
    headers = [f for f in copies if f.extension != "cc"]
    return [
        DefaultInfo(files = depset([table] + sources)),
        OutputGroupInfo(
            # A source may include itself, for each of its targets.
            headers = depset(headers + public + sources),
            table = depset([table]),
        ),
    ]

_mutated_sources = rule(
    implementation = _mutated_sources_impl,
    attrs = {
        "library": attr.label(mandatory = True, aspects = [_sources_aspect]),
        # Of a topic, none perhaps.
        "mutants": attr.label_list(allow_files = True),
        "_mutate": attr.label(
            default = Label("//tools/mutate"),
            executable = True,
            cfg = "host",
        ),
    },
)

def mutated_library(name, library, mutants, deps = [], tags = [], **kwargs):
    """A cc_library that behaves as `library` while mutants::active is 0, and wrong otherwise.

    What a mutant is in, or includes, is compiled anew; for the rest it links `library`, of whose
    archives a linker takes only what is not defined yet.

    Args:
      name: the cc_library; it also provides mutants::active and mutants::kEntries
      library: a cc_library of this repository, without alwayslink
      mutants: files in the format of mutants.h
      deps: the libraries of others that mutated sources use
      tags: for all targets
      **kwargs: for the library
    """
    _mutated_sources(
        name = name + "_sources",
        library = library,
        mutants = mutants,
        tags = tags,
    )
    native.filegroup(
        name = name + "_headers",
        srcs = [":" + name + "_sources"],
        output_group = "headers",
        tags = tags,
    )
    native.filegroup(
        name = name + "_table",
        srcs = [":" + name + "_sources"],
        output_group = "table",
        tags = tags,
    )
    cc_library(
        name = name,
        srcs = [":" + name + "_sources"],
        # Before the originals on the command line, and whole.
        alwayslink = True,
        # What is wrong on purpose may warn; kernels keep their flag.
        copts = [
            "-w",
            "-ffp-contract=off",
        ],
        linkstatic = True,
        tags = tags,
        textual_hdrs = [":" + name + "_headers"],
        deps = deps + [library, str(Label("//tools/mutate:active"))],
        **kwargs
    )
