//===- PresetTables.cpp - the figures of known machines -------------------===//
//
// Every figure with its source. docs/Targets.md says the same at length; what
// is no published figure is called approximate there and here.
//
//===----------------------------------------------------------------------===//

#include "pebble/Target/PresetTables.h"

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <unistd.h>

using namespace pebble;

namespace {

constexpr int64_t kUnbounded = INT64_MAX;
constexpr int64_t kKiB = 1024;
constexpr int64_t kMiB = 1024 * kKiB;
constexpr int64_t kGiB = 1024 * kMiB;

PresetTier cache(std::string name, int64_t capacity, int64_t energy) {
  return {std::move(name), true, capacity, energy, energy, 0, 0};
}

PresetTier memory(std::string name, int64_t capacity, int64_t read,
                  int64_t write, int64_t bandwidth = 0, int64_t latency = 0) {
  return {std::move(name), false, capacity, read, write, bandwidth, latency};
}

/// cybertronai/SutroYaro, exp_pebble_game: 5, 20, 100 and 640 pJ for a float of
/// 4 bytes; 64 floats of registers, 64 KiB of L1, 256 KiB of L2. Arithmetic is
/// not priced.
Preset sutro() {
  return {"sutro",
          {cache("register", 256, 1250), cache("l1", 64 * kKiB, 5000),
           cache("l2", 256 * kKiB, 25000),
           memory("hbm", kUnbounded, 160000, 160000)}};
}

/// Hong and Kung, "I/O complexity: the red-blue pebble game", STOC 1981: two
/// memories and nothing else. 1 and 100 are a convention of this project.
Preset redBlue() {
  return {
      "red-blue",
      {memory("red", kUnbounded, 1, 1), memory("blue", kUnbounded, 100, 100)}};
}

/// Chen, Emer, Sze, "Eyeriss: a spatial architecture for energy-efficient
/// dataflow for convolutional neural networks", ISCA 2016, Table IV: energy of
/// an access of 16 bits relative to a multiply-accumulate, in a commercial 65
/// nm process: register file 1, array 2, global buffer 6, DRAM 200. The table
/// is relative; the scale of 1 pJ for a multiply-accumulate (two operations) is
/// a convention of this project. Sizes are those of the chip in JSSC 52(1),
/// 2017: 168 elements with 0.5 KiB each, a buffer of 108 KiB.
Preset eyeriss() {
  return {"eyeriss-65nm",
          {cache("rf", 512, 500), cache("array", 168 * 512, 1000),
           cache("buffer", 108 * kKiB, 3000),
           memory("dram", kUnbounded, 100000, 100000)},
          false,
          500};
}

/// Patil et al., "POET: training neural networks on tiny devices with
/// integrated rematerialization and paging", ICML 2022, and its published
/// device table (ShishirPatil/poet, poet/chipsets.py, M4F): an nRF52840 with
/// 256 KiB of RAM pages to an SD card that draws 100 mA at 3.3 V, in at
/// 4,616.51 KB/s and out at 4,440 KB/s with 109 and 113 us to start; 16,283 *
/// 10^5 operations in 255.6237 s at 3.328 mA and 3.3 V. Accesses of RAM are
/// part of the energy of an operation. Whole MB/s and one latency for both
/// directions are what a tier can say.
Preset poet() {
  return {"poet-m4f",
          {memory("ram", 256 * kKiB, 0, 0),
           memory("sd", kUnbounded, 71482570, 74324324, 4, 113000)},
          false,
          1724106,
          6369910};
}

/// The same table, RPi: a Raspberry Pi that pages to an SD card at 30 mA and 5
/// V, in at 45.5 MB/s and out at 24.5 MB/s with 5 and 19 us to start; 16,283 *
/// 10^5 operations in 13.53 s at 0.6 A and 5 V. The table says nothing of the
/// size of its RAM. The bandwidth is that of the slower direction.
Preset poetPi() {
  return {"poet-rpi",
          {memory("ram", kUnbounded, 0, 0),
           memory("sd", kUnbounded, 3296703, 6122449, 24, 19000)},
          false,
          24927839,
          120347376};
}

/// The same table, MKR1000: an ARM Cortex-M0+ without a floating-point unit (32
/// KiB of RAM on the board's chip) and the card of poet-m4f; 2,000 operations
/// in 12 ms at 20 mA and 3.3 V.
Preset poetM0() {
  return {"poet-m0",
          {memory("ram", 32 * kKiB, 0, 0),
           memory("sd", kUnbounded, 71482570, 74324324, 4, 113000)},
          false,
          396000000,
          166666};
}

/// The same table, RPiNoCache: the Raspberry Pi without the write cache, out at
/// 17.1 MB/s with 4.2 ms to start. Nothing else differs in energy.
Preset poetPiUncached() {
  Preset preset = poetPi();
  preset.name = "poet-rpi-nocache";
  preset.tiers[1].write = 8771930;
  preset.tiers[1].bandwidth = 17;
  preset.tiers[1].latency = 4235320;
  return preset;
}

/// Two caches as cachegrind simulates them, priced like those of `sutro`.
Preset cachegrind() {
  return {"cachegrind-64k-256k",
          {cache("d1", 64 * kKiB, 5000), cache("ll", 256 * kKiB, 25000),
           memory("memory", kUnbounded, 160000, 160000)},
          true};
}

/// APPROXIMATE. Sizes and bandwidths from the vendor's data sheet (132
/// multiprocessors with 256 KiB of L1 each, 50 MiB of L2, 80 GB of HBM3 at 3.35
/// TB/s, PCIe 5 x16). Energy of HBM: 3.92 pJ per bit, published for HBM2 in
/// O'Connor et al., "Fine-grained DRAM", MICRO 2017. The caches, the link and
/// arithmetic (board power over peak bf16 rate) are orders of magnitude.
Preset h100() {
  return {"h100-approx",
          {cache("l1", 132 * 256 * kKiB, 2000), cache("l2", 50 * kMiB, 8000),
           memory("hbm", 80 * kGiB, 31360, 31360, 3350000, 600),
           memory("host", kUnbounded, 100000, 100000, 55000, 10000)},
          true,
          700};
}

/// First line of a file; empty if it cannot be read.
std::string readLine(const std::string &path) {
  std::ifstream file(path);
  std::string line;
  std::getline(file, line);
  return line;
}

/// Bytes of this machine's data or unified cache of `level`; 0 if not known.
int64_t hostCacheBytes(int level) {
  const std::string root = "/sys/devices/system/cpu/cpu0/cache/index";
  for (int index = 0; index < 8; ++index) {
    const std::string entry = root + std::to_string(index);
    if (readLine(entry + "/level") != std::to_string(level) ||
        readLine(entry + "/type") == "Instruction")
      continue;
    const std::string size = readLine(entry + "/size");
    char *unit = nullptr;
    const int64_t number = std::strtoll(size.c_str(), &unit, 10);
    return *unit == 'K' ? number * kKiB : *unit == 'M' ? number * kMiB : number;
  }
#ifdef _SC_LEVEL1_DCACHE_SIZE
  const int names[] = {_SC_LEVEL1_DCACHE_SIZE, _SC_LEVEL2_CACHE_SIZE,
                       _SC_LEVEL3_CACHE_SIZE};
  const int64_t size = sysconf(names[level - 1]);
  return size > 0 ? size : 0;
#else
  return 0;
#endif
}

/// This machine. Capacities from the system. Energies APPROXIMATE: Horowitz,
/// "Computing's energy problem", ISSCC 2014, 45 nm, for 64 bits: 20 pJ from 32
/// KiB, 100 pJ from 1 MiB, 1.3 nJ from DRAM at least; the third cache is taken
/// as twice the second. Arithmetic: the mean of an addition (0.9 pJ) and a
/// multiplication (3.7 pJ) of 32-bit floats. The disk is an order of magnitude:
/// a solid-state drive of 8 W that reads 6.4 GB/s and writes 3.2 GB/s. How fast
/// its tiers are is for a profile to say.
Preset host() {
  Preset preset{"host", {}, true, 2300};
  const int64_t energies[] = {2500, 12500, 25000};
  int64_t last = 0;
  for (int level = 1; level <= 3; ++level) {
    // A system that reports a smaller cache behind a larger one is not
    // believed.
    const int64_t size = hostCacheBytes(level);
    if (size <= last)
      continue;
    preset.tiers.push_back(
        cache("l" + std::to_string(level), size, energies[level - 1]));
    last = size;
  }
  const int64_t pages = sysconf(_SC_PHYS_PAGES), page = sysconf(_SC_PAGE_SIZE);
  const int64_t bytes = pages > 0 && page > 0 ? pages * page : kUnbounded;
  preset.tiers.push_back(memory("ram", bytes, 162500, 162500));
  preset.tiers.push_back(memory("disk", kUnbounded, 1250000, 2500000));
  return preset;
}

/// One host that runs `processes`, each with its share of the memory.
/// APPROXIMATE: a message is copied into memory that both share, and out of it:
/// four accesses of RAM for each byte, at 25.6 GB/s (one channel of DDR4-3200,
/// JEDEC JESD79-4) and at the energy of the host's RAM. The latency is an order
/// of magnitude.
Preset hostOf(int64_t processes) {
  Preset preset = host();
  preset.name = "host-" + std::to_string(processes);
  for (PresetTier &tier : preset.tiers)
    if (tier.name == "ram" && tier.capacity != kUnbounded)
      tier.capacity = std::max<int64_t>(tier.capacity / processes, 1);
  preset.groups = {{"host", processes, 6400, 500, 4 * 162500}};
  preset.ranks = processes;
  return preset;
}
Preset fourProcesses() { return hostOf(4); }

/// Eight of `h100-approx`. APPROXIMATE. Data sheet of the DGX H100: NVLink of
/// 900 GB/s for each device, both directions together. Energy: 1.3 pJ per bit,
/// published for NVLink-C2C (Grace Hopper architecture white paper, 2022), once
/// to the switch and once from it. The latency is an order of magnitude.
Preset h100Node() {
  Preset preset = h100();
  preset.name = "h100-node";
  preset.groups = {{"node", 8, 450000, 1000, 20800}};
  preset.ranks = 8;
  return preset;
}

/// 32 such nodes, the scalable unit of a DGX SuperPOD. APPROXIMATE. Reference
/// architecture of the DGX SuperPOD with H100: one adapter of 400 Gb/s for each
/// device. Energy: two adapters of 25 W at that rate, and half as much again
/// for the switches between them; like the latency an order of magnitude.
Preset h100Pod() {
  Preset preset = h100Node();
  preset.name = "h100-pod";
  preset.groups.push_back({"pod", 256, 50000, 5000, 1500000});
  preset.ranks = 256;
  return preset;
}

/// N of a name `host-N`; 0 for other names.
int64_t getProcesses(std::string_view name) {
  constexpr std::string_view kPrefix = "host-";
  if (name.substr(0, kPrefix.size()) != kPrefix || name.size() > 9 ||
      name.size() == kPrefix.size() || name[kPrefix.size()] == '0')
    return 0;
  int64_t processes = 0;
  for (char digit : name.substr(kPrefix.size())) {
    if (digit < '0' || digit > '9')
      return 0;
    processes = 10 * processes + (digit - '0');
  }
  return processes <= kMostProcesses ? processes : 0;
}

struct Entry {
  std::string_view name;
  Preset (*make)();
};
constexpr Entry kPresets[] = {{"sutro", sutro},
                              {"red-blue", redBlue},
                              {"eyeriss-65nm", eyeriss},
                              {"poet-m4f", poet},
                              {"poet-rpi", poetPi},
                              {"poet-m0", poetM0},
                              {"poet-rpi-nocache", poetPiUncached},
                              {"host", host},
                              {"cachegrind-64k-256k", cachegrind},
                              {"h100-approx", h100},
                              {"host-4", fourProcesses},
                              {"h100-node", h100Node},
                              {"h100-pod", h100Pod}};

} // namespace

const std::vector<std::string_view> &pebble::getPresetNames() {
  static const std::vector<std::string_view> names = [] {
    std::vector<std::string_view> result;
    for (const Entry &entry : kPresets)
      result.push_back(entry.name);
    return result;
  }();
  return names;
}

std::optional<Preset> pebble::getPresetTable(std::string_view name) {
  for (const Entry &entry : kPresets)
    if (entry.name == name)
      return entry.make();
  if (const int64_t processes = getProcesses(name))
    return hostOf(processes);
  return std::nullopt;
}
