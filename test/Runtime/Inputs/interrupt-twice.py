"""interrupt-twice.py DIRECTORY COMMAND...: runs a command that keeps files in
DIRECTORY, sends it two signals as soon as there are some, and checks that it
ended by them and left nothing; for each signal several times."""

import os
import signal
import subprocess
import sys
import time

directory, command = sys.argv[1], sys.argv[2:]
for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP) * 4:
    run = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
    while not any(os.listdir(os.path.join(directory, d)) for d in os.listdir(directory)):
        if run.poll() is not None:
            sys.exit(f"the run ended by itself: {run.stderr.read()}")
        time.sleep(0.001)
    run.send_signal(number)
    run.send_signal(number)
    status = run.wait()
    if status not in (130, -number):
        sys.exit(f"{number.name}: status {status}: {run.stderr.read()}")
    if left := os.listdir(directory):
        sys.exit(f"{number.name}: {left} is left")
