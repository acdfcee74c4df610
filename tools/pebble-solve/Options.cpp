//===- Options.cpp - the command line of pebble-solve ---------------------===//

#include "Options.h"

#include "pebble/Solver/Graph/RematSolvers.h"

#include <algorithm>
#include <cctype>
#include <functional>
#include <map>
#include <set>
#include <vector>

using namespace pebble;
using namespace pebble::solve_tool;

static const char *const usageText =
    R"(usage: pebble-solve FILE.json [options]
       pebble-solve FILE.csv [options]
       pebble-solve --chain --steps=N --fast-slots=N --rules=NAME [options]

Reads a scheduling problem and finds a schedule; or a table of buffers (id,
lower, upper, size) and finds their offsets; or plays the pebble game on a
chain.

  --objective=cost|peak|energy|time   what to minimise (default: cost)
  --means=none|recompute|offload|both what may be done besides ordering
  --order=free|fixed                  whether steps may change places
  --budget=N                          most live units, in the file's units
  --budget-percent=P                  the same, in percent of the given order
  --target=PRESET                     machine that energy is counted on
  --cache-model=lru|sutro             how its caches are modelled
  --offload-rate=R                    cost of a store or load per unit of size
                                      (default: what the file says of its
                                      tiers, else 0)
  --solver=NAME                       one of those below (default: whatever
                                      suits)
  --time-limit-ms=N                   stop searching after N ms
  --memory-limit=N                    bytes that tables of a search may take, or
                                      N with KB, MB, GB, KiB, MiB or GiB
                                      (default: 4GB)
  --effort=N                          stop searching after N steps tried
  --seed=N                            seed of random choices
  --json                              print one JSON object
  --print-schedule                    with the list of moves
  --capacity=N                        of the block for buffers, as --budget
  --alignment=N                       of the offsets of buffers (default: 1)
  --mps=FILE.mps                      also write the MILP that a solver builds
  --start=SCHEDULE.json               begin with this schedule, within the
                                      budget, where a solver can use one
  --verify=SCHEDULE.json              judge a schedule instead
  --count-orders                      count the legal orders instead
  --print-problem=json|text           print the problem instead

Of a chain (docs/solvers/TieredChain.md), with --solver, --json,
--print-schedule and --verify:
  --steps=N                           forward steps
  --fast-slots=N                      values that the compute tier holds
  --rules=NAME                        seed, seed_slide, prev_noslide, revolve,
                                      dag_prev, dag_prev_pinned, dag_both,
                                      dag_both_pinned or hrevolve
  --forward-cost=N --backward-cost=N  cost of a step (default: 1)
  --seed-cost=N                       cost of the first adjoint (default: 0)
  --store-cost=N,... --load-cost=N,...
                                      cost of a store to and a load from each
                                      slower tier
  --slow-slots=N,...                  values that it holds (default: any number)
  --slow-reads=many|once              how often a copy there can be loaded
  --period=N                          of --solver=periodic (default: the best)
  --rules=mixed                       snapshots and tapes in one memory, with
                                      --budget, instead of slots:
  --snapshot-size=N --tape-size=N     what they take (default: 1)
  --taping-cost=N                     cost of a step that makes a tape (default:
                                      that of a forward step)

Exit status: 0 optimal or feasible, 3 infeasible, 4 unknown, 1 bad input.

Solvers for buffers:
  in-order             at birth, lowest gap, as an allocator does
  greedy-by-size       largest first
  greedy               the best of several orders
  eviction             that, and what is in the way is placed anew
  local-search         that, improved
Solvers for orders alone, and for least cost as well:
  peak-order           order of least peak
  sweep                orders made in one sweep
Solvers for --chain:
  binomial             rules revolve and hrevolve without slower tiers
  tiered-chain         dynamic programs over all tiers
  cheap-tier           rules seed and seed_slide, loads cheaper than steps
  mixed                rules mixed
  periodic             every N-th state in the slower tier
  bisection            the middle of what is left
  online               as if the number of steps were not known before
Solvers for --objective=cost:
)";

std::string pebble::solve_tool::usage() {
  std::string text = usageText;
  for (const graph::RematSolver &s : graph::rematSolvers()) {
    std::string name = s.name;
    name.resize(std::max<size_t>(name.size() + 1, 21), ' ');
    text += "  " + name + s.help + "\n";
  }
  return text;
}

