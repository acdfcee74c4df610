//===- OpKnowledge.h - what is known of a kind of op ------------*- C++ -*-===//
//
// Says, for each kind of operation, by whose word the analyses know what it
// does to memory. What nobody speaks for may do anything: it may hand on
// whatever it can reach, and read or write it. A test prints the answer for
// every registered operation, so that a new one cannot slip in unseen.
//
//===----------------------------------------------------------------------===//

#ifndef PEBBLE_ANALYSIS_OPKNOWLEDGE_H
#define PEBBLE_ANALYSIS_OPKNOWLEDGE_H

#include "mlir/IR/Operation.h"

namespace pebble {

enum class OpKnowledge {
  Call,      ///< CallOpInterface: the summary of the callee
  Branches,  ///< RegionBranchOpInterface: values go along its edges
  Jump,      ///< BranchOpInterface, or a terminator that hands values on
  View,      ///< ViewLikeOpInterface, and the views on tensors of Storage.h
  Measure,   ///< looks at sizes and strides alone (a list of our own)
  Global,    ///< memref.get_global: a handle of the global that it names
  Quiet,     ///< works on tensors alone, and says nothing (a list of our own)
  Effects,   ///< MemoryEffectOpInterface: what it reads, writes and makes
  Recursive, ///< does what the ops in its regions do
  Anything   ///< nobody speaks for it
};
llvm::StringRef toString(OpKnowledge knowledge);

/// Time constant. Unregistered ops are Anything.
OpKnowledge getKnowledge(mlir::OperationName name);

} // namespace pebble

#endif // PEBBLE_ANALYSIS_OPKNOWLEDGE_H
