#!/usr/bin/env python3
"""tools/try_primitive as it is, in a checkout of a few files, with a bazel that says what it is asked."""
import re
import shutil
import sys
import unittest

sys.path.insert(0, ".")  # where tests run, the root of the repository
from tools.testing.command import ScriptTest, run_tests

COUNTED = "negation: 2 files of its own, 3 shared files: CHANGELOG.md, api/dnnl.hpp, topics.bzl\n"


@unittest.skipUnless(shutil.which("git"), "tools/try_primitive copies what git knows, and git is not installed")
class TryPrimitive(ScriptTest):
    def setUp(self):
        super().setUp()
        self.link("env", "python3", "git", "chmod", "cat")
        self.take("tools/try_primitive")
        self.write(self.checkout / "topics.bzl", "TOPICS = [\n]\n")
        self.write(self.checkout / "CHANGELOG.md", "# Changelog\n\n- First.\n")
        self.write(self.checkout / "api/dnnl.hpp", '#include "oneapi/dnnl/reorder/reorder.hpp"\n')
        self.write(self.checkout / "tools/toy/api/negation/testing/interpret.h", "")
        self.write(self.checkout / "tools/toy/spec/negation/oracle.h", "")
        self.bazel("exit 0")
        self.run_command("git", "init", self.checkout)

    def bazel(self, text):
        self.script(self.bin / "bazel", f'echo "$*" >>{self.elsewhere}/asked; {text}')

    def asked(self):
        return (self.elsewhere / "asked").read_text()

    def try_it(self, *arguments):
        return self.run_command(self.checkout / "tools/try_primitive", *arguments)

    def test_counts_the_shared_files_that_it_changed(self):
        self.expect(self.try_it("--count"), 0, COUNTED)
        self.assertFalse((self.elsewhere / "asked").exists())

    def test_changes_the_copy_alone(self):
        self.try_it("--count")
        self.assertEqual((self.checkout / "topics.bzl").read_text(), "TOPICS = [\n]\n")
        self.assertFalse((self.checkout / "api/negation").exists())

    def test_fails_when_there_are_more_than_three(self):
        script = self.checkout / "tools/try_primitive"
        script.write_text(script.read_text().replace("MOST = 3", "MOST = 2"))
        self.expect(self.try_it("--count"), 1, err="try_primitive: 3 shared files are more than 2\n")

    def test_refuses_a_file_of_the_toy_that_is_nobodys_own(self):
        self.write(self.checkout / "tools/toy/api/model/negation.h", "")
        self.expect(self.try_it("--count"), 1, err=re.compile("api/model/negation.h is in no folder of the toy's own"))

    def test_refuses_to_overwrite(self):
        self.write(self.checkout / "spec/negation/oracle.h", "")
        self.expect(self.try_it("--count"), 1, err="try_primitive: spec/negation/oracle.h is there already\n")

    def test_says_where_an_edit_fits_no_more(self):
        self.write(self.checkout / "api/dnnl.hpp", "")
        self.expect(self.try_it("--count"), 1, err=re.compile("api/dnnl.hpp has no line that begins with"))

    def test_builds_what_is_the_toys_own(self):
        self.bazel("cat topics.bzl")
        result = self.try_it("--build")
        self.expect(result, 0, re.compile('"negation",\n(.*\n)*negation: built\n'))
        self.assertIn(" build ", self.asked())
        self.assertIn(" //conformance/negation/...", self.asked())

    def test_judges_both_engines_and_a_mutant(self):
        self.expect(self.try_it(), 0, re.compile("negation: passes, and its mutant dies\n$"))
        for target in ("cpu_negation_test", "vulkan_negation_test", "mutants:negation_test"):
            self.assertIn(target, self.asked())

    def test_fails_with_bazel(self):
        self.bazel("exit 3")
        self.expect(self.try_it(), 1, re.compile("negation: failed\n$"))

    def test_refuses_other_arguments(self):
        self.expect(self.try_it("--nix"), 2, "", re.compile("^try_primitive: unknown arguments --nix"))


if __name__ == "__main__":
    run_tests()
