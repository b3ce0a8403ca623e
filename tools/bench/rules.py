"""``python -m tools.bench rules``: joint odds in a fresh interpreter against icepool, and scoring a roll.

Times are of the processor, so that other work on the machine counts less, and the least of several runs.
"""

from __future__ import annotations

import subprocess
import sys
import time
from importlib.util import find_spec
from itertools import cycle, islice
from pathlib import Path
from typing import Any

from tableside.dice import Die, find_sets
from tableside.errors import GameError
from tableside.games.narrative.net import net_result
from tableside.games.narrative.odds import odds_of
from tableside.games.narrative.pool_text import parse_pool
from tableside.rules import find_game

POOL_14 = "3a 3p 1b 3d 3c 1k"
POOL_24 = "5a 5p 2b 5d 5c 2k"
RUNS = 5
_ROOT = Path(__file__).parents[2]
_SCORED = 200
_ROLLS: dict[str, tuple[list[tuple[str, int]], dict[str, Any]]] = {
    "narrative": ([("ability", 3), ("proficiency", 3), ("difficulty", 4), ("challenge", 2)], {"purpose": "attack"}),
    "heroic": ([("ability", 3), ("proficiency", 3), ("difficulty", 4), ("challenge", 2)], {"condition": "winded"}),
    "d6-companion": ([("pip", 12)], {"code": "12D+2", "difficulty": 30, "cap": 5}),
    "d6-wild": ([("pip", 11), ("wild", 1)], {"code": "12D+2", "difficulty": 30}),
}
"""Twelve dice of each game with what is asked of them."""


def bench_rules() -> dict[str, Any]:
    """Return what was measured.

    :raises GameError: where icepool, which the odds are measured against, is not installed.
    """
    if find_spec("icepool") is None:
        hint = "Install the dev extra: pip install 'tableside[dev]'."
        raise GameError("icepool is not installed", where="bench rules", hint=hint)
    jobs = {"joint_14_ms": ("ours", POOL_14), "icepool_14_ms": ("icepool", POOL_14), "joint_24_ms": ("ours", POOL_24)}
    # The runs take turns, so that a slow moment of the machine hits all of them.
    times: dict[str, list[float]] = {name: [] for name in jobs}
    for _ in range(RUNS):
        for name, (whose, pool) in jobs.items():
            times[name].append(_fresh(whose, pool))
    least = {name: min(runs) for name, runs in times.items()}
    scored = {game: _score_ms(game) for game in _ROLLS}
    return {
        "pools": [POOL_14, POOL_24],
        "runs": RUNS,
        **{name: round(ms, 3) for name, ms in least.items()},
        "joint_14_to_icepool": round(least["joint_14_ms"] / least["icepool_14_ms"], 5),
        "joint_24_to_14": round(least["joint_24_ms"] / least["joint_14_ms"], 2),
        "score_12_ms": {game: round(ms, 4) for game, ms in scored.items()},
    }


def odds_ms(whose: str, pool: str) -> float:
    """Return the milliseconds that the joint odds of a pool take, ours or icepool's."""
    counts = parse_pool(pool)
    if whose == "ours":
        begin = time.process_time()
        odds_of(counts)
        return (time.process_time() - begin) * 1000
    import icepool

    begin = time.process_time()
    icepool_odds(icepool, counts)
    return (time.process_time() - begin) * 1000


def icepool_odds(icepool: Any, counts: dict[str, int]) -> Any:
    """Return icepool's joint distribution: sums of dice whose faces are vectors of the net result."""
    (dice_set,) = find_sets(["narrative"])
    parts = []
    for name, count in counts.items():
        nets = [net_result(face) for face in dice_set.type(name).faces]
        die = icepool.Die([icepool.Vector((n.net_success, n.net_advantage, n.triumph, n.despair)) for n in nets])
        parts.append(count @ die)
    return sum(parts[1:], parts[0])


def _fresh(whose: str, pool: str) -> float:
    """Return the time in an interpreter that has worked out nothing before."""
    code = f"from tools.bench.rules import odds_ms; print(odds_ms({whose!r}, {pool!r}))"
    done = subprocess.run([sys.executable, "-c", code], cwd=_ROOT, capture_output=True, text=True, check=True)
    return float(done.stdout)


def _score_ms(game: str) -> float:
    """Return the time to score twelve dice, with spendings."""
    rules = find_game(game)
    counts, ask = _ROLLS[game]
    types = {kind.name: kind for dice_set in find_sets(rules.dice_sets[:1]) for kind in dice_set.types}
    dice = [
        Die(type=name, face=face) for name, count in counts for face in islice(cycle(types[name].distinct_faces), count)
    ]
    least = float("inf")
    for _ in range(_SCORED):
        begin = time.perf_counter()
        rules.spends(rules.play((dice,), ask), ask)
        least = min(least, time.perf_counter() - begin)
    return least * 1000
