#!/usr/bin/env python3
"""tools/check_instructions as it is, over functions of a few instructions, and over the library that is shipped."""
import platform
import sys

sys.path.insert(0, ".")  # where tests run, the root of the repository
from tools.testing.command import SYSTEM, ScriptTest, run_tests

EVERYWHERE = "_ZN8impl_cpu4PlanEv"
SCALAR = "_ZN8impl_cpu8N_SCALAR4MoveEv"
SSSE3 = "_ZN8impl_cpu7N_SSSE34MoveEv"
SSE4 = "_ZN8impl_cpu6N_SSE44MoveEv"
AVX2 = "_ZN8impl_cpu6N_AVX24MoveEv"
AVX3 = "_ZN8impl_cpu6N_AVX34MoveEv"
AVX3_DL = "_ZN8impl_cpu9N_AVX3_DL4MoveEv"
AMX = "_ZN8impl_cpu5N_AMX4MoveEv"


class CheckInstructions(ScriptTest):
    def check(self, file):
        return self.run_command("tools/check_instructions", file, path=SYSTEM)

    def check_function(self, symbol, instructions):
        """Checks an object file with one function of the mangled name `symbol` and these instructions."""
        source = self.write(self.elsewhere / "f.s", f".type {symbol},@function\n{symbol}:\n{instructions}\n")
        self.expect(self.run_command("as", source, "-o", self.elsewhere / "f.o", path=SYSTEM), 0)
        return self.check(self.elsewhere / "f.o")

    def test_accepts_what_a_target_promises(self):
        for symbol, instructions in (
            (EVERYWHERE, "addps %xmm0,%xmm1\nnopw 0x0(%rax,%rax,1)\ntzcnt %rax,%rbx\n1: jmp 1b\ncall 1b"),
            (SCALAR, "mulss %xmm0,%xmm1"),
            (SSSE3, "pshufb %xmm0,%xmm1"),
            (SSE4, "pmulld %xmm0,%xmm1\npopcnt %rax,%rbx"),
            (AVX2, "vpaddd %ymm0,%ymm1,%ymm2\nvfmadd231ps %ymm0,%ymm1,%ymm2\nvcvtph2ps %xmm0,%ymm1"),
            (AVX3, "vpaddd %zmm0,%zmm1,%zmm2{%k1}\nvpaddd %ymm16,%ymm1,%ymm2\nkmovq %k1,%rax"),
            (AVX3_DL, "vpermb %zmm0,%zmm1,%zmm2\nvpdpbusd %zmm0,%zmm1,%zmm2"),
            (AMX, "tileloadd (%rax,%rbx,1),%tmm4\ntdpbusd %tmm6,%tmm4,%tmm0"),
        ):
            with self.subTest(symbol):
                self.expect(self.check_function(symbol, instructions), 0)

    def test_refuses_what_it_does_not_and_names_the_function(self):
        for symbol, instruction, problem in (
            (EVERYWHERE, "pshufb %xmm0,%xmm1", "impl_cpu::Plan(): pshufb %xmm0,%xmm1: not of every x86-64"),
            (EVERYWHERE, "shlx %rax,%rbx,%rcx", "not of every x86-64: encoded with VEX"),
            (SCALAR, "roundss $1,%xmm0,%xmm1", "N_SCALAR::Move(): roundss $0x1,%xmm0,%xmm1: not of SCALAR"),
            (SSSE3, "pmulld %xmm0,%xmm1", "not of SSSE3"),
            (SSE4, "vpaddd %xmm0,%xmm1,%xmm2", "not of SSE4: encoded with VEX"),
            (AVX2, "vpaddd %zmm0,%zmm1,%zmm2", "not of AVX2: encoded with EVEX"),
            # In words there is nothing of AVX-512 here.
            (AVX2, "{evex} vaddps %ymm0,%ymm1,%ymm2", "not of AVX2: encoded with EVEX"),
            (AVX2, "{vex} vpdpbusd %ymm0,%ymm1,%ymm2", "not of AVX2"),
            (AVX3, "vpermb %zmm0,%zmm1,%zmm2", "not of AVX3"),
            # What Highway 1.0.3 lets the compiler use and does not look for.
            (AVX3_DL, "{vex} vpdpbusd %ymm0,%ymm1,%ymm2",
             "N_AVX3_DL::Move(): {vex} vpdpbusd %ymm0,%ymm1,%ymm2: not of AVX3_DL"),
            (AVX3_DL, "vdpbf16ps %zmm0,%zmm1,%zmm2", "not of AVX3_DL"),
            (AVX3_DL, "tilerelease", "not of AVX3_DL"),
            (AMX, "vpaddd %ymm0,%ymm1,%ymm2", "not of AMX"),
        ):
            with self.subTest(symbol, instruction=instruction):
                # (an instruction of SSE is right in every one of them)
                result = self.check_function(symbol, "addps %xmm0,%xmm1\n" + instruction)
                self.expect(result, 1)
                self.assertIn(problem, result.stdout)
                self.assertNotIn("addps %xmm0,%xmm1: ", result.stdout)

    def test_refuses_a_target_that_it_does_not_know(self):
        result = self.check_function("_ZN8impl_cpu6N_AVX94MoveEv", "ret")
        self.expect(result, 2)
        self.assertIn("nobody wrote down what Highway promises for AVX9", result.stderr)

    def test_refuses_what_has_no_code_in_one_line(self):
        for file in (self.elsewhere / "missing", self.write(self.elsewhere / "text", "text\n")):
            result = self.check(file)
            self.expect(result, 2)
            self.assertRegex(result.stderr, rf"\Acheck_instructions: {file}.*\n\Z")

    def test_the_shipped_code_for_each_instruction_set_keeps_to_it(self):
        result = self.check("tools/packaging/libdnnspec.so")
        self.expect(result, 0)
        self.assertIn("for every machine: ", result.stdout)
        if platform.machine() == "x86_64":
            for target in ("SSE4", "AVX2", "AVX3", "AVX3_DL", "AMX"):
                self.assertIn(f"\n{target}: ", result.stdout)


if __name__ == "__main__":
    run_tests()
