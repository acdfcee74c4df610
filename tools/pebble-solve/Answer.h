//===- Answer.h - how pebble-solve prints an answer -------------*- C++ -*-===//

#ifndef PEBBLE_TOOLS_PEBBLE_SOLVE_ANSWER_H
#define PEBBLE_TOOLS_PEBBLE_SOLVE_ANSWER_H

#include "Common.h"

#include "pebble/Solver/Game/Schedule.h"

#include <cstdio>

namespace pebble::solve_tool {

inline std::string jsonNumber(std::optional<int64_t> value) {
  return value ? std::to_string(*value) : "null";
}

/// A cost in units of 1 / scale, a power of ten: with the decimal places that
/// it needs.
inline std::string costNumber(int64_t value, int64_t scale) {
  std::string text = std::to_string(value / scale);
  std::string places = std::to_string(scale + value % scale).substr(1);
  while (!places.empty() && places.back() == '0')
    places.pop_back();
  return places.empty() ? text : text + "." + places;
}

/// Prints what schedules of steps and of chains share, as text or as JSON.
/// `moves` is the schedule in that form, printed only where there is an answer
/// and it was asked for. `model` and `gap` are further JSON fields, each with a
/// leading comma, after the peak and after the time. Costs are multiples of
/// 1 / scale. The exit code.
template <typename AnySchedule>
int printAnswer(const Options &o, const AnySchedule &s, double seconds,
                const std::string &moves, const std::string &model = "",
                const std::string &gap = "", int64_t scale = 1) {
  const bool answered = isAnswered(s.status);
  const bool forPeak = o.objective == Objective::Peak;
  // The bound on a peak is one on bytes.
  const std::string bound = costNumber(s.bound, forPeak ? 1 : scale);
  auto ifAnswered = [&](int64_t value) {
    return jsonNumber(answered ? std::optional(value) : std::nullopt);
  };
  if (o.json) {
    char time[32];
    std::snprintf(time, sizeof time, "%.3f", seconds);
    std::cout << "{\"status\": \"" << toString(s.status) << "\", \"cost\": "
              << (answered ? costNumber(s.cost, scale) : "null")
              << ", \"bound\": " << bound
              << ", \"peak\": " << ifAnswered(s.peak) << model
              << ", \"min_budget\": " << jsonNumber(s.minBudget)
              << ", \"solver\": \"" << s.solver
              << "\", \"limited\": " << (s.limited ? "true" : "false")
              << ", \"seconds\": " << time << gap;
    if (o.printSchedule && answered)
      std::cout << ", \"schedule\": " << moves;
    std::cout << "}\n";
  } else {
    std::cout << toString(s.status);
    // The bound stands beside what it bounds.
    if (answered && forPeak)
      std::cout << ": peak " << s.peak << ", bound " << bound << ", cost "
                << costNumber(s.cost, scale);
    else if (answered)
      std::cout << ": cost " << costNumber(s.cost, scale) << ", peak " << s.peak
                << ", bound " << bound;
    else
      std::cout << ", bound " << bound;
    if (s.minBudget)
      std::cout << ", smallest budget " << *s.minBudget;
    std::cout << ", by " << s.solver << (s.limited ? " (limited)" : "") << "\n";
    if (o.printSchedule && answered)
      std::cout << moves;
  }
  return answered                               ? kGood
         : s.status == game::Status::Infeasible ? kInfeasible
                                                : kUnknown;
}

} // namespace pebble::solve_tool

#endif // PEBBLE_TOOLS_PEBBLE_SOLVE_ANSWER_H
