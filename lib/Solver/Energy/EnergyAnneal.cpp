//===- EnergyAnneal.cpp - annealing over orders ---------------------------===//
//
// A move takes a random step and carries it along the order, neighbour by
// neighbour, as far as a random reach and its dependences let it; of all places
// on the way it settles in one by Gibbs sampling. So each exchange yields the
// energy of one more order, and a step finds its good places even when they are
// far apart.
//
// Long runs cool more than once: later rounds start from the best order, warm
// enough to leave its valley. What one slow cooling misses, several find.
//
//===----------------------------------------------------------------------===//

#include "EnergyAnneal.h"

#include "EnergyOrderState.h"
#include "Solver/Graph/Random.h"

#include <algorithm>
#include <cmath>

using namespace pebble;
using namespace pebble::graph;

namespace {

/// Temperatures of rise that are as good as impossible.
constexpr double kHopeless = 40;

template <typename Word>
class Annealer {
public:
  Annealer(const TouchTable &t, const AnnealTask &k)
      : table(t), task(k), random(k.seed), state(t, k.start, k.peakLimit),
        n(t.steps()) {}

  AnnealResult run() {
    keepBest();
    if (n > 1) {
      began = Limits::Clock::now();
      calibrate();
      const std::chrono::duration<double> took = Limits::Clock::now() - began;
      plan(took.count() / static_cast<double>(iterations + 1));
      cool();
      keepBest();
    }
    result.iterations = iterations;
    return std::move(result);
  }

private:
  /// A random number in [0, 1).
  double unit() { return static_cast<double>(random.next() >> 11) * 0x1p-53; }

  /// What annealing minimises: the energy, and a fine for bytes above the
  /// limit.
  double cost() const {
    return static_cast<double>(state.energy()) +
           fine * static_cast<double>(state.excess());
  }

  bool isBest() const {
    return state.excess() == 0 && (!anyKept || state.energy() < bestKept);
  }
  /// Whether an order of this cost is worth a copy, which takes O(n), or a
  /// judgement, which takes O(accesses).
  bool isWorthKeeping(double cost) const {
    const size_t pause = task.judge ? 2 * table.touches.size() : n / 16;
    return !anyKept || (cost < static_cast<double>(bestKept) &&
                        iterations - keptAt > static_cast<int64_t>(pause));
  }
  /// Called before the order gets worse, not each time that it gets better.
  void keepBest() {
    if (!isBest())
      return;
    keptAt = iterations;
    anyKept = true;
    bestKept = state.energy();
    const int64_t energy = task.judge ? task.judge(state.order()) : bestKept;
    if (result.order.empty() || energy < result.energy) {
      result.order = state.order();
      result.energy = energy;
    }
  }

  /// Temperatures from the rises that random moves of the start meet.
  void calibrate() {
    const auto &prices = table.prices;
    fine = 0;
    for (const auto *list : {&prices.read, &prices.write})
      for (int64_t price : *list)
        fine = std::max(fine, 2.0 * static_cast<double>(price));
    double sum = 0;
    int64_t count = 0;
    const int64_t samples = std::min<int64_t>(2000, 200 + 4 * n);
    for (int64_t i = 0; i < samples; ++i) {
      const double from = cost();
      int32_t reach = 0;
      Id place = 0;
      bool right = false;
      if (!pick(place, reach, right))
        continue;
      reach = 1 + random.below(reach);
      for (int32_t k = 0; k < reach; ++k)
        step(place, k, right);
      const double change = std::abs(cost() - from);
      if (change > 0) {
        sum += change;
        ++count;
      }
      state.undoTo(0);
    }
    hot = kHot * (count ? sum / static_cast<double>(count) : 1.0);
  }

  /// A random step, a direction and how far it can go. False if nowhere.
  bool pick(Id &place, int32_t &reach, bool &right) {
    const Id s = random.below(n);
    place = state.position(s);
    right = random.next() >> 63;
    reach = right ? state.latest(s) - place : place - state.earliest(s);
    if (reach <= 0)
      return false;
    // Short moves are cheap and often right, long ones must be tried: half of
    // the lengths are drawn by their logarithm, the others go all the way.
    const double length = hurried || random.next() >> 63
                              ? std::exp(unit() * std::log(far))
                              : farthest;
    reach = std::min<int32_t>(reach, 1 + static_cast<int32_t>(length));
    return true;
  }

