"""Programs that hold one operation each: all of arith, math, complex, index and linalg.

  each-operation.py --write=DIR [NAME...]     one file for each operation, to be run by
                                              fuzz-memory.py --programs
  each-operation.py --check                   is there one for each that MLIR's headers have?

A program has the operation for all element types that it takes: on tensors where it may
stand there, and in a payload. What it yields is used twice by other steps, so that plans
have something to order, to run again and to move. Named operations of linalg stand twice.
"""

import argparse
import os
import re
import sys

import each_linalg

FLOATS = ["f16", "bf16", "f32", "f64"]
INTEGERS = ["i1", "i8", "i16", "i32", "i64", "index"]
WIDE = INTEGERS[1:]
COMPLEX = ["complex<f32>", "complex<f64>"]
SIZE = 6

# Of arguments: floats are in (0, 1), integers in [0, 8).
RAISED = "raised"    # floats in (-4, 4), integers in [-4, 4)
ODD = "odd"          # no zero
ONE_UP = "one up"    # floats in (1, 9)
AS_IS = "as is"


class Form:
    """An operation on elements of some types: what it reads and yields, and its text.

    The text says %0, %1 for operands, and is what stands behind the equal sign; on
    tensors the types in it are those of tensors.
    """

    def __init__(self, text, reads, yields, drawn=None, mappable=True):
        self.text, self.reads, self.yields = text, reads, yields
        self.drawn = drawn or [RAISED] * len(reads)
        self.mappable = mappable


def unary(name, kinds, drawn=RAISED, result=None, mappable=True):
    return [Form(f"{name} %0 : {{0}}", [k], [result or k], [drawn], mappable) for k in kinds]


def binary(name, kinds, second=RAISED, first=RAISED, mappable=True):
    return [Form(f"{name} %0, %1 : {{0}}", [k, k], [k], [first, second], mappable) for k in kinds]


def cast(name, pairs, drawn=RAISED, mappable=True):
    return [Form(f"{name} %0 : {{0}} to {{r}}", [a], [b], [drawn], mappable) for a, b in pairs]


def compare(name, predicates, kinds):
    return [Form(f"{name} {p}, %0, %1 : {{0}}", [k, k], ["i1"]) for p in predicates for k in kinds]


def extended(name, second):
    return [Form(f"{name} %0, %1 : {{0}}{', {s}' if second else ''}", [k, k], [k, second or k]) for k in WIDE[:4]]


def arith():
    forms = {name: binary(name, FLOATS) for name in
             ("addf", "subf", "mulf", "divf", "remf", "maximumf", "maxnumf", "minimumf", "minnumf")}
    forms.update({name: binary(name, INTEGERS) for name in
                  ("addi", "subi", "muli", "andi", "ori", "xori", "maxsi", "maxui", "minsi", "minui")})
    forms.update({name: binary(name, WIDE, second=ODD) for name in
                  ("divsi", "remsi", "ceildivsi", "floordivsi")})
    forms.update({name: binary(name, INTEGERS, second=ODD) for name in ("divui", "remui", "ceildivui")})
    forms.update({name: binary(name, WIDE, second=AS_IS) for name in ("shli", "shrsi", "shrui")})
    forms["addui_extended"] = extended("addui_extended", "i1")
    forms["mulsi_extended"] = extended("mulsi_extended", None)
    forms["mului_extended"] = extended("mului_extended", None)
    forms["negf"] = unary("negf", FLOATS)
    forms["cmpf"] = compare("cmpf", "false oeq ogt oge olt ole one ord ueq ugt uge ult ule une uno true".split(),
                            ["f32"]) + compare("cmpf", ["olt", "une"], ["f16", "bf16", "f64"])
    forms["cmpi"] = compare("cmpi", "eq ne slt sle sgt sge ult ule ugt uge".split(), ["i32", "i8"]) \
        + compare("cmpi", ["slt", "ult"], ["i1", "i16", "i64", "index"])
    forms["extf"] = cast("extf", [("f16", "f32"), ("bf16", "f32"), ("f16", "f64"), ("bf16", "f64"), ("f32", "f64")])
    forms["truncf"] = cast("truncf", [("f32", "f16"), ("f32", "bf16"), ("f64", "f16"), ("f64", "f32"), ("f64", "bf16")])
    widths = [("i1", "i8"), ("i1", "i64"), ("i8", "i16"), ("i8", "i32"), ("i16", "i64"), ("i32", "i64")]
    forms["extsi"], forms["extui"] = cast("extsi", widths), cast("extui", widths)
    forms["trunci"] = cast("trunci", [(b, a) for a, b in widths])
    numbers = [(f, i) for f in FLOATS for i in ("i8", "i32", "i64")]
    forms["fptosi"] = cast("fptosi", numbers)
    forms["fptoui"] = cast("fptoui", numbers, drawn=ONE_UP)
    back = [(i, f) for f, i in numbers] + [("i1", "f32"), ("i16", "bf16")]
    forms["sitofp"], forms["uitofp"] = cast("sitofp", back), cast("uitofp", back)
    indices = [(i, "index") for i in ("i1", "i8", "i16", "i32", "i64")]
    indices += [(b, a) for a, b in indices]
    forms["index_cast"], forms["index_castui"] = cast("index_cast", indices), cast("index_castui", indices)
    same = [("f16", "i16"), ("bf16", "i16"), ("f32", "i32"), ("f64", "i64"), ("f16", "bf16")]
    forms["bitcast"] = cast("bitcast", same + [(b, a) for a, b in same])
    forms["select"] = [Form("select %0, %1, %2 : {0t}{1}", ["i1", k, k], [k]) for k in FLOATS + INTEGERS]
    forms["constant"] = [Form(f"constant {-3.5 if k in FLOATS else -3} : {k}", [], [k], mappable=False)
                         for k in FLOATS + WIDE] + [Form("constant true", [], ["i1"], mappable=False)]
    forms["scaling_extf"] = forms["scaling_truncf"] = []
    return forms


