"""Makes a failing program smaller: takes lines away as long as it fails likewise.

What is left must still be a valid program: upstream takes it, it stays within the
bounds of its buffers, and it does not read what nobody has written (two fills of fresh
memory give the same results).
"""

import re
import tempfile
import time

import memory_plans
import upstream


def spans(lines):
    """From each line that can go to the last one that must go with it."""
    found = []
    for start, line in enumerate(lines):
        text = line.strip()
        if text in ("module {", "}") or text.startswith(("} ", "return", "func.func @main", "^", "case ", "default")):
            continue
        if re.match(r"(scf|affine|linalg|memref)\.(yield|condition|atomic_yield|reduce)\b|cf\.", text):
            continue
        end, depth = start, line.count("{") - line.count("}")
        if "scf.index_switch" in line:
            while not lines[end].strip().startswith("default"):
                end += 1
            depth = 1
        while depth > 0 and end + 1 < len(lines):
            end += 1
            # "} else {" closes one and opens one.
            depth += lines[end].count("{") - lines[end].count("}")
            if depth == 0 and lines[end].strip().startswith("} ") and lines[end].rstrip().endswith("{"):
                depth = 1
        found.append((start, end))
    return found


def first_fills(lines):
    """The lines that fill a buffer for the first time, with the line that allocates
    it: without them what the program reads is anything, though two uniform fills of
    memory may not show it."""
    new, found = {}, {}
    for i, line in enumerate(lines):
        made = re.match(r"\s*(%\w+) = memref\.alloca?\(", line)
        if made:
            new[made.group(1)] = i
            continue
        for name in new.keys() & set(re.findall(r"%\w+", line)):
            found[i] = new[name]
            # The sizes of a reshape are stored one after the other.
            if "memref.store" not in line:
                del new[name]
    return found


def unused(lines):
    """The lines that make what nobody uses, and have no effects."""
    gone = set()
    while True:
        words = [w for i, line in enumerate(lines) if i not in gone for w in re.findall(r"%\w+", line)]
        more = set()
        for i, line in enumerate(lines):
            names = re.findall(r"%\w+", line.split(" = ")[0]) if " = " in line else []
            if (i not in gone and names and not line.rstrip().endswith("{") and "call" not in line
                    and "atomic" not in line and all(words.count(n) == 1 for n in names)):
                more.add(i)
        if not more:
            return gone
        gone |= more


def defined(line):
    """What a line gives a name to that other lines may use."""
    names = re.findall(r"%\w+", line.split(" = ")[0]) if " = " in line else []
    names += re.findall(r"func private (@\w+)", line)
    return names + re.findall(r'global "private" (?:constant )?(@\w+)', line)


def without(lines, group, all_spans):
    """Without some operations and whatever uses their results; None if that cannot
    go."""
    gone = {i for start, end in group for i in range(start, end + 1)}
    words = [set(re.findall(r"[%@]\w+", line)) for line in lines]
    names, work = set(), sorted(gone)
    fills = first_fills(lines)
    while work:
        # A fill goes with what it fills.
        for i in [fills[i] for i in work if i in fills]:
            if i not in gone:
                gone.add(i)
                work.append(i)
        new = {name for i in work for name in defined(lines[i])} - names
        names |= new
        users = {i for i, found in enumerate(words) if found & new and i not in gone}
        work = []
        for user in users:
            around = [s for s in all_spans if s[0] <= user <= s[1]]
            if not around:
                return None
            start, end = max(around)
            more = set(range(start, end + 1)) - gone
            gone |= more
            work += more
    return [line for i, line in enumerate(lines) if i not in gone]


def drop_results(text):
    """The program with one result fewer."""
    results = upstream.signature(text)[1]
    head = re.search(r"func\.func @main\(.*?\) -> \((.*)\) \{\n", text)
    back = re.findall(r"\n  return (.*?) : .*\n", text)
    if not head or not back:
        return
    names = back[-1].split(", ")
    last = text.rindex("\n  return ")
    end = text.index("\n", last + 1)
    for i in range(len(results)):
        kinds = results[:i] + results[i + 1:]
        left = names[:i] + names[i + 1:]
        line = f"\n  return {', '.join(left)} : {', '.join(kinds)}" if left else "\n  return"
        new = text[:last] + line + text[end:]
        yield new.replace(f" -> ({head.group(1)}) {{\n", (f" -> ({', '.join(kinds)})" if kinds else "") + " {\n", 1)


