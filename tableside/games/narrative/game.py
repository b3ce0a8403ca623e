"""The narrative dice: from what is asked to a pool, from its faces to a net result and what it may buy."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace as dataclass_replace
from typing import Any

from msgspec.structs import replace

from tableside.dice import Die
from tableside.errors import BadAsk
from tableside.games.narrative.ask import (
    FEARS,
    FORM,
    NAME,
    NO_CHECKS,
    PERCENTILES,
    TEN_SIDED,
    TRACKERS,
    Ask,
    ForcePower,
    NarrativePlan,
    is_impossible,
    plan_of,
)
from tableside.games.narrative.ask import Attack as AttackAsk
from tableside.games.narrative.characters import CHARACTERS
from tableside.games.narrative.checks import TURNS, merit_of
from tableside.games.narrative.combat import damage_dealt, failure_size, pierce_of, soak_left, vicious_of
from tableside.games.narrative.gear import VICIOUS_STEP
from tableside.games.narrative.net import (
    NET_NAMES,
    NetResult,
    check_sentence,
    force_words,
    narrative_set,
    net_result,
    net_steps,
    net_words,
    symbols_of,
)
from tableside.games.narrative.numbered import face_of_number, percentile_of
from tableside.games.narrative.odds import Cell, added_cell, odds_of, success_chance
from tableside.games.narrative.pool import UPGRADED, Pool
from tableside.games.narrative.sources import symbol_step
from tableside.games.narrative.spends import force_spends, spends_of
from tableside.rules.attack import Attack
from tableside.rules.form import answers, names_of
from tableside.rules.game import Choice, Fit, Game, Mood, Outcome, Points, Prospect, Spend, Step, count_words
from tableside.rules.people import ROLLER, Effect
from tableside.rules.throws import Hand, Throw, dice_words, short_words, split_throw
from tableside.words import say, sentences

_PERCENTILE = Throw(
    name="roll", dice=(("d100", 1), ("d10", 1)), sentence="Throw the tens and the ones of the percentile pair."
)
_ONE_TEN = Throw(name="roll", dice=(("d10", 1),), sentence="Throw one ten-sided die.")
MOODS = {"triumph": Mood.TRIUMPH, "despair": Mood.DESPAIR}
"""What of a net result brings a mood."""


def _ten_sided(given: Ask) -> Throw:
    return _ONE_TEN if given.purpose == TEN_SIDED["d10"] else _PERCENTILE


def pool_throw(pool: Pool | None) -> Throw | None:
    """Return the throw of a pool, ``None`` where it is empty or not known."""
    dice = tuple(pool.counts().items()) if pool is not None else ()
    return Throw(name="roll", dice=dice, sentence=say("Throw {dice}.", dice=dice_words(dice))) if dice else None


def take_pool(hand: Hand, pool: Pool | None, owned: Mapping[str, int]) -> tuple[Die, ...]:
    """Return the dice of the pool, or of whatever lies there where nobody told what to throw."""
    wanted = pool_throw(pool)
    return hand.take_all(wanted, owned) if wanted else hand.take_any()


def rolled_symbols(thrown: Sequence[Die], *, game: str, numbered: bool = False) -> Counter[str]:
    """Return the symbols that lie up.

    :param numbered: plain dice stand for the symbol dice: a face may be its number.
    """
    dice = [
        dataclass_replace(die, face=face_of_number(die.type, int(die.face[0])))
        if numbered and len(die.face) == 1 and die.face[0].isdecimal() and die.face[0].isascii()
        else die
        for die in thrown
    ]
    return Counter(symbols_of(dice, narrative_set(), game=game))


def net_outcome(game: str, hand: Hand, thrown: Sequence[Die], rolled: Counter[str], plan: NarrativePlan) -> Outcome:
    """Return what the symbols mean, success or failure undecided while dice are missing."""
    net = net_result(rolled + Counter(plan.added))
    steps = (*plan.steps, *net_steps(rolled, plan.added, net))
    if not thrown:
        words = sentences("No dice were thrown.", hand.awaits.sentence if hand.awaits else short_words(hand.short))
        return Outcome(
            game=game,
            word="nothing",
            succeeded=None,
            net=net.pairs(),
            headline="No dice",
            sentence=words,
            awaits=hand.awaits,
            short=hand.short,
            steps=plan.steps,
        )
    sentence = check_sentence(net, blank=not rolled and not plan.added)
    if hand.waits:
        gaps = [gap for _, gap in hand.short]
        missing, spare = sum(gap for gap in gaps if gap > 0), -sum(gap for gap in gaps if gap < 0)
        headline = "Throw on"
        if gaps:
            pattern = "{n} {n:die|dice} too few" if missing else "{n} {n:die|dice} too many"
            headline = say(pattern, n=missing or spare)
        wanted = hand.awaits.sentence if hand.awaits else short_words(hand.short)
        return Outcome(
            game=game,
            word="undecided",
            succeeded=None,
            net=net.pairs(),
            headline=headline,
            sentence=sentences(wanted, say("So far: {left}.", left=net_words(net))),
            awaits=hand.awaits,
            short=hand.short,
            steps=steps,
        )
    if all(die.type == "force" for die in thrown):
        return _force_outcome(game, net, steps, sets_pool=Points(light=rolled["light"], dark=rolled["dark"]))
    word, left = "success" if net.succeeded else "failure", dict(net.pairs())
    return Outcome(
        game=game,
        word=word,
        succeeded=net.succeeded,
        net=net.pairs(),
        headline=word.capitalize(),
        sentence=sentence,
        steps=steps,
        moods=tuple((mood, name) for name, mood in MOODS.items() if left[name]),
    )


def _force_outcome(game: str, net: NetResult, steps: tuple[Step, ...], *, sets_pool: Points) -> Outcome:
    return Outcome(
        game=game,
        word="light" if net.light >= net.dark else "dark",
        succeeded=None,
        net=net.pairs(),
        headline=force_words(net),
        sentence=say("Force: {points}.", points=force_words(net)),
        steps=steps,
        sets_pool=sets_pool,
    )


def pool_prospect(pool: Pool, added: Cell, spends: Sequence[tuple[Spend, Pool]]) -> Prospect:
    """Return the exact chances of a pool, and of the pool after each way to spend points.

    :param added: to every result.
    """
    odds = odds_of(pool.counts(), added)
    chances = odds.chances()
    return Prospect(
        pool=dice_words(pool.counts()),
        chances=tuple(chances.items()),
        bars_of="net success",
        bars=tuple((f"{success:+d}" if success else "0", chance) for success, chance in odds.successes().items()),
        spends=tuple((spend, success_chance(after.counts(), added)) for spend, after in spends),
        form=odds.to_json(),
    )


class NarrativeGame(Game[Ask]):
    """The game on the seven symbol dice."""

    name = NAME
    title = "Narrative dice"
    dice_sets = ("narrative", "percentile")
    form = FORM
    trackers = TRACKERS
    turn_order = dataclass_replace(TURNS, called=names_of(Ask.purpose, Ask.characteristic, Ask.difficulty))
    _characters = CHARACTERS
    pool_flips = True
    upgrades = UPGRADED

    def table_ask(self, dice: str, added: int = 0) -> Mapping[str, Any] | None:
        purpose = TEN_SIDED.get(dice.strip().lower().replace("w", "d"))
        return answers(Ask, purpose=purpose, added=added) if purpose else None

    def fit(self, types: Collection[str]) -> Fit:
        return Fit.USUAL if super().fit(types) else Fit.NOT

    def worth(self, die: Die) -> Mapping[str, int]:
        return symbols_worth(die) or super().worth(die)

    def merit(self, net: Mapping[str, int]) -> tuple[int, ...] | None:
        return merit_of(net) or super().merit(net)

    def _tray(self, given: Ask) -> Throw | None:
        if given.purpose in PERCENTILES:
            return _ten_sided(given)
        wanted = pool_throw(plan_of(given).pool)
        return wanted and split_throw(wanted, given.owned)[0]

    def _play(self, throws: Sequence[Sequence[Die]], given: Ask) -> Outcome:
        hand, purpose = Hand(throws), given.purpose
        types = {die.type for throw in throws for die in throw}
        # Ten-sided dice mean nothing else here, whatever was asked for.
        if purpose in PERCENTILES or (types and types <= {"d10", "d100"}):
            return self._percentile(hand, given)
        plan = plan_of(given)
        thrown = take_pool(hand, plan.pool, given.owned)
        rolled = rolled_symbols(thrown, game=self.name, numbered=given.numbered)
        outcome = net_outcome(self.name, hand, thrown, rolled, plan)
        hand.check_rest(self.name)
        if outcome.word in ("light", "dark") and isinstance(given, ForcePower):
            return _force_power(outcome, given)
        if outcome.succeeded is None:
            return outcome
        if purpose == "initiative":
            return initiative_outcome(outcome)
        if purpose in _RESULTS:
            return _RESULTS[purpose](outcome)
        net = net_result(rolled + Counter(plan.added))
        size = failure_size(net.net_success, ruleset=given.ruleset)
        if size:
            step = symbol_step(say("The summary sheet sizes a failure by its net failures: {size}.", size=size), "D4")
            outcome = replace(outcome, steps=(*outcome.steps, step))
        return self._attack(outcome, net, given) if isinstance(given, AttackAsk) else outcome

    def _points(self, given: Ask) -> tuple[tuple[str, int], ...]:
        """Return the destiny points of the two upgrades and of an impossible attempt (M18, M21)."""
        if given.purpose in NO_CHECKS:
            return ()
        helps, hinders = point_sides(given)
        spent = {
            helps: given.helping_hand + is_impossible(given),
            hinders: given.raising_the_stakes,
        }
        return tuple((side, spent[side]) for side in ("light", "dark") if spent[side])

    def _spends(self, outcome: Outcome, given: Ask) -> tuple[Spend, ...]:
        if isinstance(given, ForcePower) and outcome.word in ("light", "dark"):
            return force_spends(outcome, given)
        return spends_of(outcome, given) if outcome.succeeded is not None else ()

    def _odds(self, given: Ask) -> Prospect:
        plan = plan_of(given)
        if plan.pool is None:
            hint = "Ask for dice, such as dice=1a2p2d, or for characteristic and skill."
            raise BadAsk("no pool was given", where=f"game {self.name}", hint=hint)
        prospect = pool_prospect(plan.pool, added_cell(plan.added), _destiny(given))
        # What is no check has no chance of success, not one of 0 %.
        return dataclass_replace(prospect, chances=()) if given.purpose in NO_CHECKS else prospect

    def _attack_odds(self, given: Ask, damage: Ask, resists: Ask) -> Attack | None:
        plan = plan_of(given)
        if plan.pool is None or not isinstance(given, AttackAsk) or damage_dealt(1, given) is None:
            return None

        def felt(net_success: int) -> int | None:
            dealt = damage_dealt(net_success, given)
            return None if dealt is None else max(dealt - soak_left(given), 0)

        odds = odds_of(plan.pool.counts(), added_cell(plan.added))
        return Attack.of_damage((felt(net), chance) for net, chance in odds.successes().items())

    def _attack(self, outcome: Outcome, net: NetResult, given: AttackAsk) -> Outcome:
        if not net.succeeded:
            return replace(outcome, headline="Miss", sentence=sentences("Miss.", outcome.sentence))
        dealt = damage_dealt(net.net_success, given)
        if dealt is None:
            return replace(outcome, headline="Hit", sentence=sentences("Hit.", outcome.sentence))
        soak, left, pierce = given.soak, soak_left(given), pierce_of(given)
        base, pattern = dealt - net.net_success, "Base {base} and {more} for the successes: {damage}."
        text = say(pattern, base=base, more=net.net_success, damage=dealt)
        steps = [*outcome.steps, symbol_step(text, "M26")]
        if soak and pierce:
            text = say("Pierce {pierce}: of a soak of {soak}, {left} counts.", pierce=pierce, soak=soak, left=left)
            steps.append(symbol_step(text, "M28"))
        felt = max(dealt - left, 0)
        words = say("{n} damage", n=felt) if given.of_ships else say("{n} {n:wound|wounds}", n=felt)
        hurt = Effect(tracker="wounds", change=felt, words=words)
        if given.stun:
            hurt = Effect(tracker="strain", change=felt, words=say("{n} strain", n=felt))
        less = say("{damage} less soak {soak}.", damage=dealt, soak=left) if soak else ""
        return replace(
            outcome,
            headline=say("Hit for {n}", n=felt),
            sentence=sentences(say("Hit for {n}.", n=felt), less, outcome.sentence),
            steps=tuple(steps),
            effects=(hurt,) if felt else (),
        )

    def _percentile(self, hand: Hand, given: Ask) -> Outcome:
        thrown = hand.take_any()
        hand.check_rest(self.name)
        if not thrown:
            return Outcome(
                game=self.name,
                word="nothing",
                succeeded=None,
                net=(("total", 0),),
                headline="No dice",
                sentence=sentences("No dice were thrown.", _ten_sided(given).sentence),
                awaits=_ten_sided(given),
            )
        found = percentile_of(thrown, game=self.name, tens=given.tens, tens_colour=given.tens_colour)
        vicious = vicious_of(given)
        more = given.added + VICIOUS_STEP * vicious
        rule = "M24" if len(thrown) > 1 else "M23"
        steps = [symbol_step(found.words, rule)]
        if more:
            text = say("{more} on the number.", more=f"{more:+d}")
            if vicious:
                text = say("{more} on the number, Vicious {rank} included.", more=f"{more:+d}", rank=vicious)
            steps.append(symbol_step(text, rule))
        if len(found.numbers) > 1:
            choices = tuple(
                Choice(title=str(n + more), sets=tuple(answers(Ask, tens=digit).items())) for digit, n in found.numbers
            )
            return Outcome(
                game=self.name,
                word="undecided",
                succeeded=None,
                net=(),
                choices=choices,
                headline=say("{one} or {other}?", one=choices[0].title, other=choices[1].title),
                sentence=found.words,
                steps=tuple(steps),
            )
        ((_, number),) = found.numbers
        total = number + more
        words = found.words
        if more:
            pattern = "With {n}: {total}." if more > 0 else "Less {n}: {total}."
            words = sentences(words, say(pattern, n=abs(more), total=total))
        harm = "A critical hit" if given.of_ships else "A critical injury"
        is_critical = given.purpose == "critical"
        return Outcome(
            game=self.name,
            word="total",
            succeeded=None,
            net=(("total", total),),
            headline=str(total),
            sentence=words,
            steps=tuple(steps),
            effects=(Effect(tracker="critical_injuries", change=1, words=harm),) if is_critical else (),
        )


def _force_power(outcome: Outcome, given: ForcePower) -> Outcome:
    """Return the Force points that a power may use: those of the own side, and the others that were paid for."""
    net, used = dict(outcome.net), given.costly_points
    own, other = ("dark", "light") if given.dark_side else ("light", "dark")
    points = net[own] + min(used, net[other])
    words: str = say("{n} Force {n:point|points} to use.", n=points)
    if left := net[other] - used:
        words = sentences(words, say("{n} more at a price.", n=left))
    head = say("{n} Force {n:point|points}", n=points)
    return replace(outcome, headline=head, sentence=sentences(words, outcome.sentence), sets_pool=None)


def _fear(outcome: Outcome) -> Outcome:
    """Return how afraid the roller is: a despair terrifies (published rule)."""
    if outcome.succeeded:
        return replace(outcome, headline="Not afraid", sentence=sentences("Not afraid.", outcome.sentence))
    fear = "terrified" if dict(outcome.net)["despair"] else "afraid"
    words: str = say("{^fear}", fear=fear)
    effect = Effect(tracker="fear", set=FEARS.index(fear), words=words, on=ROLLER)
    return replace(
        outcome, headline=words, sentence=sentences(say("{words}.", words=words), outcome.sentence), effects=(effect,)
    )


def _medicine(outcome: Outcome) -> Outcome:
    """Return what care heals: a wound for each success, a strain for each advantage (published rule)."""
    net = dict(outcome.net)
    if not outcome.succeeded:
        return outcome
    wounds, strain = net["success"], net["advantage"]
    effect = Effect(tracker="wounds", change=-wounds, words=say("{n} {n:wound|wounds} less", n=wounds))
    if strain:
        words = say("{n} {n:wound|wounds} and {strain} strain less", n=wounds, strain=strain)
        effect = replace(effect, words=words, also=(Effect(tracker="strain", change=-strain),))
    return replace(outcome, effects=(effect,))


def _recover(outcome: Outcome) -> Outcome:
    """Return the strain that is gone after a fight: one for each success (published rule)."""
    less = dict(outcome.net)["success"]
    if not less:
        return outcome
    effect = Effect(tracker="strain", change=-less, words=say("{n} strain less", n=less), on=ROLLER)
    return replace(outcome, effects=(effect,))


_RESULTS = {"fear": _fear, "medicine": _medicine, "recover": _recover}
"""What a check of its own kind makes of its result."""


def point_sides(given: Ask) -> tuple[str, str]:
    """Return the side whose points help a check, and the side whose points hinder it (D10)."""
    return ("dark", "light") if given.of_master else ("light", "dark")


def _destiny(given: Ask) -> list[tuple[Spend, Pool]]:
    """Return what a point of destiny may still change, with the pool after it."""
    found = []
    helps, hinders = point_sides(given)
    helped = answers(Ask, helping_hand=given.helping_hand + 1)
    hindered = answers(Ask, raising_the_stakes=given.raising_the_stakes + 1)
    for more, point, title in (
        (helped, helps, "A helping hand upgrades the check"),
        (hindered, hinders, "Raising the stakes upgrades the difficulty"),
    ):
        ((name, points),) = more.items()
        try:
            FORM.field(name, game=NAME).checked(points, game=NAME)
            after = plan_of(replace(given, **more)).pool
        except BadAsk:  # the rules allow no further point, so there is nothing to offer
            continue
        if after is not None:
            by = "roller" if point == "light" else "gm"
            sets, prices, source = ((name, points),), ((point, 1),), "M21, S002 Destiny"
            found.append((Spend(name=name, title=title, prices=prices, by=by, sets=sets, source=source), after))
    return found


def symbols_worth(die: Die) -> Mapping[str, int]:
    """Return what a face adds to net success and net advantage, nothing for a die without symbols."""
    if not set(die.face) <= set(NET_NAMES):
        return {}
    net = net_result(die.face)
    worth = {"net success": net.net_success, "net advantage": net.net_advantage}
    return {name: value for name, value in worth.items() if value}


def initiative_outcome(outcome: Outcome) -> Outcome:
    """Return a roll for initiative as a rank, which succeeds or fails at nothing."""
    net = dict(outcome.net)
    parts = [
        count_words(net[name], name, f"{name}{'es' if name == 'success' else 's'}")
        for name in ("triumph", "success", "advantage")
        if net[name]
    ]
    words = say("{all}", all=parts) if parts else "nothing"
    return replace(
        outcome,
        word="total",
        succeeded=None,
        headline=say("{^words}", words=words),
        sentence=say("Initiative: {words}.", words=words),
    )


GAME = NarrativeGame()
