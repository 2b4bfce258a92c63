"""The one table of topics. Whatever enumerates topics or primitives is made from it."""

def topic(name, areas, parts, primitive = True, ours = True, in_c = False):
    """A topic: one folder name in every layer, and a chapter of the specification.

    Args:
      name: of its folders
      areas: the first parts of its requirements' ids (SHU of SHU-020), with what reports call each
      parts: how many parts the test of its chapter has
      primitive: whether it is a primitive, and not what all of them stand on
      ours: whether our own library has it; what it lacks is specified, and judged in others
      in_c: whether oneDNN's C API has an operation descriptor for it
    Returns:
      a struct of these
    """
    return struct(name = name, areas = areas, parts = parts, primitive = primitive, ours = ours, in_c = in_c)

# In the order of the catalogue and of reports.
TOPICS = [
    topic(
        "model",
        areas = {
            "ERR": "errors",
            "OBJ": "objects",
            "ENG": "engines",
            "STR": "streams",
            "ATTR": "attributes",
            "PRIM": "primitives",
            "INTEROP": "interoperability",
        },
        parts = 2,
        primitive = False,
    ),
    topic(
        "memory",
        areas = {
            "MD": "memory descriptors",
            "MEM": "memory",
            "OPT": "optimized formats",
            "DT": "data types",
        },
        parts = 2,
        primitive = False,
    ),
    topic(
        "reorder",
        areas = {
            "REO": "reorder",
            "XENG": "reorder across engines",
        },
        parts = 4,
    ),
    topic(
        "shuffle",
        areas = {"SHU": "shuffle"},
        in_c = True,
        parts = 2,
    ),
    topic(
        "inner_product",
        areas = {"IP": "inner product"},
        in_c = True,
        parts = 4,
    ),
    topic(
        "eltwise",
        areas = {"ELT": "eltwise"},
        in_c = True,
        parts = 4,
    ),
    topic(
        "convolution",
        areas = {"CONV": "convolution"},
        in_c = True,
        parts = 4,
    ),
]

# Those of our own library that have no chapter yet, or whose chapter is not yet judged in it.
UNJUDGED = []

# That our own library has.
PRIMITIVES = [topic.name for topic in TOPICS if topic.primitive and topic.ours] + UNJUDGED

# Those of them that C has operation descriptors for.
IN_C = [topic.name for topic in TOPICS if topic.in_c and topic.ours] + UNJUDGED
