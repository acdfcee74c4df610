"""Rules about the source tree itself; docs/Architecture.md says why.

usage: house.py RULE ROOT, with RULE one of the functions below. Prints each
place that breaks the rule and ends with status 1 if there is any.
"""

import os
import re
import sys

FOLDERS = ("include", "lib", "tools", "test", "docs")
TOP_LEVEL = {"CMakeLists.txt", "README.md", "LICENSE", *FOLDERS}
MAX_LINES = 600

# Room -> the rooms whose headers it may include. Written out, so that a new
# arrow is a decision that somebody makes here.
ARROWS = {
    "Solver": set(),
    "Runtime": set(),
    "Dialect": set(),
    "Target": {"Dialect"},
    "Analysis": {"Dialect", "Target"},
    "Planning": {"Solver", "Dialect", "Target", "Analysis"},
    "Conversion": {"Dialect", "Target", "Analysis", "Runtime"},
    "Loops": {"Solver", "Dialect", "Target", "Analysis", "Planning"},
    "Report": {"Solver", "Dialect", "Target", "Analysis", "Planning"},
    "Transforms": {"Solver", "Dialect", "Target", "Analysis", "Planning", "Loops", "Report"},
    "TransformOps": {"Dialect", "Analysis"},
    "Pipelines": {"Dialect", "Target", "Transforms", "Conversion"},
    # Other languages: C calls the library, the others run programs.
    "CAPI": {"Dialect", "Transforms"},
    "Bindings": set(),
}
PURE = {"Solver", "Runtime"}

# The same for the folders of Solver. No circle: who decides more stands above.
SOLVER_ARROWS = {
    "Game": set(),
    "Graph": {"Game"},
    "Order": {"Game", "Graph"},
    "Energy": {"Game", "Graph", "Order"},
    "Calls": set(),
    "Pipeline": {"Game", "Graph"},
    "Ranks": set(),
    "Chain": {"Game", "Graph"},
    "Addresses": {"Game", "Graph"},
    "Remat": {"Game", "Graph", "Order", "Chain", "Addresses"},
    "Milp": {"Game", "Graph", "Remat"},
    "Timeline": {"Game", "Graph", "Remat"},
    "Portfolio": {"Game", "Graph", "Order", "Energy", "Remat", "Milp", "Timeline"},
}


def files(root, folders=FOLDERS, endings=None):
    """(path relative to root, lines) of each text file, in a stable order."""
    for folder in folders:
        for here, inside, names in os.walk(os.path.join(root, folder)):
            inside[:] = sorted(d for d in inside if d != "__pycache__")
            for name in sorted(names):
                if endings and not name.endswith(endings):
                    continue
                path = os.path.join(here, name)
                with open(path, errors="replace") as f:
                    yield os.path.relpath(path, root), f.read().splitlines()


def arrows(root):
    """A room includes only what its arrows allow; Solver and Runtime see no LLVM."""
    for path, lines in files(root, ("include", "lib"), (".h", ".cpp", ".td")):
        parts = path.split(os.sep)
        room = parts[1] if parts[0] == "lib" else parts[2]
        if room not in ARROWS:
            continue
        for number, line in enumerate(lines, start=1):
            header = re.match(r'\s*#?\s*include\s*["<]([^">]+)[">]', line)
            if not header:
                continue
            header = header.group(1)
            if room in PURE and re.match(r"(mlir|mlir-c|llvm|llvm-c|clang)/", header):
                yield f"{path}:{number}: {room} must not include '{header}'"
            # Inner headers of a room are included from lib.
            other = re.match(r"(\w+)/", header.removeprefix("pebble/"))
            if not header.startswith("pebble/") and other and other.group(1) not in ARROWS:
                other = None
            if other and other.group(1) not in ARROWS[room] | {room}:
                yield f"{path}:{number}: no arrow from {room} to {other.group(1)}"


def solver_arrows(root):
    """A folder of Solver includes only what its arrows allow."""
    for path, lines in files(root, ("include", "lib"), (".h", ".cpp")):
        inside = re.search(r"Solver/(\w+)/", path)
        if not inside:
            continue
        folder = inside.group(1)
        if folder not in SOLVER_ARROWS:
            yield f"{path}: no such folder of Solver"
            continue
        for number, line in enumerate(lines, start=1):
            other = re.match(r'#include "(?:pebble/)?Solver/(\w+)/', line)
            if other and other.group(1) not in SOLVER_ARROWS[folder] | {folder}:
                yield f"{path}:{number}: no arrow from {folder} to {other.group(1)}"


def length(root):
    """No file is longer than MAX_LINES lines; inputs of tests may be."""
    for path, lines in files(root):
        if "Inputs" not in path.split(os.sep) and len(lines) > MAX_LINES:
            yield f"{path}: {len(lines)} lines, more than {MAX_LINES}"


def marks(root):
    """What is not done is said in an issue, not left in a file."""
    mark = re.compile(r"\b(TO" + r"DO|FIX" + r"ME|X" + r"XX)\b")
    for path, lines in files(root):
        for number, line in enumerate(lines, start=1):
            if mark.search(line):
                yield f"{path}:{number}: {line.strip()}"


def top_level(root):
    """At the top: the named files and folders, dotfiles, build folders."""
    for name in sorted(os.listdir(root)):
        if name not in TOP_LEVEL and not re.match(r"\.|build|install$", name):
            yield f"{name}: does not belong at the top level"


def scripts(root):
    """A file that names its interpreter can be run as docs run it."""
    for path, lines in files(root):
        if lines and lines[0].startswith("#!") and not os.access(os.path.join(root, path), os.X_OK):
            yield f"{path}: begins with #! and cannot be run"


def mirrors(root):
    """include/pebble and lib hold the same rooms, and no others."""
    for folder in (os.path.join("include", "pebble"), "lib"):
        for name in sorted(os.listdir(os.path.join(root, folder))):
            if os.path.isdir(os.path.join(root, folder, name)) and name not in ARROWS:
                yield f"{os.path.join(folder, name)}: no such room"


def rule_numbers(root):
    """Each rule of a table in docs stands in one table, in a string of the code,
    and in a test."""
    pages = {}
    for path, lines in files(root, ("docs",), (".md",)):
        for line in lines:
            if row := re.match(r"\| ([A-Z]\d+) \|", line):
                pages.setdefault(row.group(1), []).append(path)
    def texts(folders):
        return "\n".join(line for path, lines in files(root, folders)
                         for line in lines if not line.lstrip().startswith("//"))
    code = texts(("lib", "include", "tools"))
    tests = "\n".join(line for _, lines in files(root, ("test",)) for line in lines)
    for rule, tables in sorted(pages.items()):
        if len(tables) > 1:
            yield f"{rule}: in the tables of {' and '.join(tables)}"
        if not re.search(rf'"{rule}"|\[{rule}\]', code):
            yield f"{tables[0]}: no code speaks of {rule}"
        if not re.search(rf'"{rule}"|\[{rule}|TEST\w*\([^)]*{rule}(?!\d)', tests):
            yield f"{tables[0]}: no test speaks of {rule}"


def main():
    rules = (rule_numbers, arrows, solver_arrows, length, marks, top_level, mirrors, scripts)
    rule = {r.__name__.replace("_", "-"): r for r in rules}[sys.argv[1]]
    broken = list(rule(sys.argv[2]))
    print("\n".join(broken) if broken else "ok")
    return 1 if broken else 0


if __name__ == "__main__":
    sys.exit(main())
