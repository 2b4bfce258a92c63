#!/usr/bin/env python3
"""tools/gate, tools/test, tools/tally.py, tools/format and tools/newest_compiler, over steps that end as a test wants."""
import itertools
import json
import re
import sys

sys.path.insert(0, ".")  # where tests run, the root of the repository
from tools.testing.command import SYSTEM, ScriptTest, run_tests

PYTHON_TEST = """import unittest
from tools.testing.command import run_tests

class Some(unittest.TestCase):
    def test_right(self):
        pass
    def test_wrong(self):
        self.fail("\\33 no character of XML")
    def test_in_parts(self):
        for part in range(3):
            with self.subTest(part):
                self.assertEqual(part, 1)
    def test_not_here(self):
        self.skipTest("why")

run_tests()
"""


class Tally(ScriptTest):
    passed = "<testcase name='a' status='run' result='completed' classname='S'/>"
    skipped = "<testcase name='b' status='run' result='skipped' classname='S'><skipped/></testcase>"
    failed = "<testcase name='c' status='run' result='completed' classname='S'><failure/></testcase>"
    disabled = "<testcase name='d' status='notrun' result='suppressed'/>"
    numbers = itertools.count()

    def result(self, label, status, cases, shard=1):
        """A test.xml, and the event that a finished test leaves."""
        xml = self.write(self.elsewhere / f"xml{next(self.numbers)}",
                         f"<testsuites><testsuite name='S'>{cases}</testsuite></testsuites>")
        output = [{"name": "test.xml", "uri": f"file://{xml}"}]
        return json.dumps({"id": {"testResult": {"label": label, "run": 1, "attempt": 1, "shard": shard}},
                           "testResult": {"status": status, "testActionOutput": output}}) + "\n"

    def add(self, events, lines):
        path = self.write(self.elsewhere / "events", events)
        file = self.write(self.elsewhere / "tally", f"events {path}\n{lines}")
        return self.run_command("tools/tally.py", file, path=SYSTEM)

    def expect_sum(self, status, out, events, lines):
        self.expect(self.add(events, lines), status, out)

    def test_adds_cases_of_targets_and_shards(self):
        events = (self.result("//a:t", "PASSED", self.passed * 2) + self.result("//b:t", "PASSED", self.passed, 1)
                  + self.result("//b:t", "PASSED", self.passed + self.skipped, 2))
        self.expect_sum(0, "skipped: //b:t S.b\n4 passed, 0 failed, 1 skipped\n", events, "status 0 bazel test //...\n")

    def test_puts_many_skips_of_one_target_in_one_line(self):
        events = self.result("//a:t", "PASSED", self.skipped * 2 + self.passed)
        self.expect_sum(0, "skipped: //a:t: 2 cases\n1 passed, 0 failed, 2 skipped\n", events, "status 0 bazel test\n")

    def test_names_what_failed(self):
        events = self.result("//a:t", "FAILED", self.passed + self.failed)
        self.expect_sum(1, "FAILED: //a:t S.c\n1 passed, 1 failed, 0 skipped\n", events, "status 3 bazel test //...\n")

    def test_counts_a_target_that_died_after_its_cases_passed(self):
        events = self.result("//a:t", "TIMEOUT", self.passed)
        self.expect_sum(1, "FAILED: //a:t TIMEOUT\n1 passed, 1 failed, 0 skipped\n", events, "status 3 bazel test\n")

    def test_does_not_count_disabled_cases(self):
        events = self.result("//a:t", "PASSED", self.passed + self.disabled)
        self.expect_sum(0, "1 passed, 0 failed, 0 skipped\n", events, "status 0 bazel test\n")

    def test_counts_a_build_that_failed(self):
        out = "FAILED: bazel test //... (exit status 1)\n0 passed, 1 failed, 0 skipped\n"
        self.expect_sum(1, out, "", "status 1 bazel test //...\n")

    def test_fails_when_nothing_ran(self):
        self.expect(self.add("", "status 4 bazel test //...\n"), 1)

    def test_fails_when_bazel_says_so_and_no_event_does(self):
        result = self.add(self.result("//a:t", "PASSED", self.passed), "status 3 bazel test //...\n")
        self.expect(result, 1, re.compile("\n1 passed, 1 failed, 0 skipped\n$"))

    def test_counts_an_incompatible_target_as_skipped(self):
        event = {"id": {"targetCompleted": {"label": "//b:t"}}, "aborted": {"reason": "SKIPPED"}}
        result = self.add(self.result("//a:t", "PASSED", self.passed) + json.dumps(event) + "\n", "status 0 bazel test\n")
        self.expect(result, 0, re.compile("\n1 passed, 0 failed, 1 skipped\n$"))

    def test_adds_steps_that_are_not_bazel_tests(self):
        lines = "status 0 bazel test\npass tools/format --check\nskip a b\nfail examples/pkg-config\n"
        out = "skipped: a b\nFAILED: examples/pkg-config\n1 passed, 1 failed, 1 skipped\n"
        self.expect_sum(1, out, "", lines)

    def test_survives_half_an_event(self):
        result = self.add(self.result("//a:t", "PASSED", self.passed) + '{"id":{', "status 38 bazel test //...\n")
        self.expect(result, 1, re.compile("\n1 passed, 1 failed, 0 skipped\n$"))

    def test_counts_the_cases_of_tests_in_python(self):
        self.take("tools/testing/command.py")
        test = self.write(self.checkout / "t.py", PYTHON_TEST)
        xml = self.elsewhere / "test.xml"
        self.expect(self.run_command("python3", test, path=SYSTEM, XML_OUTPUT_FILE=str(xml)), 1)
        cases = xml.read_text().removeprefix("<testsuite>").removesuffix("</testsuite>")
        out = "skipped: //a:t Some.test_not_here\nFAILED: //a:t Some.test_in_parts\nFAILED: //a:t Some.test_wrong\n"
        self.expect_sum(1, out + "1 passed, 2 failed, 1 skipped\n", self.result("//a:t", "FAILED", cases), "")

    def test_refuses_wrong_usage_in_one_line(self):
        self.expect(self.run_command("tools/tally.py", path=SYSTEM), 2, err="tally: usage: tally.py FILE\n")


