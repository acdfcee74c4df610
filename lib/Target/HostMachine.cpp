//===- HostMachine.cpp - the machine that this process runs on ------------===//

#include "pebble/Target/CostProfile.h"

#include "pebble/Target/PresetTables.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Support/xxhash.h"
#include "llvm/TargetParser/Host.h"

#include <fstream>
#include <thread>

using namespace pebble;

/// "Intel(R) Xeon(R) ...": what the system says, else what LLVM calls it.
static std::string getModelName() {
  std::ifstream file("/proc/cpuinfo");
  std::string line;
  while (std::getline(file, line)) {
    auto [key, value] = llvm::StringRef(line).split(':');
    if (key.trim() == "model name")
      return value.trim().str();
  }
  return llvm::sys::getHostCPUName().str();
}

Machine Machine::getHost() {
  Machine machine;
  machine.cpu = getModelName();
  std::string text;
  llvm::raw_string_ostream os(text);
  os << machine.cpu << ";" << llvm::sys::getHostCPUName() << ";"
     << std::thread::hardware_concurrency();
  if (std::optional<Preset> host = getPresetTable("host"))
    for (const PresetTier &tier : host->tiers)
      if (tier.isCache)
        os << ";" << tier.name << "=" << tier.capacity;
  std::vector<std::string> features;
  for (const auto &feature : llvm::sys::getHostCPUFeatures())
    if (feature.second)
      features.push_back(feature.first().str());
  llvm::sort(features);
  for (const std::string &feature : features)
    os << ";" << feature;
  machine.fingerprint = llvm::utohexstr(llvm::xxh3_64bits(text),
                                        /*LowerCase=*/true, /*Width=*/16);
  return machine;
}
