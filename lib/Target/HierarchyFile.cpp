//===- HierarchyFile.cpp - machines by name or from a file ----------------===//

#include "pebble/Target/HierarchyFile.h"

#include "pebble/Dialect/Figures.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <functional>
#include <initializer_list>
#include <set>
#include <sstream>
#include <sys/stat.h>
#include <utility>

using namespace pebble;

namespace {

struct Unit {
  const char *name;
  int64_t bytes;
};
constexpr std::array<Unit, 8> kUnits = {{{"", 1},
                                         {"B", 1},
                                         {"KB", 1000},
                                         {"MB", 1000000},
                                         {"GB", 1000000000},
                                         {"KiB", int64_t(1) << 10},
                                         {"MiB", int64_t(1) << 20},
                                         {"GiB", int64_t(1) << 30}}};

bool isWordChar(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
         (c >= '0' && c <= '9') || c == '_' || c == '.' || c == '-';
}

/// Reads one hierarchy. After the first error nothing is read.
class Parser {
public:
  explicit Parser(const std::string &text) : text(text) {
    // The mark that some editors write in front of UTF-8.
    if (text.compare(0, 3, "\xEF\xBB\xBF") == 0)
      at = 3;
  }

  FoundTarget run() {
    expect("#pebble.hierarchy");
    expect("<");
    parseTiers();
    while (isGood() && take(","))
      parseField("the hierarchy", {{"inclusion", inclusion()},
                                   {"compute", number(machine.compute)},
                                   {"speed", number(machine.speed)},
                                   {"name", string(machine.name)},
                                   {"topology", topology()}});
    expect(">");
    skipBlanks();
    if (isGood() && at < text.size())
      fail("nothing may stand behind the hierarchy");
    if (isGood())
      checkTogether();
    if (!isGood())
      return {std::nullopt, error};
    return {std::move(machine), ""};
  }

private:
  /// Reads the value of a field; false: what stands there is none.
  struct Field {
    std::function<bool()> read;
    std::string wanted;
  };
  using Fields = std::vector<std::pair<std::string, Field>>;

  bool isGood() const { return error.empty(); }

  void fail(const std::string &message) {
    if (!isGood())
      return;
    const auto line =
        1 + std::count(text.begin(),
                       text.begin() + static_cast<std::ptrdiff_t>(at), '\n');
    error = "line " + std::to_string(line) + ": " + message;
  }

  void skipBlanks() {
    while (at < text.size()) {
      if (text.compare(at, 2, "//") == 0)
        at = std::min(text.find('\n', at), text.size());
      else if (std::strchr(" \t\r\n", text[at]))
        ++at;
      else
        return;
    }
  }

  bool take(const std::string &token) {
    skipBlanks();
    if (text.compare(at, token.size(), token) != 0)
      return false;
    at += token.size();
    return true;
  }

  void expect(const std::string &token) {
    if (isGood() && !take(token))
      fail("expected '" + token + (token.size() > 1 ? "<[...]>'" : "'"));
  }

  std::string takeWord() {
    skipBlanks();
    const size_t begin = at;
    while (at < text.size() && isWordChar(text[at]))
      ++at;
    return text.substr(begin, at - begin);
  }

  bool takeString(std::string &into) {
    if (!take("\""))
      return false;
    const size_t end = text.find_first_of("\"\n\\", at);
    if (end == std::string::npos || text[end] != '"')
      return false;
    into = text.substr(at, end - at);
    at = end + 1;
    return true;
  }

  /// A whole number, with one of the units behind it if `hasUnits`.
  bool takeNumber(int64_t &into, bool hasUnits) {
    const std::string word = takeWord();
    size_t digits = 0;
    int64_t value = 0;
    for (; digits < word.size() && word[digits] >= '0' && word[digits] <= '9';
         ++digits)
      if (__builtin_mul_overflow(value, 10, &value) ||
          __builtin_add_overflow(value, word[digits] - '0', &value))
        return false;
    const std::string name = word.substr(digits);
    if (digits == 0 || (!hasUnits && !name.empty()))
      return false;
    for (const Unit &unit : kUnits)
      if (name == unit.name)
        return !__builtin_mul_overflow(value, unit.bytes, &into);
    return false;
  }

