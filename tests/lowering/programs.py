"""Random rules over everything that lowering accepts: the text of a game whose methods f0, f1, ... are programs.

Expressions are made by kind: a word, a number, a float or a truth. Each program begins with some constructs (`constructs.py`) from a deck
that goes on from seed to seed, so that five modules use every one; half of the other expressions are drawn from them, too, and the rest
is what authors write. Most programs keep to what 64 bits hold, some do not: then the interpreter's answer, or its error, is what the
checked build is held to.
"""

from __future__ import annotations

import random
from collections.abc import Callable

from constructs import KINDS, Construct, constructs

FULL = (1 << 64) - 1
DEALT = 3  # constructs of the deck at the beginning of each program
DECK_STEP = 50 * DEALT  # how far a module of 50 programs goes
DRAWN = 0.5  # of the other expressions that are not leaves are constructs
#: a value of each kind as one word; a float by its bits, but for nan, which has many
AS_WORD = {"word": "{0}", "number": "u64({0})", "truth": "u64({0})", "real": "to_word({0} * 1.0 if {0} == {0} else 0.5)"}
EDGES = (0, 1, 2, 7, 63, 64, 255, (1 << 31) - 1, (1 << 53) + 1, (1 << 62) + 3, (1 << 63) - 1)

HEAD = """
import math
from typing import NamedTuple

import numpy as np

from zermelo import Game, bit, bitreverse, byteswap, clz, ctz, i8, i16, i32, i64, lowest, nth, popcount, rest, u8, u16, u32, u64
from zermelo.lower.memory import to_word

FULL = 0xFFFFFFFFFFFFFFFF
STEP, SAME, ONE, K = -2, 5, 1, 2**61
HALF = 0.5
ROW = (3, -1, 4, 1, -5, 9)
WORDS = (0x8000000000000001, 5, 0xF0F0)


class State(NamedTuple):
    w: u64
    v: u64
    n: i64
    m: i8
    k: u8
    t: tuple[i8, ...]
    ws: tuple[u64, ...]
    flag: bool


class Other:
    STEP, K = -3, 1


def double(x: u64, n: i64) -> u64:
    y = 0
    for j in range(n & 7):
        y |= x >> j & 1
    return y + 1 & FULL


def below(a, b):
    return a % 7 - b if a > b else b % 5


class G(Game):
    STEP, SAME, K = -1, 6, 1

    def __init__(self):
        self.table = np.array([200, 100, 50, 7], dtype=np.uint8)
        self.signed = np.array([[3, -1], [127, -128]], dtype=np.int8)
        self.truths = np.array([True, False, True])
        self.single = np.array([0.1, -2.5, 3.0], dtype=np.float32)
        self.masks = np.array([1 << 63, 3, FULL], dtype=np.uint64)
        self.rows = ((1, 2, 3), (4, 5, 6))
        self.offset, self.__secret, self.total = 3, -4, np.array([1, 2, 3]).sum()

    def initial(self):
        return State(0, 0, 0, 0, 0, (0, 0, 0, 0), (0, 0, 0), False)

    def to_move(self, s):
        return 0

    def result(self, s, a):
        return s

    def is_terminal(self, s):
        return False

    def utility(self, s, p):
        return 0

    def secret(self, x):
        return x + self.__secret

    def parity(self, w):
        return popcount(w) % 2 == 1

    def choose(self, c, a: i64, b: i64):
        return a if c else b

    def choose_word(self, c, a: u64, b: u64):
        return a if c else b

    def descend(self, n, w: u64):
        if n <= 0:
            return w
        return (self.descend(n - 1, w >> 1) * 3 + 1) & FULL
"""


