import { expect, it } from "vitest";
import { unseal } from "../../src/slack/people/shared-list.ts";
import { openRaw } from "../store/history-file.ts";
import { openTestStore } from "../store/open-test-store.ts";
import { execute } from "../support/execute.ts";
import { newDatabase } from "../support/new-database.ts";
import { idsOf, manyPeople } from "./people-scene.ts";

/** Instances on one database, each with its heartbeat. */
async function instances(count: number, tokens: readonly string[] = []) {
  const scene = await manyPeople(300);
  const database = await newDatabase();
  const stores = await Promise.all(Array.from({ length: count }, () => openTestStore(database)));
  for (const store of stores) await store.beat();
  const all = stores.map((store, index) =>
    scene.startInstance({ list: store.peopleList, token: tokens[index] ?? "xoxb-1" }),
  );
  const [one, other] = all;
  if (!one || !other) throw new Error("Two instances at least.");
  const isMember = async (actors: typeof one, id: string) =>
    (await actors.actor(id, "exclusion")).membership === "member";
  return { ...scene, database, stores, all, one, other, isMember };
}

const rowOf = (database: string) => openRaw(database).selectFrom("people_list").selectAll().executeTakeFirst();
const stored = async (database: string) => (await rowOf(database))?.people;

it("three instances cost about as many calls as one", async () => {
  const { all, clock, counted } = await instances(3);
  const minutes = 4;
  for (let second = 0; second < minutes * 60; second++) {
    await Promise.all(
      all.map((actors, index) => actors.actor(`U${1000 + ((second * 5 + index * 100) % 300)}`, "exclusion")),
    );
    clock.now += 1000;
    if (second % 5 === 0) for (const actors of all) await actors.refresh();
  }
  // Each begins with people one by one; the page is read twice a minute, and once more by each that joins.
  expect(counted("users.info")).toBeLessThanOrEqual(3 * 17);
  expect(counted("users.list")).toBeLessThanOrEqual(minutes * 2 + 3);
});

it("what another instance read counts from before it began to read, and no longer than a minute", async () => {
  const { one, other, pass, clock, workspace, counted, isMember } = await instances(2);
  await pass(one, idsOf(20), 100);
  await pass(other, idsOf(20), 100);
  clock.now += 26_000;
  await other.refresh();
  const lookedAt = clock.now;
  clock.now += 5000;
  await one.refresh();
  clock.now += 2000;
  const pages = counted("users.list");
  await other.refresh();
  expect(counted("users.list")).toBe(pages);
  expect(await isMember(other, "U1250")).toBe(true);
  const alone = counted("users.info");
  await workspace.changes.changePerson("U1251", { deleted: true });
  clock.now = lookedAt + 59_999;
  expect(await isMember(other, "U1251")).toBe(true);
  expect(counted("users.info")).toBe(alone);
  clock.now = lookedAt + 60_000;
  expect(await isMember(other, "U1251")).toBe(false);
});

it("an instance that stops in the middle of its reading holds up no other", async () => {
  const { one, other, pass, stores, clock, isMember, counted } = await instances(2);
  await pass(one, idsOf(20), 100);
  await pass(other, idsOf(20), 100);
  clock.now += 31_000;
  const { begun = 0 } = (await stores[0]?.peopleList?.look()) ?? {};
  expect(await stores[0]?.peopleList?.begin(begun)).toBe(true);
  await other.refresh();
  clock.now += 31_000;
  const pages = counted("users.list");
  await other.refresh();
  expect(counted("users.list")).toBe(pages + 1);
  expect(await isMember(other, "U1250")).toBe(true);
  // What the stopped one leaves late is nobody's.
  await stores[0]?.peopleList?.put(begun + 1, "late");
  expect(await stores[1]?.peopleList?.take(begun + 1)).toBeUndefined();
});

it("while another instance reads on, only the first of those who are not known wait a second for it", async () => {
  const { other, pass, stores, clock } = await instances(2);
  await pass(other, idsOf(20), 100);
  clock.now += 29_000;
  await other.refresh();
  clock.now += 2000;
  expect(await stores[0]?.peopleList?.begin(1)).toBe(true);
  clock.now += 1000;
  const began = performance.now();
  for (const id of idsOf(6)) await other.find(`${id}NOBODY`);
  expect(performance.now() - began).toBeLessThan(2500);
});

it("names and addresses are not readable in the database, and count only with the same bot's token", async () => {
  const { one, other, pass, clock, database, isMember, logged } = await instances(2, ["xoxb-1", "xoxb-2"]);
  await pass(one, idsOf(20), 100);
  const text = (await stored(database)) ?? "";
  expect(text.length).toBeGreaterThan(100);
  expect(Buffer.from(text, "base64").toString("latin1")).not.toMatch(/U1005|example/);
  await expect(unseal(text, "xoxb-2", 1)).rejects.toThrow();
  expect(JSON.stringify(await unseal(text, "xoxb-1", 1)).slice(0, 9000)).toContain("U1005@example.com");
  // What cannot be read is as if it were not there.
  await pass(other, idsOf(20), 100);
  clock.now += 26_000;
  await other.refresh();
  clock.now += 5000;
  await one.refresh();
  for (const people of [await stored(database), "AAAA"]) {
    await execute(database, `update people_list set people = '${people}'`);
    await other.refresh();
    expect(await isMember(other, "U1280")).toBe(true);
  }
  // Each says so once.
  expect(logged.filter((line) => line.includes("could not read the list of people"))).toHaveLength(2);
});

it.each([
  ["a row that went back, by a failover to a standby that lacks the last commit", 0],
  ["a text that was put under a later number", 2],
])("%s, is no fresh reading", async (_what, later) => {
  const { one, other, pass, clock, database, workspace, isMember } = await instances(2);
  await pass(one, idsOf(40), 1000);
  const old = await rowOf(database);
  expect(old).toMatchObject({ begun: 1, done: 1 });
  await workspace.changes.changePerson("U1200", { deleted: true });
  clock.now += 60 * 60_000;
  await pass(other, idsOf(40), 1000);
  clock.now += 5000;
  const number = 1 + later;
  await execute(database, `update people_list set begun = ${number}, done = ${number}, people = '${old?.people}'`);
  await other.refresh();
  expect(await isMember(other, "U1200")).toBe(false);
});

it("an instance alone leaves nothing there, and cleaning or the end of the last one takes away what lies there", async () => {
  const { one, pass, database, stores, clock } = await instances(2);
  await stores[1]?.leave();
  await pass(one, idsOf(20), 100);
  clock.now += 31_000;
  await one.refresh();
  expect(await stored(database)).toBe("");
  await stores[1]?.beat();
  clock.now += 31_000;
  await one.refresh();
  expect(await stored(database)).not.toBe("");
  await stores[0]?.clean(0, 10);
  expect(await stored(database)).toBe("");
  clock.now += 31_000;
  await one.refresh();
  await stores[1]?.leave();
  expect(await stored(database)).not.toBe("");
  await stores[0]?.leave();
  expect(await stored(database)).toBe("");
});
