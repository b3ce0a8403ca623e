"""Numbers as they are drawn on dice for training. Needs the drawing extra and typefaces, as drawing does."""

from __future__ import annotations

from pathlib import Path
from string import digits

import numpy as np
import pytest

pytest.importorskip("numba", reason="needs the drawing extra")

from models.render import numbers
from tableside.errors import SettingsError

try:
    numbers.typefaces()
except SettingsError as missing:
    pytest.skip(str(missing), allow_module_level=True)


def written(digit: str, typeface: int, weight: int) -> np.ndarray:
    return numbers.write(digit, typeface, np.random.default_rng(1), weight=weight)


def test_every_typeface_draws_ten_unlike_digits() -> None:
    for typeface, path in enumerate(numbers.typefaces()):
        drawn = {written(digit, typeface, 0).tobytes() for digit in digits}
        assert len(drawn) == len(digits), path


def test_a_typeface_with_a_box_for_what_it_lacks_is_left_out() -> None:
    lacking = [path for path in Path("/usr/share/fonts").rglob("*.ttf") if path.stem in ("Balker", "Winks", "flatline")]
    if not lacking:
        pytest.skip("fonts-dustin is not installed")
    assert not any(map(numbers.has_digits, lacking))


@pytest.mark.parametrize("weight", [-2, -1])
def test_a_digit_made_thinner_is_still_one(weight: int) -> None:
    for typeface, path in enumerate(numbers.typefaces()):
        for digit in digits:
            plain, thin = (float(written(digit, typeface, by).mean()) for by in (0, weight))
            assert thin > 0.5 * plain, (path, digit)


def test_a_bold_typeface_is_made_thinner_and_every_one_bolder() -> None:
    bold = next(i for i, path in enumerate(numbers.typefaces()) if path.stem == "Lato-Black")
    assert written("8", bold, -2).mean() < 0.95 * written("8", bold, 0).mean()
    assert written("8", bold, 3).mean() > written("8", bold, 0).mean()


def test_zeros_bear_a_dot_or_a_slash_and_nothing_else_does() -> None:
    regular = next(i for i, path in enumerate(numbers.typefaces()) if path.stem == "Lato-Regular")
    plain, *filled = (numbers.write("0", regular, np.random.default_rng(1), zero=zero) for zero in ("", "dot", "slash"))
    middle = len(plain) // 2
    assert plain[middle, middle] == 0
    assert all(drawn[middle, middle] > 200 for drawn in filled)
    eight = numbers.write("8", regular, np.random.default_rng(1))
    assert np.array_equal(eight, numbers.write("8", regular, np.random.default_rng(1), zero="dot"))


@pytest.mark.parametrize("weight", [-2, 4])
def test_what_a_zero_bears_leaves_its_ring_open(weight: int) -> None:
    regular = next(i for i, path in enumerate(numbers.typefaces()) if path.stem == "Lato-Regular")
    for zero in ("dot", "slash"):
        drawn = numbers.write("0", regular, np.random.default_rng(1), weight=weight, zero=zero)
        across = drawn[len(drawn) * 35 // 100] > 127  # above the dot, through the slash's upper half
        assert np.count_nonzero(np.diff(across.astype(int)) == 1) >= 2, zero


def test_typefaces_that_are_missing_are_named_with_what_installs_them(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(numbers, "PACKAGES", numbers.PACKAGES | {"fonts-of-nobody": "of-nobody"})
    with pytest.raises(SettingsError) as missing:
        numbers.typefaces.__wrapped__()
    assert missing.value.where == "/usr/share/fonts"
    assert missing.value.hint == "Install them: apt-get install fonts-of-nobody"
