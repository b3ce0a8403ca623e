// Luck and fairness, in plain words first.

import { el, svg } from "./dom.js";
import { faceShapes, faceWords, typeTitle } from "./dice.js";
import { plainSaid } from "./said.js";
import { say } from "./strings.js";
import { get } from "./talk.js";

const MOST_ERRORS = 3; // of the bar; who is further off stands at its end

export function buildLuck(box) {
  const only = el("input", { type: "checkbox" });
  const place = el("div", {});
  let newest = -1;
  box.append(el("label", { class: "check" }, only, say("onlySession")), place);
  const load = async () => {
    const query = only.checked ? "?session=now" : "";
    try {
      const [luck, fairness] = await Promise.all([get(`/api/luck${query}`), get(`/api/fairness${query}`)]);
      place.replaceChildren(...(fairness.length > 0 ? [luckView(luck), fairnessView(fairness)] : [el("p", { text: say("statisticsNone") })]));
    } catch {
      place.replaceChildren(el("p", { text: say("notReached") }));
    }
  };
  only.addEventListener("change", load);
  return (state) => {
    if (state.revision === newest || !box.checkVisibility()) return;
    newest = state.revision;
    load();
  };
}

function luckView(luck) {
  return el(
    "section",
    { class: "card" },
    el("h2", { text: say("luckTitle") }),
    el("p", { class: "quiet", text: say("luckHint") }),
    el(
      "ul",
      { class: "luck" },
      ...luck.map((one) =>
        el(
          "li",
          {},
          el(
            "span",
            {},
            el("b", { text: one.player || say("nobodyNamed") }),
            el("small", { text: say("luckLine", { of: plainSaid(one.of), n: one.dice, total: one.total, expected: one.expected }) }),
          ),
          gauge(one.standard_errors),
          el("b", { class: "luck-word", text: one.sentence }),
        ),
      ),
    ),
  );
}

/** A bar from unlucky to lucky with its middle marked; within the first standard error all is as expected. */
function gauge(errors) {
  const at = 50 + (46 * Math.max(-MOST_ERRORS, Math.min(MOST_ERRORS, errors))) / MOST_ERRORS;
  return svg(
    "svg",
    { class: "luck-bar", viewBox: "0 0 100 12", preserveAspectRatio: "none", "aria-hidden": "true" },
    svg("rect", { class: "rail", x: 0, y: 3, width: 100, height: 6, rx: 3 }),
    svg("rect", { class: "usual", x: 50 - 46 / MOST_ERRORS, y: 3, width: 92 / MOST_ERRORS, height: 6 }),
    svg("rect", { class: "mark", x: at - 1.5, y: 0, width: 3, height: 12, rx: 1.5 }),
  );
}

function fairnessView(fairness) {
  return el(
    "section",
    { class: "card" },
    el("h2", { text: say("fairTitle") }),
    ...fairness.map((one) =>
      el(
        "details",
        {},
        el("summary", { text: `${typeTitle(one.type)}: ${one.sentence}` }),
        el(
          "table",
          { class: "faces-table" },
          one.p === null ? null : el("caption", { text: `χ² = ${one.chi_square}, p = ${one.p.toPrecision(2)}` }),
          el("thead", {}, el("tr", {}, ...[say("face"), say("came"), say("usual")].map((text) => el("th", { scope: "col", text })))),
          el(
            "tbody",
            {},
            ...one.faces.map((face) =>
              el(
                "tr",
                {},
                el("th", { scope: "row" }, faceShapes(one.type, face.face), el("span", { text: ` ${faceWords(face.face)}` })),
                el("td", { text: face.count }),
                el("td", { text: face.expected }),
              ),
            ),
          ),
        ),
      ),
    ),
  );
}
