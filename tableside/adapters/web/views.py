"""Addresses that tell: games with their forms and reference, exact odds, spendings, history, fairness and luck."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from functools import cache
from threading import Lock
from typing import Any

from flask import Blueprint, Response, jsonify, request
from msgspec import Struct
from msgspec.structs import asdict, replace

from tableside.adapters.web import guard
from tableside.adapters.web.body import body_of, told
from tableside.adapters.web.changes import check_undone, may_undo
from tableside.adapters.web.games import show_game
from tableside.adapters.web.guard import Caller
from tableside.adapters.web.pages import packed
from tableside.adapters.web.pairing import Role
from tableside.adapters.web.people import People
from tableside.adapters.web.queue import one_at_a_time
from tableside.adapters.web.services import Services
from tableside.dice import DieType
from tableside.errors import BadChange, Conflict, TablesideError, UnknownRoll
from tableside.record import Record
from tableside.rules import Game, find_game, game_names
from tableside.rules.attack import ShownAttack
from tableside.rules.characters import Joining
from tableside.rules.game import Prospect, SpendBefore
from tableside.rules.reference import Sheet, matching
from tableside.table import Table
from tableside.table.acts import answers_of, losses, make_calls, rolls_after, without
from tableside.table.kept import Call, Change, Phase, Roll, Seen, TableState
from tableside.table.messages import Answers, CallRoll, Ids, LastTotal, Line, Undo
from tableside.table.shown import (
    MOST_ODDS_DICE,
    chance_from_here,
    csv_of,
    fairness_of,
    left_out_json,
    luck_of,
    outcome_json,
    prospect_of,
    show_change,
    spends_of,
)
from tableside.tray.film import Film

_MOST_LINES = 200


class OddsBody(Struct, frozen=True, kw_only=True, rename={"is_damage": "damage"}):
    """Exact odds of any ask. The keys mean what they mean in a call.

    :ivar game: the person's, else the table's where it is empty.
    :ivar damage_roll: the answers of the damage roll after a hit, where the weapon does not tell it.
    :ivar resists: the answers of the roll against that damage, where the target does not tell it.
    """

    game: Line = ""
    ask: Answers = {}
    who: Line = ""
    skill: Line = ""
    weapon: Line = ""
    aboard: Line = ""
    is_damage: bool = False
    against: Line | LastTotal = ""
    targets: Ids = ()
    ticked: Ids = ()
    against_skill: Line = ""
    others: Ids = ()
    helpers: Ids = ()
    led_by: Line = ""
    damage_roll: Answers = {}
    resists: Answers = {}


class GameSheet(Sheet, frozen=True, kw_only=True):
    """A sheet and the game that it is of."""

    game: str
    game_title: str


class Chance(Record, frozen=True, kw_only=True):
    """How likely something is."""

    name: str
    chance: float


class Odds(Record, frozen=True, kw_only=True):
    """What a page draws of the odds of a roll; the whole joint distribution stays with the table.

    :ivar pool: the dice in words. :ivar chances: that of success first. :ivar bars: of what matters most, and
        ``bars_of`` its name. :ivar spending: each way to spend points. :ivar difficulty: a number, or dice in words.
    """

    texts = ("pool",)

    pool: str
    chances: tuple[Chance, ...]
    bars_of: str
    bars: tuple[Chance, ...]
    spending: tuple[SpendBefore, ...]
    difficulty: int | str | None

    @classmethod
    def of(cls, prospect: Prospect) -> Odds:
        """Return the odds as they are drawn."""
        chances, bars = (
            tuple(Chance(name=name, chance=float(chance)) for name, chance in some)
            for some in (prospect.chances, prospect.bars)
        )
        return cls(
            pool=prospect.pool, chances=chances, bars_of=prospect.bars_of, bars=bars,
            spending=prospect.shown_spends, difficulty=prospect.difficulty,
        )  # fmt: skip


class Refusal(Record, frozen=True, kw_only=True):
    """Why the table would not call a roll by itself."""

    texts = ("why",)

    why: str


class Thrower(Record, frozen=True, kw_only=True):
    """Who throws what for a call.

    :ivar code: the dice code, where the game has one. :ivar untrained: this one has not the skill.
    """

    who: str
    player: str
    dice: Mapping[str, int]
    code: str | None
    untrained: bool


class DraftOdds(Odds, frozen=True, kw_only=True):
    """The odds of a call that is being put together, with what it would be filled with.

    :ivar each: all who would throw. :ivar attack: the odds of all rolls of an attack. :ivar dice: types with numbers.
    :ivar joins: what joins it, or may be ticked. :ivar damage_roll: the answers of the roll for damage.
    :ivar resists: those of the roll against that.
    """

    attack: ShownAttack | None
    refused: Refusal | None
    each: tuple[Thrower, ...]
    dice: Mapping[str, int]
    answers: Mapping[str, Any]
    joins: tuple[Joining, ...]
    damage_roll: Mapping[str, Any]
    resists: Mapping[str, Any]


@cache
def _told_games() -> str:
    """Return the installed games as pages get them; they stay while this runs."""
    return json.dumps([show_game(find_game(name)).to_json() for name in game_names()])


def view_routes(services: Services) -> Blueprint:
    """Return the addresses."""
    routes, table, replay, tray = Blueprint("told", __name__), services.table, services.replay, services.tray
    costly, whole_history, everybody = one_at_a_time(Lock()), one_at_a_time(Lock()), People()

    def film_of(roll: Roll) -> Film | None:
        return None if roll.is_hidden else replay(roll.id)

    @routes.get("/api/games")
    def games() -> Response:
        return packed(Response(_told_games(), mimetype="application/json"))

    @routes.get("/api/lookup")
    def looked_up() -> Response:
        """The reference data of the games: all, or what has these words."""
        words = request.args.get("words", "")
        return told(
            GameSheet(**asdict(sheet), game=game.name, game_title=game.title)
            for game in map(find_game, game_names())
            for sheet in matching(game.reference, words)
        )

    @routes.get("/api/odds")
    @costly
    def asked_odds() -> Response:
        """The odds of what is asked now, for those that the ask shows them to."""
        asked, caller = table.state.asked, guard.caller()
        if not asked.id or (asked.is_hidden and not caller.sees_hidden) or not _may_see(asked.odds_for, caller):
            return jsonify(None)
        return told(_odds(asked.game, {**table.state.setup.answers(asked.game), **asked.answers}))

    @routes.post("/api/odds")
    @costly
    def odds_of() -> Response:
        """The odds of any ask, before it is put to the table."""
        guard.need_player()
        body = asdict(body_of(request, OddsBody))
        given = body.pop("damage_roll"), body.pop("resists")
        draft = CallRoll(id="", at=0.0, **body)
        refused = None
        try:
            asks = make_calls(table.state, draft, table.system)
        except Conflict as error:  # of one who is out, the game master may still want to know them
            asks = make_calls(table.state, replace(draft, overrules=True), table.system)
            refused = Refusal(why=error.what)
        asked = asks[0]
        answers = {**table.state.setup.answers(asked.game), **asked.answers}
        known = rolls_after(table.state, draft, table.system)
        damage, resists = ({**roll, **more} for roll, more in zip(known, given, strict=True))
        game = find_game(asked.game)
        for one in (damage, resists):
            _check_count(game, one)
        attack = game.attack(answers, damage=damage, resists=resists)
        return told(
            DraftOdds(
                **asdict(_odds(asked.game, answers)), attack=attack.shown if attack else None, refused=refused,
                each=tuple(_thrown_by(one) for one in asks),
                dice=dict(asked.tray.dice) if asked.tray else {}, answers=asked.answers, joins=asked.joins,
                damage_roll=damage, resists=resists,
            )
        )  # fmt: skip

    @routes.get("/api/undo")
    @costly
    def undone() -> Response:
        """What goes with a change that is taken back: what came later and cannot be without it."""
        caller, state, number = guard.need_player(), table.state, _number("change", 0)
        check_undone(table, caller, Undo(id="", at=0.0, change=number))
        again = without(state, number, table.system)
        lost = losses(state, number, again.left_out, sees_hidden=caller.sees_hidden)
        asks = next(one.is_grave for one in state.changes if one.number == number)
        return jsonify({"change": number, "left_out": left_out_json(lost), "asks": asks})

    @routes.get("/api/rolls/<roll_id>")
    @costly
    def roll(roll_id: str) -> Response:
        found = seen_roll(table, roll_id, guard.caller())
        answers = [answer.to_json() for answer in answers_of(found, table.system)]
        film = film_of(found)
        address = f"/api/rolls/{found.id}/replay?v={found.last_throw + 1}"  # a further throw has a film of its own
        shown = None if film is None else film.to_json() | {"sheet": address}
        chances = _chances_of(table, found, guard.caller())
        outcome = outcome_json(table.state, found, table.system)
        payload = {
            "answers": answers,
            "replay": shown,
            "outcome": outcome,
            "steps": outcome.pop("steps"),
            "change": table.state.brought_by(found.id),
            "closed_by": table.state.closed.get(found.id),
            "call": asked.again if (asked := table.state.asked_before(found.id)) else None,
        }
        return jsonify(found.to_json() | payload | chances)

    @routes.get("/api/rolls/<roll_id>/replay")
    def replayed(roll_id: str) -> Response:
        film = film_of(seen_roll(table, roll_id, guard.caller()))
        if film is None:
            hint = "Only the last rolls before the camera have one, and hidden ones have none."
            raise UnknownRoll("no replay is kept of that roll", where=f"roll {roll_id[:80]}", hint=hint)
        return Response(film.sheet, mimetype="image/jpeg", headers={"Cache-Control": "no-store"})

    @routes.get("/api/tray/picture")
    def tray_now() -> Response:
        """The tray as it is now, or 204: the camera looks into a room, so this is for those who take part alone."""
        jpeg = tray() if _may_watch(table.state, guard.need_player()) else None
        if jpeg is None:
            return Response(status=204, headers={"Cache-Control": "no-store"})
        return Response(jpeg, mimetype="image/jpeg", headers={"Cache-Control": "no-store"})

    @routes.get("/api/rolls/<roll_id>/spends")
    @costly
    def spends(roll_id: str) -> Response:
        """What the roll may buy, what of it was bought, what is still affordable, and how likely success is with it."""
        caller = guard.caller()
        found = seen_roll(table, roll_id, caller)
        asked = table.state.asked_before(found.id)
        is_seen = asked is None or _may_see(asked.odds_for, caller)
        return told(spends_of(table.state, found, table.system, knows_odds=is_seen))

    @routes.get("/api/people")
    @costly
    def people() -> Response:
        """Everybody of the scene, with what is carried to their next call."""
        caller, having = guard.caller(), services.pairing.having
        held = {
            one.id
            for one in table.state.people
            if any(phone.person == one.id or phone.id != caller.id for phone in having(one))
        }
        return Response(everybody.text(table.state, caller, held=held), mimetype="application/json")

    @routes.get("/api/tables")
    def tables() -> Response:
        """The group's own tables with their rows."""
        return told(table.state.tables)

    @whole_history
    def sheet() -> Response:
        caller = guard.caller()
        lines = csv_of(change for change in _all_changes(table) if caller.sees_hidden or table.state.may_tell(change))
        headers = {"Content-Disposition": "attachment; filename=tableside.csv", "Cache-Control": "no-store"}
        return Response("".join(lines), mimetype="text/csv", headers=headers)

    @routes.get("/api/history")
    def history() -> Response:
        """Changes, newest first, before a number; as CSV all of them, oldest first."""
        caller, state = guard.caller(), table.state
        if request.args.get("format") == "csv":
            return sheet()
        before, limit = _number("before", 2**53), min(_number("limit", 50), _MOST_LINES)
        changes = table.history(before=before, limit=limit)
        shown = [change for change in changes if caller.sees_hidden or state.may_tell(change)]
        undone = {one.number for one in state.standing_changes() if may_undo(state, caller, one)}
        last = changes[-1].number if changes else 0
        lines = [
            show_change(one).to_json()
            | {"roll": one.after.roll and one.after.roll.brief_json(), "may_undo": one.number in undone}
            for one in shown
        ]
        return jsonify({"changes": lines, "before": last if last > 1 else None})

    @routes.get("/api/fairness")
    def fairness() -> Response:
        counts = table.counts().faces(sees_hidden=guard.caller().sees_hidden, session=_session(table))
        types = {kind.name: kind for kind in _whole_types(table)}
        known = sorted(name for name in counts if name in types)
        return told(fairness_of(types[n], counts[n], compared=len(known)) for n in known)

    @routes.get("/api/luck")
    def luck() -> Response:
        counts = table.counts().by_player(sees_hidden=guard.caller().sees_hidden, session=_session(table))
        return told(luck_of(counts, _whole_types(table)))

    return routes


