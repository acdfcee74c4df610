//===- StageTransfers.cpp - tapes of a pipeline that move away ------------===//

#include "StageTransfers.h"

#include "pebble/Dialect/PebbleOps.h"
#include "pebble/Dialect/Placement.h"

using namespace mlir;
using namespace pebble;
using pipeline::Task;
using pipeline::TaskKind;

bool pebble::isMovable(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  return tensor && tensor.hasStaticShape() && !tensor.getEncoding();
}

void StageTransfers::store(const Task &task, Time time, ArrayRef<Value> tape,
                           Location loc, Note note) {
  Stored &of = stored[getKey(task)];
  of.end = time.second;
  for (auto [number, value] : llvm::enumerate(tape)) {
    if (!isMovable(value.getType()))
      continue;
    auto move = StoreOp::create(builder, loc, value,
                                withPlacement(value.getType(), tier));
    note(move);
    of.values.insert({static_cast<unsigned>(number),
                      {loc, value.getType(), move.getCopy(), move.getToken()}});
  }
}

void StageTransfers::finish(Stored &of, Note note) {
  if (!of.isUnderWay)
    return;
  of.isUnderWay = false;
  for (auto &[number, away] : of.values) {
    auto wait = WaitOp::create(builder, away.loc, away.token, away.copy);
    note(wait);
    away.copy = wait.getResult();
  }
}

void StageTransfers::finishStore(const Task &task, Note note) {
  finish(stored.find(getKey(task))->second, note);
}

void StageTransfers::startLoad(const Task &task, Note note) {
  Stored &of = stored.find(getKey(task))->second;
  finish(of, note);
  for (auto &[number, away] : of.values) {
    auto move = LoadOp::create(builder, away.loc, away.copy, away.type);
    note(move);
    away.copy = move.getCopy();
    away.token = move.getToken();
  }
}

void StageTransfers::settle(const Task &task, int64_t begin,
                            llvm::function_ref<bool(unsigned stage)> isOfRank,
                            Replace replace, Note note) {
  for (auto &[key, of] : stored)
    if (isOfRank(key.first) && of.end <= begin)
      finish(of, note);
  for (auto it = loads.begin(); it != loads.end();) {
    const auto &[load, time] = *it;
    const bool isNeeded = task.kind == TaskKind::Backward && isSame(load, task);
    if (!isOfRank(load.stage) || (time.first > begin && !isNeeded)) {
      ++it;
      continue;
    }
    startLoad(load, note);
    it = loads.erase(it);
  }
  auto found = stored.find(getKey(task));
  if (task.kind != TaskKind::Backward || found == stored.end())
    return;
  for (auto &[number, away] : found->second.values) {
    auto wait = WaitOp::create(builder, away.loc, away.token, away.copy);
    note(wait);
    replace(task, number, wait.getResult());
  }
  stored.erase(found);
}
