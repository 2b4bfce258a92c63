#!/usr/bin/env python3
"""tools/check_includes as it is, in a checkout of a few targets, with a bazel that describes them."""
import re
import sys

sys.path.insert(0, ".")  # where tests run, the root of the repository
from tools.testing.command import ScriptTest, run_tests


def rule(name, sources="", headers="", deps="", more=""):
    """A rule of the query's answer."""
    lists = "".join(
        f"<list name='{attribute}'>" + "".join(f"<label value='{label}'/>" for label in labels.split()) + "</list>"
        for attribute, labels in (("srcs", sources), ("hdrs", headers), ("deps", deps)))
    return f"<rule class='cc_library' name='{name}'>{lists}{more}</rule>"


class CheckIncludes(ScriptTest):
    def setUp(self):
        super().setUp()
        self.link("env", "python3", "cat")
        self.take("tools/check_includes")
        self.write(self.checkout / "third_party/system/absl.bzl",
                   '_PUBLIC = {\n    "strings": ["str_format", "strings"],\n}\n')
        self.write(self.checkout / "a/low.h", "")
        self.write(self.checkout / "b/middle.h", '#include "a/low.h"\n')

    def top(self, *includes):
        self.write(self.checkout / "c/top.cc", "".join(f"#include {include}\n" for include in includes))

    def check(self, rules):
        known = rule("//a:low", headers="//a:low.h") + rule("//b:middle", headers="//b:middle.h", deps="//a:low")
        answer = self.write(self.elsewhere / "answer",
                            f"<?xml version='1.1'?><query version='2'>{known}{rules}</query>")
        self.script(self.bin / "bazel", f"cat {answer}")
        return self.run_command(self.checkout / "tools/check_includes")

    def test_accepts_a_target_that_lists_what_it_includes(self):
        self.top('"b/middle.h"', "<vector>")
        result = self.check(rule("//c:top", "//c:top.cc", deps="//b:middle"))
        self.expect(result, 0, "check_includes: 3 targets, 0 missing dependencies\n")

    def test_names_a_header_that_comes_through_another(self):
        self.top('"b/middle.h"', '"a/low.h"')
        result = self.check(rule("//c:top", "//c:top.cc", deps="//b:middle"))
        self.expect(result, 1, re.compile("//c:top: c/top.cc includes a/low.h, so deps need //a:low\n"))

    def test_knows_the_labels_of_libraries(self):
        self.top('"absl/strings/str_format.h"', "<gtest/gtest.h>")
        missing = self.check(rule("//c:top", "//c:top.cc"))
        self.assertIn("so deps need @abseil-cpp//absl/strings:str_format\n", missing.stdout)
        self.assertIn("so deps need @googletest//:gtest or @googletest//:gtest_main\n", missing.stdout)
        there = "@abseil-cpp//absl/strings:str_format @googletest//:gtest_main"
        self.expect(self.check(rule("//c:top", "//c:top.cc", deps=there)), 0)

    def test_knows_the_names_that_prefixes_give(self):
        self.write(self.checkout / "d/public.hpp", "")
        self.top('"oneapi/mine/d/public.hpp"')
        exporter = rule("//d:public", headers="//d:public.hpp", more="<string name='include_prefix' "
                        "value='oneapi/mine'/><string name='strip_include_prefix' value='/'/>")
        self.assertIn("so deps need //d:public\n", self.check(exporter + rule("//c:top", "//c:top.cc")).stdout)
        self.expect(self.check(exporter + rule("//c:top", "//c:top.cc", deps="//d:public")), 0)

    def test_follows_aliases_and_libraries_that_only_put_others_together(self):
        self.top('"a/low.h"')
        alias = "<rule class='alias' name='//c:other'><label name='actual' value='//a:low'/></rule>"
        for other in (alias, rule("//c:other", deps="//a:low //b:middle")):
            self.expect(self.check(other + rule("//c:top", "//c:top.cc", deps="//c:other")), 0)

    def test_checks_a_header_once_that_has_two_names(self):
        self.expect(self.check(rule("//d:names", headers="//b:middle.h", deps="//b:middle")), 0)

    def test_fails_with_bazel(self):
        self.script(self.bin / "bazel", "echo 'no such package' >&2; exit 7")
        result = self.run_command(self.checkout / "tools/check_includes")
        self.expect(result, 2, err=re.compile("no such package\ncheck_includes: bazel query failed\n$"))


if __name__ == "__main__":
    run_tests()
