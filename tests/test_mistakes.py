"""Mistakes that authors of games make, each a tiny file: what they are told, and that Python still runs what it can."""
# ruff: noqa: E501 - a message is one line

from __future__ import annotations

from contextlib import nullcontext
from pathlib import Path

import pytest

import zermelo
from zermelo.check.probe import Probe, probe
from zermelo.errors import LoweringError, ZermeloError
from zermelo.lower.compile import explain
from zermelo.lower.generate import Text
from zermelo.search.prepare import prepare

FOLDER = Path(__file__).parent / "mistakes"

#: the file: what lowering tells after the file's name (line, class, method, what to write), and Python's own error if it has one
MISTAKES: dict[str, tuple[str, type[Exception] | None]] = {
    # the state
    "list_field": (
        "11: Cells: field free of State is declared list: write a machine integer (u64, i64, i8, bool, ...) or a tuple of one, like tuple[i8, ...]",
        None,
    ),
    "dict_field": (
        "11: Cells: field owner of State is declared dict[int, int]: write a machine integer (u64, i64, i8, bool, ...) or a tuple of one, like tuple[i8, ...]",
        None,
    ),
    "set_field": (
        "9: Cells: field taken of State is declared set: write a machine integer (u64, i64, i8, bool, ...) or a tuple of one, like tuple[i8, ...]",
        TypeError,
    ),
    "text_field": (
        "10: Cells: field turn of State is declared str: write a machine integer (u64, i64, i8, bool, ...) or a tuple of one, like tuple[i8, ...]",
        TypeError,
    ),
    "float_field": (
        "10: Cells: field turn of State is declared float: write a machine integer (u64, i64, i8, bool, ...) or a tuple of one, like tuple[i8, ...]",
        None,
    ),
    "array_field": (
        "11: Cells: field taken of State is declared ndarray: write a machine integer (u64, i64, i8, bool, ...) or a tuple of one, like tuple[i8, ...]",
        TypeError,
    ),
    "optional_field": (
        "10: Cells: field turn of State is declared i8 | None: write a machine integer (u64, i64, i8, bool, ...) or a tuple of one, like tuple[i8, ...]",
        None,
    ),
    "mixed_tuple_field": (
        "10: Cells: field turn of State is declared tuple[i8, u64]: write a machine integer (u64, i64, i8, bool, ...) or a tuple of one, like tuple[i8, ...]",
        TypeError,
    ),
    "bare_namedtuple": (
        "10: Cells: field taken of State is declared without a type: write a machine integer (u64, i64, i8, bool, ...) or a tuple of one, like tuple[i8, ...]",
        None,
    ),
    "unknown_annotation": ("10: Cells: the annotations of State cannot be read: name 'i7' is not defined", None),
    "dataclass_state": (
        "20: Cells: initial() gives a State: write the state as a class derived from typing.NamedTuple with fields of machine integers (u64, i8, ... of zermelo)",
        None,
    ),
    "tuple_state": (
        "19: Cells: initial() gives a tuple: write the state as a class derived from typing.NamedTuple with fields of machine integers (u64, i8, ... of zermelo)",
        AttributeError,
    ),
    "no_state": (
        "19: Cells: initial() gives a NoneType: write the state as a class derived from typing.NamedTuple with fields of machine integers (u64, i8, ... of zermelo)",
        AttributeError,
    ),
    "value_too_large": ("19: Cells: initial() does not fit its own class: field turn is 200, which no i8 can hold", None),
    # actions
    "returned_list": ("26: Cells.actions: actions must yield each value: write yield in a loop, not return", None),
    "comprehension": (
        "26: Cells.actions: a list comprehension cannot be lowered: write tuple(... for ...) over a fixed tuple, or a loop",
        None,
    ),
    "yield_nothing": ("28: Cells.actions: yield gives nothing: write yield and a number", TypeError),
    "yield_tuple": ("28: Cells.actions: it yields a tuple: yield one number at a time", TypeError),
    "yield_float": (
        "28: Cells.actions: `i / 2` gives a float, but an action is a whole number: write // instead of /, or int(...)",
        TypeError,
    ),
    "yield_from": ("26: Cells.actions: yield from cannot be lowered: write a loop with yield", None),
    "yield_in_helper": (
        "32: Cells.free: only actions, tactical_actions, urgent_first, relevant_actions, features, planes, patterns, outcomes may yield: write the loop there, or return a value",
        None,
    ),
    "mixed_actions": (
        "30: Cells.actions: in `yield s.taken` field taken is a word (u64) and a count of range is a number: write u64(...) or i64(...) around one of them",
        None,
    ),
    # constructs
    "try_except": ("31: Cells.result: try cannot be lowered: rules are never given illegal actions, so test with if", None),
    "raising": (
        "32: Cells.result: raise cannot be lowered: rules are never given illegal actions; check text in read_action and read_state",
        None,
    ),
    "lambda_inside": ("34: Cells.is_terminal: a lambda cannot be lowered: write a method", None),
    "f_string": (
        "34: Cells.is_terminal: an f-string is text, which cannot be lowered: write it in show, write_action or write_state",
        None,
    ),
    "text_constant": ("37: Cells.utility: 'second' is text, which cannot be lowered: use a number that stands for it", None),
    "mutual_recursion": ("40: Cells.odd: Cells.even and Cells.odd call each other: write one of them as a loop", None),
    "endless_recursion": ("37: Cells.full: it calls itself on every path: let one path return without the call", RecursionError),
    "changing_recursion": ("36: Cells.half: it calls itself with other types than it was called with: give it the same each time", None),
    "function_inside": ("34: Cells.is_terminal: a function inside a method cannot be lowered: write a method of its own", None),
    "while_else": ("40: Cells.is_terminal: else after a loop cannot be lowered: set a flag and test it", None),
    "match_case": ("37: Cells.utility: match cannot be lowered: write if and elif", None),
    "walrus": ("34: Cells.is_terminal: ':=' cannot be lowered: assign on a line of its own", None),
    "is_none": ("34: Cells.is_terminal: None cannot be lowered: use a number that stands for nothing, like -1", None),
    "is_number": ("34: Cells.is_terminal: 'is' cannot be lowered: write ==", None),
    "power": ("31: Cells.result: ** takes a constant exponent of 0 or more: write 1 << n, a loop, or math.pow", None),
    "super_call": ("37: Cells.utility: super() cannot be lowered: write out what it does, or call a method of another name", None),
    "import_inside": ("37: Cells.utility: import cannot be lowered here: import at the top of the file", None),
    "star_call": ("31: Cells.result: '*' in a call or assignment cannot be lowered: name each value", None),
    "state_unpacked": ("31: Cells.result: in `taken, turn = s` a state is taken apart: write its fields, like s.taken", None),
    "state_indexed": ("31: Cells.result: `s[0]` cannot be lowered on a state: write its field, like s.taken", None),
    "in_range": ("34: Cells.is_terminal: `popcount(s.taken) in range(self.size, 99)` cannot be lowered: write low <= x < high", None),
    # words and numbers
    "mix_sum": (
        "34: Cells.is_terminal: in `s.taken + popcount(s.taken)` field taken is a word (u64) and `popcount(s.taken)` is a number: write u64(...) or i64(...) around one of them",
        None,
    ),
    "mix_choice": (
        "34: Cells.is_terminal: in `s.taken if s.turn == 0 else popcount(s.taken)` field taken is a word (u64) and `popcount(s.taken)` is a number: write u64(...) or i64(...) around one of them",
        None,
    ),
    "mix_variable": (
        "36: Cells.is_terminal: in `x = popcount(s.taken)` field taken is a word (u64) and `popcount(s.taken)` is a number: write u64(...) or i64(...) around one of them, or use two names",
        None,
    ),
    "mix_comparison": (
        "34: Cells.is_terminal: in `s.taken == popcount(s.taken) + 11` field taken is a word (u64) and `popcount(s.taken)` is a number: write u64(...) or i64(...) around one of them",
        None,
    ),
    "mix_helper": (
        "34: Cells.is_terminal: in `self.many(popcount(s.taken))` field taken is a word (u64) and `popcount(s.taken)` is a number: write u64(...) or i64(...) around one of them",
        None,
    ),
    "mix_field": (
        "31: Cells.result: field turn cannot be `s.taken & 1`: field taken is a word (u64) and field turn is a number, so write i64(...) around it",
        None,
    ),
    "mix_or": (
        "34: Cells.is_terminal: `s.turn or s.taken` is a word (u64) or a number by turns: write u64(...) or i64(...) around one of them",
        None,
    ),
    "range_of_word": ("35: Cells.is_terminal: `s.taken` is a word (u64), but range counts with numbers: write i64(...) around it", None),
    "negative_word": (
        "34: Cells.is_terminal: `s.taken == -1` compares a word (u64) with a negative number: write u64(...) around it",
        None,
    ),
    # what rules return
    "result_tuple": ("31: Cells.result: it returns a tuple, but initial() a State: return a State", AttributeError),
    "result_class": (
        "36: Cells.result: Next is a class, and rules can use no class but State: write State(...), or name numbers at the top of the file",
        None,
    ),
    "result_number": ("31: Cells.result: it returns a word, but initial() a State: return a State", AttributeError),
    "result_none": ("32: Cells.result: it returns nothing here: return a value on every path", None),
    "missing_return": ("37: Cells.utility: one path ends without a return: return a value on every path", TypeError),
    "longer_tuple": ("32: Cells.result: field line is a tuple of 2 in initial(), but `s.line + (a,)` is one of 3: keep its length", None),
    "number_for_tuple": ("32: Cells.result: field line is a tuple of 2, but `0` is a number: give it a tuple", None),
    "tuple_for_number": ("31: Cells.result: field turn is one i8, but `(1 - s.turn,)` is a tuple: give it one number", TypeError),
    "float_in_field": (
        "31: Cells.result: `(1 - s.turn) / 1` gives a float, but field turn holds whole numbers: write // instead of /, or int(...)",
        None,
    ),
    "float_variable": (
        "32: Cells.result: `half` gives a float, but field turn holds whole numbers: write // instead of /, or int(...)",
        None,
    ),
    "float_index": (
        "37: Cells.utility: `(p + s.turn) / 2` gives a float, but an index is a whole number: write // instead of /, or int(...)",
        TypeError,
    ),
    "utility_vector": ("37: Cells.utility: it returns a tuple: return one number", TypeError),
    "helper_without_return": ("34: Cells.is_terminal: Cells.full returns nothing: end it with return and a value", None),
    # names
    "attribute_typo": (
        "26: Cells.actions: Cells has no 'sise' (did you mean size?): write the method, or assign self.sise in __init__",
        AttributeError,
    ),
    "field_typo": ("34: Cells.is_terminal: State has no field 'takne' (did you mean taken?): it has taken, turn", AttributeError),
    "undefined_name": (
        "31: Cells.result: 'MASKS' is not defined: define it at the top of the file, or in __init__ as self.MASKS",
        NameError,
    ),
    "too_few_fields": ("31: Cells.result: State has 2 fields (taken, turn), not 1: give each of them once", TypeError),
    "unknown_field": ("31: Cells.result: State has no field 'trun' (did you mean turn?): it has taken, turn", TypeError),
    "replace_by_position": ("31: Cells.result: _replace takes its fields by name: write _replace(taken=...)", TypeError),
    "reserved_name": ("25: Cells.actions: 'self' cannot be the name of a variable: choose another", None),
    "taken_name": ("34: Cells.is_terminal: order is a rule, which takes a state, not a word: give a method of your own another name", None),
    # purity
    "self_assigned": ("31: Cells.result: it assigns self.last: rules are pure, so compute it in __init__ or keep it in the state", None),
    "field_assigned": (
        "31: Cells.result: it assigns s.turn: states and tuples are immutable, so make a new one with _replace or tuple(...)",
        AttributeError,
    ),
    "element_assigned": (
        "32: Cells.result: it assigns s.line[0]: states and tuples are immutable, so make a new one with _replace or tuple(...)",
        TypeError,
    ),
    "appending": (
        "32: Cells.result: `self.moves.append` cannot be lowered: rules are pure, so keep it in the state, as a tuple of fixed length or the bits of a word",
        None,
    ),
    "global_assigned": ("34: Cells.result: global cannot be lowered: rules are pure, keep everything in the state", None),
    # constants
    "list_constant": ("34: Cells.result: MASKS is a list: make it a tuple", None),
    "dict_constant": ("32: Cells.result: self.masks is a dict: make it a tuple or a numpy array", None),
    "none_constant": ("35: Cells.is_terminal: self.last is None: use a number that stands for nothing, like -1", None),
    "ragged_tuple": ("38: Cells.utility: self.lines is a tuple of tuples of different lengths: fill them up to one length", None),
    "empty_tuple": ("35: Cells.is_terminal: self.lines is a tuple of no elements: give it at least one", None),
    "large_array": (
        "40: Cells.utility: self.table holds 262144 numbers: a constant may hold 131072, so compute them where they are needed",
        None,
    ),
    "object_array": ("40: Cells.utility: self.table is an array of object: make it one of integers or floats", None),
    "huge_number": (
        "35: Cells.is_terminal: self.all is 1180591620717411303423, which no 64 bits can hold: write it as several words",
        None,
    ),
    "enum_constant": (
        "43: Cells.utility: Side.FIRST is a member of an Enum: make that an IntEnum, or name numbers at the top of the file",
        None,
    ),
    # calls
    "print_call": ("31: Cells.result: 'print' cannot be lowered: rules only compute, so print what show(s) draws", None),
    "sorted_call": ("26: Cells.actions: 'sorted' cannot be lowered: keep a tuple sorted where it is made, or compare with if", None),
    "random_call": ("38: Cells.utility: random.choice cannot be lowered: rules are pure, so let CHANCE move, with probability(s, a)", None),
    "numpy_call": ("36: Cells.is_terminal: np.sum cannot be lowered: write it as a method, or compute it in __init__", None),
    "math_call": (
        "35: Cells.is_terminal: math.comb cannot be lowered: write it with functions of numbers, like sqrt, exp, log, floor",
        None,
    ),
    "method_of_int": ("34: Cells.is_terminal: `s.taken.bit_count` cannot be lowered: write popcount(x)", None),
    "keyword_call": ("34: Cells.is_terminal: self.full is called by keyword: give its arguments by position", None),
    "wrong_arguments": ("34: Cells.is_terminal: Cells.full takes 2 arguments (s, n), not 1: give it each of them", TypeError),
    "count_of_actions": ("34: Cells.is_terminal: `self.actions(s)` has no fixed length of 1 to 64: write a loop", None),
    "endless_generator": ("34: Cells.is_terminal: `range(popcount(s.taken) + 1)` has no fixed length of 1 to 64: write a loop", None),
    "filtered_tuple": ("34: Cells.is_terminal: a tuple has a fixed length: choose with x if ... else y, not with a filter", None),
    "run_time_slice": (
        "35: Cells.is_terminal: a slice with bounds known only at run time cannot be lowered: write tuple(... for i, x in enumerate(t))",
        None,
    ),
    # parameters and methods
    "default_argument": ("36: Cells.full: default values of parameters cannot be lowered: pass each argument", None),
    "star_arguments": ("36: Cells.full: *args, **kwargs and keyword-only parameters cannot be lowered: name each parameter", None),
    "result_parameters": ("30: Cells.result: it takes other parameters than expected: write result(self, s, a)", TypeError),
    "utility_parameters": ("36: Cells.utility: it takes other parameters than expected: write utility(self, s, p)", TypeError),
    "without_self": ("33: Cells.is_terminal: its first parameter must be self: write is_terminal(self, s)", TypeError),
    "missing_utility": ("13: Cells.utility: it is not written: Cells must write utility(self, s, p)", NotImplementedError),
    "misspelled_rule": ("13: Cells.is_terminal: it is not written: Cells must write is_terminal(self, s)", NotImplementedError),
    "not_a_game": ("not_a_game.py has no subclass of zermelo.Game", ZermeloError),
    "cached_method": ("34: Cells.is_terminal: the decorator @lru_cache cannot be lowered: leave it out", None),
    "class_method": ("36: Cells.full: the decorator @classmethod cannot be lowered: leave it out", None),
    "lambda_rule": ("33: Cells.is_terminal: it is not an ordinary function: write it with def", None),
    "method_of_state": ("37: Cells.is_terminal: `s.full` cannot be called: call a method of the game or a function of the file", None),
    # variables
    "unassigned": ("36: Cells.is_terminal: 'n' has no value yet on some path: assign to it before", UnboundLocalError),
    "unassigned_after_loop": ("38: Cells.is_terminal: 'n' has no value yet on some path: assign to it before", UnboundLocalError),
    "tuple_or_number": ("36: Cells.is_terminal: in `x = (1, 2)` a number meets a tuple: a variable keeps one type, so use two names", None),
    "growing_tuple": (
        "37: Cells.is_terminal: in `found += (i,)` a tuple of 1 meets a tuple of 2: a variable keeps one type, so use two names",
        None,
    ),
}


