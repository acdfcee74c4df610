//===- PipelineTest.cpp - schedules of pipelines --------------------------===//

#include "PipelineFixtures.h"

#include <algorithm>
#include <functional>
#include <limits>
#include <numeric>

using namespace pebble;
using namespace pebble::pipeline;
using game::Status;
using graph::Random;
using namespace pebble::pipeline::test;

//===----------------------------------------------------------------------===//
// What papers say in closed form
//===----------------------------------------------------------------------===//

TEST(Pipeline, PublishedSchedulesTakeWhatTheirPapersSay) {
  Random random(1);
  for (int i = 0; i < 100; ++i) {
    const uint32_t p = 1 + random.below(12), m = 1 + random.below(24);
    const int64_t f = 1 + random.below(20), b = 1 + random.below(40);
    const int64_t a = 1 + random.below(100);
    const Pipeline equal = makeEqual(p, 1, m, makeStage(f, b, a));
    const int64_t makespan = (m + p - 1) * (f + b);
    const double bubble = double(p - 1) / (m + p - 1);
    const Timing gpipe = play(equal, scheduleGPipe(equal));
    ASSERT_TRUE(gpipe.verdict.ok()) << gpipe.verdict.message;
    EXPECT_EQ(gpipe.makespan, makespan);
    EXPECT_NEAR(gpipe.getBubble(), bubble, 1e-12);
    const Timing fewer = play(equal, *schedule1F1B(equal));
    ASSERT_TRUE(fewer.verdict.ok()) << fewer.verdict.message;
    EXPECT_EQ(fewer.makespan, makespan);
    EXPECT_NEAR(fewer.getBubble(), bubble, 1e-12);
    for (uint32_t rank = 0; rank < p; ++rank) {
      EXPECT_EQ(gpipe.peak[rank], m * a);
      EXPECT_EQ(fewer.peak[rank], std::min(m, p - rank) * a);
    }
    EXPECT_EQ(boundOnMakespan(equal, Options()), makespan);
  }
}

TEST(Pipeline, InterleavedStagesDivideTheBubble) {
  Random random(2);
  for (int i = 0; i < 100; ++i) {
    const uint32_t p = 2 + random.below(7), v = 2 + random.below(3);
    const uint32_t m = p * (2 + random.below(4));
    const int64_t f = 1 + random.below(20), b = 1 + random.below(40);
    const Pipeline equal = makeEqual(p, v, m, makeStage(f, b, 1));
    const Timing run = play(equal, *scheduleInterleaved(equal));
    ASSERT_TRUE(run.verdict.ok()) << run.verdict.message;
    EXPECT_EQ(run.makespan, (int64_t(m) * v + p - 1) * (f + b));
    EXPECT_NEAR(run.getBubble(), double(p - 1) / (double(m) * v + p - 1),
                1e-12);
    EXPECT_EQ(run.peak[0], 2 * (p - 1) + (v - 1) * p + 1);
  }
}

TEST(Pipeline, MessagesAreHeldByWhoSendsAndWhoGetsThem) {
  Stage stage = makeStage(10, 20, 100);
  stage.send = stage.sendBack = 5;
  stage.message = 7;
  stage.messageBack = 3;
  const Pipeline p = makeEqual(2, 1, 1, stage);
  const Timing run = play(p, scheduleGPipe(p), /*keepTimes=*/true);
  ASSERT_TRUE(run.verdict.ok());
  EXPECT_EQ(run.makespan, 10 + 5 + 10 + 20 + 5 + 20);
  // Rank 0: the tape and the message that goes out, later the tape and the
  // message that has come back. Rank 1: the tape and what goes back.
  EXPECT_EQ(run.peak, (std::vector<int64_t>{107, 103}));
  EXPECT_EQ(run.times[1][0], (std::pair<int64_t, int64_t>{15, 25}));
}

