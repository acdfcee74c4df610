//===- RematCutBound.cpp - bounds on the cost in any order ----------------===//
//
// Minimum cuts priced by a multiplier. See RematBound.h for why they hold.
//
//===----------------------------------------------------------------------===//

#include "Solver/Order/StepCuts.h"
#include "pebble/Solver/Remat/RematBound.h"

#include <algorithm>
#include <cmath>

using namespace pebble;
using namespace pebble::graph;

namespace {

/// Steps whose price per byte is searched for, and trials for each.
constexpr size_t kCutSteps = 64;
constexpr int kWeightTrials = 20;
/// Capacities are rounded down to parts of a unit of cost, as fine as this
/// where all of them come to no more than cuts can count without an error.
constexpr double kCostParts = 1024, kMostCostParts = 4e15;

bool updatesInPlace(const Problem &p) {
  return std::any_of(
      p.values.begin(), p.values.end(),
      [](const game::Value &v) { return v.overwrites != kNone; });
}

class PricedCuts {
public:
  PricedCuts(const Problem &p, int64_t budget)
      : budget(budget), storages(p), game(StepGraph(p, false), storages),
        priced(game), again(game.cells.size(), kForever) {
    // One run makes all results of a step: each carries its part of the cost.
    for (Id c = 0; c < game.cells.size(); ++c) {
      if (game.cells[c].openers.empty())
        continue;
      Id maker = game.cells[c].openers[0];
      double cost = static_cast<double>(p.steps[maker].cost) /
                    static_cast<double>(game.opens[maker].size());
      if (mayRunAgain(p, maker))
        again[c] = cost;
    }
  }

  /// What has to be paid beyond every step once.
  int64_t bound(const StopSign *stop) {
    std::vector<std::pair<int64_t, Id>> steps;
    StepCuts plain(game);
    plain.setStop(stop);
    for (Id s = 0; s < game.size(); ++s) {
      if (stop && stop->isUp())
        break;
      if (int64_t excess = plain.cut(s) - budget; excess > 0)
        steps.emplace_back(-excess, s);
    }
    std::sort(steps.begin(), steps.end());
    if (steps.size() > kCutSteps)
      steps.resize(kCutSteps);
    double most = 0;
    sign = stop;
    for (auto [excess, s] : steps)
      if (!(stop && stop->isUp()))
        most = std::max(most, search(s, most, stop));
    return static_cast<int64_t>(std::ceil(most - 1e-6));
  }

private:
  static constexpr double kForever = 1e300;

  /// The best price at one step, by golden section over its logarithm: the
  /// bound is concave in the price.
  double search(Id step, double enough, const StopSign *stop) {
    double low = 1e300, high = 0;
    for (Id c = 0; c < game.cells.size(); ++c)
      if (again[c] < kForever && again[c] > 0 && game.cells[c].bytes > 0) {
        double price = again[c] / static_cast<double>(game.cells[c].bytes);
        low = std::min(low, price);
        high = std::max(high, price);
      }
    if (high == 0)
      return 0;
    constexpr double kGolden = 0.6180339887498949;
    double a = std::log(low / 2), b = std::log(high * 2);
    double x = b - kGolden * (b - a), y = a + kGolden * (b - a);
    double atX = at(step, std::exp(x)), atY = at(step, std::exp(y));
    double most = std::max(atX, atY);
    for (int i = 0; i < kWeightTrials && !(stop && stop->isUp()); ++i) {
      if (i == kWeightTrials / 2 && most < enough / 2)
        break;
      if (atX < atY) {
        a = x;
        x = y;
        atX = atY;
        y = a + kGolden * (b - a);
        atY = at(step, std::exp(y));
      } else {
        b = y;
        y = x;
        atY = atX;
        x = b - kGolden * (b - a);
        atX = at(step, std::exp(x));
      }
      most = std::max({most, atX, atY});
    }
    return most;
  }

  /// The least cost of keeping values live beside `step`, at `price` per byte,
  /// or making them again, less the price of the budget.
  double at(Id step, double price) {
    double all = price * static_cast<double>(game.transient[step]);
    for (const FootprintGame::Cell &cell : game.cells)
      all += price * static_cast<double>(cell.bytes);
    const double parts = std::min(kCostParts, kMostCostParts / all);
    auto capacity = [&](Id c, bool touched) {
      double keep = price * static_cast<double>(game.cells[c].bytes);
      return static_cast<int64_t>(
          std::floor(parts * (touched ? keep : std::min(keep, again[c]))));
    };
    for (Id c = 0; c < game.cells.size(); ++c)
      priced.cells[c].bytes = capacity(c, false);
    // What the step touches is there whatever it costs.
    std::vector<Id> touched = game.opens[step];
    touched.insert(touched.end(), game.closes[step].begin(),
                   game.closes[step].end());
    for (Id c : touched)
      priced.cells[c].bytes = capacity(c, true);
    priced.transient[step] = static_cast<int64_t>(
        std::floor(parts * price * static_cast<double>(game.transient[step])));
    StepCuts cuts(priced);
    cuts.setStop(sign);
    return static_cast<double>(cuts.cut(step)) / parts -
           price * static_cast<double>(budget) * (1 + 1e-12);
  }

  const int64_t budget;
  const LiveStorages storages;
  const FootprintGame game;
  /// The game with prices for bytes.
  FootprintGame priced;
  /// The cost of making a cell's content again.
  std::vector<double> again;
  const StopSign *sign = nullptr;
};

} // namespace

int64_t pebble::graph::costOfOneRun(const Problem &p) {
  int64_t once = 0;
  for (const game::Step &s : p.steps)
    once += s.cost;
  return once;
}

bool pebble::graph::mayRunAgain(const Problem &p, Id step) {
  return p.steps[step].recomputable && p.steps[step].pin != game::Pin::Keep;
}

int64_t pebble::graph::rematCutBound(const Problem &p, int64_t budget,
                                     const StopSign *stop) {
  if (updatesInPlace(p))
    return 0;
  if (stop && stop->isUp())
    return costOfOneRun(p);
  return costOfOneRun(p) + PricedCuts(p, budget).bound(stop);
}
