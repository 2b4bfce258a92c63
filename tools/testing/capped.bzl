"""capped_tests: tests once more, with fewer instructions."""

def _capped_test_impl(ctx):
    # The program of the test as it is: nothing is compiled or linked twice. A variable that --test_env
    # hands through would win over one of the rule's, so a script sets it.
    script = ctx.actions.declare_file(ctx.label.name)
    ctx.actions.write(
        output = script,
        content = "#!/bin/sh\nDNNSPEC_MAX_ISA=%s exec %s \"$@\"\n" % (ctx.attr.isa, ctx.executable.test.short_path),
        is_executable = True,
    )
    return [
        DefaultInfo(
            executable = script,
            runfiles = ctx.runfiles(files = [ctx.executable.test]).merge(ctx.attr.test[DefaultInfo].default_runfiles),
        ),
        testing.TestEnvironment(ctx.attr.env),
    ]

_capped_test = rule(
    implementation = _capped_test_impl,
    attrs = {
        "env": attr.string_dict(),
        "isa": attr.string(mandatory = True),
        "test": attr.label(cfg = "target", executable = True, mandatory = True),
    },
    test = True,
)

def capped_tests(tests, isas = ["AVX2", "SSE4"], **kwargs):
    """For each NAME_test of this package a NAME_avx2_test and a NAME_sse4_test.

    Args:
      tests: name of the test to what is in its environment
      isas: values of DNNSPEC_MAX_ISA
      **kwargs: for all (tags, ...)
    """
    for test, env in tests.items():
        for isa in isas:
            _capped_test(
                name = "%s_%s_test" % (test[:-len("_test")], isa.lower()),
                size = "small",
                env = env,
                isa = isa,
                test = ":" + test,
                **kwargs
            )
