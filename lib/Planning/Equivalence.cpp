//===- Equivalence.cpp - was it the same program? -------------------------===//
//
// Compares two symbolic executions and says where they part.
//
//===----------------------------------------------------------------------===//

#include "pebble/Planning/Equivalence.h"

#include "Promises.h"
#include "SymbolicExecution.h"

#include "pebble/Dialect/PebbleAttrNames.h"

#include "mlir/IR/RegionGraphTraits.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;

namespace pebble {

static std::string getOpName(const StorageAnalysis &analysis, Operation *op) {
  if (std::optional<unsigned> step = analysis.getStepIndex(op);
      step && analysis.getSteps()[*step].op == op)
    return "'" + analysis.getStepName(*step) + "'";
  return ("'" + op->getName().getStringRef() + "'").str();
}

/// Reports a storage that is used after its content is gone.
static void emitHazard(const StorageAnalysis &analysis, const Hazard &hazard,
                       StringRef when) {
  std::string reader = getOpName(analysis, hazard.reader);
  std::string writer = hazard.writer ? getOpName(analysis, hazard.writer)
                                     : "an op outside of the block";
  InFlightDiagnostic error = emitError(hazard.reader->getLoc());
  switch (hazard.kind) {
  case Hazard::Overwritten:
    error << "anti-dependence broken " << when << ": " << reader << " reads "
          << hazard.storage << " after " << writer << " has overwritten it";
    break;
  case Hazard::Freed:
    error << "storage used after its end " << when << ": " << reader << " uses "
          << hazard.storage << " after " << writer << " has freed it";
    break;
  case Hazard::UnderWay:
    error << "buffer touched while it is under way " << when << ": " << reader
          << " uses " << hazard.storage << " before " << writer
          << " was waited for";
    break;
  case Hazard::NotYetMade:
    error << "flow dependence broken " << when << ": " << reader
          << " uses the result of " << writer << " before it is made";
    break;
  }
  if (hazard.writer)
    error.attachNote(hazard.writer->getLoc()) << writer << " stands here";
}

namespace {
/// Compares the run before with the run after and reports the first
/// difference, at the op where it begins.
class Comparison {
public:
  Comparison(const Execution &before, const Execution &after,
             const StorageAnalysis &analysisAfter, Block &block,
             const llvm::SmallDenseSet<Operation *> &outOfPlace = {})
      : before(before), after(after), analysis(analysisAfter), block(block),
        outOfPlace(outOfPlace) {
    for (const ExecutedStep &step : before.steps)
      known.insert(step.expression);
  }

  LogicalResult run() {
    if (after.hazard) {
      emitHazard(analysis, after.hazard, "by the rewrite");
      return failure();
    }
    if (failed(compareInPlace()))
      return failure();
    if (isSame())
      return success(
          succeeded(compareDoubts()) && succeeded(compareGuards()) &&
          succeeded(compareEndless()) && succeeded(compareReaching()) &&
          succeeded(compareMadePromises()) && succeeded(compareCrossing()));
    if (const ExecutedStep *step = findFirstStrange())
      return explain(*step);
    return explainOrder();
  }

private:
  bool isSame() const {
    if (before.terminator != after.terminator ||
        before.results != after.results ||
        before.finals.size() != after.finals.size())
      return false;
    if (!isSameList(before.effects, after.effects) ||
        !isSameList(before.ordered, after.ordered) ||
        getSorted(before.once) != getSorted(after.once))
      return false;
    for (const auto &[initial, final] : before.finals) {
      auto found = after.finals.find(initial);
      if (found == after.finals.end() || found->second.first != final.first)
        return false;
    }
    return getSorted(before.exposedWrites) == getSorted(after.exposedWrites);
  }

  using IdAndOp = std::pair<Execution::Id, Operation *>;
  static bool isSameList(const std::vector<IdAndOp> &a,
                         const std::vector<IdAndOp> &b) {
    return std::equal(
        a.begin(), a.end(), b.begin(), b.end(),
        [](const IdAndOp &x, const IdAndOp &y) { return x.first == y.first; });
  }
  static std::vector<Execution::Id>
  getSorted(const std::vector<IdAndOp> &list) {
    std::vector<Execution::Id> ids;
    for (const IdAndOp &entry : list)
      ids.push_back(entry.first);
    llvm::sort(ids);
    return ids;
  }

