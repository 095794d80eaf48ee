"""An engine that fails on request: bad_engine.py uci|gtp|json MODE. It behaves until the first move."""

from __future__ import annotations

import json
import os
import sys
import time

PROTOCOL, MODE = sys.argv[1:3]


def say(text: str) -> None:
    sys.stdout.write(text + "\n")
    sys.stdout.flush()


def answer(text: str, request: dict) -> None:
    """A move, as the protocol writes it."""
    if PROTOCOL == "uci":
        say(f"bestmove {text}")
    elif PROTOCOL == "gtp":
        say(f"= {text}\n")
    else:
        say(json.dumps({"id": request.get("id"), "action": text}))


def misbehave(request: dict) -> None:
    good = {"uci": "e2e4", "gtp": "D4", "json": "4"}[PROTOCOL]
    if MODE == "hangs":
        time.sleep(3600)
    elif MODE == "dies":
        print("something is broken here", file=sys.stderr, flush=True)
        os._exit(3)
    elif MODE == "crashes":
        os.abort()
    elif MODE == "illegal":
        answer({"uci": "e2e5", "gtp": "Z9", "json": "z1"}[PROTOCOL], request)
    elif MODE == "garbage":
        for _ in range(5000):
            say("\x00\xff what is this")
    elif MODE == "unreadable":
        answer("\x01\x02 this is no move at all, nobody can read it", request)
    elif MODE == "floods":
        while True:
            say("info string " + "x" * 4000)
    elif MODE == "long":
        sys.stdout.write("x" * (8 << 20))
        sys.stdout.flush()
        time.sleep(3600)
    elif MODE == "late":
        time.sleep(0.5)
        answer(good, request)
    else:
        answer(good, request)


if MODE == "refuses":
    print("I do not want to", file=sys.stderr)
    sys.exit(1)
for line in sys.stdin:
    if MODE == "silent":
        continue
    words = line.split()
    if PROTOCOL == "json":
        asked = json.loads(line)
        if asked["command"] == "choose":
            misbehave(asked)
        else:
            say(json.dumps({"id": asked.get("id")}))
    elif PROTOCOL == "uci":
        if words[:1] == ["go"]:
            misbehave({})
        elif words[:1] == ["uci"]:
            say("id name bad\nuciok")
        elif words[:1] == ["isready"]:
            say("readyok")
        elif words[:1] == ["quit"]:
            break
    elif words[:1] == ["genmove"]:
        misbehave({})
    elif words[:1] == ["list_commands"]:
        say("= genmove\nplay\n")
    else:
        say("=\n")
