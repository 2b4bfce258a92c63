"""For tests of the scripts in tools: a checkout and a PATH of a test's own, and programs that run in them."""
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest
import xml.etree.ElementTree as ET

SYSTEM = "/usr/bin:/bin"  # the PATH of what needs more than a few programs


class ScriptTest(unittest.TestCase):
    """Each test has new empty folders: bin, the whole PATH of what it runs; checkout; elsewhere."""

    def setUp(self):
        root = pathlib.Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, root, ignore_errors=True)
        self.bin, self.checkout, self.elsewhere = (root / name for name in ("bin", "checkout", "elsewhere"))
        for folder in (self.bin, self.checkout, self.elsewhere):
            folder.mkdir()

    def link(self, *names):
        """Programs of this machine that exist, into bin."""
        for name in names:
            if found := shutil.which(name):
                (self.bin / name).symlink_to(found)

    def script(self, path, text):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("#!/bin/sh\n" + text + "\n")
        path.chmod(0o755)

    def write(self, path, text):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        return path

    def take(self, *names):
        """Files of this repository as they are, into checkout."""
        for name in names:
            (self.checkout / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(os.path.realpath(name), self.checkout / name)

    def run_command(self, *arguments, path=None, cwd=None, **environment):
        """With nothing on standard input, and no variable but PATH and `environment`."""
        return subprocess.run(
            [str(argument) for argument in arguments], cwd=cwd, stdin=subprocess.DEVNULL,
            env={"PATH": str(path or self.bin), **environment}, capture_output=True, text=True)

    def expect(self, result, status, out=None, err=None):
        """`out` and `err`: all of it, or what re.search finds if they are compiled patterns."""
        self.assertEqual(result.returncode, status, result.stdout + result.stderr)
        for wanted, got in ((out, result.stdout), (err, result.stderr)):
            if isinstance(wanted, str):
                self.assertEqual(got, wanted)
            elif wanted is not None:
                self.assertRegex(got, wanted)


# What scripts look for that build with Bazel and hand on: `info` says where its outputs are.
BAZEL = """test "$1" = info && { echo %(bin)s; exit; }
echo "$@" >>%(log)s
case "$*" in *subjects_of_others) exit ${OTHERS_EXIT:-0} ;; esac
exit ${BAZEL_EXIT:-0}"""


class BuildingTest(ScriptTest):
    """tools/<tool> as it is, and a build that makes `program`, which says what it is called with."""

    tool = program = said = None

    def setUp(self):
        super().setUp()
        self.link("bash", "env", "dirname", "tail", "sed")
        self.log = self.bin / "log"
        self.script(self.bin / "bazel", BAZEL % {"bin": self.checkout / "bin", "log": self.log})
        self.script(self.checkout / "tools/setup", "exit ${SETUP_EXIT:-0}")
        self.script(self.checkout / "bin" / self.program, self.said)
        self.take("tools/" + self.tool)

    def call(self, *arguments, **environment):
        return self.run_command(self.checkout / "tools" / self.tool, *arguments, cwd=self.elsewhere, **environment)


class Result(unittest.TextTestResult):
    """Also keeps the cases, in their order."""

    def __init__(self, *arguments, **keywords):
        super().__init__(*arguments, **keywords)
        self.cases = []

    def startTest(self, test):
        super().startTest(test)
        self.cases.append(test)


def run_tests():
    """unittest.main, which also writes each case to the test.xml that Bazel asks for: tools/tally.py adds those up."""
    result = unittest.main(exit=False, testRunner=unittest.TextTestRunner(resultclass=Result)).result
    failed = {getattr(test, "test_case", test): text for test, text in result.failures + result.errors}
    suite = ET.Element("testsuite")
    for test in dict.fromkeys([*result.cases, *failed]):
        case = ET.SubElement(suite, "testcase", classname=type(test).__name__, name=test.id().rpartition(".")[2])
        if test in failed:
            ET.SubElement(case, "failure").text = ascii(failed[test]).replace("\\n", "\n")
        elif test in dict(result.skipped):
            ET.SubElement(case, "skipped")
    if "XML_OUTPUT_FILE" in os.environ:
        ET.ElementTree(suite).write(os.environ["XML_OUTPUT_FILE"])
    sys.exit(0 if result.wasSuccessful() and result.cases else 1)