  /// What was written in place must still be: if the storage analysis no longer
  /// says so, something now reads the content after it was overwritten.
  LogicalResult compareInPlace() {
    for (auto it = before.inPlace.begin(); it != before.inPlace.end();) {
      Execution::Id id = it->first;
      size_t was = 0, is = after.inPlace.count(id);
      Operation *op = nullptr;
      for (; it != before.inPlace.end() && it->first == id; ++it)
        if (!outOfPlace.contains(it->second)) {
          op = op ? op : it->second;
          ++was;
        }
      if (is >= was)
        continue;
      // Not found at all: the op computes something else; reported below.
      const ExecutedStep *step = findStep(op);
      if (!step || step->expression != findExpression(op))
        continue;
      reportLostInPlace(step->op);
      return failure();
    }
    return success();
  }

  /// What may be used after its end must have been so before.
  LogicalResult compareDoubts() {
    for (auto [id, count] : after.doubtful) {
      auto found = before.doubtful.find(id);
      if (found != before.doubtful.end() && found->second >= count)
        continue;
      Operation *op = block.getParentOp();
      for (const ExecutedStep &step : after.steps)
        if (step.expression == id)
          op = step.op;
      return emitError(op->getLoc())
             << "storage may be used after its end by the rewrite: "
             << getOpName(analysis, op)
             << " uses one of several buffers, and one of them is freed before";
    }
    return success();
  }

  /// What may fail runs no earlier among the effects than it did: one of them
  /// may have ended the program before.
  LogicalResult compareGuards() {
    for (auto [id, first] : after.guarded) {
      auto found = before.guarded.find(id);
      // What could not fail then cannot now, though a plan hides constants.
      bool couldFail = found != before.guarded.end();
      if (couldFail ? first.first >= found->second.first : known.contains(id))
        continue;
      Operation *op = first.second;
      if (found == before.guarded.end())
        return emitError(op->getLoc())
               << "the rewrite changed the program: " << getOpName(analysis, op)
               << " may fail and was not there before";
      InFlightDiagnostic error = emitError(op->getLoc());
      error << "the rewrite changed the order of effects: "
            << getOpName(analysis, op)
            << " may fail and runs before an effect that came first";
      if (first.first < after.effects.size())
        error.attachNote(after.effects[first.first].second->getLoc())
            << "this one was to come first";
      return failure();
    }
    return success();
  }

  /// Nothing may run for ever that did not before, be it that nobody asks for
  /// what it computes.
  LogicalResult compareEndless() {
    // What a plan hides (a step of one, say) is no reason to doubt a loop that
    // was there before.
    return compareAdded(after.endless, "is not known to end");
  }

  /// Nothing may reach beyond the end of a buffer that did not before, be it
  /// that nobody asks for what it computes: it may overwrite what others hold.
  LogicalResult compareReaching() {
    return compareAdded(after.reaching, "may reach beyond the end of a buffer");
  }

  /// Fails at the first of `ops` that computes what no op computed before.
  LogicalResult compareAdded(ArrayRef<IdAndOp> ops, StringRef what) {
    for (auto [id, op] : ops)
      if (!known.contains(id))
        return emitError(op->getLoc())
               << "the rewrite changed the program: " << getOpName(analysis, op)
               << " " << what << " and was not there before";
    return success();
  }

  /// Nothing may be promised that was not, or before an effect that came first.
  LogicalResult compareMadePromises() {
    for (auto [id, made] : after.promises) {
      auto found = before.promises.find(id);
      if (found != before.promises.end() && made.first >= found->second.first)
        continue;
      return emitError(made.second->getLoc())
             << getOpName(analysis, made.second)
             << " promises more than the program did";
    }
    return success();
  }

  /// Values that other blocks use must be what they were.
  LogicalResult compareCrossing() {
    llvm::DenseMap<Value, Execution::Id> was(before.crossing.begin(),
                                             before.crossing.end());
    for (auto [value, id] : after.crossing) {
      // Of two functions the blocks that use a value compare it.
      auto found = was.find(value);
      if (found == was.end() || found->second == id)
        continue;
      Operation *op = value.getDefiningOp();
      return emitError(value.getLoc())
             << "the rewrite changed the program: "
             << (op ? getOpName(analysis, op) : std::string("an argument"))
             << " makes another value for the blocks behind";
    }
    return success();
  }