TEST(Pipeline, ATapeThatIsAwayTakesNothing) {
  Stage stage = makeStage(10, 20, 100);
  stage.store = 4;
  stage.load = 6;
  const Pipeline p = makeEqual(1, 1, 2, stage);
  using K = TaskKind;
  const Tasks tasks = {{{K::Forward, 0, 0},
                        {K::Store, 0, 0},
                        {K::Wait, 0, 0},
                        {K::Forward, 0, 1},
                        {K::Backward, 0, 1},
                        {K::Load, 0, 0},
                        {K::Backward, 0, 0}}};
  const Timing run = play(p, tasks);
  ASSERT_TRUE(run.verdict.ok()) << run.verdict.message;
  EXPECT_EQ(run.peak[0], 100);
  EXPECT_EQ(run.makespan, 10 + 4 + 10 + 20 + 6 + 20);
  // Without the wait both tapes are there for a while.
  Tasks early = tasks;
  early[0].erase(early[0].begin() + 2);
  EXPECT_EQ(play(p, early).peak[0], 200);
  EXPECT_EQ(play(p, early).makespan, 10 + 10 + 20 + 6 + 20);
}

//===----------------------------------------------------------------------===//
// The judge
//===----------------------------------------------------------------------===//

namespace {
struct Fault {
  const char *rule;
  std::function<void(Pipeline &, Tasks &)> make;
};
} // namespace

TEST(Pipeline, EachRuleIsKept) {
  using K = TaskKind;
  Stage stage = makeStage(1, 1, 4);
  stage.weight = 1;
  stage.input = 1;
  const Pipeline good = makeEqual(2, 1, 2, stage);
  const Tasks tasks = *schedule1F1B(good);
  ASSERT_TRUE(play(good, tasks).verdict.ok());
  const Fault faults[] = {
      {"P1", [](Pipeline &, Tasks &t) { std::swap(t[0], t[1]); }},
      {"P1", [](Pipeline &, Tasks &t) { t[0][0].stage = 9; }},
      {"P1", [](Pipeline &, Tasks &t) { t[0][0].microBatch = 9; }},
      {"P1", [](Pipeline &, Tasks &t) { t.pop_back(); }},
      {"P2", [](Pipeline &, Tasks &t) { t[0][1] = t[0][0]; }},
      {"P2", [](Pipeline &, Tasks &t) { t[0].pop_back(); }},
      {"P3", [](Pipeline &, Tasks &t) { t[0][0].kind = K::Plain; }},
      {"P3",
       [](Pipeline &, Tasks &t) {
         t[0].insert(t[0].begin() + 1, {K::Recompute, 0, 0});
       }},
      {"P4", [](Pipeline &,
                Tasks &t) { t[0].insert(t[0].begin() + 1, {K::Load, 0, 0}); }},
      {"P4", [](Pipeline &,
                Tasks &t) { t[0].insert(t[0].begin() + 1, {K::Wait, 0, 0}); }},
      {"P4", [](Pipeline &,
                Tasks &t) { t[0].insert(t[0].begin(), {K::Store, 0, 0}); }},
      {"P3", [](Pipeline &,
                Tasks &t) { t[0].insert(t[0].begin() + 1, {K::Store, 0, 0}); }},
      {"P5", [](Pipeline &, Tasks &t) { std::swap(t[1][1], t[1][2]); }},
      {"P7", [](Pipeline &p, Tasks &) { p.budgets = {7, 4}; }}};
  for (const Fault &fault : faults) {
    Pipeline p = good;
    Tasks broken = tasks;
    fault.make(p, broken);
    EXPECT_EQ(play(p, broken).verdict.rule, fault.rule);
  }
}

TEST(Pipeline, RanksThatWaitForEachOtherAreRefused) {
  // Rank 0 wants the second gradient first, rank 1 the first.
  const Pipeline p = makeEqual(2, 1, 2, makeStage(1, 1, 1));
  using K = TaskKind;
  const Tasks tasks = {{{K::Forward, 0, 0},
                        {K::Backward, 0, 0},
                        {K::Forward, 0, 1},
                        {K::Backward, 0, 1}},
                       {{K::Forward, 1, 0},
                        {K::Forward, 1, 1},
                        {K::Backward, 1, 0},
                        {K::Backward, 1, 1}}};
  const Timing run = play(p, tasks);
  EXPECT_EQ(run.verdict.rule, "P6");
  EXPECT_NE(run.verdict.message.find("waits for ever"), std::string::npos);
}

