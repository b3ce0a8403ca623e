// The games as buttons, each with its dice: wherever one is chosen, it is chosen here.

import { allSets } from "../dice.js";
import { icon } from "../draw/icon.js";
import { say } from "../strings.js";
import { change } from "../talk.js";
import { html, nothing } from "../vendor/lit-html/lit-html.js";
import { smallDice } from "./card.js";
import { closeSheet, isShown, openSheet } from "./sheet.js";

/** One die of each type that a game is played with; a variant of another, such as a Wild Die, where its heroes throw it. */
function diceOf({ dice_sets: [usual], ready }) {
  const thrown = new Set(ready.heroes.flatMap((hero) => Object.values(hero.dice).flatMap(Object.keys)));
  const types = allSets().find((set) => set.name === usual)?.types ?? [];
  return smallDice(Object.fromEntries(types.filter((type) => !type.variant_of || thrown.has(type.name)).map((type) => [type.name, 1])));
}

/** Draw them; `wanted` is the name of the chosen one, empty where the dice choose. */
export const gameButtons = (games, wanted, choose) =>
  html`<div class="game-list" role="group" aria-label=${say("game")}>${games.map(
    (game) =>
      html`<button type="button" class="surface" data-game=${game.name} aria-pressed=${String(game.name === wanted)} @click=${() => choose(game.name)}><b class="may-cut">${game.title}</b>${game.name ? diceOf(game) : nothing}${game.name === wanted ? icon("check") : nothing}</button>`,
  )}</div>`;

/** The games, and that the dice that are thrown choose. */
export const withAutomatic = (games) => [...games, { name: "", title: say("byTheDice") }];

let drawSheet = () => {};

/** Choose one in a sheet, which follows what `known` returns: the games and the name of the chosen one; `done` follows. */
export function chooseGame(known, { title = say("game"), done = () => {} } = {}) {
  const choose = async (name) => {
    const { wanted } = known();
    closeSheet();
    if (name === wanted || (await change("/api/game", { game: name }))) await done();
  };
  drawSheet = () => {
    const { games, wanted } = known();
    openSheet(title, gameButtons(games, wanted, choose), { name: "game" });
  };
  drawSheet();
}

/** Draw the sheet of games anew where it is open: they may have come since, or another was chosen elsewhere. */
export const followGames = () => isShown("game") && drawSheet();
