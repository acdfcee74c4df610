//===- FormatsProblem.cpp - Pebble's own problem format -------------------===//
//
// All tables of a Problem as JSON, ids by name, and a form for people.
//
//===----------------------------------------------------------------------===//

#include "pebble/Solver/Game/Formats.h"

#include "JsonReader.h"

#include <algorithm>
#include <sstream>
#include <unordered_set>

using namespace pebble::game;

namespace {

const std::pair<const char *, Pin> pinNames[] = {{"none", Pin::None},
                                                 {"keep", Pin::Keep},
                                                 {"recompute", Pin::Recompute},
                                                 {"offload", Pin::Offload}};
const DependenceKind kinds[] = {DependenceKind::Flow, DependenceKind::Anti,
                                DependenceKind::Output, DependenceKind::Effect};

const char *toString(Pin pin) {
  for (const auto &[name, p] : pinNames)
    if (p == pin)
      return name;
  return "none";
}

/// Distinct names for the rows of a table.
template <typename Row>
std::vector<std::string> uniqueNames(const std::vector<Row> &rows) {
  std::unordered_set<std::string> used;
  std::vector<std::string> names;
  for (const Row &row : rows) {
    std::string name = row.name;
    for (unsigned n = 1; !used.insert(name).second; ++n)
      name = row.name + "#" + std::to_string(n);
    names.push_back(name);
  }
  return names;
}

void readHierarchy(JsonReader &reader, const Json &j, Hierarchy &h) {
  if (const Json *name = JsonReader::optional(j, "name"))
    h.name = reader.name(*name, "hierarchy.name");
  if (const Json *inclusion = JsonReader::optional(j, "inclusion")) {
    if (*inclusion == "inclusive")
      h.inclusion = Inclusion::Inclusive;
    else if (*inclusion != "exclusive")
      reader.fail("hierarchy.inclusion", "is neither exclusive nor inclusive");
  }
  const Json &tiers = reader.list(j, "hierarchy", "tiers");
  for (size_t i = 0; i < tiers.size() && reader.ok(); ++i) {
    std::string path = at("hierarchy.tiers", i);
    Tier t;
    t.name = reader.name(reader.member(tiers[i], path, "name"), path + ".name");
    if (const Json *kind = JsonReader::optional(tiers[i], "kind")) {
      if (*kind == "cache")
        t.kind = TierKind::Cache;
      else if (*kind != "explicit")
        reader.fail(path + ".kind", "is neither cache nor explicit");
    }
    t.capacity = reader.sizeOr(tiers[i], path, "capacity", kUnbounded);
    t.readEnergy = reader.sizeOr(tiers[i], path, "read_energy", 0);
    t.writeEnergy = reader.sizeOr(tiers[i], path, "write_energy", 0);
    t.bandwidth = reader.sizeOr(tiers[i], path, "bandwidth", 0);
    t.latency = reader.sizeOr(tiers[i], path, "latency", 0);
    h.tiers.push_back(t);
  }
}

Json writeHierarchy(const Hierarchy &h) {
  Json tiers = Json::array();
  for (const Tier &t : h.tiers) {
    Json j = {{"name", t.name},
              {"kind", t.kind == TierKind::Cache ? "cache" : "explicit"}};
    if (t.capacity != kUnbounded)
      j["capacity"] = t.capacity;
    j["read_energy"] = t.readEnergy;
    j["write_energy"] = t.writeEnergy;
    j["bandwidth"] = t.bandwidth;
    j["latency"] = t.latency;
    tiers.push_back(j);
  }
  return {{"name", h.name},
          {"inclusion",
           h.inclusion == Inclusion::Inclusive ? "inclusive" : "exclusive"},
          {"tiers", tiers}};
}

/// ["value", bytes] pairs; a bare name accesses the whole storage.
std::vector<Access> readAccesses(JsonReader &reader, NameTable &values,
                                 const Problem &p, const Json &step,
                                 const std::string &path, const char *key) {
  std::vector<Access> accesses;
  if (!JsonReader::optional(step, key))
    return accesses;
  const Json &list = reader.list(step, path, key);
  for (size_t i = 0; i < list.size() && reader.ok(); ++i) {
    std::string where = at(JsonReader::join(path, key), i);
    bool pair = list[i].is_array() && list[i].size() == 2;
    Access a;
    a.value = values.find(pair ? list[i][0] : list[i], where);
    if (!reader.ok())
      break;
    a.bytes = pair ? reader.size(list[i][1], where)
                   : p.storages[p.values[a.value].storage].bytes;
    accesses.push_back(a);
  }
  return accesses;
}

class NativeReader {
public:
  NativeReader(JsonReader &reader, const Json &root, ParsedProblem &result)
      : reader(reader), root(root), result(result), storages(reader, "storage"),
        values(reader, "value"), steps(reader, "step") {}

