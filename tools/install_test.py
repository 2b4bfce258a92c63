#!/usr/bin/env python3
"""tools/install as it is, with a build that is done already."""
import re
import sys

sys.path.insert(0, ".")  # where tests run, the root of the repository
from tools.testing.command import ScriptTest, run_tests

# Moves files, but not the fourth.
BROKEN_MV = """n=$(cat %(bin)s/count 2>/dev/null || echo 0)
echo $((n + 1)) >%(bin)s/count
test $n -ne 3 || exit 1
exec /bin/mv "$@\""""


class Install(ScriptTest):
    def setUp(self):
        super().setUp()
        self.link("bash", "env", "sed", "mktemp", "rm", "rmdir", "dirname", "realpath", "cp", "mv", "ln", "mkdir",
                  "chmod", "find", "sort", "grep", "cat", "paste")
        self.script(self.bin / "bazel", f'test "$1" = info && echo {self.checkout}/bin\nexit ${{BAZEL_EXIT:-0}}')
        self.script(self.checkout / "tools/setup", "exit 0")
        self.built("include/dnnl.hpp", "// DNNSPEC umbrella\n")
        self.built("include/oneapi/dnnl/dnnl.hpp", "// DNNSPEC\n")
        self.built("libdnnspec.so", "library")
        self.write(self.checkout / "version.bzl", '"""Doc."""\n\nVERSION = "1.2.3"\n')
        self.write(self.checkout / "api/types/dnnl_version.h", "#define DNNL_VERSION_MAJOR 2\n#define DNNL_VERSION_MINOR 6\n"
                   '#define DNNL_VERSION_PATCH 3\n#define DNNL_VERSION_HASH "dnnspec"\n')
        self.take("tools/install", *(f"tools/packaging/{name}.in" for name in (
            "config-version.cmake", "dnnl-config.cmake", "dnnspec-config.cmake", "dnnspec.pc")))
        self.prefix = self.elsewhere / "a/b"

    def built(self, name, text):
        self.write(self.checkout / "bin/tools/packaging" / name, text)

    def install(self, *arguments, **environment):
        arguments = arguments or (f"--prefix={self.prefix}",)
        return self.run_command(self.checkout / "tools/install", *arguments, **environment)

    def install_as_dnnl(self):
        return self.install(f"--prefix={self.prefix}", "--as-dnnl")

    def files(self):
        """Every file and link below the prefix."""
        return sorted(str(path.relative_to(self.prefix)) for path in self.prefix.rglob("*")
                      if path.is_symlink() or not path.is_dir())

    def read(self, name):
        return (self.prefix / name).read_text()

    def test_lays_down_headers_library_and_what_finds_them(self):
        self.expect(self.install(), 0)
        self.assertEqual(self.files(), [
            "include/dnnl.hpp", "include/oneapi/dnnl/dnnl.hpp", "lib/cmake/dnnspec/dnnspec-config-version.cmake",
            "lib/cmake/dnnspec/dnnspec-config.cmake", "lib/libdnnspec.so", "lib/libdnnspec.so.1",
            "lib/libdnnspec.so.1.2.3", "lib/pkgconfig/dnnspec.pc"])
        self.assertEqual(self.read("lib/libdnnspec.so"), "library")
        for file, texts in {
            "pkgconfig/dnnspec.pc": ["Version: 1.2.3\n", "Libs: -L${libdir} -ldnnspec\n"],
            "cmake/dnnspec/dnnspec-config.cmake": ['/lib/libdnnspec.so.1.2.3"\n', '"libdnnspec.so.1"\n'],
            "cmake/dnnspec/dnnspec-config-version.cmake": ['(PACKAGE_VERSION "1.2.3")', ' "1." '],
        }.items():
            for text in texts:
                self.assertIn(text, self.read("lib/" + file))

    def test_names_no_place_in_what_it_writes(self):
        self.expect(self.install_as_dnnl(), 0)
        for file in self.files():
            self.assertNotIn(str(self.elsewhere), self.read(file), file)
            self.assertNotIn("@", self.read(file), file)

    def test_before_version_one_a_minor_version_serves_itself_only(self):
        self.write(self.checkout / "version.bzl", 'VERSION = "0.4.2"\n')
        self.expect(self.install(), 0)
        self.assertIn(' "0.4." ', self.read("lib/cmake/dnnspec/dnnspec-config-version.cmake"))

    def test_is_found_as_onednn_where_that_is_asked_for(self):
        self.expect(self.install_as_dnnl(), 0)
        self.assertIn("lib/cmake/dnnl/dnnl-config.cmake", self.files())
        self.assertIn('(PACKAGE_VERSION "2.6.3")', self.read("lib/cmake/dnnl/dnnl-config-version.cmake"))

    def test_leaves_the_cmake_package_of_another_onednn_alone(self):
        file = self.write(self.prefix / "lib/cmake/dnnl/dnnl-config.cmake", "# of somebody else\n")
        self.expect(self.install_as_dnnl(), 1, err=f"install: {file} belongs to another oneDNN\n")

    def test_says_that_the_library_needs_the_abseil_of_this_system(self):
        self.assertNotIn("Abseil", self.install().stdout)
        self.built("libdnnspec.so", "x libabsl_status.so.20220623 x")
        self.assertIn("needs this system's Abseil", self.install().stdout)

    def test_leaves_nothing_else_behind(self):
        self.install("--prefix", self.prefix)
        self.assertEqual([path.name for path in self.elsewhere.iterdir()], ["a"])

    def test_replaces_what_an_earlier_run_left(self):
        self.install()
        self.built("libdnnspec.so", "newer")
        self.expect(self.install(), 0)
        self.assertEqual(self.read("lib/libdnnspec.so"), "newer")

    def test_leaves_the_headers_of_another_onednn_alone(self):
        file = self.write(self.prefix / "include/dnnl.hpp", "// of somebody else\n")
        self.expect(self.install(), 1, err=f"install: {file} belongs to another oneDNN\n")
        self.assertEqual(self.files(), ["include/dnnl.hpp"])

    def test_installs_nothing_where_a_file_is_in_the_way(self):
        file = self.write(self.prefix / "lib", "")
        self.expect(self.install(), 1, err=f"install: {file} is not a writable folder\n")
        self.assertEqual(self.files(), ["lib"])

    def test_refuses_a_prefix_below_a_file(self):
        file = self.write(self.elsewhere / "file", "")
        self.expect(self.install(f"--prefix={file}/x"), 1, err=f"install: {file} is not a folder\n")

    def test_installs_nothing_when_the_build_fails(self):
        self.expect(self.install(BAZEL_EXIT="1"), 1, err="install: the build failed\n")
        self.assertEqual(list(self.elsewhere.iterdir()), [])

    def break_mv(self):
        (self.bin / "mv").unlink()
        self.script(self.bin / "mv", BROKEN_MV % {"bin": self.bin})

    def test_undoes_what_it_did_when_the_disk_fails_half_way(self):
        self.break_mv()
        self.expect(self.install(), 1, err=re.compile("it is as it was\n"))
        self.assertEqual(list(self.elsewhere.iterdir()), [])

    def test_undoes_a_replacement_too(self):
        self.install()
        self.built("include/dnnl.hpp", "// DNNSPEC newer\n")
        before = self.files()
        self.break_mv()
        self.expect(self.install(), 1)
        self.assertEqual(self.files(), before)
        self.assertEqual(self.read("include/dnnl.hpp"), "// DNNSPEC umbrella\n")

    def test_refuses_wrong_usage_in_one_line(self):
        usage = re.compile(r"\A.*usage: tools/install --prefix=DIR.*\n\Z")
        self.expect(self.run_command(self.checkout / "tools/install"), 2, err=usage)
        for argument in ("--prefix", "--prefix=", "--to=/x", "--prefix=/a b"):
            self.expect(self.install(argument), 2, err=usage)


if __name__ == "__main__":
    run_tests()
