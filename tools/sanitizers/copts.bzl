"""Flags for what the sanitizers make the compilers say."""

# g++ 12 warns about its own <regex> when a sanitizer is on; clang does not know the warning.
REGEX_COPTS = [
    "-Wno-unknown-warning-option",
    "-Wno-maybe-uninitialized",
]
