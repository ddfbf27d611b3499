import { expect, onTestFinished, test } from "vitest";
import { createSeedAccount } from "../../src/sandbox/service/seed-account.ts";
import { openRaw } from "../store/history-file.ts";
import { createClock } from "../support/clock.ts";
import { cardsIn, textOf } from "../support/journey.ts";
import { startCurfew, unlimitedConfig } from "../support/start-curfew.ts";

test("only the instance that watches says which account is silent, from when it watches until another one does", async () => {
  const clock = createClock();
  const config = `${unlimitedConfig}\naccounts:\n  eu: { url: "https://eu.scheduler.example" }\n`;
  const curfew = await startCurfew({
    ...{ config, accounts: { eu: createSeedAccount(clock.now()) }, now: clock.now, elapsedMs: clock.elapsedMs },
    instances: 2,
  });
  onTestFinished(curfew.stop);
  const [other] = curfew.others;
  if (!other) throw new Error("there is one instance");
  const raw = openRaw(curfew.database);
  const poll = async ({ app }: Pick<typeof other, "app">) => {
    clock.advance(60_000);
    await raw
      .updateTable("instance")
      .set((row) => ({ seen_at: row("seen_at", "+", 1) }))
      .execute();
    await app.watch();
    await app.idle();
  };
  const note = async ({ url }: Pick<typeof other, "url">) =>
    (await (await fetch(`${url}/readyz`)).text()).includes("“eu”");
  const reports = () =>
    cardsIn(curfew.workspace, "admins")
      .map(textOf)
      .filter((text) => text.includes("“eu”"));
  await poll(curfew);
  await curfew.services.get("eu")?.faults.down();
  for (const each of [curfew, other, curfew, other]) await poll(each);
  expect([await note(curfew), await note(other)]).toEqual([true, false]);
  // As if the first had stood still for half a minute.
  await raw
    .deleteFrom("instance")
    .where("id", "in", raw.selectFrom("lock").select("instance").where("key", "=", "watch"))
    .execute();
  for (const each of [other, other, curfew]) await poll(each);
  expect([await note(curfew), await note(other)]).toEqual([false, true]);
  // The second one says so too, and nobody that the account works again.
  await curfew.workspace.waitFor(() => reports().length >= 2, { what: "a report of each" });
  expect(reports()).toHaveLength(2);
  expect(cardsIn(curfew.workspace, "admins").map(textOf).join("\n")).not.toContain("works again");
});