  void step(Id place, int32_t k, bool right) {
    state.swap(right ? place + k : place - k - 1);
    ++iterations;
  }

  double progress() {
    double part = 0;
    if (task.iterations)
      part = static_cast<double>(iterations) /
             static_cast<double>(task.iterations);
    if (task.limits.isOver()) {
      result.late = true;
      return 1;
    }
    if (const auto &deadline = task.limits.deadline()) {
      const auto now = Limits::Clock::now();
      if (!task.iterations) {
        const std::chrono::duration<double> all = *deadline - began;
        const std::chrono::duration<double> spent = now - began;
        part = spent / all;
      }
    }
    return part;
  }

  /// How often and from how hot to cool in the steps that there is time for, by
  /// the speed of the calibration.
  void plan(double secondsPerStep) {
    double steps = static_cast<double>(task.iterations);
    if (!task.iterations && task.limits.isTimed()) {
      const std::chrono::duration<double> left =
          *task.limits.deadline() - began;
      steps = left.count() / std::max(secondsPerStep, 1e-9);
    }
    const double perStep = steps / static_cast<double>(n);
    rounds = static_cast<int>(
        std::clamp(perStep / kRound, 1.0, static_cast<double>(kRounds)));
    // No move should take the time of many.
    farthest = std::clamp(perStep / 4, 16.0, kFarthest);
    far = std::min(far, farthest);
    if (perStep < kHurried) {
      hurried = true;
      hot *= kLukewarm;
      far = kNear;
    }
  }

  void cool() {
    double temperature = hot;
    int current = 0;
    for (int64_t moves = 0;; ++moves) {
      if (moves % 64 == 0) {
        const double part = progress() * rounds;
        if (part >= rounds)
          return;
        const int round = static_cast<int>(part);
        if (round != current) {
          current = round;
          keepBest();
          if (!result.order.empty())
            state.reset(result.order);
        }
        const double start = round % kAgain ? hot * kWarm : hot;
        temperature = start * std::pow(kCold * hot / start, part - round);
      }
      // Counts as a try, so that an order that cannot change ends too.
      ++iterations;
      move(temperature);
    }
  }

  void move(double temperature) {
    Id place = 0;
    int32_t reach = 0;
    bool right = false;
    if (!pick(place, reach, right))
      return;
    const double from = cost();
    double weights = 1, chosenRise = 0;
    int32_t chosen = 0;
    for (int32_t k = 0; k < reach; ++k) {
      step(place, k, right);
      const double rise = cost() - from;
      if (rise >= kHopeless * temperature)
        continue;
      const double weight = std::exp(-rise / temperature);
      weights += weight;
      if (unit() * weights < weight) {
        chosen = k + 1;
        chosenRise = rise;
      }
    }
    if (chosenRise > 0 && isWorthKeeping(from)) {
      state.undoTo(0);
      keepBest();
      for (int32_t k = 0; k < chosen; ++k)
        step(place, k, right);
    } else {
      state.undoTo(chosen);
    }
    state.forget();
  }

  /// Lengths of moves: of those drawn by logarithm, and of all.
  static constexpr double kFar = 1000, kFarthest = 4000;
  /// Temperatures: the first as part of a typical change, the last and that of
  /// later rounds as part of the first; every so many rounds start hot again.
  static constexpr double kHot = 0.5, kCold = 0.03, kWarm = 0.5;
  static constexpr int kAgain = 4;
  /// Exchanges per step that make a round, and the most rounds.
  static constexpr double kRound = 8000;
  static constexpr int kRounds = 32;
  /// With fewer exchanges per step than kHurried, a hot start only destroys
  /// what was there, and long moves leave too few others.
  static constexpr double kHurried = 100, kLukewarm = 0.1, kNear = 50;

  const TouchTable &table;
  const AnnealTask &task;
  Random random;
  EnergyOrderState<Word> state;
  const size_t n;
  Limits::Clock::time_point began;
  double hot = 0, fine = 0;
  int64_t iterations = 0, keptAt = 0;
  int rounds = 1;
  bool hurried = false;
  double far = kFar, farthest = kFarthest;
  int64_t bestKept = 0;
  bool anyKept = false;
  AnnealResult result;
};

} // namespace

AnnealResult pebble::graph::annealEnergyOrder(const TouchTable &table,
                                              const AnnealTask &task) {
  return table.isNarrow() ? Annealer<int32_t>(table, task).run()
                          : Annealer<int64_t>(table, task).run();
}
