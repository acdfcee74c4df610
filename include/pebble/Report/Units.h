//===- Units.h - figures with units, for people -----------------*- C++ -*-===//

#ifndef PEBBLE_REPORT_UNITS_H
#define PEBBLE_REPORT_UNITS_H

#include <cstdint>
#include <string>

namespace pebble {

/// "1,234,567".
std::string withSeparators(int64_t value);
/// "5.6 MiB"; exact below 10 KiB.
std::string formatBytes(int64_t bytes);
/// Picojoules with separators, or microjoules where that is long.
std::string formatEnergy(int64_t femtojoules);
/// "850 ns", "1.20 ms", "3.4 s": three digits.
std::string formatTime(int64_t nanoseconds);

/// Whole nanoseconds of a time; the largest number where they are more.
int64_t toNanoseconds(double seconds);

} // namespace pebble

#endif // PEBBLE_REPORT_UNITS_H
