// The account page: guest or account, chips, sessions, the player's data, and its deletion.

import { del, get, patch, post, Problem, put } from "../shared/api.js";
import { Dialog } from "../shared/dialog.js";
import { html, useEffect, useRef, useState } from "../shared/html.js";
import { money } from "../shared/money.js";
import { moment } from "../shared/names.js";
import { sentence, showError, showNote } from "../shared/notice.js";
import { ensurePlayer, refill, session, setPlayer } from "../shared/session.js";
import { useStore } from "../shared/store.js";
import { useTitle } from "../shared/title.js";
import { Sections } from "./sections.js";

/** The longest name that the server takes. The field takes no more. */
const NAME_MAX = 24;

export function AccountPage() {
  const me = useStore(session);
  useTitle("Account");
  if (me === undefined) {
    return html`<main class="sheet wide" id="main" tabindex="-1">
      <h1>Account</h1><div class="account-wait"></div>
    </main>`;
  }
  const hasAccount = me !== null && me.kind !== "guest";
  const sections = [
    me && { id: "name", name: "Name" },
    me && { id: "chips", name: "Chips" },
    !hasAccount && { id: "new", name: "Create an account" },
    !hasAccount && { id: "log-in", name: "Log in" },
    hasAccount && { id: "password", name: "Password" },
    hasAccount && { id: "sessions", name: "Where you're logged in" },
    me && { id: "data", name: "Your data" },
  ].filter(Boolean);
  return html`<${Sections} title="Account" about=${standing(me)} sections=${sections}>
    ${me && html`<${Name} key="name" me=${me} />`}
    ${me && html`<${Purse} key="chips" me=${me} />`}
    ${!hasAccount && html`<${MakeAccount} key="new" me=${me} />`}
    ${!hasAccount && html`<${LogIn} key="log-in" me=${me} />`}
    ${hasAccount && html`<${Password} key="password" />`}
    ${hasAccount && html`<${LoggedIn} key="sessions" />`}
    ${me && html`<${Belongings} key="data" me=${me} />`}
  <//>`;
}

/** @param {any} me */
function standing(me) {
  if (me === null) {
    return "You're not logged in. You don't need an account: sit down, and you play as a guest.";
  }
  if (me.kind === "guest") {
    return `You're playing as ${me.name}, a guest. Only this browser can get back to it.`;
  }
  return `You're logged in as ${me.name}.`;
}

/** @param {{id: string, title: string, children?: any}} props */
function Part({ id, title, children }) {
  return html`<section class="box" id=${id} aria-labelledby=${`${id}-title`}>
    <h2 id=${`${id}-title`}>${title}</h2>${children}
  </section>`;
}

/**
 * A form that is sent without leaving the page, and shows an error at the field it is about.
 * @param {object} props
 * @param {string} props.id
 * @param {string} props.action its button's label
 * @param {string} [props.look] its button's class
 * @param {Record<string, string>} props.blame the field that each error code is about; other errors
 *   are shown below the fields
 * @param {Record<string, string>} [props.words] the text for a code, where the server's text does
 *   not fit this form
 * @param {{name: string, label: string, hint?: string, [attribute: string]: any}[]} props.fields
 * @param {(values: Record<string, string>) => Promise<void>} props.send
 * @param {any} [props.children] content next to its button
 */
function Form({ id, action, look = "", blame, words = {}, fields, send, children }) {
  const [fault, setFault] = useState(/** @type {{field: string, text: string} | null} */ (null));
  const [isBusy, setBusy] = useState(false);
  const form = useRef(/** @type {any} */ (null));
  const submit = async (/** @type {Event} */ event) => {
    event.preventDefault();
    setBusy(true);
    setFault(null);
    try {
      const values = Object.fromEntries(new FormData(form.current));
      await send(/** @type {Record<string, string>} */ (values));
      form.current?.reset();
    } catch (problem) {
      if (!(problem instanceof Problem)) showError(problem);
      else {
        const field = blame[problem.code] ?? "";
        const all = [problem.message, ...problem.faults].map(sentence).join(" ");
        setFault({ field, text: words[problem.code] ?? all });
        form.current?.elements[field]?.focus();
      }
    }
    setBusy(false);
  };
  return html`<form class="form" ref=${form} onSubmit=${submit}>
    ${fields.map(({ name, label, hint, ...rest }) => {
      const isWrong = fault?.field === name;
      const said = isWrong ? fault?.text : hint;
      const saidId = `${id}-${name}-said`;
      if (rest.type === "checkbox") {
        return html`<label class="choice" key=${name}>
          <input type="checkbox" name=${name} />
          <span>${label}${hint && html`<span class="aside">${hint}</span>`}</span>
        </label>`;
      }
      return html`<div class="field" key=${name}>
        <label for=${`${id}-${name}`}>${label}</label>
        <input id=${`${id}-${name}`} name=${name} required autocapitalize="none" spellcheck=${false}
          aria-invalid=${isWrong ? "true" : undefined}
          aria-describedby=${said ? saidId : undefined} ...${rest} />
        ${said && html`<p id=${saidId} class=${isWrong ? "bad" : "quiet"}>${said}</p>`}
      </div>`;
    })}
    <p class="bad" role="alert">${fault && fault.field === "" ? fault.text : ""}</p>
    <div class="row"><button class=${look} disabled=${isBusy}>${action}</button>${children}</div>
  </form>`;
}

