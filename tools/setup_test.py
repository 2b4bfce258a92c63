#!/usr/bin/env python3
"""tools/setup as it is, on a machine that has every program it looks for, except those that a test takes away."""
import pathlib
import re
import sys

sys.path.insert(0, ".")  # where tests run, the root of the repository
from tools.testing.command import ScriptTest, run_tests

# Installs what it is asked for: here, a program of the package's name.
APT_GET = """echo "$@" >>%(bin)s/log
test -z "$BROKEN" || { echo 'E: no such package' >&2; exit 100; }
for package; do :; done
test "$1" != install || ln -s /bin/true %(bin)s/$package"""


class Setup(ScriptTest):
    def setUp(self):
        super().setUp()
        self.link("bash", "env", "sed", "tail", "mktemp", "rm", "dirname", "head", "ln", "true")
        for program in ("g++", "python3", "zip", "unzip", "pkg-config", "glslangValidator", "spirv-val", "git",
                        "clang-format", "cmake", "npm"):
            self.script(self.bin / program, "exit 0")
        self.bazel("no_version")
        self.user(0)
        self.script(self.bin / "apt-get", APT_GET % {"bin": self.bin})
        self.log = self.write(self.bin / "log", "")

    def bazel(self, version):
        self.script(self.bin / "bazel", f"echo 'bazel {version}'")

    def user(self, number):
        self.script(self.bin / "id", f"echo {number}")

    def remove(self, program):
        (self.bin / program).unlink()

    def set_up(self, *arguments, **environment):
        return self.run_command("tools/setup", *arguments, **environment)

    def test_says_that_nothing_is_missing(self):
        self.expect(self.set_up(), 0, re.compile(r"\Asetup: nothing is missing \("))

    def test_says_nothing_when_quiet_and_nothing_is_missing(self):
        self.expect(self.set_up("--quiet"), 0, "", "")
        self.assertEqual(self.log.read_text(), "")

    def test_refuses_an_unknown_argument_in_one_line(self):
        self.expect(self.set_up("--everything"), 2, err=re.compile(r"\A.*'--everything'.*\n\Z"))

    def test_installs_exactly_what_is_missing(self):
        self.remove("zip")
        out = re.compile(r"\Asetup: installing what is missing: 1 of (.|\n)*\+ apt-get install")
        self.expect(self.set_up("--quiet"), 0, out)
        self.assertRegex(self.log.read_text(), r"\Aupdate .*\ninstall --yes .* zip\n\Z")

    def test_only_tells_when_it_shall_check(self):
        self.remove("zip")
        self.expect(self.set_up("--check"), 1, "setup: missing: zip\n")
        self.assertEqual(self.log.read_text(), "")

    def test_names_the_package_that_could_not_be_installed(self):
        self.remove("zip")
        err = re.compile("E: no such package(.|\n)*as root: apt-get install zip\n")
        self.expect(self.set_up(BROKEN="yes"), 1, err=err)

    def test_without_root_and_sudo_says_what_root_would_type(self):
        self.remove("zip")
        self.user(1000)
        err = "setup: not root, and there is no sudo; missing: zip; as root: apt-get install zip\n"
        self.expect(self.set_up(), 1, err=err)
        self.assertEqual(self.log.read_text(), "")

    def test_without_root_works_when_nothing_is_missing(self):
        self.user(1000)
        self.expect(self.set_up(), 0)

    def test_without_root_uses_sudo(self):
        self.remove("zip")
        self.user(1000)
        self.script(self.bin / "sudo", 'test "$1" = -n && shift\nexec "$@"')
        self.expect(self.set_up(), 0, re.compile(r"\+ sudo -n apt-get install"))
        self.assertIn(" zip\n", self.log.read_text())

    def test_does_not_wait_for_a_password_that_nobody_can_type(self):
        self.remove("zip")
        self.user(1000)
        self.script(self.bin / "sudo", "exit 1")
        self.expect(self.set_up(), 1, err=re.compile("sudo wants a password"))

    def test_does_without_what_is_optional(self):
        self.remove("npm")
        self.expect(self.set_up("--gate", BROKEN="yes"), 0, err=re.compile("doing without: npm"))

    def test_the_gate_takes_the_newest_clang_that_there_is(self):
        self.link("sort")
        self.script(self.bin / "apt-cache", "echo clang-9 - C; echo clang-14 - C; echo clang-13 - C")
        self.expect(self.set_up(), 0)
        self.assertEqual(self.log.read_text(), "")
        self.expect(self.set_up("--gate"), 0)
        self.assertIn(" clang-14\n", self.log.read_text())

    def test_leaves_libraries_to_a_bazel_that_fetches_them(self):
        debian = self.set_up().stdout
        self.bazel("7.7.1")
        registry = self.set_up()
        self.expect(registry, 0)
        self.assertNotEqual(registry.stdout, debian)

    def test_knows_every_package_that_the_build_asks_for(self):
        table = pathlib.Path("third_party/system/libraries.bzl").read_text()
        packages = " ".join(re.findall('apt = "([^"]+)"', table)).split()
        self.assertGreaterEqual(len(packages), 7)
        self.assertLessEqual(set(packages), set(self.set_up("--peers", "--list").stdout.splitlines()))

    def test_installs_peers_of_the_benchmark_only_where_they_are_asked_for(self):
        everything = self.set_up("--dev", "--list").stdout.splitlines()
        with_peers = self.set_up("--peers", "--list").stdout.splitlines()
        self.assertIn("libopenblas-dev", with_peers)
        self.assertNotIn("libopenblas-dev", everything)
        self.assertIn("g++", with_peers)


if __name__ == "__main__":
    run_tests()