  Field number(int64_t &into) {
    return {[this, &into] { return takeNumber(into, false); },
            "a whole number of 0 or more"};
  }
  Field latency(int64_t &into) {
    return {[this, &into] {
              return takeNumber(into, false) && into <= kLongestLatency;
            },
            "a whole number of nanoseconds of 0 or more, at most 10^15"};
  }
  Field bytes(int64_t &into) {
    return {[this, &into] { return takeNumber(into, true) && into > 0; },
            "a number of bytes above 0, with KB, MB, GB, KiB, MiB or GiB "
            "behind it or not"};
  }
  Field string(std::string &into) {
    return {[this, &into] { return takeString(into); }, "a name in quotes"};
  }
  Field choice(bool &into, const char *no, const char *yes) {
    return {[this, &into, no, yes] {
              const std::string word = takeWord();
              into = word == yes;
              return into || word == no;
            },
            std::string(no) + " or " + yes};
  }
  Field inclusion() {
    return choice(machine.inclusive, "exclusive", "inclusive");
  }

  /// NAME = VALUE.
  void parseField(const std::string &of, const Fields &fields) {
    const std::string name = takeWord();
    std::string names;
    for (const auto &[known, field] : fields) {
      names += (names.empty() ? "" : ", ") + known;
      if (known != name)
        continue;
      if (!said.insert(of + "." + name).second)
        return fail(of + " has '" + name + "' twice");
      expect("=");
      if (isGood() && !field.read())
        fail("'" + name + "' is " + field.wanted);
      return;
    }
    fail(of + " has no '" + name + "', but " + names);
  }

  void parseTiers() {
    expect("[");
    do
      parseTier();
    while (isGood() && take(","));
    expect("]");
  }

  void parseTier() {
    take("#pebble.tier");
    expect("<");
    PresetTier tier;
    if (isGood() && (!takeString(tier.name) || tier.name.empty()))
      return fail("a tier begins with its name in quotes");
    const std::string of = "tier '" + tier.name + "'";
    for (const PresetTier &other : machine.tiers)
      if (other.name == tier.name)
        return fail("[D5] two tiers are named '" + tier.name + "'");
    while (isGood() && take(","))
      parseField(of, {{"kind", choice(tier.isCache, "explicit", "cache")},
                      {"capacity", bytes(tier.capacity)},
                      {"read", number(tier.read)},
                      {"write", number(tier.write)},
                      {"bandwidth", number(tier.bandwidth)},
                      {"latency", latency(tier.latency)}});
    expect(">");
    if (isGood() && !said.count(of + ".kind"))
      fail(of + " needs kind = cache or kind = explicit");
    if (isGood() && tier.isCache && !said.count(of + ".capacity"))
      fail("[D3] cache " + of + " needs a capacity");
    machine.tiers.push_back(std::move(tier));
  }

  Field topology() {
    return {[this] {
              parseTopology();
              return true;
            },
            "<[...], ranks = N>"};
  }

  void parseTopology() {
    take("#pebble.topology");
    expect("<");
    expect("[");
    do
      parseGroup();
    while (isGood() && take(","));
    expect("]");
    while (isGood() && take(","))
      parseField("the topology",
                 {{"ranks", number(machine.ranks)}, {"places", places()}});
    expect(">");
    if (isGood() && !said.count("the topology.ranks"))
      fail("the topology needs ranks = N");
    if (isGood())
      checkTopology();
  }

