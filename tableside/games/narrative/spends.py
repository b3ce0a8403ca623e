"""What the symbols of a roll may be spent on: the options within its reach, the cheapest first."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

from msgspec import structs

from tableside.games.narrative.ask import Ask, ForcePower
from tableside.games.narrative.ask import Attack as AttackAsk
from tableside.games.narrative.combat import (
    QUALITY_COST,
    damage_dealt,
    may_activate,
    may_take_free_maneuver,
    soak_left,
    vicious_of,
    weapon_of,
    who_spends,
)
from tableside.games.narrative.gear import VICIOUS_STEP
from tableside.games.narrative.options import BY_NAME, OPTIONS, Option
from tableside.rules.form import answers
from tableside.rules.game import Outcome, Spend
from tableside.rules.people import ROLLER, Effect, Follow, Gives
from tableside.words import say

_PRICES = {"A": ("advantage", "triumph"), "T": ("triumph",), "H": ("threat", "despair"), "D": ("despair",)}
_SOURCES = {"personal": "section 10", "starship": "M29, S000 Table 7-5", "general": "M04, S000"}
_SOCIAL = ("charm", "coercion", "deception", "discipline", "leadership")  # used with words alone: no tool is damaged
_Prices = tuple[tuple[str, int], ...]


def spends_of(outcome: Outcome, given: Ask) -> tuple[Spend, ...]:
    """Return what may be bought with the symbols that are left, the cheapest first."""
    net = dict(outcome.net)
    table = "starship" if given.spending == "personal" and given.of_ships else given.spending
    found = [*_hit_spends(net, given), *_skill_spends(net, given.skill_used)]
    if table in _SOURCES:
        rows = [(one, prices_of(one, table)) for one in OPTIONS if getattr(one, table) and _fits(one, net, given)]
        # A triumph is rather spent on what it alone buys than in place of advantages that are wanting.
        for one, prices in sorted(rows, key=lambda row: _rank(row[1], net) if table != "general" else 0):
            if any(net[of] >= count for of, count in prices):
                source = _SOURCES["personal" if prices[0][0] in ("threat", "despair") and table != "general" else table]
                if (lasts := one.gives.lasts) and one.aboard and table == "starship":
                    lasts = structs.replace(lasts, skills=one.aboard)
                    one = replace(one, gives=structs.replace(one.gives, lasts=lasts))
                found.append(_spend(one, net, prices, source))
    named = {spend.name: spend for spend in reversed(found)}
    for name, spend in named.items():
        if BY_NAME[name].needs == "maneuver":  # each that is bought is made at once
            named[name] = replace(spend, sets=tuple(answers(Ask, maneuvers=given.maneuvers + 1).items()))
    return tuple(named.values())[::-1]


def force_spends(outcome: Outcome, given: ForcePower) -> tuple[Spend, ...]:
    """Return the use of a Force point of the other side, while one is left (published rule).

    Each costs a strain, and who is of the light side a conflict; the first turns a point of destiny, too.
    """
    is_dark, used = given.dark_side, given.costly_points
    side = "light" if is_dark else "dark"
    if used >= dict(outcome.net)[side]:
        return ()
    title = "Use a light Force point: one strain" if is_dark else "Use a dark Force point: one strain, one conflict"
    if not used:
        title = say("{use}, and a point of destiny turns", use=title)
    sets = tuple(answers(ForcePower, costly_points=used + 1).items())
    short = "Use a light point" if is_dark else "Use a dark point"
    return (
        Spend(
            name="use_costly_point",
            title=title,
            short=short,
            prices=((side, 1),),
            sets=sets,
            gives=Gives(effects=tuple(_costs_of_force(given))),
            source=_SOURCES["personal"],
        ),
    )


def _costs_of_force(given: ForcePower) -> Iterator[Effect]:
    """Yield what the next Force point of the other side costs (published rule)."""
    yield Effect(tracker="strain", change=1, words=say("{n} strain", n="+1"), on=ROLLER)
    if not given.dark_side:
        yield Effect(tracker="conflict", change=1, words=say("{n} conflict", n="+1"), on=ROLLER)
    if not given.costly_points:
        side = "dark" if given.dark_side else "light"
        yield Effect(tracker=side, change=-1, words="A point of destiny turns", on="table")


def prices_of(one: Option, table: str) -> _Prices:
    """Return what buys it by one of the tables; each alone is enough."""
    price: str = getattr(one, table)
    if table == "general":
        return ((price, 1),)
    first, *other = _PRICES[price[0]]
    return ((first, int(price[1])), *((of, 1) for of in other))


def _rank(prices: _Prices, net: Mapping[str, int]) -> tuple[bool, bool, int, int]:
    """Return the order of a card: what helps, what the symbols themselves buy, what costs least."""
    of, count = prices[0]
    hinders, alone = of in ("threat", "despair"), of in ("triumph", "despair")
    return hinders, not hinders and not alone and net[of] < count, alone, count


def _fits(one: Option, net: Mapping[str, int], given: Ask) -> bool:
    """Tell whether an option means something for this roll."""
    is_attack = isinstance(given, AttackAsk)
    match one.needs:
        case "maneuver":
            return (is_attack or given.in_fight) and may_take_free_maneuver(given.maneuvers)
        case "fight":
            return is_attack or given.in_fight
        case "attack":
            return is_attack
        case "hurts":
            return _may_hurt(net, given)
        case "tool":
            return given.skill_used not in _SOCIAL
    return not one.needs  # what is told at its own price is told above


def _hit_spends(net: Mapping[str, int], given: Ask) -> Iterator[Spend]:
    if not isinstance(given, AttackAsk) or not net["success"]:
        return
    _, critical = weapon_of(given)
    if critical is not None and _may_hurt(net, given) and _in_reach(net, critical):
        spend = _spend(BY_NAME["critical_hit"], net, (("advantage", critical), ("triumph", 1)), "M27, S000")
        more = VICIOUS_STEP * vicious_of(given)
        follow = answers(Ask, purpose="critical", added=more) if more else answers(Ask, purpose="critical")
        spend = replace(spend, gives=Gives(follow=Follow(words="A critical injury", ask=follow), is_deadly=True))
        title = say("A critical hit: {n} more on the percentile throw", n=more)
        yield replace(spend, title=title, short=spend.title) if more else spend
    cost = given.quality_cost or QUALITY_COST
    if may_activate(given) and _in_reach(net, cost):
        yield _spend(BY_NAME["weapon_quality"], net, (("advantage", cost), ("triumph", 1)), "M28, S000")


def _may_hurt(net: Mapping[str, int], given: Ask) -> bool:
    """Tell whether it is a hit that deals damage past armor; of a weapon that is not named nobody knows."""
    if not isinstance(given, AttackAsk) or not net["success"]:
        return False
    dealt = damage_dealt(net["success"], given)
    return dealt is None or dealt > soak_left(given)


def _skill_spends(net: Mapping[str, int], skill: str) -> Iterator[Spend]:
    for one in OPTIONS:
        of = one.skill[1]
        # The one success that the check needs is not left over.
        if skill and one.skill[0] == skill and net[of] >= (2 if of == "success" else 1):
            yield _spend(one, net, ((of, 1),), f"M30, S000 {skill.capitalize()}")


def _in_reach(net: Mapping[str, int], cost: int) -> bool:
    return net["triumph"] >= 1 or net["advantage"] >= cost


def _spend(one: Option, net: Mapping[str, int], prices: _Prices, source: str) -> Spend:
    """Return what is within reach, with the prices that the roll can pay: no triumph where none was rolled."""
    kept = tuple((of, count) for of, count in prices if 0 < count <= net[of])
    by = "roller" if kept[0][0] == "success" else who_spends(kept[0][0])
    return Spend(name=one.name, title=one.title, short=one.short, prices=kept, by=by, gives=one.gives, source=source)