const NAME_HINT = `2 to ${NAME_MAX} letters, digits, - or _, starting with a letter.`;
const NAME = {
  name: "name",
  autocomplete: "username",
  minlength: 2,
  maxlength: NAME_MAX,
  pattern: "[A-Za-z][A-Za-z0-9_\\-]*",
  title: NAME_HINT,
};
const OLD = { type: "password", autocomplete: "current-password", maxlength: 256 };
const NEW = { type: "password", autocomplete: "new-password", minlength: 8, maxlength: 256 };
const WRONG = { "wrong-password": "That's not your password." };
const PASSWORD_HINT =
  "At least 8 characters; a few words work well. A lost password can't be recovered.";
const SHORT = {
  name: "short",
  type: "checkbox",
  label: "This is a shared computer",
  hint: "You're logged out half an hour after you stop playing. Otherwise you stay logged in.",
};

/** @param {Record<string, string>} values of a form with the box for a shared computer */
const credentials = ({ name, password, short }) => ({
  name,
  password,
  ...(short ? { short: true } : {}),
});

/** @param {{me: any}} props */
function Name({ me }) {
  const send = async (/** @type {Record<string, string>} */ { name }) => {
    setPlayer(await patch("me", { name }));
    showNote(`Other players now see you as ${name}.`);
  };
  return html`<${Part} id="name" title="Name">
    <p class="quiet">Other players see it, in your earlier rounds too.${
      me.kind === "guest" ? "" : " You log in with it."
    }</p>
    <${Form} key=${me.name} id="rename" action="Change the name" send=${send}
      blame=${{ "bad-name": "name", "name-taken": "name", "too-soon": "name" }}
      fields=${[{ ...NAME, label: "Your name", hint: NAME_HINT, value: me.name }]} />
  <//>`;
}

/** @param {{me: any}} props */
function MakeAccount({ me }) {
  const send = async (/** @type {Record<string, string>} */ values) => {
    await ensurePlayer();
    setPlayer(await post("me/account", credentials(values)));
    showNote(`Welcome, ${values.name}. You keep your chips and your rounds.`);
  };
  return html`<${Part} id="new" title="Create an account">
    <p class="quiet">${
      me
        ? "You keep your chips and your rounds, and can log in on other devices."
        : "You start with $1,000 in play money, and can log in on other devices."
    } We store your name, a hash of your password, your rounds, when you were logged in, and a
      random number for each device you log in from. No address, no email, nothing about money.</p>
    <${Form} id="new" action="Create account" look="gold" send=${send}
      blame=${{ "bad-name": "name", "name-taken": "name", "bad-password": "password" }}
      fields=${[
        { ...NAME, label: "Name", hint: `${NAME_HINT} Other players see it.` },
        { name: "password", label: "Password", hint: PASSWORD_HINT, ...NEW },
        SHORT,
      ]} />
  <//>`;
}

/** @param {{me: any}} props */
function LogIn({ me }) {
  const send = async (/** @type {Record<string, string>} */ values) => {
    setPlayer(await post("sessions", credentials(values)));
    showNote(`Welcome back, ${values.name}.`);
  };
  return html`<${Part} id="log-in" title="Log in">
    <p class="quiet">
      If you already have an account.${me && ` The guest ${me.name} and its chips stay behind.`}
    </p>
    <${Form} id="known" action="Log in" send=${send}
      blame=${{ "wrong-password": "password", "locked-out": "password" }}
      fields=${[
        { name: "name", label: "Your name", autocomplete: "username", maxlength: NAME_MAX },
        { name: "password", label: "Your password", ...OLD },
        SHORT,
      ]} />
  <//>`;
}

