//===- RemarkQueue.h - remarks of plans that are kept -----------*- C++ -*-===//
//
// A function may be planned several times before a plan is kept. What there is
// to say of each plan waits in a queue until it is known which one that is.
//
//===----------------------------------------------------------------------===//

#ifndef PEBBLE_PLANNING_REMARKQUEUE_H
#define PEBBLE_PLANNING_REMARKQUEUE_H

#include "mlir/IR/Location.h"
#include "mlir/IR/Operation.h"
#include "llvm/ADT/MapVector.h"

#include <string>
#include <utility>
#include <vector>

namespace pebble {

/// A remark that nobody has seen yet.
struct PlanRemark {
  enum Kind { Passed, Missed, Analysis };
  Kind kind;
  mlir::Location loc;
  std::string name, category, text;
  /// Figures by their names.
  std::vector<std::pair<std::string, int64_t>> metrics;

  /// What the value takes that it is about; -1 if it is about none.
  int64_t getBytes() const;
  void emit() const;
};

/// Takes the remarks of this thread for as long as it lives. Those that were
/// not emitted by then are of plans that were given up.
class RemarkQueue {
public:
  RemarkQueue();
  ~RemarkQueue();
  RemarkQueue(const RemarkQueue &) = delete;
  RemarkQueue &operator=(const RemarkQueue &) = delete;

  using Remarks = std::vector<PlanRemark>;

  /// Takes what was said of the plan of `function`, which is given up.
  Remarks take(mlir::Operation *function);
  /// The plan is kept again that this was said of.
  void put(mlir::Operation *function, Remarks remarks);
  /// Emits what is to be said of the plan of `function`, none twice: first what
  /// is about no value, then values, the largest first.
  void emit(mlir::Operation *function);

private:
  friend void say(mlir::Operation *op, PlanRemark remark);
  llvm::MapVector<mlir::Operation *, Remarks> waiting;
  RemarkQueue *outer;
};

/// Says `remark` of the plan of the function around `op`, or which `op` is: at
/// once, where there is no queue. Says nothing if nobody listens.
void say(mlir::Operation *op, PlanRemark remark);

} // namespace pebble

#endif // PEBBLE_PLANNING_REMARKQUEUE_H