class Gate(ScriptTest):
    """tools/gate and .ci/run as they are."""

    steps = ("setup", "format", "check_includes", "try_primitive", "check_cache", "newest_compiler")

    def setUp(self):
        super().setUp()
        for step in self.steps:
            self.end(step, 0)
        self.compiler("g++", "12")
        self.leave_tests("pass one")
        self.take("tools/gate", "tools/tally.py", ".ci/run")

    def end(self, step, status):
        self.script(self.checkout / "tools" / step, f"exit {status}")

    def leave_tests(self, line):
        self.script(self.checkout / "tools/test", f"echo '{line}' >>${{1#--tally=}}\necho seed $RC_PARAMS flags $2")

    def compiler(self, name, version):
        self.script(self.bin / name, f"echo {version}")

    def gate(self, *arguments, command="tools/gate", **environment):
        return self.run_command(self.checkout / command, *arguments, path=f"{self.bin}:{SYSTEM}", **environment)

    def test_adds_up_every_step_and_is_what_ci_runs(self):
        gate, ci = self.gate(), self.gate(command=".ci/run")
        self.expect(gate, 0, re.compile("\n6 passed, 0 failed, 0 skipped\n$"))
        self.expect(ci, 0, gate.stdout)

    def test_fails_with_any_step(self):
        self.end("format", 1)
        result = self.gate(command=".ci/run")
        self.expect(result, 1, re.compile("\n5 passed, 1 failed, 0 skipped\n$"))
        self.assertIn("FAILED: tools/format --check\n", result.stdout)

    def test_fails_with_any_test(self):
        self.leave_tests("fail one")
        self.expect(self.gate(), 1)

    def test_goes_on_after_a_failure_to_show_all_of_them(self):
        self.end("check_includes", 2)
        self.end("check_cache", 1)
        self.leave_tests("fail one")
        self.expect(self.gate(), 1, re.compile("\n3 passed, 3 failed, 0 skipped\n$"))

    def test_skips_what_cannot_be_tried_here(self):
        self.end("format", 3)
        self.expect(self.gate(), 0, re.compile("skipped: tools/format --check\n"))

    def test_draws_the_same_cases_every_time(self):
        self.assertIn("\nseed seed=", self.gate().stdout)

    def test_warnings_are_errors_with_a_compiler_that_it_knows(self):
        self.assertIn(" flags --werror\n", self.gate().stdout)
        self.compiler("clang++", "14.0.6")
        self.assertIn(" flags --werror\n", self.gate(CXX="clang++").stdout)

    def test_warnings_of_a_newer_compiler_are_no_errors(self):
        self.compiler("g++", "14")
        self.assertIn(" flags\n", self.gate().stdout)
        self.compiler("clang++", "22.1.8")
        self.assertIn(" flags\n", self.gate(CXX="clang++").stdout)

    def test_refuses_arguments_in_one_line(self):
        self.expect(self.gate("--fast"), 2, err="gate: unknown argument '--fast' (usage: tools/gate)\n")


