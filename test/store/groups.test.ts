import { expect, test } from "vitest";
import { execute } from "../support/execute.ts";
import { newDatabase } from "../support/new-database.ts";
import { verify } from "./history-file.ts";
import { openTestStore } from "./open-test-store.ts";
import { saveGroup } from "./save-group.ts";

const group = { type: "amazon-ec2-instance", project: "p-dev", ids: ["i-0a1"] } as const;

test("omits and reports an unreadable group, and keeps the others", async () => {
  const file = await newDatabase();
  const unreadable: string[] = [];
  const store = await openTestStore(file, { onUnreadable: ({ table, id }) => void unreadable.push(`${table} ${id}`) });
  for (const name of ["good", "odd", "torn"]) await saveGroup(store, name, group);
  await execute(file, "update resource_group set type = 'mainframe' where name = 'odd'");
  await execute(file, "update resource_group set ids_json = '[' where name = 'torn'");
  expect(await store.groups()).toEqual({ good: group });
  expect(unreadable).toEqual(["resource_group odd", "resource_group torn"]);
  expect(await store.findGroup("odd")).toEqual({ ...group, type: "mainframe" });
  expect(await store.findGroup("torn")).toEqual({ ...group, ids: [] });
});

test("keeps the actions of a group, none and unknown apart, and reads what it can of a torn one", async () => {
  const file = await newDatabase();
  const store = await openTestStore(file, { onUnreadable: () => undefined });
  const groups = { some: { ...group, actions: ["a-1", "a-2"] }, none: { ...group, actions: [] }, unknown: group };
  for (const [name, each] of Object.entries(groups)) await saveGroup(store, name, each);
  expect(await store.groups()).toStrictEqual(groups);
  for (const [name, each] of Object.entries(groups)) expect(await store.findGroup(name)).toStrictEqual(each);
  await saveGroup(store, "some", group, "chg-again");
  expect(await store.findGroup("some")).toStrictEqual(group);
  await execute(file, "update resource_group set actions_json = '{' where name = 'none'");
  expect(Object.keys(await store.groups())).toEqual(["some", "unknown"]);
  expect(await store.findGroup("none")).toStrictEqual(group);
});

test("concurrent saves of one name each return what they replaced, and all are in the history", async () => {
  const file = await newDatabase();
  const store = await openTestStore(file);
  const formers = await Promise.all(
    Array.from({ length: 6 }, (_each, index) =>
      saveGroup(store, "race", { ...group, ids: [`i-${index}`] }, `chg-${index}`),
    ),
  );
  const left = (await store.groups()).race?.ids;
  expect([...formers.map((former) => former?.ids[0]), left?.[0]].sort()).toEqual([
    ...Array.from({ length: 6 }, (_each, index) => `i-${index}`),
    undefined,
  ]);
  expect(await verify(file)).toMatchObject({ kind: "intact", length: 6 });
});

test("does not save a group whose change cannot be recorded", async () => {
  const store = await openTestStore();
  await saveGroup(store, "kept", group);
  await expect(saveGroup(store, "other", group, "chg-kept")).rejects.toThrow();
  expect(await store.groups()).toEqual({ kept: group });
});
