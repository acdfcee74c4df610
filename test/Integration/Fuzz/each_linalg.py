"""Programs of one named operation of linalg each, for each-operation.py.

Shapes follow from names: `conv_2d_nhwc_hwcf` reads an image of n, h, w, c and a window
of h, w, c, f, and makes n, h, w, f.
"""

import re

SIZES = {"n": 2, "c": 3, "f": 4, "g": 2, "m": 2, "h": 3, "w": 3, "d": 3}
WINDOW = 2
SPACE = "dhw"

# Name: shapes of what is read and made, and whether what is there counts.
PRODUCTS = {
    "matmul": ("4x3 3x5", "4x5"), "batch_matmul": ("2x4x3 2x3x5", "2x4x5"),
    "batch_matvec": ("2x4x3 2x3", "2x4"), "batch_vecmat": ("2x3 2x3x5", "2x5"),
    "batch_reduce_matmul": ("2x4x3 2x3x5", "4x5"), "matvec": ("4x3 3", "4"), "vecmat": ("3 3x5", "5"),
    "dot": ("5 5", ""), "mmt4d": ("2x3x4x2 3x3x5x2", "2x3x4x5"), "batch_mmt4d": ("2x2x3x4x2 2x3x3x5x2", "2x2x3x4x5"),
    "quantized_matmul": ("4x3 3x5", "4x5"), "quantized_batch_matmul": ("2x4x3 2x3x5", "2x4x5"),
}
UNARY = "abs ceil erf exp floor log negf reciprocal round rsqrt sqrt square tanh copy".split()
BINARY = "add sub mul div max min powf div_unsigned".split()
# Words of their own; %0, %1 and %d are what is read and overwritten.
OTHERS = {
    "broadcast": ("4", "4x5", "linalg.broadcast ins({ins}) outs({outs}) dimensions = [1]"),
    "transpose": ("4x5", "5x4", "linalg.transpose ins({ins}) outs({outs}) permutation = [1, 0]"),
    "reduce": ("4x5", "4", "linalg.reduce {{ arith.addf }} ins({ins}) outs({outs}) dimensions = [1]"),
    "map": ("4x5 4x5", "4x5", "linalg.map {{ arith.maximumf }} ins({ins}) outs({outs})"),
    "elementwise": ("4x5 4x5", "4x5", "linalg.elementwise kind=#linalg.elementwise_kind<min_signed> ins({ins}) "
                    "outs({outs}) -> {made}"),
    "contract": ("4x3 3x5", "4x5", "linalg.contract indexing_maps = [affine_map<(a, b, c) -> (a, c)>, "
                 "affine_map<(a, b, c) -> (c, b)>, affine_map<(a, b, c) -> (a, b)>] ins({ins}) outs({outs}) -> {made}"),
    "generic": ("4x5", "4x5", "linalg.generic {{indexing_maps = [affine_map<(i, j) -> (i, 4 - j)>, "
                "affine_map<(i, j) -> (i, j)>], iterator_types = [\"parallel\", \"parallel\"]}} "
                "ins({ins}) outs({outs}) {{\n  ^bb0(%x: f32, %y: f32):\n    %s = arith.subf %x, %y : f32\n"
                "    linalg.yield %s : f32\n  }} -> {made}"),
}
EXPANDED = "runs in operations-that-upstream-expands-run.test"
WITHOUT = {"fill": "stands in all programs of its dialect", "select": "stands in all programs of its dialect",
           "softmax": "no pass lowers it", "index": "stands in programs of other dialects", "yield": "ends payloads",
           "fill_rng_2d": "stands in the random programs", "pack": EXPANDED, "unpack": EXPANDED,
           "winograd_filter_transform": EXPANDED, "winograd_input_transform": EXPANDED,
           "winograd_output_transform": EXPANDED}


def dims(letters, is_image):
    return "x".join(str(SIZES[c] + (WINDOW - 1 if is_image and c in SPACE else 0)) for c in letters)


def window(letters):
    return "x".join(str(WINDOW if c in SPACE else SIZES[c]) for c in letters)


