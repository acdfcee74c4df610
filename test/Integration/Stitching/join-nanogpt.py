"""Names what NanoGPT's two halves say to each other.

  join-nanogpt.py FORWARD.mlir BACKWARD.mlir > JOINED.mlir

The halves were exported one by one, and neither order nor names tell which
saved result is which argument; only the types agree as multisets. What tells is
what they are used for: a value has a type and a role (operand of a matmul, mean
of a layer norm ...), and among those of one type and role the backward function
goes through the layers in the reverse order. Writes one module with both
functions, in which each saved value has a `pebble.name`. Fails if the pairing
is not one to one, or breaks what must hold between layers: the input of a
matmul belongs to the weight whose gradient it makes, and the input, mean and
scale of a layer norm to one layer norm.
"""

import re
import sys
from collections import defaultdict

OWN_RESULTS = 3  # logits, loss, logits before their last reshape


class Half:
    """One function, read line by line; operations inside regions are left out."""

    def __init__(self, path):
        with open(path, encoding="utf-8") as file:
            self.text = file.read()
        head = re.search(r"\^bb0\((%arg0: .*)\):", self.text).group(1)
        self.arguments = dict(a.split(": ") for a in head.split(", "))
        self.producer, self.uses, self.types = {}, defaultdict(list), {}
        self.labels, self.operands, self.results = [], [], []
        pattern = re.compile(r'^    (?:(%\w+)(?::(\d+))? = )?"([\w.]+)"'
                             r'\(([^)]*)\)(.*)$', re.M)
        for i, m in enumerate(pattern.finditer(self.text)):
            name, count, op, operands, rest = m.groups()
            call = re.search(r'call_target_name = "([^"]*)"', rest)
            self.labels.append(call.group(1) if call else op.split(".")[1])
            self.operands.append([o for o in operands.split(", ") if o])
            self.results.append(name)
            for k, operand in enumerate(self.operands[-1]):
                self.uses[operand].append((i, k))
            if name:
                for k in range(int(count or 1)):
                    self.producer[f"{name}#{k}" if count else name] = (i, k)
        self.returned = self.operands[-1]
        kinds = re.search(r'"func.return"\([^)]*\) : \((.*)\) -> \(\)', self.text)
        self.returned_types = kinds.group(1).split(", ")

    def made_by(self, value):
        return self.labels[self.producer[value][0]] if value in self.producer else ""

    def users(self, value):
        return [(self.labels[i], k, self.results[i]) for i, k in self.uses[value]
                if self.labels[i] != "return"]


def forward_role(half, value):
    users = half.users(value)
    if value in half.producer and half.producer[value][1] > 0:
        return f"{half.made_by(value)}#{half.producer[value][1]}"
    if half.made_by(value) == "tanh":
        return "tanh"
    if any(u == "power" for u, _, _ in users):
        return "power"
    if any(u == "byteir.layer_norm" and k == 0 for u, k, _ in users):
        return "centred"
    if half.made_by(value) in ("byteir.softmax", "byteir.log_softmax"):
        return half.made_by(value)
    user, place, _ = users[0]
    if user == "multiply" and half.made_by(value) in ("multiply", "add"):
        return "half" if half.made_by(value) == "multiply" else "one plus tanh"
    return f"{user}:{place}" if user in ("dot", "dot_general", "multiply") else user


def backward_role(half, value):
    users = half.users(value)
    if not users:
        return ""
    user, place, result = users[0]
    after = half.users(result)
    if len(users) == 2 and user == "multiply":
        return "tanh" if users[1][0] == "multiply" and after[0][0] == "subtract" \
            else "byteir.softmax"
    if user == "power":
        return "power"
    if user == "subtract" and place == 0:
        return "centred"
    if user == "exponential":
        return "byteir.log_softmax"
    if user == "broadcast_in_dim" and after[0][0] == "subtract":
        return "byteir.layer_norm#1"
    if user == "broadcast_in_dim" and len(users) == 2:
        return "byteir.layer_norm#2"
    if user == "broadcast_in_dim" and after[0][0] == "multiply":
        return "byteir.layer_norm"
    if user == "transpose":
        return f"{after[0][0]}:{after[0][1]}"
    if user == "dot":
        return "dot:0"
    if user == "multiply" and half.made_by(half.operands[
            half.uses[value][0][0]][0]) == "reshape" and "x1536x" in half.arguments[value]:
        # d (u / 2) (1 - tanh^2) beside d (1 + tanh) / 2.
        other = half.operands[half.uses[result][0][0]][1]
        return "half" if half.made_by(other) == "subtract" else "one plus tanh"
    if user == "multiply":
        return "multiply:1"
    return "broadcast_in_dim" if user == "broadcast_in_dim" else ""


