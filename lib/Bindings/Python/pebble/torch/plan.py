"""A joint graph becomes a problem, and pebble-solve's answer a plan."""

import dataclasses
import json
import os
import tempfile

from pebble import cache, tool
from pebble.sizes import read_budget, show


@dataclasses.dataclass
class Plan:
    """What was asked for and what was planned. Sizes are bytes, of what the step
    allocates beside its arguments."""

    budget: int
    #: The fullest moment of the graph as it was traced, nothing made again.
    original: int
    #: The fullest moment that was planned.
    planned: int
    #: What the forward pass keeps for the backward pass, arguments left out.
    saved: int
    #: Arithmetic of the original and of the plan, and the least known possible.
    original_cost: int
    cost: int
    bound: int
    status: str
    solver: str
    seconds: float
    #: Found before, by an earlier search for the same graph and budget.
    cached: bool = False
    #: Names of the nodes that run more than once.
    repeated: list = dataclasses.field(default_factory=list, repr=False)

    @property
    def extra(self):
        """Arithmetic that runs again, as a share of the original."""
        return self.cost / self.original_cost - 1 if self.original_cost else 0.0

    def __str__(self):
        return (
            f"planned {show(self.planned)} of a budget of {show(self.budget)} (as it "
            f"is: {show(self.original)}), {show(self.saved)} saved for backward, "
            f"{self.extra:+.1%} arithmetic" + (", from the cache" if self.cached else "")
        )


def write_problem(joint, name):
    """The problem in the format of pebble-solve."""
    storages = sorted({v.storage for v in joint.values})
    first = {v.storage for v in joint.values if not _is_written(joint, v)}
    latest = {v.overwrites.name for v in joint.values if v.overwrites}
    problem = {
        "name": name,
        "storages": [
            {"name": _storage(s), "bytes": joint.bytes[s]}
            # An argument is the caller's to free.
            | ({"initial": True, "pinned": True} if s in first else {})
            for s in storages
        ],
        "values": [
            {"name": v.name, "storage": _storage(v.storage)}
            | ({"overwrites": v.overwrites.name} if v.overwrites else {})
            | ({"required": True} if v.required and v.name not in latest else {})
            for v in joint.values
        ],
        "steps": [
            {
                "name": s.name,
                "reads": [v.name for v in s.reads],
                "writes": [v.name for v in s.writes],
                "cost": s.cost,
                "scratch": s.scratch,
                "recomputable": s.recomputable
                and not any(v.overwrites for v in s.writes),
            }
            for s in joint.steps
        ],
        "precedences": _precedences(joint),
    }
    return problem


def _storage(number):
    return f"m{number}" if number >= 0 else f"h{-number}"


def _is_written(joint, value):
    if not hasattr(joint, "written"):
        joint.written = {v.name for s in joint.steps for v in s.writes}
    return value.name in joint.written


def _precedences(joint):
    """What no value says: effects keep their order, and their side."""
    found, last = [], None
    for step in joint.steps:
        if step is joint.turn:
            continue
        if step.side == "forward":
            found.append({"before": step.name, "after": joint.turn.name})
        elif step.side == "backward":
            found.append({"before": joint.turn.name, "after": step.name})
        if step.ordered:
            if last is not None:
                found.append({"before": last.name, "after": step.name})
            last = step
    return found


def peak_of(joint, order):
    """Bytes at the fullest moment of `order`, names of steps: each result is
    dropped after its last reader, or before it is made again."""
    steps = {s.name: s for s in joint.steps}
    runs = [steps[name] for name in order]
    kept = {v.storage for v in joint.values if v.required}
    ends, size = [set() for _ in runs], joint.bytes
    following = {}  # of a storage: the next event, "made" or "read"
    for at in range(len(runs) - 1, -1, -1):
        step = runs[at]
        for value in step.writes:
            if following.get(value.storage, "made") == "made":
                if not (value.storage in kept and value.storage not in following):
                    ends[at].add(value.storage)
        for value in step.reads:
            unread = following.get(value.storage) in (None, "made")
            if unread and not (
                value.storage in kept and value.storage not in following
            ):
                ends[at].add(value.storage)
        for value in step.writes:
            if not value.overwrites:
                following[value.storage] = "made"
        for value in step.reads:
            following[value.storage] = "read"
    alive, live, most = set(), 0, 0
    for step, end in zip(runs, ends):
        for value in step.writes:
            if value.storage not in alive:
                alive.add(value.storage)
                live += size[value.storage]
        most = max(most, live + step.scratch)
        for storage in end & alive:
            alive.discard(storage)
            live -= size[storage]
    return most


class Answer:
    """Moves of pebble-solve: runs of steps, and drops of values."""

    def __init__(self, fields):
        self.fields = fields
        self.moves = [(m[0], m[1]) for m in fields["schedule"]]

    @property
    def order(self):
        return [name for kind, name in self.moves if kind == "compute"]


def solve(joint, budget, options, name="step"):
    """The cheapest schedule of a joint graph within `budget` bytes, and whether it
    was kept from before."""
    problem = json.dumps(write_problem(joint, name))
    command = [
        f"--means={options.means}",
        f"--time-limit-ms={int(options.time_limit * 1000)}",
        "--print-schedule",
    ]
    if not options.cache:
        return _search(problem, budget, command, name), False
    key = cache.make_key(problem, str(budget), *command, tool.version("pebble-solve"))
    fields = cache.read(options.cache, key)
    if fields:
        return Answer(fields), True
    answer = _search(problem, budget, command, name)
    cache.write(options.cache, key, answer.fields)
    return answer, False


def _search(problem, budget, command, name):
    with tempfile.TemporaryDirectory(prefix="pebble-") as folder:
        path = os.path.join(folder, "problem.json")
        with open(path, "w") as file:
            file.write(problem)
        fields = tool.solve(path, [f"--budget={budget}", *command])
        if "schedule" in fields:
            return Answer(fields)
        least = fields.get("min_budget")
        if least is None:
            least = tool.solve(path, ["--budget=min", *command]).get("peak")
    raise tool.Infeasible(
        f"no plan of {name} fits a budget of {budget} bytes ({show(budget)}); the "
        f"smallest that is known to is {least} bytes ({show(least)})",
        least,
    )


def resolve(budget, joint):
    """Bytes of a budget, and the joint graph's own peak."""
    original = peak_of(joint, [s.name for s in joint.steps])
    return read_budget(budget, original), original


def bytes_of(joint, nodes):
    """Bytes of the storages that nodes hold, each once, arguments left out."""
    found = {v.storage for node in nodes for v in joint.contents(node)}
    return sum(joint.bytes[storage] for storage in found)
