//===- SparseParity.h - the training step that tests share ------*- C++ -*-===//
//
// One training step of a two-layer network on sparse parity (20 inputs, 1000
// hidden units, one sample), one step per row, updates in place. Sizes are
// given in floats of 4 bytes.
//
//===----------------------------------------------------------------------===//

#ifndef PEBBLE_TEST_UNIT_SOLVER_SPARSEPARITY_H
#define PEBBLE_TEST_UNIT_SOLVER_SPARSEPARITY_H

#include "pebble/Solver/Game/Problem.h"

#include <map>
#include <string>
#include <vector>

namespace pebble::test {

/// The step as a Problem: arguments first (W1 b1 W2 b2 x y), donated weights,
/// pinned samples, results of the updates required. Bytes are 4 per float;
/// footprints equal bytes.
inline game::Problem sparseParity() {
  struct Row {
    const char *name;
    std::vector<const char *> reads;
    const char *write;
    int64_t floats; // 0: in place, into the first read
  };
  const std::vector<Row> rows = {
      {"fwd_linear1", {"W1", "x", "b1"}, "h_pre", 1000},
      {"fwd_relu", {"h_pre"}, "h", 1000},
      {"fwd_linear2", {"W2", "h", "b2"}, "y_hat", 1},
      {"fwd_loss", {"y_hat", "y"}, "loss", 1},
      {"bwd_loss", {"loss", "y_hat", "y"}, "dy", 1},
      {"bwd_dW2", {"dy", "h"}, "dW2", 1000},
      {"bwd_db2", {"dy"}, "db2", 1},
      {"bwd_dh", {"W2", "dy"}, "dh", 1000},
      {"bwd_relu", {"dh", "h_pre"}, "dh_pre", 1000},
      {"bwd_dW1", {"dh_pre", "x"}, "dW1", 20000},
      {"bwd_db1", {"dh_pre"}, "db1", 1000},
      {"upd_W1", {"W1", "dW1"}, "W1'", 0},
      {"upd_b1", {"b1", "db1"}, "b1'", 0},
      {"upd_W2", {"W2", "dW2"}, "W2'", 0},
      {"upd_b2", {"b2", "db2"}, "b2'", 0},
  };
  game::Problem p;
  p.name = "sparse_parity";
  std::map<std::string, game::Id> ids;
  auto addStorage = [&](const std::string &name, int64_t bytes, bool initial) {
    game::Storage s;
    s.name = name;
    s.bytes = s.footprint = bytes;
    s.initial = initial;
    p.storages.push_back(s);
    return static_cast<game::Id>(p.storages.size() - 1);
  };
  auto addValue = [&](const std::string &name, game::Id storage,
                      game::Id producer, game::Id overwrites) {
    game::Value v;
    v.name = name;
    v.storage = storage;
    v.producer = producer;
    v.overwrites = overwrites;
    v.required = overwrites != game::kNone;
    ids[name] = p.values.size();
    p.values.push_back(v);
  };
  const std::vector<std::pair<const char *, int64_t>> arguments = {
      {"W1", 20000}, {"b1", 1000}, {"W2", 1000},
      {"b2", 1},     {"x", 20},    {"y", 1}};
  for (const auto &[name, floats] : arguments)
    addValue(name, addStorage(name, 4 * floats, true), game::kNone,
             game::kNone);
  p.storages[ids["x"]].pinned = p.storages[ids["y"]].pinned = true;
  for (const Row &row : rows) {
    game::Id step = p.steps.size();
    game::Step s;
    s.name = row.name;
    s.recomputable = row.floats != 0;
    for (const char *read : row.reads) {
      game::Id v = ids.at(read);
      s.reads.push_back({v, p.storages[p.values[v].storage].bytes});
    }
    if (row.floats) {
      addValue(row.write, addStorage(row.write, 4 * row.floats, false), step,
               game::kNone);
    } else {
      game::Id old = s.reads[0].value;
      addValue(row.write, p.values[old].storage, step, old);
    }
    game::Id result = ids.at(row.write);
    s.writes.push_back({result, p.storages[p.values[result].storage].bytes});
    p.steps.push_back(s);
  }
  return p;
}

/// The order that runs the steps named in `names`.
inline std::vector<game::Id>
orderByNames(const game::Problem &p, const std::vector<std::string> &names) {
  std::vector<game::Id> order;
  for (const std::string &name : names)
    for (game::Id s = 0; s < p.steps.size(); ++s)
      if (p.steps[s].name == name)
        order.push_back(s);
  return order;
}

} // namespace pebble::test

#endif // PEBBLE_TEST_UNIT_SOLVER_SPARSEPARITY_H
