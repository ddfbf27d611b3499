import { expect, test } from "vitest";
import { execute } from "../support/execute.ts";
import { newDatabase } from "../support/new-database.ts";
import { openTestStore } from "./open-test-store.ts";

test("ignores another application's migration table in another schema", async () => {
  const database = await newDatabase("empty");
  await execute(database, "create table migration (name text); create schema own");
  const store = await openTestStore(`${database}?options=${encodeURIComponent("-c search_path=own,public")}`);
  expect(await store.list({ limit: 1 })).toEqual([]);
  await execute(database, "insert into public.migration (name) values ('theirs still')");
});
