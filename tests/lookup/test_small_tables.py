"""Tables of all states of small games against solutions by the definition; natively and interpreted; what tables do not know."""

from __future__ import annotations

import numpy as np
import pytest
from graphs import At, Changed, Graph, Kind, Numbered, Uneven
from slow_solver import solve

import zermelo
from zermelo.errors import ZermeloError
from zermelo.lookup.build import build_table
from zermelo.lookup.verify import verify_table
from zermelo.search.endgames.table import Table, put_values
from zermelo.search.endgames.values import is_decided, plies_of, sign_of

DOMINEERING = "examples/domineering.py"


def built(game, path, **options):
    build_table(game, path, **options)
    return Table(path)


def told(table, game, s):
    v = table.value(game, s)
    assert v != 0, s
    return sign_of(v), plies_of(v) if is_decided(v) else None


def content(table):
    """All values and keys."""
    return [(at, values.tobytes(), keys.tobytes()) for at, values, keys in table.blocks()]


@pytest.mark.parametrize(
    ("name", "states"),
    [("tictactoe", 5478), ("connect4:width=4,height=3", 12031), ("nim", 752), ("hex:size=3", None), (f"{DOMINEERING}:size=4", None)],
)
def test_every_state_of_a_small_game_has_the_value_of_the_definition(name, states, tmp_path, pytestconfig):
    path, _, parameters = name.partition(":")
    game = zermelo.game(f"{pytestconfig.rootpath / path}:{parameters}" if path.endswith(".py") else name)
    table = built(game, tmp_path / "t", interpreted=name != "tictactoe")
    known = solve(game)
    if states is not None:
        assert len(known) == states
    assert table.about.states == len(known)
    assert all(told(table, game, s) == known[s] for s in known)
    signs = [sign for sign, _ in known.values()]
    assert (table.about.won, table.about.lost, table.about.drawn) == (signs.count(1), signs.count(-1), signs.count(0))
    assert table.about.longest == max(plies for sign, plies in known.values() if sign > 0)


def test_random_graphs_with_cycles_and_extra_turns(tmp_path):
    game, drawn = Graph(), 0
    for graph in range(2, 22):
        s = At(graph, 0, 0)
        table = built(game, tmp_path / f"{graph}", state=s)
        known = solve(game, s)
        assert table.about.states == len(known)
        assert all(told(table, game, t) == known[t] for t in known)
        ends = {t for t in known if game.is_terminal(t)}
        drawn += sum(known[t] == (0, None) for t in known if t not in ends)
        found = verify_table(table, game)
        assert (found.states, found.wrong) == (len(known), 0)
    assert drawn > 300  # by endless play, among others


def test_interpreted_and_native_building_give_the_same_table(tmp_path):
    for game, state in ((Graph(), At(3, 0, 0)), (zermelo.game("tictactoe"), None)):
        tables = [built(game, tmp_path / f"{game.name}{i}", state=state, interpreted=bool(i)) for i in range(2)]
        assert content(tables[0]) == content(tables[1])
        assert verify_table(tables[0], game, interpreted=True) == verify_table(tables[0], game)
    for table in tables:
        memory = [table.memory(interpreted) for interpreted in (False, True)]
        assert memory[0][1] == memory[1][1]
        size = 2 * memory[0][1]
        pairs = [sorted(map(tuple, words.read(0, size).reshape(-1, 2).tolist())) for words, _ in memory]
        assert pairs[0] == pairs[1]


def test_a_wrong_value_is_found(tmp_path):
    game = zermelo.game("tictactoe")
    table = built(game, tmp_path / "t")
    words, slots = table.memory()
    pairs = words.array.reshape(-1, 2)
    for at in np.flatnonzero(pairs[:, 1])[::800]:
        right = int(pairs[at, 1])
        for wrong in {1, 2, 3, right + 2} - {right}:
            pairs[at, 1] = wrong
            table._memory[False] = words, slots
            found = verify_table(table, game)
            assert found.wrong >= 1 and found.example
        pairs[at, 1] = right
    assert verify_table(table, game).wrong == 0


def test_values_in_words():
    from zermelo.lower.memory import Words
    from zermelo.search.endgames.values import get16

    for interpreted in (False, True):
        words = Words(4, interpreted)
        put_values(words, 3, np.array([7, 65535, 1, 0, 9], np.uint16))
        assert [get16(words.table if interpreted else words.array, i) for i in range(9)] == [0, 0, 0, 7, 65535, 1, 0, 9, 0]


@pytest.mark.parametrize(
    ("game", "sentence"),
    [
        (zermelo.game("pig"), "has chance"),
        (zermelo.game("trio"), "has 3 players"),
        (zermelo.game("go:size=2"), "forbids positions that were there before"),
        (Uneven(), "some wins are worth more than others, in the state 1 "),
        (Kind(), "what one player wins the other does not lose, in the state 1 "),
        (Numbered(), "an action leads to a state that has no number"),
    ],
    ids=lambda x: x if isinstance(x, str) else x.name,
)
def test_what_tables_do_not_know_is_refused(game, sentence, tmp_path):
    with pytest.raises(ZermeloError, match=sentence):
        build_table(game, tmp_path / "t", interpreted=True)
    assert not list(tmp_path.iterdir())


def test_a_game_with_too_many_states_is_refused(tmp_path):
    game = zermelo.game("tictactoe")
    with pytest.raises(ZermeloError, match="tictactoe has more than 5,477 states from there on"):
        build_table(game, tmp_path / "t", limit=5477)
    assert not list(tmp_path.iterdir())
    assert build_table(game, tmp_path / "t", limit=5478).states == 5478


# ---- damage --------------------------------------------------------------------------------------


def read_all(path):
    for _ in Table(path).blocks():
        pass


def test_damage_is_told_and_gives_no_value(tmp_path):
    path, damaged = tmp_path / "t", tmp_path / "damaged"
    built(Graph(), path, state=At(5, 0, 0))
    whole = path.read_bytes()
    read_all(path)
    for at in range(len(whole)):
        damaged.write_bytes(whole[:at] + bytes([whole[at] ^ 1 << at % 8]) + whole[at + 1 :])
        with pytest.raises(ZermeloError, match=r"is damaged|is not an endgame table"):
            read_all(damaged)
    for size in range(0, len(whole), 7):
        damaged.write_bytes(whole[:size])
        with pytest.raises(ZermeloError, match=r"is damaged|is not an endgame table"):
            read_all(damaged)
    damaged.write_bytes(whole + b"x")
    with pytest.raises(ZermeloError, match="is damaged: expected"):
        read_all(damaged)


def test_a_table_of_other_rules_is_refused(tmp_path):
    table = built(Graph(), tmp_path / "t")
    table.check_game(Graph())
    with pytest.raises(ZermeloError, match="was built with other rules of Graph: build it again"):
        table.check_game(Changed())
    with pytest.raises(ZermeloError, match="is a table of Graph: expected one of tictactoe"):
        table.check_game(zermelo.game("tictactoe"))
    with pytest.raises(ZermeloError, match="is a table of Graph"):
        zermelo.AlphaBeta(depth=1, endgames=str(tmp_path / "t")).search(zermelo.game("nim"))


def test_a_full_disk_leaves_the_old_table(tmp_path, monkeypatch):
    import os

    table = built(Graph(), tmp_path / "t")
    before = (tmp_path / "t").read_bytes()

    def full(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "replace", full)
    with pytest.raises(ZermeloError, match="t cannot be written: No space left on device"):
        build_table(Graph(), table.path, state=At(9, 0, 0))
    assert (tmp_path / "t").read_bytes() == before and len(list(tmp_path.iterdir())) == 1
