"""Which shaders there are, and how they are optimised."""

# Small rather than inlined: drivers inline after they know the specialization constants, and a module
# is a fifth of what `spirv-opt -O` makes of it. --eliminate-dead-const would take away the constant
# that carries the size of a workgroup.
PASSES = [
    "--eliminate-dead-branches",
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

_WORK = {
    "_moves": ["MOVES"],
    "_converts": ["CONVERTS"],
    "_computes": ["COMPUTES"],
}

# What each variant of a kernel is made with: Work and Tier in impl_vulkan/device/context.h.
VARIANTS = dict(
    [(work, defines) for work, defines in _WORK.items()] +
    [(work + "_int8", defines + [
        "BYTE_STORES",
        "FAST_CONVERSIONS",
    ]) for work, defines in _WORK.items()] +
    [("_computes_float_controls", [
        "BYTE_STORES",
        "COMPUTES",
        "FAST_CONVERSIONS",
        "HARDWARE_ARITHMETIC",
    ])],
)

FUNCTION_KERNELS = [
    "generic",
    "row",
]

# What kernels with an element-wise function are made with: its direction, whether it is no piece of a
# polynomial, and Tier. Such functions have no float arithmetic.
FUNCTION_VARIANTS = dict([
    ("_" + direction.lower() + curves + tier, [direction] + curves_defines + tier_defines)
    for direction in [
        "BACKWARD",
        "FORWARD",
    ]
    for curves, curves_defines, tiers in [
        ("", [], [
            "",
            "_int8",
            "_float_controls",
        ]),
        ("_curves", ["CURVES"], [
            "",
            "_int8",
        ]),
    ]
    for tier, tier_defines in [
        ("", []),
        ("_int8", [
            "BYTE_STORES",
            "FAST_CONVERSIONS",
        ]),
        ("_float_controls", [
            "BYTE_STORES",
            "FAST_CONVERSIONS",
            "HARDWARE_ARITHMETIC",
        ]),
    ]
    if tier in tiers
])

PRODUCT_KERNELS = [
    "product_direct",
    "product_tile",
    "product_vector",
]

CONVOLUTION_KERNELS = [
    "convolution_direct",
    "convolution_tile",
    "convolution_window",
]

# What each kernel of products and convolutions is made with: whether it has extras, and Tier.
PRODUCT_VARIANTS = dict([
    (extras + tier, extras_defines + tier_defines)
    for extras, extras_defines in {
        "": [],
        "_extras": ["EXTRAS"],
    }.items()
    for tier, tier_defines in {
        "": [],
        "_int8": [
            "BYTE_STORES",
            "FAST_CONVERSIONS",
        ],
        "_float_controls": [
            "BYTE_STORES",
            "FAST_CONVERSIONS",
            "HARDWARE_ARITHMETIC",
        ],
    }.items()
])