TEST(Pipeline, ThousandsOfRanksArePlayed) {
  const Pipeline p = makeEqual(4096, 1, 64, makeStage(1, 2, 1));
  EXPECT_EQ(play(p, *schedule1F1B(p)).makespan, (64 + 4095) * 3);
}

//===----------------------------------------------------------------------===//
// Solvers
//===----------------------------------------------------------------------===//

namespace {

/// Every order of every rank, by recursion and without a thought: the fastest
/// of those that play() accepts.
class AllOrders {
public:
  AllOrders(const Pipeline &p, bool mayRecompute)
      : p(p), mayRecompute(mayRecompute), at(p.stages.size()) {
    tasks.resize(p.ranks);
  }

  int64_t run() {
    fill(0);
    return best;
  }

private:
  struct At {
    uint32_t forward = 0, backward = 0, weight = 0;
    std::vector<bool> plain;
    bool isAgain = false;
  };

  void fill(uint32_t rank) {
    if (rank == p.ranks) {
      const Timing run = play(p, tasks);
      if (run.verdict.ok())
        best = std::min(best, run.makespan);
      return;
    }
    bool isDone = true;
    for (uint32_t stage = 0; stage < p.stages.size(); ++stage) {
      if (p.stages[stage].rank != rank)
        continue;
      const At before = at[stage];
      auto go = [&](TaskKind kind, uint32_t batch) {
        isDone = false;
        tasks[rank].push_back({kind, stage, batch});
        fill(rank);
        tasks[rank].pop_back();
        at[stage] = before;
      };
      if (before.forward < p.microBatches) {
        for (bool isPlain : {false, true}) {
          if (isPlain && !mayRecompute)
            continue;
          ++at[stage].forward;
          at[stage].plain.push_back(isPlain);
          go(isPlain ? TaskKind::Plain : TaskKind::Forward, before.forward);
        }
      }
      if (before.backward < before.forward) {
        if (before.plain[before.backward] && !before.isAgain) {
          at[stage].isAgain = true;
          go(TaskKind::Recompute, before.backward);
        } else {
          ++at[stage].backward;
          at[stage].isAgain = false;
          go(TaskKind::Backward, before.backward);
        }
      }
      if (p.stages[stage].weight && before.weight < before.backward) {
        ++at[stage].weight;
        go(TaskKind::Weight, before.weight);
      }
    }
    if (isDone)
      fill(rank + 1);
  }

  const Pipeline &p;
  const bool mayRecompute;
  std::vector<At> at;
  Tasks tasks;
  int64_t best = std::numeric_limits<int64_t>::max();
};

} // namespace

TEST(Pipeline, ExactIsTheBestOfAllOrders) {
  Random random(3);
  int tight = 0, again = 0;
  for (int i = 0; i < 60; ++i) {
    Pipeline p = makeRandom(random, 2, 2);
    if (i % 15 == 0)
      p.microBatches = 3;
    if (p.stages.size() > p.ranks && p.microBatches > 2)
      p.microBatches = 2;
    for (Stage &stage : p.stages)
      if (p.microBatches > 2)
        stage.weight = 0;
    if (random.below(4))
      giveBudgets(p, random);
    Options options;
    options.mayRecompute = random.below(2);
    options.solver = "exact";
    const Answer answer = solve(p, options);
    const int64_t best = AllOrders(p, options.mayRecompute).run();
    if (best == std::numeric_limits<int64_t>::max()) {
      EXPECT_FALSE(game::isAnswered(answer.status));
      ++tight;
      continue;
    }
    ASSERT_TRUE(game::isAnswered(answer.status));
    EXPECT_EQ(answer.cost, best);
    EXPECT_LE(boundOnMakespan(p, options), best);
    for (const std::vector<Task> &rank : answer.tasks)
      for (const Task &task : rank)
        again += task.kind == TaskKind::Recompute;
    // What all solvers find together lies in between.
    options.solver.clear();
    const Answer all = solve(p, options);
    EXPECT_EQ(all.cost, best);
  }
  EXPECT_GT(tight, 0);
  EXPECT_GT(again, 0);
}

