#!/usr/bin/env python3
"""Writes a registry of Bazel modules whose targets are the libraries of this machine.

usage: forward.py CHECKOUT REGISTRY [NAME@VERSION...]

For each bazel_dep of CHECKOUT/MODULE.bazel that third_party/system knows, the folder REGISTRY gets a
module of that name and version, made of aliases. NAME@VERSION are modules without a target: those that
Bazel's own tools mention and a build in C++ does not use. For

  bazel --registry=file://REGISTRY --repo_env=DNNSPEC_SYSTEM=1

Prints a line for each module. Exit status: 0 written, 1 not, 2 wrong usage.
"""
import json
import pathlib
import re
import sys
import types

# Bazel has these in itself, or the distribution's bazelrc points to its own.
OWN = {"platforms", "rules_cc"}


def constants(path):
    """The names that a .bzl file defines, read as the Python that it nearly is."""
    text = re.sub(r"(?ms)^load\(.*?\)$", "", path.read_text())
    names = {
        "json": types.SimpleNamespace(encode=json.dumps),
        "repository_rule": lambda **_: None,
        "attr": types.SimpleNamespace(string=lambda **_: None),
    }
    exec(compile(text, str(path), "exec"), names)
    return names


def packages(checkout):
    """Module -> package -> names of its targets."""
    system = checkout / "third_party/system"
    found = {
        name: {"": sorted(attrs["targets"])}
        for name, attrs in constants(system / "libraries.bzl")["SYSTEM_LIBRARIES"].items()
    }
    found["abseil-cpp"] = {
        "absl/" + package: [entry.split("=")[0] for entry in entries]
        for package, entries in constants(system / "absl.bzl")["_PUBLIC"].items()
    }
    return found


def write(registry, name, version, module, builds):
    source = registry / "src" / name
    for package, text in builds.items():
        (source / package).mkdir(parents=True, exist_ok=True)
        (source / package / "BUILD.bazel").write_text(text)
    (source / "MODULE.bazel").write_text(module)
    entry = registry / "modules" / name / version
    entry.mkdir(parents=True, exist_ok=True)
    (entry / "MODULE.bazel").write_text(module)
    (entry / "source.json").write_text(json.dumps({"type": "local_path", "path": name}) + "\n")
    print(name, version)


def main(arguments):
    if len(arguments) < 2 or any(arg.count("@") != 1 for arg in arguments[2:]):
        print("forward: usage: forward.py CHECKOUT REGISTRY [NAME@VERSION...]", file=sys.stderr)
        return 2
    checkout, registry = pathlib.Path(arguments[0]), pathlib.Path(arguments[1]).absolute()
    try:
        wanted = re.findall(
            r'^bazel_dep\(name = "([^"]+)", version = "([^"]+)"\)$',
            (checkout / "MODULE.bazel").read_text(),
            re.M,
        )
        known = packages(checkout)
        registry.mkdir(parents=True, exist_ok=True)
        (registry / "bazel_registry.json").write_text(
            json.dumps({"module_base_path": str(registry / "src")}) + "\n"
        )
        for name, version in wanted:
            if name in OWN:
                continue
            if name not in known:
                print(f"forward: third_party/system has no '{name}'", file=sys.stderr)
                return 1
            repository = "system_" + name.replace("-", "_")
            write(
                registry,
                name,
                version,
                f'module(name = "{name}", version = "{version}")\n'
                'bazel_dep(name = "dnnspec", version = "0")\n'
                'system = use_extension("@dnnspec//third_party/system:extensions.bzl", "system")\n'
                f'use_repo(system, "{repository}")\n',
                {
                    package: 'package(default_visibility = ["//visibility:public"])\n'
                    + "".join(
                        f'alias(name = "{target}", actual = "@{repository}//{package}:{target}")\n'
                        for target in targets
                    )
                    for package, targets in known[name].items()
                },
            )
        for stub in arguments[2:]:
            name, version = stub.split("@")
            write(registry, name, version, f'module(name = "{name}", version = "{version}")\n', {"": ""})
    except OSError as error:
        print(f"forward: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
