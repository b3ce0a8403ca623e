"""Path-traced photographs of settled dice with their truth: MuJoCo drops them, Cycles photographs them.

Two disjoint sets of assets, so that a score on one says something about dice never seen. Neither borrows from
``models.render``.

==============  ==========================================  ==============================================
                train                                       held-out
==============  ==========================================  ==============================================
symbols         forged, soft, sister (``glyphs_train``)     chisel, brush, cousin (``glyphs_held``)
digits          Inter; Hershey sans                         DejaVu Sans Mono; drawn strokes, round or square
surfaces        felt, planks, leather, sheet, plastic       weave, rings, neoprene, cork, checked cloth
lamps           ceiling ring, window, desk lamp, flash      two bulbs, candle, sky, tubes
clutter         coins, pencils, printed sheets, arms        cards, chips, mugs, ruled paper, pens
trays           four walls                                  six or eight walls, or four with lining
pip faces       even dots, standard proportions             ringed, large one, or squarish dots
body patterns   plain, marble, speckle                      plain, veins, layers
==============  ==========================================  ==============================================

Solids, the colour ranges of the published dice and the camera's own faults are shared.
"""
