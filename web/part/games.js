// The games as boxes of dice: wherever one is chosen, it is chosen here, by the look of its dice and not by a rule's name.

import { allSets, dieType } from "../dice.js";
import { die } from "../draw/die.js";
import { icon } from "../draw/icon.js";
import { say } from "../strings.js";
import { change } from "../talk.js";
import { html, nothing } from "../vendor/lit-html/lit-html.js";
import { closeSheet, isShown, openSheet } from "./sheet.js";

/** The box of a game; one that says nothing of it has one die of each type. @param {Game} game @returns {any} */
function boxOf({ title, dice_sets: [usual], ready }) {
  const types = allSets().find((/** @type {Told["ShownSet"]} */ set) => set.name === usual)?.types ?? [];
  return ready.box ?? { title, more: "", emblem: "", dice: Object.fromEntries(types.map((/** @type {Told["ShownType"]} */ type) => [type.name, 1])) };
}

/** Its dice as they lie there, each with another face. @param {any} box */
export const boxDice = ({ dice, emblem }) =>
  html`<span class="box-dice" aria-hidden="true">${Object.entries(dice).flatMap(([type, count]) => Array.from({ length: count }, (_, n) => html`<span class="small-die">${die(dieType(type), dieType(type).distinct.at(-1 - n) ?? null)}</span>`))}${emblem ? icon(emblem) : nothing}</span>`;

/** Draw them; `wanted` is the name of the chosen one, empty where the dice choose. @param {any[]} games @param {string | null} wanted @param {(name: string) => void} choose */
const cards = (games, wanted, choose) =>
  games.map((game) => {
    const box = game.name ? boxOf(game) : { title: game.title, more: "" };
    return html`<button type="button" class="surface box-card" data-game=${game.name} aria-pressed=${wanted === null ? nothing : String(game.name === wanted)} @click=${() => choose(game.name)}>${game.name ? boxDice(box) : nothing}<b class="may-cut">${box.title}</b>${box.more ? html`<small class="may-cut">${box.more}</small>` : nothing}</button>`;
  });

/** @param {any[]} games @param {string} wanted @param {(name: string) => void} choose */
export const gameButtons = (games, wanted, choose) => html`<div class="box-cards" role="group" aria-label=${say("game")}>${cards(games, wanted, choose)}</div>`;

/** The question which dice there are; the cards are its act. @param {any[]} games @param {(name: string) => void} choose */
export const boxCards = (games, choose) =>
  html`<div class="box-cards" role="group" data-act="choose_dice" aria-label=${say("host.step.1")}>${cards(games, null, choose)}</div>`;

/** The games, and that the dice that are thrown choose. @param {Game[]} games @returns {{ name: string, title: string }[]} */
export const withoutGame = (games) => [...games, { name: "", title: say("act.just_read") }];

let drawSheet = () => {};

/** Choose one in a sheet, which follows what `known` returns: the games and the name of the chosen one; `done` follows. @param {() => { games: any[], wanted: string }} known @param {{ title?: string, done?: () => void }} how */
export function chooseGame(known, { title = say("host.step.1"), done = () => {} } = {}) {
  /** @param {string} name */
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