namespace {

/// Some 30 years: clocks count nanoseconds in 63 bits.
constexpr int64_t kLongestMs = 1000000000000;

/// Digits only, within 63 bits.
bool parseNumber(const std::string &text, int64_t &number) {
  if (text.empty() || text.size() > 18)
    return false;
  number = 0;
  for (char c : text) {
    if (!std::isdigit(static_cast<unsigned char>(c)))
      return false;
    number = number * 10 + (c - '0');
  }
  return true;
}

/// Numbers between commas.
bool parseNumbers(const std::string &text, std::vector<int64_t> &numbers) {
  numbers.clear();
  for (size_t at = 0; at <= text.size();) {
    const size_t comma = std::min(text.find(',', at), text.size());
    if (!parseNumber(text.substr(at, comma - at), numbers.emplace_back()))
      return false;
    at = comma + 1;
  }
  return true;
}

/// A decimal number with up to three places, times 1000.
bool parseMilli(const std::string &text, int64_t &number) {
  size_t dot = text.find('.');
  std::string whole = text.substr(0, dot);
  std::string places = dot == std::string::npos ? "" : text.substr(dot + 1);
  if (whole.size() > 9 || places.size() > 3)
    return false;
  places.resize(3, '0');
  int64_t fraction = 0;
  if (!parseNumber(whole, number) || !parseNumber(places, fraction))
    return false;
  number = number * 1000 + fraction;
  return true;
}

} // namespace

