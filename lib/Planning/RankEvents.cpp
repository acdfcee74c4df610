//===- RankEvents.cpp - what each rank does -------------------------------===//
//
// Runs a program for one rank at a time, as far as numbers decide what it
// communicates with whom: its rank, the number of ranks, and what is computed
// of them. Tensors and buffers are not looked into. Where data decide that are
// the same on all ranks, all of them go each way.
//
//===----------------------------------------------------------------------===//

#include "RankChoices.h"

#include "pebble/Planning/Communication.h"

#include "pebble/Analysis/UniformValues.h"
#include "pebble/Dialect/DimBounds.h"
#include "pebble/Dialect/PebbleStarts.h"

#include "mlir/Dialect/MPI/IR/MPI.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/raw_ostream.h"

#include <algorithm>
#include <map>
#include <tuple>

using namespace mlir;
using namespace pebble;

namespace {
/// Beyond that a program is not unrolled.
constexpr size_t kMostEvents = 1000000;
constexpr unsigned kDeepest = 64;
/// Ways through a program that are played.
constexpr size_t kMostPlays = 4096;
/// A loop of unknown rounds is played for none of them, for one and for two. It
/// does the same in each, so what goes wrong between two of them goes wrong in
/// the second.
constexpr unsigned kMostRounds = 2;

bool communicates(Operation *op) {
  if (isa_and_present<mpi::MPIDialect>(op->getDialect()))
    return !isa<mpi::InitOp, mpi::FinalizeOp, mpi::CommWorldOp, mpi::CommRankOp,
                mpi::CommSizeOp, mpi::RetvalCheckOp, mpi::ErrorClassOp>(op);
  std::optional<CollectiveParts> collective = getCollective(op);
  return isa<CollectiveWaitOp>(op) ||
         (collective && collective->kind != CollectiveKind::AllSlice);
}

class RankRun {
public:
  RankRun(int64_t rank, int64_t count, const UniformValues &uniform,
          Choices &choices, Comms &comms, RankEvents &result)
      : rank(rank), count(count), uniform(uniform), choices(choices),
        comms(comms), result(result) {}

  LogicalResult run(Region &region, unsigned depth = 0) {
    if (!region.hasOneBlock()) {
      for (Operation &op : region.getOps())
        if (mayCommunicate(&op))
          return refuse(&op, "stands in a function of several blocks");
      return success();
    }
    for (Operation &op : region.front())
      if (failed(run(&op, depth)))
        return failure();
    return success();
  }

private:
  InFlightDiagnostic refuse(Operation *op, const Twine &why) {
    return op->emitError() << "cannot tell what rank " << rank
                           << " does here: " << why;
  }

  /// Of what only the run can tell: why ranks may take several ways.
  LogicalResult refuseChoice(Operation *op, const Twine &why) {
    InFlightDiagnostic error = refuse(op, why);
    error.attachNote() << (isDivided
                               ? "whether a rank comes here depends on its "
                                 "number or its data"
                               : "what all ranks put together, gather or "
                                 "broadcast is the same on all of them, and so "
                                 "is what is computed of that alone");
    return error;
  }

  /// The way that all ranks take at `op`, where `value` decides; nothing where
  /// they may take several.
  std::optional<unsigned> choose(Operation *op, ValueRange values,
                                 unsigned ways) {
    if (isDivided || !llvm::all_of(values, [&](Value value) {
          return get(value) || uniform.contains(value);
        }))
      return std::nullopt;
    return choices.get(op, reached[op]++, ways);
  }

  /// Runs `region`, to which ranks come by `values`.
  LogicalResult runUnder(ValueRange values, Region &region, unsigned depth) {
    const bool before = isDivided;
    isDivided |= !llvm::all_of(
        values, [&](Value value) { return uniform.contains(value); });
    const LogicalResult done = run(region, depth);
    isDivided = before;
    return done;
  }

  /// Whether `op`, what it holds, or what is called from there communicates.
  bool mayCommunicate(Operation *op) {
    auto found = talks.find(op);
    if (found != talks.end())
      return found->second;
    llvm::SmallPtrSet<Operation *, 8> seen;
    const bool result = mayCommunicate(op, seen);
    talks[op] = result;
    return result;
  }