def plain_module(given: list[Construct]) -> str:
    """The text of a game with a program for each construct, whose operands are fields of the state and variables."""
    operands = {"word": "s.w s.v s.ws[1]", "number": "s.n s.m s.k", "real": "x y z", "truth": "s.flag (s.m>3) (s.w>s.v)"}
    names = {kind: text.split() for kind, text in operands.items()}
    methods = []
    for i, one in enumerate(given):
        value = one.text.format(*(names[kind][k] for k, kind in enumerate(one.takes)))
        lines = ["x, y, z = s.m / 4.0, s.n * 0.1 - s.k, s.k * 0.3 - 2.0", f"r = {value}", f"return {AS_WORD[one.gives].format('r')}"]
        methods.append(f"    def f{i}(self, s):\n" + "\n".join(f"        {line}" for line in lines) + "\n")
    return HEAD + "    def actions(self, s):\n        yield 0\n\n" + "\n".join(methods) + "\n" + asked(len(given))


def asked(programs: int) -> str:
    """The rule by which programs are asked for by their number."""
    lines = "".join(f"        if p == {i}:\n            return self.f{i}(s)\n" for i in range(programs))
    return f"    def observe(self, s, p):\n{lines}        return 0\n"


class Programs:
    """A source of programs; the same seed gives the same ones. `wild` is how often a guard is left out.

    Portable programs leave out what a GPU rounds otherwise than a processor: functions of math and powers of floats.
    """

    def __init__(self, seed: int, wild: float = 0.03, *, portable: bool = False):
        self.random, self.wild, self.portable = random.Random(seed), wild, portable
        deck = [one for one in constructs() if not (portable and ("math." in one.text or (one.gives == "real" and "**" in one.text)))]
        self._by_kind = {kind: [one for one in deck if one.gives == kind] for kind in KINDS}
        random.Random(0).shuffle(deck)
        self._deck, self._next = deck, DECK_STEP * seed
        self.start()

    def module(self, programs: int) -> str:
        """The text of a game with this many programs, which `observe(s, p)` asks for by number."""
        methods = [self.method(f"f{i}") for i in range(programs)]
        return HEAD + self.actions() + "\n" + "\n".join(methods) + "\n" + asked(programs)

    # ---- methods and statements --------------------------------------------------------------

    def method(self, name: str) -> str:
        self.start()
        first = [f"{self.name('number')} = s.{self.pick('m k')}", f"{self.name('word')} = s.{self.pick('w v')}"]
        first += [
            f"{self.name('real')} = s.{self.pick('m k')} * {self.pick('0.1 0.25 -1.5')}",
            f"{self.name('truth')} = s.m > {self.pick('0 9')}",
        ]
        body = first + [self.dealt() for _ in range(DEALT)] + self.block(1, self.random.randint(1, 2))
        return f"    def {name}(self, s):\n" + "\n".join("        " + line for line in [*body, *self.folded()]) + "\n"

    def actions(self) -> str:
        self.start()
        body = self.block(1, 1)
        loop = [
            f"for a in range({self.small()}):",
            f"    if {self.truth(2)}:",
            "        yield a",
            f"    yield a + {self.random.randint(20, 40)}",
        ]
        return "    def actions(self, s):\n" + "\n".join("        " + line for line in [*body, *loop]) + "\n"

    def start(self) -> None:
        self.known: dict[str, list[str]] = {"word": ["s.w", "s.v"], "number": ["s.n", "s.m", "s.k"], "real": [], "truth": ["s.flag"]}
        self.fresh, self.frozen, self.nested = 0, set[str](), False

    def folded(self) -> list[str]:
        """Everything that the program has computed, as one word."""
        lines = ["acc = u64(0)"]
        for kind, names in self.known.items():
            for x in (x for x in names if "." not in x):
                part = AS_WORD[kind].format(x)
                lines.append(f"acc = (acc * 31 ^ {part}) & FULL")
        return [*lines, "return acc"]

    def block(self, depth: int, length: int) -> list[str]:
        return [line for _ in range(length) for line in self.statement(depth)]

    def inner(self, depth: int) -> list[str]:
        """The body of a branch or a loop: what is new in it is unknown after it."""
        before = {kind: list(names) for kind, names in self.known.items()}
        self.nested = True
        body = self.block(depth, 1)
        self.known, self.nested = before, False
        return ["    " + line for line in body]

    def statement(self, depth: int) -> list[str]:
        makers: list[Callable[[int], list[str]]] = [self.assign, self.assign, self.assign, self.update, self.unpack]
        if depth > 0:
            makers += [self.branch, self.count, self.loop, self.spin, self.guarded]
        return self.random.choice(makers)(depth)

    def assign(self, depth: int) -> list[str]:
        kind = self.kind()
        value = self.make(kind, 2)
        return [f"{self.target(kind)} = {value}"]

    def target(self, kind: str) -> str:
        """A variable to assign to: in a branch or a loop most often one that lives on after it."""
        mine = [x for x in self.known[kind] if "." not in x and x not in self.frozen]
        return self.random.choice(mine) if mine and self.chance(0.9 if self.nested else 0.3) else self.name(kind)

    def name(self, kind: str) -> str:
        """A new variable of this kind; some are called like things of ours."""
        self.fresh += 1
        odd = (
            self.random.choice(["select", "fn_below", "rule_count", "shl", "my_x", "len_", "const0_K", "acc_", "State_"])
            if self.chance(0.05)
            else ""
        )
        name = f"{odd or kind[0]}{self.fresh}" if not odd or any(odd in names for names in self.known.values()) else odd
        self.known[kind].append(name)
        return name

    def update(self, depth: int) -> list[str]:
        kind = self.random.choice(KINDS)
        mine = [x for x in self.known[kind] if "." not in x and x not in self.frozen]
        return self.updates(self.random.choice(mine), kind) if mine else self.assign(depth)

    def updates(self, x: str, kind: str) -> list[str]:
        """`x op= value` by an operator of this kind, with the lines that keep x within its 64 bits."""
        k = self.random.randint(0, 5)
        bits = 64 // max(k, 1)
        if kind == "word":
            cut = f"{x} &= FULL"
            choices = [
                [f"{x} {self.pick('|= &= ^=')} {self.word(2)}"],
                [f"{x} {self.pick('+= -= *=')} {self.word(2)}", cut],
                [f"{x} {self.pick('//= %=')} {self.word(1)} | 1"],
                [f"{x} <<= {self.shift()}", cut],
                [f"{x} >>= {self.shift()}"],
                [f"{x} &= {(1 << bits) - 1:#x}", f"{x} **= {k}"],
            ]
        elif kind == "number":
            cut = f"{x} %= {self.random.randint(3, 999)}"
            choices = [
                [f"{x} {self.pick('+= -=')} {self.tame(2)}", cut],
                [cut, f"{x} *= {self.tame(2)}"],
                [f"{x} {self.pick('//= %=')} {self.divisor(1)}"],
                [f"{x} {self.pick('|= &= ^=')} {self.number(2)}"],
                [cut, f"{x} <<= {self.random.randint(0, 50)}"],
                [f"{x} >>= {self.shift()}"],
                [f"{x} %= {1 << min(bits - 1, 62)}", f"{x} **= {k}"],
            ]
        elif kind == "real":
            choices = [
                [f"{x} {self.pick('+= -= *=')} {self.real(2)}"],
                [f"{x} {self.pick('/= //= %=')} {self.real(1)} or 0.5"],
                [f"{x} %= 100.0", f"{x} *= {x}" if self.portable else f"{x} **= {k}"],
            ]
        else:
            choices = [[f"{x} {self.pick('|= &= ^=')} {self.truth(2)}"]]
        return self.random.choice(choices)

    def unpack(self, depth: int) -> list[str]:
        value, other = self.number(2), self.word(2)
        return [f"{self.target('number')}, {self.target('word')} = {value}, {other}"]

    def branch(self, depth: int) -> list[str]:
        lines = [f"if {self.test(2)}:", *self.inner(depth - 1)]
        if self.chance(0.4):
            lines += [f"elif {self.test(1)}:", *self.inner(depth - 1)]
        return [*lines, "else:", *self.inner(depth - 1)] if self.chance(0.5) else lines

    def count(self, depth: int) -> list[str]:
        span = self.random.choice(
            [
                f"range({self.small()})",
                f"range({self.small()}, {self.small()} + 4)",
                f"range({self.random.randint(2, 5)}, {self.pick('-2 -1 0')}, -1)",
            ]
        )
        return self.over("number", span, depth)

    def loop(self, depth: int) -> list[str]:
        kind, over = self.random.choice(
            [("number", "s.t"), ("number", "ROW"), ("word", "s.ws"), ("word", "WORDS"), ("word", "self.masks"), ("number", "self.table")]
        )
        return self.over(kind, over, depth)

    def over(self, kind: str, what: str, depth: int) -> list[str]:
        before = {k: list(names) for k, names in self.known.items()}
        x = self.name(kind)
        self.frozen.add(x)
        self.nested = True
        body = ["    " + line for line in self.block(depth - 1, 1)]
        self.nested = False
        if self.chance(0.2):
            body.append(f"    if {self.truth(1)}:")
            body.append(f"        {self.pick('break continue')}")
        self.known = before
        return [f"for {x} in {what}:", *body]

    def guarded(self, depth: int) -> list[str]:
        """A loop over places inside and outside, each asked about only if it is inside."""
        w, total = self.leaf("word"), self.name("number")
        self.fresh += 1
        x = f"j{self.fresh}"
        test = self.random.choice(
            [
                f"{x} < 64 and ({w} >> {x} & 1) != 0",
                f"{x} >= 0 and {x} < 64 and {w} & bit({x}) != 0",
                f"({x} < 64 and {w} >> {x} > 5) or {x} == 65",
                f"0 <= {x} < 64 and (1 if {w} >> {x} & 1 else 0) == 1",
            ]
        )
        low = self.pick("58 60 62") if "0" not in test.split("<")[0] else self.pick("-3 60")
        return [f"{total} = 0", f"for {x} in range({low}, {self.pick('66 68 70')}):", f"    if {test}:", f"        {total} += {x}"]

    def spin(self, depth: int) -> list[str]:
        self.fresh += 1
        counter = f"c{self.fresh}"
        return [f"{counter} = 0", f"while {counter} < {self.small()} and {self.test(1)}:", f"    {counter} += 1", *self.inner(depth - 1)]

    # ---- expressions -------------------------------------------------------------------------

    def kind(self) -> str:
        return self.random.choice(["word", "word", "number", "number", "real", "truth"])

    def make(self, kind: str, depth: int) -> str:
        return {"word": self.word, "number": self.number, "real": self.real, "truth": self.truth}[kind](depth)

    def dealt(self) -> str:
        """A new variable that holds the next construct of the deck."""
        one = self._deck[self._next % len(self._deck)]
        self._next += 1
        value = self.filled(one, 1)
        return f"{self.name(one.gives)} = {value}"

    def drawn(self, kind: str, depth: int) -> str:
        """A random construct of this kind."""
        return self.filled(self.random.choice(self._by_kind[kind]), depth)

    def filled(self, one: Construct, depth: int) -> str:
        return one.text.format(*(self.operand(kind, depth - 1) for kind in one.takes))

    def operand(self, kind: str, depth: int) -> str:
        """A variable that holds a truth cannot stand among words and among floats: most often only a copy of it does."""
        made = self.make(kind, depth)
        return f"bool({made})" if kind == "truth" and made.isidentifier() and self.chance(0.9) else made

    def chance(self, p: float) -> bool:
        return self.random.random() < p

    def pick(self, words: str) -> str:
        return self.random.choice(words.split())

    def small(self) -> str:
        return self.random.choice(["3", "4", f"{self.leaf('number')} % 4", "s.k & 3", "len(s.t)", "self.offset"])

    def leaf(self, kind: str) -> str:
        if kind == "truth" and self.chance(0.5):
            return "s.flag"  # a variable that stands among words cannot stand among floats
        return self.random.choice(self.known[kind] or ["1.5"])

    def shift(self) -> str:
        """How far to shift: most often within 0 to 63."""
        if self.chance(self.wild):
            return f"({self.leaf('number')} % 70)"
        return self.random.choice(
            [
                str(self.random.randint(0, 63)),
                f"({self.leaf('number')} & 63)",
                f"({self.leaf('number')} % 64)",
                f"(63 - {self.leaf('number')} % 60)",
                "s.k % 64",
            ]
        )

    def word(self, depth: int) -> str:
        if depth <= 0 or self.chance(0.15):
            constants = ["FULL", "WORDS[0]", hex(self.random.getrandbits(64)), str(self.random.choice(EDGES)), "K", "self.K", "Other.K"]
            return self.random.choice([self.leaf("word"), self.leaf("word"), self.random.choice(constants)])
        if self.chance(DRAWN):
            return self.drawn("word", depth)
        w, n, d = self.word, self.number, depth - 1
        choices: list[Callable[[], str]] = [
            lambda: f"({w(d)} {self.pick('& | ^')} {w(d)})",
            lambda: f"({w(d)} {self.pick('+ - *')} {w(d)} & {self.mask()})",
            lambda: f"(({w(d)} << {self.shift()}) & {self.mask()})",
            lambda: f"({w(d)} >> {self.shift()})",
            lambda: f"(~{w(d)} & {self.mask()})",
            lambda: f"({w(d)} {self.pick('// %')} {self.random.randint(2, 1000)})",
            lambda: f"double({w(d)}, {n(d)})",
            lambda: f"self.descend({self.small()}, {w(d)})",
            lambda: f"self.choose_word({self.truth(d)}, {w(d)}, {w(d)})",
            lambda: f"s.ws[{self.index(3)}]",
            lambda: f"WORDS[{self.index(3)}]",
            lambda: f"self.masks[{self.index(3)}]",
            lambda: f"s._replace(w={w(d)}).w",
            lambda: self.shadowed("word", d),
        ]
        if self.chance(self.wild):
            return self.random.choice(
                [
                    f"({w(d)} {self.pick('+ - *')} {w(d)})",
                    f"({w(d)} << {self.shift()})",
                    f"~{w(d)}",
                    f"({w(d)} ** {self.random.randint(0, 4)} & {self.mask()})",
                    f"({w(d)} {self.pick('// % + - * & |')} -{self.random.randint(1, 9)})",
                ]
            )
        return self.random.choice(choices)()

    def mask(self) -> str:
        return self.random.choice(["FULL", "0xFFFFFFFFFFFFFFFF", self.leaf("word"), "0xFFFF", "WORDS[2]"])

    def tame(self, depth: int) -> str:
        """A number that can be multiplied and added without leaving 64 bits."""
        x = self.number(depth)
        return x if self.chance(self.wild) else f"({x} % {self.random.choice([3, 10, 255, 1000, 65537])})"

    def number(self, depth: int) -> str:
        if depth <= 0 or self.chance(0.15):
            constants = [
                "STEP",
                "self.STEP",
                "G.STEP",
                "Other.STEP",
                "SAME",
                "self.SAME",
                "ONE",
                "self.total",
                str(self.random.randint(-9, 99)),
            ]
            return self.random.choice([self.leaf("number"), self.leaf("number"), self.random.choice(constants)])
        if self.chance(DRAWN):
            return self.drawn("number", depth)
        w, n, t, d = self.word, self.number, self.tame, depth - 1
        choices: list[Callable[[], str]] = [
            lambda: f"({t(d)} {self.pick('+ - *')} {t(d)})",
            lambda: f"({n(d)} {self.pick('// %')} {self.divisor(d)})",
            lambda: f"({t(d)} << {self.random.randint(0, 20)})",
            lambda: f"({n(d)} >> {self.shift()})",
            lambda: f"{self.pick('- ~ +')}{t(d)}",
            lambda: f"~{self.random.choice([*self.known['truth'][1:], 'self.parity(s.w)', 'bool(s.n)', 'any(s.t)'])}",
            lambda: f"{self.pick('i64 i32 i16 i8 u32 u16 u8')}({self.random.choice([w, n])(d)})",
            lambda: f"abs({t(d)} - {t(d)})",
            lambda: f"below({n(d)}, {t(d)})",
            lambda: f"self.secret({t(d)})",
            lambda: f"self.choose({self.truth(d)}, {n(d)}, {n(d)})",
            lambda: f"s.t[{self.index(4)}]",
            lambda: f"ROW[{self.index(6)}]",
            lambda: f"self.rows[{self.index(2)}][{self.index(3)}]",
            lambda: f"self.table[{self.index(4)}] * {self.random.randint(1, 9)}",
            lambda: f"self.signed[{self.index(2)}, {self.index(2)}] - self.signed[1][{self.index(2)}]",
            lambda: f"(self.truths[{self.index(3)}] + self.truths[{self.index(3)}])",
            lambda: f"({self.truth(d)} + {self.truth(d)} * 2)",
            lambda: f"sum(x > {n(d)} for x in s.t)",
            lambda: f"{self.pick('sum min max')}(x + {self.random.randint(0, 3)} for x in (ROW{self.pick('[1:4] [:3] [-4:]')}))",
            lambda: "sum(x * y for x, y in zip(s.t, ROW) if x != y)",
            lambda: "sum(j * x for j, x in enumerate(s.t))",
            lambda: f"tuple(x + j for j, x in enumerate(s.t))[{self.index(4)}]",
            lambda: f"s._replace(t=tuple(x % 5 for x in s.t), flag={self.truth(d)}).t[{self.index(4)}]",
            lambda: f"State({w(d)}, 1, {n(d)}, {n(d)} % 128, {n(d)} % 256, s.t, s.ws, {self.truth(d)}).n",
            lambda: f"{self.random.randint(-4, 4)} ** {self.random.randint(0, 5)}",
            lambda: f"({self.leaf('number')} % 9) ** {self.random.randint(0, 6)}",
            lambda: f"({n(d)}, {n(d)}, {n(d)})[{self.random.randrange(3)}]",
            lambda: f"{self.pick('sum min max')}(({t(d)}, {t(d)}))",
            lambda: f"sum(x % 8 for x, y in zip(s.t, ({n(d)}, {n(d)})))",
            lambda: self.shadowed("number", d),
        ]
        if self.chance(self.wild):
            return self.random.choice([f"({n(d)} {self.pick('+ - * // %')} {n(d)})", f"({n(d)} ** {self.random.randint(0, 3)})"])
        return self.random.choice(choices)()

    def divisor(self, depth: int) -> str:
        return self.random.choice(
            [
                str(self.random.randint(1, 99)),
                str(-self.random.randint(1, 9)),
                f"(1 + {self.leaf('number')} % 9)",
                f"({self.leaf('number')} or 7)",
            ]
        )

    def shadowed(self, kind: str, depth: int) -> str:
        """A generator expression whose variable has the name of one in its own iterable."""
        mine = [x for x in self.known[kind] if "." not in x]
        if not mine:
            return self.leaf(kind)
        x = self.random.choice(mine)
        if kind == "word":
            return f"max({x} >> 1 | 1 for {x} in ({x}, {x} >> 2, {self.word(0)}))"
        return (
            f"sum({x} % 10 for {x} in ({x} % 7 + 1, {x} % 5 + 2))"
            if self.chance(0.5)
            else f"sum({x} % 9 * y for {x}, y in zip(({x}, 2), ({x} % 3, {x} % 4)))"
        )

    def index(self, n: int) -> str:
        """An index into n elements: most often one that there is."""
        if self.chance(self.wild):
            return f"({self.leaf('number')} % {n + 1})"
        return self.random.choice(
            [
                str(self.random.randrange(n)),
                f"({self.leaf('number')} % {n})",
                f"-1 - {self.leaf('number')} % {n}",
                f"{self.leaf('number')} % {n}",
            ]
        )

    def real(self, depth: int) -> str:
        if depth <= 0 or self.chance(0.2):
            constants = [str(self.random.choice([0.25, -1.5, 3.0, 1e6, 0.1])), "HALF", f"self.single[{self.index(3)}]"]
            return self.leaf("real") if self.known["real"] and self.chance(0.6) else self.random.choice(constants)
        if self.chance(DRAWN):
            return self.drawn("real", depth)
        r, d = self.real, depth - 1
        choices: list[Callable[[], str]] = [
            lambda: f"({r(d)} {self.pick('+ - *')} {r(d)})",
            lambda: f"({r(d)} / {self.random.choice([2.0, -3.0, 0.7])})",
            lambda: f"({r(d)} {self.pick('// %')} {self.random.choice([2.0, -3.0, 0.7])})",
            lambda: f"({self.tame(d)} / {self.divisor(d)})",
            lambda: f"math.sqrt({r(d)} * {r(d)} + 1.0)" if self.chance(0.5) else f"math.{self.pick('fabs sqrt')}(abs({r(d)}))",
            lambda: f"-{r(d)}",
            lambda: f"(({r(d)} % 100.0) ** {0 if self.portable else self.random.randint(0, 3)})",
        ]
        if self.chance(self.wild):
            return self.random.choice([f"({r(d)} / {r(d)})", f"math.sqrt({r(d)})", f"math.log({r(d)})"])
        return self.random.choice(choices)()

    def truth(self, depth: int) -> str:
        if depth <= 0:
            return self.leaf("truth")
        if self.chance(DRAWN):
            return self.drawn("truth", depth)
        w, n, d = self.word, self.number, depth - 1
        k = self.leaf("number")
        choices: list[Callable[[], str]] = [
            lambda: f"({n(d)} {self.pick('< <= == != > >=')} {n(d)})",
            lambda: f"({self.tame(d)} < {self.tame(d)} <= {self.tame(d)})",
            lambda: f"({self.truth(d)} {self.pick('and or')} {self.truth(d)})",
            lambda: f"{self.pick('any all')}(x > {self.random.randint(-2, 2)} for x in s.t)",
            lambda: f"{self.pick('any all')}(s.t)",
            lambda: f"({n(d)} in (1, 2, {n(d)}))",
            lambda: f"{self.pick('any all')}(({n(d)}, {n(d)}, {n(d)}))",
            lambda: f"{self.pick('any all')}({self.leaf('truth')} or x > 1 for x in ({n(d)}, {n(d)}))",
            lambda: f"({w(d)} not in ({w(d)}, {w(d)}))",
            lambda: f"({n(d)} not in ROW)",
            lambda: f"self.parity({w(d)})",
            lambda: f"(0 <= {k} < 64 and ({self.leaf('word')} >> {k} & 1) != 0)",
            lambda: f"({k} < 0 or {k} > 63 or {self.leaf('word')} & bit({k}) == 0)",
            lambda: f"(0 <= {k} < 6 and ROW[{k}] > 0)",
            lambda: f"({k} != 0 and {n(d)} // {k} > 3)",
            lambda: f"self.truths[{self.index(3)}]",
            lambda: "(s.t == (1, 2, 3, 4))",
        ]
        return self.random.choice(choices)()

    def test(self, depth: int) -> str:
        """What an `if` asks: anything may be true or false."""
        return self.random.choice([self.truth, self.truth, self.word, self.number])(depth)


def states(seed: int, count: int) -> list[tuple[int, int, int, int, int, tuple[int, ...], tuple[int, ...], bool]]:
    """Fields of random states, with edges among them."""
    r = random.Random(seed)

    def word() -> int:
        return r.choice([r.getrandbits(64), r.choice(EDGES), 1 << r.randrange(64), FULL - r.choice(EDGES)])

    def number() -> int:
        return r.choice([r.randint(-70, 70), r.choice(EDGES), -r.choice(EDGES), r.getrandbits(63) - (1 << 62)])

    fixed = (0, 0, 0, 0, 0, (0, 0, 0, 0), (0, 0, 0), False)
    return [fixed] + [
        (
            word(),
            word(),
            number(),
            r.randint(-128, 127),
            r.randint(0, 255),
            tuple(r.randint(-128, 127) for _ in range(4)),
            (word(), word(), word()),
            r.random() < 0.5,
        )
        for _ in range(count - 1)
    ]
