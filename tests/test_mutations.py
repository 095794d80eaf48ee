"""Every kind of file that is read, damaged at random: refused in a sentence, or harmless; one with a checksum is never another file."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import asdict, dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from arena.test_formats import EXAMPLES, played
from helpers_files import resealed
from helpers_mutations import mutated

import zermelo
from zermelo import ZermeloError
from zermelo.arena import openings
from zermelo.arena.books.book import Book, Entry
from zermelo.arena.books.counting import games_in
from zermelo.arena.books.files import find_book
from zermelo.arena.players.lookup import read as read_lookup
from zermelo.arena.records.record_formats import history_of, kinds, read, write
from zermelo.arena.records.store import Slot, Store
from zermelo.equilibrium.cards.strategy import About as CardsAbout
from zermelo.equilibrium.cards.strategy import CardStrategy, load_strategy
from zermelo.games.chess.syzygy import Syzygy
from zermelo.games.chess.syzygy.table import SyzygyTable
from zermelo.learn.labelling import read_labels, write_part
from zermelo.learn.look import Look
from zermelo.learn.nnue_fitter import STATE, TrainedNnue
from zermelo.learn.runs import CONFIGURATION, LOG, Run
from zermelo.lookup.build import build_table
from zermelo.notation import polyglot
from zermelo.search.endgames.table import Table
from zermelo.search.model.model import Model, load_model
from zermelo.search.model.rote import Rote
from zermelo.search.puct import network
from zermelo.search.puct.layers import weight_shapes
from zermelo.search.puct.shape import shape_for

GAME, CHESS = zermelo.game("tictactoe"), zermelo.game("chess")
FEW, MANY = 20, 1000
DATA = os.environ.get("ZERMELO_DATA")


@dataclass(frozen=True)
class Format:
    """How a sample is made in a folder, which is the file that is damaged, and what is read of it.

    is_sealed: what is read is as it was written, or refused. is_tensors: it is also damaged by somebody who mends the checksum.
    """

    make: Callable[[Path], Path]
    load: Callable[[Path], Any]
    is_sealed: bool = False
    is_tensors: bool = False


# ---- tables and books ----------------------------------------------------------------------------


def make_table(folder: Path) -> Path:
    build_table(zermelo.game("nim:heaps=4,5,6"), folder / "t.table")
    return folder / "t.table"


def load_table(path: Path) -> Any:
    table = Table(path)
    return repr(table.about), [(at, values.tobytes(), keys.tobytes()) for at, values, keys in table.blocks()]


def make_book(folder: Path) -> Path:
    book = Book(GAME)
    for number, a in enumerate(GAME.actions(GAME.initial())):
        book.entry(GAME.initial(), a).add(Entry(weight=number, games=number, ratings=2.5))
    book.save(folder / "b.book")
    return folder / "b.book"


def load_book(path: Path) -> Any:
    return {key: {a: repr(entry) for a, entry in known.items()} for key, known in Book.read(path, GAME).positions.items()}


def make_polyglot(folder: Path) -> Path:
    s, uci = CHESS.initial(), CHESS.uci
    moves = {uci.book_move(CHESS, s, a): number for number, a in enumerate(CHESS.actions(s))}
    (folder / "b.bin").write_bytes(polyglot.write([(uci.book_key(CHESS, s), moves), (5, {1: 2})]))
    return folder / "b.bin"


def load_polyglot(path: Path) -> None:
    for book in (find_book(str(path), CHESS), find_book(str(path), CHESS).copy()):
        assert set(book.moves(CHESS.initial())) <= set(CHESS.actions(CHESS.initial()))


def make_syzygy(folder: Path) -> Path:
    (folder / "KPvK.rtbw").write_bytes((Path(DATA or "") / "chess" / "syzygy" / "KPvK.rtbw").read_bytes())
    return folder / "KPvK.rtbw"


def load_syzygy(path: Path) -> Any:
    plain = zermelo.game("chess:draws=false")
    s = plain.read_state("8/8/8/8/8/2k5/4P3/K7 w - - 0 1")
    return Syzygy(path.parent).wdl(plain, s)


def load_unhashed_syzygy(path: Path) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("zermelo.games.chess.syzygy.table.HASHED_AT_ONCE", 0)
        patch.setattr("zermelo.games.chess.syzygy.table.PART", 0)
        load_syzygy(path)
        SyzygyTable(path)


# ---- what is learned -----------------------------------------------------------------------------


def make_network(folder: Path) -> Path:
    shape, chance = shape_for(GAME, 1, 8), np.random.default_rng(1)
    weights = {name: chance.normal(0, 0.3, size).astype(np.float32) for name, size in weight_shapes(shape).items()}
    network.save(folder / network.FILE, shape, weights, {"games": 5.0, "seconds": 1.5})
    return folder / network.FILE


def load_network(path: Path) -> Any:
    shape, weights, about = network.load(path)
    assert sum(Run(path.parent).trained) >= 0
    return shape, {name: tensor.tobytes() for name, tensor in weights.items()}, about


def make_model(folder: Path, model: Any) -> Path:
    model.save(folder / "model.safetensors")
    return folder / "model.safetensors"


def load_any_model(path: Path) -> Any:
    model = load_model(path)
    assert model.games >= 0 and model.seconds >= 0
    model.check_game(GAME)
    arrays = [x for x in vars(model).values() if isinstance(x, np.ndarray)]
    return model.shape, model.games, model.seconds, [array.tobytes() for array in arrays]


@cache
def trained_nnue() -> TrainedNnue:
    return TrainedNnue.new(GAME, 32, 1)


def make_nnue_state(folder: Path) -> Path:
    trained_nnue().save(folder / "model.safetensors")
    return folder / STATE


def load_nnue_state(path: Path) -> Any:
    found = TrainedNnue.load(path.parent / "model.safetensors", GAME, 32)
    return found.floats.array.tobytes(), found.games, found.seconds, found.steps


def make_configuration(folder: Path) -> Path:
    Run(folder).begin({"game": "tictactoe", "method": "td", "model": "linear", "games": 100, "seconds": None, "rate": 0.1})
    Run(folder).end()
    return folder / CONFIGURATION


def load_configuration(path: Path) -> None:
    found = Run(path.parent).agreed({"game": "tictactoe"}, free=())
    assert found.get("games") is None or found["games"] > 0


def make_log(folder: Path) -> Path:
    for number in range(1, 6):
        Run(folder).add(Look(number, 1.0, 2.0, 0.5, 7.0, 0, 0.1, 0.01))
    return folder / LOG


def load_log(path: Path) -> None:
    Run(path.parent)._repr_svg_()


def make_labels(folder: Path) -> Path:
    (folder / "labels.json").write_text('{"game": "tictactoe"}')
    rows = np.array([[*GAME.layout.pack(GAME.initial()), 0, 0]] * 20, np.uint64)
    rows[:, -2:] = np.float64(0.5).view(np.uint64)
    write_part(folder / "part-00000.npy", rows)
    return folder / "part-00000.npy"


def load_labels(path: Path) -> None:
    found = read_labels(GAME, path.parent)
    assert np.isfinite(found.values).all() and set(found.movers.tolist()) <= {0, 1, 2**64 - 1}


def make_trainer(folder: Path) -> Path:
    torch = pytest.importorskip("torch")
    from safetensors.torch import save

    from zermelo.system.tensors import UNSEALED, sealed

    tensors = {"told.games": torch.tensor(3.0), "network.w": torch.arange(50.0), "muon.0.m": torch.ones(3, dtype=torch.bfloat16)}
    (folder / "trainer.safetensors").write_bytes(sealed(save(tensors, UNSEALED)))
    return folder / "trainer.safetensors"


def load_trainer(path: Path) -> Any:
    from zermelo.learn.zero.network_run import read_tensors

    return {name: (str(tensor.dtype), tensor.tolist()) for name, tensor in read_tensors(path).items()}


# ---- strategies ----------------------------------------------------------------------------------


def make_strategy(folder: Path) -> Path:
    zermelo.solve(zermelo.game("kuhn"), iterations=20).save(folder / "s.strategy")
    return folder / "s.strategy"


def load_kuhn(path: Path) -> Any:
    found, game = load_strategy(path), zermelo.game("kuhn")
    found.check_game(game)
    for text in ("KQ", "JQ b", "QK p"):
        policy = found.policy(game, game.read_state(text))
        assert min(policy.values()) >= 0 and abs(sum(policy.values()) - 1) < 1e-6
    return asdict(found.about), {name: array.tobytes() for name, array in found.arrays.items()}


def make_cards(folder: Path) -> Path:
    arrays = {"rows": np.arange(40, dtype=np.uint64), "clusters": np.arange(9, dtype=np.uint16)}
    arrays |= {"averages": np.ones(30), "regrets": -np.ones(30)}
    CardStrategy(CardsAbout("holdem", "x", 5, 0, 10, 1.0), arrays).save(folder / "s.strategy")
    return folder / "s.strategy"


def load_cards(path: Path) -> Any:
    found = load_strategy(path)
    return asdict(found.about), {name: array.tobytes() for name, array in found.arrays.items()}


# ---- games ---------------------------------------------------------------------------------------


def make_record(folder: Path) -> Path:
    with Store(folder / "r.sqlite") as store:
        event = store.event("import", "tictactoe", "k", {"a": 1})
        for number in range(4):
            sheet = played("tictactoe", number)
            game = store.begin(event, Slot(0, number, 0), sheet.about)
            for ply, entry in enumerate(sheet.moves):
                store.move(game, ply, entry)
            store.end(game, sheet.ending)
        store._sql.execute("PRAGMA journal_mode = DELETE")
    return folder / "r.sqlite"


def load_record(path: Path) -> None:
    with Store(path, create=False) as store:
        store.events()
        for one in list(store.games()):
            history_of(store.sheet(one.id))
    for sheet in games_in(path, GAME, lambda error: None):
        history_of(sheet)


def make_games(folder: Path, kind: str) -> Path:
    (folder / f"g.{kind}").write_text(write(kind, [played(EXAMPLES[kind], 1, 30)]))
    return folder / f"g.{kind}"


def load_games(path: Path) -> None:
    for sheet in read(path.suffix[1:], path.read_bytes()):
        history_of(sheet)


def make_openings(folder: Path, name: str, text: str) -> Path:
    (folder / name).write_text(text)
    return folder / name


def load_openings(path: Path, game: str) -> None:
    it = zermelo.game(game)
    found = openings.load(path, it)
    for i in range(min(4, len(found.texts))):
        found.opening(it, i, 1)


def make_lookup(folder: Path, name: str) -> Path:
    path = folder / name
    s = GAME.write_state(GAME.initial())
    if name.endswith("sqlite"):
        import sqlite3

        with sqlite3.connect(path) as file:
            file.execute("create table strategy (state text, action text)")
            file.executemany("insert into strategy values (?, ?)", [(s, "a1"), ("x", "y")])
        file.close()
        return path
    path.write_text(f"state,action\n{s},a1\nx,y\n" if name.endswith("csv") else f'{{"state": "{s}", "action": "a1"}}\n' * 3)
    return path


def make_tree(folder: Path) -> Path:
    shipped = Path(zermelo.__file__).parent / "games" / "trees" / "recitation.tree"
    (folder / "t.tree").write_bytes(shipped.read_bytes())
    return folder / "t.tree"


def load_tree(path: Path) -> None:
    game = zermelo.game(f"tree:file={path}")
    zermelo.Minimax(depth=8, interpreted=True).search(game)


FORMATS = {
    "table": Format(make_table, load_table, is_sealed=True),
    "book": Format(make_book, load_book, is_sealed=True),
    "Polyglot": Format(make_polyglot, load_polyglot),
    "Syzygy": Format(make_syzygy, load_syzygy, is_sealed=True),
    "Syzygy without checksum": Format(make_syzygy, load_unhashed_syzygy),
    "network": Format(make_network, load_network, is_sealed=True, is_tensors=True),
    "linear model": Format(lambda folder: make_model(folder, Model.new(GAME, 0)), load_any_model, is_sealed=True, is_tensors=True),
    "model mlp": Format(lambda folder: make_model(folder, Model.new(GAME, 16)), load_any_model, is_sealed=True, is_tensors=True),
    "tuples": Format(lambda folder: make_model(folder, Model.new(GAME, is_tuples=True)), load_any_model, is_sealed=True, is_tensors=True),
    "rote": Format(lambda folder: make_model(folder, Rote.new(GAME, 64)), load_any_model, is_sealed=True, is_tensors=True),
    "integer network": Format(lambda folder: make_model(folder, trained_nnue().rounded()), load_any_model, is_sealed=True, is_tensors=True),
    "integer network in training": Format(make_nnue_state, load_nnue_state, is_sealed=True, is_tensors=True),
    "trainer": Format(make_trainer, load_trainer, is_sealed=True, is_tensors=True),
    "run.json": Format(make_configuration, load_configuration),
    "log.jsonl": Format(make_log, load_log),
    "labels": Format(make_labels, load_labels),
    "strategy": Format(make_strategy, load_kuhn, is_sealed=True, is_tensors=True),
    "strategy of cards": Format(make_cards, load_cards, is_sealed=True, is_tensors=True),
    "record": Format(make_record, load_record),
    "openings.epd": Format(
        lambda folder: make_openings(folder, "a.epd", '8/8/8/8/8/8/1P6/K1k5 w - - id "one";\n# no\n8/8/8/8/8/8/1P6/K1k5 b - -\n'),
        lambda path: load_openings(path, "chess"),
    ),
    "openings.obf": Format(
        lambda folder: make_openings(folder, "a.obf", "-" * 27 + "OX------XO" + "-" * 27 + " X;\n"),
        lambda path: load_openings(path, "othello"),
    ),
    "lookup.jsonl": Format(lambda folder: make_lookup(folder, "l.jsonl"), read_lookup),
    "lookup.csv": Format(lambda folder: make_lookup(folder, "l.csv"), read_lookup),
    "lookup.sqlite": Format(lambda folder: make_lookup(folder, "l.sqlite"), read_lookup),
    "tree": Format(make_tree, load_tree),
} | {f"games.{kind}": Format(lambda folder, kind=kind: make_games(folder, kind), load_games) for kind in sorted(kinds())}


@pytest.fixture(scope="module")
def sample(tmp_path_factory):
    """The file of a format, made once."""

    @cache
    def of(name: str) -> Path:
        if name.startswith("Syzygy") and DATA is None:
            pytest.skip("ZERMELO_DATA is not set: Syzygy's tables are not here")
        return FORMATS[name].make(tmp_path_factory.mktemp("sample"))

    return of


def try_some(name: str, path: Path, seeds: range) -> dict[str, int]:
    """Damage the file in as many ways, and count what came of it; it is whole again at the end."""
    form, whole = FORMATS[name], path.read_bytes()
    known, told = form.load(path), {"refused": 0, "harmless": 0}
    for seed in seeds:
        for mend in (lambda data: data, resealed) if form.is_tensors else (lambda data: data,):
            if (data := mend(mutated(whole, seed))) == whole:
                continue
            path.unlink()  # what is open elsewhere stays as it is
            path.write_bytes(data)
            os.utime(path, ns=(seed, seed))
            try:
                found = form.load(path)
            except ZermeloError as error:
                assert str(error) and "\n" not in str(error), (name, seed)
                told["refused"] += 1
            except Exception as error:
                raise AssertionError(f"{name}, seed {seed}: {type(error).__name__}: {error}") from error
            else:
                assert mend is resealed or not form.is_sealed or found == known, (name, seed)
                told["harmless"] += 1
    path.unlink()
    path.write_bytes(whole)
    return told


@pytest.mark.parametrize("name", [name for name in FORMATS if name != "trainer"])  # torch alone would take longer than all others
def test_a_few_damaged_files(name, sample):
    try_some(name, sample(name), range(FEW))


@pytest.mark.slow
@pytest.mark.parametrize("name", FORMATS)
def test_a_thousand_damaged_files(name, sample, capsys):
    told = try_some(name, sample(name), range(FEW, FEW + MANY))
    with capsys.disabled():
        print(f"| {name} | {told['refused']:,} | {told['harmless']:,} |")