  static bool mayCommunicate(Operation *op,
                             llvm::SmallPtrSetImpl<Operation *> &seen) {
    return op
        ->walk([&](Operation *nested) {
          if (communicates(nested))
            return WalkResult::interrupt();
          auto call = dyn_cast<func::CallOp>(nested);
          func::FuncOp callee = call ? getCallee(call) : func::FuncOp();
          return callee && seen.insert(callee).second &&
                         mayCommunicate(callee, seen)
                     ? WalkResult::interrupt()
                     : WalkResult::advance();
        })
        .wasInterrupted();
  }

  static func::FuncOp getCallee(func::CallOp call) {
    auto callee = SymbolTable::lookupNearestSymbolFrom<func::FuncOp>(
        call, call.getCalleeAttr());
    return callee && !callee.isExternal() ? callee : func::FuncOp();
  }

  std::optional<int64_t> get(Value value) {
    auto found = numbers.find(value);
    if (found == numbers.end())
      return std::nullopt;
    return found->second;
  }

  void set(Value value, std::optional<int64_t> number) {
    if (number)
      numbers[value] = *number;
    else
      numbers.erase(value);
  }

  /// What `op` gives is no number that is known, though it was in an earlier
  /// round of a loop.
  void forget(Operation *op) {
    for (Value value : op->getResults())
      numbers.erase(value);
  }

  /// `op` gives what `region`, which was played, hands back at its end.
  void setResults(Operation *op, Region &region) {
    SmallVector<std::optional<int64_t>> values;
    for (Value value : region.front().getTerminator()->getOperands())
      values.push_back(get(value));
    for (auto [result, value] : llvm::zip(op->getResults(), values))
      set(result, value);
  }

  LogicalResult run(Operation *op, unsigned depth) {
    forget(op);
    if (isa_and_present<mpi::MPIDialect>(op->getDialect()))
      return runMpi(op);
    if (isCollective(op))
      return runCollective(op);
    if (auto wait = dyn_cast<CollectiveWaitOp>(op))
      return addWait(op, wait.getToken());
    if (auto branch = dyn_cast<scf::IfOp>(op))
      return runIf(branch, depth);
    if (auto loop = dyn_cast<scf::ForOp>(op))
      return runFor(loop, depth);
    if (auto loop = dyn_cast<scf::WhileOp>(op))
      return runWhile(loop, depth);
    if (auto call = dyn_cast<func::CallOp>(op))
      return runCall(call, depth);
    if (op->getNumRegions() != 0 && mayCommunicate(op))
      return refuse(op, "only the run knows whether, and how often");
    fold(op);
    return success();
  }

  /// Whatever folds to a number is one.
  void fold(Operation *op) {
    if (op->getNumResults() != 1 || op->getNumRegions() != 0 ||
        !op->getResult(0).getType().isIntOrIndex())
      return;
    SmallVector<Attribute> operands;
    for (Value operand : op->getOperands()) {
      std::optional<int64_t> number = get(operand);
      operands.push_back(number && operand.getType().isIntOrIndex()
                             ? IntegerAttr::get(operand.getType(), *number)
                             : Attribute());
    }
    // Folding may change the operation, so it is done to a copy.
    SmallVector<OpFoldResult> folded;
    Operation *copy = op->clone();
    const bool isFolded = succeeded(copy->fold(operands, folded));
    copy->erase();
    if (!isFolded || folded.size() != 1)
      return;
    if (auto value = dyn_cast<Value>(folded.front()))
      return set(op->getResult(0), get(value));
    auto number =
        dyn_cast_if_present<IntegerAttr>(cast<Attribute>(folded.front()));
    if (number && number.getValue().getBitWidth() <= 64)
      set(op->getResult(0), number.getValue().getSExtValue());
  }

  LogicalResult runIf(scf::IfOp branch, unsigned depth) {
    Value condition = branch.getCondition();
    std::optional<int64_t> known = get(condition);
    if (!known) {
      if (!mayCommunicate(branch))
        return success();
      known = choose(branch, condition, 2);
      if (!known)
        return refuseChoice(branch, "the condition is known to the run alone");
    }
    Region &taken =
        *known & 1 ? branch.getThenRegion() : branch.getElseRegion();
    if (taken.empty())
      return success();
    if (failed(runUnder(condition, taken, depth)))
      return failure();
    setResults(branch, taken);
    return success();
  }

