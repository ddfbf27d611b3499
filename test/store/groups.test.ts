import { expect, test } from "vitest";
import { newDatabase } from "../support/new-database.ts";
import { execute, openTestStore } from "./open-test-store.ts";
import { saveGroup } from "./save-group.ts";

test("a saved group that cannot be read is left out and reported, and the others stand", async () => {
  const file = await newDatabase();
  const unreadable: string[] = [];
  const store = await openTestStore(file, { onUnreadable: ({ table, id }) => void unreadable.push(`${table} ${id}`) });
  const group = { type: "amazon-ec2-instance", project: "p-dev", ids: ["i-0a1"] } as const;
  for (const name of ["good", "odd", "torn"]) await saveGroup(store, name, group);
  await execute(file, "update resource_group set type = 'mainframe' where name = 'odd'");
  await execute(file, "update resource_group set ids_json = '[' where name = 'torn'");
  expect(await store.groups()).toEqual({ good: group });
  expect(unreadable).toEqual(["resource_group odd", "resource_group torn"]);
});