  Problem run() {
    if (const Json *name = JsonReader::optional(root, "name"))
      p.name = reader.name(*name, "name");
    if (const Json *h = JsonReader::optional(root, "hierarchy"))
      readHierarchy(reader, *h, p.hierarchy);
    readStorages();
    readNames("steps", steps);
    readNames("values", values);
    readValues();
    readSteps();
    if (!result.updates.empty())
      freeSteps();
    if (JsonReader::optional(root, "precedences"))
      readPrecedences();
    return std::move(p);
  }

private:
  std::string readName(const Json &j, const std::string &path) {
    return reader.name(reader.member(j, path, "name"), path + ".name");
  }

  /// Steps and values name each other, so that names come first.
  void readNames(const char *key, NameTable &table) {
    const Json &list = reader.list(root, "", key);
    for (size_t i = 0; i < list.size() && reader.ok(); ++i)
      table.add(readName(list[i], at(key, i)), at(key, i) + ".name");
  }

  void readStorages() {
    readNames("storages", storages);
    const Json &list = reader.list(root, "", "storages");
    for (size_t i = 0; i < list.size() && reader.ok(); ++i) {
      const Json &j = list[i];
      std::string path = at("storages", i);
      Storage s;
      s.name = readName(j, path);
      s.bytes = reader.size(reader.member(j, path, "bytes"), path + ".bytes");
      s.footprint = reader.sizeOr(j, path, "footprint", s.bytes);
      s.initial = reader.flagOr(j, path, "initial", false);
      s.pinned = reader.flagOr(j, path, "pinned", false);
      p.storages.push_back(s);
    }
  }

  void readValues() {
    const Json &list = reader.list(root, "", "values");
    for (size_t i = 0; i < list.size() && reader.ok(); ++i) {
      const Json &j = list[i];
      std::string path = at("values", i);
      Value v;
      v.name = readName(j, path);
      v.storage =
          storages.find(reader.member(j, path, "storage"), path + ".storage");
      if (const Json *old = JsonReader::optional(j, "overwrites"))
        v.overwrites = values.find(*old, path + ".overwrites");
      v.required = reader.flagOr(j, path, "required", false);
      v.offloadable = reader.flagOr(j, path, "offloadable", true);
      readUpdate(j, path, v, i);
      p.values.push_back(v);
    }
  }

  void readUpdate(const Json &j, const std::string &path, const Value &value,
                  Id id) {
    const bool isFree = reader.flagOr(j, path, "out_of_place", false);
    Update update;
    update.value = id;
    update.copies = JsonReader::optional(j, "copy_cost") != nullptr;
    update.copyCost = reader.sizeOr(j, path, "copy_cost", 0);
    if (isFree && value.overwrites == kNone)
      reader.fail(path + ".out_of_place", "is of a value that overwrites none");
    else if (isFree && value.storage != kNone &&
             p.storages[value.storage].pinned)
      reader.fail(path + ".out_of_place", "is of a value in a pinned storage");
    else if (update.copies && !isFree)
      reader.fail(path + ".copy_cost",
                  "is of a value without \"out_of_place\": true");
    else if (isFree)
      result.updates.push_back(update);
  }

