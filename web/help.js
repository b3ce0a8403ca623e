// The guide is plain text; only its look follows the table.

import { showBack } from "./back.js";
import { say } from "./strings.js";
import { startTheme } from "./theme.js";

startTheme();
showBack();
for (const one of document.querySelectorAll("[data-say]")) one.textContent = say(one.dataset.say);
document.title = document.querySelector("h1")?.textContent ?? document.title;
document.body.dataset.ready = "";
