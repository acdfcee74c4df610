"""Broken files for bad-input.py: how they are made, and what is known of them.

`change_*` break a file at random: by tokens, by numbers, by bytes, by the values of JSON. `is_bad_*` say of a file
whether no tool may take it. They are written from the formats as the documentation has them, not from the readers, and
know only a part: what they do not call bad may be bad all the same.
"""

import io
import json
import random
import re
import struct

ODD = ["0", "1", "-1", "2", "1e400", "-0.5", "NaN", "1e18", "9223372036854775807", "-9223372036854775808",
       "18446744073709551616", "4294967296", "null", "true", "\"\"", "[]", "{}", "\"x\"", "[1, 2]"]
MOST = 2**63 - 1


# Changes


def change_text(text, rng):
    """The text with some tokens, lines or bytes changed."""
    for _ in range(rng.randint(1, 3)):
        tokens = re.findall(r"-?\d+(?:\.\d+)?|\w+|\s+|.", text)
        places = [i for i, token in enumerate(tokens) if not token.isspace()]
        if not places:
            return text
        i, j = rng.choice(places), rng.choice(places)
        way = rng.randrange(8)
        if way == 0:
            tokens[i] = rng.choice(ODD)
        elif way == 1:
            tokens[i] = ""
        elif way == 2:
            tokens[i] *= 2
        elif way == 3:
            tokens[i], tokens[j] = tokens[j], tokens[i]
        elif way == 4:
            at = rng.randrange(len(text))
            text = text[:at] + chr(rng.randrange(256)) + text[at + rng.randrange(3):]
            continue
        elif way == 5:
            lines = text.split("\n")
            lines.insert(rng.randrange(len(lines)), lines[rng.randrange(len(lines))])
            text = "\n".join(lines)
            continue
        elif tokens[i].lstrip("-").isdigit():
            tokens[i] = rng.choice(ODD[:13])
        else:
            tokens[i] = tokens[j]
        text = "".join(tokens)
    return text


def change_bytes(data, rng):
    data = bytearray(data)
    for _ in range(rng.randint(1, 3)):
        at = rng.randrange(len(data))
        way = rng.randrange(4)
        if way == 0:
            data[at] = rng.randrange(256)
        elif way == 1:
            del data[at:at + rng.randint(1, 8)]
        elif way == 2:
            data[at:at] = data[at:at + rng.randint(1, 8)]
        else:
            data[at] ^= 1 << rng.randrange(8)
        if not data:
            return b""
    return bytes(data)


def change_values(value, rng):
    """The JSON value with one leaf, element or key changed: what parses still."""
    places = []

    def collect(node):
        if isinstance(node, (dict, list)) and node:
            for key in node if isinstance(node, dict) else range(len(node)):
                places.append((node, key))
                collect(node[key])

    collect(value)
    if not places:
        return value
    node, key = rng.choice(places)
    way = rng.randrange(5)
    if way == 0 and isinstance(node, dict):
        node["x" + key] = node.pop(key)
    elif way == 1:
        del node[key]
    elif way == 2 and isinstance(node, list):
        node.insert(key, node[key])
    elif way == 3:
        other, place = rng.choice(places)
        if isinstance(other, dict) and place in other or isinstance(other, list) and place < len(other):
            node[key] = json.loads(json.dumps(other[place]))
    else:
        node[key] = rng.choice([0, 1, -1, 2, -0.5, 1e300, 2**63 - 1, 2**63, 2**31, None, True, "", "x", [], {}, [0]])
    return value


def say_twice(text, rng):
    """The JSON text with one of its members there twice, the second time with another value."""
    members = list(re.finditer(r"\"\w+\"\s*:\s*(-?\d+|\"\w*\"|true|false)", text))
    if not members:
        return text
    member = rng.choice(members)
    other = member.group().replace(member.group(1), rng.choice(["7", "\"y\"", "[]", member.group(1)]))
    return text[:member.start()] + other + ", " + text[member.start():]


def change_json(text, rng):
    way = rng.randrange(30)
    if way < 10:
        return change_text(text, rng)
    if way == 10:
        return say_twice(text, rng)
    if way == 11 and rng.randrange(10) == 0:
        deep = "[" * rng.choice([1000, 100000]) + rng.choice(["", "1"])
        at = rng.choice([i for i, c in enumerate(text) if c in "[:"]) + 1
        return text[:at] + deep + text[at:]
    value = json.loads(text)
    for _ in range(rng.randint(1, 2)):
        value = change_values(value, rng)
    return json.dumps(value)


