"""D6 with dice codes: the faces under the die cap and the code's pips make a total."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from msgspec.structs import replace

from tableside.dice import Die
from tableside.games.d6.engine import Count, D6Game, TotalOdds
from tableside.games.d6.outcome import Plan, plain_words
from tableside.games.d6_companion import combat
from tableside.games.d6_companion.ask import DAMAGES, NAME, Ask
from tableside.games.d6_companion.capital import CapitalDamage, capital_damage, part_effects
from tableside.games.d6_companion.characters import CHARACTERS
from tableside.games.d6_companion.force import PowerAsk
from tableside.games.d6_companion.plan import FORM, PURPOSES, cap_of, plan_of, uncertainty_of
from tableside.games.d6_companion.power_roll import power_odds, power_outcome, power_tray
from tableside.games.d6_companion.rolls import MOST_CAP, capped
from tableside.games.d6_companion.ships import light_damage_effect, ship_damage_row
from tableside.games.d6_companion.sources import SOURCES, companion_step
from tableside.games.d6_companion.trackers import TRACKERS
from tableside.games.d6_companion.yields import HURTS
from tableside.rules.code import Code
from tableside.rules.game import Fit, Outcome, Prospect
from tableside.rules.odds import PLAIN, Totals, capped_die, totals
from tableside.rules.people import Effect
from tableside.rules.throws import Throw, dice_words
from tableside.words import say, sentences

RESULTS: Mapping[str, str] = {
    "stun_1": "one stun, 1D less",
    "stun_2": "two stuns, 2D less",
    "ionized_1D": "ionized by 1D",
    "ionized_2D": "ionized by 2D",
}
"""Results that the charts write short, in words."""

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


class D6Companion(D6Game[Ask, Totals]):
    """The game with dice codes, die caps and uncertainty dice."""

    name = NAME
    title = "D6 with dice codes"
    form = FORM
    trackers = TRACKERS
    turn_order = combat.TURNS
    _characters = CHARACTERS
    sources = SOURCES
    gm_adds = "The game master throws {dice} and adds it to the difficulty."

    def fit(self, types: Collection[str]) -> Fit:
        return Fit.USUAL if set(types) == {"pip"} else super().fit(types)

    def plan(self, given: Ask, *, least: int = 1) -> Plan:
        return plan_of(given, least=least)

    def must_beat(self, given: Ask) -> bool:
        return given.more_than or PURPOSES[given.purpose].is_opposed

    def _tray(self, given: Ask) -> Throw | None:
        return power_tray(given) if isinstance(given, PowerAsk) else super()._tray(given)

    def _play(self, throws: Sequence[Sequence[Die]], given: Ask) -> Outcome:
        return power_outcome(throws, given) if isinstance(given, PowerAsk) else super()._play(throws, given)

    def _odds(self, given: Ask) -> Prospect:
        return power_odds(given) if isinstance(given, PowerAsk) else super()._odds(given)

    def count(self, count: Count, given: Ask) -> None:
        """Count what is not above the die cap."""
        cap = cap_of(given)
        counted, dropped = capped([value for _, value in count.values], cap)
        count.parts = list(counted)
        if dropped:
            count.notes.append(say("The die cap {cap} drops {dice}.", cap=cap, dice=[str(die) for die in dropped]))
        if cap < MOST_CAP:
            count.explain(_cap_words(cap, dropped, given), "die_cap")
        count.explain(say("{sum}.", sum=count.equation), "dice_total")
        count.may_fall = count.plan.less_dice > 0

    def explain_difficulty(self, count: Count, more: int) -> None:
        n, difficulty = count.plan.difficulty_dice, (count.plan.difficulty or 0) + more
        text = say("{n}D more on the difficulty, {more}: {difficulty}.", n=n, more=more, difficulty=difficulty)
        count.explain(text, "missile_difficulty")

    def count_besides(self, count: Count, given: Ask) -> None:
        """Take the uncertainty dice off the total."""
        if uncertain := count.plan.less_dice:
            dice = (("pip", uncertain),)
            sentence = say("The game master throws {dice} and takes it off the total.", dice=dice_words(dice))
            less = sum(count.take(Throw(name="uncertainty", dice=dice, sentence=sentence, by_gm=True)))
            if not count.hand.waits:
                count.less = less
                text = "The game master's {n}D take {less} off: {total}."
                count.explain(say(text, n=uncertain, less=less, total=count.total), "uncertainty")

    def odds_of(self, given: Ask, plan: Plan, code: Code) -> TotalOdds:
        return TotalOdds(all=self.whole(given, code), more=self.must_beat(given))

    def whole(self, given: Ask, code: Code) -> Totals:
        found = totals((capped_die(cap_of(given)), code.dice), add=code.pips)
        uncertain = uncertainty_of(given)
        return found.less(totals((PLAIN, uncertain))) if uncertain else found

    def fixed(self, number: int) -> Totals:
        return totals(add=number)

    def resisting(self, given: Ask, damage: Ask, resists: Ask) -> tuple[int | None, Ask] | None:
        """Return the roll of Strength or hull: the scale chart caps both damage and what resists it (scale_cap)."""
        if isinstance(given, PowerAsk) or damage.purpose not in DAMAGES:
            return None
        if damage.chart == "damage" or damage.scale != damage.target_scale:
            scales = {"scale": damage.target_scale, "target_scale": damage.scale}
            resists = replace(resists, chart="damage", **scales)
        return damage.against, resists

    def harms(self, dealt: Totals, held: Totals, damage: Ask) -> Sequence[tuple[str, Fraction]]:
        ways: dict[tuple[int, str], int] = {}
        for total, count in dealt.ways.items():
            for other, times in held.ways.items():
                harm = _harm(total, other, damage)
                ways[harm] = ways.get(harm, 0) + count * times
        denominator = dealt.denominator * held.denominator
        return [(words, Fraction(ways[grade, words], denominator)) for grade, words in sorted(ways) if grade]

    def after(self, outcome: Outcome, count: Count, given: Ask) -> Outcome:
        does = _damage if given.purpose in DAMAGES else PURPOSES[given.purpose].does
        return does(outcome, count.total, given) if does else outcome


def _cap_words(cap: int, dropped: Sequence[int], given: Ask) -> str:
    name = say("Die cap {cap}", cap=cap)
    if cap < given.cap:
        scale, other = plain_words(given.scale), plain_words(given.target_scale)
        name = say("Die cap {cap}, {scale} against {other}", cap=cap, scale=scale, other=other)
    if not dropped:
        return say("{cap}: every die counts.", cap=name)
    dice, pattern = [str(die) for die in dropped], "{cap}: {dice} {n:counts|count} nothing."
    return say(pattern, cap=name, dice=dice, n=len(dropped))


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


def _read_chart(total: int, against: int, given: Ask) -> _Charted:
    """Return what the chart of persons or of ships says."""
    chart = _chart(given)
    if chart in ("damage", "stun_damage"):
        row = combat.damage_row(total, against)
        result = row.stun_attack if chart == "stun_damage" else row.other_attack
        rule, comparison, halves = "personal_damage", row.comparison, row.halves
    else:
        strict = given.ship_chart == "more_than"
        ship = ship_damage_row(total, against, strict=strict)
        result = ship.ion_cannon if chart == "ion_damage" else ship.other_attack
        rule, comparison, halves = "starship_damage", ship.condition(strict=strict), ship.halves
    return _Charted(result=result, rule=rule, comparison=comparison, grade=0 if result == "no_effect" else halves)


def _harm(total: int, against: int, given: Ask) -> tuple[int, str]:
    """Return how bad damage is, 0 for nothing, with the words for it."""
    if not _chart(given).startswith("capital"):
        found = _read_chart(total, against, given)
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
    charted = _read_chart(total, against, given)
    result, rule, comparison, words = charted.result, charted.rule, charted.comparison, charted.words
    done, more = result, AFTERMATH.get(result)
    if result == "lightly_damaged":
        done = light_damage_effect(shields_effective=given.shields_worked)
        more = say("{^result}.", result=RESULTS.get(done) or plain_words(done))
    hurt = _HURTS.get(done)
    also = (Effect(tracker="ship_damage", set=1),) if result == "lightly_damaged" else ()
    effects = (replace(hurt, words=say("{^result}", result=words), also=also),) if hurt else ()
    return _count_resistance(outcome, total, against, words, rule, comparison, effects, [more] if more else [])


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
    return _count_resistance(outcome, total, against, words, "capital_damage", found.comparison, effects, more)


def _count_resistance(
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