namespace {

/// The same with tapes that may move away: each micro-batch of each stage
/// keeps its tape, or stores and loads it, with or without a wait in between.
class AllCopies {
public:
  explicit AllCopies(const Pipeline &p)
      : p(p), state(p.getSize(), TaskKind::Recompute), forwards(p.ranks),
        backwards(p.ranks) {
    tasks.resize(p.ranks);
  }

  int64_t run() {
    fill(0);
    return best;
  }

private:
  /// One stage for each rank, without tasks for weights. `state`: what the
  /// micro-batch did last.
  void fill(uint32_t rank) {
    if (rank == p.ranks) {
      const Timing run = play(p, tasks);
      if (run.verdict.ok())
        best = std::min(best, run.makespan);
      return;
    }
    if (backwards[rank] == p.microBatches)
      return fill(rank + 1);
    auto go = [&](TaskKind kind, uint32_t batch) {
      TaskKind &of = state[rank * p.microBatches + batch];
      const TaskKind before = of;
      of = kind;
      tasks[rank].push_back({kind, rank, batch});
      fill(rank);
      tasks[rank].pop_back();
      of = before;
    };
    if (forwards[rank] < p.microBatches) {
      ++forwards[rank];
      go(TaskKind::Forward, forwards[rank] - 1);
      --forwards[rank];
    }
    for (uint32_t batch = 0; batch < forwards[rank]; ++batch) {
      const TaskKind last = state[rank * p.microBatches + batch];
      if (last == TaskKind::Forward)
        go(TaskKind::Store, batch);
      if (last == TaskKind::Store)
        go(TaskKind::Wait, batch);
      if (last == TaskKind::Store || last == TaskKind::Wait)
        go(TaskKind::Load, batch);
      if (batch == backwards[rank] &&
          (last == TaskKind::Forward || last == TaskKind::Load)) {
        ++backwards[rank];
        go(TaskKind::Backward, batch);
        --backwards[rank];
      }
    }
  }

  const Pipeline &p;
  Tasks tasks;
  std::vector<TaskKind> state;
  std::vector<uint32_t> forwards, backwards;
  int64_t best = std::numeric_limits<int64_t>::max();
};

} // namespace

TEST(Pipeline, OffloadIsTheBestOfAllOrders) {
  Random random(7);
  int faster = 0;
  for (int i = 0; i < 24; ++i) {
    const uint32_t ranks = i % 4 == 0 ? 2 : 1;
    Pipeline p =
        makeEqual(ranks, 1, ranks == 2 ? 2 : 2 + random.below(2), Stage());
    for (Stage &stage : p.stages) {
      const uint32_t rank = stage.rank;
      stage = makeRandomStage(random);
      stage.rank = rank;
      stage.weight = stage.weightTape = 0;
    }
    Options options;
    options.mayRecompute = false;
    const Timing most = play(p, scheduleGPipe(p));
    for (uint32_t rank = 0; rank < p.ranks; ++rank) {
      const Stage &s = p.stages[rank];
      const int64_t least = s.fixed + s.work + s.tape;
      p.budgets.push_back(
          least + random.below(std::max<int64_t>(1, most.peak[rank] - least)));
    }
    const int64_t kept = AllOrders(p, false).run();
    const int64_t best = AllCopies(p).run();
    options.mayOffload = true;
    const Answer answer = solve(p, options);
    ASSERT_TRUE(game::isAnswered(answer.status)) << i;
    EXPECT_EQ(answer.cost, best) << i;
    EXPECT_LE(boundOnMakespan(p, options), best);
    faster += best < kept;
  }
  EXPECT_GT(faster, 0);
}

TEST(Pipeline, NoAnswerIsSlowerThan1F1BWithTheSameBytes) {
  Random random(4);
  int faster = 0;
  for (int i = 0; i < 60; ++i) {
    const uint32_t ranks = 2 + random.below(4);
    Pipeline p = makeEqual(ranks, 1, 2 + random.below(8), Stage());
    for (Stage &stage : p.stages) {
      const uint32_t rank = stage.rank;
      stage = makeRandomStage(random);
      stage.rank = rank;
    }
    const Timing known = play(p, *schedule1F1B(p));
    ASSERT_TRUE(known.verdict.ok());
    p.budgets = known.peak;
    Options options;
    options.effort = 300;
    options.mayOffload = random.below(2);
    const Answer answer = solve(p, options);
    ASSERT_TRUE(game::isAnswered(answer.status));
    EXPECT_LE(answer.cost, known.makespan);
    EXPECT_GE(answer.cost, answer.bound);
    EXPECT_TRUE(play(p, answer.tasks).verdict.ok());
    faster += answer.cost < known.makespan;
  }
  EXPECT_GT(faster, 20);
}

