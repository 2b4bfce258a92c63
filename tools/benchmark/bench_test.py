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
        self.expect(result, 0, re.compile(r"list +cases"))
        self.assertIn("creation, shape not seen", result.stdout)

    def fake(self, *arguments, how=""):
        return self.run_command("tools/benchmark/bench", "--filter=^tiny/f32 copy 16", "--rounds=1", "--threads=1",
                                "--nostock", "--peer=tools/benchmark/peers/fake", *arguments, FAKE_PEER=how)

    def test_compares_with_a_peer(self):
        result = self.fake()
        self.expect(result, 0, re.compile(r"copy 16 .*fake 1\n"))
        self.assertRegex(result.stdout, r"tiny calls .* 1 .*tiny/f32 copy 16, fake 1\n")
        self.assertNotIn("not compared", result.stdout)

    def test_does_not_compare_with_a_peer_that_computes_something_else(self):
        result = self.fake(how="wrong")
        self.expect(result, 0, re.compile(r"not compared: fake 1, tiny/f32 copy 16: element 0 is "))
        self.assertNotIn("tiny calls", result.stdout)

    def test_does_not_compare_with_a_peer_that_ends(self):
        self.expect(self.fake(how="dies"), 0, re.compile("not compared: .*it has ended"))

    def test_goes_on_without_a_peer_that_is_not_there(self):
        result = self.bench("--filter=^tiny/f32 copy 16", "--rounds=1", "--threads=1", "--peer=/no/such")
        self.expect(result, 0, re.compile("not measured: /no/such does not start"))

    def test_checks_that_a_cap_has_taken_effect(self):
        result = self.fake("--isa=SSE4")
        self.expect(result, 0, re.compile("instructions up to SSE4: ours SSE4, .*fake 1 unknown"))
        self.expect(self.fake("--isa=AVX2", how="AVX512"), 2,
                    err="bench: --isa=AVX2 has not taken effect: fake 1 uses AVX512\n")

    def test_lists_the_cases(self):
        result = self.bench("--list")
        self.expect(result, 0, re.compile("three channels/u8 nhwc->nchw 3"))
        self.assertIn("convolution ResNet-50/7x7 3->64, 224 stride 2", result.stdout)

    def test_explains_itself(self):
        self.assertIn("--filter=RE", self.bench("--help").stdout)

    def test_refuses_what_it_does_not_know_in_one_line(self):
        for argument in ("--thread=2", "--threads=none", "--rounds=0", "--isa=AVX9"):
            self.expect(self.bench(argument), 2, err=re.compile(rf"\Abench: .*{argument}.*\n\Z"))


if __name__ == "__main__":
    run_tests()
