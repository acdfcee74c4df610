//===- ApplyScheduleTest.cpp - a block stands as the schedule says --------===//

#include "Programs.h"

#include "pebble/Analysis/Lifetime.h"
#include "pebble/Analysis/RunAgain.h"
#include "pebble/Analysis/Traffic.h"
#include "pebble/Dialect/PebbleOps.h"
#include "pebble/Planning/ApplySchedule.h"
#include "pebble/Planning/BuildProblem.h"
#include "pebble/Planning/CheckPlan.h"
#include "pebble/Planning/Equivalence.h"
#include "pebble/Solver/Graph/MoveSequence.h"
#include "pebble/Solver/Portfolio/StepUnits.h"
#include "pebble/Solver/Remat/RematGreedy.h"
#include "pebble/Transforms/MaterializeStorage.h"

#include "mlir/AsmParser/AsmParser.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Verifier.h"

using namespace mlir;
using namespace pebble;
using namespace pebble::portfolio;
using namespace pebble::test;

namespace {

class EveryOrder : public testing::TestWithParam<NamedProgram> {};

TEST_P(EveryOrder, IsAppliedAndStaysTheSameProgram) {
  std::mt19937 random(11);
  for (int i = 0; i < 20; ++i) {
    Program program(GetParam().text);
    Block &block = program.getBlock();
    ProgramContext context;
    StorageAnalysis storage(block, context);
    std::vector<unsigned> order = drawOrder(DependenceGraph(storage), random);
    std::vector<Operation *> wanted;
    for (unsigned step : order)
      wanted.push_back(storage.getSteps()[step].op);
    EquivalenceChecker checker(block, context);
    applyOrder(storage, order);
    std::vector<Operation *> found;
    for (Operation &op : block)
      if (!op.hasTrait<OpTrait::IsTerminator>() &&
          !StorageAnalysis::isFree(&op))
        found.push_back(&op);
    EXPECT_EQ(found, wanted);
    EXPECT_TRUE(succeeded(mlir::verify(*program.module)))
        << program.diagnostics;
    EXPECT_TRUE(succeeded(checker.verify())) << program.diagnostics;

    // The order in which it stands is no change any more.
    std::string once = program.print();
    ProgramContext again;
    StorageAnalysis now(block, again);
    std::vector<unsigned> same(order.size());
    for (unsigned at = 0; at < same.size(); ++at)
      same[at] = at;
    applyOrder(now, same);
    EXPECT_EQ(program.print(), once);
  }
}

INSTANTIATE_TEST_SUITE_P(
    Programs, EveryOrder, testing::ValuesIn(kPrograms), [](const auto &info) {
      std::string name = info.param.name;
      name.erase(std::remove(name.begin(), name.end(), '-'), name.end());
      return name;
    });

/// Index of the first op of this kind in the block, the whole block counted.
template <typename Op>
int indexOf(Block &block) {
  int index = 0;
  for (Operation &op : block) {
    if (isa<Op>(op))
      return index;
    ++index;
  }
  return -1;
}

TEST(ApplySchedule, FreesRightAfterTheLastUse) {
  Program program(R"mlir(
func.func @main(%a: memref<8xf32> {llvm.noalias}, %b: memref<8xf32> {llvm.noalias}) {
  %m = memref.alloc() : memref<8xf32>
  linalg.exp ins(%a : memref<8xf32>) outs(%m : memref<8xf32>)
  linalg.abs ins(%m : memref<8xf32>) outs(%a : memref<8xf32>)
  linalg.exp ins(%b : memref<8xf32>) outs(%b : memref<8xf32>)
  memref.dealloc %m : memref<8xf32>
  return
})mlir");
  ProgramContext context;
  StorageAnalysis storage(program.getBlock(), context);
  applyOrder(storage, {0, 1, 2});
  EXPECT_EQ(indexOf<memref::AllocOp>(program.getBlock()), 0);
  EXPECT_EQ(indexOf<memref::DeallocOp>(program.getBlock()), 3);
  StorageAnalysis again(program.getBlock(), context);
  applyOrder(again, {2, 0, 1});
  EXPECT_EQ(indexOf<memref::AllocOp>(program.getBlock()), 1);
  EXPECT_EQ(indexOf<memref::DeallocOp>(program.getBlock()), 4);
}

TEST(ApplySchedule, DoesNotFreeWhatABarrierMayHaveKept) {
  Program program(R"mlir(
func.func private @keeps(memref<8xf32>)
func.func private @uses_what_was_kept()
func.func @main() {
  %m = memref.alloc() : memref<8xf32>
  call @keeps(%m) : (memref<8xf32>) -> ()
  call @uses_what_was_kept() : () -> ()
  memref.dealloc %m : memref<8xf32>
  return
})mlir");
  ProgramContext context;
  StorageAnalysis storage(program.getBlock(), context);
  applyOrder(storage, {0, 1});
  EXPECT_EQ(indexOf<memref::DeallocOp>(program.getBlock()), 3);
}

TEST(ApplySchedule, LongChainsOfViewsArePlaced) {
  std::string text = "func.func @main(%x: tensor<100000xf32>) -> f32 {\n"
                     "  %c0 = arith.constant 0 : index\n";
  std::string last = "%x";
  for (int i = 1; i <= 20000; ++i) {
    std::string name = "%v" + std::to_string(i);
    text += "  " + name + " = tensor.extract_slice " + last + "[0] [" +
            std::to_string(100000 - i) + "] [1] : tensor<" +
            std::to_string(100001 - i) + "xf32> to tensor<" +
            std::to_string(100000 - i) + "xf32>\n";
    last = name;
  }
  text += "  %r = tensor.extract " + last +
          "[%c0] : tensor<80000xf32>\n"
          "  return %r : f32\n}";
  Program program(text);
  ProgramContext context;
  StorageAnalysis storage(program.getBlock(), context);
  EquivalenceChecker checker(program.getBlock(), context);
  applyOrder(storage, {0});
  EXPECT_TRUE(succeeded(mlir::verify(*program.module)));
  EXPECT_TRUE(succeeded(checker.verify())) << program.diagnostics;
}

/// What a block is planned with: its problem, in which whole units may run
/// again.
struct Planned {
  explicit Planned(Program &program)
      : storage(program.getBlock(), context), dependences(storage),
        built(buildProblem(dependences)),
        units(buildUnitProblem(built.problem, getRunOnceReasons(storage),
                               Grouping::Full)) {
    for (const StepUnit &unit : units.units)
      for (game::Id step : unit.steps)
        built.problem.steps[step].recomputable = unit.reason.empty();
  }

