"""Clocks: their text, running out of time, and never planning with more time than there is."""

from __future__ import annotations

import math
import threading

import pytest
from hypothesis import given
from hypothesis import strategies as st

from zermelo.arena.clock import Clock, Control, share
from zermelo.errors import ZermeloError
from zermelo.system.timer import Alarm


@pytest.mark.parametrize("text", ["10+0.1", "60", "2/move", "none", "0.5+0.01", "0.1/move", "1.5"])
def test_what_is_written_is_read_back(text):
    assert str(Control.read(text)) == text
    assert Control.read(str(Control.read(text))) == Control.read(text)


@pytest.mark.parametrize("text", ["", "x", "10+", "-5", "0", "0/move", "1e3", "10+0.1/move", "5 + 5", "nan", "inf", "+1"])
def test_what_is_no_clock_is_refused(text):
    with pytest.raises(ZermeloError, match="expected a clock like"):
        Control.read(text)


@pytest.mark.parametrize(
    "given", [{"base": 1.0, "move": 1.0}, {"base": 0.0}, {"move": math.inf}, {"increment": 1.0}, {"base": 1.0, "increment": -1.0}]
)
def test_controls_make_sense(given):
    with pytest.raises(ZermeloError):
        Control(**given)


def test_time_is_spent_and_given_back():
    clock = Clock(Control.read("1+0.5"), 2)
    assert clock.spend(0, 0.75)
    assert clock.left == [0.75, 1.0]
    assert clock.spend(0, 0.75)
    assert not clock.spend(0, 0.6)
    assert clock.left[0] == 0.0


def test_seconds_for_a_move_do_not_add_up():
    clock = Clock(Control.read("2/move"), 3)
    assert clock.spend(2, 1.9) and clock.spend(2, 1.9)
    assert clock.left == [2.0, 2.0, 2.0]
    assert not clock.spend(2, 2.1)


def test_without_a_limit_there_is_none():
    clock = Clock(Control(), 2)
    assert clock.budget(0) == (None, None)
    assert clock.spend(0, 1e9)


@given(left=st.floats(0, 1e4), increment=st.floats(0, 10), moves=st.none() | st.integers(1, 200))
def test_a_plan_stays_within_what_is_left(left, increment, moves):
    soft, hard = share(left, increment, moves)
    assert 0 < soft <= hard
    assert hard <= max(0.001, left - 0.02)


def test_a_game_of_any_length_fits():
    """Whoever keeps to the hard limit, and a little over, never runs out of time."""
    for text in ("10+0.1", "1+0.01", "60"):
        clock = Clock(Control.read(text), 1)
        for _ in range(300):
            _, hard = clock.budget(0)
            if not clock.spend(0, hard + 0.0005):
                assert not clock.control.increment, f"{text}: the flag fell"
                break


def test_the_alarm_rings_while_it_lasts():
    alarm, rung = Alarm(), threading.Event()
    with alarm.after(0.01, rung.set):
        assert rung.wait(30)
    heard = []
    with alarm.after(60, lambda: heard.append(1)), alarm.after(None, lambda: heard.append(2)):
        pass
    again = threading.Event()
    with alarm.after(0.02, again.set), alarm.after(3600, lambda: heard.append(3)):
        assert again.wait(30)
    assert not heard and not alarm._entries
