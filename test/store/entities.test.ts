import { describe, expect, test } from "vitest";
import type { DirectoryStore, NewEntity } from "../../src/changes/ports.ts";
import type { ActionExclusion } from "../../src/service/resources.ts";
import { anExclusion, noon } from "../changes/build.ts";
import { createMemoryDirectory } from "../commands/memory-known.ts";
import { execute } from "../support/execute.ts";
import { newDatabase } from "../support/new-database.ts";
import { openTestStore } from "./open-test-store.ts";

const user = (id: string, username: string, emailAddress = `${username}@example.com`): NewEntity => ({
  kind: "user",
  id,
  body: { userId: id, username, emailAddress },
});
const project = (id: string, name?: string): NewEntity => ({
  kind: "project",
  id,
  body: { projectId: id, ...(name ? { name } : {}) },
});
const idsOf = (things: readonly { readonly id: string }[]) => things.map(({ id }) => id);

describe.each<[string, () => Promise<DirectoryStore>]>([
  ["the database", openTestStore],
  ["the tests' memory", async () => createMemoryDirectory([], () => noon)],
])("what is known, in %s", (_where, open) => {
  const openWith = async (...things: readonly NewEntity[]) => {
    const known = await open();
    await known.remember(things);
    return known;
  };

  test("is the last answer about each thing, by kind and id", async () => {
    const known = await openWith(user("u-1", "bob"), user("u-1", "rob", "rob@example.com"), project("u-1"));
    expect(await known.get("user", "u-1")).toEqual({
      kind: "user",
      id: "u-1",
      name: "rob",
      email: "rob@example.com",
      projectId: null,
      ownerId: null,
      endedAt: null,
      body: { userId: "u-1", username: "rob", emailAddress: "rob@example.com" },
    });
    expect(await known.get("project", "u-1")).toMatchObject({ name: null, projectId: "u-1" });
    expect(await known.get("user", "u-2")).toBeUndefined();
  });

  test("is found by no text in which a character stands that databases cannot keep", async () => {
    const known = await openWith(user("u-1", "bob"), user("u-2", "ro\0b"));
    for (const text of ["u-1\0", "bob\0", "\0"]) expect(await known.match("user", text)).toEqual([]);
    expect(await known.get("user", "u-1\0")).toBeUndefined();
    expect(await known.get("user", "u-2")).toMatchObject({ id: "u-2" });
  });

  test("is found by an id in any case as one types", async () => {
    const known = await openWith(project("P-One", "Development"));
    expect(idsOf(await known.search("project", "p-one", 5))).toEqual(["P-One"]);
    expect(idsOf(await known.match("project", "p-one"))).toEqual([]);
  });

  test("keeps fields that no schema names", async () => {
    const known = await openWith({ kind: "project", id: "p-1", body: { projectId: "p-1", budget: { eur: 5 } } });
    expect((await known.get("project", "p-1"))?.body).toEqual({ projectId: "p-1", budget: { eur: 5 } });
  });

  test("is not replaced by what only the config says, nor by a mere mention", async () => {
    const known = await openWith(project("p-1", "Development"));
    await known.configure([project("p-1", "Old name"), project("p-2", "Only configured")]);
    await known.remember([{ kind: "project", id: "p-2", body: { projectId: "p-2" }, weak: true }]);
    expect((await known.get("project", "p-1"))?.name).toBe("Development");
    expect((await known.get("project", "p-2"))?.name).toBe("Only configured");
  });

  test("that only the config says follows the config, and names what was only mentioned", async () => {
    const known = await openWith();
    await known.remember([{ kind: "project", id: "p-3", body: { projectId: "p-3" }, weak: true }]);
    await known.configure([project("p-1", "One"), project("p-2", "Two"), project("p-3", "Three")]);
    await known.configure([project("p-1", "First"), project("p-3", "Three")]);
    expect((await known.get("project", "p-1"))?.name).toBe("First");
    expect(await known.get("project", "p-2")).toBeUndefined();
    expect((await known.get("project", "p-3"))?.name).toBe("Three");
  });

  test("that the service tells of stays when the config no longer names it", async () => {
    const known = await openWith();
    await known.configure([project("p-1", "Configured")]);
    await known.remember([project("p-1", "Renamed")]);
    await known.configure([]);
    expect((await known.get("project", "p-1"))?.name).toBe("Renamed");
  });

  test("keeps where a thing belongs when an answer does not tell it", async () => {
    const credential = { credentialId: "cred-1", name: "AWS" };
    const configured = { kind: "credential", id: "cred-1", body: { ...credential, projectId: "p-dev" } } as const;
    const known = await openWith(configured, {
      kind: "credential",
      id: "cred-1",
      body: { ...credential, name: "Main" },
    });
    expect(await known.get("credential", "cred-1")).toMatchObject({ name: "Main", projectId: "p-dev" });
  });

  const credential = (facts: object = {}): NewEntity => ({
    kind: "credential",
    id: "cred-1",
    body: { credentialId: "cred-1", name: "AWS", ...facts },
  });

  test("of a credential's project is what the config says now, whatever the service has told since", async () => {
    const known = await openWith();
    await known.configure([credential({ projectId: "p-dev" })]);
    await known.remember([credential({ name: "Main" })]);
    await known.configure([credential({ projectId: "p-prod" })]);
    expect(await known.get("credential", "cred-1")).toMatchObject({ name: "Main", projectId: "p-prod" });
    await known.configure([]);
    expect(await known.get("credential", "cred-1")).toMatchObject({ name: "Main", projectId: null });
  });

  test("stays gone when only the config still names it, and is back when the service tells of it", async () => {
    const known = await openWith();
    await known.configure([credential()]);
    await known.remember([{ kind: "credential", id: "cred-1", at: noon }]);
    for (let count = 0; count < 2; count++) await known.configure([credential()]);
    expect(await known.get("credential", "cred-1")).toMatchObject({ endedAt: noon });
    await known.remember([credential()]);
    expect(await known.get("credential", "cred-1")).toMatchObject({ endedAt: null });
    expect(idsOf(await known.match("credential", "aws"))).toEqual(["cred-1"]);
  });

  test("is not replaced by an answer that was overtaken", async () => {
    const modified = (name: string, lastModifiedDate: string | undefined) => credential({ name, lastModifiedDate });
    const known = await openWith(modified("New", "2026-11-20T12:00:00.5Z"), modified("Old", "2026-11-20T12:00:00Z"));
    expect((await known.get("credential", "cred-1"))?.name).toBe("New");
    await known.remember([modified("Same time", "2026-11-20T12:00:00.500Z")]);
    expect((await known.get("credential", "cred-1"))?.name).toBe("Same time");
    await known.remember([modified("Undated", undefined), modified("Dated", "2020-01-01T00:00:00Z")]);
    expect((await known.get("credential", "cred-1"))?.name).toBe("Dated");
  });

  test("keeps who created a thing when it is changed by somebody else", async () => {
    const made = { kind: "exclusion", id: "ae-1", body: anExclusion() } as const;
    const known = await openWith({ ...made, ownerId: "U01ALICE" }, { ...made, body: anExclusion({ name: "longer" }) });
    expect(await known.get("exclusion", "ae-1")).toMatchObject({ name: "longer", ownerId: "U01ALICE" });
  });

  test("a name or an address matches in any case, and as a whole only", async () => {
    const known = await openWith(user("u-1", "Bob", "Bob@Example.com"), user("u-2", "bobby"));
    expect(idsOf(await known.match("user", " bOB "))).toEqual(["u-1"]);
    expect(idsOf(await known.match("user", "bob@example.COM"))).toEqual(["u-1"]);
    expect(await known.match("user", "bo")).toEqual([]);
    expect(await known.match("project", "bob")).toEqual([]);
  });

  test("an id wins over what is called the same, and must be exact", async () => {
    const known = await openWith(project("p-1", "One"), project("p-2", "p-1"));
    expect(idsOf(await known.match("project", "p-1"))).toEqual(["p-1"]);
    expect(idsOf(await known.match("project", "P-1"))).toEqual(["p-2"]);
  });

  test("all that share a name are given", async () => {
    const known = await openWith(project("p-2", "Shop"), project("p-1", "shop"), project("p-3", "Other"));
    expect(idsOf(await known.match("project", "SHOP"))).toEqual(["p-1", "p-2"]);
  });

  test("what ended is not offered any more, though it can still be looked up", async () => {
    const known = await openWith(project("p-1", "Shop"), project("p-2", "Shop"));
    await known.remember([{ kind: "project", id: "p-1", at: noon }]);
    expect(idsOf(await known.match("project", "shop"))).toEqual(["p-2"]);
    expect(idsOf(await known.match("project", "p-1"))).toEqual([]);
    expect(idsOf(await known.search("project", "", 10))).toEqual(["p-2"]);
    expect((await known.get("project", "p-1"))?.name).toBe("Shop");
  });

  test("a search finds parts of ids, names and addresses, by name, and no more than wanted", async () => {
    const known = await openWith(user("u-1", "zoe"), user("u-2", "Bob"), user("u-3", "anna", "bob.anna@example.com"));
    expect(idsOf(await known.search("user", "BOB", 10))).toEqual(["u-3", "u-2"]);
    expect(idsOf(await known.search("user", "u-", 10))).toEqual(["u-3", "u-2", "u-1"]);
    expect(idsOf(await known.search("user", "", 2))).toEqual(["u-3", "u-2"]);
  });

  test("a search gives as many as are wanted, by name", async () => {
    const many = Array.from({ length: 45 }, (_each, index) => `u-${String(index).padStart(2, "0")}`);
    const known = await openWith(...many.map((id) => user(id, `bob ${id}`)));
    expect(idsOf(await known.search("user", "bob", 100))).toEqual(many);
    expect(idsOf(await known.search("user", "bob", 30))).toEqual(many.slice(0, 30));
  });

  test("a search finds what was learnt, renamed, ended or configured since the last one", async () => {
    const known = await openWith(user("u-1", "bob"));
    const found = async (text: string) => idsOf(await known.search("user", text, 10));
    expect(await found("o")).toEqual(["u-1"]);
    await known.remember([user("u-2", "zoe")]);
    expect(await found("o")).toEqual(["u-1", "u-2"]);
    await known.remember([user("u-1", "rita")]);
    expect(await found("bob")).toEqual([]);
    expect(await found("rita")).toEqual(["u-1"]);
    await known.remember([{ kind: "user", id: "u-2", at: noon }]);
    expect(await found("zoe")).toEqual([]);
    await known.configure([user("u-3", "tom")]);
    expect(await found("tom")).toEqual(["u-3"]);
    await known.configure([]);
    expect(await found("tom")).toEqual([]);
  });

  test.each([
    ["%", "p-percent"],
    ["_", "p-line"],
    ["\\", "p-slash"],
    ["100%_", "p-both"],
  ])("a search takes %s for the character itself", async (text, id) => {
    const names: Record<string, string> = {
      "p-percent": "half %",
      "p-line": "snake_case",
      "p-slash": "back\\slash",
      "p-plain": "plain",
    };
    const both = text === "100%_" ? [project("p-both", "100%_sure"), project("p-near", "1000 sure")] : [];
    const known = await openWith(...Object.entries(names).map(([key, name]) => project(key, name)), ...both);
    expect(idsOf(await known.search("project", text, 10))).toEqual([id]);
  });

  test("an expired exclusion gives its name free, and is still found by its id", async () => {
    const exclusion = (id: string, expiryDate: string | null): NewEntity => ({
      kind: "exclusion",
      id,
      body: anExclusion({ actionExclusionId: id, expiryDate, name: "nightly" }),
    });
    const known = await openWith(
      exclusion("ae-1", "2026-11-20T12:00:00Z"),
      exclusion("ae-2", "2026-11-20T12:00:01Z"),
      exclusion("ae-3", null),
    );
    expect(idsOf(await known.match("exclusion", "nightly"))).toEqual(["ae-2", "ae-3"]);
    expect(idsOf(await known.search("exclusion", "ae", 10)).sort()).toEqual(["ae-2", "ae-3"]);
    expect(idsOf(await known.match("exclusion", "ae-1"))).toEqual(["ae-1"]);
  });

  test("live exclusions are those that have neither ended nor expired, soonest to end first", async () => {
    const exclusion = (id: string, expiryDate: string | null): NewEntity => ({
      kind: "exclusion",
      id,
      body: anExclusion({ actionExclusionId: id, expiryDate }),
    });
    const known = await openWith(
      exclusion("ae-late", "2026-11-21T12:00:00Z"),
      exclusion("ae-over", "2026-11-20T12:00:00Z"),
      exclusion("ae-soon", "2026-11-20T12:00:01Z"),
      exclusion("ae-ended", "2026-11-22T12:00:00Z"),
      exclusion("ae-unknown", null),
    );
    await known.remember([{ kind: "exclusion", id: "ae-ended", at: noon }]);
    expect(idsOf(await known.liveExclusions(noon))).toEqual(["ae-soon", "ae-late"]);
  });

  test("of an exclusion that several learn of at once is known once", async () => {
    const known = await open();
    const resourceIds = ["i-1", "i-2"];
    const expiryDate = "2026-11-21T12:00:00Z";
    const learn = (id: string) =>
      known.remember([
        { kind: "exclusion", id, body: anExclusion({ actionExclusionId: id, resourceIds, expiryDate }) },
      ]);
    const ids = ["ae-1", "ae-2", "ae-3", "ae-4"];
    await Promise.all(ids.flatMap((id) => Array.from({ length: 5 }, () => learn(id))));
    expect(idsOf(await known.liveExclusions(noon, resourceIds))).toEqual(ids);
  });

  test("live exclusions can be asked for by what they name, as they are now", async () => {
    const exclusion = (
      id: string,
      resourceIds: readonly string[],
      change: Partial<ActionExclusion> = {},
    ): NewEntity => ({
      kind: "exclusion",
      id,
      body: anExclusion({
        actionExclusionId: id,
        resourceIds: [...resourceIds],
        expiryDate: "2026-11-21T12:00:00Z",
        ...change,
      }),
    });
    const known = await openWith(
      exclusion("ae-1", ["i-1", "I-2"]),
      exclusion("ae-2", ["i-2", "i-3"]),
      exclusion("ae-3", ["i-2"]),
      exclusion("ae-over", ["i-2"], { expiryDate: "2026-11-20T12:00:00Z" }),
    );
    await known.remember([
      exclusion("ae-3", ["i-3"]),
      { kind: "exclusion", id: "ae-1", at: noon },
      exclusion("ae-4", ["i-2"], { expiryDate: "2026-11-20T13:00:00Z" }),
    ]);
    const about = async (...ids: readonly string[]) => idsOf(await known.liveExclusions(noon, ids));
    expect(await about("I-2")).toEqual(["ae-4", "ae-2"]);
    expect([await about("i-1"), await about("i-9"), await about()]).toEqual([[], [], []]);
    expect(await about("i-3", "i-2")).toEqual(["ae-4", "ae-2", "ae-3"]);
  });

  test("exclusions that name a resource are found also when they are over, and a name by its ARN", async () => {
    const arn = "arn:aws:rds:eu-west-1:1:db:orders";
    const exclusion = (id: string, resourceIds: readonly string[], expiryDate: string): NewEntity => ({
      kind: "exclusion",
      id,
      body: anExclusion({ actionExclusionId: id, resourceIds: [...resourceIds], expiryDate }),
    });
    const known = await openWith(
      exclusion("ae-expired", ["i-1"], "2026-11-20T11:00:00Z"),
      exclusion("ae-ended", ["I-1", "i-2"], "2026-11-21T12:00:00Z"),
      exclusion("ae-arn", [arn], "2026-11-21T12:00:00Z"),
    );
    await known.remember([{ kind: "exclusion", id: "ae-ended", at: noon }]);
    const naming = async (...ids: readonly string[]) => [...idsOf(await known.exclusionsNaming(ids))].sort();
    expect(await naming("i-1")).toEqual(["ae-ended", "ae-expired"]);
    expect(await naming("ORDERS")).toEqual(["ae-arn"]);
    expect([await naming("i-9"), await naming()]).toEqual([[], []]);
  });
});

test("a search finds what another connection wrote since the last one", async () => {
  const file = await newDatabase();
  const known = await openTestStore(file);
  const found = async (text: string) => idsOf(await known.search("user", text, 10));
  await known.remember([user("u-1", "bob", "someone@example.com")]);
  expect(await found("bob")).toEqual(["u-1"]);
  await execute(file, "update entity set name = 'rob', name_key = 'rob' where id = 'u-1'");
  expect(await found("bob")).toEqual([]);
  expect(await found("rob")).toEqual(["u-1"]);
});
