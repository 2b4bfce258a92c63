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

# What each variant of a kernel is made with: Work and Flavour in impl_vulkan/device/context.h.
VARIANTS = dict(
    [(work, defines) for work, defines in _WORK.items()] +
    [(work + "_rich", defines + [
        "BYTE_STORES",
        "FAST_CONVERSIONS",
    ]) for work, defines in _WORK.items()] +
    [("_computes_hardware", [
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
# polynomial, and Flavour. Such functions have no float arithmetic.
FUNCTION_VARIANTS = dict([
    ("_" + direction.lower() + curves + flavour, [direction] + curves_defines + flavour_defines)
    for direction in [
        "BACKWARD",
        "FORWARD",
    ]
    for curves, curves_defines, flavours in [
        ("", [], [
            "",
            "_rich",
            "_hardware",
        ]),
        ("_curves", ["CURVES"], [
            "",
            "_rich",
        ]),
    ]
    for flavour, flavour_defines in [
        ("", []),
        ("_rich", [
            "BYTE_STORES",
            "FAST_CONVERSIONS",
        ]),
        ("_hardware", [
            "BYTE_STORES",
            "FAST_CONVERSIONS",
            "HARDWARE_ARITHMETIC",
        ]),
    ]
    if flavour in flavours
])

PRODUCT_KERNELS = [
    "product_direct",
    "product_tile",
]

CONVOLUTION_KERNELS = ["convolution_direct"]

# What each kernel of products and convolutions is made with: whether it has extras, and Flavour.
PRODUCT_VARIANTS = dict([
    (extras + flavour, extras_defines + flavour_defines)
    for extras, extras_defines in {
        "": [],
        "_extras": ["EXTRAS"],
    }.items()
    for flavour, flavour_defines in {
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
    }.items()
])
