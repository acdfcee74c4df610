//===- steps.cpp - calls a step many times, with a slower tier ------------===//
//
// usage: steps COUNT [--slow-weights] [--slow-dir=DIR] [--no-overlap]
//              [--at=N COMMAND]
//
// Trains sparse parity for COUNT steps on samples that are the same everywhere,
// and prints a hash of all weights and what the meter read. Tier 0 is memory;
// tier 1 is memory or, with --slow-dir, files. With --slow-weights the step
// takes the weights of the large layers in tier 1. After step N the shell runs
// COMMAND, which may do harm. Built by build.sh, as the other drivers.
//
//===----------------------------------------------------------------------===//

#include "step.h"

#include "pebble/Runtime/Runtime.h"

#include <cinttypes>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

namespace {
constexpr int inputs = 20, hidden = 1000;

/// A well-mixed number: the same on every machine.
uint64_t draw(uint64_t &state) {
  uint64_t z = (state += 0x9E3779B97F4A7C15u);
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
  return z ^ (z >> 31);
}

struct Program {
  int64_t steps = 1;
  bool slowWeights = false;
  int64_t at = -1;
  std::string command;
};

class Training {
public:
  explicit Training(const Program &program) : program(program) {
    int32_t weights = program.slowWeights ? 1 : 0;
    W1 = make("W1", hidden * inputs, weights, 0.4f);
    b1 = make("b1", hidden, 0, 0);
    W2 = make("W2", hidden, weights, 0.05f);
    b2 = make("b2", 1, 0, 0);
    x = make("x", inputs, 0, 1);
    y = make("y", 1, 0, 1);
  }

  void run() {
    for (int64_t i = 0; i < program.steps; ++i) {
      step();
      if (i == program.at && std::system(program.command.c_str()) != 0)
        pebble_rt_fail("the command failed");
    }
  }

  /// FNV-1a over the bits of all weights.
  uint64_t hash() const {
    uint64_t value = 14695981039346656037u;
    for (const Vector &v : {W1, b1, W2, b2}) {
      std::vector<unsigned char> bytes(v.sizes[0] * sizeof(float));
      pebble_rt_read(bytes.data(), v.aligned, int64_t(bytes.size()));
      for (unsigned char byte : bytes)
        value = (value ^ byte) * 1099511628211u;
    }
    return value;
  }

  void release() {
    for (const Vector &v : {W1, b1, W2, b2, x, y})
      pebble_rt_free(v.allocated);
  }

private:
  Vector make(const char *name, int64_t count, int32_t tier, float scale) {
    std::vector<float> values(count);
    for (float &value : values)
      value =
          scale * float(int64_t(draw(random) >> 40) - (1 << 23)) / (1 << 23);
    auto *data =
        static_cast<float *>(pebble_rt_alloc(tier, count * sizeof(float)));
    pebble_rt_name(data, name);
    pebble_rt_write(data, values.data(), count * int64_t(sizeof(float)));
    return {data, data, 0, {count}, {1}};
  }

  void step() {
    // Three secret bits of an input of -1 and 1.
    uint64_t bits = draw(random);
    for (int i = 0; i < inputs; ++i)
      x.aligned[i] = bits >> i & 1 ? 1.0f : -1.0f;
    y.aligned[0] = x.aligned[2] * x.aligned[7] * x.aligned[11];
    Matrix m = {W1.allocated, W1.aligned, 0, {hidden, inputs}, {inputs, 1}};
#ifdef DONATED_TENSORS
    Weights updated;
    _mlir_ciface_train_step(&updated, &m, &b1, &W2, &b2, &x, &y);
    if (updated.W1.aligned != W1.aligned || updated.W2.aligned != W2.aligned)
      pebble_rt_fail("a weight is not where it was");
#else
    _mlir_ciface_train_step(&m, &b1, &W2, &b2, &x, &y);
#endif
  }

  const Program &program;
  uint64_t random = 1;
  Vector W1, b1, W2, b2, x, y;
};

} // namespace

int main(int argc, char **argv) {
  Program program;
  std::string slowDir;
  for (int i = 1; i < argc; ++i) {
    std::string option = argv[i];
    if (option == "--slow-weights") {
      program.slowWeights = true;
    } else if (option == "--no-overlap") {
      pebble_rt_set_overlap(0);
    } else if (option.compare(0, 11, "--slow-dir=") == 0) {
      slowDir = option.substr(11);
    } else if (option.compare(0, 5, "--at=") == 0 && i + 1 < argc) {
      program.at = std::atoll(argv[i] + 5);
      program.command = argv[++i];
    } else {
      program.steps = std::atoll(argv[i]);
    }
  }
  pebble_rt_add_tier("fast", PEBBLE_RT_UNBOUNDED, PEBBLE_RT_MEMORY);
  pebble_rt_add_tier("slow", int64_t(1) << 30,
                     slowDir.empty() ? PEBBLE_RT_MEMORY : PEBBLE_RT_FILE);
  pebble_rt_set_slow_dir(slowDir.c_str());
  if (!slowDir.empty() && pebble_rt_open_slow_dir()) {
    std::fprintf(stderr, "error: %s\n", pebble_rt_error());
    return 1;
  }

  uint64_t hash = 0;
  struct Context {
    const Program &program;
    uint64_t &hash;
  } context = {program, hash};
  // What a training program would do to keep what it has: an error comes back
  // here, the weights in memory are as they were, and so is the meter.
  int failed = pebble_rt_call(
      [](void *argument) {
        auto *c = static_cast<Context *>(argument);
        Training training(c->program);
        training.run();
        c->hash = training.hash();
        training.release();
      },
      &context);
  if (failed || pebble_rt_check_leaks()) {
    std::fprintf(stderr, "error: %s\n", pebble_rt_error());
    return 1;
  }
  std::printf("weights %016" PRIx64 "\n", hash);
  std::printf("moved to slow %" PRId64 ", back %" PRId64 "\n",
              pebble_rt_moved_bytes(0, 1), pebble_rt_moved_bytes(1, 0));
  std::printf("peak fast %" PRId64 ", slow %" PRId64 "\n",
              pebble_rt_peak_bytes(0), pebble_rt_peak_bytes(1));
  std::fprintf(stderr, "transfer_seconds %.6f stall_seconds %.6f\n",
               double(pebble_rt_transfer_ns()) / 1e9,
               double(pebble_rt_stall_ns()) / 1e9);
  return 0;
}
