// A page of boxes in two columns, with a list of them on the left.

import { html, useEffect, useState } from "../shared/html.js";

/**
 * @param {object} props
 * @param {string} props.title
 * @param {any} props.about
 * @param {{id: string, name: string}[]} props.sections
 * @param {any} [props.children] one box per section
 */
export function Sections({ title, about, sections, children }) {
  const [current, setCurrent] = useState(location.hash.slice(1) || sections[0]?.id);
  // A link from another page may name a section, which exists only now.
  useEffect(() => {
    const id = location.hash.slice(1);
    if (id) document.getElementById(id)?.scrollIntoView();
  }, []);
  return html`<main class="sheet wide with-sections" id="main" tabindex="-1">
    <div class="sections-list">
      <h1>${title}</h1>
      <nav aria-label=${`${title}: sections`}>
        ${sections.map(
          ({ id, name }) => html`<a key=${id} href=${`#${id}`}
            aria-current=${id === current ? "true" : undefined}
            onClick=${() => setCurrent(id)}>${name}</a>`,
        )}
      </nav>
      <p class="quiet">${about}</p>
    </div>
    <div class="boxes">${children}</div>
  </main>`;
}
