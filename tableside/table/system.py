"""What a table is set up with: dice, games and limits. Nothing here changes while it runs."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from random import Random

from tableside.dice import DiceSet, Die, DieType, Face, face_of
from tableside.dice.sets import counted
from tableside.errors import UnknownDieType, did_you_mean
from tableside.rules import Game, find_game, game_for
from tableside.rules.characters import why_out
from tableside.rules.people import Person
from tableside.words import say


@dataclass(frozen=True, slots=True, kw_only=True)
class System:
    """The frozen settings that ``step`` decides by.

    :ivar game: the game of this table, or ``""`` to go by the dice.
    :ivar most_points: so many points a side at most.
    :ivar most_dice: so many dice in a roll at most.
    :ivar most_changes: so many changes can be undone, and so many rolls are at hand.
    """

    sets: tuple[DiceSet, ...]
    game: str = ""
    find_game: Callable[[str], Game] = find_game
    game_for: Callable[[Sequence[Die]], Game] = game_for
    most_points: int = 99
    most_dice: int = 100
    most_changes: int = 100

    def game_now(self, chosen: str) -> str:
        """Return the game that is played, ``""`` where the dice tell."""
        return chosen or self.game

    def is_out(self, person: Person) -> bool:
        """Tell whether somebody cannot act."""
        return bool(why_out(self.find_game(person.game).characters, person))

    def check_die(self, type_name: str, symbols: Iterable[str]) -> Die:
        """Return the die with its canonical face.

        :raises UnknownDieType: where no set has such a die.
        :raises UnknownFace: where that die has no such face.
        """
        face: Face = tuple(symbols)
        kinds = [kind for dice_set in self.sets for kind in dice_set.types if kind.name == type_name]
        if not kinds:
            known = {kind.name for dice_set in self.sets for kind in dice_set.types}
            raise UnknownDieType(
                say("no die type {=type_name}", type_name=repr(type_name)),
                where="this table",
                hint=did_you_mean(type_name, known),
            )
        for kind in kinds[:-1]:  # a taught set may have dice of a name that another has too
            if face_of(face) in kind.faces:
                return Die(type=type_name, face=face_of(face))
        return Die(type=type_name, face=kinds[-1].check_face(_by_number(kinds[-1], face)))

    def thrown(self, type_name: str, chance: Random) -> Die:
        """Return a die of this type as it falls."""
        kind = next(kind for dice_set in self.sets for kind in dice_set.types if kind.name == type_name)
        return Die(type=type_name, face=chance.choice(kind.faces))

    def usual_of(self, type_name: str) -> str:
        """Return the type that this one differs from by colour alone, ``""`` where there is none."""
        return next((kind.variant_of for one in self.sets for kind in one.types if kind.name == type_name), "")

    def fits(self, game: Game, dice: Iterable[Die]) -> bool:
        """Tell whether the game is played with all of these dice."""
        known = {kind.name for dice_set in self.sets if dice_set.name in game.dice_sets for kind in dice_set.types}
        return all(die.type in known for die in self.counted(dice))

    def shares_set(self, dice: Iterable[Die], types: Iterable[str]) -> bool:
        """Tell whether any of these dice is of the same set as one of these types."""
        names = {die.type for die in self.counted(dice)}
        sets = [{kind.name for kind in dice_set.types} for dice_set in self.sets]
        return any(known & names and known & set(types) for known in sets)

    def counted(self, dice: Iterable[Die]) -> list[Die]:
        """Return what a game takes these dice for."""
        return [counted(die, self.sets) for die in dice]

    def need_no_game(self, dice: Iterable[Die]) -> bool:
        """Tell whether all of these dice are of sets that no game need know."""
        known = {kind.name for dice_set in self.sets if dice_set.needs_no_game for kind in dice_set.types}
        return all(die.type in known for die in dice)

    def choose_game(self, dice: Sequence[Die], *, wanted: str = "") -> Game:
        """Return the wanted game, or this table's, where it is played with these dice; else the one that is."""
        name = wanted or self.game
        if name:
            game = self.find_game(name)
            if self.fits(game, dice):
                return game
        return self.game_for(self.counted(dice))


def _by_number(kind: DieType, face: Face) -> Face:
    """Return the face that a number stands for: a plain die of the same size may take the place of a symbol die."""
    number = int(face[0]) if len(face) == 1 and face[0].isascii() and face[0].isdecimal() and len(face[0]) < 3 else 0
    has_numbers = any(symbol.isdecimal() for known in kind.faces for symbol in known)
    return kind.faces[number - 1] if 1 <= number <= len(kind.faces) and not has_numbers else face
