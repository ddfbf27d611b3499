import { setTimeout as pass } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { lockWaitMs } from "../../src/store/db/lock-wait.ts";
import { isPostgresUrl } from "../../src/store/db/open-database.ts";
import { openRaw } from "../store/history-file.ts";
import { askFor, configWith, press } from "../support/approval-journey.ts";
import { holdLock } from "../support/hold-lock.ts";
import { ask, changesSentTo, openForm, textOf } from "../support/journey.ts";
import { isOnPostgres } from "../support/on-postgres.ts";
import { type Curfew, startCurfew } from "../support/start-curfew.ts";

const nothingDone = "Nothing was done";
const config = configWith("{ operations: [ModifyUser], approvers: [admin] }");

let curfew: Curfew;
let release: () => Promise<void> = async () => undefined;
beforeEach(async () => {
  curfew = await startCurfew({ config });
});
afterEach(async () => {
  await release();
  await curfew.stop();
});

const hold = async (...how: [("immediate" | "exclusive")?]) => {
  release = await holdLock(curfew.database, ...how);
};

/** The longest block of the event loop in ms, until the returned function is called. */
function watchEventLoop(): () => number {
  let longest = 0;
  let last = performance.now();
  const timer = setInterval(() => {
    const now = performance.now();
    longest = Math.max(longest, now - last);
    last = now;
  }, 5);
  return () => {
    clearInterval(timer);
    return longest;
  };
}

async function recorded(): Promise<readonly string[]> {
  const rows = await openRaw(curfew.database).selectFrom("change").select(["words", "state"]).execute();
  return rows.map(({ words, state }) => `${words} ${state}`);
}

/** The messages to one person only. */
const messagesTo = (who: string) => {
  const person = curfew.workspace.as(who);
  return [...person.messages("ops"), ...person.messages("dm")]
    .filter(({ isFromApp, ephemeralTo, channelId }) => isFromApp && (ephemeralTo === person.id || channelId[0] === "D"))
    .map(textOf);
};

/** No block comes near the seconds of the lock timeout, even on a slow machine. */
const standstillMs = 1000;

describe("Curfew with a database locked by another program", () => {
  // PostgreSQL has only the one.
  it.each(isOnPostgres ? (["exclusive"] as const) : (["immediate", "exclusive"] as const))(
    "(%s) makes no unrecorded change, and says so",
    async (how) => {
      const sent = changesSentTo(curfew);
      await hold(how);
      const stopped = watchEventLoop();
      const lines = ["exclude i-0a1 for 1h", "exclude i-0a2 for 2h", "user disable dave@example.com"];
      const answers = await Promise.all(
        ["alice", "carol", "bob"].map((who, index) => ask(curfew, who, lines[index] ?? "")),
      );
      expect(stopped()).toBeLessThan(standstillMs);
      for (const { text } of answers) expect(text).toContain(nothingDone);
      await release();
      await curfew.app.idle();
      expect(sent()).toEqual([]);
      expect(await recorded()).toEqual([]);
      expect((await ask(curfew, "alice", "exclude i-0a1 for 1h")).text).toContain("Keeping i-0a1");
      expect(sent()).toEqual(["CreateActionExclusion"]);
    },
  );

  it("makes none of several changes to one target, however long the lock lasts", async () => {
    const { text: made } = await ask(curfew, "alice", "exclude i-0a1 for 1h");
    const id = /aex-\d+/.exec(made)?.[0] ?? "";
    await curfew.app.idle();
    const sent = changesSentTo(curfew);
    await hold();
    const typed = [2, 3, 4, 5].map((hours) =>
      curfew.workspace.as("carol").type(`/curfew exclusion extend ${id} for ${hours}h`, "ops"),
    );
    expect(await Promise.all(typed)).toEqual(typed.map(() => ({ ok: true })));
    await curfew.workspace.waitFor(
      () => messagesTo("carol").filter((text) => text.includes(nothingDone)).length === 4,
      {
        what: "four notices",
      },
    );
    await release();
    await curfew.app.idle();
    expect(sent()).toEqual([]);
    expect((await recorded()).filter((row) => row.startsWith("exclusion extend"))).toEqual([]);
  });

  it("performs no unrecorded approval, and accepts it when it is repeated", async () => {
    const { card } = await askFor(curfew, "bob", "user disable dave@example.com");
    const sent = changesSentTo(curfew);
    await hold();
    expect((await press(curfew, "carol", "Approve", card)).text).toContain(nothingDone);
    await release();
    await curfew.app.idle();
    expect(sent()).toEqual([]);
    expect(await recorded()).toEqual(["user disable awaiting-approval"]);
    expect((await press(curfew, "carol", "Approve", card)).text).toContain("You approved it.");
    expect(sent()).toEqual(["ModifyUser"]);
  });

  it("recovers after a lock longer than any wait for it, and answers what it can read in the meantime", async () => {
    await hold();
    const stopped = watchEventLoop();
    const isReadable = !isPostgresUrl(curfew.database);
    if (isReadable) expect((await ask(curfew, "carol", "whoami")).text).toContain("admin");
    expect((await ask(curfew, "alice", "exclude i-0a1 for 1h")).text).toContain(nothingDone);
    await pass(lockWaitMs);
    expect(stopped()).toBeLessThan(standstillMs);
    await release();
    expect((await ask(curfew, "alice", "exclude i-0a1 for 2h")).text).toContain("Keeping i-0a1");
    expect(await recorded()).toEqual(["exclusion create succeeded"]);
  });

  it("sends no change from a form and saves no group", async () => {
    const sent = changesSentTo(curfew);
    await openForm(curfew, "bob", "user disable");
    await curfew.workspace.as("bob").fill({ User: "dave (u-00000004)" });
    await hold();
    const [form, group] = await Promise.all([
      curfew.workspace.as("bob").submit(),
      ask(curfew, "alice", "group save night i-0a1"),
    ]);
    expect(form).toEqual({ kind: "errors", errors: { User: expect.stringContaining(nothingDone) } });
    expect(group.text).toContain(nothingDone);
    await release();
    await curfew.app.idle();
    expect(sent()).toEqual([]);
    expect(await recorded()).toEqual([]);
    expect((await ask(curfew, "alice", "group list")).text).not.toContain("night");
  });
});
