"""conformance_suite: the suite against one subject."""

load("@rules_cc//cc:defs.bzl", "cc_binary", "cc_library")
load("//:topics.bzl", _TOPICS = "TOPICS")
load("//:version.bzl", "VERSION")
load("//conformance/reproduce:sources.bzl", "program_sources")

# Folders of properties. Each offers
#   :cases    a cc_library of what is compiled once, and that the two below may include
#   :helpers  a filegroup of what is compiled for each subject, because it includes its dnnl.hpp,
#             and that the checks of model may include too; model itself has none
#   :sample   of a primitive, a filegroup that is compiled for each subject: what the checks of model
#             draw of it, without including it
#   :checks   a filegroup of properties, compiled for each subject
TOPICS = ["memory"] + [topic.name for topic in _TOPICS if topic.primitive] + ["model"]

# Those that our own library has, and a subject of which nothing else is said.
COMMON_TOPICS = [topic for topic in TOPICS if topic not in [t.name for t in _TOPICS if not t.ours]]

# Those that give the chapter "model" samples.
SAMPLED = [topic.name for topic in _TOPICS if topic.primitive]

# What the checks of all topics may include: such targets as well, but for helpers.
SUBJECT = "subject"

# Chapters of the specification that have requirements, and how many parts the test of each has.
CHAPTERS = {topic.name: topic.parts for topic in _TOPICS}

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

def _runner_of(runner, chapter):
    # ":vendor_shuffle_runner" of ":vendor_runner".
    if not runner.endswith("_runner"):
        fail("runner = %s is not the NAME_runner of a conformance_suite" % runner)
    return "%s_%s_runner" % (runner[:-len("_runner")], chapter)