  /// False for an op of the snapshot that the rewrite erased.
  bool isThere(Operation *op) const {
    return llvm::any_of(block, [&](Operation &other) { return &other == op; });
  }

  Execution::Id findExpression(Operation *op) const {
    for (const ExecutedStep &step : before.steps)
      if (step.op == op)
        return step.expression;
    return ~0u;
  }
  const ExecutedStep *findStep(Operation *op) const {
    for (const ExecutedStep &step : after.steps)
      if (step.op == op)
        return &step;
    return nullptr;
  }

  /// The op that reads what `writer` was to overwrite, after it.
  void reportLostInPlace(Operation *writer) {
    std::string name = getOpName(analysis, writer);
    for (OpOperand &operand : writer->getOpOperands())
      for (StorageId id : analysis.lookup(operand.get()))
        for (const Step &step : analysis.getSteps())
          for (const Access &access : step.accesses)
            if (access.storage == id && access.kind == AccessKind::Read &&
                step.op != writer && writer->isBeforeInBlock(step.op)) {
              emitHazard(analysis,
                         {step.op, writer, Hazard::Overwritten,
                          analysis.getStorageName(id)},
                         "by the rewrite");
              return;
            }
    emitError(writer->getLoc())
        << name << " no longer writes its result in place";
  }

  /// The first op that computes what no op computed before.
  const ExecutedStep *findFirstStrange() const {
    for (const ExecutedStep &step : after.steps)
      if (!known.contains(step.expression))
        return &step;
    return nullptr;
  }

  LogicalResult explain(const ExecutedStep &step) {
    std::string name = getOpName(analysis, step.op);
    const ExecutedStep *old = nullptr;
    for (const ExecutedStep &candidate : before.steps)
      if (candidate.op == step.op)
        old = &candidate;
    InFlightDiagnostic error = emitError(step.op->getLoc())
                               << "the rewrite changed the program: ";
    size_t count =
        old ? std::min(old->operands.size(), step.operands.size()) : 0;
    for (size_t i = 0; i < count; ++i) {
      if (old->operands[i] == step.operands[i])
        continue;
      error << name << " reads other content";
      if (i < step.op->getNumOperands()) {
        Value operand = step.op->getOperand(i);
        ArrayRef<StorageId> ids = analysis.lookup(operand);
        if (ids.empty())
          error << " through operand #" << i;
        else
          error << " of " << analysis.getStorageName(ids[0]);
      }
      auto describe = [&](Operation *writer) {
        if (!writer)
          return std::string("nobody");
        return isThere(writer) ? getOpName(analysis, writer)
                               : std::string("an op that is gone");
      };
      error << ", last written by " << describe(step.writers[i]);
      if (old->writers[i] != step.writers[i])
        error << " instead of " << describe(old->writers[i]);
      if (step.writers[i])
        error.attachNote(step.writers[i]->getLoc())
            << describe(step.writers[i]) << " stands here";
      return failure();
    }
    error << name << " computes what no op computed before";
    return failure();
  }

  /// Fails, with an error, if random numbers or messages are not what they
  /// were.
  LogicalResult explainOnce(Operation *end) {
    size_t common = std::min(before.once.size(), after.once.size());
    if (before.once.size() == after.once.size() &&
        isSameList(before.ordered, after.ordered) &&
        getSorted(before.once) == getSorted(after.once))
      return success();
    if (before.once.size() != after.once.size()) {
      Operation *op =
          after.once.size() > common ? after.once[common].second : end;
      emitError(op->getLoc())
          << "the rewrite changed how often random numbers are drawn, "
             "messages sent, results put together or buffers freed, from "
          << before.once.size() << " to " << after.once.size();
      return failure();
    }
    Operation *op = end;
    for (size_t i = 0; i < common && op == end; ++i)
      if (before.once[i].first != after.once[i].first)
        op = after.once[i].second;
    emitError(op->getLoc())
        << "the rewrite changed in which order, or of what, random numbers are "
           "drawn, messages sent, results put together or buffers freed";
    return failure();
  }

