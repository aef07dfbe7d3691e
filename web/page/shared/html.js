// The page's rendering tools: htm templates bound to Preact, and its hooks.

import {
  useEffect,
  useErrorBoundary,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from "../vendor/hooks.js";
import htm from "../vendor/htm.js";
import { h, render } from "../vendor/preact.js";

const html = htm.bind(h);

export { html, render, useEffect, useErrorBoundary, useLayoutEffect, useMemo, useRef, useState };