  void parseGroup() {
    take("#pebble.group");
    expect("<");
    PresetGroup group;
    if (isGood() && (!takeString(group.name) || group.name.empty()))
      return fail("[D59] a group begins with its name in quotes");
    const std::string of = "group '" + group.name + "'";
    for (const PresetGroup &other : machine.groups)
      if (other.name == group.name)
        return fail("[D59] two groups are named '" + group.name + "'");
    while (isGood() && take(","))
      parseField(of, {{"size", number(group.size)},
                      {"bandwidth", number(group.bandwidth)},
                      {"latency", latency(group.latency)},
                      {"energy", number(group.energy)}});
    expect(">");
    if (isGood() && group.bandwidth == 0)
      fail("[D60] " + of + " needs a bandwidth above 0, which prices messages");
    constexpr int64_t kMostRanks = 1 << 20;
    if (isGood() && (group.size < 1 || group.size > kMostRanks))
      fail("[D61] " + of + " has " + std::to_string(group.size) +
           " ranks, but a group has 1 to " + std::to_string(kMostRanks));
    machine.groups.push_back(std::move(group));
  }

  Field places() {
    return {[this] {
              if (!take("["))
                return false;
              do
                if (!takeNumber(machine.places.emplace_back(), false))
                  return false;
              while (take(","));
              return take("]");
            },
            "[0, 1, ...]: the place of each rank"};
  }

  /// Rules D61 to D63.
  void checkTopology() {
    const PresetGroup *smaller = nullptr;
    for (const PresetGroup &group : machine.groups) {
      if (smaller &&
          (group.size <= smaller->size || group.size % smaller->size != 0))
        return fail("[D61] group '" + group.name + "' of " +
                    std::to_string(group.size) +
                    " ranks does not consist of several groups '" +
                    smaller->name + "' of " + std::to_string(smaller->size));
      smaller = &group;
    }
    const std::string size = std::to_string(smaller->size);
    if (machine.ranks < 1)
      return fail("[D62] a topology has at least 1 rank");
    if (machine.ranks > smaller->size)
      return fail("[D62] there is no route from rank 0 to rank " + size +
                  ": the widest group '" + smaller->name + "' has " + size +
                  " of " + std::to_string(machine.ranks) + " ranks");
    if (machine.places.empty())
      return;
    if (static_cast<int64_t>(machine.places.size()) != machine.ranks)
      return fail("[D63] the topology has " +
                  std::to_string(machine.places.size()) + " places for " +
                  std::to_string(machine.ranks) + " ranks");
    std::set<int64_t> taken;
    for (int64_t place : machine.places)
      if (place >= smaller->size || !taken.insert(place).second)
        return fail("[D63] place " + std::to_string(place) +
                    " is taken twice, or not below " + size);
  }

  /// Rules D6 to D8.
  void checkTogether() {
    const PresetTier *faster = nullptr;
    for (const PresetTier &tier : machine.tiers) {
      if (tier.isCache && faster && !faster->isCache)
        return fail("[D7] cache tier '" + tier.name +
                    "' comes after explicit tier '" + faster->name +
                    "', but caches come first");
      if (tier.isCache && faster && machine.inclusive &&
          tier.capacity <= faster->capacity)
        return fail("[D8] inclusive cache tier '" + tier.name +
                    "' must be larger than '" + faster->name +
                    "', which it includes");
      faster = &tier;
    }
    if (faster->isCache)
      fail("[D6] a hierarchy needs an explicit tier, in which operations find "
           "their operands");
  }

  const std::string &text;
  size_t at = 0;
  Preset machine;
  std::string error;
  /// Fields that were read, as OF.NAME.
  std::set<std::string> said;
};

std::string writeBytes(int64_t bytes) {
  for (auto unit = kUnits.rbegin(); unit->bytes > 1; ++unit)
    if (std::string(unit->name).size() == 3 && bytes % unit->bytes == 0)
      return std::to_string(bytes / unit->bytes) + unit->name;
  return std::to_string(bytes);
}

/// The names of all presets, for an error.
std::string listNames() {
  std::string list;
  for (std::string_view name : getPresetNames())
    list.append(list.empty() ? "'" : ", '").append(name).append("'");
  return list;
}

} // namespace

