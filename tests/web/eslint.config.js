// What pages may use: what the oldest browsers that the guide names know (docs/phones.md). Rules on form are Biome's.

import css from "@eslint/css";
import compat from "eslint-plugin-compat";
import es from "eslint-plugin-es-x";

const OLDEST = ["safari 16.4", "ios_saf 16.4", "chrome 109", "and_chr 109", "firefox 115"];
/** Known to all of these, though not "Baseline" by the end of 2022: the newest of them came half a year later. */
const KNOWN = { allowProperties: ["container-type"], allowAtRules: ["container", "page"] };
/** Where a browser does not know one of these, a page looks plainer and works as before. */
const FOR_LOOKS = ["accent-color", "forced-color-adjust", "hyphens", "mask", "outline", "paint-order", "scrollbar-width", "text-size-adjust", "text-wrap", "user-select"];

export default [
  { ignores: ["**/vendor/**"] },
  {
    files: ["**/*.css"],
    language: "css/css",
    plugins: { css },
    rules: { "css/use-baseline": ["error", { available: 2022, ...KNOWN, allowProperties: [...KNOWN.allowProperties, ...FOR_LOOKS], allowUnits: ["cqw"] }] },
  },
  {
    files: ["**/*.js"],
    plugins: { compat },
    // each is asked for before it is used; compat sees that of some alone
    settings: { targets: OLDEST, polyfills: ["navigator.wakeLock", "navigator.vibrate", "navigator.getBattery", "DeviceOrientationEvent"] },
    rules: { "compat/compat": "error" },
  },
  { files: ["**/*.js"], ...es.configs["flat/restrict-to-es2022"] },
];