/** @param {{me: any}} props */
function Purse({ me }) {
  const [said, setSaid] = useState("");
  const [isBusy, setBusy] = useState(false);
  useEffect(() => setSaid(""), [me.chips]);
  const ask = async () => {
    setBusy(true);
    try {
      showNote(`You got another ${money(await refill())}.`);
    } catch (problem) {
      const isRefused = problem instanceof Problem && problem.status < 500 && problem.status > 0;
      if (isRefused) setSaid(sentence(problem.message));
      else showError(problem);
    }
    setBusy(false);
  };
  return html`<${Part} id="chips" title="Chips">
    <p class="sum">${money(me.chips)}</p>
    ${me.in_play > 0 && html`<p>Another ${money(me.in_play)} of yours is in play.</p>`}
    <p class="quiet">Play money only: chips can't be bought, sold or cashed out. If you have less
      than $100, you can ask for another $1,000.</p>
    ${me.kind !== "operator" &&
    html`<div class="row"><button disabled=${isBusy} onClick=${ask}>Ask for chips</button></div>`}
    <p class="bad" role="alert">${said}</p>
  <//>`;
}

function Password() {
  const send = async (/** @type {Record<string, string>} */ values) => {
    setPlayer(await put("me/password", { old: values.old, new: values.new }));
    showNote("Your password is changed, and you're logged out everywhere else.");
  };
  return html`<${Part} id="password" title="Password">
    <${Form} id="change" action="Change it" send=${send} words=${WRONG}
      blame=${{ "wrong-password": "old", "locked-out": "old", "bad-password": "new" }}
      fields=${[
        { name: "old", label: "Current password", ...OLD },
        { name: "new", label: "New password", hint: PASSWORD_HINT, ...NEW },
      ]} />
  <//>`;
}

/** @typedef {import("../../types/api").SessionAnswer} SessionAnswer */

function LoggedIn() {
  const me = useStore(session);
  const [all, setAll] = useState(/** @type {SessionAnswer[] | null} */ (null));
  const look = () => get("sessions").then(setAll, showError);
  useEffect(() => {
    look();
  }, [me?.player]);
  const end = async (/** @type {SessionAnswer | null} */ one) => {
    try {
      const id = one && (one.current ? "current" : encodeURIComponent(one.session));
      await del(id ? `sessions/${id}` : "sessions");
    } catch (problem) {
      showError(problem);
      return;
    }
    if (one && !one.current) {
      look();
      return;
    }
    setPlayer(null);
    showNote(one ? "You're logged out here." : "You're logged out everywhere.");
  };
  const here = all?.find(({ current }) => current);
  return html`<${Part} id="sessions" title="Where you're logged in">
    <table>
      <thead><tr>
        <th scope="col">Since</th><th scope="col">Expires if unused</th>
        <th scope="col"><span class="unseen">Log out</span></th>
      </tr></thead>
      <tbody>
        ${all === null && html`<tr><td colspan="3" class="quiet">Loading…</td></tr>`}
        ${all?.map(
          (one) => html`<tr key=${one.session}>
          <th scope="row">${moment(one.since)}</th><td>${moment(one.until)}</td>
          <td class="number">${
            one.current
              ? "here"
              : html`<button class="link" onClick=${() => end(one)}>
                  Log out<span class="unseen"> there</span>
                </button>`
          }</td>
        </tr>`,
        )}
      </tbody>
    </table>
    <div class="row">
      <button disabled=${!here} onClick=${() => here && end(here)}>Log out here</button>
      <button onClick=${() => end(null)}>Log out everywhere</button>
    </div>
  <//>`;
}

/** @param {{me: any}} props */
function Belongings({ me }) {
  const [isOpen, setOpen] = useState(false);
  const isGuest = me.kind === "guest";
  const remove = async (/** @type {Record<string, string>} */ { password }) => {
    await del("me", isGuest ? {} : { password });
    setOpen(false);
    setPlayer(null);
    showNote("Deleted. Nothing here points to you anymore.");
  };
  return html`<${Part} id="data" title="Your data">
    <p class="quiet">All of it, one JSON object per line: your profile, your sessions, your chips
      and your rounds.</p>
    <div class="row">
      <a class="button" href="/api/me/export" download="croupier-export.jsonl">Download it</a>
      <button class="danger" onClick=${() => setOpen(true)}>
        ${isGuest ? "Delete this guest…" : "Delete your account…"}
      </button>
    </div>
    <${Dialog} isOpen=${isOpen} hide=${() => setOpen(false)}
      title=${`Delete ${isGuest ? "this guest" : "your account"}?`}>
      <p>The name ${me.name}, your chips and your sessions are deleted for good. Your rounds stay in
        their tables' journals, under an id that no longer points to you.</p>
      <${Form} id="delete" action="Delete for good" look="danger" send=${remove} words=${WRONG}
        blame=${{ "wrong-password": "password", "locked-out": "password" }}
        fields=${isGuest ? [] : [{ name: "password", label: "Your password", ...OLD }]}>
        <button type="button" onClick=${() => setOpen(false)}>Keep it</button>
      <//>
    <//>
  <//>`;
}
