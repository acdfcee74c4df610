#!/usr/bin/env python3
"""Waits for searches as people do, and looks at the clock.

  waiting.py graph STEPS           writes a problem that nobody solves exactly
  waiting.py program STEPS COUNT   the same as COUNT functions
  waiting.py interrupt COMMAND...  interrupts the command once it has found
                                   something; prints stderr, and then stdout
  waiting.py terminal COMMAND...   gives the command a terminal as stderr, and
                                   prints what it wrote there, \\r as <CR>
  waiting.py seconds N COMMAND...  fails unless the command ends in N seconds
"""

import json
import os
import pty
import random
import signal
import subprocess
import sys
import time

HOLD = 120  # seconds after which a command hangs


def links(steps):
    """For each step the one or two earlier ones that it reads."""
    chance = random.Random(7)
    yield []
    for step in range(1, steps):
        yield sorted({step - 1, chance.randrange(step)})


def graph(steps):
    chance = random.Random(11)
    ops = [{"name": f"s{i}", "inputs": [f"s{j}" for j in reads], "cost": chance.randint(5, 20),
            "size": chance.randint(3, 12)} for i, reads in enumerate(links(steps))]
    print(json.dumps({"name": "random", "graph_inputs": [], "ops": ops, "outputs": [f"s{steps - 1}"]}))


def program(steps, count):
    kind = "tensor<16xf32>"
    for number in range(count):
        print(f"func.func @f{number}(%x: {kind}) -> {kind} {{\n  %e = tensor.empty() : {kind}")
        for i, reads in enumerate(links(steps)):
            operands = [f"%s{j}" for j in reads] or ["%x"]
            name = "abs" if len(operands) == 1 else "add"
            print(f"  %s{i} = linalg.{name} ins({', '.join(operands)} : {', '.join([kind] * len(operands))})"
                  f" outs(%e : {kind}) -> {kind}")
        print(f"  return %s{steps - 1} : {kind}\n}}")


def start(command, **more):
    # Whoever runs us in the background may have switched interrupts off.
    return subprocess.Popen(command, preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL), **more)


def interrupt(command):
    process = start(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    signal.signal(signal.SIGALRM, lambda *_: process.kill())
    signal.alarm(HOLD)
    for line in process.stderr:
        print(line, end="")
        if "best" in line:
            process.send_signal(signal.SIGINT)
            break
    begun = time.monotonic()
    out, err = process.communicate()
    print(err + out, end="")
    soon = time.monotonic() - begun < 20
    print(f"exit status {process.returncode}, {'soon' if soon else 'late'}")


def terminal(command):
    ours, theirs = pty.openpty()
    process = start(command, stdout=subprocess.DEVNULL, stderr=theirs)
    os.close(theirs)
    text = b""
    while True:
        try:
            part = os.read(ours, 65536)
        except OSError:  # nobody writes there any more
            break
        if not part:
            break
        text += part
    process.wait(HOLD)
    # A terminal makes \r\n of \n.
    print(text.decode().replace("\r\n", "\n").replace("\r", "\n<CR>"), end="")


def seconds(limit, command):
    begun = time.monotonic()
    subprocess.run(command, check=True, timeout=HOLD)
    elapsed = time.monotonic() - begun
    if elapsed > limit:
        sys.exit(f"{elapsed:.1f} s instead of {limit}")


mode, *rest = sys.argv[1:]
if mode == "graph":
    graph(int(rest[0]))
elif mode == "program":
    program(int(rest[0]), int(rest[1]))
elif mode == "interrupt":
    interrupt(rest)
elif mode == "terminal":
    terminal(rest)
elif mode == "seconds":
    seconds(float(rest[0]), rest[1:])
else:
    sys.exit(__doc__)
