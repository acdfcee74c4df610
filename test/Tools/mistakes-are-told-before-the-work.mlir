// What cannot be written is told before a search or a run, not after it.
// RUN: not pebble-run %s --trace=%t/no/trace.json 2>&1 | FileCheck %s --check-prefix=TRACE
// RUN: not pebble-run %s --profile=%t/no/costs.json 2>&1 | FileCheck %s --check-prefix=PROFILE
// RUN: mkdir -p %t.folder && not pebble-run %s --json=%t.folder 2>&1 | FileCheck %s --check-prefix=FOLDER
// RUN: not pebble-opt %s --pebble-schedule="budget=100%% save-plan=%t/no/plan" -o /dev/null 2>&1 | FileCheck %s --check-prefix=PLAN
// TRACE-NOT: peak
// TRACE: error: cannot write {{.*}}trace.json: No such file or directory
// PROFILE-NOT: peak
// PROFILE: error: cannot write {{.*}}costs.json: No such file or directory
// FOLDER-NOT: peak
// FOLDER: error: cannot write {{.*}}folder: Is a directory
// PLAN-NOT: peak
// PLAN: error: cannot write the plan '{{.*}}plan': No such file or directory
// A file that is there is written over, also in the folder that one is in.
// RUN: rm -rf %t.new && mkdir %t.new && cd %t.new && pebble-run %s --json=run.json 2>/dev/null && pebble-run %s --json=run.json 2>/dev/null && grep sha256 run.json
// RUN: pebble-run %s --quiet --json=- | FileCheck %s --check-prefix=STDOUT
// STDOUT: results_sha256

// A CPU that does not exist, and one that runs no 64-bit code, are errors; code
// generators end the process.
// RUN: not pebble-run %s --cpu=no-such-cpu 2>&1 | FileCheck %s --check-prefix=CPU
// CPU: pebble-run: error: --cpu=no-such-cpu: no CPU of {{.*}} is called so
// CPU-NOT: {{.}}

// Functions may be named as messages name them.
// RUN: pebble-run %s --entry=@main 2>&1 | FileCheck %s --check-prefix=ENTRY
// RUN: pebble-report %s --function=@main | FileCheck %s --check-prefix=REPORT
// RUN: not pebble-run %s --entry=@mian 2>&1 | FileCheck %s --check-prefix=NONE
// ENTRY: @main: peak in
// REPORT: @main: 1 op
// NONE: no function 'mian' with a body

// An option that nobody has is told as one, without a guess at LLVM's.
// RUN: not pebble-run %s --sweep 2>&1 | FileCheck %s --check-prefix=UNKNOWN
// RUN: not pebble-report %s --sweeep 2>&1 | FileCheck %s --check-prefix=NEAR
// RUN: not pebble-opt %s --debug-only=x 2>&1 | FileCheck %s --check-prefix=OPT
// UNKNOWN: pebble-run: error: unknown option '--sweep'; --help lists the options
// UNKNOWN-NOT: Did you mean
// NEAR: unknown option '--sweeep'; did you mean '--sweep'?
// OPT: unknown option '--debug-only'; --help lists the options

// Nothing is left to plan behind the way down.
// RUN: pebble-opt %s --pebble-to-llvm --pebble-schedule=budget=100%% -o /dev/null 2>&1 | FileCheck %s --check-prefix=LOWERED
// LOWERED: nothing is planned: the program is in the LLVM dialect already; plan it before pebble-to-llvm
// LOWERED-NOT: {{.}}

// No machine is one that has no name.
// RUN: not pebble-run %s --json= 2>&1 | FileCheck %s --check-prefix=NOTHING
// RUN: not pebble-opt %s --costs= 2>&1 | FileCheck %s --check-prefix=NOTHING
// NOTHING: error: option '--{{json|costs}}' is given nothing
// RUN: not pebble-run %s --target= 2>&1 | FileCheck %s --check-prefix=NAMELESS
// RUN: not pebble-opt %s --pebble-attach-target 2>&1 | FileCheck %s --check-prefix=NAMELESS
// NAMELESS: error: no machine is named; there is 'sutro', {{.*}}
// NAMELESS-NOT: no file of that name

// Blanks part the options of a pass, and nothing else does.
// RUN: not pebble-opt %s --pebble-schedule="budget=50 %%" 2>&1 | FileCheck %s --check-prefix=PERCENT
// RUN: not pebble-opt %s --pass-pipeline="builtin.module(pebble-schedule{budget=7 MiB means=both})" 2>&1 | FileCheck %s --check-prefix=UNIT
// RUN: not pebble-opt %s --pebble-schedule="budget=50%%,means=both" 2>&1 | FileCheck %s --check-prefix=COMMA
// RUN: pebble-opt %s --pebble-schedule="budget=100%% means=recompute" -o /dev/null
// PERCENT: pass 'pebble-schedule' cannot be given 'budget=50 %': '%' stands right behind its number, as in 7%
// UNIT: 'MiB' stands right behind its number, as in 7MiB
// COMMA: a blank, and no comma, stands between options

func.func @main(%x: tensor<16xf32>) -> tensor<16xf32> {
  %y = math.exp %x : tensor<16xf32>
  return %y : tensor<16xf32>
}
