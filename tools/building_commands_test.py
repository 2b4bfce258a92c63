#!/usr/bin/env python3
"""tools/report, tools/conform and tools/bench: they build, then hand everything on."""
import re
import sys

sys.path.insert(0, ".")  # where tests run, the root of the repository
from tools.testing.command import BuildingTest, run_tests

SAY = 'pwd; for a; do echo "<$a>"; done'


class Report(BuildingTest):
    tool, program, said = "report", "conformance/cli/report", SAY + "; exit 1"

    def test_hands_on_every_argument_from_where_it_was_called(self):
        result = self.call("diff", "a b.json", "c.json")
        self.expect(result, 1, f"{self.elsewhere}\n<diff>\n<a b.json>\n<c.json>\n", "")
        self.assertRegex(self.log.read_text(), r" //conformance/cli:report\n$")

    def test_fails_with_status_two_when_it_cannot_be_built(self):
        self.expect(self.call("text", BAZEL_EXIT="1"), 2, err="report: the build failed\n")
        self.expect(self.call("text", SETUP_EXIT="1"), 2)

    def test_explains_itself_without_a_build(self):
        for flag in ("--help", "-h"):
            out = re.compile(r"^usage: report COMMAND(.|\n)*usage or a file that is not a results file\.\n$")
            self.expect(self.call("text", flag, SETUP_EXIT="1", BAZEL_EXIT="1"), 0, out, "")

    def test_says_its_version_without_a_build(self):
        self.take("version.bzl")
        self.expect(self.call("--version", SETUP_EXIT="1"), 0, re.compile(r"^dnnspec [0-9.]+\n$"), "")


class Conform(BuildingTest):
    tool, program, said = "conform", "conformance/conform", SAY + '\necho "$DNNSPEC_NOT_BUILT"; exit 1'

    def setUp(self):
        super().setUp()
        self.runner = self.checkout / "bin/conformance/dnnspec_runner"
        self.script(self.runner, "")
        self.script(self.runner.with_name("dnnspec_shuffle_runner"), 'echo "the table of a chapter"; exit ${FIRST_EXIT:-0}')

    def test_builds_and_hands_on_every_argument_from_where_it_was_called(self):
        result = self.call("--filter=SHU 1", "--out=x")
        self.expect(result, 1, f"{self.elsewhere}\n<--filter=SHU 1>\n<--out=x>\n\n")
        self.assertEqual(self.built(), "conform not_built dnnspec_runner subjects_of_others")

    def built(self):
        """What the last build was of, in the package conformance."""
        return " ".join(re.findall(r"//conformance:(\w+)", self.log.read_text().splitlines()[-1]))

    def test_builds_what_the_subject_wants(self):
        for subject, built in {
            "--subject=cpu": "dnnspec_runner",
            "--subject=vulkan": "dnnspec_runner",
            "--subject=onednn": "subjects_of_others",
            "--subject=build/my_runner": "plugin_runner",
            "--plugin=./libmine.so": "plugin_runner",
        }.items():
            if "/" in subject:
                self.write(self.elsewhere / subject.split("=")[1], "")
            self.expect(self.call(subject, "--out=x"), 1, err="")
            self.assertEqual(self.built(), "conform not_built " + built)

    def test_looks_for_a_file_before_it_builds(self):
        for flag in ("--plugin=./none.so", "--subject=none/my_runner"):
            self.expect(self.call(flag), 2, "", f"conform: {flag}: there is no such file\n")
        self.assertFalse(self.log.exists())

    def test_judges_a_chapter_while_the_others_are_not_built(self):
        for arguments in ([], ["--subject=cpu", "--out=x"]):
            self.runner.unlink(missing_ok=True)
            result = self.call(*arguments, FIRST_EXIT="1")
            self.expect(result, 1, err=re.compile(r"\Aconform: the chapter shuffle .*\nthe table of a chapter\n\Z"))
            self.assertNotIn("the table", result.stdout)
        self.expect(self.call(FIRST_EXIT="3"), 3, "")
        self.write(self.elsewhere / "a.so", "")
        for argument in ("--plugin=./a.so", "--subject=onednn", "--subject=vulkan", "--topic=memory", "--list", "--case=x"):
            self.expect(self.call(argument), 1, err="")

    def test_prints_nothing_of_its_own_when_everything_is_there(self):
        self.expect(self.call(), 1, err="")

    def test_says_why_nothing_happens_the_first_time(self):
        (self.checkout / "bin" / self.program).unlink()
        self.assertIn("conform: building, which takes minutes", self.call().stderr)

    def test_fails_with_status_two_when_the_build_fails(self):
        for status in ("1", "37"):
            result = self.call(OTHERS_EXIT=status, BAZEL_EXIT="1")
            self.expect(result, 2, err="conform: the build failed\n")

    def test_judges_the_others_when_a_subject_does_not_compile(self):
        why = "onednn: it does not compile here: bazel build //conformance:onednn_runner shows why"
        self.expect(self.call(OTHERS_EXIT="1"), 1, re.compile(f"\n{why}\n$"))

    def test_fails_with_status_two_when_the_machine_lacks_something(self):
        self.expect(self.call(SETUP_EXIT="1"), 2)
        self.assertFalse(self.log.exists())


class Bench(BuildingTest):
    tool, program, said = "bench", "tools/benchmark/bench", SAY

    def test_builds_and_hands_on_every_argument_from_where_it_was_called(self):
        result = self.call("--filter=2-D f32", "--out=x")
        self.expect(result, 0, f"{self.elsewhere}\n<--filter=2-D f32>\n<--out=x>\n", "")
        self.assertRegex(self.log.read_text(), r" //tools/benchmark:bench\n$")

    def test_builds_peers_where_they_are_asked_for(self):
        self.expect(self.call("--peers"), 0, re.compile("\n<--peer=.*/bin/tools/benchmark/peers/xnnpack>\n"), "")
        self.assertRegex(self.log.read_text(), r" //tools/benchmark/peers:openblas\n")

    def test_refuses_peers_that_cannot_be_in_one_line(self):
        for arguments in (["--peer=onednn@/no/such"], ["--engine=gpu", "--peers"]):
            self.expect(self.call(*arguments), 2, err=re.compile(r"\Abench: .*\n\Z"))
        self.assertFalse(self.log.exists())

    def test_fails_with_status_two_when_the_build_fails(self):
        self.expect(self.call(BAZEL_EXIT="1"), 2, err="bench: the build failed\n")

    def test_says_why_nothing_happens_the_first_time(self):
        (self.checkout / "bin" / self.program).unlink()
        self.assertIn("bench: building, which takes minutes", self.call().stderr)

    def test_explains_itself_without_a_build(self):
        for flag in ("--help", "-h"):
            out = re.compile(r"^Measures reorder, shuffle, inner product, eltwise and convolution(.|\n)*nothing to measure with\.\n$")
            self.expect(self.call("--engine=gpu", flag, SETUP_EXIT="1", BAZEL_EXIT="1"), 0, out, "")


if __name__ == "__main__":
    run_tests()