def _whole_types(table: Table) -> list[DieType]:
    """Return the types of which every side is known; of a taught one that need not be so."""
    return [kind for dice_set in table.system.sets if not dice_set.taught for kind in dice_set.types]


def seen_roll(table: Table, roll_id: str, caller: Caller) -> Roll:
    """Return a roll of any age.

    :raises UnknownRoll: where there is none, and where it is hidden from this caller: it is not even there then.
    """
    roll = table.find_roll(roll_id)
    if roll is None or (roll.is_hidden and not caller.sees_hidden):
        raise UnknownRoll(where=roll_id[:80], hint="See /api/state for the last ones.")
    return roll


def _thrown_by(ask: Call) -> Thrower:
    return Thrower(
        who=ask.who, player=ask.player, dice=dict(ask.tray.dice) if ask.tray else {}, code=ask.answers.get("code"),
        untrained=bool(ask.who and not ask.skill),
    )  # fmt: skip


def _odds(game: str, answers: Mapping[str, Any]) -> Odds:
    found = find_game(game)
    _check_count(found, answers)
    return Odds.of(prospect_of(found, answers))


def _check_count(game: Game, answers: Mapping[str, Any]) -> None:
    """Raise :class:`BadChange` for more dice than are worked out between two taps."""
    tray = game.tray(answers)
    if tray is not None and tray.count > MOST_ODDS_DICE:
        hint = "Use `tableside odds` for it."
        raise BadChange("{=count} dice are too many to tell at once", count=tray.count, where="odds", hint=hint)


