//===- ChoosePlaces.cpp - in place or out of place? -----------------------===//
//
// Four problems have the same steps and values. As it is: all updates in place.
// Fresh: each update that blocks something writes a storage of its own, or with
// transfers beside steps each one, since an update in place waits for them.
// Mixed: only those do that the fresh problem's schedule needs out of place;
// with the others in place there is more room. Optimistic: updates write
// storages of their own, pay for no copy, and take no memory beside what they
// overwrite while they run. Every schedule of a mixed problem is one of the
// optimistic problem, costs no less there and takes no less memory, so that its
// bounds hold for every choice.
//
//===----------------------------------------------------------------------===//

#include "ChoosePlaces.h"
#include "Leanest.h"

#include "pebble/Solver/Timeline/MakespanBound.h"
#include "pebble/Solver/Timeline/Overlap.h"

#include <algorithm>

using namespace pebble;
using namespace pebble::portfolio;
using game::Id;
using game::Move;
using game::Problem;
using game::Schedule;
using game::Status;

namespace {

class PlaceChooser {
public:
  PlaceChooser(const Request &request,
               const std::function<Answer(const Request &)> &find)
      : r(request), find(find), prices(pricesOf(request)), asked(request) {
    for (const game::Step &step : r.problem.steps) {
      once += step.cost;
      reasons.push_back(step.recomputable ? "" : "the problem says so");
    }
    if (!r.runOnce.empty())
      reasons = r.runOnce;
    blocking = findBlocking(r.problem, reasons, r.updates);
    // Beside steps, an update in place waits for what reads its old content.
    const bool waits = r.objective == Objective::Time && r.search.means.offload;
    choices = waits ? r.updates : blocking;
  }

  Answer run() {
    if (choices.empty()) {
      asked = r;
      return search(r.problem, r.search.limits);
    }
    // The leanest takes long to find; it is looked for where nothing else is.
    asked.namesLeast = false;
    tryAll(r.namesLeast && !r.leanest ? r.search.limits.share(3, 4)
                                      : r.search.limits);
    if (r.namesLeast && !r.leanest && best.refusal.empty() &&
        !isAnswered(best.schedule.status)) {
      const Status status = best.schedule.status;
      best = Answer();
      asked.leanest = true;
      tryAll(r.search.limits);
      if (!isAnswered(best.schedule.status))
        best.schedule.status = status;
    }
    return std::move(best);
  }

private:
  void tryAll(const graph::Limits &limits) {
    // Most programs are best as they are.
    best = search(r.problem, limits.share(2, 3));
    const bool isCutOff = best.schedule.limited;
    limited |= isCutOff;
    if (!best.refusal.empty() || isSettled())
      return;
    if (!blocking.empty())
      consider(blocking, limits.part(2));
    if (!isSettled() && choices.size() > blocking.size())
      consider(choices, limits.part(2));
    if (isSettled())
      return;
    if (const std::vector<Update> some = best.outOfPlace;
        !some.empty() && some.size() != blocking.size() &&
        some.size() < choices.size())
      consider(some, limits.part(2));
    prove(limits);
    // What the others left over.
    if (isCutOff && best.schedule.status != Status::Optimal &&
        limits.isTimed() && !limits.isOver())
      searchAgain(limits);
  }

  /// The problem as it is, for all the time that there is: its first search was
  /// cut off. What was proven holds.
  void searchAgain(const graph::Limits &limits) {
    Answer found = search(r.problem, limits);
    if (!found.refusal.empty() || !isBetter(found))
      return;
    if (isAnswered(found.schedule.status))
      setBound(found.schedule,
               isAnswered(best.schedule.status) ? best.schedule.bound : once);
    if (found.least)
      found.least->isProven = best.least && best.least->isProven &&
                              found.least->bytes <= best.least->bytes;
    best = std::move(found);
  }

  /// No schedule costs less than `bound`, or than every step once.
  void setBound(Schedule &schedule, int64_t bound) const {
    game::certify(schedule, std::max(once, bound));
  }

