"""D6 with dice codes: the faces under the die cap and the code's pips make a total."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from msgspec.structs import replace as altered

from tableside.dice import Die
from tableside.errors import BadAsk, GameError
from tableside.games.d6.outcome import (
    FORCE_POINT,
    FORCE_POINTS,
    equation,
    pip_values,
    plain_words,
    sum_words,
    table_code,
    total_outcome,
)
from tableside.games.d6_companion.ask import (
    DAMAGES,
    FORM,
    NAME,
    PURPOSES,
    TRACKERS,
    Ask,
    PowerAsk,
    cap_of,
    plan_of,
    uncertainty_of,
)
from tableside.games.d6_companion.capital import CapitalDamage, capital_damage, part_effects
from tableside.games.d6_companion.characters import CHARACTERS
from tableside.games.d6_companion.combat import TURNS, damage_row
from tableside.games.d6_companion.power_roll import power_odds, power_outcome, power_tray
from tableside.games.d6_companion.rolls import MOST_CAP, capped
from tableside.games.d6_companion.ships import light_damage_effect, ship_damage_row
from tableside.games.d6_companion.sources import SOURCES, companion_step
from tableside.games.d6_companion.yields import HURTS
from tableside.rules.attack import Attack
from tableside.rules.code import Code
from tableside.rules.game import Fit, Game, Outcome, Prospect, Spend, Step
from tableside.rules.odds import PLAIN, Totals, capped_die, odds_json, reached, totals
from tableside.rules.people import Effect
from tableside.rules.throws import Hand, Throw, dice_words, split_throw
from tableside.words import say, sentences

RESULTS: Mapping[str, str] = {
    "stun_1": "one stun, 1D less",
    "stun_2": "two stuns, 2D less",
    "ionized_1D": "ionized by 1D",
    "ionized_2D": "ionized by 2D",
}
"""Results that the charts write short, in words."""

GM_ADDS = "The game master throws {dice} and adds it to the difficulty."
GM_TAKES = "The game master throws {dice} and takes it off the total."

_HURTS: Mapping[str, Effect] = {
    **HURTS,
    "heavily_damaged": Effect(tracker="ship_damage", set=2),
    "severely_damaged": Effect(tracker="ship_damage", set=3),
    "destroyed": Effect(tracker="ship_damage", set=4),
    "ionized_1D": Effect(tracker="ionized", change=1),
    "ionized_2D": Effect(tracker="ionized", change=2),
    "dead_controls": Effect(tracker="dead_controls", set=1),
    "lose_shield_generator": Effect(tracker="generators", change=1),
}
"""What a result of the charts does to the trackers of its target; a set value is a step of the track."""

AFTERMATH: Mapping[str, str] = {
    "dead_controls": "No action for a round, then it is ionized by 3D for the next.",
}
"""What else comes of a result of the starship chart."""


class D6Companion(Game[Ask]):
    """The game with dice codes, die caps and uncertainty dice."""

    name = NAME
    title = "D6 with dice codes"
    dice_sets = ("pips",)
    form = FORM
    trackers = TRACKERS
    turn_order = TURNS
    _characters = CHARACTERS
    pool_names = FORCE_POINTS
    damage_purpose = "damage"

    def fit(self, types: Collection[str]) -> Fit:
        return Fit.USUAL if set(types) == {"pip"} else super().fit(types)

    def table_ask(self, dice: str, added: int = 0) -> Mapping[str, Any] | None:
        code = table_code(dice, added)
        return {"code": code} if code else None

    def _tray(self, given: Ask) -> Throw | None:
        if isinstance(given, PowerAsk):
            return power_tray(given)
        code = plan_of(given).code
        return None if code is None else split_throw(_throw(code), {"pip": given.owned})[0]

    def _play(self, throws: Sequence[Sequence[Die]], given: Ask) -> Outcome:
        if isinstance(given, PowerAsk):
            return power_outcome(throws, given)
        plan, cap, uncertain = plan_of(given), cap_of(given), uncertainty_of(given)
        steps = list(plan.steps)
        values = [[value for _, value in pip_values(throw, game=self.name)] for throw in throws]
        hand = Hand(throws)
        if plan.code is None:
            thrown = hand.take_any()
        else:
            owned = {"pip": given.owned}
            thrown = hand.take_all(_throw(plan.code), owned, any_type=True)
        faces = [value for _, value in pip_values(thrown, game=self.name)]
        counted, dropped = capped(faces, cap)
        total = sum(counted) + plan.pips
        words = sum_words(counted, plan.pips)
        notes = []
        if dropped:
            notes.append(say("The die cap {cap} drops {dice}.", cap=cap, dice=[str(die) for die in dropped]))
        if cap < MOST_CAP:
            steps.append(_cap_step(cap, dropped, given))
        steps.append(companion_step(say("{sum}.", sum=equation(words, total)), "dice_total"))
        difficulty = plan.difficulty
        if difficulty is not None and plan.difficulty_dice:
            more = _gm_throw(hand, "difficulty", plan.difficulty_dice, GM_ADDS, self.name)
            if more:
                difficulty += more
                told = say(
                    "{n}D more on the difficulty, {more}: {difficulty}.",
                    n=plan.difficulty_dice,
                    more=more,
                    difficulty=difficulty,
                )
                steps.append(companion_step(told, "missile_difficulty"))
        less = _gm_throw(hand, "uncertainty", uncertain, GM_TAKES, self.name)
        if uncertain and not hand.waits:
            total -= less
            words = sum_words(counted, plan.pips, less=less)
            told = say("The game master's {n}D take {less} off: {total}.", n=uncertain, less=less, total=total)
            steps.append(companion_step(told, "uncertainty"))
        outcome = total_outcome(
            self.name,
            total,
            sum_of=words,
            count=sum(map(len, values)),
            difficulty=difficulty,
            more_than=_is_opposed(given),
            notes=notes,
            decided=not hand.waits,
            awaits=hand.awaits,
            short=hand.short,
            steps=tuple(steps),
            source=SOURCES["difficulty_check"],
            pips=plan.pips,
            is_final=not plan.difficulty_dice and not uncertain,
        )
        hand.check_rest(self.name)
        return outcome if hand.waits else _after(outcome, total, given)

    def _odds(self, given: Ask) -> Prospect:
        if isinstance(given, PowerAsk):
            return power_odds(given)
        plan = plan_of(given)
        if plan.code is None:
            raise BadAsk("no code was given", where=f"game {self.name}", hint="Ask for one, such as code=4D+2.")
        found = _totals(given, plan.code)
        random = totals((PLAIN, plan.difficulty_dice)) if plan.difficulty_dice else None
        chances: list[tuple[str, Fraction]] = []
        spends: list[tuple[Spend, Fraction]] = []
        if (difficulty := plan.difficulty) is not None:
            wanted = difficulty + _is_opposed(given)
            chances.append(("success", reached(found, wanted, random)))
            if not given.force_point:
                spends += _doubled(given, wanted, random)
        form = {"game": self.name, "code": str(plan.code), "difficulty": plan.difficulty}
        return Prospect(
            pool=plan.versus(plan.code, less=uncertainty_of(given)),
            chances=tuple(chances),
            bars_of="total",
            bars=tuple((str(total), found.chance(total)) for total in found.ways),
            spends=tuple(spends),
            difficulty=plan.against,
            form=form | {name: float(chance) for name, chance in chances} | odds_json(found),
        )

    def _attacked(self, given: Ask, damage: Ask, resists: Ask) -> Attack | None:
        """Return how attack, damage and the roll of Strength or hull against it end together.

        The scale chart caps both damage and what resists it (scale_cap).
        """
        if isinstance(given, PowerAsk):
            return None
        if damage.purpose not in DAMAGES:
            return None
        hits = dict(self._odds(given).chances).get("success") if plan_of(given).code else None
        thrown = plan_of(damage).code
        if hits is None or thrown is None:
            return None
        if (against := damage.against) is not None:
            held = totals(add=against)
        elif (left := plan_of(resists, least=0).left) is not None:
            held = totals(add=left)
        elif (code := plan_of(resists).code) is not None:
            scales = {"scale": damage.target_scale, "target_scale": damage.scale}
            charted = altered(resists, chart="damage", **scales) if damage.chart == "damage" else resists
            held = _totals(charted, code)
        else:
            return None
        dealt = _totals(damage, thrown)
        ways: dict[tuple[int, str], int] = {}
        for total, count in dealt.ways.items():
            for other, times in held.ways.items():
                harm = _harm(total, other, damage)
                ways[harm] = ways.get(harm, 0) + count * times
        share = hits / (dealt.denominator * held.denominator)
        harms = [(say("{^result}", result=words), share * ways[grade, words]) for grade, words in sorted(ways) if grade]
        return Attack.of(miss=1 - hits, harmless=hits - sum(chance for _, chance in harms), harms=harms)


def _doubled(given: Ask, wanted: int, random: Totals | None) -> list[tuple[Spend, Fraction]]:
    """Return a Force Point with the chance after it, nothing where the doubled code is more than can be thrown."""
    doubled = altered(given, force_point=True)
    try:
        code = plan_of(doubled).code
    except GameError:
        return []
    return [] if code is None else [(FORCE_POINT, reached(_totals(doubled, code), wanted, random))]


def _totals(given: Ask, code: Code) -> Totals:
    found = totals((capped_die(cap_of(given)), code.dice), add=code.pips)
    uncertain = uncertainty_of(given)
    return found.less(totals((PLAIN, uncertain))) if uncertain else found


def _cap_step(cap: int, dropped: Sequence[int], given: Ask) -> Step:
    name = say("Die cap {cap}", cap=cap)
    if cap < given.cap:
        scale, other = plain_words(given.scale), plain_words(given.target_scale)
        name = say("Die cap {cap}, {scale} against {other}", cap=cap, scale=scale, other=other)
    if not dropped:
        return companion_step(say("{cap}: every die counts.", cap=name), "die_cap")
    dice, pattern = [str(die) for die in dropped], "{cap}: {dice} {n:counts|count} nothing."
    return companion_step(say(pattern, cap=name, dice=dice, n=len(dropped)), "die_cap")


def _throw(code: Code) -> Throw:
    dice = (("pip", code.dice),)
    return Throw(name="roll", dice=dice, sentence=say("Throw {dice}.", dice=dice_words(dice)))


def _gm_throw(hand: Hand, name: str, count: int, pattern: str, game: str) -> int:
    dice = (("pip", count),)
    sentence = say(pattern, dice=dice_words(dice))
    thrown = hand.take(Throw(name=name, dice=dice, sentence=sentence, by_gm=True), any_type=True)
    return sum(value for _, value in pip_values(thrown, game=game))


def _is_opposed(given: Ask) -> bool:
    return given.more_than or PURPOSES[given.purpose].is_opposed


def _after(outcome: Outcome, total: int, given: Ask) -> Outcome:
    """Return the outcome with what a decided roll does."""
    if outcome.word in ("nothing", "undecided"):
        return outcome
    if given.purpose in DAMAGES:
        return _damage(outcome, total, given)
    told = PURPOSES[given.purpose].told
    return told(outcome, total, given) if told else outcome


def _chart(given: Ask) -> str:
    """Return the chart that damage is looked up in."""
    purpose = given.purpose
    if purpose != "collision":
        return purpose
    return "damage" if given.hits == "person" else "ship_damage"


@dataclass(frozen=True, slots=True, kw_only=True)
class _Charted:
    """What a chart says of damage.

    :ivar grade: how bad it is; 0 is nothing.
    """

    result: str
    rule: str
    comparison: str
    grade: int

    @property
    def words(self) -> str:
        return RESULTS.get(self.result) or plain_words(self.result)


def _charted(total: int, against: int, given: Ask) -> _Charted:
    """Return what the chart of persons or of ships says."""
    chart = _chart(given)
    if chart in ("damage", "stun_damage"):
        row = damage_row(total, against)
        result = row.stun_attack if chart == "stun_damage" else row.other_attack
        rule, comparison, halves = "personal_damage", row.comparison, row.halves
    else:
        strict = given.ship_chart == "more_than"
        ship = ship_damage_row(total, against, strict=strict)
        result = ship.ion_cannon if chart == "ion_damage" else ship.other_attack
        rule, comparison, halves = "starship_damage", ship.told(strict=strict), ship.halves
    return _Charted(result=result, rule=rule, comparison=comparison, grade=0 if result == "no_effect" else halves)


def _harm(total: int, against: int, given: Ask) -> tuple[int, str]:
    """Return how bad damage is, 0 for nothing, with the words for it."""
    if not _chart(given).startswith("capital"):
        found = _charted(total, against, given)
        return found.grade, found.words
    is_ion = given.purpose == "capital_ion_damage"
    capital = capital_damage(total, against)
    grade = capital.ion_dice if is_ion else 1 + capital.pips if capital.pips else capital.shield_pips
    return grade, _capital_words(capital, is_ion=is_ion)


def _damage(outcome: Outcome, total: int, given: Ask) -> Outcome:
    """Return the outcome with what the damage does, where it is resisted."""
    against = given.against
    if against is None:
        return outcome
    if _chart(given).startswith("capital"):
        return _capital_damage(outcome, total, against, given)
    charted = _charted(total, against, given)
    result, rule, comparison, words = charted.result, charted.rule, charted.comparison, charted.words
    done, more = result, AFTERMATH.get(result)
    if result == "lightly_damaged":
        done = light_damage_effect(shields_effective=given.shields_worked)
        more = say("{^result}.", result=RESULTS.get(done) or plain_words(done))
    hurt = _HURTS.get(done)
    also = (Effect(tracker="ship_damage", set=1),) if result == "lightly_damaged" else ()
    effects = (altered(hurt, words=say("{^result}", result=words), also=also),) if hurt else ()
    return _resisted(outcome, total, against, words, rule, comparison, effects, [more] if more else [])


def _capital_damage(outcome: Outcome, total: int, against: int, given: Ask) -> Outcome:
    """Return what guns, or a ram, do to a capital ship."""
    is_ion = given.purpose == "capital_ion_damage"
    found = capital_damage(total, against)
    words = _capital_words(found, is_ion=is_ion)
    effects: tuple[Effect, ...] = ()
    more: tuple[str, ...] = ()
    if is_ion and found.ion_dice:
        effects = (Effect(tracker="ionized", change=found.ion_dice, words=say("{^result}", result=words)),)
    elif found.shield_pips and not is_ion:
        effects = (Effect(tracker="shield_damage", change=found.shield_pips, words=say("{^result}", result=words)),)
    elif found.pips and not is_ion:
        effects, more = part_effects(found.pips, given)
    return _resisted(outcome, total, against, words, "capital_damage", found.comparison, effects, more)


def _resisted(
    outcome: Outcome,
    total: int,
    against: int,
    words: str,
    rule: str,
    comparison: str,
    effects: tuple[Effect, ...],
    more: Sequence[str],
) -> Outcome:
    text = say(
        "{total} against {resisted}, {row}: {result}.", total=total, resisted=against, row=comparison, result=words
    )
    return replace(
        outcome,
        headline=say("{^result}", result=words),
        sentence=sentences(
            outcome.sentence, say("Against {resisted}: {result}.", resisted=against, result=words), *more
        ),
        steps=(*outcome.steps, *(companion_step(one, rule) for one in (text, *more))),
        effects=effects,
    )


def _capital_words(damage: CapitalDamage, *, is_ion: bool) -> str:
    if is_ion:
        return say("ionized by {n}D", n=damage.ion_dice) if damage.ion_dice else "nothing"
    if damage.pips:
        return say("{n} {n:pip|pips} of damage", n=damage.pips)
    return say("{n} {n:shield pip|shield pips}", n=damage.shield_pips) if damage.shield_pips else "nothing"


GAME = D6Companion()
