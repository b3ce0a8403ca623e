// The rows of a table as people write them: "1-5: Minor nick", one a line, or a CSV file of them.

import { say } from "../strings.js";

const ROW = /^(-?\d+)\s*(?:(\+)|(?:[-–—]|\.\.|to\b|bis\b)\s*(-?\d+))?\s*[:;,.\t|–—-]?\s*(.*)$/i;
const BYTES_OF_OLD = "windows-1252"; // what spreadsheets write that do not write UTF-8

/** "1-5", or "7" where it is one number. @param {Told["TableRow"]} row */
export const rowWords = ({ from, to }) => (from === to ? String(from) : `${from}–${to}`);

/** Rows as lines to be typed in. @param {Told["TableRow"][]} rows */
export const typedRows = (rows) => rows.map((row) => `${row.from === row.to ? row.from : `${row.from}-${row.to}`}: ${row.words}`).join("\n");

/** The rows of typed lines: `{ found }`, or `{ error }` in its three parts. @param {string} text */
export function rowsOf(text) {
  /** @type {Told["TableRow"][]} */
  const found = [];
  for (const [n, line] of text.split("\n").entries()) {
    if (!line.trim()) continue;
    const row = rowOf(line.trim());
    const other = found.find((one) => row && one.from <= row.to && row.from <= one.to);
    const what = !row || row.to < row.from ? say("tables.badRow") : other ? say("tables.twoRows", { n: Math.max(row.from, other.from) }) : "";
    if (!row || what)
      return {
        error: { what, where: say("tables.line", { n: n + 1, text: line.trim() }), hint: other ? say("tables.twoRowsHint") : say("tables.badRowHint") },
      };
    found.push(row);
  }
  return found.length > 0 ? { found } : { error: { what: say("tables.noRows"), hint: say("tables.badRowHint") } };
}

function rowOf(/** @type {string} */ line) {
  const [, from, , to, words] = ROW.exec(line) ?? [];
  if (!words) return null;
  return { from: number(from), to: number(to ?? from), words };
}

/** On two ten-sided dice 00 is a hundred. @param {string} text */
const number = (text) => (/^00+$/.test(text) ? 100 : Number(text));

/** A CSV file as `{ name, rows }`: columns from, to and words, or "from-to" and words; a line of titles may stand above. Else `{ error }`. @param {File} file */
export async function tableOfFile(file) {
  const lines = records(await textOf(file));
  const isTitled = lines.length > 0 && !/^\s*-?\d/.test(lines[0][0]);
  const typed = (isTitled ? lines.slice(1) : lines).map(lineOf).join("\n");
  const { found, error } = rowsOf(typed);
  return error ? { error: { ...error, where: [file.name, error.where].filter(Boolean).join(", ") } } : { name: file.name.replace(/\.[^.]*$/, ""), rows: found };
}

/** @param {File} file */
async function textOf(file) {
  const bytes = await file.arrayBuffer();
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder(BYTES_OF_OLD).decode(bytes);
  }
}

/** A record as a line that could be typed. @param {string[]} record */
function lineOf([first, second = "", ...rest]) {
  const isRange = rest.length > 0 && /^\s*(-?\d+|\+)?\s*$/.test(second);
  const range = isRange && second.trim() ? (second.trim() === "+" ? `${first}+` : `${first}-${second}`) : first;
  const words = (isRange ? rest : [second, ...rest])
    .map((one) => one.replace(/\s+/g, " ").trim())
    .filter(Boolean)
    .join(", ");
  return `${range.trim()}: ${words}`;
}

/** The records of a CSV text, whose cells are parted by the first comma, semicolon or tab outside quotes. @param {string} text */
function records(text) {
  const part = /^(?:[^",;\t\n]|"(?:[^"]|"")*")*([,;\t])/.exec(text)?.[1] ?? ",";
  /** @type {string[][]} */
  const found = [];
  /** @type {string[]} */
  let cells = [];
  let [cell, isQuoted] = ["", false];
  const end = () => {
    if (cells.length > 0 || cell.trim()) found.push([...cells, cell]);
    [cells, cell] = [[], ""];
  };
  for (let n = 0; n < text.length; n += 1) {
    const letter = text[n];
    if (isQuoted && letter === '"' && text[n + 1] === '"') {
      cell += '"';
      n += 1;
    } else if (letter === '"' && (isQuoted || !cell.trim())) isQuoted = !isQuoted;
    else if (isQuoted || ![part, "\n", "\r"].includes(letter)) cell += letter;
    else if (letter === part) {
      cells.push(cell);
      cell = "";
    } else end();
  }
  end();
  return found;
}