  LogicalResult runFor(scf::ForOp loop, unsigned depth) {
    if (!mayCommunicate(loop))
      return success();
    std::optional<int64_t> from = get(loop.getLowerBound()),
                           to = get(loop.getUpperBound()),
                           step = get(loop.getStep());
    const bool wraps = loop.getUnsignedCmp() && (from < 0 || to < 0);
    if (!from || !to || !step || *step <= 0 || wraps)
      return runUnknown(loop, depth);
    for (auto [argument, init] :
         llvm::zip(loop.getRegionIterArgs(), loop.getInitArgs()))
      set(argument, get(init));
    // One that sends little may go round as often as one that sends much.
    bool isOver = *from >= *to;
    for (int64_t i = *from; !isOver;) {
      if (++rounds > kMostEvents)
        return refuse(loop, "the loop is too long to be played");
      set(loop.getInductionVar(), i);
      if (failed(runUnder(getBounds(loop), loop.getRegion(), depth)))
        return failure();
      hand(loop.getBody()->getTerminator()->getOperands(),
           loop.getRegionIterArgs());
      isOver = llvm::AddOverflow(i, *step, i) || i >= *to;
    }
    hand(loop.getRegionIterArgs(), loop.getResults());
    return success();
  }

  static SmallVector<Value> getBounds(scf::ForOp loop) {
    return {loop.getLowerBound(), loop.getUpperBound(), loop.getStep()};
  }

  /// What `to` are known to be is what `from` are, all at once.
  void hand(ValueRange from, ValueRange to) {
    SmallVector<std::optional<int64_t>> known;
    for (Value value : from)
      known.push_back(get(value));
    for (auto [value, next] : llvm::zip(known, to))
      set(next, value);
  }

  /// What each round is given, where the number of rounds is not known: only
  /// what no round changes.
  void handUnchanged(ValueRange inits, ValueRange arguments, ValueRange next) {
    for (auto [init, argument, after] : llvm::zip(inits, arguments, next))
      set(argument, after == argument ? get(init) : std::nullopt);
  }

  LogicalResult runUnknown(scf::ForOp loop, unsigned depth) {
    std::optional<unsigned> times =
        choose(loop, getBounds(loop), kMostRounds + 1);
    if (!times)
      return refuseChoice(loop,
                          "the bounds of the loop are known to the run alone");
    ValueRange next = loop.getBody()->getTerminator()->getOperands();
    set(loop.getInductionVar(), std::nullopt);
    handUnchanged(loop.getInitArgs(), loop.getRegionIterArgs(), next);
    for (unsigned i = 0; i < *times; ++i)
      if (failed(run(loop.getRegion(), depth)))
        return failure();
    for (auto [init, argument, result, after] :
         llvm::zip(loop.getInitArgs(), loop.getRegionIterArgs(),
                   loop.getResults(), next))
      set(result, after == argument ? get(init) : std::nullopt);
    return success();
  }

  /// The condition is asked once more than the body runs. Numbers are followed
  /// no further than into a round, so that all rounds are alike.
  LogicalResult runWhile(scf::WhileOp loop, unsigned depth) {
    if (!mayCommunicate(loop))
      return success();
    scf::ConditionOp end = loop.getConditionOp();
    std::optional<unsigned> times =
        choose(loop, end.getCondition(), kMostRounds + 1);
    if (!times)
      return refuseChoice(loop, "the condition is known to the run alone");
    handUnchanged(loop.getInits(), loop.getBeforeArguments(),
                  loop.getYieldOp().getOperands());
    for (unsigned i = 0;; ++i) {
      if (failed(run(loop.getBefore(), depth)))
        return failure();
      if (i == *times)
        break;
      hand(end.getArgs(), loop.getAfterArguments());
      if (failed(run(loop.getAfter(), depth)))
        return failure();
    }
    return success();
  }

  LogicalResult runCall(func::CallOp call, unsigned depth) {
    if (!mayCommunicate(call))
      return success();
    if (depth == kDeepest)
      return refuse(call, "calls are nested too deeply");
    func::FuncOp callee = getCallee(call);
    for (auto [argument, operand] :
         llvm::zip(callee.getArguments(), call.getOperands()))
      set(argument, get(operand));
    if (failed(run(callee.getBody(), depth + 1)))
      return failure();
    if (callee.getBody().hasOneBlock())
      setResults(call, callee.getBody());
    return success();
  }

  LogicalResult add(Operation *op, ranks::Event event) {
    if (result.events.size() > kMostEvents)
      return refuse(op, "there are too many messages to be played");
    result.events.push_back(std::move(event));
    result.ops.push_back(op);
    return success();
  }

