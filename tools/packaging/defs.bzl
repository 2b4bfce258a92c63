"""What a library is for people without Bazel: include_tree, its headers, and whole_library, its code."""

load("@rules_cc//cc:find_cc_toolchain.bzl", "find_cpp_toolchain", "use_cc_toolchain")
load("@rules_cc//cc/common:cc_common.bzl", "cc_common")
load("@rules_cc//cc/common:cc_info.bzl", "CcInfo")

def _include_tree_impl(ctx):
    tree = ctx.actions.declare_directory(ctx.attr.name)
    inputs, arguments = [], []
    for header in ctx.attr.library[CcInfo].compilation_context.headers.to_list():
        # A public header of ours has an include_prefix; others are seen by the build only.
        _, virtual, rest = header.path.partition("/_virtual_includes/")
        if virtual and header.owner.workspace_name == ctx.label.workspace_name:
            inputs.append(header)
            arguments += [header.path, rest.partition("/")[2]]
    if not inputs:
        fail("%s has no public headers" % ctx.attr.library.label)
    ctx.actions.run_shell(
        outputs = [tree],
        inputs = inputs,
        arguments = [tree.path] + arguments,
        command = """\
set -e
root=$1
shift
while [ $# -gt 0 ]; do
  mkdir -p "$root/$(dirname "$2")"
  cp -L "$1" "$root/$2"
  shift 2
done
""",
        mnemonic = "IncludeTree",
        progress_message = "Collecting the public headers of %s" % ctx.attr.library.label,
    )
    return [DefaultInfo(files = depset([tree]), runfiles = ctx.runfiles([tree]))]

# The public headers of a library as the folder that people include from.
include_tree = rule(
    implementation = _include_tree_impl,
    attrs = {"library": attr.label(providers = [CcInfo], mandatory = True)},
)

def _whole_library_impl(ctx):
    toolchain = find_cpp_toolchain(ctx)
    features = cc_common.configure_features(
        ctx = ctx,
        cc_toolchain = toolchain,
        requested_features = ctx.features,
        unsupported_features = ctx.disabled_features,
    )
    archives = []
    for library in ctx.attr.static:
        for linker_input in library[CcInfo].linking_context.linker_inputs.to_list():
            if linker_input.owner == library.label:
                archives += [
                    each.pic_static_library or each.static_library
                    for each in linker_input.libraries
                    if each.pic_static_library or each.static_library
                ]
    replaced = ctx.attr.replaced if len(archives) == len(ctx.attr.static) else []
    inputs = []
    for linker_input in ctx.attr.library[CcInfo].linking_context.linker_inputs.to_list():
        # A shared library goes in as a file: as a library, Bazel would write the way to its own copy
        # into the result (RUNPATH).
        libraries, files = [], []
        for library in linker_input.libraries:
            if library.pic_static_library or library.static_library:
                libraries.append(cc_common.create_library_to_link(
                    actions = ctx.actions,
                    # What others wrote gives what is asked for, and no more.
                    alwayslink = linker_input.owner.workspace_name == ctx.label.workspace_name,
                    cc_toolchain = toolchain,
                    feature_configuration = features,
                    pic_static_library = library.pic_static_library,
                    static_library = library.static_library,
                ))
            else:
                file = library.resolved_symlink_dynamic_library or library.dynamic_library
                if not [prefix for prefix in replaced if file.basename.startswith(prefix)]:
                    files.append(file)
        inputs.append(cc_common.create_linker_input(
            additional_inputs = depset(linker_input.additional_inputs + files),
            libraries = depset(libraries),
            owner = linker_input.owner,
            user_link_flags = depset(
                (["-Wl,--as-needed"] if files else []) +
                [file.path for file in files] +
                linker_input.user_link_flags,
            ),
        ))
    if replaced:
        inputs.append(cc_common.create_linker_input(
            additional_inputs = depset(archives),
            owner = ctx.label,
            user_link_flags = depset([archive.path for archive in archives]),
        ))
    return [CcInfo(linking_context = cc_common.create_linking_context(linker_inputs = depset(inputs)))]

# A library of which everything that is ours is linked, whether or not something refers to it.
whole_library = rule(
    implementation = _whole_library_impl,
    attrs = {
        "library": attr.label(providers = [CcInfo], mandatory = True),
        "replaced": attr.string_list(
            doc = "what the names of those shared libraries begin with that `static` takes the place of",
        ),
        "static": attr.label_list(
            doc = "linked in their place, unless one of them is empty",
            providers = [CcInfo],
        ),
        "_cc_toolchain": attr.label(default = "@bazel_tools//tools/cpp:current_cc_toolchain"),
    },
    fragments = ["cpp"],
    toolchains = use_cc_toolchain(),
)
