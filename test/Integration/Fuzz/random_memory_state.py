"""Random programs on memory: random numbers with a state and without one.

A generator has its state in a tensor or a buffer that is read, advanced and handed on
(explicit), or in a global that a callee advances whenever it is called (hidden). Each
such call must run once, and in its place: what it gives depends on all before it.
"""

from dataclasses import replace

from random_memory import Buffer, Tensor
from random_memory_values import Values

STATE = "tensor<2xi64>"
NUMBERS = "memref<8xf32>"

# A word that is advanced, and how often that was done.
HIDDEN = """
memref.global "private" @hidden : memref<2xi64> = dense<[88172645463325252, 0]>
func.func private @next() -> i64 {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %more = arith.constant 1 : i64
  %a = arith.constant 6364136223846793005 : i64
  %c = arith.constant 1442695040888963407 : i64
  %shift = arith.constant 33 : i64
  %g = memref.get_global @hidden : memref<2xi64>
  %count = memref.load %g[%one] : memref<2xi64>
  %counted = arith.addi %count, %more : i64
  memref.store %counted, %g[%one] : memref<2xi64>
  %word = memref.load %g[%zero] : memref<2xi64>
  %scaled = arith.muli %word, %a : i64
  %new = arith.addi %scaled, %c : i64
  memref.store %new, %g[%zero] : memref<2xi64>
  %high = arith.shrui %new, %shift : i64
  return %high : i64
}
func.func private @next_float() -> f32 {
  %mask = arith.constant 1023 : i64
  %scale = arith.constant 0.00390625 : f32
  %word = call @next() : () -> i64
  %low = arith.andi %word, %mask : i64
  %whole = arith.uitofp %low : i64 to f32
  %number = arith.mulf %whole, %scale : f32
  return %number : f32
}
func.func private @noise(%m: memref<8xf32>, %n: index) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  scf.for %i = %zero to %n step %one {
    %number = func.call @next_float() : () -> f32
    memref.store %number, %m[%i] : memref<8xf32>
  }
  return
}
func.func private @skip(%often: i1) {
  scf.if %often {
    %word = func.call @next() : () -> i64
  }
  %other = call @next() : () -> i64
  return
}""".strip()

EXPLICIT = """
func.func private @generate(%state: tensor<2xi64>) -> (tensor<2xi64>, tensor<8xf32>) {
  %zero = arith.constant 0 : index
  %a = arith.constant 2862933555777941757 : i64
  %shift = arith.constant 29 : i64
  %mask = arith.constant 511 : i64
  %scale = arith.constant 0.0078125 : f32
  %new = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]}
      outs(%state : tensor<2xi64>) {
  ^bb0(%s: i64):
    %scaled = arith.muli %s, %a : i64
    %high = arith.shrui %scaled, %shift : i64
    %next = arith.xori %scaled, %high : i64
    linalg.yield %next : i64
  } -> tensor<2xi64>
  %word = tensor.extract %new[%zero] : tensor<2xi64>
  %empty = tensor.empty() : tensor<8xf32>
  %numbers = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]}
      outs(%empty : tensor<8xf32>) {
  ^bb0(%o: f32):
    %i = linalg.index 0 : index
    %place = arith.index_cast %i : index to i64
    %moved = arith.addi %word, %place : i64
    %scaled = arith.muli %moved, %a : i64
    %high = arith.shrui %scaled, %shift : i64
    %low = arith.andi %high, %mask : i64
    %whole = arith.uitofp %low : i64 to f32
    %number = arith.mulf %whole, %scale : f32
    linalg.yield %number : f32
  } -> tensor<8xf32>
  return %new, %numbers : tensor<2xi64>, tensor<8xf32>
}""".strip()

IN_MEMORY = """
func.func private @advance(%state: memref<2xi64>) -> i64 {
  %zero = arith.constant 0 : index
  %a = arith.constant 3935559000370003845 : i64
  linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]}
      outs(%state : memref<2xi64>) {
  ^bb0(%s: i64):
    %scaled = arith.muli %s, %a : i64
    %next = arith.addi %scaled, %a : i64
    linalg.yield %next : i64
  }
  %word = memref.load %state[%zero] : memref<2xi64>
  return %word : i64
}""".strip()


