//===- FormatsSchedule.cpp - moves as text --------------------------------===//
//
// Reads and writes lists of moves. Steps and values are named as the problem
// names them.
//
//===----------------------------------------------------------------------===//

#include "pebble/Solver/Game/Formats.h"

#include "JsonReader.h"

#include <algorithm>

using namespace pebble::game;

namespace {

const std::pair<const char *, MoveKind> moveNames[] = {
    {"compute", MoveKind::Compute},
    {"store", MoveKind::Store},
    {"load", MoveKind::Load},
    {"drop", MoveKind::Drop}};

Json toJson(const Problem &p, const Move &m) {
  Json j = Json::array();
  for (const auto &[name, kind] : moveNames)
    if (kind == m.kind)
      j.push_back(name);
  bool isStep = m.kind == MoveKind::Compute;
  if (m.subject >= (isStep ? p.steps.size() : p.values.size()))
    j.push_back("?");
  else
    j.push_back(isStep ? p.steps[m.subject].name : p.values[m.subject].name);
  if (!isStep)
    j.push_back(m.tier);
  return j;
}

/// Names to the first id that carries them.
template <typename Row>
std::unordered_map<std::string, Id> idsByName(const std::vector<Row> &rows) {
  std::unordered_map<std::string, Id> ids;
  for (size_t i = 0; i < rows.size(); ++i)
    ids.emplace(rows[i].name, i);
  return ids;
}

/// The updates that a document of moves has out of place.
std::vector<Update> readOutOfPlace(JsonReader &reader, const Json &root,
                                   const Problem &problem,
                                   const std::vector<Update> &updates) {
  std::vector<Update> result;
  if (!reader.ok() || !JsonReader::optional(root, "out_of_place"))
    return result;
  const Json &list = reader.list(root, "", "out_of_place");
  for (size_t i = 0; reader.ok() && i < list.size(); ++i) {
    const std::string path = at("out_of_place", i);
    const std::string name = reader.name(list[i], path);
    auto isNamed = [&](const Update &update) {
      return problem.values[update.value].name == name;
    };
    const auto found = std::find_if(updates.begin(), updates.end(), isNamed);
    if (found == updates.end())
      reader.fail(path,
                  "there is no value '" + name + "' that may be out of place");
    else if (std::any_of(result.begin(), result.end(), isNamed))
      reader.fail(path, "value '" + name + "' is named twice");
    else
      result.push_back(*found);
  }
  return result;
}

} // namespace

ParsedMoves pebble::game::readMoves(const Problem &problem,
                                    const std::string &text,
                                    const std::vector<Update> &updates) {
  JsonReader reader;
  Json root = reader.parse(text);
  std::vector<Move> moves;
  std::string base;
  const Json &list = reader.moves(root, base);
  auto steps = idsByName(problem.steps), values = idsByName(problem.values);
  for (size_t i = 0; reader.ok() && i < list.size(); ++i) {
    const Json &j = list[i];
    std::string path = at(base, i);
    if (!j.is_array() || j.empty()) {
      reader.fail(path, "is not a move");
      break;
    }
    Move m;
    bool known = false;
    for (const auto &[name, kind] : moveNames)
      if (j[0] == name) {
        m.kind = kind;
        known = true;
      }
    bool isStep = m.kind == MoveKind::Compute;
    if (!known)
      reader.fail(path, "is none of compute, store, load and drop");
    else if (j.size() != (isStep ? 2u : 3u))
      reader.fail(path, isStep ? "a compute names a step and nothing else"
                               : "a " + j[0].get<std::string>() +
                                     " names a value and a tier");
    if (!reader.ok())
      break;
    std::string name = reader.name(j[1], path);
    const auto &ids = isStep ? steps : values;
    auto it = ids.find(name);
    if (it == ids.end()) {
      reader.fail(path, std::string("there is no ") +
                            (isStep ? "step" : "value") + " '" + name + "'");
      break;
    }
    m.subject = it->second;
    if (!isStep) {
      int64_t tier = reader.size(j[2], path);
      m.tier = tier > INT32_MAX ? INT32_MAX : static_cast<Id>(tier);
    }
    moves.push_back(m);
  }
  ParsedMoves result;
  result.outOfPlace = readOutOfPlace(reader, root, problem, updates);
  result.error = reader.error;
  if (reader.ok())
    result.moves = std::move(moves);
  return result;
}

std::string pebble::game::writeMovesJson(const Problem &problem,
                                         const std::vector<Move> &moves) {
  Json list = Json::array();
  for (const Move &m : moves)
    list.push_back(toJson(problem, m));
  return toText(list);
}

std::string pebble::game::writeUpdatesJson(const Problem &problem,
                                           const std::vector<Update> &updates) {
  Json list = Json::array();
  for (const Update &update : updates)
    list.push_back(problem.values[update.value].name);
  return toText(list);
}

std::string pebble::game::toString(const Problem &problem, const Move &move) {
  return toText(toJson(problem, move));
}
