"""The version of this project; MODULE.bazel repeats it."""

VERSION = "0.1.0"
