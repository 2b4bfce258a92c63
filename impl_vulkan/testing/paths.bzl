"""Paths through the device that tests of products and convolutions run on."""

load("@rules_cc//cc:defs.bzl", "cc_test")

# As //impl_vulkan has them for reorder, several at once: each path compiles every pipeline.
_PATHS = {
    # What Vulkan guarantees, and more workgroups than a dimension of a dispatch has.
    "plain": {
        "DNNSPEC_VULKAN_FEATURES": "none",
        "FAULT_LAYER": "maxComputeWorkGroupCount=3",
        "VK_INSTANCE_LAYERS": "VK_LAYER_DNNSPEC_fault",
        "VK_LAYER_PATH": "impl_vulkan/testing/fault_layer",
    },
    # What the device offers, as on a GPU. The suite asks for the same without stages.
    "staged": {"DNNSPEC_VULKAN_STAGING": "1"},
    # Under the Khronos layer, in windows that small tensors are cut for: cut sums wait for each other.
    "validated": {
        "DNNSPEC_VULKAN_VALIDATE": "1",
        "DNNSPEC_VULKAN_WINDOW": "2048",
        "VK_LAYER_SYNCVAL_SHADER_ACCESSES_HEURISTIC": "1",
    },
}

def execution_tests(srcs, deps):
    """Defines execution_PATH_test for each path.

    Args:
      srcs: the test's sources
      deps: what they need beside the device and googletest
    """
    for path, env in _PATHS.items():
        cc_test(
            name = "execution_%s_test" % path,
            size = "medium",
            srcs = srcs,
            data = ["//impl_vulkan/testing/fault_layer"],
            env = env,
            deps = deps + [
                "//impl_vulkan/testing:device",
                "@googletest//:gtest_main",
            ],
        )
