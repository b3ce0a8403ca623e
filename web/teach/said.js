// The words of the page in the language of this browser.

import { language } from "../strings.js";
import { DICE_SETUP } from "../words/dice-setup.js";

export const said = DICE_SETUP[language()];
