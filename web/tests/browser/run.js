// Runs all stories, two at a time: npm run test:browser. Each has a server and a browser of its own, and most of the
// time waits for one of them. node --test takes as many as there are processors, less one.

import { readdir } from "node:fs/promises";
import { run } from "node:test";
import { spec as Spec } from "node:test/reporters";
import { fileURLToPath } from "node:url";

const here = new URL(".", import.meta.url);
const stories = (await readdir(here)).filter((name) => name.endsWith(".test.js")).sort();

run({ files: stories.map((name) => fileURLToPath(new URL(name, here))), concurrency: 2 })
  .on("test:fail", () => (process.exitCode = 1))
  .compose(new Spec())
  .pipe(process.stdout);
