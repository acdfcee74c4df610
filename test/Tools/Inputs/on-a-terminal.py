#!/usr/bin/env python3
"""Runs a command whose standard input is a terminal, on which nobody types.

on-a-terminal.py COMMAND...
"""

import os
import subprocess
import sys

outer, inner = os.openpty()
tool = subprocess.Popen(sys.argv[1:], stdin=inner, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
os.close(inner)
os.write(outer, b"\x04")
print(tool.communicate(timeout=60)[0].decode(), end="")
