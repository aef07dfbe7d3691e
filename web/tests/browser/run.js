// Runs all browser tests, two files at a time: npm run test:browser. Each file has its own server
// and browser, and mostly waits for one of them. node --test would run one file per processor, less
// one.

import { readdir } from "node:fs/promises";
import { run } from "node:test";
import { spec as Spec } from "node:test/reporters";
import { fileURLToPath } from "node:url";

const here = new URL(".", import.meta.url);
const files = (await readdir(here)).filter((name) => name.endsWith(".test.js")).sort();

run({ files: files.map((name) => fileURLToPath(new URL(name, here))), concurrency: 2 })
  .on("test:fail", () => (process.exitCode = 1))
  .compose(new Spec())
  .pipe(process.stdout);
