#!/bin/bash
# Compiles a training step ahead of time and links it with a driver.
#
# usage: build.sh BUILD-FOLDER OUTPUT PROGRAM.mlir DRIVER.cpp [pebble-opt option...]
#
# The options go to pebble-opt before the lowering. MARCH names the processor to
# compile for (default: this one), CXX the compiler. Beside OUTPUT stand the
# scheduled program, OUTPUT.mlir, and the object of the step, OUTPUT.o.
set -euo pipefail
build=$1 output=$2 program=$3 driver=$4
shift 4
source=$(cd "$(dirname "${BASH_SOURCE[0]}")/../../.." && pwd)
build=$(cd "$build" && pwd)
cxx=${CXX:-clang++-22}
PATH=$build/bin:$PATH:/usr/lib/llvm-22/bin

pebble-opt "$program" "$@" -o "$output.mlir"
pebble-opt "$output.mlir" --pebble-to-llvm -o "$output.llvm.mlir"
mlir-translate --mlir-to-llvmir "$output.llvm.mlir" -o "$output.ll"
"$cxx" -O2 -march="${MARCH:-native}" -Wno-override-module -c "$output.ll" -o "$output.o"

form=
if grep -q '@train_step(.*: tensor<' "$program"; then form=-DDONATED_TENSORS; fi
"$cxx" -std=c++17 -O2 -ffp-contract=off -Wall -Wextra -march="${MARCH:-native}" $form \
  -I"$source/include" "$driver" "$output.o" "$build/lib/libpebble_runtime.so" \
  -Wl,-rpath,"$build/lib" -o "$output"
