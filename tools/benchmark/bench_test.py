#!/usr/bin/env python3
"""The program behind tools/bench, as people call it."""
import re
import sys

sys.path.insert(0, ".")  # where tests run, the root of the repository
from tools.testing.command import ScriptTest, run_tests


class Bench(ScriptTest):
    def bench(self, *arguments):
        return self.run_command("tools/benchmark/bench", *arguments)

    def test_writes_the_table_and_the_plot(self):
        out = self.elsewhere / "new"
        result = self.bench("--filter=^tiny/", "--rounds=1", "--threads=1", f"--out={out}")
        self.expect(result, 0)
        json, plot = ((out / name).read_text() for name in ("results.json", "results.svg"))
        for text, whole in (("tiny/f32 copy 16", result.stdout), ("of the copy", result.stdout),
                            ('"threads": "1"', json), ('"share of copy"', json), ("1 thread<", plot)):
            self.assertIn(text, whole)
        self.assertNotIn("create/", json)

    def test_tells_what_convolutions_aim_at(self):
        result = self.bench("--filter=^convolution create/", "--rounds=1", "--threads=1")
        self.expect(result, 0, re.compile("list of convolutions"))
        self.assertIn("creation, shape not seen", result.stdout)

    def test_lists_the_cases(self):
        result = self.bench("--list")
        self.expect(result, 0, re.compile("three channels/u8 nhwc->nchw 3"))
        self.assertIn("convolution ResNet-50/7x7 3->64, 224 stride 2", result.stdout)

    def test_explains_itself(self):
        self.assertIn("--filter=RE", self.bench("--help").stdout)

    def test_refuses_what_it_does_not_know_in_one_line(self):
        for argument in ("--thread=2", "--threads=none", "--rounds=0"):
            self.expect(self.bench(argument), 2, err=re.compile(rf"\Abench: .*{argument}.*\n\Z"))


if __name__ == "__main__":
    run_tests()