  static std::optional<int64_t> getBytes(Value buffer) {
    auto type = cast<ShapedType>(buffer.getType());
    std::optional<int64_t> width = getElementBytes(type.getElementType());
    if (!type.hasStaticShape() || !width)
      return std::nullopt;
    return type.getNumElements() * *width;
  }

  /// Ranks put together, and lay side by side, elements of one type.
  static std::string getElements(Value buffer) {
    std::string text;
    llvm::raw_string_ostream(text)
        << cast<ShapedType>(buffer.getType()).getElementType();
    return text;
  }

  LogicalResult addTransfer(Operation *op, ranks::Event::What what,
                            Value request) {
    ranks::Event event;
    event.what = what;
    std::optional<int64_t> tag = get(op->getOperand(1)),
                           peer = get(op->getOperand(2)),
                           comm = get(op->getOperand(3)),
                           bytes = getBytes(op->getOperand(0));
    if (!tag || !peer || !comm || !bytes)
      return refuse(op, "its rank, tag, communicator or size is known to the "
                        "run alone");
    event.peer = *peer;
    event.tag = *tag;
    event.comm = *comm;
    event.bytes = *bytes;
    if (request)
      requests[request] = result.events.size();
    return add(op, event);
  }

  LogicalResult addWait(Operation *op, Value request) {
    auto started = requests.find(request);
    if (started == requests.end())
      return refuse(op, "its request is known to the run alone");
    if (!waited.insert(started->second).second)
      return op->emitOpError("waits for a request of rank ")
             << rank << " that was waited for before";
    ranks::Event event;
    event.what = ranks::Event::Wait;
    event.started = started->second;
    return add(op, event);
  }

  LogicalResult addTogether(Operation *op, Value comm, int64_t bytes) {
    std::optional<int64_t> number = get(comm);
    if (!number)
      return refuse(op, "its communicator is known to the run alone");
    ranks::Event event;
    event.what = ranks::Event::Together;
    event.comm = *number;
    event.bytes = bytes;
    event.kind = op->getName().getStringRef().str();
    if (auto reduce = dyn_cast<mpi::AllReduceOp>(op))
      event.kind += " " +
                    mpi::stringifyMPI_ReductionOpEnum(reduce.getOp()).str() +
                    " " + getElements(reduce.getSendbuf());
    return add(op, event);
  }

  LogicalResult runMpi(Operation *op) {
    if (isa<mpi::CommWorldOp>(op)) {
      set(op->getResult(0), 0);
    } else if (auto own = dyn_cast<mpi::CommRankOp>(op)) {
      const bool isWorld = get(own.getComm()) == 0;
      set(own.getRank(), isWorld ? std::optional<int64_t>(rank) : std::nullopt);
    } else if (auto size = dyn_cast<mpi::CommSizeOp>(op)) {
      const bool isWorld = get(size.getComm()) == 0;
      set(size.getSize(),
          isWorld ? std::optional<int64_t>(count) : std::nullopt);
    } else if (auto split = dyn_cast<mpi::CommSplitOp>(op)) {
      return runSplit(split);
    } else if (isa<mpi::SendOp>(op)) {
      return addTransfer(op, ranks::Event::Send, {});
    } else if (isa<mpi::RecvOp>(op)) {
      return addTransfer(op, ranks::Event::Receive, {});
    } else if (auto send = dyn_cast<mpi::ISendOp>(op)) {
      return addTransfer(op, ranks::Event::StartSend, send.getReq());
    } else if (auto receive = dyn_cast<mpi::IRecvOp>(op)) {
      return addTransfer(op, ranks::Event::StartReceive, receive.getReq());
    } else if (auto wait = dyn_cast<mpi::Wait>(op)) {
      return addWait(op, wait.getReq());
    } else if (auto reduce = dyn_cast<mpi::AllReduceOp>(op)) {
      return addTogether(op, reduce.getComm(),
                         getBytes(reduce.getSendbuf()).value_or(-1));
    } else if (auto barrier = dyn_cast<mpi::Barrier>(op)) {
      return addTogether(op, barrier.getComm(), 0);
    }
    return success();
  }

  LogicalResult runSplit(mpi::CommSplitOp split) {
    std::optional<int64_t> parent = get(split.getComm()),
                           color = get(split.getColor()),
                           key = get(split.getKey());
    if (!parent || !color || !key)
      return refuse(split, "who is in the group is known to the run alone");
    set(split.getNewcomm(),
        comms.split(*parent, turns[*parent]++, *color, *key, rank));
    return addTogether(split, split.getComm(), 0);
  }

