// Choices as the page draws them: a few words side by side, options with a line each, and switches.

import { html } from "./html.js";

/**
 * A few short choices side by side.
 * @param {object} props
 * @param {string} props.title
 * @param {string} props.name
 * @param {string} props.value
 * @param {{value: string, name: string}[]} props.options
 * @param {any} [props.about] a few words about it
 * @param {(value: any) => void} props.onPick
 */
export function Segments({ title, name, value, options, about, onPick }) {
  return html`<fieldset class="bare segment-set">
    <legend>${title}</legend>
    ${about && html`<p class="aside">${about}</p>`}
    <div class="segments">
      ${options.map(
        (it) => html`<label key=${it.value}>
          <input type="radio" name=${name} value=${it.value} checked=${it.value === value}
            onChange=${() => onPick(it.value)} />
          ${it.name}
        </label>`,
      )}
    </div>
  </fieldset>`;
}

/**
 * A radio button with a title, a line about it, and a figure.
 * @param {object} props
 * @param {string} props.name
 * @param {string} props.value
 * @param {string} props.title
 * @param {string} props.about
 * @param {string} [props.figure]
 * @param {boolean} props.isChosen
 * @param {() => void} props.onPick
 */
export function Option({ name, value, title, about, figure, isChosen, onPick }) {
  return html`<label class="option">
    <input type="radio" name=${name} value=${value} checked=${isChosen} onChange=${onPick} />
    <strong>${title}</strong>
    <small>${about}</small>
    <span class="figure">${figure}</span>
  </label>`;
}

/**
 * @param {object} props
 * @param {string} props.title
 * @param {any} [props.about] a few words about it
 * @param {boolean} props.isOn
 * @param {(isOn: boolean) => void} props.onFlip
 */
export function Switch({ title, about, isOn, onFlip }) {
  return html`<label class="switch-line">
    <span>
      <span class="thing">${title}</span>${about && html`<span class="aside">${about}</span>`}
    </span>
    <input type="checkbox" class="switch" role="switch" checked=${isOn}
      onChange=${(/** @type {any} */ event) => onFlip(event.target.checked)} />
  </label>`;
}
