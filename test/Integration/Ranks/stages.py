#!/usr/bin/env python3
"""Writes a gradient through two stages: as one program, or as one for each rank.

    stages.py whole | first | second

Each stage is a function with an adjoint, of `steps` sines. The first stage sends
its result to rank 1 and receives the gradient of it; the second stage computes
the gradient of its own result, which is one. @main of `whole` returns the
gradient of the argument and the result; each stage returns one of them.
"""

import sys

STEPS, T, M = 12, "tensor<2048xf32>", "memref<2048xf32>"
TAPE = ", ".join([T] * STEPS)


def stage(name):
    lines = [f"func.func private @{name}(%y0: {T}) -> ({T}, {TAPE})",
             f"    attributes {{pebble.adjoint = {{backward = @{name}_back, results = 1 : i64}}}} {{"]
    for i in range(STEPS):
        lines += [f"  %c{i} = math.cos %y{i} : {T}", f"  %y{i + 1} = math.sin %y{i} : {T}"]
    tape = ", ".join(f"%c{i}" for i in range(STEPS))
    lines += [f"  return %y{STEPS}, {tape} : {T}, {TAPE}", "}"]
    arguments = ", ".join(f"%c{i}: {T}" for i in range(STEPS))
    lines.append(f"func.func private @{name}_back({arguments}, %g{STEPS}: {T}) -> {T} {{")
    for i in reversed(range(STEPS)):
        lines.append(f"  %g{i} = arith.mulf %g{i + 1}, %c{i} : {T}")
    return lines + [f"  return %g0 : {T}", "}"]


def forward(name, result, argument):
    return [f"  %{result}, %{result}_t:{STEPS} = call @{name}({argument}) : ({T}) -> ({T}, {TAPE})"]


def backward(name, tape, result, gradient):
    tape = ", ".join(f"%{tape}_t#{i}" for i in range(STEPS))
    return [f"  %{result} = call @{name}_back({tape}, {gradient}) : ({TAPE}, {T}) -> {T}"]


def start():
    return ["  %tag = arith.constant 3 : i32", "  %zero = arith.constant 0 : i32",
            "  %one = arith.constant 1 : i32", "  mpi.init", "  %world = mpi.comm_world : !mpi.comm"]


def send(value, rank):
    buffer = value.strip("%") + "_sent"
    return [f"  %{buffer} = memref.alloc() : {M}",
            f"  bufferization.materialize_in_destination {value} in writable %{buffer} : ({T}, {M}) -> ()",
            f"  %{buffer}_r = mpi.isend(%{buffer}, %tag, {rank}, %world) : {M}, i32, i32 -> !mpi.request"]


def wait(value):
    return [f"  mpi.wait(%{value}_sent_r) : !mpi.request"]


def receive(value, rank):
    return [f"  %{value}_b = memref.alloc() : {M}",
            f"  mpi.recv(%{value}_b, %tag, {rank}, %world) : {M}, i32, i32",
            f"  %{value} = bufferization.to_tensor %{value}_b restrict : {M} to {T}"]


def main(kind):
    ones = [f"  %ones = arith.constant dense<1.0> : {T}"]
    head, end = [f"func.func @main(%x: {T}) -> {T} {{"], ["  mpi.finalize"]
    if kind == "whole":
        return (stage("a") + stage("b") + [f"func.func @main(%x: {T}) -> ({T}, {T}) {{"] + ones
                + forward("a", "y", "%x") + forward("b", "z", "%y")
                + backward("b", "z", "h", "%ones") + backward("a", "y", "g", "%h")
                + [f"  return %g, %z : {T}, {T}", "}"])
    if kind == "first":
        return (stage("a") + head + start() + forward("a", "y", "%x") + send("%y", "%one") + receive("h", "%one")
                + wait("y") + backward("a", "y", "g", "%h") + end + [f"  return %g : {T}", "}"])
    return (stage("b") + head + ones + start() + receive("y", "%zero") + forward("b", "z", "%y")
            + backward("b", "z", "h", "%ones") + send("%h", "%zero") + wait("h") + end
            + [f"  return %z : {T}", "}"])


print("\n".join(main(sys.argv[1])))
