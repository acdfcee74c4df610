//===- SavedPlan.cpp - plans that outlive the compiler run ----------------===//

#include "pebble/Planning/SavedPlan.h"
#include "pebble/Dialect/ProgramNames.h"

#include "Expressions.h"

#include "pebble/Dialect/PebbleAttrNames.h"
#include "pebble/Target/OutputFile.h"
#include "pebble/Target/StrictJson.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/xxhash.h"

#include <deque>

using namespace mlir;

namespace pebble {

//===----------------------------------------------------------------------===//
// Keys
//===----------------------------------------------------------------------===//

namespace {
/// Hashes ops by their text, in which values are numbers.
class KeyBuilder {
public:
  explicit KeyBuilder(const StorageAnalysis &storage) : storage(storage) {}

  std::vector<StepKey> run() {
    Block &block = *storage.getBlock();
    for (BlockArgument argument : block.getArguments())
      values[argument] =
          hash("argument " + std::to_string(argument.getArgNumber()) + " " +
               print(argument.getType()));
    std::vector<StepKey> keys;
    for (Operation &op : block) {
      captured.clear();
      std::string text = describe(&op);
      StepKey key;
      key.own = hash(text);
      for (Value operand : op.getOperands())
        text += " " + std::to_string(getKey(operand));
      for (Value value : captured)
        text += " " + std::to_string(getKey(value));
      key.whole = hash(text);
      for (OpResult result : op.getResults())
        values[result] = hash(std::to_string(key.whole) + "#" +
                              std::to_string(result.getResultNumber()));
      if (std::optional<unsigned> step = storage.getStepIndex(&op);
          step && storage.getSteps()[*step].op == &op)
        keys.push_back(key);
    }
    return keys;
  }

private:
  static uint64_t hash(StringRef text) { return llvm::xxh3_64bits(text); }

  template <typename T>
  static std::string print(T entity) {
    std::string text;
    llvm::raw_string_ostream os(text);
    entity.print(os);
    return text;
  }

  uint64_t getKey(Value value) const {
    // What is defined outside of the block has no name that lasts.
    auto found = values.find(value);
    return found == values.end() ? 0 : found->second;
  }

  /// Name, attributes and types of an op and of what is nested in it.
  std::string describe(Operation *root) {
    std::string text;
    llvm::DenseMap<Value, size_t> numbers;
    root->walk<WalkOrder::PreOrder>([&](Operation *op) {
      text += op->getName().getStringRef();
      if (Attribute properties = op->getPropertiesAsAttribute())
        text += print(properties);
      for (NamedAttribute attribute : op->getDiscardableAttrs())
        if (!attr::isBookkeeping(attribute.getName()))
          text += attribute.getName().str() + print(attribute.getValue());
      for (Value operand : op->getOperands()) {
        text += " " + print(operand.getType());
        if (op == root)
          continue;
        auto found = numbers.find(operand);
        bool isInside = found != numbers.end();
        text += isInside ? "%" + std::to_string(found->second) : "outside";
        if (!isInside)
          captured.push_back(operand);
      }
      for (Type type : op->getResultTypes())
        text += " -> " + print(type);
      text += "\n";
      if (op != root)
        for (Value result : op->getResults())
          numbers.try_emplace(result, numbers.size());
      for (Region &region : op->getRegions())
        for (Block &block : region)
          for (BlockArgument argument : block.getArguments())
            numbers.try_emplace(argument, numbers.size());
    });
    return text;
  }

