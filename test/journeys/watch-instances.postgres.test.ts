import { afterEach, expect, it } from "vitest";
import { openRaw } from "../store/history-file.ts";
import { createClock } from "../support/clock.ts";
import { cardsIn, textOf } from "../support/journey.ts";
import { type Curfew, startCurfew, unlimitedConfig } from "../support/start-curfew.ts";

let running: Curfew | undefined;
afterEach(async () => {
  await running?.stop();
  running = undefined;
});

async function twoInstances() {
  const clock = createClock();
  const curfew = await startCurfew({ config: unlimitedConfig, now: clock.now, elapsedMs: clock.elapsedMs });
  running = curfew;
  const other = await curfew.addInstance();
  const { service, workspace } = curfew;
  const raw = openRaw(curfew.database);
  const poll = async (...apps: (typeof other)["app"][]) => {
    clock.advance(60_000);
    // The heartbeats of that minute: without one, each takes the other for gone.
    await raw
      .updateTable("instance")
      .set((row) => ({ seen_at: row("seen_at", "+", 1) }))
      .execute();
    await Promise.all(apps.map((app) => app.watch()));
    for (const app of apps) await app.idle();
  };
  const edit = (comments: string) => {
    const lastModifiedDate = new Date(clock.now()).toISOString();
    for (const [id, action] of service.account.actions)
      if (id === "a-00000002") service.account.actions.set(id, { ...action, comments, lastModifiedDate });
  };
  // At some hours of the day a stop comes up too.
  const said = () =>
    cardsIn(workspace, "ops")
      .map(textOf)
      .filter((text) => text.startsWith(":pencil2:"));
  const lists = () => service.requests.filter(({ operation }) => operation === "ListActions").length;
  return { curfew, other, poll, edit, said, lists };
}

it("asks the service once, and says a change once, however many instances there are", async () => {
  const { curfew, other, poll, edit, said, lists } = await twoInstances();
  await poll(curfew.app, other.app);
  const before = lists();
  edit("first");
  await poll(curfew.app, other.app);
  expect(lists() - before).toBe(1);
  expect(said()).toEqual([expect.stringContaining("comments: first")]);
});

it("goes on in another instance when one is killed or stops, with what the first had seen", async () => {
  const { curfew, other, poll, edit, said } = await twoInstances();
  await poll(curfew.app);
  await poll(other.app);
  await curfew.crash();
  edit("second");
  await poll(other.app);
  expect(said()).toEqual([expect.stringContaining("comments: second")]);
  const third = await curfew.addInstance();
  await poll(third.app);
  await other.app.stop();
  edit("third");
  await poll(third.app);
  expect(said().slice(1)).toEqual([expect.stringContaining("comments: second → third")]);
});

it("stops in an instance that another has taken for gone, which says nothing a second time", async () => {
  const { curfew, other, poll, edit, said, lists } = await twoInstances();
  await poll(curfew.app);
  const raw = openRaw(curfew.database);
  // As if the first had stood still for half a minute: its heartbeat is gone.
  await raw
    .deleteFrom("instance")
    .where("id", "in", raw.selectFrom("lock").select("instance").where("key", "=", "watch"))
    .execute();
  edit("fourth");
  await poll(other.app);
  const before = lists();
  await poll(curfew.app);
  await poll(curfew.app);
  expect(said()).toEqual([expect.stringContaining("comments: fourth")]);
  expect(lists() - before, "it notices at its next poll").toBe(1);
});
