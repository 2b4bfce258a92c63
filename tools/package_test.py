#!/usr/bin/env python3
"""tools/package as it is, with a build that is done already."""
import pathlib
import re
import sys

sys.path.insert(0, ".")  # where tests run, the root of the repository
from tools.testing.command import SYSTEM, ScriptTest, run_tests

LDD = r"""printf '\tlibabsl_base.so.1 => %s (0x0)\n\tlibc.so.6 => /lib/libc.so.6 (0x0)\n'
printf '\tlibstdc++.so.6 => /lib/libstdc++.so.6 (0x0)\n'"""


class Package(ScriptTest):
    def setUp(self):
        super().setUp()
        self.link("bash", "env", "sed", "mktemp", "rm", "dirname", "realpath", "cp", "mv", "mkdir", "chmod", "tar",
                  "gzip", "cat")
        self.script(self.bin / "bazel", f'test "$1" = info && echo {self.checkout}/bin\nexit ${{BAZEL_EXIT:-0}}')
        self.script(self.bin / "ldd", LDD % self.write(self.elsewhere / "libabsl_base.so.1", "absl"))
        self.script(self.checkout / "tools/setup", "exit 0")
        self.write(self.checkout / "version.bzl", 'VERSION = "1.2.3"\n')
        for program in ("conformance/cli/conform", "conformance/plugin_runner", "conformance/cli/report"):
            self.script(self.checkout / "bin" / program, "echo here")
        for file in ("api/spi/plugin_abi.h", "examples/plugin-c/vendor.c", "examples/plugin-c/vendor.claims",
                     "conformance/batches/net.shapes", "LICENSE"):
            self.write(self.checkout / file, f"contents of {file}\n")
        self.take("tools/package", *map(str, pathlib.Path("docs").glob("*.md")))
        self.archive = self.elsewhere / "x.tar.gz"

    def package(self, *arguments, **environment):
        return self.run_command(self.checkout / "tools/package", *arguments, **environment)

    def listing(self):
        self.expect(self.package(f"--out={self.archive}"), 0)
        return self.run_command("/bin/tar", "tzf", self.archive, path=SYSTEM).stdout

    def unpacked(self):
        """The archive's one folder."""
        self.expect(self.package(f"--out={self.archive}"), 0)
        self.expect(self.run_command("/bin/tar", "xzf", self.archive, "-C", self.elsewhere, path=SYSTEM), 0)
        return self.elsewhere / "dnnspec-1.2.3"

    def test_holds_programs_header_template_and_documents(self):
        listing = self.listing()
        for file in ("bin/conform", "libexec/plugin_runner", "bin/report", "lib/libabsl_base.so.1",
                     "include/api/spi/plugin_abi.h", "template/vendor.c", "template/vendor.claims",
                     "batches/net.shapes", "docs/claims.md", "README.md", "LICENSE"):
            self.assertIn(f"dnnspec-1.2.3/{file}\n", listing)

    def test_links_to_pages_that_it_holds(self):
        root = self.unpacked()
        pages = list(root.rglob("*.md"))
        targets = [page.parent / link for page in pages
                   for link in re.findall(r"\]\(([^)#]+)[^)]*\)", page.read_text())]
        # The archive's README lies elsewhere in the repository, so it names pages without a link.
        targets += [root / name for name in re.findall("`(docs/[a-z]+[.]md)`", (root / "README.md").read_text())]
        for target in targets:
            self.assertTrue(target.exists(), target)
        self.assertGreaterEqual(len(pages), 6)
        self.assertGreaterEqual(len(targets), 5)

    def test_starts_through_a_link_from_elsewhere(self):
        conform = self.unpacked() / "bin/conform"
        link = self.elsewhere / "conform"
        link.symlink_to(conform)
        for path in (conform, link):
            self.expect(self.run_command(path, path=SYSTEM, cwd="/"), 0, "here\n")

    def test_leaves_the_libraries_of_every_machine_out(self):
        self.assertNotRegex(self.listing(), r"libc\.so|libstdc\+\+")

    def test_is_the_same_bytes_the_second_time(self):
        self.expect(self.package(f"--out={self.archive}"), 0)
        first = self.archive.read_bytes()
        self.expect(self.package("--out", self.archive), 0)
        self.assertEqual(self.archive.read_bytes(), first)

    def test_leaves_nothing_when_the_build_fails(self):
        self.expect(self.package(f"--out={self.archive}", BAZEL_EXIT="1"), 1, err="package: the build failed\n")
        self.assertFalse(self.archive.exists())

    def test_refuses_in_one_line(self):
        for arguments, problem in (
            ([], "--out is missing"),
            (["--out"], "--out wants a file"),
            (["--out=x.zip"], "--out 'x.zip' does not end in .tar.gz"),
            (["--fast"], "unknown argument '--fast'"),
        ):
            err = f"package: {problem} (usage: tools/package --out=FILE.tar.gz)\n"
            self.expect(self.package(*arguments), 2, err=err)
        err = "package: /no/such is not a writable folder\n"
        self.expect(self.package("--out=/no/such/x.tar.gz"), 1, err=err)


if __name__ == "__main__":
    run_tests()
