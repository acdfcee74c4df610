//===- Resume.cpp - the journal of a run ----------------------------------===//

#include "Resume.h"

#include "Ranks.h"
#include "Tiers.h"
#include "ToolOptions.h"

#include "pebble/Dialect/DimBounds.h"
#include "pebble/Dialect/PebbleOps.h"
#include "pebble/Report/Units.h"
#include "pebble/Runtime/Journal.h"
#include "pebble/Runtime/Runtime.h"
#include "pebble/Solver/Chain/SnapshotInterval.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/APInt.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/SHA256.h"

#include <algorithm>
#include <cmath>

using namespace mlir;
using llvm::APInt;
namespace APIntOps = llvm::APIntOps;
using namespace pebble;
namespace cl = llvm::cl;

static cl::opt<bool>
    resume("resume",
           cl::desc("Go on from the newest snapshot in the directory of "
                    "--slow-dir, if there is one"),
           tool::ours);

static cl::opt<double> failures(
    "mtbf",
    cl::desc("Mean time between failures in seconds: says after the run how "
             "often snapshots cost the least time"),
    cl::value_desc("seconds"), cl::init(0), tool::ours);

/// Whether this run has a journal.
static bool isOpen = false;

//===----------------------------------------------------------------------===//
// What is to come
//===----------------------------------------------------------------------===//

/// Bytes of a value in a snapshot: as it is, whatever its tier makes of it.
static std::optional<int64_t> getStateBytes(Type type) {
  auto shaped = dyn_cast<ShapedType>(type);
  if (!shaped)
    return sizeof(int64_t);
  std::optional<int64_t> width = getElementBytes(shaped.getElementType());
  int64_t bytes;
  if (!width || !shaped.hasStaticShape() ||
      llvm::MulOverflow(shaped.getNumElements(), *width, bytes))
    return std::nullopt;
  return bytes;
}

namespace {

/// Says what a number is in every run; nothing where it depends on data.
/// Drivers of reversed loops work their bounds out of constants.
class Evaluator {
public:
  Attribute get(Value value) {
    // What is asked for within its own evaluation is not known.
    auto [known, isNew] = values.try_emplace(value, Attribute());
    if (!isNew)
      return known->second;
    if (depth == kMostDepth)
      return {};
    ++depth;
    Attribute result = compute(value);
    --depth;
    return values[value] = result;
  }

private:
  Attribute compute(Value value);
  Attribute computeElement(tensor::ExtractOp extract);
  using Indices = std::optional<SmallVector<uint64_t>>;
  Indices getIndices(OperandRange range);

  /// What is worked out in more steps than a driver's bounds is not looked at.
  static constexpr unsigned kMostDepth = 500;
  unsigned depth = 0;
  llvm::DenseMap<Value, Attribute> values;
};

} // namespace

Evaluator::Indices Evaluator::getIndices(OperandRange range) {
  SmallVector<uint64_t> indices;
  for (Value value : range) {
    auto number = dyn_cast_if_present<IntegerAttr>(get(value));
    if (!number)
      return std::nullopt;
    indices.push_back(number.getValue().getZExtValue());
  }
  return indices;
}

/// What stands in a tensor into which numbers were put one by one.
Attribute Evaluator::computeElement(tensor::ExtractOp extract) {
  Indices wanted = getIndices(extract.getIndices());
  Value array = extract.getTensor();
  while (auto insert = array.getDefiningOp<tensor::InsertOp>()) {
    Indices place = getIndices(insert.getIndices());
    if (!wanted || !place)
      return {};
    if (*place == *wanted)
      return get(insert.getScalar());
    array = insert.getDest();
  }
  DenseElementsAttr elements;
  if (!wanted || !matchPattern(array, m_Constant(&elements)) ||
      !ElementsAttr::isValidIndex(elements.getType(), *wanted))
    return {};
  return elements.getValues<Attribute>()[*wanted];
}

Attribute Evaluator::compute(Value value) {
  Attribute known;
  if (matchPattern(value, m_Constant(&known)))
    return known;
  Operation *op = value.getDefiningOp();
  if (!op || op->getNumRegions())
    return {};
  if (auto extract = dyn_cast<tensor::ExtractOp>(op))
    return computeElement(extract);
  SmallVector<Attribute> operands;
  for (Value operand : op->getOperands()) {
    if (!operand.getType().isIntOrIndex())
      return {};
    operands.push_back(get(operand));
  }
  SmallVector<OpFoldResult> results;
  if (failed(op->fold(operands, results)) || results.empty())
    return {};
  OpFoldResult result = results[cast<OpResult>(value).getResultNumber()];
  if (auto attribute = dyn_cast<Attribute>(result))
    return attribute;
  return get(cast<Value>(result));
}

