"""What campaigns of programs with a text and planned forms share: options, runs, reports."""

import argparse
import os
import random
import tempfile
from concurrent.futures import ThreadPoolExecutor

import memory_plans
import upstream


class ProgramText:
    """The lines of a random program, drawn from `seed`."""

    def __init__(self, seed):
        self.random = random.Random(seed)
        self.lines, self.count, self.depth = [], 0, 1

    def emit(self, line):
        self.lines.append("  " * self.depth + line)

    def name(self):
        self.count += 1
        return f"%v{self.count}"

    def pick(self, values):
        # What was made long ago as well as what is new.
        return self.random.choice(values if self.random.random() < 0.5 else values[-3:])


class Campaign:
    """Random programs, each run by upstream alone, as it is, and in planned forms.

    `write(seed)` gives a program, `for_upstream(text)` what upstream is given of it,
    with its calls `inlined` or not. The forms are drawn from `name`.
    """

    def __init__(self, name, write, for_upstream, inlined=True):
        self.name, self.write, self.for_upstream, self.inlined = name, write, for_upstream, inlined

    def draw_forms(self, index, most):
        draws = (memory_plans.draw(f"{self.name}-{index}-{i}", i, set()) for i in range(5))
        forms = sorted({plan for plans in draws for plan in plans}, key=str)
        return forms[:1] + random.Random(index).sample(forms[1:], most - 1) if most else forms

    def check(self, options, index):
        """The program of that number, and the forms that failed with their reasons."""
        text = self.write(f"{options.seed}-{index}")
        with tempfile.TemporaryDirectory(prefix=f"pebble-{self.name}-") as folder:
            try:
                reference = upstream.expected(self.for_upstream(text), folder, inlined=self.inlined)
            except upstream.Refused as refusal:
                return index, text, [(None, f"upstream: {refusal}")]
            forms = self.draw_forms(index, options.forms)
            failures = [(plan, memory_plans.attempt(plan, text, reference, folder)) for plan in forms]
        return index, text, [(plan, failure) for plan, failure in failures if failure]

    def main(self, description):
        """Runs as the command line says; the exit status."""
        parser = argparse.ArgumentParser(description=description)
        parser.add_argument("--seed", default="1")
        parser.add_argument("--first", type=int, default=0)
        parser.add_argument("--count", type=int, default=50)
        parser.add_argument("--jobs", type=int, default=1)
        parser.add_argument("--forms", type=int, help="at most so many forms of each program")
        parser.add_argument("--keep", help="a folder for programs that fail")
        parser.add_argument("--write", type=int, help="print the program of that number")
        options = parser.parse_args()
        if options.write is not None:
            print(self.write(f"{options.seed}-{options.write}"), end="")
            return 0
        failed = 0
        with ThreadPoolExecutor(options.jobs) as pool:
            numbers = range(options.first, options.first + options.count)
            for index, text, failures in pool.map(lambda i: self.check(options, i), numbers):
                failed += bool(failures)
                for plan, failure in failures:
                    print(f"program {options.seed}-{index}, {plan.name if plan else 'upstream'}: {failure}", flush=True)
                if options.keep and failures and failures[0][0]:
                    os.makedirs(options.keep, exist_ok=True)
                    with open(os.path.join(options.keep, f"{options.seed}-{index}.mlir"), "w", encoding="utf-8") as file:
                        file.write(memory_plans.heading(*failures[0]) + text)
        print(f"{options.count - failed} programs passed, {failed} failed")
        return 1 if failed else 0
