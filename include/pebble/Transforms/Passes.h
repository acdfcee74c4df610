//===- Passes.h - Pebble's passes -------------------------------*- C++ -*-===//

#ifndef PEBBLE_TRANSFORMS_PASSES_H
#define PEBBLE_TRANSFORMS_PASSES_H

#include "pebble/Analysis/ChoiceOption.h"
#include "pebble/Analysis/Traffic.h"
#include "pebble/Dialect/PebbleDialect.h"
#include "pebble/Planning/PlanOrder.h"
#include "pebble/Planning/PlanSchedule.h"

#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlow.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

#include <limits>

namespace pebble {

/// How pebble-stitch-backward finds the argument that a saved result becomes.
enum class SavedPairing { Name, Position };

/// An option that nobody gave. No option takes this number, and every other one
/// that it does not take is an error.
inline constexpr int64_t kNotGiven = std::numeric_limits<int64_t>::min();

/// How pebble-checkpoint-calls makes calls of functions with adjoints.
enum class CallTreeMode { Chosen, Split, Joint };

/// Which states of a loop pebble-checkpoint-loops keeps.
enum class LoopSchedule { Binomial, TwoTier, Periodic, StoreAll };

} // namespace pebble

PEBBLE_CHOICES(pebble::CacheModel);
PEBBLE_CHOICES(pebble::CallTreeMode);
PEBBLE_CHOICES(pebble::LoopSchedule);
PEBBLE_CHOICES(pebble::OrderObjective);
PEBBLE_CHOICES(pebble::SavedPairing);
PEBBLE_CHOICES(pebble::ScheduleMeans);
PEBBLE_CHOICES(pebble::ScheduleObjective);

namespace pebble {

#define GEN_PASS_DECL
#include "pebble/Transforms/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "pebble/Transforms/Passes.h.inc"

} // namespace pebble

#endif // PEBBLE_TRANSFORMS_PASSES_H
