//===- StageSplit.h - a stage with tasks for its weights --------*- C++ -*-===//
//
// Private to the files of StageWriter.
//
//===----------------------------------------------------------------------===//

#ifndef PEBBLE_LIB_PLANNING_STAGESPLIT_H
#define PEBBLE_LIB_PLANNING_STAGESPLIT_H

#include "SplitWeights.h"

#include "pebble/Planning/WriteStages.h"

namespace pebble {

struct StageWriter::Split {
  mlir::func::FuncOp backward;
  LateOps late;
  BackwardParts parts;
};

} // namespace pebble

#endif // PEBBLE_LIB_PLANNING_STAGESPLIT_H