  /// Nothing costs less, or is leaner: no step takes less memory than in place.
  bool isSettled() const {
    if (asked.leanest)
      return best.least && best.least->bytes <= largestStep(r.problem);
    return isAnswered(best.schedule.status) && best.schedule.cost <= once;
  }

  bool fits(int64_t bytes) const {
    return !r.search.budget || bytes <= *r.search.budget;
  }

  Answer search(const Problem &problem, const graph::Limits &limits) const {
    Request wanted = asked;
    wanted.updates.clear();
    wanted.problem = problem;
    wanted.search.limits = limits;
    // prove() says what holds for every choice.
    wanted.isRestricted |= !choices.empty();
    return find(wanted);
  }

  /// Takes the answer with `updates` out of place if it is better.
  void consider(const std::vector<Update> &updates,
                const graph::Limits &limits) {
    Answer found = search(withFreshStorages(r.problem, updates), limits);
    limited |= found.schedule.limited;
    if (!found.refusal.empty())
      return;
    if (!found.program || asked.leanest)
      (void)settle(found, updates);
    else
      (void)settleProgram(found, updates, found.schedule.cost);
    if (isBetter(found))
      best = std::move(found);
  }

  bool isBetter(const Answer &other) const {
    auto getLeast = [](const Answer &answer) {
      return answer.least ? answer.least->bytes : INT64_MAX;
    };
    const bool is = isAnswered(best.schedule.status);
    const bool isOther = isAnswered(other.schedule.status);
    if (asked.leanest || (!is && !isOther))
      return std::pair(getLeast(other), other.schedule.cost) <
             std::pair(getLeast(best), best.schedule.cost);
    // Of two that cost the same, the one with more in place.
    auto getCost = [](const Answer &answer) {
      return std::pair(answer.schedule.cost, answer.outOfPlace.size());
    };
    return isOther && (!is || getCost(other) < getCost(best));
  }

  //===--------------------------------------------------------------------===//
  // Back in place
  //===--------------------------------------------------------------------===//

  /// `found` is of the problem in which all of `updates` are out of place. Puts
  /// those back in place whose old content is dead whenever they run, which
  /// takes no more memory and costs no more. False if it cannot be done.
  bool settle(Answer &found, const std::vector<Update> &updates) const {
    found.outOfPlace = updates;
    const bool is = isAnswered(found.schedule.status);
    if (found.program || (!is && !found.least))
      return false;
    const std::vector<Move> &moves =
        is ? found.schedule.moves : found.least->moves;
    if (moves.empty())
      return false;
    std::vector<Update> needed = findNeeded(r.problem, updates, moves);
    const Problem p = getJudged(needed);
    std::vector<Move> settled = graph::canonicalMoves(p, moves);
    const game::Replay replay = game::verify(p, settled);
    if (!replay.verdict.ok() || (is && !fits(replay.peak[0])))
      return false;
    found.outOfPlace = std::move(needed);
    if (found.least) {
      found.least->moves = settled;
      found.least->bytes = replay.peak[0];
    }
    const bool isTimed =
        r.objective == Objective::Time &&
        std::any_of(settled.begin(), settled.end(), graph::isTransfer);
    if (is || (fits(replay.peak[0]) && !isTimed))
      take(found.schedule, p, std::move(settled), replay,
           is ? found.schedule.solver : found.least->solver);
    return true;
  }

  /// The same where transfers run beside steps, if it then takes no longer than
  /// `most`: transfers under way read what an update would overwrite.
  bool settleProgram(Answer &found, const std::vector<Update> &updates,
                     int64_t most) const {
    found.outOfPlace = updates;
    Schedule &s = found.schedule;
    std::vector<Update> needed = findNeeded(r.problem, updates, s.moves);
    const Problem p = getJudged(needed);
    const std::vector<Move> settled = graph::canonicalMoves(p, s.moves);
    if (!game::verify(p, settled, r.search.budget).verdict.ok())
      return false;
    timeline::Overlapped program = timeline::overlapTransfers(
        p, settled, timeline::durationsOf(p, prices), r.search.budget);
    if (program.timeline.makespan > most)
      return false;
    s.moves = timeline::movesOf(program.actions);
    s.cost = program.timeline.makespan;
    s.peak = program.timeline.peak[0];
    setBound(s, s.bound);
    found.program = std::move(program);
    found.outOfPlace = std::move(needed);
    return true;
  }

