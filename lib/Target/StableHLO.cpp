//===- StableHLO.cpp - the ops of StableHLO, without StableHLO ------------===//

#include "pebble/Target/StableHLO.h"

#include "llvm/ADT/StringMap.h"

using namespace mlir;

namespace pebble::hlo {

/// A function that is computed by a polynomial or a series, as in OpCost.h.
constexpr int64_t kSeries = 10;

// The dialects share names: what is called alike is alike in all of them.
static constexpr Op kTable[] = {
    {"constant", Kind::Constant},
    {"constant_like", Kind::Elementwise},
    {"iota", Kind::Layout},
    {"partition_id", Kind::Elementwise},
    {"replica_id", Kind::Elementwise},

    // One scalar operation per element, or none.
    {"abs", Kind::Elementwise, 1},
    {"add", Kind::Elementwise, 1},
    {"and", Kind::Elementwise, 1},
    {"ceil", Kind::Elementwise, 1},
    {"clamp", Kind::Elementwise, 2},
    {"compare", Kind::Elementwise, 1},
    {"complex", Kind::Elementwise},
    {"conj", Kind::Elementwise, 1},
    {"convert", Kind::Elementwise},
    {"copy", Kind::Elementwise},
    {"count_leading_zeros", Kind::Elementwise, 1},
    {"divide", Kind::Elementwise, 1},
    {"floor", Kind::Elementwise, 1},
    {"imag", Kind::Elementwise},
    {"is_finite", Kind::Elementwise, 1},
    {"is_inf", Kind::Elementwise, 1},
    {"is_neg_inf", Kind::Elementwise, 1},
    {"is_pos_inf", Kind::Elementwise, 1},
    {"maximum", Kind::Elementwise, 1},
    {"minimum", Kind::Elementwise, 1},
    {"multiply", Kind::Elementwise, 1},
    {"negate", Kind::Elementwise, 1},
    {"next_after", Kind::Elementwise, 1},
    {"not", Kind::Elementwise, 1},
    {"or", Kind::Elementwise, 1},
    {"popcnt", Kind::Elementwise, 1},
    {"real", Kind::Elementwise},
    {"reduce_precision", Kind::Elementwise, 1},
    {"remainder", Kind::Elementwise, 1},
    {"round_nearest_afz", Kind::Elementwise, 1},
    {"round_nearest_even", Kind::Elementwise, 1},
    {"rsqrt", Kind::Elementwise, 1},
    {"select", Kind::Elementwise, 1},
    {"shift_left", Kind::Elementwise, 1},
    {"shift_right_arithmetic", Kind::Elementwise, 1},
    {"shift_right_logical", Kind::Elementwise, 1},
    {"sign", Kind::Elementwise, 1},
    {"sqrt", Kind::Elementwise, 1},
    {"square", Kind::Elementwise, 1},
    {"stochastic_convert", Kind::Elementwise, 1},
    {"subtract", Kind::Elementwise, 1},
    {"uniform_dequantize", Kind::Elementwise, 2},
    {"uniform_quantize", Kind::Elementwise, 2},
    {"xor", Kind::Elementwise, 1},

    // Functions that take a series.
    {"acos", Kind::Elementwise, kSeries},
    {"acosh", Kind::Elementwise, kSeries},
    {"asin", Kind::Elementwise, kSeries},
    {"asinh", Kind::Elementwise, kSeries},
    {"atan", Kind::Elementwise, kSeries},
    {"atan2", Kind::Elementwise, kSeries},
    {"atanh", Kind::Elementwise, kSeries},
    {"bessel_i1e", Kind::Elementwise, 2 * kSeries},
    {"cbrt", Kind::Elementwise, kSeries},
    {"cosh", Kind::Elementwise, kSeries},
    {"cosine", Kind::Elementwise, kSeries},
    {"digamma", Kind::Elementwise, 2 * kSeries},
    {"erf", Kind::Elementwise, kSeries},
    {"erf_inv", Kind::Elementwise, kSeries},
    {"erfc", Kind::Elementwise, kSeries},
    {"exponential", Kind::Elementwise, kSeries},
    {"exponential_minus_one", Kind::Elementwise, kSeries},
    {"lgamma", Kind::Elementwise, 2 * kSeries},
    {"log", Kind::Elementwise, kSeries},
    {"log_plus_one", Kind::Elementwise, kSeries},
    {"logistic", Kind::Elementwise, kSeries},
    {"polygamma", Kind::Elementwise, 4 * kSeries},
    {"power", Kind::Elementwise, kSeries},
    {"sine", Kind::Elementwise, kSeries},
    {"sinh", Kind::Elementwise, kSeries},
    {"tan", Kind::Elementwise, kSeries},
    {"tanh", Kind::Elementwise, kSeries},
    {"zeta", Kind::Elementwise, 4 * kSeries},

    {"map", Kind::Elementwise},
    {"batch_norm_inference", Kind::Elementwise, 4},

    {"reshape", Kind::View},
    {"bitcast_convert", Kind::View},

    // Where its operand is to be, on a mesh of devices (sdy).
    {"sharding_constraint", Kind::View},

    {"broadcast", Kind::Layout},
    {"broadcast_in_dim", Kind::Layout},
    {"concatenate", Kind::Layout},
    {"dynamic_broadcast_in_dim", Kind::Layout},
    {"dynamic_iota", Kind::Layout},
    {"dynamic_pad", Kind::Layout},
    {"dynamic_reshape", Kind::Layout},
    {"dynamic_slice", Kind::Layout},
    {"get_dimension_size", Kind::Layout},
    {"pad", Kind::Layout},
    {"real_dynamic_slice", Kind::Layout},
    {"reverse", Kind::Layout},
    {"set_dimension_size", Kind::Layout},
    {"slice", Kind::Layout},
    {"transpose", Kind::Layout},

    {"reduce", Kind::Reduction},
    // Mean, variance, and what they are applied to.
    {"batch_norm_training", Kind::Reduction, 8},
    {"batch_norm_grad", Kind::Reduction, 12},

    {"dot", Kind::Product},
    {"dot_general", Kind::Product},
    {"convolution", Kind::Product},

    {"reduce_window", Kind::Window},
    {"select_and_scatter", Kind::Window},

    {"gather", Kind::Gather},
    {"dynamic_gather", Kind::Gather},
    {"torch_index_select", Kind::Gather},

    {"dynamic_update_slice", Kind::Update},
    {"scatter", Kind::Scatter},

    {"cholesky", Kind::Algorithm},
    {"fft", Kind::Algorithm},
    {"sort", Kind::Algorithm},
    {"top_k", Kind::Algorithm},
    {"topk", Kind::Algorithm},
    {"triangular_solve", Kind::Algorithm},

    {"rng_bit_generator", Kind::Random, kSeries},

    {"while", Kind::Loop},
    {"case", Kind::Branch},
    {"if", Kind::Branch},

    {"optimization_barrier", Kind::Identity},
    {"tuple", Kind::Tuple},
    {"get_tuple_element", Kind::Tuple},

    {"rng", Kind::Draw, kSeries},

    {"all_gather", Kind::Collective},
    {"all_reduce", Kind::Collective, 1},
    {"all_to_all", Kind::Collective},
    {"collective_broadcast", Kind::Collective},
    {"collective_permute", Kind::Collective},
    {"cross-replica-sum", Kind::Collective, 1},
    {"reduce_scatter", Kind::Collective, 1},

    {"after_all", Kind::Transfer},
    {"create_token", Kind::Transfer},
    {"infeed", Kind::Transfer},
    {"outfeed", Kind::Transfer},
    {"recv", Kind::Transfer},
    {"send", Kind::Transfer},
    {"trace", Kind::Transfer},

    {"custom_call", Kind::CustomCall},

    {"return", Kind::Return},
};

ArrayRef<Op> getTable() { return kTable; }

StringRef toString(Kind kind) {
  switch (kind) {
  case Kind::Constant:
    return "constant";
  case Kind::Elementwise:
    return "elementwise";
  case Kind::View:
    return "view";
  case Kind::Layout:
    return "layout";
  case Kind::Reduction:
    return "reduction";
  case Kind::Product:
    return "product";
  case Kind::Window:
    return "window";
  case Kind::Gather:
    return "gather";
  case Kind::Update:
    return "update";
  case Kind::Scatter:
    return "scatter";
  case Kind::Algorithm:
    return "algorithm";
  case Kind::Random:
    return "random";
  case Kind::Loop:
    return "loop";
  case Kind::Branch:
    return "branch";
  case Kind::Identity:
    return "identity";
  case Kind::Tuple:
    return "tuple";
  case Kind::Draw:
    return "draw";
  case Kind::Collective:
    return "collective";
  case Kind::Transfer:
    return "transfer";
  case Kind::CustomCall:
    return "custom call";
  case Kind::Return:
    return "return";
  }
  llvm_unreachable("covered switch");
}

static bool isDialect(StringRef dialect) {
  return dialect == "stablehlo" || dialect == "chlo" || dialect == "mhlo" ||
         dialect == "sdy";
}

const Op *lookup(OperationName name) {
  static const llvm::StringMap<const Op *> rows = [] {
    llvm::StringMap<const Op *> map;
    for (const Op &row : kTable)
      map[row.name] = &row;
    return map;
  }();
  StringRef dialect = name.getDialectNamespace();
  if (!isDialect(dialect))
    return nullptr;
  StringRef op = name.stripDialect();
  // Broadcasts its operands to one shape, and is then what the rest says.
  if (dialect == "chlo")
    op.consume_front("broadcast_");
  return rows.lookup(op);
}

const Op *lookup(Operation *op) { return lookup(op->getName()); }

bool isOfTable(Operation *op) {
  return isDialect(op->getName().getDialectNamespace());
}

StringRef getEffect(const Op &row) {
  switch (row.kind) {
  case Kind::Draw:
    return "draws random numbers from a state that nobody sees";
  case Kind::Collective:
    return "communicates";
  case Kind::Transfer:
    return "exchanges data with the outside";
  case Kind::CustomCall:
    return "calls code that nobody described";
  default:
    return "";
  }
}

StringRef getCallTarget(Operation *op) {
  const Op *row = lookup(op);
  if (!row || row->kind != Kind::CustomCall)
    return "";
  auto target = op->getAttrOfType<StringAttr>("call_target_name");
  return target ? target.getValue() : "";
}

} // namespace pebble::hlo