  const StorageAnalysis &storage;
  llvm::DenseMap<Value, uint64_t> values;
  SmallVector<Value> captured;
};
} // namespace

std::vector<StepKey> getStepKeys(const StorageAnalysis &storage) {
  return KeyBuilder(storage).run();
}

uint64_t getSignature(const std::vector<StepKey> &steps,
                      const game::Problem &problem,
                      const graph::MoveCosts *moveCosts) {
  std::string text;
  auto add = [&](uint64_t number) { text += std::to_string(number) + " "; };
  for (const StepKey &key : steps)
    add(key.whole);
  for (const game::Step &step : problem.steps) {
    add(step.cost);
    add(step.scratch);
    add(step.recomputable);
    add(static_cast<uint64_t>(step.pin));
    for (const auto *accesses : {&step.reads, &step.writes})
      for (const game::Access &access : *accesses)
        add(access.value);
  }
  for (const game::Value &value : problem.values) {
    add(value.storage);
    add(value.overwrites);
    add(value.required);
  }
  for (const game::Storage &storage : problem.storages) {
    add(storage.footprint);
    add(storage.initial);
    add(storage.pinned);
  }
  for (const game::Precedence &edge : problem.precedences) {
    add(edge.before);
    add(edge.after);
  }
  if (moveCosts) {
    for (const game::Tier &tier : problem.hierarchy.tiers)
      add(tier.capacity);
    for (const game::Value &value : problem.values)
      add(value.offloadable);
    for (const auto *table : {&moveCosts->stores, &moveCosts->loads})
      for (const std::vector<int64_t> &tier : *table)
        for (int64_t cost : tier)
          add(cost);
  }
  return llvm::xxh3_64bits(text);
}

//===----------------------------------------------------------------------===//
// A plan for another program
//===----------------------------------------------------------------------===//

using game::Id;
using game::kNone;

/// For each saved step the step that it is now: the one that computes the same,
/// else the first one left that is the same op.
static std::vector<Id> matchSteps(const SavedPlan &saved,
                                  const std::vector<StepKey> &steps) {
  std::vector<Id> match(saved.steps.size(), kNone);
  std::vector<bool> taken(steps.size(), false);
  for (uint64_t StepKey::*key : {&StepKey::whole, &StepKey::own}) {
    std::map<uint64_t, std::deque<Id>> left;
    for (Id step = 0; step < steps.size(); ++step)
      if (!taken[step])
        left[steps[step].*key].push_back(step);
    for (size_t old = 0; old < match.size(); ++old) {
      auto found = left.find(saved.steps[old].*key);
      if (match[old] != kNone || found == left.end() || found->second.empty())
        continue;
      match[old] = found->second.front();
      found->second.pop_front();
      taken[match[old]] = true;
    }
  }
  return match;
}

std::vector<Id> matchRuns(const SavedPlan &saved,
                          const std::vector<StepKey> &steps) {
  std::vector<Id> match = matchSteps(saved, steps);
  std::vector<Id> runs;
  for (unsigned run : saved.runs)
    if (match[run] != kNone)
      runs.push_back(match[run]);
  return runs;
}

//===----------------------------------------------------------------------===//
// Files
//===----------------------------------------------------------------------===//

static constexpr StringRef kFormat = "pebble-plan";
static constexpr int64_t kVersion = 1;

/// How moves are called in files, by kind.
static constexpr StringRef kMoves[] = {"compute", "store", "load", "drop"};

/// A move as [kind, step or value, tier]; nothing if it is none.
static std::optional<game::Move> readMove(const llvm::json::Value &entry) {
  const llvm::json::Array *move = entry.getAsArray();
  if (!move || move->size() != 3)
    return std::nullopt;
  std::optional<StringRef> kind = (*move)[0].getAsString();
  std::optional<int64_t> subject = (*move)[1].getAsInteger();
  std::optional<int64_t> tier = (*move)[2].getAsInteger();
  auto isId = [](std::optional<int64_t> number) {
    return number && *number >= 0 && *number < int64_t(game::kNone);
  };
  const auto *found = kind ? llvm::find(kMoves, *kind) : std::end(kMoves);
  if (found == std::end(kMoves) || !isId(subject) || !isId(tier))
    return std::nullopt;
  return game::Move{game::MoveKind(found - std::begin(kMoves)),
                    game::Id(*subject), game::Id(*tier)};
}

static std::string toHex(uint64_t key) { return llvm::utohexstr(key); }

/// A digest of all that a plan says. A bound cannot be checked without solving
/// again, so the seal shows that the file says what a solver found.
static uint64_t getSeal(const SavedPlan &plan) {
  std::string text = plan.solver + "\n";
  auto add = [&](uint64_t number) { text += std::to_string(number) + " "; };
  for (int64_t number : {plan.cost, plan.bound, plan.budget})
    add(number);
  add(plan.signature);
  add(plan.steps.size());
  for (const StepKey &key : plan.steps) {
    add(key.whole);
    add(key.own);
  }
  add(plan.runs.size());
  for (unsigned run : plan.runs)
    add(run);
  for (const game::Move &move : plan.moves) {
    add(static_cast<uint64_t>(move.kind));
    add(move.subject);
    add(move.tier);
  }
  for (game::Id value : plan.outOfPlace)
    add(value);
  return llvm::xxh3_64bits(text);
}

/// What is wrong with the moves of a plan, or empty.
static std::string readMoves(const llvm::json::Object &object,
                             SavedPlan &plan) {
  const llvm::json::Value *moves = object.get("moves");
  if (!moves)
    return "";
  if (!moves->getAsArray())
    return "the moves are no list";
  for (const llvm::json::Value &entry : *moves->getAsArray()) {
    std::optional<game::Move> move = readMove(entry);
    if (!move)
      return "a move is a kind, a step or value, and a tier";
    plan.moves.push_back(*move);
  }
  return "";
}

/// What is wrong with the updates of a plan that are out of place, or empty.
static std::string readOutOfPlace(const llvm::json::Object &object,
                                  SavedPlan &plan) {
  const llvm::json::Value *values = object.get("out_of_place");
  if (!values)
    return "";
  if (!values->getAsArray())
    return "what is out of place is no list";
  for (const llvm::json::Value &entry : *values->getAsArray()) {
    std::optional<int64_t> value = entry.getAsInteger();
    if (!value || *value < 0 || *value >= int64_t(game::kNone))
      return "what is out of place is the index of a value";
    plan.outOfPlace.push_back(*value);
  }
  return "";
}

/// What is wrong with a plan, or empty.
static std::string readBlock(const llvm::json::Object &object,
                             SavedPlan &plan) {
  auto readKey = [](std::optional<StringRef> text, uint64_t &key) {
    return text && !text->getAsInteger(16, key);
  };
  std::optional<StringRef> unknown = findUnknownMember(
      object,
      {"function", "block", "signature", "budget_bytes", "cost", "bound",
       "solver", "seal", "steps", "runs", "moves", "out_of_place"});
  if (unknown)
    return "a plan has no member '" + unknown->str() + "'";
  const llvm::json::Array *steps = object.getArray("steps");
  const llvm::json::Array *runs = object.getArray("runs");
  if (!readKey(object.getString("signature"), plan.signature) || !steps ||
      !runs)
    return "a plan needs a signature, steps and runs";
  for (const llvm::json::Value &entry : *steps) {
    const llvm::json::Object *step = entry.getAsObject();
    StepKey key;
    if (!step || !readKey(step->getString("computes"), key.whole) ||
        !readKey(step->getString("op"), key.own) || step->size() != 2)
      return "a step needs the keys 'computes' and 'op'";
    plan.steps.push_back(key);
  }
  for (const llvm::json::Value &entry : *runs) {
    std::optional<int64_t> step = entry.getAsInteger();
    if (!step || *step < 0 || *step >= int64_t(plan.steps.size()))
      return "a run is the index of a step";
    plan.runs.push_back(*step);
  }
  if (std::string why = readMoves(object, plan); !why.empty())
    return why;
  if (std::string why = readOutOfPlace(object, plan); !why.empty())
    return why;
  std::optional<int64_t> cost = object.getInteger("cost");
  std::optional<int64_t> bound = object.getInteger("bound");
  std::optional<int64_t> budget = object.getInteger("budget_bytes");
  std::optional<StringRef> solver = object.getString("solver");
  if (!cost || !bound || !budget || !solver)
    return "a plan needs cost, bound, budget_bytes and solver";
  if (*cost < 0 || *budget < 0 || *bound > *cost)
    return "costs and budgets are not negative, and a bound is no more than "
           "the cost";
  plan.cost = *cost;
  plan.bound = *bound;
  plan.budget = *budget;
  plan.solver = solver->str();
  uint64_t seal = 0;
  plan.isSealed =
      readKey(object.getString("seal"), seal) && seal == getSeal(plan);
  return "";
}

FailureOr<PlanFile> PlanFile::read(StringRef path, Location loc) {
  auto buffer = llvm::MemoryBuffer::getFile(path, /*IsText=*/true);
  if (!buffer)
    return emitError(loc) << "cannot read the plan '" << path
                          << "': " << buffer.getError().message();
  llvm::Expected<llvm::json::Value> parsed =
      parseStrictJson((*buffer)->getBuffer());
  auto fail = [&](const Twine &why) {
    return emitError(loc) << "'" << path << "' holds no plans: " << why;
  };
  if (!parsed)
    return fail(llvm::toString(parsed.takeError()));
  const llvm::json::Object *root = parsed->getAsObject();
  if (!root || root->getString("format") != kFormat ||
      root->getInteger("version") != kVersion)
    return fail("it is not of the format 'pebble-plan', version 1");
  std::optional<StringRef> unknown =
      findUnknownMember(*root, {"format", "version", "blocks"});
  if (unknown)
    return fail("there is a member '" + *unknown + "'");
  const llvm::json::Array *blocks = root->getArray("blocks");
  if (!blocks)
    return fail("there is no list of blocks");
  PlanFile file;
  for (const llvm::json::Value &entry : *blocks) {
    const llvm::json::Object *object = entry.getAsObject();
    std::optional<StringRef> function =
        object ? object->getString("function") : std::nullopt;
    std::optional<int64_t> number =
        object ? object->getInteger("block") : std::nullopt;
    if (!function || !number || *number < 0 || *number > UINT32_MAX)
      return fail("a plan belongs to a block of a function");
    SavedPlan plan;
    if (std::string why = readBlock(*object, plan); !why.empty())
      return fail(why);
    if (!file.plans.try_emplace({function->str(), *number}, std::move(plan))
             .second)
      return fail("there are two plans of block " + Twine(*number) + " of '" +
                  *function + "'");
  }
  return file;
}

FailureOr<PlanFile> PlanFile::readFor(ArrayRef<Operation *> functions,
                                      StringRef path, Location loc) {
  FailureOr<PlanFile> file = read(path, loc);
  if (failed(file))
    return failure();
  if (llvm::none_of(functions, [&](Operation *function) {
        return file->isFor(cast<FunctionOpInterface>(function));
      }))
    emitWarning(loc) << "'" << path
                     << "' holds no plan for a function of this module";
  return file;
}

/// A member of the list `blocks`.
static void writeBlock(llvm::json::OStream &json, StringRef function,
                       unsigned block, const SavedPlan &plan) {
  json.attribute("function", function);
  json.attribute("block", int64_t(block));
  json.attribute("signature", toHex(plan.signature));
  json.attribute("budget_bytes", plan.budget);
  json.attribute("cost", plan.cost);
  json.attribute("bound", plan.bound);
  json.attribute("solver", plan.solver);
  // What was changed once is not sealed again.
  if (plan.isSealed)
    json.attribute("seal", toHex(getSeal(plan)));
  json.attributeArray("steps", [&] {
    for (const StepKey &key : plan.steps)
      json.object([&] {
        json.attribute("computes", toHex(key.whole));
        json.attribute("op", toHex(key.own));
      });
  });
  json.attributeArray("runs", [&] {
    for (unsigned run : plan.runs)
      json.value(int64_t(run));
  });
  if (!plan.outOfPlace.empty())
    json.attributeArray("out_of_place", [&] {
      for (game::Id value : plan.outOfPlace)
        json.value(int64_t(value));
    });
  if (plan.moves.empty())
    return;
  json.attributeArray("moves", [&] {
    for (const game::Move &move : plan.moves)
      json.array([&] {
        json.value(kMoves[size_t(move.kind)]);
        json.value(int64_t(move.subject));
        json.value(int64_t(move.tier));
      });
  });
}

LogicalResult PlanFile::write(StringRef path, Location loc) const {
  std::string text;
  llvm::raw_string_ostream os(text);
  llvm::json::OStream json(os, /*IndentSize=*/1);
  json.object([&] {
    json.attribute("format", kFormat);
    json.attribute("version", kVersion);
    json.attributeArray("blocks", [&] {
      for (const auto &[where, plan] : plans)
        json.object([&, &where = where, &plan = plan] {
          writeBlock(json, where.first, where.second, plan);
        });
    });
  });
  os << "\n";
  const std::string error = writeWholeFile(path.str(), text);
  if (!error.empty())
    return emitError(loc) << "cannot write the plan '" << path
                          << "': " << error;
  return success();
}

const SavedPlan *PlanFile::find(FunctionOpInterface function,
                                unsigned block) const {
  auto found = plans.find({getProgramName(function), block});
  return found == plans.end() ? nullptr : &found->second;
}

bool PlanFile::isFor(FunctionOpInterface function) const {
  for (unsigned i = 0, e = function.getFunctionBody().getBlocks().size(); i < e;
       ++i)
    if (find(function, i))
      return true;
  return false;
}

void PlanFile::addAll(FunctionOpInterface function,
                      std::vector<SavedPlan> blocks) {
  std::string name = getProgramName(function);
  for (auto [number, saved] : llvm::enumerate(blocks))
    plans[{name, unsigned(number)}] = std::move(saved);
}

} // namespace pebble
