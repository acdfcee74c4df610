"""Runs a command that can write no file beyond so many bytes, as on a full disk.

  on-a-full-disk.py BYTES COMMAND...
"""

import resource
import signal
import subprocess
import sys


def fill():
    limit = int(sys.argv[1])
    # What would be a signal is then an error of the write, as on a real disk.
    signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGXFSZ])
    resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))


sys.exit(subprocess.run(sys.argv[2:], preexec_fn=fill, check=False).returncode)
