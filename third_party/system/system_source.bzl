"""Repository rule for the source of an installed Debian package, of just the version that is installed.

Debian's archives are not position independent: no shared library can be made of them. What tools/install
leaves is to need no Abseil and no Highway of the machine, so the distribution's own source packages are
compiled, against the headers that are installed. Where a source cannot be had (no network, no apt), or
where Debian has changed what is compiled, :static is empty, and the reason is the last line of BUILD.bazel.
"""

# Like apt-get itself, but with lists, a cache and sources of its own: it needs no root and changes nothing.
_DOWNLOAD = """\
set -eu
package=$(dpkg-query -W -f '${source:Package}' "$1")
version=$(dpkg-query -W -f '${source:Version}' "$1")
mkdir -p apt/state/lists/partial apt/cache/archives/partial apt/files
apt-get indextargets --format '$(CREATED_BY) deb-src $(REPO_URI) $(RELEASE) $(COMPONENT)' |
  sed -n 's/^Packages //p' | sort -u >apt/sources.list
room=$PWD/apt
cd apt/files
get() {
  apt-get -q -o Dir::State="$room/state" -o Dir::State::status=/var/lib/dpkg/status \\
    -o Dir::Cache="$room/cache" -o Dir::Etc::sourcelist="$room/sources.list" -o Dir::Etc::sourceparts=- \\
    -o Acquire::Retries=1 -o Acquire::http::Timeout=20 "$@" >&2
}
# A repository without sources does not matter, as long as another has the package.
get update || true
get source --download-only "$package=$version"
ls
"""

# Only what is compiled stays: headers are the installed ones, but for those that are included from beside.
# Not by ctx.extract: Bazel 4.2 of Debian 13 dies of it. A small system has no xz for tar.
_UNPACK = """\
set -eu
unpack() {
  mkdir "$2"
  tar -xf "$1" -C "$2" 2>/dev/null || python3 -m tarfile -e "$1" "$2"
}
unpack "apt/files/$1" upstream
unpack "apt/files/$2" packaging
mv upstream/*/* .
rm -rf apt upstream
find . -mindepth 2 -type f -not -name '*.cc' -not -path '*/cctz/src/*.h' -not -path './packaging/*' -delete
"""

def _changed_sources(ctx):
    """What Debian's patches change of that which is compiled, headers apart."""
    series = ctx.path("packaging/debian/patches/series")
    changed = []
    for patch in ctx.read(series).splitlines() if series.exists else []:
        file = ctx.path("packaging/debian/patches/" + patch)
        for line in ctx.read(file).splitlines() if patch and file.exists else []:
            words = line.split(" ")
            if len(words) > 1 and words[0] == "+++" and words[1].endswith(".cc"):
                path = words[1].partition("/")[2]
                if "_test" not in path and path.rpartition("/")[0] in ctx.attr.folders:
                    changed.append(path)
    return changed

def _fetch(ctx):
    """Returns why the source cannot be used; empty when it can."""
    if ctx.which("apt-get") == None or ctx.which("dpkg-query") == None:
        return "there is no apt-get on this machine"
    result = ctx.execute(["sh", "-c", _DOWNLOAD, "sh", ctx.attr.package], timeout = 180)
    if result.return_code != 0:
        complaints = [line for line in result.stderr.splitlines() if line.startswith("E: ")]
        return (complaints or ["E: apt-get source failed"])[-1][len("E: "):]
    files = result.stdout.splitlines()
    upstream = [file for file in files if ".orig.tar." in file]
    debian = [file for file in files if ".debian.tar." in file]
    if len(upstream) != 1 or len(debian) != 1:
        return "unknown files of a source package: " + " ".join(files)
    result = ctx.execute(["sh", "-c", _UNPACK, "sh", upstream[0], debian[0]])
    if result.return_code != 0:
        return "unknown contents of " + upstream[0]
    changed = _changed_sources(ctx)
    return "Debian has changed " + " ".join(changed) if changed else ""

_BUILD = """\
load("@rules_cc//cc:defs.bzl", "cc_library")

package(default_visibility = ["//visibility:public"])

cc_library(
    name = "static",
    srcs = glob(%r, exclude = %r, allow_empty = True),
    copts = ["-w"],
    linkstatic = True,
    deps = [%r],
)
# Not used: %s
"""

def _impl(ctx):
    # Looked at, so that another version of the package is fetched anew.
    ctx.path(ctx.attr.header)
    why = _fetch(ctx)
    srcs = [] if why else [folder + suffix for folder in ctx.attr.folders for suffix in ["/*.cc", "/*.h"]]
    ctx.file("BUILD.bazel", _BUILD % (srcs, ctx.attr.exclude, str(ctx.attr.headers), why))

system_source = repository_rule(
    implementation = _impl,
    attrs = {
        "exclude": attr.string_list(doc = "patterns of sources that are left out: tests"),
        "folders": attr.string_list(doc = "where the sources are"),
        "header": attr.label(doc = "an installed header that tells the version"),
        "headers": attr.label(doc = "the cc_library of the installed headers"),
        "package": attr.string(doc = "a Debian package that is built from the source"),
    },
)

def _no_source_impl(ctx):
    ctx.file("BUILD.bazel", 'load("@rules_cc//cc:defs.bzl", "cc_library")\n' +
                            'cc_library(name = "static", visibility = ["//visibility:public"])\n')

# In the place of a source where the library itself is compiled by Bazel: from the registry.
no_source = repository_rule(implementation = _no_source_impl)

_NO_PROGRAMS = ["**/*test*.cc", "**/*benchmark*.cc", "**/*mock*.cc", "**/time_tool.cc"]

def system_sources():
    """Declares the sources of what libdnnspec.so is linked with."""
    if not native.existing_rule("abseil_source"):
        system_source(
            name = "abseil_source",
            # Status keeps its payloads in a Cord, and that has everything else behind it.
            exclude = _NO_PROGRAMS,
            folders = ["absl/" + folder for folder in [
                "base",
                "base/internal",
                "crc",
                "crc/internal",
                "debugging",
                "debugging/internal",
                "numeric",
                "profiling/internal",
                "status",
                "status/internal",
                "strings",
                "strings/internal",
                "strings/internal/str_format",
                "synchronization",
                "synchronization/internal",
                "time",
                "time/internal/cctz/src",
                "types",
            ]],
            header = "@abseil-cpp//:include/absl/base/config.h",
            headers = "@abseil-cpp//:headers",
            package = "libabsl-dev",
        )
    if not native.existing_rule("highway_source"):
        system_source(
            name = "highway_source",
            # Debian has no header for the first; nobody asks for the others.
            exclude = _NO_PROGRAMS + ["hwy/stats.cc", "hwy/perf_counters.cc", "hwy/profiler.cc", "hwy/timer.cc"],
            folders = ["hwy"],
            header = "@highway//:include/hwy/base.h",
            headers = "@highway//:headers",
            package = "libhwy-dev",
        )
