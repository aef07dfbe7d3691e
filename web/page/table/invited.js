// The link that invites to a private table, and the name of the player who sent it.

/**
 * The name of the player who sent the link. Anyone can write anything into a link, so only a name
 * that the server would accept is shown.
 * @returns {string | null}
 */
export function inviter() {
  const name = new URLSearchParams(location.hash.slice(1)).get("from") ?? "";
  return /^[A-Za-z][A-Za-z0-9_-]{1,23}$/.test(name) ? name : null;
}

/**
 * The link that invites to a table.
 * @param {string} table
 * @param {string} invite
 * @param {string | undefined} from the name of the player who sends it
 */
export function invitationLink(table, invite, from) {
  const rest = from ? `&from=${encodeURIComponent(from)}` : "";
  return `${location.origin}/tables/${table}#invite=${invite}${rest}`;
}
