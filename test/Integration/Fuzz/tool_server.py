"""Runs LLVM's and Pebble's tools many times for one start-up each.

A tool is loaded once per thread and forked for each run (test/lib/ForkServer.cpp).
Where that library is not built, each run is a process of its own: slower, and equal
otherwise.
"""

import atexit
import os
import shutil
import subprocess
import tempfile
import threading
from dataclasses import dataclass

SIGALRM = 14

# For tools with sanitizers. LLVM's libraries are no part of such a build: its allocators
# poison memory where they are inlined, and do not take that back where they are not.
os.environ.setdefault("ASAN_OPTIONS", "detect_leaks=0:allow_user_poisoning=0:detect_container_overflow=0:"
                      "hard_rss_limit_mb=6000")
os.environ.setdefault("UBSAN_OPTIONS", "print_stacktrace=1")


@dataclass
class Done:
    """As subprocess.CompletedProcess: minus the signal's number, or the status."""
    returncode: int
    stdout: str
    stderr: str


def library():
    tool = shutil.which("pebble-opt")
    path = os.path.join(os.path.dirname(tool), "..", "test", "bin", "libfork-server.so") if tool else ""
    return os.path.abspath(path) if os.path.exists(path) else None


LIBRARY = library()
servers = threading.local()
every_server = []
lock = threading.Lock()


class Server:
    def __init__(self, tool, extra):
        self.folder = tempfile.TemporaryDirectory(prefix="pebble-server-")
        self.process = subprocess.Popen(
            [tool], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
            env={**os.environ, **extra, "LD_PRELOAD": LIBRARY})
        with lock:
            every_server.append(self)

    def run(self, arguments, timeout):
        out, err = (os.path.join(self.folder.name, name) for name in ("out", "err"))
        if any("\t" in field or "\n" in field for field in arguments):
            raise ValueError("an argument holds a tab or a line's end")
        self.process.stdin.write("\t".join((out, err, str(timeout), *arguments)) + "\n")
        self.process.stdin.flush()
        answer = self.process.stdout.readline()
        if not answer:
            raise RuntimeError(f"the server of {self.process.args[0]} ended")
        return Done(int(answer), read(out), read(err))

    def close(self):
        self.process.stdin.close()
        self.process.wait()
        self.folder.cleanup()


def read(path):
    with open(path, encoding="utf-8", errors="replace") as file:
        return file.read()


@atexit.register
def close_all():
    for server in every_server:
        server.close()


def run(command, timeout, extra=None):
    """Runs a command with more variables in its environment; a run that does not end
    in time is subprocess.TimeoutExpired."""
    extra = extra or {}
    if LIBRARY is None:
        done = subprocess.run(command, capture_output=True, text=True, errors="replace", check=False, timeout=timeout,
                              env={**os.environ, **extra})
        return Done(done.returncode, done.stdout, done.stderr)
    tool = shutil.which(command[0])
    if tool is None:
        raise FileNotFoundError(command[0])
    known = servers.__dict__.setdefault("known", {})
    key = (tool, *sorted(extra.items()))
    if key not in known:
        known[key] = Server(tool, extra)
    done = known[key].run(command[1:], timeout)
    if done.returncode == -SIGALRM:
        raise subprocess.TimeoutExpired(command, timeout)
    return done
