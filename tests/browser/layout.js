// What is wrong with the layout of the page as it stands, as a list of words. `isTall` pages may scroll downwards.
(isTall) => {
  const faults = [];
  const name = (node) => `${node.tagName.toLowerCase()}.${node.getAttribute("class") || node.id} "${node.textContent.trim().slice(0, 30)}"`;
  const page = document.querySelector("dialog[open]") ?? document.getElementById("page") ?? document.body;
  const isShown = (node) => node.checkVisibility({ visibilityProperty: true }) && !node.closest(".hidden, .sprite, .picture");
  const texts = [];
  for (const walk = document.createTreeWalker(page, NodeFilter.SHOW_TEXT); walk.nextNode();) {
    const node = walk.currentNode;
    const owner = node.parentElement;
    if (!node.textContent.trim() || !isShown(owner) || owner.closest("svg")) continue;
    const range = document.createRange();
    range.selectNodeContents(node);
    const lines = [...range.getClientRects()];
    const { fontSize, fontFamily, hyphens } = getComputedStyle(owner);
    const line = parseFloat(fontSize);
    if (lines.length > 1 && hyphens !== "auto") {
      for (const { 0: word, index } of node.textContent.matchAll(/\p{L}+/gu)) {
        range.setStart(node, index);
        range.setEnd(node, index + word.length);
        const tops = new Set([...range.getClientRects()].map((box) => box.top));
        if (word.length < 10 && tops.size > 1) faults.push(`broken: ${word} of ${name(owner)}`); // a long one may have to be
      }
    }
    for (const box of lines) {
      // a line box is higher than its letters: what overlaps is the letters
      const [top, bottom] = fontFamily.startsWith("Saira")
        ? [(box.top + box.bottom) / 2 - 0.36 * line, (box.top + box.bottom) / 2 + 0.36 * line] : [box.top + 0.1 * line, box.bottom - 0.1 * line];
      let [left, right] = [box.left, box.right];
      for (let up = owner; up && up !== page; up = up.parentElement) {
        if (getComputedStyle(up).overflow === "visible") continue;
        const clip = up.getBoundingClientRect();
        if (left >= clip.right || right <= clip.left || top >= clip.bottom || bottom <= clip.top) { left = right = 0; break; }
        const isCut = right > clip.right + 1 || left < clip.left - 1 || bottom > clip.bottom + 1 || top < clip.top - 1;
        if (isCut && !owner.closest(".may-cut, .feed, .tool small, .answer-word, .trouble")) faults.push(`cut: ${name(owner)}`);
        [left, right] = [Math.max(left, clip.left), Math.min(right, clip.right)];
      }
      if (right <= left) continue;
      texts.push({ owner, left, right, top, bottom });
      if (right > innerWidth + 1 || left < -1) faults.push(`beside the window: ${name(owner)}`);
      if (!isTall && (bottom > innerHeight + 1 || top < -1)) faults.push(`below the window: ${name(owner)}`);
    }
  }
  texts.forEach((one, n) => texts.slice(n + 1).forEach((other) => {
    if (one.owner === other.owner || (isTall && (one.owner.closest(".bar") || other.owner.closest(".bar")))) return;
    const wide = Math.min(one.right, other.right) - Math.max(one.left, other.left);
    const high = Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top);
    if (wide > 1 && high > 1) faults.push(`overlap: ${name(one.owner)} and ${name(other.owner)}`);
  }));
  for (const column of page.querySelectorAll(".left, section.right, .bar")) {
    const rows = [...column.children].flatMap((row) => (getComputedStyle(row).display === "contents" ? [...row.children] : [row]))
      .filter((row) => isShown(row) && row.getBoundingClientRect().height > 0);
    const within = column.getBoundingClientRect();
    for (const { owner, right } of texts) if (column.contains(owner) && right > within.right + 1) faults.push(`leaves its column: ${name(owner)}`);
    rows.forEach((row, n) => {
      const box = row.getBoundingClientRect();
      if (box.bottom > within.bottom + 1 || box.right > within.right + 1) faults.push(`leaves its column: ${name(row)}`);
      rows.slice(n + 1).forEach((other) => {
        const next = other.getBoundingClientRect();
        const wide = Math.min(box.right, next.right) - Math.max(box.left, next.left);
        const high = Math.min(box.bottom, next.bottom) - Math.max(box.top, next.top);
        if (wide > 1 && high > 6) faults.push(`rows overlap: ${name(row)} and ${name(other)}`);
      });
    });
  }
  for (const button of page.querySelectorAll("button:not(.die, .past-roll), a, input, select, summary")) {
    const box = (button.matches("[type=checkbox], [type=radio], [type=file]") ? button.closest("label") : button).getBoundingClientRect();
    if (!isShown(button)) continue;
    if (box.width < 43.5 || box.height < 43.5) faults.push(`small target: ${name(button)} ${box.width}x${box.height}`);
    for (let up = button.parentElement; up && up !== page; up = up.parentElement) {
      const clip = up.getBoundingClientRect();
      if (getComputedStyle(up).overflowY !== "visible" && Math.min(box.bottom, clip.bottom) - Math.max(box.top, clip.top) < 43.5) faults.push(`cut target: ${name(button)}`);
    }
  }
  const headline = page.querySelector("#headline")?.parentElement;
  if (headline && headline.scrollWidth > headline.clientWidth + 1) faults.push("cut: the headline");
  if (document.documentElement.scrollWidth > innerWidth) faults.push("the page scrolls sideways");
  if (!isTall && page.scrollHeight > page.clientHeight + 1 && page.matches("dialog")) faults.push("the dialog scrolls");
  if (!isTall && document.documentElement.scrollHeight > innerHeight) faults.push("the page scrolls");
  return faults;
}