FoundTarget pebble::parseHierarchy(const std::string &text) {
  return Parser(text).run();
}

FoundTarget pebble::findTarget(const std::string &nameOrFile) {
  if (std::optional<Preset> preset = getPresetTable(nameOrFile))
    return {std::move(preset), ""};
  struct stat status;
  if (stat(nameOrFile.c_str(), &status) != 0)
    return {std::nullopt,
            (nameOrFile.empty()
                 ? "no machine is named"
                 : "there is no machine called '" + nameOrFile + "'") +
                "; there is " + listNames() +
                (nameOrFile.empty() ? "" : ", and no file of that name")};
  if (S_ISDIR(status.st_mode))
    return {std::nullopt, "'" + nameOrFile +
                              "' is a directory, and no file with a hierarchy"};
  std::ifstream file(nameOrFile);
  std::stringstream text;
  if (!file || (file.peek() != EOF && !(text << file.rdbuf())))
    return {std::nullopt,
            "cannot read '" + nameOrFile + "': " + std::strerror(errno)};
  FoundTarget found = parseHierarchy(text.str());
  if (!found.machine)
    found.error = "'" + nameOrFile + "' holds no hierarchy: " + found.error;
  return found;
}

static void
writeFigures(std::ostream &os,
             std::initializer_list<std::pair<const char *, int64_t>> figures) {
  for (auto [name, figure] : figures)
    if (figure)
      os << ", " << name << " = " << figure;
}

static void writeTopology(std::ostream &os, const Preset &machine) {
  os << ", topology = <[";
  const char *before = "\n  ";
  for (const PresetGroup &group : machine.groups) {
    os << before << "<\"" << group.name << "\", size = " << group.size;
    writeFigures(os, {{"bandwidth", group.bandwidth},
                      {"latency", group.latency},
                      {"energy", group.energy}});
    os << ">";
    before = ",\n  ";
  }
  os << "\n], ranks = " << machine.ranks;
  before = ", places = [";
  for (int64_t place : machine.places) {
    os << before << place;
    before = ", ";
  }
  os << (machine.places.empty() ? ">" : "]>");
}

std::string pebble::writeHierarchy(const Preset &machine) {
  std::ostringstream os;
  os << "#pebble.hierarchy<[";
  const char *before = "\n  ";
  for (const PresetTier &tier : machine.tiers) {
    os << before << "<\"" << tier.name
       << "\", kind = " << (tier.isCache ? "cache" : "explicit");
    if (tier.capacity != INT64_MAX)
      os << ", capacity = " << writeBytes(tier.capacity);
    writeFigures(os, {{"read", tier.read},
                      {"write", tier.write},
                      {"bandwidth", tier.bandwidth},
                      {"latency", tier.latency}});
    os << ">";
    before = ",\n  ";
  }
  os << "\n]";
  if (machine.inclusive)
    os << ", inclusion = inclusive";
  if (machine.compute)
    os << ", compute = " << machine.compute;
  if (machine.speed)
    os << ", speed = " << machine.speed;
  os << ", name = \"" << machine.name << "\"";
  if (!machine.groups.empty())
    writeTopology(os, machine);
  os << ">\n";
  return os.str();
}

std::string pebble::listTargets() {
  std::string text =
      "Machines for --target, by name. Energies (read, write) are in "
      "femtojoules per\nbyte, bandwidths in MB/s, latencies in nanoseconds; "
      "compute is in femtojoules per\narithmetic operation, speed in "
      "arithmetic "
      "operations per second. docs/Targets.md\nsays where the figures come "
      "from.\n";
  for (std::string_view name : getPresetNames()) {
    text.append("\n").append(name).append(":\n");
    text += writeHierarchy(*getPresetTable(name));
  }
  text += "\nA machine of your own: put what stands above behind a name into a "
          "file, with your\nfigures, and say --target=FILE.\n";
  return text;
}
