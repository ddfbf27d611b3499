import { afterEach, expect, it } from "vitest";
import { isPostgresUrl } from "../../src/store/db/open-database.ts";
import { execute } from "../support/execute.ts";
import { ask, cardOf, changesSentTo, openForm, send, textOf } from "../support/journey.ts";
import { withOneBot } from "../support/one-bot.ts";

const refusingOnSqlite = [
  "create trigger refused before {what} on change begin select raise(fail, 'disk is full'); end",
];
const refusingOnPostgres = [
  "create or replace function refuse() returns trigger language plpgsql as $$ begin raise 'disk is full'; end $$",
  "create trigger refused before {what} on change execute function refuse()",
];

withOneBot((curfew) => {
  /** Makes the database refuse inserts or updates of changes, as a full disk does. */
  const refuse = async (what: "insert" | "update"): Promise<void> => {
    for (const statement of isPostgresUrl(curfew().database) ? refusingOnPostgres : refusingOnSqlite)
      await execute(curfew().database, statement.replace("{what}", what));
  };
  const allow = () =>
    execute(
      curfew().database,
      isPostgresUrl(curfew().database) ? "drop trigger if exists refused on change" : "drop trigger if exists refused",
    );

  afterEach(allow);

  it("a change that cannot be recorded is not made, and its requester is notified", async () => {
    await refuse("insert");
    const sent = changesSentTo(curfew());
    const { text } = await ask(curfew(), "alice", "exclude staging for 1h --another");
    expect(text).toContain("Curfew could not save this change, so it did not make it. Nothing was changed.");
    expect(sent()).toEqual([]);
    expect(curfew().logged.some((line) => line.includes("could not be recorded and was not performed"))).toBe(true);
  });

  it("a form's change that cannot be recorded is made once when the database recovers", async () => {
    await refuse("insert");
    const sent = changesSentTo(curfew());
    await openForm(curfew(), "bob", "user disable");
    expect((await send(curfew(), "bob", { User: "dave (u-00000004)" })).text).toContain("Nothing was changed.");
    expect(sent()).toEqual([]);
    await allow();
    expect((await ask(curfew(), "bob", "user disable u-00000004")).text).toContain("You disabled dave");
    expect(sent()).toEqual(["ModifyUser"]);
  });

  it("a change whose outcome cannot be recorded is reported as done, and announced later", async () => {
    await refuse("update");
    const { text, changeId } = await ask(curfew(), "alice", "exclude staging for 1h --another");
    expect(text).toMatch(/Keeping staging running until .*\. Curfew could not save the outcome/);
    await allow();
    expect(textOf(await cardOf(curfew(), changeId))).toContain("<@U01ALICE> is keeping *staging* running until");
    expect((await ask(curfew(), "alice", `history ${changeId}`)).text).toMatch(/\ndone: /);
  });

  it("a change whose outcome is still unrecorded is unknown after a restart", async () => {
    await refuse("update");
    const { changeId } = await ask(curfew(), "alice", "exclude staging for 1h --another");
    await curfew().app.stop();
    await allow();
    await curfew().restart();
    expect(textOf(await cardOf(curfew(), changeId))).toContain("Its outcome is unknown: it may have happened.");
    // Her earlier replies must not be taken for another test's reply.
    await curfew().app.idle();
  });
});
