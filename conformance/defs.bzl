"""conformance_suite: the suite against one subject."""

load("@rules_cc//cc:defs.bzl", "cc_binary", "cc_library")
load("//:version.bzl", "VERSION")
load("//conformance/reproduce:sources.bzl", "program_sources")

# Folders of properties. Each offers
#   :checks  a filegroup of what is compiled for each subject, because it includes its dnnl.hpp
#   :cases   a cc_library of what is compiled once, and that :checks may include
# The checks of a topic may include those of the topics above it.
TOPICS = [
    "memory",
    "reorder",
    "shuffle",
    "model",
]

# The same two targets, without properties: what the checks of several topics share.
SUBJECT = "subject"

# Chapters of the specification that have requirements, and how many parts the test of each has.
CHAPTERS = {
    "memory": 2,
    "model": 2,
    "reorder": 4,
    "shuffle": 2,
}

def _label(text):
    # Resolved in this repository, wherever the macro is called.
    return str(Label(text))

def _conformance_test_impl(ctx):
    # The runner itself: what Bazel wants of a test (shards, a filter, XML) it does.
    program = ctx.actions.declare_file(ctx.label.name)
    ctx.actions.symlink(
        output = program,
        target_file = ctx.executable.runner,
        is_executable = True,
    )
    runfiles = ctx.runfiles(files = ctx.files.data)
    environment = dict(ctx.attr.environment)
    if ctx.file.plugin:
        environment["DNNSPEC_PLUGIN"] = "./" + ctx.file.plugin.short_path
    return [
        DefaultInfo(
            executable = program,
            runfiles = runfiles.merge(ctx.attr.runner[DefaultInfo].default_runfiles),
        ),
        testing.TestEnvironment(environment),
    ]

_conformance_test = rule(
    implementation = _conformance_test_impl,
    attrs = {
        "data": attr.label_list(allow_files = True),
        "environment": attr.string_dict(),
        "plugin": attr.label(allow_single_file = True),
        "runner": attr.label(cfg = "target", executable = True, mandatory = True),
    },
    test = True,
)

def _not_built_impl(ctx):
    out = ctx.actions.declare_file(ctx.label.name + ".txt")
    lines = ["%s: %s\n" % item for item in ctx.attr.reasons.items() if item[1]]
    ctx.actions.write(out, "".join(lines))
    files = depset([out])
    return [DefaultInfo(files = files, runfiles = ctx.runfiles(transitive_files = files))]

# NAME.txt: a line "SUBJECT: REASON" for each subject that has a reason not to be built.
not_built = rule(
    implementation = _not_built_impl,
    attrs = {"reasons": attr.string_dict()},
)

def conformance_tests(
        name,
        runner = None,
        claims = None,
        command = None,
        engine = "cpu",
        environment = {},
        expect = None,
        flags = [],
        plugin = None,
        profile = None,
        subject = None,
        topics = None,
        **kwargs):
    """A test NAME_CHAPTER_test for each chapter, and NAME for all, with the same cases every time.

    Args:
      name: short name of the tests
      runner: NAME_runner of a conformance_suite; not with plugin
      claims: file of what the subject claims
      command: how a person starts the runner, for reports; else the program itself, from the root
        of the workspace
      engine: cpu or gpu
      environment: for the runner, name to value
      expect: file of expected failures
      flags: further flags of the runner ("--cases=500")
      plugin: shared object with the symbol of @dnnspec//api/spi:plugin_abi
      profile: portable or project; what the claims say, else portable
      subject: its short name, as in reports and in `expect`; `name` if None
      topics: chapters to test; all if None
      **kwargs: for all tests (tags, target_compatible_with, ...)
    """
    judging = ["--engine=" + engine] + (["--profile=" + profile] if profile else [])
    flags = flags + judging + ["--subject=" + (subject or name), "--jobs=1"]
    data = []
    if claims:
        flags.append("--claims=$(rootpath %s)" % claims)
        data.append(claims)
    if expect:
        flags.append("--expect=$(rootpath %s)" % expect)
        data.append(expect)
    if plugin:
        runner = _label("//conformance:plugin_runner")
        data.append(plugin)
    if not command:
        # What lies below bazel-out is built by the time a report is read.
        command = "$(execpath %s) %s" % (runner, " ".join(judging))
        data.append(runner)
        if plugin:
            command = "DNNSPEC_PLUGIN=$(execpath %s) %s" % (plugin, command)
        if claims:
            command += " --claims=$(execpath %s)" % claims
    command = "".join(["%s=%s " % item for item in environment.items()]) + command
    chapters = {
        chapter: parts
        for chapter, parts in CHAPTERS.items()
        if topics == None or chapter in topics
    }
    for chapter, parts in chapters.items():
        _conformance_test(
            name = "%s_%s_test" % (name, chapter),
            size = "large",
            args = flags + ["--topic=" + chapter, "'--command=%s'" % command],
            data = data,
            environment = environment,
            plugin = plugin,
            runner = runner,
            shard_count = parts,
            **kwargs
        )
    native.test_suite(
        name = name,
        # A suite is built with its tests, whatever the filter says of them.
        tags = [tag for tag in kwargs.get("tags", []) if tag in ["manual", "nosanitizer"]],
        tests = ["%s_%s_test" % (name, chapter) for chapter in chapters],
    )

def conformance_suite(name, subject, tags = [], topics = TOPICS, facts = [], **kwargs):
    """Compiles the suite against a library that has its own oneapi/dnnl/dnnl.hpp.

    Makes NAME_runner, a program of its own that judges the subject, and NAME_properties, all the
    properties with the subject behind them.

    Args:
      name: short name of the subject, as in reports
      subject: a cc_library whose headers give the oneDNN C++ API
      tags: for all targets
      topics: folders of properties; fewer compile sooner
      facts: further headers by which the runner asks what was judged
      **kwargs: for all targets (target_compatible_with, copts, ...)
    """
    libraries = []
    for topic in [SUBJECT] + [topic for topic in TOPICS if topic in topics]:
        library = "%s_%s" % (name, topic)
        cc_library(
            name = library,
            srcs = [_label("//conformance/%s:checks" % topic)],
            hdrs = [_label("//conformance/%s:checks" % topic)],
            tags = tags,
            deps = [
                subject,
                _label("//conformance/%s:cases" % topic),
                _label("//conformance/case:property"),
            ] + libraries,
            # A property is linked by being there.
            alwayslink = True,
            **kwargs
        )
        libraries.append(":" + library)
    cc_library(
        name = name + "_facts",
        srcs = [_label("//conformance/subject:facts.cc")],
        local_defines = ["DNNSPEC_VERSION=\\\"%s\\\"" % VERSION],
        tags = tags,
        deps = facts + [
            subject,
            _label("//conformance/subject:facts"),
        ],
        # Called by the runner, which may stand behind it on the command line.
        alwayslink = True,
        **kwargs
    )
    program_sources(
        name = name + "_sources",
        libraries = libraries,
        tags = tags,
        **kwargs
    )
    cc_library(
        name = name + "_properties",
        tags = tags,
        deps = libraries + [":%s_facts" % name],
        **kwargs
    )
    cc_binary(
        name = name + "_runner",
        linkstatic = True,
        tags = tags,
        deps = libraries + [
            _label("//conformance/cli:runner_main"),
            ":%s_facts" % name,
            ":%s_sources" % name,
        ],
        **kwargs
    )
