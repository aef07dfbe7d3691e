// Who somebody is here: a guest or a name, where he is logged in, and how to take it all away.

import { del, doOnce, get, post, Problem, put } from "./api.js";
import { Dialog } from "./dialog.js";
import { html, useEffect, useRef, useState } from "./html.js";
import { money } from "./money.js";
import { complain, sentence, tell } from "./notice.js";
import { begin, session, welcome } from "./session.js";
import { useStore } from "./store.js";
import { useTitle } from "./title.js";
import { moment } from "./words.js";

export function AccountPage() {
  const me = useStore(session);
  useTitle("Account");
  return html`<main class="sheet" id="main" tabindex="-1">
    <div class="page-head"><div>
      <h1>Account</h1>
      <p class="quiet">${standing(me)}</p>
    </div></div>
    ${
      me === undefined
        ? html`<div class="account-wait"></div>`
        : html`<div class="two-columns"><${Own} me=${me} /></div>`
    }
  </main>`;
}

/**
 * Everything stands in one row of children: what somebody has typed stays when a guest is made for him.
 * @param {{me: any}} props
 */
function Own({ me }) {
  const hasAccount = me !== null && me.kind !== "guest";
  return html`
    ${me && html`<${Purse} me=${me} />`}
    ${!hasAccount && html`<${MakeAccount} me=${me} />`}
    ${!hasAccount && html`<${LogIn} me=${me} />`}
    ${hasAccount && html`<${Password} />`}
    ${hasAccount && html`<${Sessions} />`}
    ${me && html`<${Belongings} me=${me} />`}
  `;
}

/** @param {any} me */
function standing(me) {
  if (me === undefined) return "Loading…";
  if (me === null) return "You have not begun. Nothing is needed to play: a guest is made when you sit down.";
  if (me.kind === "guest") return `You play as ${me.name}, a guest. This browser is the only key to it.`;
  return `You are logged in as ${me.name}.`;
}

/** @param {{title: string, children?: any}} props */
function Part({ title, children }) {
  return html`<section class="card-like"><h2>${title}</h2>${children}</section>`;
}

/**
 * A form that is sent without leaving the page, and knows which field a refusal is about.
 * @param {object} props
 * @param {string} props.id
 * @param {string} props.action what its button says
 * @param {string} [props.look] of its button
 * @param {Record<string, string>} props.blame which field each code is about; others are told below
 * @param {Record<string, string>} [props.words] what to say of a code, where the server's words are for another place
 * @param {{name: string, label: string, hint?: string, [attribute: string]: any}[]} props.fields
 * @param {(values: Record<string, string>) => Promise<void>} props.send
 * @param {any} [props.children] what stands beside its button
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
      await send(/** @type {Record<string, string>} */ (Object.fromEntries(new FormData(form.current))));
      form.current?.reset();
    } catch (problem) {
      if (!(problem instanceof Problem)) complain(problem);
      else {
        const field = blame[problem.code] ?? "";
        setFault({ field, text: words[problem.code] ?? [problem.message, ...problem.faults].map(sentence).join(" ") });
        form.current?.elements[field]?.focus();
      }
    }
    setBusy(false);
  };
  return html`<form class="form" ref=${form} onSubmit=${submit}>
    ${fields.map(({ name, label, hint, ...rest }) => {
      const isWrong = fault?.field === name;
      const said = isWrong ? fault?.text : hint;
      return html`<div class="field" key=${name}>
        <label for=${`${id}-${name}`}>${label}</label>
        <input id=${`${id}-${name}`} name=${name} required autocapitalize="none" spellcheck=${false}
          aria-invalid=${isWrong ? "true" : undefined} aria-describedby=${said ? `${id}-${name}-said` : undefined} ...${rest} />
        ${said && html`<p id=${`${id}-${name}-said`} class=${isWrong ? "bad" : "quiet"}>${said}</p>`}
      </div>`;
    })}
    <p class="bad" role="alert">${fault && fault.field === "" ? fault.text : ""}</p>
    <div class="row"><button class=${look} disabled=${isBusy}>${action}</button>${children}</div>
  </form>`;
}

const NAME_HINT = "2 to 24 letters, digits, - and _, the first a letter. Others see it.";
const OLD = { type: "password", autocomplete: "current-password", maxlength: 256 };
const NEW = { type: "password", autocomplete: "new-password", minlength: 8, maxlength: 256 };
const WRONG = { "wrong-password": "This is not your password." };
const PASSWORD_HINT = "At least 8 characters; a few words in a row are good. There is no way to get it back.";

