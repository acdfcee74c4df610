//===- Means.h - what a planner may do besides ordering ---------*- C++ -*-===//

#ifndef PEBBLE_SOLVER_GAME_MEANS_H
#define PEBBLE_SOLVER_GAME_MEANS_H

namespace pebble::game {

/// What may be done besides ordering: steps may run again, values may move to
/// a slower tier and back.
enum class Means { None, Recompute, Offload, Both };

inline bool mayRecompute(Means means) {
  return means == Means::Recompute || means == Means::Both;
}
inline bool mayOffload(Means means) {
  return means == Means::Offload || means == Means::Both;
}

} // namespace pebble::game

#endif // PEBBLE_SOLVER_GAME_MEANS_H