  game::Replay replay(const std::vector<game::Id> &runs) const {
    return game::verify(built.problem,
                        graph::scheduleOfRuns(built.problem, runs));
  }

  ProgramContext context;
  StorageAnalysis storage;
  DependenceGraph dependences;
  BlockProblem built;
  UnitProblem units;
};

/// The units in order, with some that run again where the judge allows it.
std::vector<game::Id> drawRuns(const Planned &planned, std::mt19937 &random) {
  std::vector<game::Id> runs = game::givenOrder(planned.units.problem);
  if (runs.empty())
    return {};
  for (int i = 0; i < 40; ++i) {
    std::vector<game::Id> more = runs;
    more.insert(more.begin() + random() % (runs.size() + 1),
                random() % planned.units.units.size());
    if (planned.replay(expandUnits(planned.units, more)).verdict.ok())
      runs = more;
  }
  return expandUnits(planned.units, runs);
}

class RepeatedRuns : public testing::TestWithParam<NamedProgram> {};

TEST_P(RepeatedRuns, AreAppliedAndStayTheSameProgram) {
  std::mt19937 random(5);
  size_t again = 0, couldRunAgain = 0;
  for (int i = 0; i < 20; ++i) {
    Program program(GetParam().text);
    ASSERT_TRUE(succeeded(materializeStorage(*program.module, {})));
    Planned planned(program);
    std::vector<game::Id> runs = drawRuns(planned, random);
    game::Replay replay = planned.replay(runs);
    ASSERT_TRUE(replay.verdict.ok()) << replay.verdict.message;
    again += runs.size() - planned.storage.getSteps().size();
    for (const StepUnit &unit : planned.units.units)
      couldRunAgain += unit.reason.empty();
    EquivalenceChecker checker(planned.storage);
    applyRuns(planned.storage, std::vector<unsigned>(runs.begin(), runs.end()));
    EXPECT_TRUE(succeeded(mlir::verify(*program.module)))
        << program.diagnostics;
    EXPECT_TRUE(succeeded(checker.verify()))
        << program.diagnostics << program.print();
    ProgramContext fresh;
    StorageAnalysis after(program.getBlock(), fresh);
    EXPECT_TRUE(succeeded(checkPlannedBlock(after)))
        << program.diagnostics << program.print();
    EXPECT_EQ(after.getSteps().size(), runs.size());
    if (planned.built.peakIsExact && !runs.empty())
      EXPECT_EQ(LifetimeAnalysis(after).getPeakBytes(),
                replay.peak[0] - planned.built.peakOffset)
          << program.print();
  }
  EXPECT_EQ(again > 0, couldRunAgain > 0);
}

INSTANTIATE_TEST_SUITE_P(
    Programs, RepeatedRuns, testing::ValuesIn(kPrograms), [](const auto &info) {
      std::string name = info.param.name;
      name.erase(std::remove(name.begin(), name.end(), '-'), name.end());
      return name;
    });

//===----------------------------------------------------------------------===//
// Moves between tiers
//===----------------------------------------------------------------------===//

const char *const kThreeTiers =
    "#pebble.hierarchy<[<\"fast\", kind = explicit, read = 1, write = 2>, "
    "<\"middle\", kind = explicit, capacity = 512, read = 5, write = 7>, "
    "<\"slow\", kind = explicit, read = 50, write = 70>]>";

/// A block whose contents may move.
struct Movable {
  explicit Movable(Program &program)
      : hierarchy(attach(program)), storage(program.getBlock(), context),
        dependences(storage) {
    BuildOptions options;
    options.hierarchy = hierarchy;
    options.moves = true;
    built = buildProblem(dependences, options);
  }

