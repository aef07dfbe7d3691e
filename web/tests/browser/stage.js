// What a stage must keep to at every size: nothing overlaps, nothing is cut, every button is in
// reach, and all text can be read.

/**
 * Looks at the table on screen.
 * @param {import("playwright-core").Page} page
 * @returns {Promise<string[]>} what is wrong with it
 */
export const flaws = (page) => page.evaluate(() => {
  const found = [];
  const felt = document.querySelector(".felt");
  const isSeen = (element) =>
    element.checkVisibility({ opacityProperty: true, visibilityProperty: true });
  const nameOf = (element) => {
    const text = (element.getAttribute("aria-label") ?? element.textContent).trim();
    const kind = element.className?.baseVal ?? element.className;
    return `${kind || element.tagName} "${text.replaceAll(/\s+/g, " ").slice(0, 30)}"`;
  };
  const all = (query, root = felt) => [...root.querySelectorAll(query)].filter(isSeen);
  const boxOf = (element) => element.getBoundingClientRect();

  // The parts of each group may lie on each other: a chip on its circle, a card on the next.
  const groups = [
    ...all(".other").map((seat) =>
      all(".card, .who, .word, .circle, .button-chip, .sit, .plate", seat)),
    [...all(".own .card, .own .posted"), ...all(".own .circle"), ...all(".own-text > p")],
    all(".dealer .card"), all(".board .card"), all(".call"), all(".motto"), all(".note > span"),
    all(".felt-pays"), all(".more button"), all(".watcher > *"),
    all(".controls button, .controls input, .controls p"),
  ];
  const isRound = (element) => element.matches(".circle, .button-chip, .plate");
  const meet = (one, other) => {
    const [a, b] = [boxOf(one), boxOf(other)];
    const isNear = a.left < b.right - 1 && b.left < a.right - 1
      && a.top < b.bottom - 1 && b.top < a.bottom - 1;
    if (!isNear || !isRound(one) || !isRound(other)) return isNear;
    const across = a.x + a.width / 2 - b.x - b.width / 2;
    const down = a.y + a.height / 2 - b.y - b.height / 2;
    return Math.hypot(across, down) < (a.height + b.height) / 2 - 1;
  };
  for (const [place, group] of groups.entries()) {
    for (const other of groups.slice(place + 1)) {
      for (const one of group) {
        for (const another of other) {
          if (meet(one, another)) found.push(`${nameOf(one)} meets ${nameOf(another)}`);
        }
      }
    }
  }

  // Within a seat, the name and the state keep clear of the circles.
  for (const seat of all(".other")) {
    for (const text of all(".name, .behind, .word", seat)) {
      for (const circle of all(".circle", seat)) {
        const [a, b] = [boxOf(text), boxOf(circle)];
        const x = Math.max(a.left, Math.min(b.x + b.width / 2, a.right));
        const y = Math.max(a.top, Math.min(b.y + b.height / 2, a.bottom));
        const far = Math.hypot(x - b.x - b.width / 2, y - b.y - b.height / 2);
        if (far < b.width / 2 - 2) found.push(`${nameOf(text)} meets ${nameOf(circle)}`);
      }
    }
  }

  // Only a name may be cut, and then it ends with an ellipsis.
  const stage = boxOf(felt);
  for (const element of groups.flat()) {
    const box = boxOf(element);
    const isInside = box.left >= stage.left - 1 && box.right <= stage.right + 1
      && box.top >= stage.top - 1 && box.bottom <= stage.bottom + 1;
    if (!isInside) found.push(`${nameOf(element)} is beyond the edge`);
  }
  const words = ".call, .motto:not(.arc), .note, .felt-pays th, .felt-pays td, .own-hand, .own-net,"
    + " .own-behind, .word, .controls .do, .open-panel, .why";
  for (const element of all(words)) {
    // Large figures may reach beyond their own line.
    const isLow = !element.matches(".own-net") && element.scrollHeight > element.clientHeight + 2;
    const isCut = element.scrollWidth > element.clientWidth + 1 || isLow;
    if (isCut) found.push(`${nameOf(element)} is cut`);
  }
  const arc = felt.querySelector(".motto.arc");
  if (arc) {
    const [path, text] = ["path", "text"].map((name) => arc.querySelector(name));
    if (text.getComputedTextLength() > path.getTotalLength()) found.push("the motto is cut");
  }

  // Every button is in reach without scrolling, and large enough for a finger.
  const root = document.documentElement;
  if (root.scrollHeight > innerHeight + 1) found.push(`the page scrolls: ${root.scrollHeight}`);
  if (root.scrollWidth > innerWidth + 1) found.push(`the page scrolls: ${root.scrollWidth} wide`);
  for (const element of all("button, input, a.button")) {
    const { left, right, top, bottom, width, height } = boxOf(element);
    const size = `${Math.round(width)}×${Math.round(height)}`;
    // A circle may be drawn smaller than what it can be pressed on.
    const least = element.matches(".circle") ? 37 : 43.5;
    if (width < least || height < least) found.push(`${nameOf(element)} is ${size}`);
    if (left < -1 || top < -1 || right > innerWidth + 1 || bottom > innerHeight + 1) {
      found.push(`${nameOf(element)} is out of reach`);
    }
  }

  // Figures on cards and chips are part of a drawing.
  const reads = document.createTreeWalker(felt, NodeFilter.SHOW_TEXT);
  for (let node = reads.nextNode(); node; node = reads.nextNode()) {
    const element = node.parentElement;
    if (!node.data.trim() || element.closest(".chip, .card, .unseen, .clock")) continue;
    if (!isSeen(element)) continue;
    const size = parseFloat(getComputedStyle(element).fontSize);
    if (size && size < 10.99) found.push(`${nameOf(element)} is set in ${size} pixels`);
  }
  return [...new Set(found)];
});

/** The sizes of windows that a table has to fit. */
export const WINDOWS = [
  [1024, 768], [1280, 800], [1366, 768], [1440, 900], [1920, 1080], [2560, 1440],
  [768, 1024], [820, 1180], [1180, 820],
  [320, 568], [360, 640], [390, 844], [412, 915], [667, 375], [844, 390],
];

/** A telling sample of them. */
export const SOME = [[1440, 900], [1024, 768], [768, 1024], [390, 844], [320, 568], [667, 375]];

/**
 * Looks at the table in windows of several sizes.
 * @param {import("playwright-core").Page} page
 * @param {string} what
 * @param {number[][]} windows
 * @returns {Promise<string[]>}
 */
export async function flawsAt(page, what, windows) {
  const before = page.viewportSize();
  const found = [];
  for (const [width, height] of windows) {
    await page.setViewportSize({ width, height });
    // The stage is measured before the next frame, and drawn in the one after it.
    await page.evaluate(() => new Promise((done) =>
      requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done, 30)))));
    for (const flaw of await flaws(page)) found.push(`${what} at ${width}×${height}: ${flaw}`);
  }
  await page.setViewportSize(before);
  return found;
}