def _chances_of(table: Table, roll: Roll, caller: Caller) -> dict[str, float | None]:
    """Return how likely success was before a roll, and is from here, where its call showed the odds to this caller."""
    asked = table.state.asked_before(roll.id)
    if asked is None or not _may_see(asked.odds_for, caller):
        return {"chance": None, "chance_from_here": None}
    try:
        chances = _odds(asked.game, {**table.state.setup.answers(asked.game), **asked.answers}).chances
    except TablesideError:
        chances = ()  # such as too many dice: a result needs no odds
    left = chance_from_here(roll, table.system)
    return {
        "chance": next((one.chance for one in chances if one.name == "success"), None),
        "chance_from_here": None if left is None else float(left),
    }


def _may_watch(state: TableState, caller: Caller) -> bool:
    """Tell whether the tray shows nothing that is for the game master alone."""
    if caller.sees_hidden:
        return True
    lying = next((roll for roll in state.rolls if roll.pictures), None)
    is_secret = state.phase is not Phase.EMPTY and lying is not None and lying.is_hidden
    return not (state.asked.is_hidden or is_secret)


def _may_see(odds_for: Seen, caller: Caller) -> bool:
    return odds_for is Seen.ALL or (odds_for is Seen.GM and caller.role is Role.GM)


def _all_changes(table: Table) -> Iterator[Change]:
    """Yield all changes that are on disk, oldest first."""
    number = 0
    while changes := table.saved_since(number, limit=_MOST_LINES):
        yield from changes
        number = changes[-1].number


def _session(table: Table) -> int | None:
    return table.state.session.number if request.args.get("session") == "now" else None


def _number(name: str, default: int) -> int:
    text = request.args.get(name, "")
    if not text:
        return default
    if not (text.isascii() and text.isdecimal() and len(text) <= 15 and int(text)):
        raise BadChange("{=name} is no number", name=name, where=request.path, hint="Send a whole number above 0.")
    return int(text)