TEST(Pipeline, ABudgetIsKeptByRecomputationAndOffload) {
  Random random(5);
  int away = 0, again = 0, answered = 0;
  for (int i = 0; i < 120; ++i) {
    Pipeline p = makeRandom(random, 6, 6);
    giveBudgets(p, random);
    Options options;
    options.effort = 200;
    options.mayRecompute = random.below(2);
    options.mayOffload = random.below(2);
    const Answer answer = solve(p, options);
    if (!game::isAnswered(answer.status))
      continue;
    ++answered;
    EXPECT_GE(answer.cost, answer.bound);
    const Timing run = play(p, answer.tasks);
    ASSERT_TRUE(run.verdict.ok()) << run.verdict.message;
    for (const std::vector<Task> &rank : answer.tasks)
      for (const Task &task : rank) {
        away += task.kind == TaskKind::Load;
        again += task.kind == TaskKind::Recompute;
        EXPECT_TRUE(options.mayOffload || task.kind != TaskKind::Load);
        EXPECT_TRUE(options.mayRecompute || task.kind != TaskKind::Plain);
      }
  }
  EXPECT_GT(answered, 60);
  EXPECT_GT(away, 0);
  EXPECT_GT(again, 0);
}

TEST(Pipeline, TheLeastBytesDoAndLessDoNot) {
  Random random(6);
  for (int i = 0; i < 60; ++i) {
    Pipeline p = makeRandom(random, 4, 4);
    for (Stage &stage : p.stages)
      stage.message = random.below(3);
    const LeastBytes least = findLeastBytes(p, Options());
    p.budgets.assign(p.ranks, least.bytes);
    Options options;
    options.effort = 50;
    EXPECT_TRUE(game::isAnswered(solve(p, options).status));
    if (!least.isProven)
      continue;
    p.budgets.assign(p.ranks, least.bytes - 1);
    EXPECT_EQ(solve(p, options).status, Status::Infeasible);
  }
}

TEST(Pipeline, TextsAreReadAndWritten) {
  const ParsedPipeline parsed = readPipeline(
      R"({"name": "two", "pipeline": {"micro_batches": 3, "ranks": 1,
          "budgets": [50], "stages": [{"forward": 2, "backward": 3, "tape": 4},
          {"forward": 5, "recompute": 1, "backward": 6, "weight": 7}]}})");
  ASSERT_TRUE(parsed.pipeline) << parsed.error;
  const Pipeline &p = *parsed.pipeline;
  EXPECT_EQ(p.ranks, 1u);
  EXPECT_EQ(p.stages[0].recompute, 2);
  EXPECT_EQ(p.stages[1].recompute, 1);
  EXPECT_EQ(p.budgets, std::vector<int64_t>{50});
  const Tasks tasks = scheduleGPipe(p);
  const ParsedTasks back = readTasks(p, writeTasksJson(tasks));
  ASSERT_TRUE(back.tasks) << back.error;
  EXPECT_EQ(*back.tasks, tasks);
  EXPECT_FALSE(readPipeline("{}").isPipeline);
  for (const char *bad :
       {R"({"pipeline": {"micro_batches": 1}})",
        R"({"pipeline": {"micro_batches": 1, "stages": [{"speed": 1}]}})",
        R"({"pipeline": {"micro_batches": -1, "stages": []}})",
        R"({"pipeline": {"micro_batches": 1, "stages": [7]}})",
        R"({"pipeline": 3})"})
    EXPECT_FALSE(readPipeline(bad).error.empty()) << bad;
  for (const char *bad :
       {"{}", "[[[\"jump\",0,0]]]", "[[[\"load\",0]]]", "[7]", "[[],[]]"})
    EXPECT_FALSE(readTasks(p, bad).tasks) << bad;
}
