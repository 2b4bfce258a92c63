"""The one list of primitives. Whatever enumerates them is made from it."""

PRIMITIVES = [
    "reorder",
    "shuffle",
]