def load(name: str) -> zermelo.Game:
    return zermelo.game(str(FOLDER / f"{name}.py"))


@pytest.mark.parametrize("name", MISTAKES)
def test_a_mistake_ends_in_one_message(name):
    told, _ = MISTAKES[name]
    with pytest.raises(ZermeloError) as caught:
        game = load(name)
        prepare(
            game, probe, Probe, interpreted=False, actions=64, results=64, seen=64, features=8, planes=32, patterns=4, outcomes=4
        )  # every rule there is
    message = str(caught.value)
    if told[0].isdigit():
        assert type(caught.value) is LoweringError
        assert message == f"{name}.py:{told}"
    else:  # not about a line of a method
        assert message.endswith(told)
        assert "\n" not in message


@pytest.mark.parametrize("name", MISTAKES)
def test_what_cannot_be_lowered_still_runs_interpreted(name):
    _, error = MISTAKES[name]
    with pytest.raises(error) if error else nullcontext():
        game = load(name)
        game.is_terminal(game.initial())
        assert zermelo.perft(game, 3, interpreted=True) > 0
        assert zermelo.playouts(game, 2, threads=1, limit=20, interpreted=True).games == 2


@pytest.mark.parametrize("name", ["none", "odd"])
def test_what_is_no_mistake_means_the_same_everywhere(name):
    game = load(name)
    assert zermelo.perft(game, None) == zermelo.perft(game, None, interpreted=True) == 24
    native, interpreted = (zermelo.playouts(game, 20, seed=1, threads=1, interpreted=i) for i in (False, True))
    assert (native.moves, native.utility) == (interpreted.moves, interpreted.utility)


