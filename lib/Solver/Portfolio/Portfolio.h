//===- Portfolio.h - what looks for the least cost --------------*- C++ -*-===//
//
// One incumbent, and the attempts that try to beat it or to prove that nothing
// does. Attempts are rows of a table: a name, when the attempt applies, and
// what it does. Only where users have wishes the order of attempts depends on
// what was found.
//
//===----------------------------------------------------------------------===//

#ifndef PEBBLE_LIB_SOLVER_PORTFOLIO_PORTFOLIO_H
#define PEBBLE_LIB_SOLVER_PORTFOLIO_PORTFOLIO_H

#include "Solver/Remat/LocalSearch.h"
#include "pebble/Solver/Portfolio/LeastCost.h"

#include <string>
#include <vector>

namespace pebble::graph {

/// How far a portfolio goes.
enum class Extent { Walks, Local, All };

class Portfolio {
public:
  using Id = game::Id;
  using Runs = std::vector<Id>;

  Portfolio(const game::Problem &problem, const LeastCostOptions &options,
            Extent extent);
  game::Schedule solve();

  /// The names of the rows, in the order in which they run.
  static std::vector<std::string> names();

private:
  /// One way to a schedule or to a bound.
  struct Attempt {
    const char *name;
    bool (Portfolio::*applies)() const;
    void (Portfolio::*run)();
    /// Near-linear: where nothing is known it runs whatever the limits say.
    bool takesNoTime = false;
  };
  static const std::vector<Attempt> &attempts();

  bool isExact() const { return exact; }
  bool isLargeAndLocal() const { return local && !exact; }
  bool mayCut() const { return walks && extent != Extent::Walks; }
  bool mayCutAtOnce() const { return mayCut() && !exact; }
  bool isWithoutAnswer() const {
    return mayCut() && best.status == game::Status::Unknown;
  }
  bool mayDivide() const { return !exact && isWithoutAnswer(); }
  bool mayWalk() const { return walks; }
  bool mayBound() const { return walks && !options.means.offload; }
  bool mayAnneal() const { return local; }
  bool mayMove() const { return moves; }
  bool hasKnown() const { return moves && !options.known.empty(); }
  /// What is known saves looking for a place to start from.
  bool needsStarts() const { return !moves || starts.empty(); }
  bool mayEndQuickly() const { return exact && needsStarts(); }
  bool mayPage() const { return moves && needsStarts(); }
  bool mayMoveAndRun() const { return moves && extent != Extent::Walks; }
  bool mayReorder() const {
    return isLargeAndLocal() && !options.means.fixedOrder;
  }

  void run();
  void runAttempts();
  bool isLeftOut(const Attempt &attempt) const;

  // Recomputation (PortfolioRecompute.cpp).
  /// The order, the mended orders and exact search do not look at the clock.
  /// What they find at one budget they find at each larger one, too.
  void tryFirstAnswers();
  /// `order`, mended for budgets spread evenly from the largest step to its
  /// peak, as far as they are not beyond the one asked for.
  void mendOnRungs(const Runs &order, uint64_t rungs);
  /// A few greedy walks at the budget itself.
  void walkAtFirst(const std::vector<Runs> &from);
  void tryFirstCut() {
    if (!firstCutIsMade)
      tryCuts(1);
  }
  /// Checkpoints at even distances, then at articulation points.
  void trySegments();
  void tryBounds();
  void tryOrders();
  void tryQuickExact();
  void tryManyCuts() { tryCuts(0); }
  /// The leanest schedule, until it fits. What takes no time comes first.
  void tryLeanest();
  void tryGreedy();
  /// Which steps have to run again, where the bound is far off.
  void tryRerunSets();
  void tryCopies();
  void tryLocal();
  void tryExact() { take(exactSearch(options.effort, options.limits)); }
  /// Orders mended moment by moment; 0 attempts: as many as suit.
  void tryCuts(uint64_t attempts);
  void takeOrder(const Runs &order, const std::string &solver);
  /// Those of the lists that fit, if they are cheaper.
  void takeRuns(const std::vector<Runs> &lists, const std::string &solver);
  /// Says so, with the smallest budget that does.
  void takeNothingFits();
  /// Whether little effort settles it, with the smallest budget where nothing
  /// fits.
  bool isQuicklySettled();
  game::Schedule exactSearch(uint64_t effort, const Limits &limits,
                             int64_t below = kNever);
  LocalSearchOptions localOptions(bool exactFollows,
                                  const StopSign &stop) const;
  /// The least cost of running anything again.
  int64_t leastRepeat() const;

  // Wishes and transfers (PortfolioTransfers.cpp).
  /// Where users want results made or fetched again for each reader. No walk
  /// follows that: local search from orders that do, and exact search.
  void runWithWishes();
  /// The order, with what the wishes ask for.
  void takeWishes(const Runs &order);
  /// False if nothing fits.
  bool boundWithWishes();
  void annealWithWishes();
  void tryTransferBound();
  /// What is known already, where it makes schedules.
  void tryKnown();
  void tryPaging();
  /// Local search over runs and loads.
  void tryJoint();
  /// A schedule of others: its bound speaks of what they may do only.
  void takeMoves(game::Schedule s);

  // The incumbent.
  void take(game::Schedule s);
  /// Nothing costs less than `bound`: optimal where the best does not cost
  /// more.
  void raiseBound(int64_t bound);
  void report() const;
  bool isSettled() const {
    return best.status == game::Status::Optimal ||
           best.status == game::Status::Infeasible;
  }
  bool isOver();
  /// A bound may take an eighth of the time that is left.
  Limits limitsOfBound() const { return options.limits.part(8); }

  /// Effort for an order that recomputation starts from.
  static constexpr uint64_t kStartEffort = 200000;

  const game::Problem &p;
  const LeastCostOptions &options;
  const Extent extent;
  /// Whether values may move; which of the searches take the problem and belong
  /// to the extent.
  const bool moves, exact, walks, local;
  std::vector<Runs> orders;
  /// Runs that bounds suggest.
  std::vector<Runs> suggested;
  /// Runs from orders in which readers have own copies.
  std::vector<Runs> copies;
  /// Runs that fit, from cuts at the fullest moments.
  std::vector<Runs> cuts;
  /// The first attempt from the given order was made, whatever came of it.
  bool firstCutIsMade = false;
  /// Runs and loads of schedules that move values.
  std::vector<Runs> starts;
  /// Prices, where values may be offloaded.
  MoveCosts transfers;
  /// Cost of every step once.
  int64_t once = 0;
  /// Of the orders tried; 0: none was.
  int64_t leastPeak = 0;
  game::Schedule best;
};

} // namespace pebble::graph

#endif // PEBBLE_LIB_SOLVER_PORTFOLIO_PORTFOLIO_H
