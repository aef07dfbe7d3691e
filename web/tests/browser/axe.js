// Accessibility checks with axe-core, which finds many problems but not all.

import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";

const script = createRequire(import.meta.url).resolve("axe-core/axe.min.js");
const source = await readFile(script, "utf8");

const TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"];

/** The rules that are checked again in the other color scheme. */
const COLOURS = ["color-contrast", "link-in-text-block"];

/**
 * Fails with the page's violations, in dark and in light.
 * @param {import("playwright-core").Page} page
 * @param {string} what as in "the lobby"
 */
export async function axe(page, what) {
  await page.evaluate(source);
  await page.emulateMedia({ colorScheme: "dark" });
  const dark = await faults(page, { runOnly: TAGS });
  await page.emulateMedia({ colorScheme: "light" });
  const light = await faults(page, { runOnly: COLOURS });
  const inDark = dark.map((fault) => `dark: ${fault}`);
  const inLight = light.map((fault) => `light: ${fault}`);
  const told = [...inDark, ...inLight];
  if (told.length > 0) throw new Error(`${what} is not accessible:\n${told.join("\n")}`);
}

async function faults(page, { runOnly }) {
  // Colors in mid-transition belong to neither scheme.
  await page.evaluate(() =>
    Promise.all(document.getAnimations().map(({ finished }) => finished.catch(() => {}))));
  const { violations } = await page.evaluate(
    (runOnly) => globalThis.axe.run(document, { runOnly, resultTypes: ["violations"] }),
    runOnly,
  );
  return violations.flatMap(({ id, help, nodes }) =>
    nodes.map(({ target, html, any }) => [
      `${id}: ${help}`,
      `  ${target.join(" ")}`,
      `  ${html.slice(0, 200)}`,
      `  ${any.map(({ message }) => message).join("; ")}`,
    ].join("\n")));
}
