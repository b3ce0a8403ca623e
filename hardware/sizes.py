"""The measures of everything that is printed, in millimetres. Change one and run ``python -m hardware``."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Sizes:
    """Measures of tray, mast, arm and panel. The origin is the middle of the tray's floor; z points up.

    :ivar inner_mm: width and depth of the floor that dice lie on; 4:3 as the picture.
    :ivar corner_mm: side of the solid corner that carries a printed mark, and ``mark_mm`` the mark's own side.
    :ivar slack_mm: gap between parts that slide into one another, on each side.
    :ivar aim_mm: how far the camera may look past the middle without losing the rim.
    :ivar first_hole_mm: of the lowest hole in the mast, above the tray's floor.
    :ivar bolt_above_plate_mm: from the underside of the camera's plate up to the arm's bolt.
    """

    bed_mm: float = 220
    inner_mm: tuple[float, float] = (228, 171)
    wall_mm: float = 3
    floor_mm: float = 3
    wall_high_mm: float = 30
    corner_mm: float = 18
    mark_mm: float = 14
    slack_mm: float = 0.25
    aim_mm: float = 5

    strap_mm: tuple[float, float, float] = (60, 24, 4)  # joins the halves: width, height, thickness
    strap_hole_mm: tuple[float, float] = (20, 12)  # of its screws, from the seam and above the table
    m3_mm: float = 3.3
    m4_mm: float = 4.4

    mast_mm: float = 20
    tenon_mm: float = 12
    tenon_long_mm: float = 24
    segment_mm: float = 190  # of a mast's segment, without its tenon
    foot_mm: float = 40  # height of the foot's socket
    hole_step_mm: float = 10
    arm_mm: float = 20  # height of the arm's collar, and its bolt in the middle
    plate_mm: float = 4
    plate_side_mm: float = 48

    lamp_mm: float = 5.2  # a 5 mm lamp's hole
    lamp_pitch_mm: float = 15
    button_mm: float = 12.2  # a 12 mm push button's hole
    panel_mm: tuple[float, float, float] = (210, 62, 36)  # of the lamps' panel: width, height, depth
    panel_wall_mm: float = 2.4
    panel_gap_mm: float = 50  # between the tray and the panel before it
    cable_exit_mm: tuple[float, float] = (54, 4)  # width and height of the way out for the panel's cable

    holder_mm: float = 4  # thickness of the Pi's holder
    holder_holes: tuple[int, int] = (6, 8)  # of the mast, for its bolts
    pi_holes_mm: tuple[float, float] = (58, 49)  # of a Pi, across and up; M2.5. Raspberry Pi, mechanical drawings
    zero_up_mm: float = 23  # of a Pi Zero, up
    pi_off_mm: float = 5  # between the holder and the Pi, for what sticks out below it
    m25_mm: float = 2.8

    @property
    def rim_mm(self) -> tuple[float, float]:
        """Width and depth over the corners with their marks."""
        return self.inner_mm[0] + 2 * self.corner_mm, self.inner_mm[1] + 2 * self.corner_mm

    @property
    def outer_mm(self) -> tuple[float, float]:
        """Width and depth over the walls."""
        return self.inner_mm[0] + 2 * self.wall_mm, self.inner_mm[1] + 2 * self.wall_mm

    @property
    def mast_bottom_mm(self) -> float:
        """Height of the mast's lower end above the tray's floor: it stands on the foot."""
        return self.foot_mm - self.floor_mm

    @property
    def first_hole_mm(self) -> float:
        return self.mast_bottom_mm + self.hole_step_mm

    @property
    def holes(self) -> int:
        """Number of the mast's highest hole."""
        return int((2 * self.segment_mm - self.hole_step_mm) // self.hole_step_mm)

    @property
    def joint_hole(self) -> int:
        """Number that no hole has: it would lie in the joint of the segments."""
        return round(self.segment_mm / self.hole_step_mm)

    @property
    def bolt_above_plate_mm(self) -> float:
        return self.arm_mm / 2

    @property
    def holder_middle_mm(self) -> float:
        """Height of the Pi's middle above the tray's floor."""
        return self.first_hole_mm + (sum(self.holder_holes) / 2 - 1) * self.hole_step_mm

    @property
    def mast_y_mm(self) -> float:
        """Distance of the mast's axis behind the middle of the tray."""
        return self.outer_mm[1] / 2 + self.strap_mm[2] + self.mast_mm / 2 + 6