# JSON


def unique(pairs):
    keys = [key for key, _ in pairs]
    if len(keys) != len(set(keys)):
        raise ValueError("a key exists twice")
    return dict(pairs)


def refuse(word):
    raise ValueError(word)


def parse(text):
    """What the text says; ValueError if it is no JSON, or says a thing twice."""
    try:
        return json.loads(text, object_pairs_hook=unique, parse_constant=refuse)
    except RecursionError as error:
        raise ValueError("too deep") from error


def is_count(value, most=MOST):
    """Whether this is a whole number that is not negative; 2.0 is one."""
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return False
    return 0 <= value <= most and value == int(value)


def is_name(value):
    return isinstance(value, (str, int)) and not isinstance(value, bool)


def need(is_good):
    if not is_good:
        raise ValueError


def check_ops(problem):
    inputs = problem.get("graph_inputs", [])
    need(isinstance(inputs, list) and all(map(is_name, inputs)))
    ops = problem["ops"]
    need(isinstance(ops, list) and all(isinstance(op, dict) and is_name(op["name"]) for op in ops))
    names = [str(name) for name in inputs] + [str(op["name"]) for op in ops]
    need(len(names) == len(set(names)))
    readers = {}
    for op in ops:
        need(is_count(op["size"]) and is_count(op.get("cost", 0)))
        need(isinstance(op["inputs"], list) and all(is_name(name) and str(name) in names for name in op["inputs"]))
        for name in op["inputs"]:
            readers.setdefault(str(name), []).append(str(op["name"]))
    need(isinstance(problem["outputs"], list))
    need(all(is_name(name) and str(name) in names for name in problem["outputs"]))
    tiers = problem.get("tiers", [])
    need(isinstance(tiers, list) and len({str(tier["name"]) for tier in tiers}) == len(tiers))
    for tier in tiers:
        need(is_count(tier.get("capacity", 1)) and tier.get("capacity", 1) > 0)
        need(is_count(tier.get("store_cost", 0)) and is_count(tier.get("load_cost", 0)))
    # Nothing may need itself.
    left = {name: 0 for name in names}
    for those in readers.values():
        for reader in those:
            left[reader] += 1
    ready = [name for name in names if left[name] == 0]
    for name in ready:
        for reader in readers.get(name, []):
            left[reader] -= 1
            if left[reader] == 0:
                ready.append(reader)
    need(len(ready) == len(names))


def check_chain(problem):
    chain = problem["chain"]
    need(is_count(chain["L"]))
    for row in ("a", "abar", "d", "uf", "ub", "of", "ob"):
        need(isinstance(chain[row], list) and len(chain[row]) == chain["L"] + 1 and all(map(is_count, chain[row])))


def is_bad_problem(text):
    """Whether a problem says what no problem can."""
    return is_bad(text, lambda problem: check_ops(problem) if "ops" in problem else
                  check_chain(problem) if "chain" in problem else need(False))


def is_bad(text, check):
    try:
        value = parse(text)
        check(value)
        return False
    except (ValueError, LookupError, TypeError, AttributeError, OverflowError):
        return True


def check_members(value, members, may=()):
    need(isinstance(value, dict) and set(members) <= set(value) and set(value) <= set(members) | set(may))
    for name, is_good in members.items():
        need(is_good(value[name]))


def is_integer(value):
    return is_count(abs(value)) if isinstance(value, (int, float)) else False


def is_text(value):
    return isinstance(value, str)


def is_list(value):
    return isinstance(value, list)


def is_hex(value):
    return is_text(value) and re.fullmatch("[0-9a-fA-F]{1,16}", value) is not None


def check_plan(plan):
    check_members(plan, {"format": lambda x: x == "pebble-plan", "version": lambda x: x == 1, "blocks": is_list})
    places = []
    for block in plan["blocks"]:
        check_members(block, {"function": is_text, "block": is_count, "signature": is_hex, "budget_bytes": is_count,
                              "cost": is_count, "bound": is_integer, "solver": is_text, "steps": is_list,
                              "runs": is_list}, may=("moves", "seal"))
        need(block["bound"] <= block["cost"])
        places.append((block["function"], int(block["block"])))
        for step in block["steps"]:
            check_members(step, {"computes": is_hex, "op": is_hex})
        need(all(is_count(run) and run < len(block["steps"]) for run in block["runs"]))
        for kind, subject, tier in block.get("moves", []):
            need(kind in ("compute", "store", "load", "drop") and is_count(subject) and is_count(tier))
    need(len(places) == len(set(places)))


