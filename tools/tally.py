#!/usr/bin/env python3
"""Adds up what a run of the tests did, and prints one closing line of test cases.

usage: tally.py FILE

FILE holds one word and its argument a line:
  events PATH        a build event file of `bazel test` (--build_event_json_file)
  status N COMMAND   the exit status of a `bazel test`
  pass NAME, fail NAME, skip NAME    a step that is not a Bazel test
Exit status: 0 something ran and nothing failed, 1 otherwise, 2 wrong usage.
"""
import collections
import json
import sys
import urllib.parse
import xml.etree.ElementTree as ET

# Exit statuses of `bazel test` that its own events account for: all passed, tests failed, no test
# was asked for.
ACCOUNTED = {0, 3, 4}


class Tally:
    def __init__(self):
        self.passed = 0
        self.failures = []
        self.skips = []

    def events(self, path):
        """A crash that leaves no file or half a line is seen by the exit status."""
        results = {}
        try:
            with open(path) as rows:
                for row in rows:
                    event = json.loads(row)
                    ident = event.get("id", {})
                    if "testResult" in ident:
                        # Shards and runs count each, of attempts the last one.
                        key = ident["testResult"]
                        at = (key["label"], key.get("run"), key.get("shard"))
                        results[at] = event.get("testResult", {})
                    elif event.get("aborted", {}).get("reason") == "SKIPPED":
                        label = ident.get("targetCompleted", {}).get("label", "?")
                        self.skips.append((label, f"{label} (something it needs is not installed)"))
        except (OSError, ValueError) as error:
            print(f"tally: {path}: {error}", file=sys.stderr)
        for (label, _, _), result in results.items():
            self.target(label, result)

    def target(self, label, result):
        passed = result.get("status") in ("PASSED", "FLAKY")
        cases = []
        for output in result.get("testActionOutput", []):
            uri = output.get("uri", "")
            if output.get("name") == "test.xml" and uri.startswith("file://"):
                try:
                    cases = list(ET.parse(urllib.parse.unquote(uri[7:])).iter("testcase"))
                except (OSError, ET.ParseError):
                    pass  # a test that died while it wrote: counted below
        failures = 0
        for case in cases:
            name = f"{label} {case.get('classname', '')}.{case.get('name')}"
            if case.find("failure") is not None or case.find("error") is not None:
                failures += 1
                self.failures.append(name)
            elif case.find("skipped") is not None or case.get("result") == "skipped":
                self.skips.append((label, name))
            elif case.get("result") == "suppressed" or case.get("status") == "notrun":
                pass  # disabled, or not in this shard
            else:
                self.passed += 1
        if not passed and failures == 0:  # crashed, timed out, or a sanitizer spoke at the end
            self.failures.append(f"{label} {result.get('status', 'without a result')}")
        elif passed and not cases:
            self.passed += 1

    def line(self, word, rest):
        if word == "events":
            self.events(rest)
        elif word == "status":
            number, _, command = rest.partition(" ")
            if int(number) not in ACCOUNTED or (int(number) == 3 and not self.failures):
                self.failures.append(f"{command} (exit status {number})")
        elif word == "pass":
            self.passed += 1
        elif word == "fail":
            self.failures.append(rest)
        elif word == "skip":
            self.skips.append((rest, rest))
        else:
            sys.exit(f"tally: unknown word '{word}'")


def main():
    if len(sys.argv) != 2:
        print("tally: usage: tally.py FILE", file=sys.stderr)
        return 2
    tally = Tally()
    with open(sys.argv[1]) as rows:
        for row in rows:
            word, _, rest = row.rstrip("\n").partition(" ")
            tally.line(word, rest)
    skips = collections.defaultdict(list)
    for label, name in tally.skips:
        skips[label].append(name)
    for label, names in skips.items():
        print("skipped:", names[0] if len(names) == 1 else f"{label}: {len(names)} cases")
    for name in tally.failures:
        print("FAILED:", name)
    failed = len(tally.failures)
    print(f"{tally.passed} passed, {failed} failed, {len(tally.skips)} skipped")
    return 1 if failed or not tally.passed else 0


if __name__ == "__main__":
    sys.exit(main())
