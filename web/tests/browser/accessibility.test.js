import { axe } from "./axe.js";
import { browserTests } from "./harness.js";
import {
  button, checkDown, deal, decide, joinProgram, joinTable, myTurn, openTable, passBank, settlement,
} from "./actions.js";

browserTests("accessibility", (here) => {
  here.it("covers the lobby and its dialogs", async () => {
    const ann = await here.enter();
    await button(ann, "Play now").first().waitFor();
    await axe(ann, "the lobby");
    await ann.keyboard.press("?");
    await ann.getByRole("dialog", { name: "Keys and help" }).waitFor();
    await axe(ann, "the help");
    await ann.keyboard.press("Escape");
    await button(ann, "Open a table").first().click();
    await ann.getByRole("dialog", { name: /^Open a table/ }).waitFor();
    await axe(ann, "opening a table");
  });

  here.it("covers a table of Ultimate Texas Hold'em in every phase", async () => {
    const { link } = await openTable(here);
    const ann = await here.enter({ path: link });
    await button(ann, "Take a seat").waitFor();
    await axe(ann, "the rail");
    await button(ann, "Take a seat").click();
    await button(ann, "Ante").waitFor();
    await axe(ann, "betting");
    await deal(ann);
    await myTurn(ann);
    await axe(ann, "before the flop");
    await ann.keyboard.press("h");
    await ann.getByText(/is best/).first().waitFor();
    await axe(ann, "a hint");
    await decide(ann, "Check");
    await ann.getByText("On the flop").waitFor();
    await axe(ann, "the flop");
    await decide(ann, "Check");
    await ann.getByText("On the river").waitFor();
    await axe(ann, "the river");
    await decide(ann, "Bet 1×");
    await settlement(ann).waitFor();
    await axe(ann, "a settlement");
  });

  here.it("covers a table of Ultimate Three Card Poker", async () => {
    const { link } = await openTable(here, { house: "utcp-standard" });
    const ann = await joinTable(here, link);
    await button(ann, "Ante").waitFor();
    await axe(ann, "betting");
    await deal(ann);
    await myTurn(ann);
    await axe(ann, "the decision");
    await checkDown(ann);
    await axe(ann, "a settlement");
  });

  here.it("covers a table where a player banks", async () => {
    const opened = await openTable(here, { house: "uth-california" });
    const ann = await joinTable(here, opened.link);
    await axe(ann, "waiting for another player");
    await passBank(await joinProgram(here, opened), opened.table);
    await button(ann, "Take the bank").waitFor();
    await axe(ann, "the offer of the bank");
    await button(ann, "Take the bank").click();
    await ann.getByText(/posted/).first().waitFor();
    await axe(ann, "banking");
  });

  here.it("covers the other pages", async () => {
    const { table, link } = await openTable(here);
    const ann = await joinTable(here, link);
    await deal(ann);
    await checkDown(ann);
    for (const [path, what] of [
      ["/history", "the history"], [`/rounds/${table}/1`, "a round"], ["/verify", "verifying"],
      ["/account", "the account"], ["/settings", "the settings"],
    ]) {
      await ann.goto(path);
      await ann.getByRole("heading", { level: 1 }).waitFor();
      await ann.waitForLoadState("networkidle");
      await axe(ann, what);
    }
  });
});
