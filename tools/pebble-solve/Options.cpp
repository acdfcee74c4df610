//===- Options.cpp - the command line of pebble-solve ---------------------===//

#include "Options.h"

#include "Spelling.h"
#include "pebble/Solver/Pipeline/PipelineSolvers.h"
#include "pebble/Solver/Portfolio/FindSchedule.h"
#include "pebble/Solver/Portfolio/RematSolvers.h"
#include "pebble/Target/HierarchyFile.h"

#include <algorithm>
#include <cctype>
#include <functional>
#include <map>
#include <set>
#include <sstream>
#include <vector>

using namespace pebble;
using namespace pebble::solve_tool;

static const char *const usageText =
    R"(usage: pebble-solve FILE.json [options]
       pebble-solve FILE.csv [options]
       pebble-solve --chain --steps=N --fast-slots=N --rules=NAME [options]

Reads a scheduling problem and finds a schedule; or a table of buffers (id,
lower, upper, size) and finds their offsets; or a pipeline of stages, and says
what each rank runs when; or plays the pebble game on a chain.

  --objective=cost|peak|energy|time   what to minimise (default: cost)
  --means=none|recompute|offload|both what may be done besides ordering
  --order=free|fixed                  whether steps may change places
  --budget=N|P%|min                   most live units: a number of the file's
                                      units (7MiB where these are bytes), in
                                      percent of the given order, or the least
                                      that is found to do
  --budget-percent=P                  the same as --budget=P%
  --target=NAME|FILE                  machine that energy and time are counted
                                      on: a preset, or a file with a
                                      #pebble.hierarchy
  --list-targets                      list the presets, with their tiers
  --cache-model=lru|sutro             how its caches are modelled
  --offload-rate=R                    cost of a store or load per unit of size
                                      (default: what the file says of its
                                      tiers, else 0)
  --solver=NAME                       one of those below (default: whatever
                                      suits)
  --without=NAME,...                  of the attempts listed below, leave these
                                      out, to see what each is good for
  --time-limit-ms=N                   search for N ms (0: as long as it takes;
                                      default: as long as it takes, but no more
                                      than 60000)
  --memory-limit=N                    bytes that tables of a search may take, or
                                      N with KB, MB, GB, KiB, MiB or GiB
                                      (default: 4GB)
  --effort=N                          stop searching after N steps tried
  --seed=N                            seed of random choices
  --progress                          show on stderr what is found so far, also
                                      where that is no terminal
  --json                              print one JSON object
  --print-schedule                    with the list of moves
  --capacity=N                        of the block for buffers, as --budget
  --alignment=N                       of the offsets of buffers (default: 1)
  --sweep[=N]                         cost over budget, from the least budget
                                      that is found to do to the peak of the
                                      given order, at N points (default: 40)
  --picture=FILE.svg                  draw the sweep, too
  --mps=FILE.mps                      also write the MILP that a solver builds
  --start=SCHEDULE.json               begin with this schedule, within the
                                      budget, where a solver can use one
  --verify=SCHEDULE.json              judge a schedule instead
  --count-orders                      count the legal orders instead
  --print-problem=json|text           print the problem instead
  --version                           print the version of Pebble

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
Solvers for pipelines (docs/solvers/Pipeline.md):
)";

std::string pebble::solve_tool::usage() {
  std::string text = usageText;
  auto list = [&text](const auto &solvers) {
    for (const auto &solver : solvers) {
      std::string name = solver.name;
      name.resize(std::max<size_t>(name.size() + 1, 21), ' ');
      text += "  " + name + solver.help + "\n";
    }
  };
  list(pipeline::pipelineSolvers());
  text += "Solvers for --objective=cost:\n";
  list(graph::rematSolvers());
  text += "Attempts for --objective=cost, in order:\n";
  for (const std::string &name : pebble::portfolio::attemptNames())
    text += "  " + name + "\n";
  return text;
}