class Test(ScriptTest):
    """tools/test as it is, with a setup and a bazel that write down what they are called with."""

    def setUp(self):
        super().setUp()
        self.link("bash", "env", "sed", "mktemp", "rm", "dirname", "realpath", "cp", "mkdir", "mv", "python3")
        self.log = self.write(self.bin / "log", "")
        self.script(self.bin / "bazel", f'echo "$@" >>{self.log}\n'
                    "for a; do case $a in --build_event_json_file=*) : >${a#*=}; esac; done\nexit ${BAZEL_EXIT:-0}")
        self.script(self.checkout / "tools/setup", "exit ${SETUP_EXIT:-0}")
        for example in ("pkg-config", "cmake"):
            self.script(self.checkout / f"examples/{example}/run",
                        f'test -d "$1" && echo {example} >>{self.log}\nexit ${{EXAMPLE_EXIT:-0}}')
        self.script(self.checkout / "tools/install", f'echo install "$2" >>{self.log}\n'
                    'mkdir -p "${1#--prefix=}"\nexit ${INSTALL_EXIT:-0}')
        self.write(self.checkout / "examples/consumer/WORKSPACE", "")
        self.take("tools/test", "tools/tally.py")

    def call(self, *arguments, **environment):
        return self.run_command(self.checkout / "tools/test", *arguments, **environment)

    def test_runs_everything_and_the_examples_by_default(self):
        self.expect(self.call(), 0, re.compile("\n2 passed, 0 failed, 0 skipped\n$"))
        caps = [f" --test_env={cap} " for cap in ("DNNSPEC_MAX_ISA", "ONEDNN_MAX_CPU_ISA", "DNNL_MAX_CPU_ISA")]
        for text in [" //...\n", "--symlink_prefix=/", *caps, "install --as-dnnl\npkg-config\ncmake\n"]:
            self.assertIn(text, self.log.read_text())

    def test_counts_what_cannot_be_tried_without_bazel(self):
        self.assertIn("skipped: examples/cmake\n", self.call(EXAMPLE_EXIT="3", BAZEL_EXIT="4").stdout)
        self.assertRegex(self.call(EXAMPLE_EXIT="1").stdout, "\n0 passed, 2 failed, 0 skipped\n$")
        self.assertIn("FAILED: tools/install\n", self.call(INSTALL_EXIT="1").stdout)

    def test_runs_every_example_as_a_project_of_its_own(self):
        for example in ("vendor-spi", "vendor-own-header"):
            self.write(self.checkout / f"examples/{example}/WORKSPACE", "")
        self.script(self.checkout / "examples/package/run", f'echo "run $2" >>{self.log}')
        self.script(self.checkout / "tools/package", f"echo package >>{self.log}")
        self.expect(self.call(), 0, re.compile("\n3 passed, 0 failed, 0 skipped\n$"))
        self.assertIn(" --config=null //:null_conformance\n", self.log.read_text())
        self.assertIn("package\nrun --cases=300\n", self.log.read_text())

    def expect_called(self, end, *arguments, **environment):
        self.call(*arguments, **environment)
        self.assertTrue(self.log.read_text().endswith(end), self.log.read_text())

    def test_runs_only_the_targets_that_are_named(self):
        self.expect_called(" -c dbg //api/...\n", "-c", "dbg", "//api/...")

    def test_runs_every_target_with_flags_alone(self):
        self.expect_called(" --config=asan //...\n", "--config=asan")

    def test_is_quiet_in_ci(self):
        self.expect_called(" --config=ci //api/...\n", "//api/...", CI="true")

    def test_fails_when_the_build_fails(self):
        self.expect(self.call(BAZEL_EXIT="1"), 1, re.compile("\n2 passed, 2 failed, 0 skipped\n$"))

    def test_does_nothing_on_a_machine_that_lacks_something(self):
        self.expect(self.call(SETUP_EXIT="1"), 2)
        self.assertEqual(self.log.read_text(), "")

    def test_adds_to_a_tally_instead_of_the_last_line(self):
        tally = self.elsewhere / "tally"
        self.assertNotIn(" passed, ", self.call(f"--tally={tally}").stdout)
        self.assertIn("status 0 bazel test //...\n", tally.read_text())
        self.assertIn("pass examples/pkg-config\n", tally.read_text())

    def test_warnings_are_errors_only_when_that_is_asked_for(self):
        self.call(f"--tally={self.elsewhere / 'tally'}")
        self.assertNotIn("werror", self.log.read_text())
        self.call(f"--tally={self.elsewhere / 'tally'}", "--werror")
        self.assertIn(" --config=werror //...\n", self.log.read_text())
        self.assertIn("install --as-dnnl\n", self.log.read_text())

    def test_refuses_a_tally_without_a_file_in_one_line(self):
        self.expect(self.call("--tally"), 2, err=re.compile(r"^test: --tally wants a file .*\n$"))


