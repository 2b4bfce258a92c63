"""EVERY_PACKAGE: for a package_group, the packages of this repository and of all that use it."""

# From Bazel 6 on, "//..." is this repository alone, and what it meant before is called "public".
EVERY_PACKAGE = ["public"] if hasattr(native, "module_name") else ["//..."]