/// How often a loop runs, where every run says the same.
static std::optional<int64_t> getTrips(scf::ForOp loop) {
  const std::array<Value, 3> values = {loop.getLowerBound(),
                                       loop.getUpperBound(), loop.getStep()};
  Evaluator evaluator;
  std::array<APInt, 3> bounds;
  for (auto [bound, value] : llvm::zip(bounds, values)) {
    auto number = dyn_cast_if_present<IntegerAttr>(evaluator.get(value));
    if (!number)
      return std::nullopt;
    bound = number.getValue();
  }
  const auto &[low, high, step] = bounds;
  if (loop.getUnsignedCmp() ? low.uge(high) : low.sge(high))
    return 0;
  APInt trips = APIntOps::RoundingUDiv(high - low, step, APInt::Rounding::UP);
  return trips.getActiveBits() < 63 ? std::optional(trips.getSExtValue())
                                    : std::nullopt;
}

SnapshotPlan pebble::findSnapshots(FunctionOpInterface entry) {
  SnapshotPlan plan;
  entry->walk([&](TakeSnapshotOp op) {
    LoopSnapshots loop;
    loop.every = op.getEvery();
    loop.last = op.getLast();
    loop.bytes = 0;
    if (auto around = dyn_cast<scf::ForOp>(op->getParentOp()))
      loop.trips = getTrips(around);
    for (Value value : op.getState()) {
      std::optional<int64_t> bytes = getStateBytes(value.getType());
      if (!bytes || !loop.bytes ||
          llvm::AddOverflow(*loop.bytes, *bytes, *loop.bytes))
        loop.bytes.reset();
    }
    plan[op.getLoop()] = loop;
  });
  return plan;
}

int64_t LoopSnapshots::countDue(int64_t done) const {
  if (!trips || *trips == 0)
    return 0;
  return std::min(done, *trips - 1) / every + (last && done >= *trips);
}

/// What is left of `plan` after `done` iterations of `loop`.
static PredictedSnapshots predictSnapshots(const SnapshotPlan &plan,
                                           int64_t loop, int64_t done) {
  PredictedSnapshots left;
  for (const auto &[number, each] : plan) {
    if (number < loop)
      continue;
    left.isKnown &= each.trips && each.bytes;
    if (!left.isKnown)
      break;
    int64_t count =
        each.countDue(*each.trips) - (number == loop ? each.countDue(done) : 0);
    left.count += count;
    left.bytes += count * *each.bytes;
  }
  return left;
}

//===----------------------------------------------------------------------===//
// The journal
//===----------------------------------------------------------------------===//

bool pebble::isResuming() { return resume; }

RunIdentity pebble::identifyRun(ModuleOp module, StringRef entry, uint64_t seed,
                                StringRef runs,
                                const std::map<unsigned, NpyArray> &arrays) {
  if (getSlowDir().empty())
    return {};
  llvm::SHA256 hash;
  auto add = [&](StringRef text) {
    const uint64_t bytes = text.size();
    hash.update(
        StringRef(reinterpret_cast<const char *>(&bytes), sizeof(bytes)));
    hash.update(text);
  };
  auto addNumber = [&](uint64_t number) {
    add(StringRef(reinterpret_cast<const char *>(&number), sizeof(number)));
  };
  std::string text;
  llvm::raw_string_ostream os(text);
  module->print(os, OpPrintingFlags().printGenericOpForm());
  add(text);
  add(entry);
  add(runs);
  addNumber(seed);
  for (const auto &[index, array] : arrays) {
    addNumber(index);
    add(array.type);
    addNumber(array.shape.size());
    for (int64_t size : array.shape)
      addNumber(static_cast<uint64_t>(size));
    add(StringRef(array.bytes.data(), array.bytes.size()));
  }
  return hash.final();
}

static std::string getJournal() { return getSlowDir() + "/pebble-journal"; }

/// Where this rank goes on, for comparison: what is earlier is less.
static std::pair<int64_t, int64_t> getPlace() {
  struct pebble_rt_journal counts;
  pebble_rt_journal_counts(&counts);
  if (!isOpen || counts.resumed_loop < 0)
    return {-1, 0};
  return {counts.resumed_loop, counts.resumed_done};
}