  static HierarchyAttr attach(Program &program) {
    auto hierarchy = cast<HierarchyAttr>(
        parseAttribute(kThreeTiers, program.module->getContext()));
    (*program.module)->setAttr("pebble.hierarchy", hierarchy);
    return hierarchy;
  }

  /// The order that came in, with contents away for a while where the judge
  /// allows it.
  std::vector<game::Move> drawMoves(std::mt19937 &random) const {
    const game::Problem &p = built.problem;
    std::vector<game::Move> moves =
        graph::scheduleOfRuns(p, game::givenOrder(p));
    for (int i = 0; i < 200 && !moves.empty(); ++i) {
      game::Id value = random() % p.values.size();
      game::Id tier = 1 + random() % 2;
      size_t from = random() % (moves.size() + 1);
      size_t to = from + random() % (moves.size() + 1 - from);
      std::vector<game::Move> more = moves;
      more.insert(more.begin() + to, {game::MoveKind::Load, value, tier});
      more.insert(more.begin() + from, {{game::MoveKind::Store, value, tier},
                                        {game::MoveKind::Drop, value, 0}});
      if (game::verify(p, more).verdict.ok())
        moves = more;
    }
    return graph::canonicalMoves(p, moves);
  }

  std::vector<BlockAction>
  toActions(const std::vector<game::Move> &moves) const {
    std::vector<BlockAction> actions;
    unsigned transfers = 0;
    for (const game::Move &move : moves) {
      if (move.kind == game::MoveKind::Drop)
        continue;
      if (move.kind == game::MoveKind::Compute) {
        actions.push_back({BlockAction::Run, move.subject, {}, {}});
        continue;
      }
      bool isStore = move.kind == game::MoveKind::Store;
      actions.push_back({isStore ? BlockAction::Store : BlockAction::Load, 0,
                         built.contents[move.subject].name,
                         hierarchy.getTiers()[move.tier].getName()});
      actions.push_back({BlockAction::Wait, transfers++, {}, {}});
    }
    return actions;
  }

