//===- ChainGameFormats.cpp - moves on a chain as text --------------------===//
//
// Reads and writes moves. Judges the shape of the text; whether the ops and
// values exist is the judge's business.
//
//===----------------------------------------------------------------------===//

#include "../Game/JsonReader.h"

#include "pebble/Solver/Chain/ChainGame.h"

using namespace pebble;
using namespace pebble::chain;
using game::at;
using game::Json;
using game::JsonReader;

namespace {

/// The number in "F12"; nothing if it is no number of up to 15 digits.
std::optional<int64_t> numberOf(const std::string &name) {
  if (name.size() < 2 || name.size() > 16)
    return std::nullopt;
  int64_t number = 0;
  for (char c : name.substr(1)) {
    if (c < '0' || c > '9')
      return std::nullopt;
    number = number * 10 + (c - '0');
  }
  return number;
}

GameMove readOp(JsonReader &reader, const std::string &name,
                const std::string &path) {
  if (name == "L")
    return {GameMoveKind::Seed, 0, false, 0};
  if (std::optional<int64_t> number = numberOf(name)) {
    if (name[0] == 'F')
      return {GameMoveKind::Forward, *number, false, 0};
    if (name[0] == 'B')
      return {GameMoveKind::Backward, *number, false, 0};
  }
  reader.fail(path, "'" + name + "' is none of the ops F1..Fn, L, Bn..B1");
  return {};
}

GameMove readMove(JsonReader &reader, const Json &j, const std::string &path) {
  if (!j.is_array() || j.size() < 2 || !j[0].is_string()) {
    reader.fail(path, "is not a move");
    return {};
  }
  const std::string verb = j[0].get<std::string>();
  const std::string name = reader.name(j[1], at(path, 1));
  if (verb == "compute") {
    if (j.size() > 2)
      reader.fail(path, "has too many parts");
    return readOp(reader, name, at(path, 1));
  }
  GameMove m;
  if (verb == "store")
    m.kind = GameMoveKind::Store;
  else if (verb == "load")
    m.kind = GameMoveKind::Load;
  else if (verb == "drop")
    m.kind = GameMoveKind::Drop;
  else
    reader.fail(path,
                "'" + verb + "' is none of compute, store, load and drop");
  const std::optional<int64_t> number = numberOf(name);
  if (!number || (name[0] != 'N' && name[0] != 'A'))
    reader.fail(at(path, 1),
                "'" + name + "' is none of the values N0..Nn, An..A0");
  m.index = number.value_or(0);
  m.adjoint = !name.empty() && name[0] == 'A';
  if (j.size() != 3)
    reader.fail(path, "names no tier");
  if (!reader.ok())
    return m;
  const int64_t tier = reader.size(j[2], at(path, 2));
  if (tier > INT32_MAX)
    reader.fail(at(path, 2), "is out of range");
  m.tier = reader.ok() ? static_cast<int32_t>(tier) : 0;
  return m;
}

} // namespace

ParsedGameMoves pebble::chain::readGameMoves(const std::string &text) {
  ParsedGameMoves result;
  JsonReader reader;
  const Json root = reader.parse(text);
  std::string base;
  const Json &list = reader.moves(root, base);
  std::vector<GameMove> moves;
  for (size_t i = 0; reader.ok() && i < list.size(); ++i)
    moves.push_back(readMove(reader, list[i], at(base, i)));
  result.error = reader.error;
  if (reader.ok())
    result.moves = std::move(moves);
  return result;
}

std::string pebble::chain::toString(const GameMove &m) {
  const std::string number = std::to_string(m.index);
  const std::string value = (m.adjoint ? "A" : "N") + number;
  const std::string tail = "\"" + value + "\"," + std::to_string(m.tier) + "]";
  switch (m.kind) {
  case GameMoveKind::Forward:
    return "[\"compute\",\"F" + number + "\"]";
  case GameMoveKind::Seed:
    return "[\"compute\",\"L\"]";
  case GameMoveKind::Backward:
    return "[\"compute\",\"B" + number + "\"]";
  case GameMoveKind::Store:
    return "[\"store\"," + tail;
  case GameMoveKind::Load:
    return "[\"load\"," + tail;
  case GameMoveKind::Drop:
    return "[\"drop\"," + tail;
  }
  return "[]";
}
