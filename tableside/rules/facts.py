"""What is so of somebody as the trackers stand: who is out, dying or dead, and what follows. Declared as data."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from tableside.rules.people import Follow, Person


@dataclass(frozen=True, slots=True, kw_only=True)
class Fact:
    """What is so once a tracker has come so far. Of those of one tracker the last that holds counts.

    :ivar at: from this value on, as a number or by the person; without one beyond that one's own limit.
    :ivar out: why one cannot act then, ``""`` where one can.
    :ivar unless: a tracker that keeps it from being so while it is not 0.
    :ivar follow: what it calls for, where that is not just told as ``out`` says it.
    :ivar again: it calls for that with every further point.
    :ivar is_told: it is said as it comes to this.
    """

    tracker: str
    at: int | Callable[[Person], int | None] | None = None
    out: str = ""
    unless: str = ""
    follow: Follow | Callable[[Person], Follow] | None = None
    again: bool = False
    is_told: bool = True
    is_dying: bool = False
    is_dead: bool = False

    def holds(self, person: Person) -> bool:
        """Tell whether it is so of somebody."""
        value = person.value(self.tracker)
        if not value or (self.unless and person.value(self.unless)):
            return False
        if self.at is None:
            most = person.most(self.tracker)
            return most is not None and value > most
        at = self.at(person) if callable(self.at) else self.at
        return at is not None and value >= at

    def told(self, person: Person) -> Follow:
        """Return what it calls for."""
        return self.follow(person) if callable(self.follow) else self.follow or Follow(words=self.out)


def facts_of(facts: Iterable[Fact], person: Person) -> list[Fact]:
    """Return what is so of somebody, of each tracker one, in the order of the rows."""
    return list({fact.tracker: fact for fact in facts if fact.holds(person)}.values())


def new_facts(facts: Iterable[Fact], person: Person, *, before: Person) -> list[Fact]:
    """Return what has become so of somebody, or calls again for what it calls for."""
    facts = tuple(facts)
    known = facts_of(facts, before)
    rose = [fact for fact in known if fact.again and person.value(fact.tracker) > before.value(fact.tracker)]
    return [fact for fact in facts_of(facts, person) if fact.is_told and (fact not in known or fact in rose)]