def math():
    forms = {name: unary(name, FLOATS) for name in
             "absf asin acos atan asinh tanh cbrt ceil floor round roundeven trunc cos sin tan cosh sinh erf erfc exp "
             "exp2 expm1".split()}
    forms.update({name: unary(name, FLOATS, drawn=AS_IS) for name in "atanh log log10 log1p log2 rsqrt sqrt".split()})
    forms["acosh"] = unary("acosh", FLOATS, drawn=ONE_UP)
    forms.update({name: unary(name, WIDE) for name in ("absi", "ctlz", "ctpop", "cttz")})
    forms.update({name: unary(name, FLOATS, result="i1") for name in ("isfinite", "isinf", "isnan", "isnormal")})
    forms.update({name: binary(name, FLOATS) for name in ("atan2", "copysign")})
    forms["powf"] = binary("powf", FLOATS, first=AS_IS)
    forms["ipowi"] = binary("ipowi", ["i8", "i16", "i32", "i64"], second=AS_IS)
    forms["fpowi"] = [Form("fpowi %0, %1 : {0}, {1}", [f, "i32"], [f]) for f in FLOATS]
    forms["fma"] = [Form("fma %0, %1, %2 : {0}", [f] * 3, [f]) for f in FLOATS]
    forms["clampf"] = [Form("clampf %0 to [%1, %2] : {0}", [f] * 3, [f], [RAISED, AS_IS, ONE_UP]) for f in FLOATS]
    forms["sincos"] = [Form("sincos %0 : {0}", [f], [f, f]) for f in FLOATS]
    return forms


def complex_():
    forms = {name: unary(name, COMPLEX, mappable=False) for name in
             "conj cos exp expm1 log log1p neg rsqrt sign sin sqrt tan tanh".split()}
    forms.update({name: binary(name, COMPLEX, mappable=False) for name in ("add", "sub", "mul", "div", "atan2", "pow")})
    parts = [(k, k[8:-1]) for k in COMPLEX]
    forms.update({name: [Form(f"{name} %0 : {{0}}", [k], [part], mappable=False) for k, part in parts]
                  for name in ("abs", "angle", "re", "im")})
    forms.update({name: [Form(f"{name} %0, %1 : {{0}}", [k, k], ["i1"], mappable=False) for k in COMPLEX]
                  for name in ("eq", "neq")})
    forms["create"] = [Form("create %0, %1 : {r}", [part, part], [k], mappable=False) for k, part in parts]
    forms["constant"] = [Form(f"constant [1.5 : {part}, -2.0 : {part}] : {k}", [], [k], mappable=False)
                         for k, part in parts]
    forms["powi"] = [Form("powi %0, %1 : {0}, i32", [k, "i32"], [k], mappable=False) for k in COMPLEX]
    forms["bitcast"] = cast("bitcast", [("complex<f32>", "i64"), ("i64", "complex<f32>"), ("complex<f16>", "i32")],
                            mappable=False)[:2]
    return forms


