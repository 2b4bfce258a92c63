#!/usr/bin/env python3
"""What tools/newer_bazel refuses, and the registry that tools/registry/forward.py makes for it."""
import pathlib
import re
import sys

sys.path.insert(0, ".")  # where tests run, the root of the repository
from tools.testing.command import SYSTEM, ScriptTest, run_tests


class NewerBazel(ScriptTest):
    def test_refuses_wrong_usage_in_one_line(self):
        for arguments in ([], ["--room"], ["--room="], ["--root=/x"], ["--room=/x", "--shell", "//api"]):
            result = self.run_command("tools/newer_bazel", *arguments, path=SYSTEM)
            self.expect(result, 2, err=re.compile(r"\A.*usage: tools/newer_bazel --room=DIR.*\n\Z"))


class Registry(ScriptTest):
    def forward(self, *arguments):
        return self.run_command("tools/registry/forward.py", *arguments, path=SYSTEM)

    def read(self, name):
        return (self.elsewhere / "registry" / name).read_text()

    def test_has_every_module_that_is_asked_for(self):
        """A new dependency of MODULE.bazel has to be one that the machine can serve."""
        result = self.forward(".", self.elsewhere / "registry", "stub@1.2")
        self.expect(result, 0)
        modules = re.findall(r'\nbazel_dep\(name = "([^"]+)", version = "([^"]+)"\)',
                             pathlib.Path("MODULE.bazel").read_text())
        modules = [module for module in modules if module[0] not in ("rules_cc", "platforms")]
        self.assertGreaterEqual(len(modules), 7)
        for name, version in modules:
            self.assertIn(f"{name} {version}\n", result.stdout)
            self.assertIn(f'module(name = "{name}", version = "{version}")',
                          self.read(f"modules/{name}/{version}/MODULE.bazel"))
            self.assertEqual(self.read(f"modules/{name}/{version}/source.json"),
                             f'{{"type": "local_path", "path": "{name}"}}\n')
        self.assertIn('"stub"', self.read("modules/stub/1.2/source.json"))

    def test_has_the_labels_of_the_libraries(self):
        self.expect(self.forward(".", self.elsewhere / "registry"), 0)
        self.assertIn('alias(name = "statusor", actual = "@system_abseil_cpp//absl/status:statusor")',
                      self.read("src/abseil-cpp/absl/status/BUILD.bazel"))
        self.assertIn('alias(name = "gtest_main", actual = "@system_googletest//:gtest_main")',
                      self.read("src/googletest/BUILD.bazel"))

    def test_says_what_it_cannot_serve(self):
        self.take("third_party/system/libraries.bzl", "third_party/system/absl.bzl")
        self.write(self.checkout / "MODULE.bazel", 'bazel_dep(name = "zlib", version = "1")\n')
        result = self.forward(self.checkout, self.elsewhere / "registry")
        self.expect(result, 1, err="forward: third_party/system has no 'zlib'\n")
        self.expect(self.forward("."), 2)
        self.expect(self.forward("/no/such/folder", self.elsewhere / "registry"), 1)


if __name__ == "__main__":
    run_tests()
