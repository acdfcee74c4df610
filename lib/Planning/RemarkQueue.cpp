//===- RemarkQueue.cpp - remarks of plans that are kept -------------------===//

#include "pebble/Planning/RemarkQueue.h"

#include "mlir/IR/Remarks.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Sequence.h"

#include <set>

using namespace mlir;

namespace pebble {

/// Of the thread; null: remarks do not wait.
static thread_local RemarkQueue *current = nullptr;

int64_t PlanRemark::getBytes() const {
  for (const auto &[metric, value] : metrics)
    if (metric == "Bytes")
      return value;
  return -1;
}

void PlanRemark::emit() const {
  auto options = remark::RemarkOpts::name(name).category(category);
  auto remark = kind == Passed   ? remark::passed(loc, options)
                : kind == Missed ? remark::missed(loc, options)
                                 : remark::analysis(loc, options);
  if (!remark)
    return;
  remark << text;
  for (const auto &[metric, value] : metrics)
    remark << remark::detail::Remark::Arg(metric, value);
}

RemarkQueue::RemarkQueue() : outer(std::exchange(current, this)) {}

RemarkQueue::~RemarkQueue() { current = outer; }

RemarkQueue::Remarks RemarkQueue::take(Operation *function) {
  auto *found = waiting.find(function);
  return found == waiting.end() ? Remarks()
                                : std::exchange(found->second, Remarks());
}

void RemarkQueue::put(Operation *function, Remarks remarks) {
  waiting[function] = std::move(remarks);
}

void RemarkQueue::emit(Operation *function) {
  Remarks remarks = take(function);
  SmallVector<size_t> order =
      llvm::to_vector(llvm::seq<size_t>(0, remarks.size()));
  llvm::sort(order, [&](size_t a, size_t b) {
    const int64_t first = remarks[a].getBytes(), second = remarks[b].getBytes();
    if ((first >= 0) != (second >= 0))
      return second >= 0;
    return first != second ? first > second : a < b;
  });
  std::set<std::tuple<const void *, std::string, std::string>> said;
  for (size_t i : order) {
    const PlanRemark &remark = remarks[i];
    if (said.insert({remark.loc.getAsOpaquePointer(), remark.name, remark.text})
            .second)
      remark.emit();
  }
}

void say(Operation *op, PlanRemark remark) {
  if (!op->getContext()->getRemarkEngine())
    return;
  if (!current)
    return remark.emit();
  Operation *function = op;
  while (function->getParentOp() && !isa<FunctionOpInterface>(function))
    function = function->getParentOp();
  current->waiting[function].push_back(std::move(remark));
}

} // namespace pebble