  LogicalResult runCollective(Operation *op) {
    const CollectiveParts parts = *getCollective(op);
    if (parts.ranks != count)
      return op->emitOpError("is for ")
             << parts.ranks << " ranks, and " << count << " run it";
    if (parts.kind == CollectiveKind::AllSlice)
      return success();
    const int64_t group = parts.group, stride = parts.stride;
    const int64_t first = rank - rank / stride % group * stride;
    ranks::Event event;
    event.what = ranks::Event::Together;
    if (auto start = dyn_cast<CollectiveStartOp>(op)) {
      event.what = ranks::Event::StartTogether;
      requests[start.getToken()] = result.events.size();
    }
    // Not the number of any communicator of the program's own.
    event.comm = -1 - stride;
    for (int64_t i = 0; i < group; ++i)
      event.members.push_back(first + i * stride);
    event.bytes = getBytes(parts.input).value_or(-1);
    event.kind = stringifyCollectiveKind(parts.kind).str() + " " +
                 stringifyReduction(parts.reduction).str() + " " +
                 std::to_string(parts.axis) + " " + getElements(parts.input);
    // Of parts that lie side by side in rows, the rows must fit.
    if (parts.kind == CollectiveKind::AllGather)
      for (int64_t extent : cast<ShapedType>(parts.input.getType()).getShape())
        event.kind += " " + std::to_string(extent);
    return add(op, event);
  }

  const int64_t rank, count;
  const UniformValues &uniform;
  Choices &choices;
  /// How often a place where data decide was reached.
  llvm::DenseMap<Operation *, unsigned> reached;
  /// Other ranks may not come here, or not as often.
  bool isDivided = false;
  Comms &comms;
  RankEvents &result;
  llvm::DenseMap<Value, int64_t> numbers;
  llvm::DenseMap<Value, size_t> requests;
  /// Events that somebody has waited for.
  llvm::DenseSet<size_t> waited;
  std::map<int64_t, int64_t> turns;
  /// Of operations that were asked about, whether they communicate.
  llvm::DenseMap<Operation *, bool> talks;
  size_t rounds = 0;
};
} // namespace

/// Who is in which communicator is known when all ranks have run.
static void resolve(Comms &comms, std::vector<RankEvents> &all) {
  std::vector<std::vector<int64_t>> members;
  for (auto &pairs : comms.members) {
    std::sort(pairs.begin(), pairs.end());
    members.emplace_back();
    for (auto [key, rank] : pairs)
      members.back().push_back(rank);
  }
  for (RankEvents &rank : all)
    for (ranks::Event &event : rank.events) {
      if (event.comm < 0)
        continue;
      const std::vector<int64_t> &group = members[event.comm];
      if (event.what == ranks::Event::Together)
        event.members = group;
      else if (event.what != ranks::Event::Wait)
        event.peer =
            event.peer >= 0 && event.peer < static_cast<int64_t>(group.size())
                ? group[event.peer]
                : -1;
    }
}

static LogicalResult playOnce(ArrayRef<func::FuncOp> functions,
                              const UniformValues &uniform, Choices &choices,
                              std::vector<RankEvents> &all) {
  const auto count = static_cast<int64_t>(functions.size());
  Comms comms;
  comms.members.emplace_back();
  for (int64_t rank = 0; rank < count; ++rank)
    comms.members.front().push_back({rank, rank});
  for (int64_t rank = 0; rank < count; ++rank) {
    func::FuncOp function = functions[rank];
    if (failed(RankRun(rank, count, uniform, choices, comms, all[rank])
                   .run(function.getBody())))
      return failure();
  }
  resolve(comms, all);
  return success();
}

LogicalResult pebble::playRanks(
    ModuleOp module, ArrayRef<func::FuncOp> functions,
    llvm::function_ref<LogicalResult(const std::vector<RankEvents> &)> judge) {
  const UniformValues uniform(module);
  Choices choices;
  size_t plays = 0;
  do {
    if (++plays > kMostPlays)
      return functions.front()->emitError()
             << "there are more than " << kMostPlays
             << " ways through this program, as data decide: cut it into "
                "functions that are checked one by one";
    std::vector<RankEvents> all(functions.size());
    if (failed(playOnce(functions, uniform, choices, all)) ||
        failed(judge(all)))
      return failure();
  } while (choices.next());
  return success();
}