  void readSteps() {
    const Json &list = reader.list(root, "", "steps");
    for (size_t i = 0; i < list.size() && reader.ok(); ++i) {
      const Json &j = list[i];
      std::string path = at("steps", i);
      Step s;
      s.name = readName(j, path);
      s.reads = readAccesses(reader, values, p, j, path, "reads");
      s.writes = readAccesses(reader, values, p, j, path, "writes");
      s.cost = reader.sizeOr(j, path, "cost", 0);
      s.scratch = reader.sizeOr(j, path, "scratch", 0);
      s.recomputable = reader.flagOr(j, path, "recomputable", true);
      if (const Json *pin = JsonReader::optional(j, "pin"))
        s.pin = readPin(*pin, path + ".pin");
      // A second writer is left to check(), which names the rule.
      for (const Access &a : s.writes)
        if (reader.ok() && p.values[a.value].producer == kNone)
          p.values[a.value].producer = i;
      p.steps.push_back(s);
    }
  }

  Pin readPin(const Json &pin, const std::string &path) {
    for (const auto &[name, which] : pinNames)
      if (pin == name)
        return which;
    reader.fail(path, "is none of none, keep, recompute, offload");
    return Pin::None;
  }

  /// A step may run again if each of its updates may be out of place; as long
  /// as they are in place it is not recomputable.
  void freeSteps() {
    std::vector<bool> isFree(p.values.size(), false);
    for (const Update &update : result.updates)
      isFree[update.value] = true;
    for (Step &s : p.steps) {
      result.runOnce.emplace_back(s.recomputable ? "" : "the problem says so");
      auto isUpdate = [&](const Access &a) {
        return p.values[a.value].overwrites != kNone;
      };
      const bool updates =
          std::any_of(s.writes.begin(), s.writes.end(), isUpdate);
      // Others are left to check().
      if (updates &&
          std::all_of(s.writes.begin(), s.writes.end(), [&](const Access &a) {
            return !isUpdate(a) || isFree[a.value];
          }))
        s.recomputable = false;
    }
  }

  void readPrecedences() {
    const Json &list = reader.list(root, "", "precedences");
    for (size_t i = 0; i < list.size() && reader.ok(); ++i) {
      std::string path = at("precedences", i);
      Precedence d;
      d.before =
          steps.find(reader.member(list[i], path, "before"), path + ".before");
      d.after =
          steps.find(reader.member(list[i], path, "after"), path + ".after");
      if (const Json *kind = JsonReader::optional(list[i], "kind"))
        d.kind = readKind(*kind, path + ".kind");
      if (const Json *s = JsonReader::optional(list[i], "storage"))
        d.storage = storages.find(*s, path + ".storage");
      p.precedences.push_back(d);
    }
  }

  DependenceKind readKind(const Json &kind, const std::string &path) {
    for (DependenceKind k : kinds)
      if (kind == toString(k))
        return k;
    reader.fail(path, "is no kind of dependence");
    return DependenceKind::Effect;
  }

  JsonReader &reader;
  const Json &root;
  ParsedProblem &result;
  Problem p;
  NameTable storages, values, steps;
};

} // namespace

Problem pebble::game::readNative(JsonReader &reader, const Json &root,
                                 ParsedProblem &result) {
  return NativeReader(reader, root, result).run();
}

static Json writeStep(const Step &s, const std::string &name,
                      const std::vector<std::string> &values, bool runsOnce) {
  auto accesses = [&](const std::vector<Access> &list) {
    Json j = Json::array();
    for (const Access &a : list)
      j.push_back(Json::array({values[a.value], a.bytes}));
    return j;
  };
  Json j = {{"name", name},
            {"reads", accesses(s.reads)},
            {"writes", accesses(s.writes)},
            {"cost", s.cost}};
  if (s.scratch)
    j["scratch"] = s.scratch;
  if (runsOnce)
    j["recomputable"] = false;
  if (s.pin != Pin::None)
    j["pin"] = ::toString(s.pin);
  return j;
}

