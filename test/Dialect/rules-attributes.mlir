// RUN: pebble-opt %s --split-input-file --verify-diagnostics

// D12: a misspelt wish is an error, not silence.
func.func @d12_op(%x: tensor<4xf32>) {
  // expected-error@+1 {{[D12] 'pebble.kep' is not an attribute that Pebble knows on an op}}
  "any.op"(%x) {pebble.kep} : (tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

// expected-error@+1 {{[D12] 'pebble.keep' is not an attribute that Pebble knows on an argument}}
func.func private @d12_argument(tensor<4xf32> {pebble.keep})

// -----

// expected-error@+1 {{[D12] 'pebble.donated' is not an attribute that Pebble knows on a result}}
func.func private @d12_result() -> (tensor<4xf32> {pebble.donated})

// -----

// D13: what is given away is memory.
// expected-error@+1 {{[D13] 'pebble.donated' on argument 1, which is neither a tensor nor a memref}}
func.func private @d13_scalar(tensor<4xf32> {pebble.donated}, f32 {pebble.donated})

// -----

// expected-error@+1 {{[D13] 'pebble.donated' is a unit attribute}}
func.func private @d13_value(tensor<4xf32> {pebble.donated = true})

// -----

// D14: a range has two ends.
// expected-error@+1 {{[D14] 'pebble.range' must be [lo, hi]}}
func.func private @d14_order(tensor<4xf32> {pebble.range = [4, 0]})

// -----

// expected-error@+1 {{[D14] 'pebble.range' must be [lo, hi]}}
func.func private @d14_types(tensor<4xf32> {pebble.range = [0, "one"]})

// -----

// expected-error@+1 {{[D14] 'pebble.range' must be [lo, hi]}}
func.func private @d14_length(tensor<4xf32> {pebble.range = [0, 1, 2]})

// -----

// expected-error@+1 {{[D14] 'pebble.range' on argument 1 holds no integer, and its elements are 'i32'}}
func.func private @d14_between(f32, tensor<4xi32> {pebble.range = [0.5, 0.7]})

// -----

// expected-error@+1 {{[D14] 'pebble.range' on argument 0 holds numbers that 'i8' cannot}}
func.func private @d14_i8(tensor<4xi8> {pebble.range = [0, 1000]})

// -----

// expected-error@+1 {{[D14] 'pebble.range' on argument 0 holds numbers that 'i1' cannot}}
func.func private @d14_i1(i1 {pebble.range = [0, 5]})

// -----

// expected-error@+1 {{[D14] 'pebble.range' on argument 0 holds numbers that 'i8' cannot}}
func.func private @d14_both_signs(tensor<4xi8> {pebble.range = [-1, 200]})

// -----

// expected-error@+1 {{[D14] 'pebble.range' on argument 0 holds numbers that 'ui8' cannot}}
func.func private @d14_sign(tensor<4xui8> {pebble.range = [-1, 2]})

// -----

// expected-error@+1 {{[D14] 'pebble.range' on argument 0 holds numbers that 'i64' cannot}}
func.func private @d14_huge(tensor<4xi64> {pebble.range = [0.0, 1.0e300]})

// -----

// expected-error@+1 {{[D14] 'pebble.range' on argument 0 holds numbers that 'f16' cannot}}
func.func private @d14_f16(tensor<4xf16> {pebble.range = [0, 100000]})

// -----

// What fits, to the last number.
func.func private @d14_fits(
    i1 {pebble.range = [0, 2]}, tensor<4xi8> {pebble.range = [-128, 128]},
    tensor<4xi8> {pebble.range = [0, 256]}, ui8 {pebble.range = [0, 256]},
    i64 {pebble.range = [-9223372036854775808, 9223372036854775807]},
    i64 {pebble.range = [9223372036854775806, 9223372036854775807]},
    index {pebble.range = [0.5, 1.5]}, f64 {pebble.range = [-1.7e308, 1.7e308]})

// -----

// D15: at most one wish, on an op with a result.
func.func @d15_contradiction(%x: tensor<4xf32>) {
  // expected-error@+1 {{[D15] 'pebble.keep' contradicts 'pebble.recompute' on the same op}}
  "any.op"(%x) {pebble.keep, pebble.recompute} : (tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @d15_no_result(%x: tensor<4xf32>) {
  // expected-error@+1 {{[D15] 'pebble.recompute' is a wish for a result, and 'any.op' has none}}
  "any.op"(%x) {pebble.recompute} : (tensor<4xf32>) -> ()
  return
}

// -----

// Results may have become buffers.
func.func @d15_bufferized(%x: memref<4xf32>, %c: i1) {
  "any.op"(%x) {pebble.recompute, pebble.name = ["a", "b"]} : (memref<4xf32>) -> ()
  scf.if %c {
  } {pebble.keep, pebble.name = ["a"]}
  return
}

// -----

func.func @d15_unit(%x: tensor<4xf32>) {
  // expected-error@+1 {{[D15] 'pebble.keep' is a unit attribute}}
  "any.op"(%x) {pebble.keep = 1} : (tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @d15_offload(%x: tensor<4xf32>) {
  // expected-error@+1 {{[D15] 'pebble.offload' is a unit attribute or the name of a tier}}
  "any.op"(%x) {pebble.offload = 1} : (tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

module attributes {pebble.hierarchy = #pebble.hierarchy<[<"hbm", kind = explicit>, <"host", kind = explicit>]>} {
  func.func @d15_compute_tier(%x: tensor<4xf32>) {
    // expected-error@+1 {{[D15] 'pebble.offload' names 'hbm', which is the compute tier itself}}
    "any.op"(%x) {pebble.offload = "hbm"} : (tensor<4xf32>) -> tensor<4xf32>
    return
  }
}

// -----

module attributes {pebble.hierarchy = #pebble.hierarchy<[<"hbm", kind = explicit>, <"host", kind = explicit>]>} {
  func.func @d9_offload(%x: tensor<4xf32>) {
    // expected-error@+1 {{[D9] the hierarchy has no tier 'disk', which 'pebble.offload' names}}
    "any.op"(%x) {pebble.offload = "disk"} : (tensor<4xf32>) -> tensor<4xf32>
    return
  }
}

// -----

// D16: a cost is an integer.
func.func @d16_type(%x: tensor<4xf32>) {
  // expected-error@+1 {{[D16] 'pebble.cost' must be an integer}}
  "any.op"(%x) {pebble.cost = 1.5} : (tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @d16_negative(%x: tensor<4xf32>) {
  // expected-error@+1 {{[D16] 'pebble.cost' is -1, which may not be negative}}
  "any.op"(%x) {pebble.cost = -1} : (tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

// D17: a position is an integer.
func.func @d17(%x: tensor<4xf32>) {
  // expected-error@+1 {{[D17] 'pebble.order' must be an integer}}
  "any.op"(%x) {pebble.order = "first"} : (tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

// D18: a tier is a name.
func.func @d18_op(%x: tensor<4xf32>) {
  // expected-error@+1 {{[D18] 'pebble.tier' must be a string}}
  "any.op"(%x) {pebble.tier = 1} : (tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

// expected-error@+1 {{[D18] 'pebble.tier' names a tier}}
func.func private @d18_argument(tensor<4xf32, "taken"> {pebble.tier = ""})

// -----

// D19: one name for each result.
func.func @d19(%x: tensor<4xf32>) {
  // expected-error@+1 {{[D19] 'pebble.name' must be a string for each of 2 result(s)}}
  "any.op"(%x) {pebble.name = "y"} : (tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>)
  return
}

// -----

func.func @names(%x: tensor<4xf32>) {
  "any.op"(%x) {pebble.name = ["y", "z"]} : (tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>)
  return
}

// -----

// D20: a result is Pebble's word about a function.
func.func @d20_place(%x: tensor<4xf32>) {
  // expected-error@+1 {{[D20] 'pebble.result' stands on a function}}
  "any.op"(%x) {pebble.result = {}} : (tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

// expected-error@+1 {{[D20] the status in 'pebble.result' must be "optimal" or "feasible"}}
func.func private @d20_status() attributes {pebble.result = {status = "good"}}

// -----

// expected-error@+1 {{[D20] 'pebble.result' must be a dictionary}}
func.func private @d20_type() attributes {pebble.result = 3}

// -----

// D33: what was stitched, on a function.
func.func @d33_place(%x: tensor<4xf32>) {
  // expected-error@+1 {{[D33] 'pebble.stitched' stands on a function}}
  "any.op"(%x) {pebble.stitched = {}} : (tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

// expected-error@+1 {{[D33] 'pebble.stitched' must be}}
func.func private @d33_too_many(tensor<4xf32>) -> tensor<4xf32>
    attributes {pebble.stitched = {forward = "f", backward = "b", arguments = 1, results = 2}}

// -----

// expected-error@+1 {{[D33] 'pebble.stitched' must be}}
func.func private @d33_no_name() attributes {pebble.stitched = {forward = "f", backward = "", arguments = 0, results = 0}}

// -----

func.func private @stitched(tensor<4xf32>) attributes {pebble.stitched = {forward = "f", backward = "b", arguments = 1, results = 0}}

// -----

// D34: what runs where a dimension is over the bound, on a function.
func.func @d34_place(%x: tensor<4xf32>) {
  // expected-error@+1 {{[D34] 'pebble.fallback' stands on a function}}
  "any.op"(%x) {pebble.fallback = {}} : (tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

// expected-error@+1 {{[D34] 'pebble.fallback' must be {function = @name, dim_bound = n}, n at least 1 (i64)}}
func.func private @d34_bound() attributes {pebble.fallback = {function = @d34_bound, dim_bound = 0}}

// -----

// expected-error@+1 {{[D34] 'pebble.fallback' must be}}
func.func private @d34_name() attributes {pebble.fallback = {function = "d34_name", dim_bound = 1}}

// -----

func.func private @falls_back() attributes {pebble.fallback = {function = @falls_back, dim_bound = 1}}

// -----

func.func @a_near_name_is_suggested(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error@+1 {{[D12] 'pebble.recomputed' is not an attribute that Pebble knows on an op; did you mean 'pebble.recompute'?}}
  %y = math.exp %x {pebble.recomputed} : tensor<4xf32>
  return %y : tensor<4xf32>
}

// -----

// expected-error@+1 {{[D12] 'pebble.dnated' is not an attribute that Pebble knows on an argument; did you mean 'pebble.donated'?}}
func.func @a_near_name_is_suggested_for_arguments(%x: tensor<4xf32> {pebble.dnated}) -> tensor<4xf32> {
  return %x : tensor<4xf32>
}