namespace {

/// Of a sweep.
constexpr int64_t kUsualPoints = 40, kMostPoints = 10000;

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

/// Takes a value, and says what it would take.
struct Handler {
  std::function<bool(const std::string &)> take;
  std::string wanted;
};

const char *const rangeText = " from 0 to 999999999999999999";

template <typename Number>
Handler number(Number &into) {
  return {[&into](const std::string &v) {
            int64_t n = 0;
            bool ok = parseNumber(v, n);
            into = n;
            return ok;
          },
          std::string("a whole number") + rangeText};
}

Handler numbers(std::vector<int64_t> &into) {
  return {[&into](const std::string &v) { return parseNumbers(v, into); },
          std::string("whole numbers") + rangeText + " between commas"};
}

Handler milli(std::optional<int64_t> &into) {
  return {[&into](const std::string &v) {
            int64_t n = 0;
            bool ok = parseMilli(v, n);
            into = n;
            return ok;
          },
          "a number from 0 to 999999999.999 with at most three places"};
}

Handler milliseconds(std::optional<int64_t> &into) {
  return {[&into](const std::string &v) {
            int64_t n = 0;
            bool ok = parseNumber(v, n) && n <= kLongestMs;
            into = n;
            return ok;
          },
          "a whole number from 0 to " + std::to_string(kLongestMs)};
}

Handler bytes(uint64_t &into) {
  return {[&into](const std::string &v) {
            into = graph::parseBytes(v).value_or(0);
            return into != 0;
          },
          "bytes, or a number of KB, KiB, MB, MiB, GB or GiB"};
}

/// A sweep has two ends.
Handler points(std::optional<int64_t> &into) {
  return {[&into](const std::string &v) {
            int64_t n = 0;
            bool ok = parseNumber(v, n) && n >= 2 && n <= kMostPoints;
            into = n;
            return ok;
          },
          "a whole number from 2 to " + std::to_string(kMostPoints)};
}

using ParseBudget = std::optional<graph::Budget>(const std::string &);

Handler budget(std::optional<graph::Budget> &into, ParseBudget *parse,
               const char *forms) {
  return {[&into, parse](const std::string &v) {
            into = parse(v);
            return into.has_value();
          },
          forms};
}

std::optional<graph::Budget> parseUnits(const std::string &text) {
  const std::optional<uint64_t> units = graph::parseBytes(text);
  if (!units)
    return std::nullopt;
  return graph::Budget{graph::Budget::Kind::Units,
                       static_cast<int64_t>(*units)};
}

Handler text(std::string &into) {
  return {[&into](const std::string &v) {
            into = v;
            return !v.empty();
          },
          "a name"};
}

Handler attempts(std::vector<std::string> &into) {
  const std::vector<std::string> all = pebble::portfolio::attemptNames();
  std::string expected = "names of attempts, separated by commas:";
  for (const std::string &name : all)
    expected += " " + name;
  return {[&into, all](const std::string &v) {
            into.clear();
            std::istringstream list(v);
            for (std::string name; std::getline(list, name, ',');) {
              if (std::find(all.begin(), all.end(), name) == all.end())
                return false;
              into.push_back(name);
            }
            return !into.empty();
          },
          expected};
}

template <typename Into, typename Value>
Handler choice(Into &into, const std::map<std::string, Value> &choices) {
  std::string wanted;
  for (const auto &[name, value] : choices)
    wanted += (wanted.empty() ? "" : " or ") + name;
  return {[&into, choices](const std::string &v) {
            auto found = choices.find(v);
            if (found == choices.end())
              return false;
            into = found->second;
            return true;
          },
          wanted};
}

using Handlers = std::map<std::string, Handler>;
using Flags = std::map<std::string, bool>;
using Words = std::map<std::string, std::string>;

/// Options with a value that go with problems and buffers. Some of them go with
/// a chain as well.
Handlers makeHandlers(Options &o) {
  using Objectives = std::map<std::string, Objective>;
  using AllMeans = std::map<std::string, Means>;
  return {
      {"alignment", number(o.alignment)},
      {"budget", budget(o.budget, graph::parseBudget, graph::kBudgetForms)},
      {"capacity",
       budget(o.budget, parseUnits,
              "a whole number, with KB, MB, GB, KiB, MiB or GiB behind it or "
              "not")},
      {"budget-percent",
       budget(o.percent, graph::parsePercent, graph::kPercentForms)},
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
      {"without", attempts(o.without)},
      {"target", text(o.target)},
      {"verify", text(o.verify)},
      {"start", text(o.start)},
      {"mps", text(o.mps)},
      {"sweep", points(o.sweep)},
      {"picture", text(o.picture)},
      {"time-limit-ms", milliseconds(o.timeLimitMs)},
      {"memory-limit", bytes(o.tableBytes)},
      {"effort", number(o.effort)},
      {"seed", number(o.seed)}};
}

/// Options with a value that go with --chain alone.
Handlers makeChainHandlers(GameOptions &game) {
  return {{"steps", number(game.steps)},
          {"fast-slots", number(game.fastSlots)},
          {"rules", text(game.rules)},
          {"forward-cost", number(game.forwardCost)},
          {"backward-cost", number(game.backwardCost)},
          {"seed-cost", number(game.seedCost)},
          {"store-cost", numbers(game.storeCosts)},
          {"load-cost", numbers(game.loadCosts)},
          {"slow-slots", numbers(game.slowSlots)},
          {"slow-reads",
           choice(game.readOnce, Flags{{"many", false}, {"once", true}})},
          {"period", number(game.period)},
          {"snapshot-size", number(game.snapshotSize)},
          {"tape-size", number(game.tapeSize)},
          {"taping-cost", number(game.tapingCost)}};
}

/// What is wrong with options that were each read by themselves, or empty.
/// `other` is the first one that does not go with a chain.
std::string checkTogether(const Options &o, std::string other) {
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
  if (o.sweep && (o.budget || o.percent))
    return "a sweep has all budgets: give --sweep or --budget, not both";
  if (!o.picture.empty() && !o.sweep)
    return "--picture is of a --sweep";
  if (o.budget && o.percent)
    return "give --budget or --budget-percent, not both";
  return "";
}

/// The error on an option that there is not.
std::string unknownOption(const std::string &name,
                          const std::vector<const Handlers *> &tables,
                          const std::map<std::string, bool *> &flags) {
  for (const char *other : {"costs", "dim-bound", "pure"})
    if (name == other)
      return "option '--" + name +
             "' is of programs, for pebble-opt, pebble-report and pebble-run; "
             "the file of a problem says costs and sizes itself";
  std::vector<std::string> known;
  for (const Handlers *table : tables)
    for (const auto &[each, handler] : *table)
      known.push_back(each);
  for (const auto &[each, flag] : flags)
    known.push_back(each);
  const std::string meant = tool::suggest(name, known, "--");
  return "unknown option '--" + name + "'" +
         (meant.empty() ? ", see --help" : meant);
}

/// Reads the command line into `o`. `firstOther` is the first option that is
/// not for chains alone, or nothing. Returns an error, or nothing.
std::string takeArguments(int argc, char **argv, Options &o,
                          std::string &firstOther) {
  const Handlers general = makeHandlers(o);
  const Handlers chainOnly = makeChainHandlers(o.chainGame);
  const std::map<std::string, bool *> flags = {
      {"json", &o.json},
      {"progress", &o.progress},
      {"print-schedule", &o.printSchedule},
      {"count-orders", &o.countOrders},
      {"chain", &o.chain},
      {"help", &o.help},
      {"version", &o.version},
      {"list-targets", &o.listTargets}};
  const std::set<std::string> withChain = {"solver", "verify", "budget"};
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
    const bool isOfChain = chainOnly.count(name) != 0;
    const Handlers &handlers = isOfChain ? chainOnly : general;
    auto option = handlers.find(name);
    if (option == handlers.end() && flags.count(name))
      return "option '--" + name + "' takes no value";
    if (option == handlers.end())
      return unknownOption(name, {&general, &chainOnly}, flags);
    if (name == "sweep" && equals == std::string::npos) {
      o.sweep = kUsualPoints;
      continue;
    }
    if (equals == std::string::npos)
      return "option '--" + name + "' needs a value";
    if (!option->second.take(argument.substr(equals + 1)))
      return "option '--" + name + "' does not take '" +
             argument.substr(equals + 1) + "', but " + option->second.wanted;
    std::string &first = isOfChain ? o.chainGame.first : firstOther;
    if (first.empty() && !withChain.count(name))
      first = "--" + name;
  }
  return "";
}

} // namespace

std::string pebble::solve_tool::parseOptions(int argc, char **argv,
                                             Options &o) {
  std::string firstOther;
  if (std::string error = takeArguments(argc, argv, o, firstOther);
      !error.empty())
    return error;
  if (o.help || o.version || o.listTargets)
    return "";
  if (!o.target.empty()) {
    FoundTarget found = findTarget(o.target);
    if (!found.machine)
      return found.error;
    o.machine = std::move(found.machine);
  }
  const std::string error = checkTogether(o, firstOther);
  if (o.percent)
    o.budget = o.percent;
  return error;
}