def is_bad_plan(text):
    return is_bad(text, check_plan)


def check_speed(speed):
    check_members(speed, {"bandwidth": is_count, "latency": is_count})
    return True


def check_costs(costs):
    check_members(costs, {"format": lambda x: x == "pebble-costs", "version": lambda x: x == 1,
                          "machine": lambda x: isinstance(x, dict), "tiers": is_list, "ops": is_list})
    check_members(costs["machine"], {"cpu": is_text, "fingerprint": is_text})
    for tier in costs["tiers"]:
        check_members(tier, {"name": is_text, "backing": is_text, "store": check_speed, "load": check_speed,
                             "alloc": check_speed})
    names = [tier["name"] for tier in costs["tiers"]]
    need(len(names) == len(set(names)))
    for op in costs["ops"]:
        check_members(op, {"op": is_text, "kind": is_text, "shape": is_text, "operations": is_count,
                           "bytes": is_count, "nanoseconds": is_count, "runs": is_count})
    keys = [(op["kind"], op["shape"]) for op in costs["ops"]]
    need(len(keys) == len(set(keys)))


def is_bad_costs(text):
    return is_bad(text, check_costs)


def check_moves(answer):
    moves = answer if isinstance(answer, list) else answer["moves"] if "moves" in answer else answer["schedule"]
    for move in moves:
        need(isinstance(move, list) and move[0] in ("compute", "store", "load", "drop") and is_name(move[1]))
        # Where there is one tier, a drop need not name it.
        need(len(move) == 2 if move[0] in ("compute", "drop") and len(move) < 3 else
             len(move) == 3 and move[0] != "compute" and is_count(move[2]))


def is_bad_moves(text):
    return is_bad(text, check_moves)


# Tables and arrays


def is_bad_table(text):
    """Of buffers: fields by the header, whole numbers, ids once, a life and a size."""
    rows = [line.rstrip("\r").split(",") for line in text.split("\n")]
    rows = [row for row in rows if row != [""]]
    if not rows or not {"id", "lower", "upper", "size"} <= set(rows[0]) or len(set(rows[0])) != len(rows[0]):
        return True
    names = set()
    for row in rows[1:]:
        if len(row) != len(rows[0]):
            return True
        fields = dict(zip(rows[0], row))
        if not all(re.fullmatch(r"-?[0-9]+", fields[name]) for name in ("lower", "upper", "size")):
            return True
        lower, upper, size = (int(fields[name]) for name in ("lower", "upper", "size"))
        if lower > upper or size < 0 or fields["id"] in names or lower < -MOST - 1 or max(upper, size) > MOST:
            return True
        names.add(fields["id"])
    return False


def npy(shape, kind="<f4", width=4):
    count = 1
    for size in shape:
        count *= size
    header = f"{{'descr': '{kind}', 'fortran_order': False, 'shape': {tuple(shape)}, }}"
    header += " " * (63 - (10 + len(header)) % 64) + "\n"
    data = struct.pack("<" + "f" * count, *range(count))[:count * width]
    return b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header.encode() + data


def make_npy(rng):
    data = npy(rng.choice([(2, 3), (2, 3), (2, 3), (3, 2), (6,), (2, 3, 1), (2, 4), ()]),
               rng.choice(["<f4", "<f4", "<f4", "<i4", "<f8", ">f4", "|u1"]))
    way = rng.randrange(8)
    if way == 0:
        return data
    if way < 4:
        # The header alone: what it says is no more what follows.
        end = data.index(b"\n") + 1
        header = change_text(data[10:end].decode(), rng).encode("latin-1", "replace")
        length = len(header) if rng.randrange(4) else rng.randrange(1 << 16)
        return data[:8] + struct.pack("<H", length) + header + data[end:]
    if way == 4:
        return data[:rng.randrange(len(data))]
    return change_bytes(data, rng)


def is_bad_array(data, shape=(2, 3), kind="<f4"):
    """Whether these bytes are no array of that shape and kind, by numpy; None without numpy."""
    try:
        import numpy
    except ImportError:
        return None
    file = io.BytesIO(data)
    try:
        array = numpy.load(file, allow_pickle=False)
        return array.shape != shape or array.dtype != numpy.dtype(kind) or file.read() != b"" or \
            numpy.isfortran(array)
    except Exception:  # whatever numpy says of it
        return True