std::string
pebble::game::writeProblemJson(const Problem &p,
                               const std::vector<Update> &updates,
                               const std::vector<std::string> &runOnce) {
  std::vector<std::string> storages = uniqueNames(p.storages),
                           values = uniqueNames(p.values),
                           steps = uniqueNames(p.steps);
  Json root;
  root["name"] = p.name;
  root["hierarchy"] = writeHierarchy(p.hierarchy);
  root["storages"] = Json::array();
  for (size_t i = 0; i < p.storages.size(); ++i) {
    const Storage &s = p.storages[i];
    Json j = {
        {"name", storages[i]}, {"bytes", s.bytes}, {"footprint", s.footprint}};
    if (s.initial)
      j["initial"] = true;
    if (s.pinned)
      j["pinned"] = true;
    root["storages"].push_back(j);
  }
  root["values"] = Json::array();
  for (size_t i = 0; i < p.values.size(); ++i) {
    const Value &v = p.values[i];
    Json j = {{"name", values[i]}, {"storage", storages[v.storage]}};
    if (v.overwrites != kNone)
      j["overwrites"] = values[v.overwrites];
    if (v.required)
      j["required"] = true;
    if (!v.offloadable)
      j["offloadable"] = false;
    root["values"].push_back(j);
  }
  for (const Update &update : updates) {
    Json &j = root["values"][update.value];
    j["out_of_place"] = true;
    if (update.copies)
      j["copy_cost"] = update.copyCost;
  }
  root["steps"] = Json::array();
  for (size_t i = 0; i < p.steps.size(); ++i) {
    const bool runsOnce =
        runOnce.empty() ? !p.steps[i].recomputable : !runOnce[i].empty();
    root["steps"].push_back(writeStep(p.steps[i], steps[i], values, runsOnce));
  }
  root["precedences"] = Json::array();
  for (const Precedence &d : p.precedences) {
    Json j = {{"before", steps[d.before]},
              {"after", steps[d.after]},
              {"kind", toString(d.kind)}};
    if (d.storage != kNone)
      j["storage"] = storages[d.storage];
    root["precedences"].push_back(j);
  }
  return toText(root, 1) + "\n";
}

std::string pebble::game::writeProblemText(const Problem &p) {
  std::ostringstream os;
  os << "problem " << (p.name.empty() ? "(unnamed)" : p.name) << ": "
     << p.steps.size() << " steps, " << p.values.size() << " values, "
     << p.storages.size() << " storages\n";
  for (const Tier &t : p.hierarchy.tiers) {
    os << "tier " << t.name
       << (t.kind == TierKind::Cache ? " cache" : " explicit");
    if (t.capacity != kUnbounded)
      os << " capacity " << t.capacity;
    os << "\n";
  }
  for (const Storage &s : p.storages)
    if (s.initial)
      os << "initial " << s.name << " " << s.footprint
         << (s.pinned ? " pinned" : "") << "\n";
  for (size_t i = 0; i < p.steps.size(); ++i) {
    const Step &s = p.steps[i];
    os << i << " " << s.name << "(";
    const char *separator = "";
    for (const Access &a : s.reads) {
      os << separator << p.values[a.value].name;
      separator = ", ";
    }
    os << ") ->";
    for (const Access &a : s.writes) {
      const Value &v = p.values[a.value];
      os << " " << v.name;
      if (v.overwrites != kNone)
        os << " over " << p.values[v.overwrites].name;
      else
        os << ":" << p.storages[v.storage].footprint;
      if (v.required)
        os << " required";
    }
    os << " cost " << s.cost;
    if (s.scratch)
      os << " scratch " << s.scratch;
    if (!s.recomputable)
      os << " once";
    if (s.pin != Pin::None)
      os << " pin " << ::toString(s.pin);
    os << "\n";
  }
  for (const Precedence &d : p.precedences) {
    os << p.steps[d.before].name << " before " << p.steps[d.after].name << " ("
       << toString(d.kind);
    if (d.storage != kNone)
      os << " on " << p.storages[d.storage].name;
    os << ")\n";
  }
  return os.str();
}
