"""Stock oneDNN with C functions of its own replaced, and a runner that judges it."""

load("@rules_cc//cc:defs.bzl", "cc_binary", "cc_library", "cc_test")

def wrapped_onednn_test(name, chapter, wrapped, **kwargs):
    """NAME_test, of NAME_test.cc, beside NAME_runner, which has the properties of a chapter.

    Args:
      name: what stands in the place of stock oneDNN's functions is NAME.cc, for `WRONG=FAULT NAME_runner ...`
      chapter: "convolution"
      wrapped: the C functions; the linker calls them __real_FUNCTION, and those of NAME.cc __wrap_FUNCTION
      **kwargs: for the test (size, shard_count)
    """
    cc_library(
        name = name,
        srcs = [name + ".cc"],
        tags = ["nosanitizer"],
        deps = [
            "//conformance/testing:tensors",
            "@onednn",
        ],
        alwayslink = True,
    )
    cc_binary(
        name = name + "_runner",
        linkopts = ["-Wl,--wrap=" + function for function in wrapped],
        linkstatic = True,
        tags = ["nosanitizer"],
        deps = [
            ":" + name,
            "//conformance:onednn_" + chapter,
            "//conformance:onednn_%s_sources" % chapter,
            "//conformance:onednn_facts",
            "//conformance/cli:runner_main",
        ],
    )
    cc_test(
        name = name + "_test",
        srcs = [name + "_test.cc"],
        data = [":%s_runner" % name],
        tags = ["nosanitizer"],
        deps = [
            "//conformance/testing:wrong",
            "@googletest//:gtest_main",
            "@nlohmann_json//:json",
        ],
        **kwargs
    )
