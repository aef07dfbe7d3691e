// Looks for what keeps people out: what axe-core finds by itself, which is not all there is.

import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";

const source = await readFile(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

const TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"];

/** What is looked at again in the other colours. */
const COLOURS = ["color-contrast", "link-in-text-block"];

/**
 * Fails with what is wrong on the page as it is, in dark and in light.
 * @param {import("playwright-core").Page} page
 * @param {string} what as in "the lobby"
 */
export async function axe(page, what) {
  await page.evaluate(source);
  await page.emulateMedia({ colorScheme: "dark" });
  const dark = await faults(page, { runOnly: TAGS });
  await page.emulateMedia({ colorScheme: "light" });
  const light = await faults(page, { runOnly: COLOURS });
  const told = [...dark.map((fault) => `dark: ${fault}`), ...light.map((fault) => `light: ${fault}`)];
  if (told.length > 0) throw new Error(`${what} keeps people out:\n${told.join("\n")}`);
}

async function faults(page, { runOnly }) {
  // Colours that are still on their way to others are neither.
  await page.evaluate(() => Promise.all(document.getAnimations().map((animation) => animation.finished.catch(() => {}))));
  const { violations } = await page.evaluate((runOnly) => globalThis.axe.run(document, { runOnly, resultTypes: ["violations"] }), runOnly);
  return violations.flatMap(({ id, help, nodes }) =>
    nodes.map(({ target, html, any }) => `${id}: ${help}\n  ${target.join(" ")}\n  ${html.slice(0, 200)}\n  ${any.map(({ message }) => message).join("; ")}`));
}