def conformance_tests(
        name,
        runner = None,
        cases = {},
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
      runner: NAME_runner of a conformance_suite, which has the topics that are tested; the test of a
        chapter runs the one that has the chapter alone; not with plugin
      cases: for some chapters, how many of each property at most; for others `flags` say it
      claims: file of what the subject claims
      command: how a person starts the runner, for reports; else the program itself, from the root
        of the workspace
      engine: cpu or gpu
      environment: for the runner, name to value
      expect: file of expected failures, or a dict of one for each chapter, or of a list of them
      flags: further flags of the runner ("--cases=500")
      plugin: shared object with the symbol of @dnnspec//api/spi:plugin_abi
      profile: portable or project; what the claims say, else portable
      subject: its short name, as in reports and in `expect`; `name` if None
      topics: chapters to test; those of our own library if None
      **kwargs: for all tests (tags, target_compatible_with, ...)
    """
    judging = ["--engine=" + engine] + (["--profile=" + profile] if profile else [])
    flags = flags + judging + ["--subject=" + (subject or name), "--jobs=1"]
    data = []
    if claims:
        flags.append("--claims=$(rootpath %s)" % claims)
        data.append(claims)
    if plugin:
        data.append(plugin)
    chapters = {
        chapter: parts
        for chapter, parts in CHAPTERS.items()
        if chapter in (COMMON_TOPICS if topics == None else topics)
    }
    for chapter, parts in chapters.items():
        runs = _label("//conformance:plugin_runner") if plugin else _runner_of(runner, chapter)
        shown = command
        if not command:
            # What lies below bazel-out is built by the time a report is read.
            shown = "$(execpath %s) %s" % (runs, " ".join(judging))
            if plugin:
                shown = "DNNSPEC_PLUGIN=$(execpath %s) %s" % (plugin, shown)
            else:
                shown += " --subject=" + (subject or name)
            if claims:
                shown += " --claims=$(execpath %s)" % claims
        shown = "".join(["%s=%s " % item for item in environment.items()]) + shown
        of_chapter = flags
        if chapter in cases:
            others = [flag for flag in flags if not flag.startswith("--cases=")]
            of_chapter = others + ["--cases=%d" % cases[chapter]]
        known = expect.get(chapter) if type(expect) == type({}) else expect
        if type(known) != type([]):
            known = [known] if known else []
        expected = ["--expect=$(rootpath %s)" % file for file in known]

        # A folder has properties of other chapters, too: no other runner of a chapter has these.
        chosen = ["--topic=" + chapter] + ([] if plugin else ["--linked"])
        _conformance_test(
            name = "%s_%s_test" % (name, chapter),
            size = "large",
            args = of_chapter + expected + chosen + ["'--command=%s'" % shown],
            data = data + [runs] + known,
            environment = environment,
            plugin = plugin,
            runner = runs,
            shard_count = parts,
            **kwargs
        )
    native.test_suite(
        name = name,
        # A suite is built with its tests, whatever the filter says of them.
        tags = [tag for tag in kwargs.get("tags", []) if tag in ["manual", "nosanitizer"]],
        tests = ["%s_%s_test" % (name, chapter) for chapter in chapters],
    )

def _compiled(name, sources, deps, **kwargs):
    # A library of what is compiled for each subject.
    cc_library(
        name = name,
        srcs = sources,
        hdrs = sources,
        # What they include stands in the deps of :cases.
        features = ["-layering_check"],
        deps = deps + [_label("//conformance/case:property")],
        **kwargs
    )
    return ":" + name

def _program(name, properties, facts, sources, subject, **kwargs):
    # A runner of what `properties` have.
    program_sources(
        name = sources,
        libraries = properties + [_label("//conformance/judge:process_state")],
        **kwargs
    )
    cc_binary(
        name = name,
        linkstatic = True,
        deps = properties + [
            facts,
            ":" + sources,
            subject,
            _label("//conformance/cli:runner_main"),
        ],
        **kwargs
    )

def conformance_suite(name, subject, tags = [], topics = COMMON_TOPICS, facts = [], headers = None, **kwargs):
    """Compiles the suite against a library that has its own oneapi/dnnl/dnnl.hpp.

    Makes NAME_runner, a program of its own that judges the subject, and NAME_properties, all the
    properties with the subject behind them. NAME_TOPIC_runner has one topic alone: what is changed in
    another leaves its tests as they are.

    Args:
      name: short name of the subject, as in reports
      subject: a cc_library whose headers give the oneDNN C++ API
      tags: for all targets
      topics: what the subject has, as folders of properties: TOPICS for a library with all primitives;
        fewer compile sooner. Reports say of others that they are not in this subject
      facts: further headers by which the runner asks what was judged
      headers: list of what has the headers of the subject alone, if not the subject: what is changed behind
        them compiles nothing of the suite anew
      **kwargs: for all targets (target_compatible_with, copts, ...)
    """

    kwargs = dict(kwargs, tags = tags)
    headers = headers or [subject]
    topics = [topic for topic in TOPICS if topic in topics]
    shared = [_compiled(
        name = "%s_%s" % (name, SUBJECT),
        sources = [_label("//conformance/%s:checks" % SUBJECT)],
        deps = headers + [_label("//conformance/%s:cases" % SUBJECT)],
        **kwargs
    )]
    helpers = {
        topic: _compiled(
            name = "%s_%s_helpers" % (name, topic),
            sources = [_label("//conformance/%s:helpers" % topic)],
            deps = headers + [_label("//conformance/%s:cases" % topic)] + shared,
            **kwargs
        )
        for topic in TOPICS
        if topic != "model" and (topic in topics or ("model" in topics and topic in COMMON_TOPICS))
    }
    sample = _compiled(
        name = name + "_sample",
        sources = [_label("//conformance/%s:sample" % SUBJECT)],
        deps = headers + [_label("//conformance/gen:sample_case")] + shared,
        **kwargs
    )

    # Linked by being there.
    samples = [sample] + [
        _compiled(
            name = "%s_%s_sample" % (name, topic),
            sources = [_label("//conformance/%s:sample" % topic)],
            deps = headers + [sample, _label("//conformance/%s:cases" % topic)] + shared,
            alwayslink = True,
            **kwargs
        )
        for topic in topics
        if "model" in topics and topic in SAMPLED
    ]
    libraries = {
        topic: _compiled(
            name = "%s_%s" % (name, topic),
            sources = [_label("//conformance/%s:checks" % topic)],
            deps = headers + [_label("//conformance/%s:cases" % topic)] + shared +
                   (helpers.values() + samples if topic == "model" else [helpers[topic]]),
            # A property is linked by being there.
            alwayslink = True,
            **kwargs
        )
        for topic in topics
    }
    cc_library(
        name = name + "_facts",
        srcs = [_label("//conformance/subject:facts.cc")],
        local_defines = [
            "DNNSPEC_VERSION=\\\"%s\\\"" % VERSION,
            "DNNSPEC_LACKS=\\\"%s\\\"" % "".join([topic + "," for topic in TOPICS if topic not in topics]),
        ],
        deps = facts + headers + [_label("//conformance/subject:facts")],
        # Called by the runner, which may stand behind it on the command line.
        alwayslink = True,
        **kwargs
    )
    cc_library(
        name = name + "_properties",
        deps = libraries.values() + [":%s_facts" % name, subject],
        **kwargs
    )
    _program(
        name = name + "_runner",
        facts = ":%s_facts" % name,
        properties = libraries.values(),
        sources = name + "_sources",
        subject = subject,
        **kwargs
    )
    for topic in topics:
        _program(
            name = "%s_%s_runner" % (name, topic),
            facts = ":%s_facts" % name,
            properties = [libraries[topic]],
            sources = "%s_%s_sources" % (name, topic),
            subject = subject,
            **kwargs
        )