std::string pebble::solve_tool::parseOptions(int argc, char **argv,
                                             Options &o) {
  // Takes a value, and says what it would take.
  struct Handler {
    std::function<bool(const std::string &)> take;
    std::string wanted;
  };
  const std::string range = " from 0 to 999999999999999999";
  auto number = [&](auto &into) -> Handler {
    return {[&into](const std::string &v) {
              int64_t n = 0;
              bool ok = parseNumber(v, n);
              into = n;
              return ok;
            },
            "a whole number" + range};
  };
  auto numbers = [&](std::vector<int64_t> &into) -> Handler {
    return {[&into](const std::string &v) { return parseNumbers(v, into); },
            "whole numbers" + range + " between commas"};
  };
  auto milli = [](std::optional<int64_t> &into) -> Handler {
    return {[&into](const std::string &v) {
              int64_t n = 0;
              bool ok = parseMilli(v, n);
              into = n;
              return ok;
            },
            "a number from 0 to 999999999.999 with at most three places"};
  };
  auto text = [](std::string &into) -> Handler {
    return {[&into](const std::string &v) {
              into = v;
              return !v.empty();
            },
            "a name"};
  };
  const Handler bytes = {[&o](const std::string &v) {
                           o.tableBytes = graph::parseBytes(v).value_or(0);
                           return o.tableBytes != 0;
                         },
                         "bytes, or a number of KB, KiB, MB, MiB, GB or GiB"};
  auto choice = [](auto &into, auto choices) -> Handler {
    std::string wanted;
    for (const auto &[name, value] : choices)
      wanted += (wanted.empty() ? "" : " or ") + name;
    return {[&into, choices](const std::string &v) {
              for (const auto &[name, value] : choices)
                if (v == name) {
                  into = value;
                  return true;
                }
              return false;
            },
            wanted};
  };
  using Objectives = std::map<std::string, Objective>;
  using AllMeans = std::map<std::string, Means>;
  using Flags = std::map<std::string, bool>;
  using Words = std::map<std::string, std::string>;
  const std::map<std::string, Handler> valued = {
      {"alignment", number(o.alignment)},
      {"budget", number(o.budget)},
      {"capacity", number(o.budget)},
      {"budget-percent", milli(o.budgetPercentMilli)},
      {"objective",
       choice(o.objective, Objectives{{"cost", Objective::Cost},
                                      {"peak", Objective::Peak},
                                      {"energy", Objective::Energy},
                                      {"time", Objective::Time}})},
      {"means", choice(o.means, AllMeans{{"none", Means::None},
                                         {"recompute", Means::Recompute},
                                         {"offload", Means::Offload},
                                         {"both", Means::Both}})},
      {"order", choice(o.fixedOrder, Flags{{"free", false}, {"fixed", true}})},
      {"cache-model",
       choice(o.cacheModel, Words{{"lru", "lru"}, {"sutro", "sutro"}})},
      {"print-problem",
       choice(o.printProblem, Words{{"json", "json"}, {"text", "text"}})},
      {"offload-rate", milli(o.offloadRateMilli)},
      {"solver", text(o.solver)},
      {"target", text(o.target)},
      {"verify", text(o.verify)},
      {"start", text(o.start)},
      {"mps", text(o.mps)},
      {"time-limit-ms",
       {[&o](const std::string &v) {
          return parseNumber(v, o.timeLimitMs) && o.timeLimitMs <= kLongestMs;
        },
        "a whole number from 0 to " + std::to_string(kLongestMs)}},
      {"memory-limit", bytes},
      {"effort", number(o.effort)},
      {"seed", number(o.seed)},
      {"steps", number(o.chainGame.steps)},
      {"fast-slots", number(o.chainGame.fastSlots)},
      {"rules", text(o.chainGame.rules)},
      {"forward-cost", number(o.chainGame.forwardCost)},
      {"backward-cost", number(o.chainGame.backwardCost)},
      {"seed-cost", number(o.chainGame.seedCost)},
      {"store-cost", numbers(o.chainGame.storeCosts)},
      {"load-cost", numbers(o.chainGame.loadCosts)},
      {"slow-slots", numbers(o.chainGame.slowSlots)},
      {"slow-reads",
       choice(o.chainGame.readOnce, Flags{{"many", false}, {"once", true}})},
      {"period", number(o.chainGame.period)},
      {"snapshot-size", number(o.chainGame.snapshotSize)},
      {"tape-size", number(o.chainGame.tapeSize)},
      {"taping-cost", number(o.chainGame.tapingCost)}};
  const std::map<std::string, bool *> flags = {
      {"json", &o.json},
      {"print-schedule", &o.printSchedule},
      {"count-orders", &o.countOrders},
      {"chain", &o.chain},
      {"help", &o.help}};
  // Those that go with --chain alone, and others that go with it.
  const std::set<std::string> chainOnly = {
      "steps",         "fast-slots", "rules",      "forward-cost",
      "backward-cost", "seed-cost",  "store-cost", "load-cost",
      "slow-slots",    "slow-reads", "period",     "snapshot-size",
      "tape-size",     "taping-cost"};
  const std::set<std::string> withChain = {"solver", "verify", "budget"};
  std::string other;

  for (int i = 1; i < argc; ++i) {
    std::string argument = argv[i];
    if (argument.rfind("--", 0) != 0) {
      if (!o.file.empty())
        return "more than one file: " + argument;
      o.file = argument;
      continue;
    }
    size_t equals = argument.find('=');
    std::string name = argument.substr(
        2, equals == std::string::npos ? std::string::npos : equals - 2);
    if (auto flag = flags.find(name);
        flag != flags.end() && equals == std::string::npos) {
      *flag->second = true;
      continue;
    }
    auto option = valued.find(name);
    if (option == valued.end())
      return "unknown option '" + argument + "', see --help";
    if (equals == std::string::npos)
      return "option '--" + name + "' needs a value";
    if (!option->second.take(argument.substr(equals + 1)))
      return "option '--" + name + "' does not take '" +
             argument.substr(equals + 1) + "', but " + option->second.wanted;
    std::string &first = chainOnly.count(name) ? o.chainGame.first : other;
    if (first.empty() && !withChain.count(name))
      first = "--" + name;
  }
  if (o.help)
    return "";
  if (o.chain) {
    if (!o.file.empty())
      return "--chain takes no file: " + o.file;
    if (o.countOrders)
      other = "--count-orders";
    return other.empty() ? ""
                         : "option '" + other + "' does not go with --chain";
  }
  if (!o.chainGame.first.empty())
    return "option '" + o.chainGame.first + "' goes with --chain alone";
  if (o.file.empty())
    return "no file given, see --help";
  if (o.budget && o.budgetPercentMilli)
    return "give --budget or --budget-percent, not both";
  return "";
}