class Format(ScriptTest):
    """tools/format as it is, with formatters that want "good" where "bad" stands."""

    def setUp(self):
        super().setUp()
        self.link("bash", "env", "sed", "dirname", "nproc", "sort", "xargs", "cmp", "sh", "mkdir", "tail", "cat")
        self.script(self.bin / "git", """test "$1" = rev-parse && { echo true; exit; }
for a; do case $a in
  '*.cc') printf 'a.cc\\nfolder/b.cc\\ndeleted.cc\\n' ;;
  '*.bazel') echo BUILD.bazel ;;
esac; done""")
        self.script(self.bin / "clang-format", """case $1 in
  --version) echo "Debian clang-format version ${CLANG:-14.0.6}" ;;
  -i) shift; for f; do sed -i s/bad/good/ $f; done ;;
  *) sed s/bad/good/ $1 ;;
esac""")
        self.script(self.bin / "buildifier", """case $1 in
  --version) echo 'buildifier version: 8.2.1' ;;
  -mode=fix) sed -i s/bad/good/ $2 ;;
  *) test $(cat $2) = good || { echo "$2 # reformat"; exit 4; } ;;
esac""")
        self.good("a.cc", "folder/b.cc", "BUILD.bazel")
        self.take("tools/format")

    def good(self, *names, word="good"):
        for name in names:
            self.write(self.checkout / name, word + "\n")

    def format(self, *arguments, **environment):
        return self.run_command(self.checkout / "tools/format", *arguments, HOME=str(self.elsewhere), **environment)

    def test_accepts_what_is_formatted(self):
        self.expect(self.format("--check"), 0, "format: 2 C++ files, 1 Bazel files\n")

    def test_names_a_file_and_leaves_it(self):
        for name, line in (("folder/b.cc", "\n  folder/b.cc\n"), ("BUILD.bazel", "BUILD.bazel # reformat\n")):
            self.good(name, word="bad")
            self.expect(self.format("--check"), 1, err=re.compile(line))
            self.assertEqual((self.checkout / name).read_text(), "bad\n")
            self.good(name)

    def test_rewrites_what_is_not_formatted(self):
        self.good("folder/b.cc", "BUILD.bazel", word="bad")
        self.expect(self.format(), 0)
        self.assertEqual((self.checkout / "folder/b.cc").read_text(), "good\n")
        self.assertEqual((self.checkout / "BUILD.bazel").read_text(), "good\n")
        self.expect(self.format("--check"), 0)

    def test_refuses_a_clang_format_that_writes_otherwise(self):
        err = "format: clang-format 14 was not found: tools/setup --gate\n"
        self.expect(self.format("--check", CLANG="15.0.0"), 2, err=err)

    def test_without_buildifier_says_so_and_still_names_cpp_files(self):
        (self.bin / "buildifier").unlink()
        self.expect(self.format("--check"), 3, err=re.compile("1 Bazel files not checked\n"))
        self.good("a.cc", word="bad")
        self.expect(self.format("--check"), 1)

    def test_fetches_buildifier_once_into_the_users_cache(self):
        (self.bin / "buildifier").unlink()
        programs = self.elsewhere / ".cache/dnnspec/buildifier-8.2.1/node_modules/.bin"
        self.script(self.bin / "npm", f'echo "$@" >>{self.bin}/log\nmkdir -p {programs}\n'
                    f"printf '#!/bin/sh\\nexit 0\\n' >{programs}/buildifier\n/bin/chmod +x {programs}/buildifier")
        for _ in range(2):
            self.expect(self.format("--check"), 0)
        self.assertRegex((self.bin / "log").read_text(), r"^install [^\n]* @bazel/buildifier@8\.2\.1\n$")

    def test_refuses_an_unknown_argument_in_one_line(self):
        err = "format: unknown arguments '--fix' (usage: tools/format [--check])\n"
        self.expect(self.format("--fix"), 2, err=err)