class State(Values):
    """Needs `nested` and `looped` of a class that has regions."""

    hidden_odds = explicit_odds = 0
    texts = ()

    def include(self, text):
        if text not in self.texts:
            self.texts.append(text)

    def word(self):
        return "func.call" if self.nesting else "call"

    # Without a state that the program hands on.

    def hidden(self):
        self.kinds.add("hidden state")
        if self.nesting:
            self.kinds.add("hidden state in a region")
        self.include(HIDDEN)
        way = self.random.choice(("next", "next", "next_float", "noise", "skip"))
        if way == "next":
            self.scalars.append((self.value(f"{self.word()} @next() : () -> i64", "q"), "i64"))
        elif way == "next_float":
            self.scalars.append((self.value(f"{self.word()} @next_float() : () -> f32", "q"), "f32"))
        elif way == "noise":
            target = self.pick("f32", shape=(8,), test=lambda b: b.type == NUMBERS and b.writable)
            target = target or self.allocate("f32", (8,))
            if target.type == NUMBERS:
                self.emit(f"{self.word()} @noise({target.name}, {self.size(self.random.randint(0, 8))}) : "
                          f"({NUMBERS}, index) -> ()")
        else:
            self.emit(f"{self.word()} @skip({self.condition()}) : (i1) -> ()")

    def count_hidden(self, target):
        """How often the hidden state was advanced, and what it is in the end."""
        state = Buffer("", "i64", (2,), frozenset(("@hidden",)))
        name = self.value(f"memref.get_global @hidden : {state.type}", "m")
        for place in range(2):
            at = self.constant("index", place)
            number = self.value(f"memref.load {name}[{at}] : {state.type}", "l")
            number = self.convert(number, "i64", target.element)
            at = self.constant("index", target.shape[0] - 2 - place)
            self.emit(f"memref.store {number}, {target.name}[{at}] : {target.type}")

    # With one.

    def state(self):
        some = [t for t in self.tensors if t.type == STATE]
        if some and self.chance(0.9):
            return self.random.choice(some[-2:])
        first = Tensor("", "i64", (2,))
        words = f"{self.random.getrandbits(60)}, {self.random.getrandbits(60)}"
        name = self.value(f"arith.constant dense<[{words}]> : {STATE}", "k")
        if self.chance(0.5):
            # Nobody knows the seed before the program runs.
            seed, zero = self.scalar("i64"), self.constant("index", 0)
            name = self.value(f"tensor.insert {seed} into {name}[{zero}] : {STATE}", "t")
        return self.known(replace(first, name=name))

    def generate(self, state):
        """Numbers, and the state after them."""
        self.include(EXPLICIT)
        name = self.name("q")
        self.emit(f"{name}:2 = {self.word()} @generate({state.name}) : ({STATE}) -> ({STATE}, tensor<8xf32>)")
        return replace(state, name=f"{name}#0"), Tensor(f"{name}#1", "f32", (8,))

    def explicit(self):
        self.kinds.add("explicit state")
        odds = self.random.random()
        if odds < 0.25:
            self.drawn_in_place()
        elif odds < 0.4 or not self.tensor_odds:
            self.state_in_memory()
        elif odds < 0.65:
            for tensor in self.generate(self.state()):
                self.known(tensor)
        elif odds < 0.85 and self.nesting < 2:
            self.random.choice((self.state_loop, self.state_branch))()
        else:
            self.state_step()

    def state_step(self):
        """The state advanced where it is used."""
        state = self.state()
        new = self.known(self.generic([(state, "d0")], state))
        place = self.constant("index", self.random.randint(0, 1))
        self.scalars.append((self.value(f"tensor.extract {new.name}[{place}] : {STATE}", "l"), "i64"))

    def drawn_in_place(self):
        """The generator of linalg, whose state is a number."""
        self.kinds.add("fill_rng_2d")
        low, high, seed = self.constant("f64", -0.5), self.constant("f64", 1.5), self.scalar("i32")
        element = self.random.choice(("f32", "f64"))
        head = f"linalg.fill_rng_2d ins({low}, {high}, {seed} : f64, f64, i32) outs("
        if not self.tensor_odds or self.chance(0.5):
            target = self.pick(element, shape=(4, 4), test=lambda b: b.shape == (4, 4) and b.writable
                               and b.element == element)
            target = target or self.allocate(element, (4, 4))
            self.emit(f"{head}{target.name} : {target.type})")
            return
        target = self.tensor((4, 4), element)
        self.known(replace(target, name=self.value(
            f"{head}{target.name} : {target.type}) -> {target.type}", "t")))

    def state_in_memory(self):
        self.include(IN_MEMORY)
        kind = "memref<2xi64>"
        state = self.pick("i64", shape=(2,), test=lambda b: b.type == kind and b.writable)
        state = state or self.allocate("i64", (2,))
        if state.type == kind:
            name = self.value(f"{self.word()} @advance({state.name}) : ({kind}) -> i64", "q")
            self.scalars.append((name, "i64"))

    def state_loop(self):
        """A loop that carries the state, and what was drawn last."""
        state, numbers = self.state(), self.tensor((8,), "f32")
        name, iv, args = self.name("r"), self.name("i"), [self.name("c") for _ in range(2)]
        kinds = f"{STATE}, {numbers.type}"
        self.emit(f"{name}:2 = scf.for {iv} = {self.size(0)} to {self.size(self.trips())} step "
                  f"{self.constant('index', 1)} iter_args({args[0]} = {state.name}, {args[1]} = {numbers.name}) "
                  f"-> ({kinds}) {{")

        def work():
            self.scalars.append((iv, "index"))
            old = self.known(replace(numbers, name=args[1]))
            new, drawn = self.generate(replace(state, name=args[0]))
            self.known(drawn)
            self.body(2)
            drawn = self.generic([(drawn, "d0")], old) if self.chance(0.5) else drawn
            self.emit(f"scf.yield {new.name}, {drawn.name} : {kinds}")
        self.looped(work)
        self.emit("}")
        self.known(replace(state, name=f"{name}#0"))
        self.known(replace(numbers, name=f"{name}#1"))

    def state_branch(self):
        """A state that is advanced on one side only."""
        state = self.state()
        name = self.name("p")
        self.emit(f"{name} = scf.if {self.condition()} -> ({STATE}) {{")

        def side(draws):
            new = state
            for _ in range(draws):
                new, drawn = self.generate(new)
                self.known(drawn)
            self.emit(f"scf.yield {new.name} : {STATE}")
        self.nested(lambda: side(self.random.randint(1, 2)))
        self.emit("} else {")
        self.nested(lambda: side(0))
        self.emit("}")
        self.known(replace(state, name=name))
