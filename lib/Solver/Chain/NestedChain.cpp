//===- NestedChain.cpp - dynamic programs on unequal chains ---------------===//

#include "NestedChain.h"
#include "MenuChain.h"

using namespace pebble;
using namespace pebble::chain;
using game::Status;

ChainSchedule pebble::chain::nestedChain(const HeterogeneousChain &chain,
                                         const NestedChainOptions &options) {
  ChainSchedule s;
  s.solver = options.persistent ? "rotor" : "nested-chain";
  s.bound = chain.costOfOneRun();
  MenuChain menu;
  menu.a = chain.a;
  menu.d = chain.d;
  menu.uf = chain.uf;
  menu.of = chain.of;
  for (size_t k = 0; k <= chain.length(); ++k)
    menu.ways.push_back(
        {{chain.abar[k], chain.uf[k], chain.of[k], chain.ub[k], chain.ob[k]}});
  MenuOptions o;
  o.room = options.budget - chain.a[0];
  o.persistent = options.persistent;
  o.window = options.window;
  o.points = options.points;
  o.stop = options.stop;
  MenuPlan plan(menu, o);
  if (!plan.fill()) {
    s.limited = true;
    return s;
  }
  if (plan.best(o.room)) {
    s.status = Status::Feasible;
    for (const MenuMove &m : plan.moves(o.room))
      s.moves.push_back(m.move);
    const ChainReplay r = verifyChain(chain, s.moves, options.budget);
    s.cost = r.cost;
    s.peak = r.peak;
  }
  return s;
}