def test_every_file_has_its_message():
    assert {f.stem for f in FOLDER.glob("*.py")} == {*MISTAKES, "none", "odd"}
    assert len({told for told, _ in MISTAKES.values()}) == len(MISTAKES)


# ---- what the compiler says ------------------------------------------------------------------

PLACES = """
During: resolving callee type: type(CPUDispatcher(<function rule_result at 0xffff7e0c2b60>))
During: typing of call at <zermelo Cells play> (7)

File "<zermelo Cells play>", line 7:
def rule_result(s, a):
    return x
    ^

File "<zermelo Cells play>", line 3:
"""


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ("Unknown attribute 'real' of type uint64", "a word has no 'real': only a state has fields"),
        (
            "Cannot unify Tuple(int64, uint64) and int64 for 'x.2', defined at",
            "'x' is a tuple in one place and a number in another: use two names",
        ),
        (
            "Can't unify return type from the following types: State(uint64, UniTuple(int64 x 3)), none",
            "it returns, by turns, a state, nothing: return one type on every path",
        ),
        (
            "No implementation of function Function(<built-in function len>) found for signature:\n \n >>> len(Literal[int](3), float64)\n \n",
            "len cannot be applied to (3, a float): give it numbers",
        ),
        ("cannot type infer runaway recursion", "it calls itself on every path: let one path return without the call"),
        ("Something new\nin two lines", "it cannot be lowered: Something new"),
        ("", "it cannot be lowered: write it in simpler steps"),
    ],
)
def test_the_compilers_words_become_one_sentence(said, told):
    lines = {3: ("/home/me/cells.py", 12, "Cells.actions"), 7: ("/home/me/cells.py", 31, "Cells.result")}
    text = Text("", "entry", "<zermelo Cells play>", "Cells", lines, [], False, None)
    failed = "Failed in nopython mode pipeline (step: nopython frontend)\n" * 2
    assert explain(f"\x1b[1m{failed}{said}\x1b[0m\n{PLACES}", text) == f"cells.py:31: Cells.result: {told}"
    assert explain(failed + said, text) == f"Cells: {told}"
