//===- HeterogeneousFormats.cpp - unequal chains as text ------------------===//
//
// Reads chains, reads and writes moves on them. Judges the shape of the text;
// whether a chain makes sense is checkChain()'s business.
//
//===----------------------------------------------------------------------===//

#include "../Game/JsonReader.h"

#include "pebble/Solver/Chain/HeterogeneousChain.h"

using namespace pebble;
using namespace pebble::chain;
using game::at;
using game::Json;
using game::JsonReader;

namespace {

struct Spelling {
  ChainMoveKind kind;
  const char *verb;
  char letter;
};
constexpr Spelling spellings[] = {{ChainMoveKind::Forward, "compute", 'F'},
                                  {ChainMoveKind::Save, "compute", 'S'},
                                  {ChainMoveKind::Backward, "compute", 'B'},
                                  {ChainMoveKind::DropActivation, "drop", 'a'},
                                  {ChainMoveKind::DropSaved, "drop", 's'},
                                  {ChainMoveKind::DropGradient, "drop", 'd'}};

/// The layer in "F12"; nothing if it is no number of up to nine digits.
std::optional<uint32_t> layerOf(const std::string &name) {
  if (name.size() < 2 || name.size() > 10)
    return std::nullopt;
  uint32_t layer = 0;
  for (char c : name.substr(1)) {
    if (c < '0' || c > '9')
      return std::nullopt;
    layer = layer * 10 + static_cast<uint32_t>(c - '0');
  }
  return layer;
}

ChainMove readChainMove(JsonReader &reader, const Json &j,
                        const std::string &path) {
  if (!j.is_array() || j.size() < 2 || !j[0].is_string()) {
    reader.fail(path, "is not a move");
    return {};
  }
  const std::string name = reader.name(j[1], at(path, 1));
  const std::string verb = j[0].get<std::string>();
  for (const Spelling &s : spellings) {
    if (verb != s.verb || name.empty() || name[0] != s.letter)
      continue;
    const bool isDrop = verb == "drop";
    if (j.size() > (isDrop ? 3u : 2u))
      reader.fail(path, "has too many parts");
    else if (j.size() == 3 && j[2] != 0)
      reader.fail(path, "names a tier other than 0, the only one of a chain");
    if (std::optional<uint32_t> layer = layerOf(name))
      return {s.kind, *layer};
  }
  reader.fail(path, "is neither a compute of Fk, Sk or Bk nor a drop of ak, "
                    "sk or dk");
  return {};
}

} // namespace

ParsedChain pebble::chain::readChain(const std::string &text) {
  ParsedChain result;
  JsonReader reader;
  const Json root = reader.parse(text);
  result.isChain = root.is_object() && root.contains("chain") &&
                   !root.contains("storages") && !root.contains("ops") &&
                   !root.contains("nodes");
  if (!result.isChain)
    return result;
  HeterogeneousChain c;
  if (const Json *name = JsonReader::optional(root, "name"))
    c.name = reader.name(*name, "name");
  const Json &j = root["chain"];
  const int64_t layers = reader.size(reader.member(j, "chain", "L"), "chain.L");
  const std::pair<const char *, std::vector<int64_t> *> rows[] = {
      {"a", &c.a},   {"abar", &c.abar}, {"d", &c.d},  {"uf", &c.uf},
      {"ub", &c.ub}, {"of", &c.of},     {"ob", &c.ob}};
  for (const auto &[key, row] : rows) {
    const Json &list = reader.list(j, "chain", key);
    const std::string path = JsonReader::join("chain", key);
    for (size_t i = 0; i < list.size() && reader.ok(); ++i)
      row->push_back(reader.size(list[i], at(path, i)));
    const uint64_t wanted = static_cast<uint64_t>(layers) + 1;
    if (reader.ok() && list.size() != wanted)
      reader.fail(path, "has " + std::to_string(list.size()) +
                            " entries, not L + 1 = " + std::to_string(wanted));
  }
  result.error = reader.error;
  if (reader.ok())
    result.chain = std::move(c);
  return result;
}

ParsedChainMoves pebble::chain::readChainMoves(const std::string &text) {
  ParsedChainMoves result;
  JsonReader reader;
  const Json root = reader.parse(text);
  std::string base;
  const Json &list = reader.moves(root, base);
  std::vector<ChainMove> moves;
  for (size_t i = 0; reader.ok() && i < list.size(); ++i)
    moves.push_back(readChainMove(reader, list[i], at(base, i)));
  result.error = reader.error;
  if (reader.ok())
    result.moves = std::move(moves);
  return result;
}

std::string pebble::chain::toString(const ChainMove &move) {
  for (const Spelling &s : spellings)
    if (s.kind == move.kind) {
      const std::string name = s.letter + std::to_string(move.layer);
      return "[\"" + std::string(s.verb) + "\",\"" + name + "\"" +
             (std::string(s.verb) == "drop" ? ",0]" : "]");
    }
  return "[]";
}

std::string
pebble::chain::writeChainMovesJson(const std::vector<ChainMove> &moves) {
  std::string text = "[";
  for (const ChainMove &m : moves)
    text += (text.size() > 1 ? "," : "") + toString(m);
  return text + "]";
}