  /// Every op computes what it did, yet what is left behind differs.
  LogicalResult explainOrder() {
    size_t count = std::min(before.effects.size(), after.effects.size());
    for (size_t i = 0; i < count; ++i)
      if (before.effects[i].first != after.effects[i].first) {
        Operation *op = after.effects[i].second;
        InFlightDiagnostic error =
            emitError(op->getLoc())
            << "the rewrite changed the order of effects: "
            << getOpName(analysis, op)
            << " comes where another effect came before";
        if (isThere(before.effects[i].second))
          error.attachNote(before.effects[i].second->getLoc())
              << "this one was to come first";
        return failure();
      }
    if (before.effects.size() != after.effects.size()) {
      emitError(block.getParentOp()->getLoc())
          << "the rewrite changed the number of effects from "
          << before.effects.size() << " to " << after.effects.size();
      return failure();
    }
    Operation *end = block.mightHaveTerminator() ? block.getTerminator()
                                                 : block.getParentOp();
    if (failed(explainOnce(end)))
      return failure();
    for (size_t i = 0;
         i < std::min(before.results.size(), after.results.size()); ++i)
      if (before.results[i] != after.results[i]) {
        emitError(end->getLoc()) << "the rewrite changed the program: result #"
                                 << i << " is another expression than before";
        return failure();
      }
    for (const auto &[initial, final] : after.finals) {
      auto found = before.finals.find(initial);
      if (found != before.finals.end() && found->second.first == final.first)
        continue;
      Operation *op = final.second ? final.second : end;
      emitError(op->getLoc()) << "the rewrite changed what is left in memory: "
                              << getOpName(analysis, op) << " wrote there last";
      return failure();
    }
    emitError(end->getLoc())
        << "the rewrite changed the order of writes to memory that "
           "others see";
    return failure();
  }

  const Execution &before;
  const Execution &after;
  const StorageAnalysis &analysis;
  Block &block;
  /// Ops whose results need not be in place any more.
  llvm::SmallDenseSet<Operation *> outOfPlace;
  /// What the steps before computed.
  llvm::DenseSet<Execution::Id> known;
};
} // namespace

struct EquivalenceChecker::State {
  explicit State(const StorageAnalysis &analysis)
      : block(*analysis.getBlock()),
        options(analysis.getContext().getOptions()) {
    ExecutionScope scope;
    before = execute(block, analysis, table, scope);
    // A program that reads what is gone before any rewrite proves nothing.
    if (before.hazard)
      emitHazard(analysis, before.hazard, "in the program that came in");
  }

  Block &block;
  AnalysisOptions options;
  ExpressionTable table;
  Execution before;
};

EquivalenceChecker::EquivalenceChecker(Block &block, ProgramContext &context)
    : EquivalenceChecker(StorageAnalysis(block, context)) {}
EquivalenceChecker::EquivalenceChecker(const StorageAnalysis &storage)
    : state(std::make_unique<State>(storage)) {}
EquivalenceChecker::~EquivalenceChecker() = default;

LogicalResult
EquivalenceChecker::verify(const llvm::SmallDenseSet<Operation *> &outOfPlace) {
  if (state->before.hazard)
    return failure();
  // A context of its own: the names that the old one remembers are stale.
  ProgramContext context(state->options);
  StorageAnalysis analysis(state->block, context);
  ExecutionScope scope;
  Execution after = execute(state->block, analysis, state->table, scope);
  return Comparison(state->before, after, analysis, state->block, outOfPlace)
      .run();
}

namespace {
/// Compares two functions, and what their symbols mean to each.
class FunctionComparison {
public:
  explicit FunctionComparison(ProgramContext &context) : context(context) {}

  LogicalResult compare(FunctionOpInterface first, FunctionOpInterface second) {
    // What is under way, or done, need not be proven again.
    if (first == second || !seen.insert({first, second}).second)
      return success();
    Region &before = first.getFunctionBody(), &after = second.getFunctionBody();
    if (first.getFunctionType() != second.getFunctionType() ||
        before.getBlocks().size() != after.getBlocks().size())
      return second->emitError("the rewrite changed the signature or the "
                               "control flow of the function");
    if (failed(comparePromises(first, second)))
      return failure();
    if (before.empty())
      return success();
    return success(succeeded(compareBodies(before, after)) &&
                   succeeded(compareSymbols(first, second)) &&
                   succeeded(compareFallback(first, second)));
  }

