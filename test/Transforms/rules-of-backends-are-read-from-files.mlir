// RUN: split-file %s %t
// RUN: pebble-opt %t/f.mlir --pebble-group-steps="backend=%t/all-kept.json" | FileCheck %s --check-prefix=KEPT
// RUN: pebble-opt %t/f.mlir --pebble-group-steps="backend=%t/fused.json" | FileCheck %s --check-prefix=FUSED
// RUN: not pebble-opt %t/f.mlir --pebble-group-steps="backend=%t/kind.json" 2>&1 | FileCheck %s --check-prefix=KIND
// RUN: not pebble-opt %t/f.mlir --pebble-group-steps="backend=%t/result.json" 2>&1 | FileCheck %s --check-prefix=RESULT
// RUN: not pebble-opt %t/f.mlir --pebble-group-steps="backend=%t/flag.json" 2>&1 | FileCheck %s --check-prefix=FLAG
// RUN: not pebble-opt %t/f.mlir --pebble-group-steps="backend=%t/member.json" 2>&1 | FileCheck %s --check-prefix=MEMBER
// RUN: not pebble-opt %t/f.mlir --pebble-group-steps="backend=%t/dear.json" 2>&1 | FileCheck %s --check-prefix=DEAR
// RUN: not pebble-opt %t/f.mlir --pebble-group-steps="backend=%t/name.json" 2>&1 | FileCheck %s --check-prefix=NAME
// RUN: not pebble-opt %t/f.mlir --pebble-group-steps="backend=%t/list.json" 2>&1 | FileCheck %s --check-prefix=LIST
// RUN: not pebble-opt %t/f.mlir --pebble-group-steps="backend=%t" 2>&1 | FileCheck %s --check-prefix=FOLDER

// KEPT-COUNT-2: = pebble.step
// KEPT-NOT: = pebble.step
// FUSED-COUNT-1: = pebble.step
// FUSED-NOT: = pebble.step
// KIND: error: {{.*}}kind.json: no kind of operation is 'elementwize'; there are: constant, elementwise, view, {{.*}}, custom call
// RESULT: error: {{.*}}result.json: 'product': a result is 'fused', 'shared' or 'kept', and not 'thrown'
// FLAG: error: {{.*}}flag.json: 'product': 'in_place' is true or false
// MEMBER: error: {{.*}}member.json: 'product': a rule has no 'inplace'
// DEAR: error: {{.*}}dear.json: 'dear' is a number of operations, 1 or more
// NAME: error: {{.*}}name.json: 'backend' is its name
// LIST: error: {{.*}}list.json: not an object with 'rules'
// FOLDER: error: no backend '{{.*}}' is known, and no file can be read by this name: there are xla-cpu, xla-cpu-early, xla-gpu

//--- f.mlir
func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = "stablehlo.exponential"(%x) : (tensor<4xf32>) -> tensor<4xf32>
  %1 = "stablehlo.negate"(%0) : (tensor<4xf32>) -> tensor<4xf32>
  return %1 : tensor<4xf32>
}
//--- all-kept.json
{"backend": "mine", "dear": 1, "rules": {}}
//--- fused.json
{"backend": "mine", "dear": 1, "rules": {"elementwise": {"result": "fused"}}}
//--- kind.json
{"backend": "mine", "dear": 1, "rules": {"elementwize": {"result": "fused"}}}
//--- result.json
{"backend": "mine", "dear": 1, "rules": {"product": {"result": "thrown"}}}
//--- flag.json
{"backend": "mine", "dear": 1, "rules": {"product": {"result": "kept", "in_place": 1}}}
//--- member.json
{"backend": "mine", "dear": 1, "rules": {"product": {"result": "kept", "inplace": true}}}
//--- dear.json
{"backend": "mine", "dear": 0, "rules": {}}
//--- name.json
{"dear": 1, "rules": {}}
//--- list.json
[]
