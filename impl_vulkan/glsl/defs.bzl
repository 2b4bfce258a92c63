"""Which shaders there are, and how they are optimised."""

# Small rather than inlined: drivers inline after they know the specialization constants, and a module
# is a fifth of what `spirv-opt -O` makes of it. --eliminate-dead-const would take away the constant
# that carries the size of a workgroup.
PASSES = [
    "--eliminate-dead-functions",
    "--eliminate-local-single-block",
    "--eliminate-local-single-store",
    "--ssa-rewrite",
    "--eliminate-dead-code-aggressive",
    "--strip-debug",
    "--compact-ids",
]

KERNELS = [
    "generic",
    "packed",
    "row",
    "tile",
]

# What each flavour adds; see Flavour in impl_vulkan/model/context.h.
FLAVOURS = {
    "": [],
    "_rich": [
        "BYTE_STORES",
        "FAST_CONVERSIONS",
    ],
    "_hardware": [
        "BYTE_STORES",
        "FAST_CONVERSIONS",
        "HARDWARE_ARITHMETIC",
    ],
}