  /// Symbols that both functions use must mean the same in both modules.
  LogicalResult compareSymbols(Operation *first, Operation *second,
                               ArrayRef<SymbolRefAttr> names) {
    for (SymbolRefAttr name : names) {
      Operation *one = context.lookupSymbol(first, name);
      Operation *other = context.lookupSymbol(second, name);
      if (one == other)
        continue;
      auto callee = dyn_cast_or_null<FunctionOpInterface>(one);
      auto newCallee = dyn_cast_or_null<FunctionOpInterface>(other);
      if (callee && newCallee) {
        if (failed(compare(callee, newCallee)))
          return failure();
      } else if (!one || !other ||
                 !OperationEquivalence::isEquivalentTo(
                     one, other, OperationEquivalence::IgnoreLocations)) {
        return second->emitError("the rewrite changed what ")
               << name << " means";
      }
    }
    return success();
  }

private:
  /// What runs in place of `second` for larger data is the same, too.
  LogicalResult compareFallback(FunctionOpInterface first,
                                FunctionOpInterface second) {
    auto fallback = second->getAttrOfType<DictionaryAttr>(attr::kFallback);
    if (!fallback)
      return success();
    auto other = dyn_cast_or_null<FunctionOpInterface>(context.lookupSymbol(
        second, fallback.getAs<SymbolRefAttr>("function")));
    return other ? compare(first, other) : success();
  }

  LogicalResult compareBodies(Region &before, Region &after) {
    SmallVector<Block *> others;
    llvm::DenseMap<Block *, unsigned> number;
    for (Block &block : after)
      others.push_back(&block);
    for (Block &block : before)
      number.try_emplace(&block, number.size());
    ExpressionTable table;
    ExecutionScope scopeBefore, scopeAfter;
    scopeBefore.byPosition = scopeAfter.byPosition = true;
    // Who makes a value comes before who uses it. What is not reached does not
    // run.
    for (Block *one :
         llvm::ReversePostOrderTraversal<Block *>(&before.front())) {
      scopeBefore.block = scopeAfter.block = number[one];
      Block *other = others[number[one]];
      if (one->getArgumentTypes() != other->getArgumentTypes())
        return emitError(other->getParentOp()->getLoc())
               << "the rewrite changed the arguments of block #" << number[one];
      if (failed(compareBlocks(*one, *other, table, scopeBefore, scopeAfter)))
        return failure();
    }
    return success();
  }

  LogicalResult compareBlocks(Block &one, Block &other, ExpressionTable &table,
                              ExecutionScope &scopeBefore,
                              ExecutionScope &scopeAfter) {
    StorageAnalysis analysisBefore(one, context);
    Execution before = execute(one, analysisBefore, table, scopeBefore);
    if (before.hazard) {
      emitHazard(analysisBefore, before.hazard, "in the program that came in");
      return failure();
    }
    StorageAnalysis analysisAfter(other, context);
    Execution after = execute(other, analysisAfter, table, scopeAfter);
    return Comparison(before, after, analysisAfter, other).run();
  }

  LogicalResult compareSymbols(Operation *first, Operation *second) {
    llvm::SetVector<SymbolRefAttr> names;
    second->walk([&](Operation *op) {
      if (op != second)
        collectSymbols(op, names);
    });
    return compareSymbols(first, second, names.getArrayRef());
  }

  ProgramContext &context;
  llvm::DenseSet<std::pair<Operation *, Operation *>> seen;
};
} // namespace

LogicalResult checkEquivalence(Operation *before, Operation *after,
                               ProgramContext &context) {
  return FunctionComparison(context).compare(cast<FunctionOpInterface>(before),
                                             cast<FunctionOpInterface>(after));
}

LogicalResult checkSymbols(Operation *before, Operation *after,
                           ArrayRef<SymbolRefAttr> names,
                           ProgramContext &context) {
  return FunctionComparison(context).compareSymbols(before, after, names);
}

} // namespace pebble
