#!/usr/bin/env python3
"""Checks that the innermost loops of kernels keep their sums in registers.

usage: check_sums.py NAME:FUNCTIONS FILE...    object files or archives

Of each function whose demangled name holds NAME and that multiplies in a loop, the innermost loop with
the most products may not store a vector register to the stack: a sum that is stored and loaded again
at each step takes longer than the product. A constant that is loaded is no matter. Highway's targets below AVX2, which have 16 registers and no
product that reads memory unaligned, are not looked at. At least FUNCTIONS such functions are to be there. Of clang, which does this to the largest
tiles here and there (16 instructions of version 14), more than 24 stores are too many.
Exit status: 0 right, 1 too many stores or too few functions, 2 the files cannot be read.
"""
import os
import re
import subprocess
import sys

FUNCTION = re.compile(r"^[0-9a-f]+ <(.*)>:$")
INSTRUCTION = re.compile(r"^ *([0-9a-f]+):\t(.*)$")
JUMP = re.compile(r"j[a-z]+ +([0-9a-f]+)( |$)")
PRODUCT = re.compile(r"vf(n?m(add|sub))[0-9]+ps|vpmaddwd|vpdpbusd|vdpbf16ps|\{vex\} vpdpbusd")
STORE = re.compile(r"v?mov.*%[xyz]mm[0-9]+, *-?(0x)?[0-9a-f]*\(%r[sb]p[^()]*\)")
WITHOUT = ("::N_SCALAR::", "::N_EMU128::", "::N_SSE2::", "::N_SSSE3::", "::N_SSE4::")


def output(*command):
    run = subprocess.run(command, capture_output=True, text=True, errors="replace",
                         env={**os.environ, "LC_ALL": "C"})
    if run.returncode != 0:
        print(f"check_sums: {' '.join(command)}: {run.stderr.strip()}", file=sys.stderr)
        sys.exit(2)
    return run.stdout


def functions(path):
    """(name, [(address, text)]) of each function."""
    name, body = "", []
    for line in output("objdump", "-d", "-w", "-C", "--no-show-raw-insn", "--", path).splitlines():
        if match := FUNCTION.match(line):
            if body:
                yield name, body
            name, body = match.group(1), []
        elif match := INSTRUCTION.match(line):
            body.append((int(match.group(1), 16), match.group(2)))
    if body:
        yield name, body


def innermost_loop(body):
    """The instructions of the innermost loop with the most products; none where there is no such loop."""
    places = {address: i for i, (address, _) in enumerate(body)}
    loops = []
    for i, (_, text) in enumerate(body):
        match = JUMP.match(text)
        if match and places.get(int(match.group(1), 16), i + 1) <= i:
            loops.append((places[int(match.group(1), 16)], i + 1))
    innermost = [loop for loop in loops
                 if not any(loop != other and loop[0] <= other[0] and other[1] <= loop[1] for other in loops)]
    texts = [[text for _, text in body[begin:end]] for begin, end in innermost]
    texts = [loop for loop in texts if any(PRODUCT.match(text) for text in loop)]
    return max(texts, key=lambda loop: sum(bool(PRODUCT.match(text)) for text in loop), default=[])


def main(wanted, *paths):
    name, _, least = wanted.rpartition(":")
    seen, wrong, allowed = 0, 0, 0
    for path in paths:
        if "clang version" in output("readelf", "-p", ".comment", path):
            allowed = 24
        for function, body in functions(path):
            if name not in function or any(target in function for target in WITHOUT):
                continue
            loop = innermost_loop(body)
            seen += bool(loop)
            for text in loop:
                if STORE.match(text):
                    wrong += 1
                    print(f"{function}: {text}")
    print(f"{name}: {seen} functions, {wrong} stores to the stack")
    return 1 if wrong > allowed or seen < int(least) else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
