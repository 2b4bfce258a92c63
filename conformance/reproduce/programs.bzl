"""reproducer_tests, chapter_reproducers: failures as programs, compiled and run."""

load("@rules_cc//cc:defs.bzl", "cc_binary", "cc_test")
load("//:topics.bzl", "TOPICS")

def _reproducer_impl(ctx):
    out = ctx.actions.declare_file(ctx.label.name + ".cc")
    ctx.actions.run_shell(
        arguments = [
            ctx.executable.runner.path,
            "--case=" + ctx.attr.case,
            "--profile=" + ctx.attr.profile,
            out.path,
            "-1-check.cc" if ctx.attr.whole else "-1.cc",
        ],
        command = """
            folder=$(mktemp -d) && trap 'rm -rf "$folder"' EXIT
            "$1" "$2" "$3" --out="$folder" >"$folder/said" 2>&1
            if [ $? -gt 1 ]; then cat "$folder/said"; exit 1; fi
            cp "$folder"/reproducers/*/*"$5" "$4"
        """,
        mnemonic = "Reproducer",
        outputs = [out],
        tools = [ctx.executable.runner],
    )
    return [DefaultInfo(files = depset([out]))]

_reproducer = rule(
    implementation = _reproducer_impl,
    attrs = {
        "case": attr.string(mandatory = True),
        "profile": attr.string(mandatory = True),
        "runner": attr.label(cfg = "target", executable = True, mandatory = True),
        "whole": attr.bool(),
    },
)

def reproducer_tests(name, runner, subject, held = {}, shown = {}, whole = {}, profile = "portable", **kwargs):
    """A test NAME that compiles the programs of some cases against a library and runs them.

    Args:
      name: of the test
      runner: of the library
      subject: the library
      held: cases that hold, by a short name: their programs return 0
      shown: cases that fail: their programs return 1
      whole: as shown, with the check itself where the usual program is plain calls
      profile: portable or project
      **kwargs: for all targets (tags, ...)
    """
    programs, arguments = [], []
    for lines, status, check in [(held, 0, False), (shown, 1, False), (whole, 1, True)]:
        for short, line in lines.items():
            program = "%s_%s%s" % (name, short, "_whole" if check else "")
            _reproducer(
                name = program + "_source",
                case = line,
                profile = profile,
                runner = runner,
                whole = check,
                **kwargs
            )
            cc_binary(
                name = program,
                srcs = [":%s_source" % program],
                # As a reader compiles it: quickly, and without our warnings.
                copts = [
                    "-O0",
                    "-w",
                ],
                linkopts = ["-pthread"],
                deps = [subject],
                **kwargs
            )
            programs.append(":" + program)
            arguments.append("$(rootpath :%s)=%d" % (program, status))
    cc_test(
        name = name,
        size = "medium",
        srcs = [str(Label("//conformance/reproduce:programs_test.cc"))],
        args = arguments,
        data = programs,
        deps = [
            str(Label("//tools/testing:command")),
            "@googletest//:gtest",
        ],
        **{key: value for key, value in kwargs.items() if key != "testonly"}
    )

def chapter_reproducers(held, shown = {}, whole = []):
    """reproducer_tests of the chapter whose folder this is: of our own library, if it has the chapter, and of stock oneDNN.

    Args:
      held: a case of every kind that the chapter has, by a short name, which a correct library passes; of oneDNN 2.6.3
        the first alone is compiled, since the others are made of sources that its runner is compiled from
      shown: faults of the distribution's oneDNN 2.6.3 that show on every machine
      whole: the names of those whose check is compiled too, where the usual program is plain calls
    """
    chapter = native.package_name().split("/")[-1]
    if chapter in [topic.name for topic in TOPICS if topic.ours]:
        reproducer_tests(
            name = "reproducers_test",
            held = held,
            profile = "project",
            runner = "//conformance:dnnspec_%s_runner" % chapter,
            subject = "//api",
        )
    reproducer_tests(
        name = "onednn_reproducers_test",
        held = {name: held[name] for name in held.keys()[:1]},
        runner = "//conformance:onednn_%s_runner" % chapter,
        shown = shown,
        subject = "@onednn//:onednn",
        tags = ["nosanitizer"],
        whole = {name: shown[name] for name in whole},
    )
