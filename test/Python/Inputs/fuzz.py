#!/usr/bin/env python3
"""Random JAX programs through pebble.jax: equal results, and budgets kept or
refused.

  fuzz.py [--seed=0] [--count=10] [--verbose]

Each program is a function of some arrays, made of elementwise operations,
products, convolutions, reductions, scans, while loops, conditionals, updates of parts,
sorts, gathers and scatters, some of it mapped by vmap or nested in jit. Some programs
are differentiated, mapped as a whole, give arguments away, or update the weights that
they are given. It is planned
at a random budget. The results must be those of jax.jit but for rounding, XLA's figure
must be within the budget, and a refusal must name a least that is above the budget,
at which the program is planned and run all the same, if that is found again in time. A program that fails is named
by its seed: --seed=SEED --count=1 runs it alone.
"""

import argparse
import random
import sys
import traceback
import warnings

import jax
import jax.numpy as jnp
import numpy as np

import pebble.jax
from pebble.jax import xla

# No public way says when XLA is asked to compile.
from jax._src import compiler

SIZES = (8, 16, 32)
UNARY = (
    jnp.tanh, jnp.sin, jax.nn.relu, jax.nn.sigmoid, jnp.abs, jnp.negative, jnp.square,
    lambda x: jnp.exp(-jnp.square(x)), lambda x: x * 0.5, lambda x: jnp.clip(x, -2, 2),
)  # fmt: skip
BINARY = (
    jnp.add, jnp.subtract, jnp.multiply, jnp.maximum,
    lambda a, b: a / (1 + jnp.square(b)), lambda a, b: jnp.where(a > b, a, b * 0.3),
)  # fmt: skip


