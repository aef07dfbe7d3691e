// A button of the controls, with its shortcut key.

import { html } from "../shared/html.js";
import { useKeys } from "../shared/keys.js";

/** How a key is printed on its button, if not as its capital letter. */
const PRINTED = /** @type {Record<string, string>} */ ({ enter: "↵" });

/**
 * A button that shows its shortcut key. The key presses it.
 * @param {object} props
 * @param {() => void} props.onPress
 * @param {string} [props.hotkey]
 * @param {string} [props.also] another key, not shown on the button
 * @param {boolean} [props.gold] whether it is the thing to do
 * @param {boolean} [props.isText] whether it is text that stands apart from the other buttons
 * @param {boolean} [props.isPending] whether it was pressed and the table has not answered
 * @param {boolean} [props.isSlow] whether that takes so long that the button says so
 * @param {boolean} [props.disabled]
 * @param {any} [props.children]
 */
export function ActionButton(props) {
  const { onPress, hotkey, also, gold, isText, isPending, isSlow, disabled, children } = props;
  const press = disabled ? null : onPress;
  useKeys({ ...(hotkey && { [hotkey]: press }), ...(also && { [also]: press }) });
  // The second half of a double click is not meant for the next button.
  const click = (/** @type {MouseEvent} */ event) => event.detail < 2 && onPress();
  const isSending = isPending && isSlow;
  const key = hotkey && !isSending &&
    html`<kbd aria-hidden="true">${PRINTED[hotkey] ?? hotkey.toUpperCase()}</kbd>`;
  const look = [gold && "gold", isText && "text", isPending && "pending"].filter(Boolean).join(" ");
  return html`<button type="button" class="do ${look}" disabled=${disabled}
    aria-keyshortcuts=${hotkey}
    onClick=${click}>${children}${isSending && html`<span class="sending">sending…</span>`}${key}
  </button>`;
}