  ProgramContext context;
  HierarchyAttr hierarchy;
  StorageAnalysis storage;
  DependenceGraph dependences;
  BlockProblem built;
};

class MovedContents : public testing::TestWithParam<NamedProgram> {};

TEST_P(MovedContents, AreWhereThePlanSaysAndTheProgramStaysTheSame) {
  std::mt19937 random(5);
  int64_t stored = 0;
  bool mayMove = false;
  for (int i = 0; i < 20; ++i) {
    Program program(GetParam().text);
    ASSERT_TRUE(succeeded(materializeStorage(*program.module, {})));
    Movable movable(program);
    for (const Content &content : movable.built.contents)
      mayMove |= content.refusal.empty();
    std::vector<game::Move> moves = movable.drawMoves(random);
    game::Replay replay = game::verify(movable.built.problem, moves);
    ASSERT_TRUE(replay.verdict.ok()) << replay.verdict.message;
    EquivalenceChecker checker(movable.storage);
    applyActions(movable.storage, movable.toActions(moves));
    EXPECT_TRUE(succeeded(mlir::verify(*program.module)))
        << program.diagnostics << program.print();
    EXPECT_TRUE(succeeded(checker.verify()))
        << program.diagnostics << program.print();
    ProgramContext fresh;
    StorageAnalysis after(program.getBlock(), fresh);
    EXPECT_TRUE(succeeded(checkPlannedBlock(after)))
        << program.diagnostics << program.print();
    LifetimeAnalysis lifetime(after);
    if (movable.built.peakIsExact && !moves.empty())
      EXPECT_EQ(lifetime.getPeakBytes(), replay.peak[0]) << program.print();
    EXPECT_EQ(lifetime.getPeakBytes("middle"), replay.peak[1]);
    EXPECT_EQ(lifetime.getPeakBytes("slow"), replay.peak[2]);
    std::map<std::string, int64_t> moved;
    auto expect = [&](const char *way, int64_t bytes) {
      if (bytes)
        moved[way] = bytes;
      stored += bytes;
    };
    expect("fast->middle", replay.stored[1]);
    expect("fast->slow", replay.stored[2]);
    expect("middle->fast", replay.loaded[1]);
    expect("slow->fast", replay.loaded[2]);
    TrafficAnalysis traffic(lifetime, HierarchyCosts::get(movable.hierarchy),
                            CacheModel::Lru);
    EXPECT_EQ(traffic.getMovedBytes(), moved) << program.print();
  }
  EXPECT_EQ(stored > 0, mayMove);
}

INSTANTIATE_TEST_SUITE_P(Programs, MovedContents, testing::ValuesIn(kPrograms),
                         [](const auto &info) {
                           std::string name = info.param.name;
                           name.erase(
                               std::remove(name.begin(), name.end(), '-'),
                               name.end());
                           return name;
                         });

/// An update in place, late readers of both sides of it, and room for a second
/// run of `a`.
const char *const kFaulty = R"mlir(
func.func @main(%x: tensor<64xf32>) -> (tensor<64xf32>, tensor<64xf32>) {
  %e = tensor.empty() : tensor<64xf32>
  %a = linalg.exp ins(%x : tensor<64xf32>) outs(%e : tensor<64xf32>) -> tensor<64xf32> loc("a")
  %b = linalg.abs ins(%a : tensor<64xf32>) outs(%e : tensor<64xf32>) -> tensor<64xf32> loc("b")
  %c = linalg.add ins(%b, %x : tensor<64xf32>, tensor<64xf32>) outs(%e : tensor<64xf32>) -> tensor<64xf32> loc("c")
  %d = linalg.sub ins(%b, %c : tensor<64xf32>, tensor<64xf32>) outs(%b : tensor<64xf32>) -> tensor<64xf32> loc("d")
  %f = linalg.mul ins(%d, %a : tensor<64xf32>, tensor<64xf32>) outs(%e : tensor<64xf32>) -> tensor<64xf32> loc("f")
  return %f, %c : tensor<64xf32>, tensor<64xf32>
})mlir";

class FaultySchedule : public testing::Test {
protected:
  FaultySchedule() : program(kFaulty) {
    EXPECT_TRUE(succeeded(materializeStorage(*program.module, {})));
    storage.emplace(program.getBlock(), context);
    checker.emplace(*storage);
  }
  void expectRejected(StringRef what) {
    EXPECT_TRUE(failed(checker->verify()));
    EXPECT_NE(program.diagnostics.find(what), std::string::npos)
        << program.diagnostics;
  }

  /// The first run of a step.
  Operation *getStep(StringRef name) {
    for (auto op : program.getBlock().getOps<linalg::LinalgOp>())
      if (cast<NameLoc>(op->getLoc()).getName() == name)
        return op;
    ADD_FAILURE() << "no step is called " << name.str();
    return nullptr;
  }

  Program program;
  ProgramContext context;
  std::optional<StorageAnalysis> storage;
  std::optional<EquivalenceChecker> checker;
};

TEST_F(FaultySchedule, AGoodOneIsAccepted) {
  applyRuns(*storage, {0, 1, 2, 3, 0, 4});
  EXPECT_TRUE(succeeded(checker->verify())) << program.diagnostics;
  EXPECT_TRUE(succeeded(mlir::verify(*program.module)));
}

TEST_F(FaultySchedule, DroppedEdge) {
  applyRuns(*storage, {1, 0, 2, 3, 0, 4});
  expectRejected("flow dependence broken by the rewrite");
}

TEST_F(FaultySchedule, SwappedOverwrite) {
  // Nobody but `d` may see what it makes of the storage of `b`.
  applyRuns(*storage, {0, 1, 2, 3, 0, 4});
  getStep("d")->moveBefore(getStep("c"));
  expectRejected("dependence broken by the rewrite");
}

TEST_F(FaultySchedule, EarlyDrop) {
  applyRuns(*storage, {0, 1, 2, 3, 0, 4});
  // The storage of `b` by the name that it has after the update in place.
  for (DropOp drop : program.getBlock().getOps<DropOp>())
    if (drop.getValue() == getStep("d")->getResult(0)) {
      drop->setOperand(0, getStep("b")->getResult(0));
      drop->moveAfter(getStep("d"));
      break;
    }
  expectRejected("storage used after its end by the rewrite");
}

