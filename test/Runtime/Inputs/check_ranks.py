"""Checks the trace and the summary of a run of several ranks.

usage: check_ranks.py TRACE.json SUMMARY.json RANKS LINE...

The trace must have a process for each rank, with these lines of messages, and a bar on each
of them on some rank. The run was held to the topology, so it cannot have been faster.
"""

import json
import sys

trace, summary = (json.load(open(path)) for path in sys.argv[1:3])
ranks = int(sys.argv[3])
names = {(e["pid"], e["tid"]): e["args"]["name"] for e in trace if e["name"] == "thread_name"}
rows = {e["pid"]: e["args"]["name"] for e in trace if e["name"] == "process_name"}
assert rows == {rank: f"rank {rank}" for rank in range(ranks)}, rows
used = set()
for rank in range(ranks):
    for line in sys.argv[4:]:
        assert line in [name for (pid, _), name in names.items() if pid == rank], (rank, line)
for e in trace:
    if e["ph"] == "X":
        assert e["dur"] >= 0, e
        if e.get("cat") == "message":
            used.add(names[e["pid"], e["tid"]])
assert used == set(sys.argv[4:]), used

assert len(summary["seconds"]) == ranks
makespan = summary["makespan_seconds"]
assert makespan >= max(summary["seconds"]) - 1e-9, summary
# Each of them takes 100 us at least.
assert makespan >= 1e-4, makespan
for rank in range(ranks):
    assert summary["message_seconds"][rank] >= 1e-4, summary
    assert 0 <= summary["message_stall_seconds"][rank] <= summary["seconds"][rank], summary
for share in ("bubble_share", "overlap_share"):
    assert 0 <= summary[share] <= 1, summary
# They do little else than wait.
assert summary["bubble_share"] > 0, summary
