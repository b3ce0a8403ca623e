// Everybody of the scene as a file, and back from one.

import { change } from "../talk.js";
import { showError } from "../toast.js";
import { say } from "../strings.js";
import { OWN, talentsOf } from "./person.js";

/** Save the people as JSON. @param {Person[]} people */
export function savePeople(people) {
  const own = people.map((person) => ({
    ...Object.fromEntries(/** @type {(keyof Person)[]} */ ([...OWN, "members"]).map((name) => [name, person[name]])),
    begins: talentsOf(person),
  }));
  const address = URL.createObjectURL(new Blob([JSON.stringify(own, null, 2)], { type: "application/json" }));
  const link = Object.assign(document.createElement("a"), { href: address, download: "people.json" });
  link.click();
  URL.revokeObjectURL(address);
}

/** Read everybody of the file that was chosen. Who is in the scene already, by name and game, takes over what the file says; all others are added. @param {HTMLInputElement} input @param {Pick<PhoneSeen, "ui" | "game">} seen */
export async function readPeople(input, { ui, game }) {
  const [file] = input.files ?? [];
  if (!file) return;
  let people;
  try {
    people = [JSON.parse(await file.text())].flat();
  } catch {
    showError({ what: say("people.noFile"), where: file.name, hint: say("people.noFileHint") });
    return;
  } finally {
    input.value = ""; // the same file may be chosen again
  }
  const left = [...ui.people];
  for (const person of people) {
    const at = left.findIndex((one) => one.name === person?.name && one.game === (person.game ?? game.name));
    const [same] = at < 0 ? [] : left.splice(at, 1); // two of one name in the file are two
    /** @type {Sends<"/api/people">} */
    const told = same ? { do: "change", person: { ...person, id: same.id } } : { do: "add", person };
    if (!(await change("/api/people", told))) return;
  }
}