def index():
    def two(name, second=RAISED):
        return [Form(f"{name} %0, %1", ["index", "index"], ["index"], [RAISED, second], mappable=False)]

    forms = {name: two(name) for name in "add and maxs maxu mins minu mul or sub xor".split()}
    forms.update({name: two(name, ODD) for name in "ceildivs ceildivu divs divu floordivs rems remu".split()})
    forms.update({name: two(name, AS_IS) for name in ("shl", "shrs", "shru")})
    casts = [("index", "i32"), ("i32", "index"), ("index", "i64"), ("i8", "index")]
    forms["casts"], forms["castu"] = (cast(name, casts, mappable=False) for name in ("casts", "castu"))
    forms["cmp"] = [Form(f"cmp {p}(%0, %1)", ["index", "index"], ["i1"], mappable=False)
                    for p in "eq ne slt sle sgt sge ult ule ugt uge".split()]
    forms["constant"] = [Form("constant -7", [], ["index"], mappable=False)]
    forms["bool.constant"] = [Form("bool.constant true", [], ["i1"], mappable=False)]
    forms["sizeof"] = [Form("sizeof", [], ["index"], mappable=False)]
    return forms


# No pass of upstream lowers them, or it loses digits where others do not.
WITHOUT_REFERENCE = {
    "arith.scaling_extf": "compared with constants in small-floats-run.test",
    "arith.scaling_truncf": "compared with constants in small-floats-run.test",
    "math.isinf": "no pass lowers it", "math.isnormal": "no pass lowers it",
    "complex.bitcast": "no pass lowers it",
    "complex.tan": "becomes exp - 1 for expm1", "complex.tanh": "becomes exp - 1 for expm1",
    **{f"linalg.{name}": reason for name, reason in each_linalg.WITHOUT.items()},
}
DIALECTS = {"arith": (arith, "Arith/IR/ArithOps"), "math": (math, "Math/IR/MathOps"),
            "complex": (complex_, "Complex/IR/ComplexOps"), "index": (index, "Index/IR/IndexOps")}


class Program:
    def __init__(self, name, forms):
        self.name, self.dialect = name, name.split(".")[0]
        self.lines, self.arguments, self.results, self.count = [], [], [], 0
        for form in forms:
            self.add(form)

    def text(self):
        arguments = ", ".join(f"{n}: tensor<{SIZE}x{k}>" for n, k in self.arguments)
        kinds = [f"tensor<{SIZE}x{k}>" for _, k in self.results]
        names = ", ".join(n for n, _ in self.results)
        return "\n".join(["module {", f"func.func @main({arguments}) -> ({', '.join(kinds)}) {{"] + self.lines
                         + [f"  return {names} : {', '.join(kinds)}", "}", "}", ""])

    def new(self):
        self.count += 1
        return f"%v{self.count}"

    def argument(self, kind):
        name = f"%arg{len(self.arguments)}"
        self.arguments.append((name, kind))
        return name

    def generic(self, operands, kinds, yields, body):
        """A payload of `body`, in which operands are %i0, %i1, and that sets %o0, %o1."""
        outs = []
        for kind in yields:
            empty = self.new()
            self.lines.append(f"  {empty} = tensor.empty() : tensor<{SIZE}x{kind}>")
            outs.append(empty)
        tensors = [f"tensor<{SIZE}x{k}>" for k in kinds]
        made = [f"tensor<{SIZE}x{k}>" for k in yields]
        maps = ", ".join(["affine_map<(d0) -> (d0)>"] * (len(kinds) + len(yields)))
        reads = f" ins({', '.join(operands)} : {', '.join(tensors)})" if operands else ""
        named = [f"%i{i}: {k}" for i, k in enumerate(kinds)] + [f"%d{i}: {k}" for i, k in enumerate(yields)]
        result = self.new()
        count = f":{len(yields)}" if len(yields) > 1 else ""
        self.lines += [f"  {result}{count} = linalg.generic {{indexing_maps = [{maps}], "
                       f"iterator_types = [\"parallel\"]}}{reads} outs({', '.join(outs)} : {', '.join(made)}) {{",
                       f"  ^bb0({', '.join(named)}):"]
        self.lines += ["    " + line for line in body]
        self.lines += [f"    linalg.yield {', '.join(f'%o{i}' for i in range(len(yields)))} : {', '.join(yields)}",
                       f"  }} -> {made[0] if len(made) == 1 else '(' + ', '.join(made) + ')'}"]
        return [f"{result}#{i}" for i in range(len(yields))] if len(yields) > 1 else [result]

    def operand(self, kind, drawn):
        given = self.argument(kind)
        integer = kind.startswith("i") and kind != "i1"
        body = []
        if kind == "index":
            # All elements of an argument are 4.
            body = ["%j = linalg.index 0 : index", "%t = arith.addi %i0, %j : index"]
            minus = {RAISED: 7, ODD: 3, AS_IS: 3}.get(drawn, 0)
            body += [f"%k = arith.constant {minus} : index", "%o0 = arith.subi %t, %k : index"]
        elif drawn == RAISED and integer:
            body = [f"%k = arith.constant 4 : {kind}", f"%o0 = arith.subi %i0, %k : {kind}"]
        elif drawn == ODD and kind.startswith("i"):
            body = [f"%k = arith.constant {'true' if kind == 'i1' else '1 : ' + kind}",
                    f"%o0 = arith.ori %i0, %k : {kind}"]
        elif kind in FLOATS and drawn in (RAISED, ONE_UP):
            body = [f"%k = arith.constant 8.0 : {kind}", f"%t = arith.mulf %i0, %k : {kind}",
                    f"%m = arith.constant {'-4.0' if drawn == RAISED else '1.0'} : {kind}",
                    f"%o0 = arith.addf %t, %m : {kind}"]
        return self.generic([given], [kind], [kind], body)[0] if body else given

    def write(self, form, operands, on_tensors):
        def shaped(kind):
            return f"tensor<{SIZE}x{kind}>" if on_tensors else kind

        words = {"r": shaped(form.yields[0]), "s": shaped(form.yields[-1]),
                 "0t": shaped("i1") + ", " if on_tensors else ""}
        text = form.text
        for i, kind in enumerate(form.reads):
            text = text.replace(f"{{{i}}}", shaped(kind))
        for word, kind in words.items():
            text = text.replace(f"{{{word}}}", kind)
        return f"{self.dialect}." + re.sub(r"%(\d)", lambda found: operands[int(found.group(1))], text)

    def add(self, form):
        operands = [self.operand(k, d) for k, d in zip(form.reads, form.drawn)]

        def in_payload():
            inside = [f"%i{i}" for i in range(len(operands))]
            left = ", ".join(f"%o{i}" for i in range(len(form.yields)))
            return self.generic(operands, form.reads, form.yields,
                                [f"{left} = {self.write(form, inside, False)}"])

        first = in_payload()
        if form.mappable:
            second = [self.new() for _ in form.yields]
            self.lines.append(f"  {', '.join(second)} = {self.write(form, operands, True)}")
        else:
            second = in_payload()
        which = self.argument("i1")
        for a, b, kind in zip(first, second, form.yields):
            body = [f"%o0 = arith.select %i0, %i1, %i2 : {kind}"]
            kinds = ["i1", kind, kind]
            self.results.append((self.generic([which, a, b], kinds, [kind], body)[0], kind))
            self.results.append((self.generic([which, b, a], kinds, [kind], body)[0], kind))