def shapes(name):
    """What a convolution or a pooling reads and makes."""
    found = re.match(r"pooling_([a-z]+)_(sum|max|min)", name)
    if found:
        image = found.group(1)
        return [dims(image, True), window([c for c in image if c in SPACE])], dims(image, False)
    rank = int(re.search(r"conv_(\d)d", name).group(1))
    parts = [p for p in name.split("d", 2)[-1].split("_") if p and p != "q"] if "_n" in name else []
    if not parts:
        space = SPACE[-rank:]
        return [dims(space, True), window(space)], dims(space, False)
    image, kernel = name.partition("d_")[2].replace("_q", "").split("_")
    if name.startswith("depthwise"):
        made = image + ("m" if "m" in kernel else "")
    else:
        # The channels of the window that the image has not are made.
        made = image.replace("c", "f")
    return [dims(image, True), window(kernel)], dims(made, False)


def program(name, element, read, made, text):
    """`text` twice, on other operands, and a choice among both."""
    def tensor(shape, kind):
        return f"tensor<{shape}x{kind}>" if shape else f"tensor<{kind}>"

    wide = "i32" if element == "i8" else element
    result = tensor(made, wide)
    arguments, lines, values = [], [], []
    zero = "0.0" if wide.startswith("f") else "0"
    lines.append(f"  %zero = arith.constant {zero} : {wide}")
    for turn in "ab":
        names = [f"%{turn}{i}" for i in range(len(read))]
        kinds = [tensor(shape, element) for shape in read]
        if element == "i8" and "q" in name:
            names += [f"%{turn}q0", f"%{turn}q1"]
            kinds += ["i32", "i32"]
        arguments += [f"{n}: {k}" for n, k in zip(names, kinds)]
        if name == "div_unsigned":  # not by zero
            lines += [f"  %{turn}one = arith.constant dense<1> : {kinds[1]}",
                      f"  %{turn}by = arith.ori {names[1]}, %{turn}one : {kinds[1]}"]
            names[1] = f"%{turn}by"
        lines += [f"  %{turn}e = tensor.empty() : {result}",
                  f"  %{turn}z = linalg.fill ins(%zero : {wide}) outs(%{turn}e : {result}) -> {result}"]
        form = text.format(ins=f"{', '.join(names)} : {', '.join(kinds)}", outs=f"%{turn}z : {result}", made=result)
        lines.append(f"  %{turn} = {form}")
        values.append(f"%{turn}")
    for i in range(2):
        lines += [f"  %e{i} = tensor.empty() : {result}",
                  f"  %r{i} = linalg.select ins(%c, {values[i]}, {values[1 - i]} : {tensor(made, 'i1')}, "
                  f"{result}, {result}) outs(%e{i} : {result}) -> {result}"]
    arguments.append(f"%c: {tensor(made, 'i1')}")
    return "\n".join(["module {", f"func.func @main({', '.join(arguments)}) -> ({result}, {result}) {{", *lines,
                      f"  return %r0, %r1 : {result}, {result}", "}", "}", ""])


def programs(known):
    """The program of each named operation in `known`, by its name."""
    plain = "({ins}) outs({outs}) -> {made}"
    for name in sorted(known):
        element = "i8" if name.endswith("_q") or "quantized" in name else "i32" if "unsigned" in name else "f32"
        if name in OTHERS:
            read, made, text = OTHERS[name]
            yield name, program(name, element, read.split(), made, text)
        elif name in PRODUCTS:
            read, made = PRODUCTS[name]
            yield name, program(name, element, read.split(), made, f"linalg.{name} ins" + plain)
        elif name in UNARY + BINARY:
            read = ["4x5"] * (2 if name in BINARY else 1)
            yield name, program(name, element, read, "4x5", f"linalg.{name} ins" + plain)
        elif name.startswith(("conv", "depthwise", "pooling")):
            read, made = shapes(name)
            yield name, program(name, element, read, made, f"linalg.{name} ins" + plain)
