// The test card and a tray of paper: two pages to print.

import { showBack } from "./back.js";
import { byId } from "./dom.js";
import { say } from "./strings.js";
import { startTheme } from "./theme.js";

document.title = byId("title").textContent = say("card.title");
showBack();
byId("to-setup").textContent = say("setup.title");
byId("how").textContent = say("card.how");
byId("print").textContent = say("card.print");
byId("front").alt = say("card.front");
byId("back").alt = say("card.back");
byId("front-words").textContent = say("card.frontWords");
byId("back-words").textContent = say("card.backWords");
startTheme("dark");
byId("print").addEventListener("click", () => window.print());
