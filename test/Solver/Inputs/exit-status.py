"""Runs a command and says its exit status: exit-status.py WANTED COMMAND..."""

import subprocess
import sys

status = subprocess.call(sys.argv[2:])
if status != int(sys.argv[1]):
    sys.exit(f"exit status {status}, wanted {sys.argv[1]}")