TEST_F(FaultySchedule, StaleClone) {
  applyRuns(*storage, {0, 1, 2, 3, 0, 4});
  // The reader takes what was dropped before the clone was made.
  Operation *reader = getStep("f");
  reader->setOperand(1, getStep("a")->getResult(0));
  expectRejected("storage used after its end by the rewrite");
}

TEST_F(FaultySchedule, CloneOfSomethingElse) {
  applyRuns(*storage, {0, 1, 2, 3, 0, 4});
  Operation *clone = getStep("f")->getOperand(1).getDefiningOp();
  clone->setOperand(0, getStep("c")->getResult(0));
  expectRejected("the rewrite changed the program");
}

/// The same program with `a` away before `b` is overwritten, and wrong.
class FaultyTransfer : public FaultySchedule {
protected:
  FaultyTransfer() {
    Movable::attach(program);
    Value a = getStep("a")->getResult(0);
    using Action = BlockAction;
    applyActions(*storage, {{Action::Run, 0, {}, {}},
                            {Action::Run, 1, {}, {}},
                            {Action::Store, 0, a, "slow"},
                            {Action::Wait, 0, {}, {}},
                            {Action::Run, 2, {}, {}},
                            {Action::Run, 3, {}, {}},
                            {Action::Load, 0, a, "slow"},
                            {Action::Wait, 1, {}, {}},
                            {Action::Run, 4, {}, {}}});
    Block &block = program.getBlock();
    store = *block.getOps<StoreOp>().begin();
    load = *block.getOps<LoadOp>().begin();
  }
  /// The drop of `value`.
  static Operation *getDrop(Value value) {
    for (Operation *user : value.getUsers())
      if (isa<DropOp>(user))
        return user;
    ADD_FAILURE() << "no drop";
    return nullptr;
  }
  void expectInvalid(StringRef rule) {
    EXPECT_TRUE(failed(mlir::verify(*program.module)));
    EXPECT_NE(program.diagnostics.find(rule.str()), std::string::npos)
        << program.diagnostics;
  }
  StoreOp store;
  LoadOp load;
};

TEST_F(FaultyTransfer, AGoodOneIsAccepted) {
  EXPECT_TRUE(succeeded(checker->verify())) << program.diagnostics;
  EXPECT_TRUE(succeeded(mlir::verify(*program.module)));
}

TEST_F(FaultyTransfer, ReadBeforeTheWait) {
  getStep("f")->setOperand(1, load.getCopy());
  expectInvalid("[D25]");
}

TEST_F(FaultyTransfer, SlowCopyDroppedBeforeItIsFetched) {
  getDrop(load.getSource())->moveBefore(load);
  expectRejected("storage used after its end by the rewrite");
  expectInvalid("[D28]");
}

TEST_F(FaultyTransfer, SourceDroppedUnderWay) {
  getDrop(store.getSource())->moveAfter(store);
  expectInvalid("[D27]");
}

TEST_F(FaultyTransfer, StoreOfAnotherContent) {
  store->setOperand(0, getStep("b")->getResult(0));
  getDrop(getStep("a")->getResult(0))->erase();
  expectRejected("the rewrite changed the program");
}

TEST_F(FaultyTransfer, StaleReaderAfterTheSourceIsGone) {
  getStep("f")->setOperand(1, getStep("a")->getResult(0));
  expectRejected("storage used after its end by the rewrite");
}

TEST_F(FaultyTransfer, WhatIsUnderWayCounts) {
  auto getLiveBytes = [&] {
    ProgramContext fresh;
    StorageAnalysis now(program.getBlock(), fresh);
    return LifetimeAnalysis(now).getLiveBytes(*now.getStepIndex(getStep("c")));
  };
  EXPECT_EQ(getLiveBytes(), 3 * 256);
  // The start alone takes the room, though nobody waits yet.
  load->moveBefore(getStep("c"));
  EXPECT_EQ(getLiveBytes(), 4 * 256);
}

TEST(ApplySchedule, SchedulesWithMovesBetweenTiersAreRefused) {
  using game::MoveKind;
  EXPECT_EQ(*getRuns({{MoveKind::Compute, 1, 0},
                      {MoveKind::Drop, 0, 0},
                      {MoveKind::Compute, 1, 0}}),
            (std::vector<unsigned>{1, 1}));
  EXPECT_TRUE(failed(getRuns({{MoveKind::Store, 0, 1}})));
  EXPECT_TRUE(failed(getRuns({{MoveKind::Load, 0, 1}})));
}

} // namespace
