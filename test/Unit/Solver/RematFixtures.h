//===- RematFixtures.h - small graphs with known least costs ----*- C++ -*-===//

#ifndef PEBBLE_TEST_UNIT_SOLVER_REMATFIXTURES_H
#define PEBBLE_TEST_UNIT_SOLVER_REMATFIXTURES_H

#include "pebble/Solver/Game/Problem.h"

#include <string>
#include <vector>

namespace pebble::test {

/// One op with one result; inputs name earlier ops. Graph inputs are free and
/// left out.
struct SmallOp {
  const char *name;
  std::vector<const char *> inputs;
  int64_t cost, size;
};

/// The last op is required.
inline game::Problem smallProblem(const std::vector<SmallOp> &ops) {
  game::Problem p;
  p.hierarchy.tiers.resize(2);
  p.hierarchy.tiers[0].name = "fast";
  p.hierarchy.tiers[1].name = "slow";
  for (game::Id i = 0; i < ops.size(); ++i) {
    game::Storage storage;
    storage.name = ops[i].name;
    storage.bytes = storage.footprint = ops[i].size;
    p.storages.push_back(storage);
    game::Value value;
    value.name = ops[i].name;
    value.storage = value.producer = i;
    value.required = i + 1 == ops.size();
    p.values.push_back(value);
    game::Step step;
    step.name = ops[i].name;
    step.cost = ops[i].cost;
    step.writes = {{i, ops[i].size}};
    for (const char *input : ops[i].inputs)
      for (game::Id v = 0; v < i; ++v)
        if (p.values[v].name == input)
          step.reads.push_back({v, ops[v].size});
    p.steps.push_back(step);
  }
  return p;
}

/// A U-Net's training step: the gradients of the skips stay live across the
/// backward pass of the encoder.
inline game::Problem unetTrain() {
  return smallProblem({{"e1", {}, 3, 8},
                       {"p1", {"e1"}, 1, 4},
                       {"e2", {"p1"}, 3, 6},
                       {"p2", {"e2"}, 1, 3},
                       {"m", {"p2"}, 4, 3},
                       {"u2", {"m"}, 2, 6},
                       {"d2", {"u2", "e2"}, 4, 6},
                       {"u1", {"d2"}, 2, 8},
                       {"d1", {"u1", "e1"}, 5, 8},
                       {"g_d1", {"d1"}, 1, 8},
                       {"g_u1", {"g_d1", "u1", "e1"}, 5, 8},
                       {"g_e1s", {"g_d1", "u1", "e1"}, 3, 8},
                       {"g_d2", {"g_u1", "d2"}, 2, 6},
                       {"g_u2", {"g_d2", "u2", "e2"}, 4, 6},
                       {"g_e2s", {"g_d2", "u2", "e2"}, 3, 6},
                       {"g_m", {"g_u2", "m"}, 2, 3},
                       {"g_p2", {"g_m", "p2"}, 4, 3},
                       {"g_e2", {"g_p2", "g_e2s", "e2"}, 1, 6},
                       {"g_p1", {"g_e2", "p1"}, 3, 4},
                       {"g_e1", {"g_p1", "g_e1s", "e1"}, 1, 8},
                       {"gx", {"g_e1"}, 3, 1}});
}

/// Twelve ops at random: least cost needs an order with recomputation that no
/// pass per stage can express.
inline game::Problem random12() {
  game::Problem p = smallProblem({{"v0", {}, 9, 4},
                                  {"v1", {"v0"}, 3, 5},
                                  {"v2", {"v0", "v1"}, 8, 3},
                                  {"v3", {"v0"}, 9, 6},
                                  {"v4", {"v3"}, 8, 6},
                                  {"v5", {"v0", "v1", "v2"}, 2, 1},
                                  {"v6", {"v2"}, 4, 5},
                                  {"v7", {"v5"}, 6, 4},
                                  {"v8", {"v4", "v5", "v7"}, 5, 4},
                                  {"v9", {"v4"}, 8, 6},
                                  {"v10", {"v5", "v8"}, 5, 3},
                                  {"v11", {"v10"}, 5, 1}});
  p.values[6].required = true;
  p.values[9].required = true;
  return p;
}

/// Eight layers forwards and backwards, all of size and cost 1.
inline game::Problem chain8Train() {
  game::Problem p = smallProblem({{"N1", {}, 1, 1},
                                  {"N2", {"N1"}, 1, 1},
                                  {"N3", {"N2"}, 1, 1},
                                  {"N4", {"N3"}, 1, 1},
                                  {"N5", {"N4"}, 1, 1},
                                  {"N6", {"N5"}, 1, 1},
                                  {"N7", {"N6"}, 1, 1},
                                  {"N8", {"N7"}, 1, 1},
                                  {"A8", {"N8"}, 0, 1},
                                  {"A7", {"A8", "N7"}, 1, 1},
                                  {"A6", {"A7", "N6"}, 1, 1},
                                  {"A5", {"A6", "N5"}, 1, 1},
                                  {"A4", {"A5", "N4"}, 1, 1},
                                  {"A3", {"A4", "N3"}, 1, 1},
                                  {"A2", {"A3", "N2"}, 1, 1},
                                  {"A1", {"A2", "N1"}, 1, 1},
                                  {"A0", {"A1"}, 1, 1}});
  return p;
}

} // namespace pebble::test

#endif // PEBBLE_TEST_UNIT_SOLVER_REMATFIXTURES_H