class NewestCompiler(ScriptTest):
    """tools/newest_compiler as it is, with compilers and a bazel that compile nothing."""

    def setUp(self):
        super().setUp()
        self.link("bash", "env", "dirname", "sed", "sort", "head")
        self.log = self.write(self.bin / "log", "")
        self.script(self.bin / "bazel", f'echo "$@" >>{self.log}\nexit ${{BAZEL_EXIT:-0}}')
        for name in ("clang++-9", "clang++-14", "clang++-14.0", "clang++"):
            self.script(self.bin / name, "exit 0")

    def compile(self, *arguments, **environment):
        return self.run_command("tools/newest_compiler", *arguments, **environment)

    def test_is_the_clang_with_the_highest_number_and_keeps_its_objects_apart(self):
        self.expect(self.compile(), 0, "newest_compiler: clang++-14\n")
        for text in ("--repo_env=CXX=clang++-14 ", "--platform_suffix=-clang-14 ",
                     " //api //impl_cpu //impl_vulkan //conformance:once\n"):
            self.assertIn(text, self.log.read_text())
        self.compile("//spec")
        self.assertTrue(self.log.read_text().endswith(" //spec\n"))

    def test_checks_includes_and_headers(self):
        self.compile("//api/model")
        for text in ("--features=layering_check ", "parsed.bzl%parsed_files --output_groups=parsed_files "):
            self.assertIn(text, self.log.read_text())

    def test_compiles_when_asked(self):
        self.compile("--compile", "//api/model")
        for text in ("--output_groups=+parsed_files ", " //api/model\n"):
            self.assertIn(text, self.log.read_text())

    def test_fails_when_the_build_does(self):
        self.expect(self.compile(BAZEL_EXIT="1"), 1)

    def test_says_that_there_is_none(self):
        for name in ("clang++-9", "clang++-14"):
            (self.bin / name).unlink()
        self.expect(self.compile(), 3)
        self.assertEqual(self.log.read_text(), "")

    def test_refuses_a_flag_in_one_line(self):
        err = "newest_compiler: unknown argument '--fast' (usage: tools/newest_compiler [--compile] [TARGET...])\n"
        self.expect(self.compile("--fast"), 2, err=err)


if __name__ == "__main__":
    run_tests()
