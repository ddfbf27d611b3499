import { expect, test } from "vitest";
import { noon } from "../changes/build.ts";
import { newDatabase } from "../support/new-database.ts";
import { execute, openTestStore } from "./open-test-store.ts";

test("a saved group that cannot be read is left out and reported, and the others stand", async () => {
  const file = await newDatabase();
  const unreadable: string[] = [];
  const store = await openTestStore(file, { onUnreadable: ({ table, id }) => void unreadable.push(`${table} ${id}`) });
  const group = { type: "amazon-ec2-instance", project: "p-dev", ids: ["i-0a1"] } as const;
  for (const name of ["Good", "Odd", "Torn"]) await store.saveGroup(name, group, "U01ALICE", noon);
  await execute(file, "update resource_group set type = 'mainframe' where name = 'odd'");
  await execute(file, "update resource_group set ids_json = '[' where name = 'torn'");
  expect(await store.groups()).toEqual({ good: group });
  expect(unreadable).toEqual(["resource_group odd", "resource_group torn"]);
});