/// Of several ranks one may have taken a snapshot that others have not. All of
/// them go on from the last one that all have: each keeps two.
static llvm::Error agreeOnPlace(const std::string &directory,
                                const RunIdentity &identity) {
  if (!getSentBytes() || getRanks().count == 1)
    return llvm::Error::success();
  auto gather = [] {
    const auto [loop, done] = getPlace();
    std::vector<std::pair<int64_t, int64_t>> places;
    for (auto [eachLoop, eachDone] :
         llvm::zip(gatherNumbers(loop), gatherNumbers(done)))
      places.push_back({eachLoop, eachDone});
    return places;
  };
  const auto least = *llvm::min_element(gather());
  if (isOpen && getPlace() > least) {
    pebble_rt_journal_last(least.first, least.second);
    if (pebble_rt_journal_open(directory.c_str(), identity.data(), resume))
      return llvm::createStringError(llvm::Twine("--slow-dir: ") +
                                     pebble_rt_error());
  }
  const auto places = gather();
  for (size_t rank = 1; rank < places.size(); ++rank)
    if (places[rank] != places[0])
      return llvm::createStringError(
          "--resume: ranks have no snapshot of one place: rank 0 would go on "
          "after " +
          llvm::Twine(places[0].second) + " iterations, and rank " +
          llvm::Twine(rank) + " after " + llvm::Twine(places[rank].second) +
          "; remove the journals of all ranks to begin anew");
  return llvm::Error::success();
}

static llvm::Error openOwnJournal(const SnapshotPlan &plan,
                                  const RunIdentity &identity, unsigned repeat,
                                  bool isOfRuns) {
  const std::string parent = getSlowDir();
  if (resume && parent.empty())
    return llvm::createStringError("--resume needs --slow-dir, where the "
                                   "journal is");
  if (resume && plan.empty())
    return llvm::createStringError(
        "--resume: the program takes no snapshots; pebble-opt "
        "--pebble-snapshot-loops=every=N has its loops take them, and with "
        "--repeat=N they are taken between the runs");
  if (failures.getNumOccurrences() &&
      !(failures > 0 && std::isfinite(failures)))
    return llvm::createStringError("--mtbf takes a number of seconds over 0");
  if (failures.getNumOccurrences() && (plan.empty() || parent.empty()))
    return llvm::createStringError(
        "--mtbf is for a program that takes snapshots, and needs --slow-dir: "
        "it goes by how long snapshots take");
  if (plan.empty() || parent.empty())
    return llvm::Error::success();
  if (repeat > 1 && !isOfRuns)
    return llvm::createStringError("--repeat: a program that takes snapshots "
                                   "runs once; leave --slow-dir out");
  const std::string directory = getJournal();
  if (pebble_rt_journal_open(directory.c_str(), identity.data(), resume))
    return llvm::createStringError(llvm::Twine("--slow-dir: ") +
                                   pebble_rt_error());
  isOpen = true;
  pebble_rt_set_slow_dir(directory.c_str());
  return llvm::Error::success();
}

llvm::Error pebble::openJournal(const SnapshotPlan &plan,
                                const RunIdentity &identity, unsigned repeat,
                                bool isOfRuns, Prediction &prediction) {
  if (llvm::Error error = openOwnJournal(plan, identity, repeat, isOfRuns))
    return error;
  if (llvm::Error error = agreeOnPlace(getJournal(), identity))
    return error;
  if (!isOpen)
    return llvm::Error::success();
  const auto [loop, done] = getPlace();
  const bool isResumed = loop >= 0;
  prediction.isBound |= isResumed && !isOfRuns;
  prediction.snapshots =
      predictSnapshots(plan, isResumed ? loop : 0, isResumed ? done : 0);
  return llvm::Error::success();
}

std::string pebble::adviseSnapshots(const SnapshotPlan &plan) {
  std::string text;
  if (!failures.getNumOccurrences())
    return text;
  auto inTime = [](double seconds) {
    return formatTime(toNanoseconds(seconds));
  };
  for (const auto &[number, loop] : plan) {
    struct pebble_rt_journal_loop took;
    pebble_rt_journal_times(number, &took);
    if (!took.iterations || !took.snapshots)
      continue;
    chain::SnapshotCosts costs;
    costs.iteration =
        std::max<double>(static_cast<double>(took.nanoseconds), 1) /
        static_cast<double>(took.iterations) / 1e9;
    costs.snapshot = static_cast<double>(took.snapshot_ns) /
                     static_cast<double>(took.snapshots) / 1e9;
    costs.failures = failures;
    const int64_t every = chain::bestEvery(costs, int64_t(1) << 40);
    text += "pebble-run: loop " + std::to_string(number) + ": " +
            inTime(costs.iteration) + " for an iteration, " +
            inTime(costs.snapshot) + " for a snapshot; with a failure every " +
            inTime(failures) + " every=" + std::to_string(every) +
            " costs the least time (Young: one in " +
            inTime(chain::youngInterval(costs)) + ", Daly: one in " +
            inTime(chain::dalyInterval(costs)) + ")\n";
  }
  return text;
}

void pebble::finishJournal() {
  if (!isOpen)
    return;
  // The files of slower tiers lie in the journal's directory.
  pebble_rt_set_slow_dir(getSlowDir().c_str());
  pebble_rt_journal_close(/*finished=*/1);
}
