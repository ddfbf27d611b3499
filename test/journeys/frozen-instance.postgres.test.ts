import { afterEach, describe, expect, it } from "vitest";
import { openRaw } from "../store/history-file.ts";
import { askFor, usersNeedAnAdmin } from "../support/approval-journey.ts";
import { createClock } from "../support/clock.ts";
import { ask, changesSentTo, fillIn, messagesAfter, openForm, textOf } from "../support/journey.ts";
import { createSignal } from "../support/signal.ts";
import { type Curfew, startCurfew } from "../support/start-curfew.ts";
import { loseAnswers } from "../support/unknown-outcome.ts";

let running: Curfew | undefined;
afterEach(async () => {
  await running?.stop();
  running = undefined;
});

describe("an instance that stands still, and goes on after another has taken it for gone", () => {
  /** While carol asks, the instance waits for Slack. The other one answers her, and sends this to the service; the first sends nothing. */
  const freezeWhile = async (
    prepare: (curfew: Curfew) => Promise<() => Promise<unknown>>,
    { said, own, sends }: { readonly said: string; readonly own: string; readonly sends: readonly string[] },
  ) => {
    const clock = createClock();
    const curfew = await startCurfew({ config: usersNeedAnAdmin, now: clock.now });
    running = curfew;
    const act = await prepare(curfew);
    // Past what Slack said of her.
    clock.advance(61_000);
    const db = openRaw(curfew.database);
    const frozen = await db.selectFrom("instance").select("id").execute();
    const thaw = createSignal();
    curfew.workspace.faults.failNext("users.info", { until: thaw.given });
    const sent = changesSentTo(curfew);
    const acting = act();
    await expect.poll(() => db.selectFrom("receipt").select("id").execute()).toHaveLength(1);
    await expect.poll(() => curfew.workspace.faults.planned).toEqual([]);
    await curfew.addInstance({ heartbeatEveryMs: 20 });
    const ids = frozen.map(({ id }) => id);
    await db.updateTable("instance").set({ seen_at: 0 }).where("id", "in", ids).execute();
    const all = () =>
      ["ops", "dm"]
        .flatMap((where) => curfew.workspace.as("carol").messages(where))
        .map(textOf)
        .join("\n");
    await curfew.workspace.waitFor(() => all().includes(said), { what: "the other's answer" });
    thaw.give();
    await acting;
    await curfew.workspace.waitFor(() => all().includes(own), {
      what: "its own",
    });
    expect(sent()).toEqual(sends);
    return curfew;
  };

  it("does not perform a form of which the other has said that nothing was done", async () => {
    await freezeWhile(
      async (curfew) => {
        await openForm(curfew, "carol", "exclude");
        await fillIn(curfew, "carol", { What: "staging" });
        return () => curfew.workspace.as("carol").submit();
      },
      { said: "Nothing was done for it", own: "another part has taken over your request", sends: [] },
    );
  });

  it("does not count an approval again that the other has counted", async () => {
    const curfew = await freezeWhile(
      async (started) => {
        const { card } = await askFor(started);
        return () => started.workspace.as("carol").press("Approve", card);
      },
      { said: "You approved it", own: "You already approved this", sends: ["ModifyUser"] },
    );
    expect(await openRaw(curfew.database).selectFrom("decision").selectAll().execute()).toHaveLength(1);
  });

  it("does not find out again what the other has found out", async () => {
    await freezeWhile(
      async (curfew) => {
        const { exclusionId } = await ask(curfew, "carol", "exclude staging for 2h");
        loseAnswers(curfew, "ModifyActionExclusion", "reset-before");
        const unknown = await ask(curfew, "carol", `extend ${exclusionId} 1h`);
        return () =>
          messagesAfter(curfew, "carol", () => curfew.workspace.as("carol").press("Check now", unknown.message));
      },
      { said: ": now until", own: "This was settled before", sends: ["ModifyActionExclusion"] },
    );
  });
});
