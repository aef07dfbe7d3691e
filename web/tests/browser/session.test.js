import assert from "node:assert/strict";

import { browserTests } from "./harness.js";
import { button, chipsOf } from "./actions.js";

/** The errors that a browser logs when a password is refused. */
const REFUSED = /status of 401/;

/** The player that the server knows this browser as. */
const me = async (page) => (await page.request.get("/api/me")).json();

/** Begins as a guest, and opens the account page. */
async function guest(here) {
  const ann = await here.enter();
  here.expect(ann, REFUSED);
  const headers = { Origin: here.server.url };
  const answer = await ann.request.post("/api/guests", { data: {}, headers });
  assert.ok(answer.ok());
  await ann.evaluate(() => localStorage.setItem("croupier.known", "yes"));
  await ann.goto("/account");
  await ann.getByText(/, a guest\./).waitFor();
  return ann;
}

/** Turns the guest into an account with this password. */
async function makeAccount(ann, name, password) {
  const form = ann.locator("form", { has: button(ann, "Create account") });
  await form.getByLabel("Name").fill(name);
  await form.getByLabel("Password").fill(password);
  await button(ann, "Create account").click();
  await ann.getByText(`You're logged in as ${name}.`).waitFor();
}

browserTests("a wrong password", (here) => {
  here.it("does not cost a guest their chips", async () => {
    const ann = await guest(here);
    const before = await me(ann);
    const form = ann.locator("form", { has: button(ann, "Log in") });
    await form.getByLabel("Your name").fill("another-player");
    await form.getByLabel("Your password").fill("not the password");
    await button(ann, "Log in").click();
    await ann.getByText(/wrong name or password/i).waitFor();
    assert.equal(await chipsOf(ann), before.chips);
    await ann.getByText(/, a guest\./).waitFor();
    await ann.getByRole("link", { name: /^(Play|Tables)$/ }).first().click();
    await button(ann, "Play now").first().click();
    await ann.waitForURL(/\/tables\//);
    assert.equal((await me(ann)).player, before.player);
  });

  here.it("in a change of password leaves the player logged in", async () => {
    const ann = await guest(here);
    await makeAccount(ann, "mistyper", "correct horse battery");
    const form = ann.locator("form", { has: button(ann, "Change it") });
    await form.getByLabel("Current password").fill("incorrect horse");
    await form.getByLabel("New password").fill("another good one");
    await button(ann, "Change it").click();
    await ann.getByText("That's not your password.").waitFor();
    await ann.getByText("You're logged in as mistyper.").waitFor();
  });

  here.it("deletes nothing, and says so in the dialog", async () => {
    const ann = await guest(here);
    await makeAccount(ann, "no-deleter", "correct horse battery");
    await button(ann, "Delete your account").click();
    const dialog = ann.getByRole("dialog", { name: "Delete your account?" });
    await dialog.getByLabel("Your password").fill("incorrect horse");
    await dialog.getByRole("button", { name: "Delete for good" }).click();
    await dialog.getByText("That's not your password.").waitFor();
    assert.equal((await me(ann)).name, "no-deleter");
  });
});

browserTests("a session that has ended", (here) => {
  here.it("is forgotten, so that the player is asked to log in", async () => {
    const ann = await guest(here);
    await ann.context().clearCookies();
    await ann.goto("/account");
    await ann.getByText("You're not logged in.").waitFor();
    assert.equal(await ann.evaluate(() => localStorage.getItem("croupier.known")), null);
  });
});