def drop_arguments(text):
    found = re.search(r"func\.func @main\((.*?)\)(?= ->| \{\n)", text)
    if not found:
        return
    parts = upstream.split(found.group(1))
    for i, part in enumerate(parts):
        name = part.split(":")[0].strip()
        if len(re.findall(re.escape(name) + r"\b", text)) == 1:
            yield text[:found.start(1)] + ", ".join(parts[:i] + parts[i + 1:]) + text[found.end(1):]


def simpler(lines, line):
    """The program with one operation replaced: a number by a constant, and a branch by
    a buffer that it picks."""
    text = lines[line].strip()
    made = re.match(r"(%\w+) = ([\w.]+) ", text)
    if not made:
        return
    name, op = made.groups()
    space = lines[line][:len(lines[line]) - len(lines[line].lstrip())]
    if op in ("scf.if", "scf.index_switch", "scf.execute_region", "arith.select", "func.call", "call"):
        end = next((e for s, e in spans(lines) if s == line), line)
        inside = "\n".join(lines[line:end + 1])
        ends = re.findall(r"scf\.yield (%[\w#]+) :", inside) if end > line else \
            re.findall(r"%[\w#]+", text.split(" = ")[1])
        for other in dict.fromkeys(ends):
            rest = [re.sub(re.escape(name) + r"\b", other, t) for t in lines[:line] + lines[end + 1:]]
            yield rest
        return
    kind = None
    if op == "memref.load":
        kind = re.search(r" : memref<(?:[\d?]+x)*(\w+)", text).group(1)
    elif op.startswith("arith.cmp"):
        kind = "i1"
    elif op.startswith("arith.") and op != "arith.constant":
        kind = text.split(" to ")[-1].split(" : ")[-1]
    number = {"i1": "true", "index": "1 : index"}.get(kind)
    if kind in ("f16", "bf16", "f32", "f64"):
        number = f"1.000000e+00 : {kind}"
    elif kind in ("i8", "i16", "i32", "i64"):
        number = f"1 : {kind}"
    if number:
        yield lines[:line] + [f"{space}{name} = arith.constant {number}"] + lines[line + 1:]


class Reducer:
    def __init__(self, plan, kind, seconds):
        self.plan, self.kind, self.end = plan, kind, time.monotonic() + seconds
        self.folder = tempfile.TemporaryDirectory(prefix="pebble-reduce-")

    def fails(self, text):
        if time.monotonic() > self.end:
            return False
        try:
            if "results differ" not in self.kind and not self.is_kind(text, {}):
                return False
            reference = upstream.expected(text, self.folder.name, twice=True)
        except (upstream.Refused, IndexError, ValueError):
            return False
        return self.is_kind(text, reference)

    def is_kind(self, text, reference):
        failure = memory_plans.attempt(self.plan, text, reference, self.folder.name)
        return failure is not None and memory_plans.kind_of(failure) == self.kind

    def lines(self, text):
        lines = text.split("\n")
        dead = unused(lines)
        smaller = [line for i, line in enumerate(lines) if i not in dead]
        if dead and self.fails("\n".join(smaller)):
            lines = smaller
        size = max(1, len(spans(lines)) // 3)
        while size:
            at = len(spans(lines))
            while at > 0:
                all_spans = spans(lines)
                at = min(at, len(all_spans))
                kept = first_fills(lines)
                group = [s for s in all_spans[max(0, at - size):at]
                         if s[0] not in kept or s[0] != s[1] and "linalg.generic" not in lines[s[0]]]
                if not group:
                    at -= size
                    continue
                smaller = without(lines, group, all_spans)
                if smaller is not None and len(smaller) < len(lines) and self.fails("\n".join(smaller)):
                    lines = smaller
                at -= size
            size //= 2
        return "\n".join(lines)

    def simplify(self, text):
        lines = text.split("\n")
        line = len(lines) - 1
        while line >= 0:
            smaller = next((t for t in simpler(lines, line) if self.fails("\n".join(t))), None)
            lines = smaller or lines
            line = min(line, len(lines)) - 1
        return "\n".join(lines)

    def run(self, text):
        if not self.fails(text):
            return text
        while time.monotonic() < self.end:
            before = text
            for way in (drop_results, drop_arguments):
                smaller = True
                while smaller:
                    smaller = next((t for t in way(text) if self.fails(t)), None)
                    text = smaller or text
            text = self.simplify(self.lines(text))
            if text == before:
                break
        return text


def reduce(text, plan, kind, seconds=180):
    """The smallest program found within a time that fails likewise."""
    return Reducer(plan, kind, seconds).run(text)