def pair(forward, backward):
    """Backward argument -> index of the forward result."""
    saved, wanted = defaultdict(list), defaultdict(list)
    for i, value in enumerate(forward.returned):
        if i < OWN_RESULTS:
            continue
        kind = forward.returned_types[i]
        first = min((u for u, _ in forward.uses[value]
                     if forward.labels[u] != "return"), default=0)
        if value in forward.producer and forward.producer[value][1] > 0:
            first = forward.producer[value][0]
        saved[kind, forward_role(forward, value)].append((first, i))
    for value, kind in list(backward.arguments.items())[:len(forward.returned)
                                                        - OWN_RESULTS]:
        first = min((u for u, _ in backward.uses[value]), default=0)
        wanted[kind, backward_role(backward, value)].append((-first, value))
    # A type with one role on each side needs no name for the role.
    for groups in (saved, wanted):
        kinds = defaultdict(list)
        for kind, role in groups:
            kinds[kind].append(role)
        for kind, roles in kinds.items():
            if len(roles) == 1:
                groups[kind, "only"] = groups.pop((kind, roles[0]))
    pairing = {}
    for key in sorted(set(saved) | set(wanted)):
        if len(saved[key]) != len(wanted[key]):
            sys.exit(f"{key}: {len(saved[key])} saved, {len(wanted[key])} wanted")
        for (_, result), (_, value) in zip(sorted(saved[key]),
                                           sorted(wanted[key])):
            pairing[value] = result
    return pairing


def check(forward, backward, pairing):
    checks = 0
    of = {value: forward.returned[result] for value, result in pairing.items()}
    for value, source in of.items():
        for user, place, result in backward.users(value):
            gradient = [k for i, k in backward.uses[result]
                        if result and backward.labels[i] == "return"]
            if user == "dot" and place == 1 and gradient:
                dot = next(i for i, k in forward.uses[source]
                           if forward.labels[i] == "dot")
                weight = forward.operands[forward.producer[
                    forward.operands[dot][1]][0]][0]
                # Gradients come in the order of the weights; there is none for
                # the six masks, which stand after them.
                if weight != f"%arg{gradient[0]}":
                    sys.exit(f"{value}: the gradient of {weight} stands at"
                             f" {gradient[0]}")
                checks += 1
            if user == "subtract" and place == 0:
                other = backward.operands[backward.uses[value][0][0]][1]
                mean = of[backward.operands[backward.producer[other][0]][0]]
                norm, _ = forward.producer[mean]
                product = backward.users(result)[0][2]
                spread = backward.operands[backward.producer[product][0]][1]
                scale = of[backward.operands[backward.producer[spread][0]][0]]
                if forward.operands[norm][0] != source or \
                        forward.producer[scale] != (norm, 2):
                    sys.exit(f"{value}: not the layer norm of its mean or scale")
                checks += 1
    print(f"// {len(pairing)} saved values; {checks} matmuls and layer norms"
          " agree")


def function_text(half, name, arguments, results):
    """The function under another name and with names on what it exchanges."""
    start = half.text.index('  "func.func"')
    end = half.text.rindex("})")
    attributes = {"arg_attrs": arguments, "res_attrs": results}
    extra = "".join(
        f", {key} = [" + ", ".join(
            f'{{pebble.name = "{n}"}}' if n else "{}" for n in names) + "]"
        for key, names in attributes.items() if names)
    return re.sub(r'sym_name = "\w+"\} : \(\) -> \(\)\s*$',
                  f'sym_name = "{name}"{extra}}} : () -> ()\n',
                  half.text[start:end])


def main():
    forward, backward = Half(sys.argv[1]), Half(sys.argv[2])
    pairing = pair(forward, backward)
    check(forward, backward, pairing)
    names = {result: f"saved{result}" for result in pairing.values()}
    print('"builtin.module"() ({')
    print(function_text(forward, "forward", [],
                        [names.get(i, "") for i in range(len(forward.returned))]))
    print(function_text(backward, "backward",
                        [names.get(pairing.get(value), "")
                         for value in backward.arguments], []))
    print("}) : () -> ()")


if __name__ == "__main__":
    main()