/** @param {{me: any}} props */
function MakeAccount({ me }) {
  const send = async (/** @type {Record<string, string>} */ { name, password }) => {
    await begin();
    welcome(await post("me/account", { name, password }));
    tell(`You are ${name} now, and keep what you have.`);
  };
  return html`<${Part} title="Make an account">
    <p>${me ? "You keep your chips and your rounds, and can log in elsewhere." : "It begins with $1,000 in play money."}</p>
    <p class="quiet">What is kept: the name, a hash of the password, your rounds, when you were logged in, and a random number for
      each device that you log in from. No address, no mail, nothing about money.</p>
    <${Form} id="new" action="Make an account" look="gold" send=${send}
      blame=${{ "bad-name": "name", "name-taken": "name", "bad-password": "password" }}
      fields=${[
        { name: "name", label: "Name", hint: NAME_HINT, autocomplete: "username", minlength: 2, maxlength: 24 },
        { name: "password", label: "Password", hint: PASSWORD_HINT, ...NEW },
      ]} />
  <//>`;
}

/** @param {{me: any}} props */
function LogIn({ me }) {
  const send = async (/** @type {Record<string, string>} */ { name, password }) => {
    welcome(await post("sessions", { name, password }));
    tell(`Welcome back, ${name}.`);
  };
  return html`<${Part} title="Log in">
    <p class="quiet">If you have an account already.${me && ` The guest ${me.name} and his chips stay behind.`}</p>
    <${Form} id="known" action="Log in" send=${send} blame=${{ "wrong-password": "password", "locked-out": "password" }}
      fields=${[
        { name: "name", label: "Your name", autocomplete: "username", maxlength: 24 },
        { name: "password", label: "Your password", ...OLD },
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
      welcome(await doOnce("me/chips"));
      tell("You have $1,000 more.");
    } catch (problem) {
      if (problem instanceof Problem && problem.status < 500 && problem.status > 0) setSaid(sentence(problem.message));
      else complain(problem);
    }
    setBusy(false);
  };
  return html`<${Part} title="Chips">
    <p class="sum">${money(me.chips)}</p>
    ${me.in_play > 0 && html`<p>${money(me.in_play)} of yours is in play besides.</p>`}
    <p class="quiet">Play money only: chips cannot be bought, sold or paid out. Who has less than $100 may ask for another
      $1,000.</p>
    ${me.kind !== "operator" &&
    html`<div class="row"><button disabled=${isBusy} onClick=${ask}>Ask for chips</button></div>`}
    <p class="bad" role="alert">${said}</p>
  <//>`;
}

function Password() {
  const send = async (/** @type {Record<string, string>} */ values) => {
    welcome(await put("me/password", { old: values.old, new: values.new }));
    tell("The password is changed, and you are logged out everywhere else.");
  };
  return html`<${Part} title="Change the password">
    <${Form} id="change" action="Change it" send=${send} words=${WRONG}
      blame=${{ "wrong-password": "old", "locked-out": "old", "bad-password": "new" }}
      fields=${[
        { name: "old", label: "Password until now", ...OLD },
        { name: "new", label: "New password", hint: PASSWORD_HINT, ...NEW },
      ]} />
  <//>`;
}

/** @typedef {import("../types/api").SessionAnswer} SessionAnswer */

function Sessions() {
  const me = useStore(session);
  const [all, setAll] = useState(/** @type {SessionAnswer[] | null} */ (null));
  const look = () => get("sessions").then(setAll, complain);
  useEffect(() => {
    look();
  }, [me?.player]);
  const end = async (/** @type {SessionAnswer | null} */ one) => {
    try {
      await del(one ? `sessions/${one.current ? "current" : encodeURIComponent(one.session)}` : "sessions");
    } catch (problem) {
      complain(problem);
      return;
    }
    if (one && !one.current) {
      look();
      return;
    }
    welcome(null);
    tell(one ? "You are logged out here." : "You are logged out everywhere.");
  };
  const here = all?.find(({ current }) => current);
  return html`<${Part} title="Where you are logged in">
    <table>
      <thead><tr>
        <th scope="col">Since</th><th scope="col">Until, if not used</th>
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
              : html`<button class="link" onClick=${() => end(one)}>Log out<span class="unseen"> there</span></button>`
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
    welcome(null);
    tell("You are deleted. Nothing here leads to you any more.");
  };
  return html`<${Part} title="What is known of you">
    <p class="quiet">All of it, as one JSON object a line: who you are, your sessions, your chips and your rounds.</p>
    <div class="row">
      <a class="button" href="/api/me/export" download="croupier-export.jsonl">Download it</a>
      <button onClick=${() => setOpen(true)}>${isGuest ? "Delete this guest" : "Delete the account"}…</button>
    </div>
    <${Dialog} isOpen=${isOpen} hide=${() => setOpen(false)} title=${`Delete ${isGuest ? "this guest" : "the account"}?`}>
      <p>The name ${me.name}, your chips and your sessions go away, and cannot be brought back. Rounds stay in the journals
        of their tables, under an id that no longer leads to you.</p>
      <${Form} id="delete" action="Delete for good" send=${remove} words=${WRONG}
        blame=${{ "wrong-password": "password", "locked-out": "password" }}
        fields=${isGuest ? [] : [{ name: "password", label: "Your password", ...OLD }]}>
        <button type="button" onClick=${() => setOpen(false)}>Keep it</button>
      <//>
    <//>
  <//>`;
}