def programs(linalg):
    for dialect, (forms, _) in DIALECTS.items():
        for name, of in forms().items():
            if f"{dialect}.{name}" not in WITHOUT_REFERENCE:
                yield f"{dialect}.{name}", Program(f"{dialect}.{name}", of).text()
    for name, text in each_linalg.programs(linalg):
        yield f"linalg.{name}", text


def names_of(include, dialect, *headers):
    """The operations of a dialect, as MLIR's headers have them."""
    found = set()
    for header in headers:
        with open(f"{include}/mlir/Dialect/{header}.h.inc", encoding="utf-8") as file:
            found |= set(re.findall(rf'StringLiteral\("{dialect}\.([\w.]+)"\)', file.read()))
    return found


LINALG = [f"Linalg/IR/Linalg{part}Ops" for part in ("Structured", "", "Relayout")]


def check(include):
    """Names what MLIR's headers have and nobody writes here, and what they have not."""
    missing = []
    for dialect, (forms, header) in DIALECTS.items():
        missing += [f"{dialect}.{name}" for name in sorted(names_of(include, dialect, header) ^ set(forms()))]
    known = names_of(include, "linalg", *LINALG)
    written = {name for name, _ in each_linalg.programs(known)} | set(each_linalg.WITHOUT)
    return missing + [f"linalg.{name}" for name in sorted(known ^ written)]


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--write")
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--include", default="/usr/lib/llvm-22/include", help="where MLIR's headers are")
    parser.add_argument("names", nargs="*")
    options = parser.parse_args()
    if options.check:
        missing = check(options.include)
        for name, reason in WITHOUT_REFERENCE.items():
            print(f"{name} is not compared: {reason}")
        print("\n".join(missing) or "all others have a program")
        sys.exit(1 if missing else 0)
    os.makedirs(options.write, exist_ok=True)
    for name, text in programs(names_of(options.include, "linalg", *LINALG)):
        if not options.names or name in options.names:
            with open(os.path.join(options.write, name + ".mlir"), "w", encoding="utf-8") as file:
                file.write(text)


if __name__ == "__main__":
    main()
