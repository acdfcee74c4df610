// A file of measured costs says each thing once, and nothing that files of its
// version do not have; and a tool that estimates no times takes no such file.

// RUN: rm -rf %t && mkdir %t
// RUN: pebble-run %s --profile=%t/costs.json
// RUN: pebble-run %s --costs=%t/costs.json
// RUN: pebble-run %s --pebble-costs=%t/costs.json

// RUN: sed 's/"ops"/"ops": [], "ops"/' %t/costs.json > %t/a.json
// RUN: not pebble-run %s --costs=%t/a.json 2>&1 | FileCheck %s --check-prefix=MEMBER
// RUN: not pebble-opt %s --pebble-costs=%t/a.json --pebble-schedule="objective=time budget-percent=100" 2>&1 | FileCheck %s --check-prefix=MEMBER
// MEMBER: error: costs in '{{.*}}a.json': [{{[0-9]+:[0-9]+}}, byte={{[0-9]+}}]: the member 'ops' exists twice
// RUN: %python -c "import json, sys; p = json.load(open(sys.argv[1])); p['ops'] *= 2; print(json.dumps(p))" %t/costs.json > %t/b.json
// RUN: not pebble-run %s --costs=%t/b.json 2>&1 | FileCheck %s --check-prefix=OP
// OP: error: costs in '{{.*}}b.json': operation 'linalg.exp' with tensor<4xf32>, tensor<4xf32> -> tensor<4xf32> new was measured twice
// RUN: %python -c "import json, sys; p = json.load(open(sys.argv[1])); p['tiers'] *= 2; print(json.dumps(p))" %t/costs.json > %t/c.json
// RUN: not pebble-run %s --costs=%t/c.json 2>&1 | FileCheck %s --check-prefix=TIER
// TIER: error: costs in '{{.*}}c.json': tier 'ram' was measured twice
// RUN: sed 's/"cpu"/"speed": 3, "cpu"/' %t/costs.json > %t/d.json
// RUN: not pebble-run %s --costs=%t/d.json 2>&1 | FileCheck %s --check-prefix=UNKNOWN
// UNKNOWN: error: costs in '{{.*}}d.json': has a member that files of costs do not have at costs.machine
// RUN: not pebble-report %s --costs=%t/d.json 2>&1 | FileCheck %s --check-prefix=UNKNOWN

// Times beyond eleven days are no measurements, and would not add up. Those of
// eleven days do.
// RUN: sed 's/"latency": .*/"latency": 9223372036854775807/' %t/costs.json > %t/e.json
// RUN: not pebble-opt %s --pebble-schedule="objective=time means=both budget-percent=100 costs=%t/e.json" 2>&1 | FileCheck %s --check-prefix=BEYOND
// RUN: sed 's/"nanoseconds": .*,/"nanoseconds": 1000000000000001,/' %t/costs.json > %t/f.json
// RUN: not pebble-run %s --costs=%t/f.json 2>&1 | FileCheck %s --check-prefix=BEYOND
// BEYOND: error: costs in '{{.*}}.json': must be at most 10^15 nanoseconds at costs.
// RUN: sed -e 's/"nanoseconds": .*,/"nanoseconds": 1000000000000000,/' -e 's/"latency": .*/"latency": 1000000000000000/' %t/costs.json > %t/g.json
// RUN: pebble-opt %s --pebble-schedule="objective=time means=both budget-percent=100 costs=%t/g.json" | FileCheck %s --check-prefix=LONG-PLAN
// LONG-PLAN-LABEL: func.func @main
// RUN: pebble-run %s --costs=%t/g.json --json=%t/long.json
// RUN: FileCheck %s --check-prefix=LONG < %t/long.json
// LONG: "predicted_seconds": 1000000{{[,.]}}

module attributes {pebble.hierarchy = #pebble.hierarchy<[<"ram", kind = explicit>, <"disk", kind = explicit>]>} {
  func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
    %e = tensor.empty() : tensor<4xf32>
    %a = linalg.exp ins(%x : tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
    return %a : tensor<4xf32>
  }
}
