//===- train.cpp - trains sparse parity with a compiled step --------------===//
//
// Calls a training step that Pebble compiled ahead of time, through its C
// interface, until it has learnt the product of 3 secret bits of 20, and says
// how well it did. Links the step's object and libpebble_runtime; no MLIR.
//
// The same numbers on every machine: compile it with -ffp-contract=off.
//
// The setting is that of cybertronai/SutroYaro, exp_pebble_game: inputs of -1
// and +1, W1 ~ N(0, 2/20), W2 ~ N(0, 2/1000), biases 0, 500 samples to train on
// and 200 to test with, one sample a step, 30 epochs; the accuracy of a run is
// the best over its epochs. The step holds loss, learning rate and decay.
//
// DONATED_TENSORS: the step was compiled from the form on tensors. It owns its
// donated arguments and gives buffers back; that these are the same ones,
// updated in place, is checked after each call.
//
//===----------------------------------------------------------------------===//

#include "step.h"

#include "pebble/Runtime/Runtime.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <numeric>
#include <random>
#include <vector>

namespace {
constexpr int inputs = 20, hidden = 1000, secrets = 3;
constexpr int trainSamples = 500, testSamples = 200, epochs = 30, seeds = 5;

/// A buffer of the runtime: a step that owns an argument may free it.
struct Buffer {
  explicit Buffer(int count)
      : data(static_cast<float *>(
            pebble_rt_alloc(0, count * int64_t(sizeof(float))))),
        count(count) {
    std::fill(data, data + count, 0.0f);
  }
  ~Buffer() { pebble_rt_free(data); }
  Buffer(const Buffer &) = delete;
  Vector vector() const { return {data, data, 0, {count}, {1}}; }

  float *data;
  int count;
};

struct Sample {
  float x[inputs];
  float y;
};

/// Draws the same data and weights everywhere: no std:: distribution, whose
/// algorithms differ between libraries.
class Draw {
public:
  explicit Draw(int seed) : random(seed + 42) {}

  std::vector<int> shuffled(int count) {
    std::vector<int> order(count);
    std::iota(order.begin(), order.end(), 0);
    for (int i = count - 1; i > 0; --i)
      std::swap(order[i], order[random() % (i + 1)]);
    return order;
  }
  std::vector<Sample> samples(int count, const std::vector<int> &secret) {
    std::vector<Sample> drawn(count);
    for (Sample &sample : drawn) {
      for (float &bit : sample.x)
        bit = random() & 1 ? 1.0f : -1.0f;
      sample.y = 1;
      for (int i = 0; i < secrets; ++i)
        sample.y *= sample.x[secret[i]];
    }
    return drawn;
  }
  /// Box and Muller's normal deviates, one of each pair.
  void normal(Buffer &buffer, double variance) {
    for (int i = 0; i < buffer.count; ++i) {
      double u = (random() + 1.0) / 4294967297.0;
      double v = random() / 4294967296.0;
      buffer.data[i] = float(std::sqrt(-2 * variance * std::log(u)) *
                             std::cos(6.283185307179586 * v));
    }
  }

private:
  std::mt19937 random;
};

class Network {
public:
  explicit Network(Draw &draw)
      : W1(hidden * inputs), b1(hidden), W2(hidden), b2(1), x(inputs), y(1) {
    draw.normal(W1, 2.0 / inputs);
    draw.normal(W2, 2.0 / hidden);
  }

  void step(const Sample &sample) {
    std::copy(sample.x, sample.x + inputs, x.data);
    y.data[0] = sample.y;
    Matrix m = {W1.data, W1.data, 0, {hidden, inputs}, {inputs, 1}};
    Vector a = b1.vector(), b = W2.vector(), c = b2.vector();
    Vector in = x.vector(), label = y.vector();
#ifdef DONATED_TENSORS
    Weights updated;
    _mlir_ciface_train_step(&updated, &m, &a, &b, &c, &in, &label);
    if (updated.W1.aligned != W1.data || updated.b1.aligned != b1.data ||
        updated.W2.aligned != W2.data || updated.b2.aligned != b2.data) {
      std::fprintf(stderr,
                   "error: a donated weight was not updated in place\n");
      std::exit(1);
    }
#else
    _mlir_ciface_train_step(&m, &a, &b, &c, &in, &label);
#endif
  }

  double accuracy(const std::vector<Sample> &samples) const {
    int right = 0;
    for (const Sample &sample : samples) {
      float output = b2.data[0];
      for (int j = 0; j < hidden; ++j) {
        float sum = b1.data[j];
        for (int i = 0; i < inputs; ++i)
          sum += W1.data[j * inputs + i] * sample.x[i];
        output += W2.data[j] * std::max(sum, 0.0f);
      }
      right += output * sample.y > 0;
    }
    return double(right) / samples.size();
  }

  /// FNV-1a over the bits of all weights.
  uint64_t hash() const {
    uint64_t value = 14695981039346656037u;
    for (const Buffer *buffer : {&W1, &b1, &W2, &b2})
      for (int i = 0; i < buffer->count * int(sizeof(float)); ++i)
        value = (value ^ reinterpret_cast<unsigned char *>(buffer->data)[i]) *
                1099511628211u;
    return value;
  }

private:
  Buffer W1, b1, W2, b2, x, y;
};

double train(int seed) {
  Draw draw(seed);
  std::vector<int> secret = draw.shuffled(inputs);
  std::vector<Sample> data = draw.samples(trainSamples, secret);
  std::vector<Sample> test = draw.samples(testSamples, secret);
  Network network(draw);
  double best = 0;
  int bestEpoch = 0;
  for (int epoch = 1; epoch <= epochs; ++epoch) {
    for (int i : draw.shuffled(trainSamples))
      network.step(data[i]);
    double accuracy = network.accuracy(test);
    if (accuracy > best) {
      best = accuracy;
      bestEpoch = epoch;
    }
  }
  std::printf("seed %d: best test accuracy %5.1f%% (epoch %2d), final weights "
              "%016llx\n",
              seed, 100 * best, bestEpoch, (unsigned long long)network.hash());
  return best;
}
} // namespace

int main() {
  std::vector<double> best;
  for (int seed = 0; seed < seeds; ++seed)
    best.push_back(train(seed));
  std::sort(best.begin(), best.end());
  std::printf("median: %.1f%%\n", 100 * best[seeds / 2]);
  if (pebble_rt_check_leaks()) {
    std::fprintf(stderr, "error: %s\n", pebble_rt_error());
    return 1;
  }
  return 0;
}
