//===- Addresses.cpp - the problem of placing buffers, and its judge ------===//

#include "pebble/Solver/Addresses/Addresses.h"

#include <algorithm>
#include <charconv>
#include <map>
#include <sstream>
#include <tuple>
#include <unordered_set>

namespace pebble::addresses {

/// All sizes together stay below this, so that no sum of offsets overflows.
static constexpr int64_t kMostBytes = int64_t(1) << 61;

static std::string quote(const std::string &name) { return "'" + name + "'"; }

std::string check(const std::vector<Buffer> &buffers) {
  int64_t total = 0;
  for (const Buffer &buffer : buffers) {
    if (buffer.size < 0)
      return "the size of buffer " + quote(buffer.name) + " is negative";
    if (buffer.upper < buffer.lower)
      return "buffer " + quote(buffer.name) + " ends before it begins";
    if (buffer.size > kMostBytes - total)
      return "the sizes up to buffer " + quote(buffer.name) +
             " are more than 2^61 bytes together";
    total += buffer.size;
  }
  return "";
}

namespace {
/// Births and deaths in the order of time; at one time, deaths first.
struct Event {
  int64_t time;
  bool isBirth;
  size_t buffer;

  bool operator<(const Event &other) const {
    return std::tie(time, isBirth, buffer) <
           std::tie(other.time, other.isBirth, other.buffer);
  }
};
} // namespace

static std::vector<Event> getEvents(const std::vector<Buffer> &buffers) {
  std::vector<Event> events;
  for (size_t i = 0; i < buffers.size(); ++i)
    if (buffers[i].size > 0 && buffers[i].lower < buffers[i].upper) {
      events.push_back({buffers[i].lower, true, i});
      events.push_back({buffers[i].upper, false, i});
    }
  std::sort(events.begin(), events.end());
  return events;
}

int64_t getPeak(const std::vector<Buffer> &buffers) {
  int64_t live = 0, peak = 0;
  for (const Event &event : getEvents(buffers)) {
    int64_t size = buffers[event.buffer].size;
    live += event.isBirth ? size : -size;
    peak = std::max(peak, live);
  }
  return peak;
}

Judgement verify(const std::vector<Buffer> &buffers,
                 const std::vector<int64_t> &offsets, int64_t alignment,
                 std::optional<int64_t> capacity) {
  Judgement result;
  auto bad = [&](std::string message) {
    result.error = std::move(message);
    return result;
  };
  if (offsets.size() != buffers.size())
    return bad("there are " + std::to_string(offsets.size()) + " offsets for " +
               std::to_string(buffers.size()) + " buffers");
  // Live buffers by offset.
  std::map<int64_t, size_t> live;
  for (const Event &event : getEvents(buffers)) {
    const Buffer &buffer = buffers[event.buffer];
    int64_t offset = offsets[event.buffer];
    if (!event.isBirth) {
      live.erase(offset);
      continue;
    }
    if (offset < 0)
      return bad("the offset of buffer " + quote(buffer.name) + " is negative");
    if (offset % alignment != 0)
      return bad("the offset " + std::to_string(offset) + " of buffer " +
                 quote(buffer.name) + " is no multiple of " +
                 std::to_string(alignment));
    if (offset > INT64_MAX - buffer.size)
      return bad("buffer " + quote(buffer.name) + " ends beyond 64 bits");
    auto next = live.lower_bound(offset);
    if (next != live.end() && next->first < offset + buffer.size)
      return bad("buffer " + quote(buffer.name) + " overlaps buffer " +
                 quote(buffers[next->second].name));
    if (next != live.begin()) {
      auto [below, other] = *std::prev(next);
      if (below + buffers[other].size > offset)
        return bad("buffer " + quote(buffer.name) + " overlaps buffer " +
                   quote(buffers[other].name));
    }
    live.emplace(offset, event.buffer);
    result.extent = std::max(result.extent, offset + buffer.size);
    if (capacity && offset + buffer.size > *capacity)
      return bad("buffer " + quote(buffer.name) + " ends at " +
                 std::to_string(offset + buffer.size) + ", capacity " +
                 std::to_string(*capacity));
  }
  return result;
}

//===----------------------------------------------------------------------===//
// Text
//===----------------------------------------------------------------------===//

static std::vector<std::string> splitLine(std::string line) {
  if (!line.empty() && line.back() == '\r')
    line.pop_back();
  std::vector<std::string> fields(1);
  for (char c : line) {
    if (c == ',')
      fields.emplace_back();
    else
      fields.back() += c;
  }
  return fields;
}

static bool readNumber(const std::string &text, int64_t &number) {
  const char *end = text.data() + text.size();
  auto [at, error] = std::from_chars(text.data(), end, number);
  return error == std::errc() && at == end;
}

ParsedBuffers readCsv(const std::string &text) {
  ParsedBuffers result;
  std::istringstream lines(text);
  std::string line;
  size_t number = 0;
  std::map<std::string, size_t> columns;
  std::unordered_set<std::string> names;
  std::vector<Buffer> buffers;
  while (std::getline(lines, line)) {
    ++number;
    std::vector<std::string> fields = splitLine(line);
    if (fields.size() == 1 && fields[0].empty())
      continue;
    std::string place = "line " + std::to_string(number) + ": ";
    if (columns.empty()) {
      for (size_t i = 0; i < fields.size(); ++i)
        if (!columns.emplace(fields[i], i).second) {
          result.error = place;
          result.error += "the column '" + fields[i] + "' exists twice";
          return result;
        }
      for (const char *name : {"id", "lower", "upper", "size"})
        if (!columns.count(name)) {
          result.error = place;
          result.error += std::string("there is no column '") + name + "'";
          return result;
        }
      continue;
    }
    if (fields.size() != columns.size()) {
      result.error = place;
      result.error += "has " + std::to_string(fields.size()) +
                      " fields, the header " + std::to_string(columns.size());
      return result;
    }
    Buffer buffer;
    buffer.name = fields[columns["id"]];
    if (!names.insert(buffer.name).second) {
      result.error = place;
      result.error += "the id '" + buffer.name + "' exists twice";
      return result;
    }
    for (auto [name, target] :
         {std::pair("lower", &buffer.lower), std::pair("upper", &buffer.upper),
          std::pair("size", &buffer.size)})
      if (const std::string &field = fields[columns[name]];
          !readNumber(field, *target)) {
        result.error = place;
        result.error += std::string(name) + " '" + field + "' is no number";
        return result;
      }
    buffers.push_back(std::move(buffer));
  }
  if (columns.empty())
    result.error = "the file is empty";
  else if (result.error = check(buffers); result.error.empty())
    result.buffers = std::move(buffers);
  return result;
}

std::string writeCsv(const std::vector<Buffer> &buffers,
                     const std::vector<int64_t> &offsets) {
  std::ostringstream out;
  out << "id,lower,upper,size,offset\n";
  for (size_t i = 0; i < buffers.size(); ++i)
    out << buffers[i].name << ',' << buffers[i].lower << ',' << buffers[i].upper
        << ',' << buffers[i].size << ',' << offsets[i] << '\n';
  return out.str();
}

} // namespace pebble::addresses