class Program:
    """A list of instructions drawn from a seed, and a function that runs them."""

    def __init__(self, seed):
        self.draw = random.Random(seed)
        draw = self.draw
        self.rows, self.columns = draw.choice(SIZES) * 8, draw.choice(SIZES)
        count = draw.randint(1, 4)
        state = np.random.RandomState(seed)
        self.arguments = [
            jnp.asarray(state.randn(self.rows, self.columns), jnp.float32)
            for _ in range(count)
        ]
        self.weights = jnp.asarray(
            state.randn(3, self.columns, self.columns) / self.columns**0.5, jnp.float32
        )
        kinds = (
            "unary", "unary", "binary", "binary", "product", "product", "reduce",
            "scan", "branch", "update", "sort", "gather", "while", "nested", "shift",
            "scatter", "convolve", "switch", "cumulative", "mapped", "window",
        )  # fmt: skip
        self.code = [
            (draw.choice(kinds), [draw.random() for _ in range(4)])
            for _ in range(draw.randint(4, 18))
        ]
        self.how = draw.choice(("plain", "grad", "grad", "vmap", "donated", "step"))
        self.share = draw.choice((99, 95, 90, 80, 70, 60, 40))
        self.results = draw.randint(1, 3)

    def body(self, weights, *values):
        values = list(values)
        for kind, numbers in self.code:
            values.append(getattr(self, kind)(weights, values, numbers))
        return tuple(values[-self.results :])

    # Instructions: all keep the shape.

    @staticmethod
    def pick(values, number):
        # Late values more often than early ones.
        return values[len(values) - 1 - int(number * number * len(values))]

    def unary(self, weights, values, numbers):
        return UNARY[int(numbers[0] * len(UNARY))](self.pick(values, numbers[1]))

    def binary(self, weights, values, numbers):
        function = BINARY[int(numbers[0] * len(BINARY))]
        return function(self.pick(values, numbers[1]), self.pick(values, numbers[2]))

    def product(self, weights, values, numbers):
        value = self.pick(values, numbers[1])
        if numbers[0] < 0.7:
            return value @ weights[int(numbers[2] * 3)]
        other = self.pick(values, numbers[2])
        return value @ (other.T @ value) / self.rows

    def reduce(self, weights, values, numbers):
        value = self.pick(values, numbers[1])
        axis = int(numbers[0] * 2)
        function = (jnp.sum, jnp.max, jnp.mean)[int(numbers[2] * 3)]
        return value - 0.1 * function(value, axis=axis, keepdims=True)

    def scan(self, weights, values, numbers):
        value, start = self.pick(values, numbers[1]), self.pick(values, numbers[2])
        parts = value.reshape(8, -1, self.columns)
        weight = weights[int(numbers[0] * 3)]

        def cell(carry, part):
            carry = jnp.tanh(carry @ weight + part)
            return carry, carry * 0.5

        _, made = jax.lax.scan(cell, start[: parts.shape[1]], parts)
        return made.reshape(value.shape)

    def branch(self, weights, values, numbers):
        value, other = self.pick(values, numbers[1]), self.pick(values, numbers[2])
        weight = weights[int(numbers[0] * 3)]
        return jax.lax.cond(
            jnp.sum(other) > 0, lambda v: jnp.sin(v @ weight), lambda v: v * 2.0, value
        )

    def update(self, weights, values, numbers):
        value, other = self.pick(values, numbers[1]), self.pick(values, numbers[2])
        at = int(numbers[0] * self.rows // 2)
        if numbers[3] < 0.5:
            return value.at[at : at + 4].set(other[:4])
        return jax.lax.dynamic_update_slice(value, other[:2], (at, 0))

    def sort(self, weights, values, numbers):
        return jnp.sort(self.pick(values, numbers[1]), axis=int(numbers[0] * 2))

    def gather(self, weights, values, numbers):
        value = self.pick(values, numbers[1])
        order = jnp.argsort(jax.lax.stop_gradient(value[:, 0]))
        return value[order]

    def scatter(self, weights, values, numbers):
        value, other = self.pick(values, numbers[1]), self.pick(values, numbers[2])
        rows = (jnp.arange(8) * 5 + int(numbers[0] * self.rows)) % self.rows
        at = value.at[rows]
        # Its order among equal rows is not told; these are not.
        return (at.add, at.set, at.max)[int(numbers[3] * 3)](other[:8])

    def convolve(self, weights, values, numbers):
        value = self.pick(values, numbers[1])
        image = value.reshape(1, self.rows // 8, 8, self.columns)
        kernel = jnp.stack([weights[int(numbers[0] * 3)] * 0.3] * 9)
        made = jax.lax.conv_general_dilated(
            image, kernel.reshape(3, 3, self.columns, self.columns), (1, 1), "SAME",
            dimension_numbers=("NHWC", "HWIO", "NHWC"),
        )  # fmt: skip
        return made.reshape(value.shape)

    def switch(self, weights, values, numbers):
        value, other = self.pick(values, numbers[1]), self.pick(values, numbers[2])
        weight = weights[int(numbers[0] * 3)]
        which = jnp.argmax(jax.lax.stop_gradient(other[0, :3]))
        cases = (lambda v: v @ weight, jnp.sin, lambda v: jnp.sort(v, axis=0))
        return jax.lax.switch(which, cases, value)

    def cumulative(self, weights, values, numbers):
        return jnp.cumsum(self.pick(values, numbers[1]), axis=0) / self.rows

    def mapped(self, weights, values, numbers):
        value = self.pick(values, numbers[1])
        weight = weights[int(numbers[0] * 3)]
        parts = value.reshape(8, -1, self.columns)
        made = jax.vmap(lambda v: jax.nn.softmax(v @ weight, axis=0) @ weight)(parts)
        return made.reshape(value.shape)

    def window(self, weights, values, numbers):
        value = self.pick(values, numbers[1])
        function = (jax.lax.max, jax.lax.add)[int(numbers[0] * 2)]
        start = (-jnp.inf, 0.0)[int(numbers[0] * 2)]
        return 0.3 * jax.lax.reduce_window(value, start, function, (3, 3), (1, 1), "SAME")

    def nested(self, weights, values, numbers):
        inner = jax.jit(lambda v, w: jax.nn.relu(v @ w) + v)
        return inner(self.pick(values, numbers[1]), weights[int(numbers[0] * 3)])

    def shift(self, weights, values, numbers):
        value = self.pick(values, numbers[1])
        at = int(numbers[0] * self.rows)
        return jnp.concatenate([value[at:], value[:at]])

    def __getattr__(self, name):
        if name == "while":
            return self.loop
        raise AttributeError(name)

    def loop(self, weights, values, numbers):
        value = self.pick(values, numbers[1])
        weight = weights[int(numbers[0] * 3)]
        if self.how in ("grad", "step"):  # a while of unknown length has no reverse
            return jax.lax.fori_loop(0, 3, lambda _, v: jnp.tanh(v @ weight), value)

        def go_on(state):
            count, v = state
            return (count < 5) & (jnp.max(jnp.abs(v)) > 0.5)

        return jax.lax.while_loop(
            go_on, lambda s: (s[0] + 1, s[1] * 0.7 @ weight), (0, value)
        )[1]

    def function(self):
        """The function, its arguments, and those that it is given for good."""
        arguments = (self.weights, *self.arguments)
        loss = lambda *a: sum(jnp.sum(jnp.square(r)) for r in self.body(*a))  # noqa: E731
        if self.how == "grad":
            return jax.value_and_grad(loss, argnums=(0, 1)), arguments, ()
        if self.how == "step":

            def step(weights, *values):
                value, slopes = jax.value_and_grad(loss)(weights, *values)
                size = 1 + jnp.max(jnp.abs(slopes))
                return weights - 0.01 * slopes / size, value

            return step, arguments, (0,)
        if self.how == "vmap":
            batched = [jnp.stack([a, a * 0.5]) for a in self.arguments]
            axes = (None, *(0 for _ in batched))
            return jax.vmap(self.body, in_axes=axes), (self.weights, *batched), ()
        if self.how == "donated":
            return self.body, arguments, tuple(range(1, 1 + len(self.arguments)))
        return self.body, arguments, ()


class Compilers:
    """Has XLA compile equal programs once: each is needed as it is for its figure, for
    its results, and by each call of schedule. Its kernels are made fast for one program
    in four alone: that is half of the time, and what they fuse and where they write is
    settled before. (How a product is rounded that is added to is not.)"""

    def __init__(self):
        self.compiled, self.is_fast = {}, True
        self.original = compiler.backend_compile_and_load
        compiler.backend_compile_and_load = self.compile

    def start(self, seed):
        self.compiled.clear()
        self.is_fast = seed % 4 == 0

    def compile(self, backend, module, devices, options, host_callbacks):
        if not self.is_fast:
            given = options.env_option_overrides
            level = ("xla_backend_optimization_level", 0)
            options.env_option_overrides = [*given, level]
        text = module.operation.get_asm(enable_debug_info=False)
        key = text, options.SerializeAsString()
        if host_callbacks or key not in self.compiled:
            self.compiled[key] = self.original(
                backend, module, devices, options, host_callbacks
            )
        return self.compiled[key]


def compare(expected, got, other=None):
    """What rounding does not explain, or None. `other` is what comes out in 64 bits:
    where that is zero, all that is expected is rounding, and another rounding does."""
    a, b = jax.tree.leaves(expected), jax.tree.leaves(got)
    if len(a) != len(b):
        return f"{len(b)} results for {len(a)}"
    noises = [0.0] * len(a)
    if other is not None:
        pairs = zip(a, jax.tree.leaves(other))
        noises = [np.abs(np.nan_to_num(np.asarray(x) - np.asarray(z))).max(initial=0)
                  for x, z in pairs]
    for x, y, noise in zip(a, b, noises):
        x, y = np.asarray(x), np.asarray(y)
        if x.shape != y.shape or x.dtype != y.dtype:
            return f"{y.dtype}{y.shape} for {x.dtype}{x.shape}"
        if not np.array_equal(np.isfinite(x), np.isfinite(y)):
            return "other infinities"
        x, y = np.nan_to_num(x), np.nan_to_num(y)
        allowed = max(1e-4 * np.abs(x).max(initial=0), 2 * noise, 1e-34)
        apart = np.abs(x - y) > allowed
        # Where equal numbers are compared or sorted, rounding shows in full.
        if apart.mean() > 0.02:
            return f"{apart.mean():.1%} of the elements differ, up to {np.abs(x - y).max()}"
    return None


def run(seed):
    """What became of a program: "planned", "as it is", or that with the least
    budget once its own was refused."""
    program = Program(seed)
    function, arguments, donated = program.function()
    # A share of what can change: arguments and results are there anyway.
    stats = jax.jit(function, donate_argnums=donated).lower(*arguments).compile()
    original, inner = xla.measure(stats), stats.memory_analysis().temp_size_in_bytes
    budget = original - inner + inner * program.share // 100
    fresh = lambda: jax.tree.map(jnp.copy, arguments)  # noqa: E731
    expected = stats(*fresh())
    measure = program.draw.random() < 0.5
    outcome = ""
    while True:
        planned = pebble.jax.schedule(
            function,
            budget,
            donate_argnums=donated,
            time_limit=0.5,
            measure=measure,
            cache=False,
            verbose=False,
        )
        try:
            plan = planned.plan_for(*arguments)
        except pebble.jax.Infeasible as refusal:
            least = refusal.least
            assert least is not None and least > budget, refusal
            if outcome:
                # Another search within the same seconds may find less.
                assert "a limit ended the search" in str(refusal), refusal
                return "refused, and not found again in time"
            outcome, budget = "refused, and ", least
            continue
        break
    assert plan.reported <= plan.budget, plan
    got = planned(*fresh())
    difference = compare(expected, got)
    if difference:
        with jax.enable_x64(True):
            wide = [jnp.asarray(np.asarray(a), jnp.float64) for a in arguments]
            difference = compare(expected, got, jax.jit(function)(*wide))
    assert difference is None, difference
    return outcome + ("planned" if plan.attempts else "as it is")


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--count", type=int, default=10)
    parser.add_argument("--verbose", action="store_true")
    options = parser.parse_args()
    warnings.filterwarnings("ignore")
    compilers = Compilers()
    counts, failed = {}, []
    for seed in range(options.seed, options.seed + options.count):
        compilers.start(seed)
        try:
            outcome = run(seed)
        except Exception:
            failed.append(seed)
            outcome = "FAILED"
            print(f"seed {seed}:\n{traceback.format_exc(limit=-2)}", flush=True)
        counts[outcome] = counts.get(outcome, 0) + 1
        if options.verbose:
            print(f"seed {seed}: {outcome}", flush=True)
        if seed % 50 == 49:
            jax.clear_caches()
    print(f"{options.count} programs:", ", ".join(f"{n} {k}" for k, n in counts.items()))
    sys.exit(f"failed: {failed}" if failed else 0)


if __name__ == "__main__":
    main()
