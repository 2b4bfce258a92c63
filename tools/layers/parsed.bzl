"""parsed_files: an aspect that has the compiler read each source, and each header of ours alone, as clang and module
maps allow, but for headers that a source of the same name includes before anything else.

It is Bazel's feature parse_headers, and the same of sources, for toolchains that have none, such as that of Bazel 4.2;
layering_check looks into the headers of a target that has no source with it, too:

    bazel build --features=layering_check --aspects=//tools/layers:parsed.bzl%parsed_files --output_groups=parsed_files //api
"""

load("@rules_cc//cc:find_cc_toolchain.bzl", "find_cpp_toolchain", "use_cc_toolchain")
load("@rules_cc//cc/common:cc_common.bzl", "cc_common")
load("@rules_cc//cc/common:cc_info.bzl", "CcInfo")

_Parsed = provider(fields = {
    "maps": "the module map of a target, or of what an alias stands for",
    "parsed": "depset of what shows that files were parsed, those below the target too",
})

_BELOW = ["deps", "actual", "build_setting_default"]

def _stem(file):
    return file.path[:-len(file.extension) - 1]

# Headers without those of a source beside it, which includes its own header first (tools/format sees to that),
# and sources.
def _files_of(rule):
    files = depset(getattr(rule.files, "hdrs", []) + getattr(rule.files, "srcs", [])).to_list()
    sources = [file for file in files if file.extension == "cc"]
    own = [_stem(file) for file in sources]
    return [file for file in files if file.extension in ["h", "hpp"] and _stem(file) not in own], sources

def _parse(target, ctx, headers, sources, maps, maps_below):
    toolchain = find_cpp_toolchain(ctx)
    features = cc_common.configure_features(
        ctx = ctx,
        cc_toolchain = toolchain,
        requested_features = ctx.features,
        unsupported_features = ctx.disabled_features + ["layering_check", "use_module_maps"],
    )
    context = target[CcInfo].compilation_context
    flags = cc_common.get_memory_inefficient_command_line(
        action_name = "c++-header-parsing",
        feature_configuration = features,
        variables = cc_common.create_compile_variables(
            cc_toolchain = toolchain,
            feature_configuration = features,
            include_directories = context.includes,
            preprocessor_defines = depset(transitive = [context.defines, context.local_defines]),
            quote_include_directories = context.quote_includes,
            system_include_directories = context.system_includes,
            user_compile_flags = ctx.fragments.cpp.copts + ctx.fragments.cpp.cxxopts,
        ),
    )
    flags = flags + ["-w", "-fsyntax-only"]
    if "layering_check" in ctx.features:
        flags += ["-fmodules-strict-decluse", "-fmodule-name=" + str(target.label).replace("@//", "//")]
        flags += ["-fmodule-map-file=" + file.path for file in maps + maps_below + ctx.files._system_map]
    files = ["-xc++-header"] + [file.path for file in headers] + ["-xc++"] + [file.path for file in sources]
    parsed = ctx.actions.declare_file(ctx.label.name + ".parsed")
    ctx.actions.run_shell(
        outputs = [parsed],
        inputs = depset(
            headers + sources + maps + maps_below + ctx.files._system_map,
            transitive = [context.headers, toolchain.all_files],
        ),
        arguments = [
            parsed.path,
            cc_common.get_tool_for_action(action_name = "c++-compile", feature_configuration = features),
        ] + flags + files,
        command = 'out=$1; shift; "$@" && : >"$out"',
        mnemonic = "Parse",
        progress_message = "Parsing %s" % target.label,
    )
    return parsed

def _parsed_files_impl(target, ctx):
    below = []
    for name in _BELOW:
        value = getattr(ctx.rule.attr, name, None)
        below += [dep[_Parsed] for dep in (value if type(value) == "list" else [value]) if dep and _Parsed in dep]
    maps_below = [file for dep in below for file in dep.maps]
    maps = [file for action in target.actions for file in action.outputs.to_list() if file.extension == "cppmap"]
    parsed = []
    headers, sources = _files_of(ctx.rule)
    if CcInfo in target and (headers or sources) and not ctx.label.workspace_root:
        parsed = [_parse(target, ctx, headers, sources, maps, maps_below)]
    files = depset(parsed, transitive = [dep.parsed for dep in below])
    return [
        _Parsed(maps = maps or maps_below, parsed = files),
        OutputGroupInfo(parsed_files = files),
    ]

parsed_files = aspect(
    implementation = _parsed_files_impl,
    attr_aspects = _BELOW,
    attrs = {
        "_cc_toolchain": attr.label(default = "@bazel_tools//tools/cpp:current_cc_toolchain"),
        # What clang finds by itself: there with clang only.
        "_system_map": attr.label(
            allow_files = True,
            default = "@local_config_cc//:module.modulemap",
        ),
    },
    fragments = ["cpp"],
    toolchains = use_cc_toolchain(),
)
