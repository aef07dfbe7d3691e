// What everything on the page is written in: markup as text, and the hooks that bring it to life.

import htm from "./vendor/htm.js";
import { h, render } from "./vendor/preact.js";
import { useEffect, useErrorBoundary, useLayoutEffect, useMemo, useRef, useState } from "./vendor/hooks.js";

const html = htm.bind(h);

export { html, render, useEffect, useErrorBoundary, useLayoutEffect, useMemo, useRef, useState };
