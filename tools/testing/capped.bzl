"""capped_tests: tests once more, with fewer instructions."""

def _capped_test_impl(ctx):
    # The program of the test as it is: nothing is compiled or linked twice.
    program = ctx.actions.declare_file(ctx.label.name)
    ctx.actions.symlink(
        output = program,
        target_file = ctx.executable.test,
        is_executable = True,
    )
    environment = dict(ctx.attr.env)
    environment["DNNSPEC_MAX_ISA"] = ctx.attr.isa
    return [
        DefaultInfo(
            executable = program,
            runfiles = ctx.attr.test[DefaultInfo].default_runfiles,
        ),
        testing.TestEnvironment(environment),
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
