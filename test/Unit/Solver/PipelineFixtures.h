//===- PipelineFixtures.h - pipelines for tests -----------------*- C++ -*-===//

#ifndef PEBBLE_TEST_UNIT_SOLVER_PIPELINEFIXTURES_H
#define PEBBLE_TEST_UNIT_SOLVER_PIPELINEFIXTURES_H

#include "pebble/Solver/Pipeline/PipelineSolvers.h"

#include "Solver/Graph/Random.h"

#include <gtest/gtest.h>

namespace pebble::pipeline::test {

using graph::Random;

inline Pipeline makeEqual(uint32_t ranks, uint32_t chunks,
                          uint32_t microBatches, const Stage &stage) {
  Pipeline p;
  p.ranks = ranks;
  p.microBatches = microBatches;
  for (uint32_t i = 0; i < ranks * chunks; ++i) {
    p.stages.push_back(stage);
    p.stages.back().rank = i % ranks;
  }
  return p;
}

inline Stage makeStage(int64_t forward, int64_t backward, int64_t tape) {
  Stage stage;
  stage.forward = stage.recompute = forward;
  stage.backward = backward;
  stage.tape = tape;
  return stage;
}

inline Stage makeRandomStage(Random &random) {
  Stage s =
      makeStage(1 + random.below(9), 1 + random.below(9), 2 + random.below(6));
  s.recompute = random.below(5);
  s.input = random.below(s.tape);
  s.fixed = random.below(3);
  s.work = random.below(3);
  s.send = random.below(4);
  s.sendBack = random.below(4);
  s.store = random.below(6);
  s.load = random.below(6);
  if (random.below(3) == 0) {
    s.weight = 1 + random.below(5);
    s.weightTape = random.below(s.tape + 2);
  }
  return s;
}

inline Pipeline makeRandom(Random &random, uint32_t mostStages,
                           uint32_t mostBatches) {
  Pipeline p;
  const uint32_t stages = 1 + random.below(mostStages);
  p.ranks = 1 + random.below(stages);
  p.microBatches = 1 + random.below(mostBatches);
  for (uint32_t i = 0; i < stages; ++i) {
    p.stages.push_back(makeRandomStage(random));
    p.stages.back().rank = i % p.ranks;
  }
  return p;
}

/// A budget for each rank, somewhere between too little and enough for all.
inline void giveBudgets(Pipeline &p, Random &random) {
  const Timing most = play(p, scheduleGPipe(p));
  ASSERT_TRUE(most.verdict.ok()) << most.verdict.message;
  const LeastBytes least = findLeastBytes(p, Options());
  for (int64_t peak : most.peak)
    p.budgets.push_back(least.bytes +
                        random.below(std::max<int64_t>(1, peak)) / 2);
}

} // namespace pebble::pipeline::test

#endif // PEBBLE_TEST_UNIT_SOLVER_PIPELINEFIXTURES_H
