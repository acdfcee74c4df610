//===- step.h - the sparse-parity step, as a driver calls it ----*- C++ -*-===//
//
// The C interface of the compiled step for the drivers that build.sh links with
// it. DONATED_TENSORS: it was compiled from the form on tensors, owns its
// donated arguments and hands buffers back.
//
//===----------------------------------------------------------------------===//

#ifndef PEBBLE_TEST_INTEGRATION_SPARSEPARITY_STEP_H
#define PEBBLE_TEST_INTEGRATION_SPARSEPARITY_STEP_H

#include <cstdint>

/// A memref as MLIR's C interface passes it.
template <int Rank>
struct MemRef {
  float *allocated, *aligned;
  int64_t offset = 0, sizes[Rank], strides[Rank];
};
using Vector = MemRef<1>;
using Matrix = MemRef<2>;

/// What the form on tensors hands back.
struct Weights {
  Matrix W1;
  Vector b1, W2, b2;
};

/// One step on a sample of 20 inputs `x` and the label `y`; W1 is 1000x20, b1
/// and W2 are 1000 long, b2 and `y` one.
extern "C" void _mlir_ciface_train_step(
#ifdef DONATED_TENSORS
    Weights *updated,
#endif
    Matrix *W1, Vector *b1, Vector *W2, Vector *b2, Vector *x, Vector *y);

#endif // PEBBLE_TEST_INTEGRATION_SPARSEPARITY_STEP_H