  Problem getJudged(const std::vector<Update> &updates) const {
    return judgedProblem(withFreshStorages(r.problem, updates), reasons);
  }

  void take(Schedule &schedule, const Problem &p, std::vector<Move> moves,
            const game::Replay &replay, std::string solver) const {
    schedule.cost = graph::costOfMoves(p, moves, prices);
    schedule.moves = std::move(moves);
    schedule.peak = replay.peak[0];
    setBound(schedule, schedule.bound);
    schedule.solver = std::move(solver);
    schedule.minBudget.reset();
  }

  //===--------------------------------------------------------------------===//
  // What holds for every choice
  //===--------------------------------------------------------------------===//

  /// The optimistic request, all of whose bytes are `room` more.
  Request getOptimistic(int64_t &room) const {
    Request wanted = asked;
    wanted.updates.clear();
    wanted.problem = withFreeUpdates(r.problem, choices, room);
    if (wanted.search.transfers)
      wanted.search.transfers = withFreeUpdates(*wanted.search.transfers);
    if (!wanted.wantedTiers.empty())
      wanted.wantedTiers.push_back(0);
    if (wanted.search.budget)
      *wanted.search.budget += room;
    return wanted;
  }

  /// What the solvers have proven so far is of one problem each.
  void prove(const graph::Limits &limits) {
    int64_t room = 0;
    Request wanted = getOptimistic(room);
    wanted.search.limits = limits;
    Answer found = find(wanted);
    const bool isInfeasible = found.schedule.status == Status::Infeasible;
    const int64_t bound =
        isAnswered(found.schedule.status) ? found.schedule.bound : once;
    std::optional<int64_t> least;
    if (found.least && found.least->isProven)
      least = found.least->bytes - room;
    limited |= found.schedule.limited;
    takeOptimistic(std::move(found));
    Schedule &s = best.schedule;
    s.limited = limited;
    if (isAnswered(s.status)) {
      setBound(s, bound);
      s.limited &= s.status != Status::Optimal;
    } else {
      s.status = isInfeasible ? Status::Infeasible : Status::Unknown;
      s.bound = bound;
      s.minBudget.reset();
    }
    if (best.least)
      best.least->isProven = least && best.least->bytes <= *least;
  }

  /// Where every update finds its old content dead, or there is room for both,
  /// the optimistic schedule is a true one.
  void takeOptimistic(Answer found) {
    auto forget = [&](std::vector<Move> &moves) {
      const Id room = r.problem.values.size();
      moves.erase(std::remove_if(moves.begin(), moves.end(),
                                 [&](const Move &move) {
                                   return move.kind == game::MoveKind::Drop &&
                                          move.subject == room;
                                 }),
                  moves.end());
    };
    forget(found.schedule.moves);
    if (found.least)
      forget(found.least->moves);
    const bool isTrue = found.program && !asked.leanest
                            ? settleProgram(found, choices, INT64_MAX)
                            : settle(found, choices);
    if (isTrue && isBetter(found))
      best = std::move(found);
  }

  const Request &r;
  const std::function<Answer(const Request &)> &find;
  const graph::MoveCosts prices;
  /// What is asked for by now.
  Request asked;
  std::vector<std::string> reasons;
  /// Cost of every step once.
  int64_t once = 0;
  /// Updates that keep something from running again; those that are moved out
  /// of place at all.
  std::vector<Update> blocking, choices;
  Answer best;
  bool limited = false;
};

} // namespace

Answer
portfolio::choosePlaces(const Request &request,
                        const std::function<Answer(const Request &)> &find) {
  return PlaceChooser(request, find).run();
}
