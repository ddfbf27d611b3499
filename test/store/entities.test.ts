import { describe, expect, test } from "vitest";
import type { NewEntity } from "../../src/directory/directory.ts";
import type { ActionExclusion } from "../../src/service/resources.ts";
import { anExclusion, noon } from "../changes/build.ts";
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
const exclusion = (id: string, facts: Partial<ActionExclusion> = {}): NewEntity => ({
  kind: "exclusion",
  id,
  body: anExclusion({ actionExclusionId: id, ...facts }),
});
const idsOf = (entities: readonly { readonly id: string }[]) => entities.map(({ id }) => id);

describe("the directory", () => {
  const openWith = async (...entities: readonly NewEntity[]) => {
    const directory = await openTestStore();
    await directory.remember(entities);
    return directory;
  };

  test("keeps the last answer about each entity, by kind and id", async () => {
    const directory = await openWith(user("u-1", "bob"), user("u-1", "rob", "rob@example.com"), project("u-1"));
    expect(await directory.get("user", "u-1")).toEqual({
      kind: "user",
      id: "u-1",
      name: "rob",
      email: "rob@example.com",
      projectId: null,
      ownerId: null,
      endedAt: null,
      body: { userId: "u-1", username: "rob", emailAddress: "rob@example.com" },
    });
    expect(await directory.get("project", "u-1")).toMatchObject({ name: null, projectId: "u-1" });
    expect(await directory.get("user", "u-2")).toBeUndefined();
  });

  test("finds every kind by exact id, name or address, ended and expired ones too", async () => {
    const projects = [project("bob", "Bobsled"), project("p-2", "BOB")];
    const directory = await openWith(user("u-1", "bob"), ...projects, exclusion("ae-1", { name: "Bob" }));
    await directory.remember([{ kind: "project", id: "p-2", at: noon }]);
    const found = await directory.named(" bob ");
    expect(found.map(({ kind, id }) => `${kind} ${id}`).sort()).toEqual([
      "exclusion ae-1",
      "project bob",
      "project p-2",
      "user u-1",
    ]);
    expect(found.find(({ id }) => id === "p-2")).toMatchObject({ endedAt: noon, name: "BOB" });
    expect(idsOf(await directory.named("BOB@example.com"))).toEqual(["u-1"]);
    expect(await directory.named("bo")).toEqual([]);
  });

  test("matches no text with a character that databases cannot store", async () => {
    const directory = await openWith(user("u-1", "bob"), user("u-2", "ro\0b"));
    for (const text of ["u-1\0", "bob\0", "\0"]) expect(await directory.match("user", text)).toEqual([]);
    expect(await directory.get("user", "u-1\0")).toBeUndefined();
    expect(await directory.get("user", "u-2")).toMatchObject({ id: "u-2" });
  });

  test("finds an id in any case as one types", async () => {
    const directory = await openWith(project("P-One", "Development"));
    expect(idsOf(await directory.search("project", "p-one", 5))).toEqual(["P-One"]);
    expect(idsOf(await directory.match("project", "p-one"))).toEqual(["P-One"]);
    expect((await directory.get("project", "P-ONE"))?.id).toBe("P-One");
    expect(idsOf(await directory.named("p-one"))).toEqual(["P-One"]);
  });

  test("keeps fields that no schema names", async () => {
    const directory = await openWith({ kind: "project", id: "p-1", body: { projectId: "p-1", budget: { eur: 5 } } });
    expect((await directory.get("project", "p-1"))?.body).toEqual({ projectId: "p-1", budget: { eur: 5 } });
  });

  test("is not overwritten by the config, nor by a mere mention", async () => {
    const directory = await openWith(project("p-1", "Development"));
    await directory.configure([project("p-1", "Old name"), project("p-2", "Only configured")]);
    await directory.remember([{ kind: "project", id: "p-2", body: { projectId: "p-2" }, weak: true }]);
    expect((await directory.get("project", "p-1"))?.name).toBe("Development");
    expect((await directory.get("project", "p-2"))?.name).toBe("Only configured");
  });

  test("follows the config for configured entities, and names mentioned ones", async () => {
    const directory = await openWith();
    await directory.remember([{ kind: "project", id: "p-3", body: { projectId: "p-3" }, weak: true }]);
    await directory.configure([project("p-1", "One"), project("p-2", "Two"), project("p-3", "Three")]);
    await directory.configure([project("p-1", "First"), project("p-3", "Three")]);
    expect((await directory.get("project", "p-1"))?.name).toBe("First");
    expect(await directory.get("project", "p-2")).toBeUndefined();
    expect((await directory.get("project", "p-3"))?.name).toBe("Three");
  });

  test("keeps an entity from the service when the config no longer names it", async () => {
    const directory = await openWith();
    await directory.configure([project("p-1", "Configured")]);
    await directory.remember([project("p-1", "Renamed")]);
    await directory.configure([]);
    expect((await directory.get("project", "p-1"))?.name).toBe("Renamed");
  });

  test("keeps an entity's project when an answer omits it", async () => {
    const credential = { credentialId: "cred-1", name: "AWS" };
    const configured = { kind: "credential", id: "cred-1", body: { ...credential, projectId: "p-dev" } } as const;
    const directory = await openWith(configured, {
      kind: "credential",
      id: "cred-1",
      body: { ...credential, name: "Main" },
    });
    expect(await directory.get("credential", "cred-1")).toMatchObject({ name: "Main", projectId: "p-dev" });
  });

  const credential = (facts: object = {}): NewEntity => ({
    kind: "credential",
    id: "cred-1",
    body: { credentialId: "cred-1", name: "AWS", ...facts },
  });

  test("takes a credential's project from the present config only", async () => {
    const directory = await openWith();
    await directory.configure([credential({ projectId: "p-dev" })]);
    await directory.remember([credential({ name: "Main" })]);
    await directory.configure([credential({ projectId: "p-prod" })]);
    expect(await directory.get("credential", "cred-1")).toMatchObject({ name: "Main", projectId: "p-prod" });
    await directory.configure([]);
    expect(await directory.get("credential", "cred-1")).toMatchObject({ name: "Main", projectId: null });
  });

  test("keeps a removed entity removed until the service returns it", async () => {
    const directory = await openWith();
    await directory.configure([credential()]);
    await directory.remember([{ kind: "credential", id: "cred-1", at: noon }]);
    for (let count = 0; count < 2; count++) await directory.configure([credential()]);
    expect(await directory.get("credential", "cred-1")).toMatchObject({ endedAt: noon });
    await directory.remember([credential()]);
    expect(await directory.get("credential", "cred-1")).toMatchObject({ endedAt: null });
    expect(idsOf(await directory.match("credential", "aws"))).toEqual(["cred-1"]);
  });

  test("is not overwritten by an older answer", async () => {
    const modified = (name: string, lastModifiedDate: string | undefined) => credential({ name, lastModifiedDate });
    const directory = await openWith(
      modified("New", "2026-11-20T12:00:00.5Z"),
      modified("Old", "2026-11-20T12:00:00Z"),
    );
    expect((await directory.get("credential", "cred-1"))?.name).toBe("New");
    await directory.remember([modified("Same time", "2026-11-20T12:00:00.500Z")]);
    expect((await directory.get("credential", "cred-1"))?.name).toBe("Same time");
    await directory.remember([modified("Undated", undefined), modified("Dated", "2020-01-01T00:00:00Z")]);
    expect((await directory.get("credential", "cred-1"))?.name).toBe("Dated");
  });

  test("keeps an entity's owner when someone else changes it", async () => {
    const made = { kind: "exclusion", id: "ae-1", body: anExclusion() } as const;
    const directory = await openWith(
      { ...made, ownerId: "U01ALICE" },
      { ...made, body: anExclusion({ name: "longer" }) },
    );
    expect(await directory.get("exclusion", "ae-1")).toMatchObject({ name: "longer", ownerId: "U01ALICE" });
  });

  test("matches a whole name or address in any case", async () => {
    const directory = await openWith(user("u-1", "Bob", "Bob@Example.com"), user("u-2", "bobby"));
    expect(idsOf(await directory.match("user", " bOB "))).toEqual(["u-1"]);
    expect(idsOf(await directory.match("user", "bob@example.COM"))).toEqual(["u-1"]);
    expect(await directory.match("user", "bo")).toEqual([]);
    expect(await directory.match("project", "bob")).toEqual([]);
  });

  test("prefers an exact id over an equal name", async () => {
    const directory = await openWith(project("p-1", "One"), project("p-2", "p-1"));
    expect(idsOf(await directory.match("project", "p-1"))).toEqual(["p-1"]);
    expect(idsOf(await directory.match("project", "P-1"))).toEqual(["p-1"]);
  });

  test("returns all entities that share a name", async () => {
    const directory = await openWith(project("p-2", "Shop"), project("p-1", "shop"), project("p-3", "Other"));
    expect(idsOf(await directory.match("project", "SHOP"))).toEqual(["p-1", "p-2"]);
  });

  test("does not offer an ended entity, but still returns it by id", async () => {
    const directory = await openWith(project("p-1", "Shop"), project("p-2", "Shop"));
    await directory.remember([{ kind: "project", id: "p-1", at: noon }]);
    expect(idsOf(await directory.match("project", "shop"))).toEqual(["p-2"]);
    expect(idsOf(await directory.match("project", "p-1"))).toEqual([]);
    expect(idsOf(await directory.search("project", "", 10))).toEqual(["p-2"]);
    expect((await directory.get("project", "p-1"))?.name).toBe("Shop");
  });

  test("searches parts of ids, names and addresses, by name, up to the limit", async () => {
    const directory = await openWith(
      user("u-1", "zoe"),
      user("u-2", "Bob"),
      user("u-3", "anna", "bob.anna@example.com"),
    );
    expect(idsOf(await directory.search("user", "BOB", 10))).toEqual(["u-3", "u-2"]);
    expect(idsOf(await directory.search("user", "u-", 10))).toEqual(["u-3", "u-2", "u-1"]);
    expect(idsOf(await directory.search("user", "", 2))).toEqual(["u-3", "u-2"]);
  });

  test("returns as many search results as wanted, by name", async () => {
    const many = Array.from({ length: 45 }, (_each, index) => `u-${String(index).padStart(2, "0")}`);
    const directory = await openWith(...many.map((id) => user(id, `bob ${id}`)));
    expect(idsOf(await directory.search("user", "bob", 100))).toEqual(many);
    expect(idsOf(await directory.search("user", "bob", 30))).toEqual(many.slice(0, 30));
  });

  test("a search sees entities added, renamed, ended or configured since the last one", async () => {
    const directory = await openWith(user("u-1", "bob"));
    const found = async (text: string) => idsOf(await directory.search("user", text, 10));
    expect(await found("o")).toEqual(["u-1"]);
    await directory.remember([user("u-2", "zoe")]);
    expect(await found("o")).toEqual(["u-1", "u-2"]);
    await directory.remember([user("u-1", "rita")]);
    expect(await found("bob")).toEqual([]);
    expect(await found("rita")).toEqual(["u-1"]);
    await directory.remember([{ kind: "user", id: "u-2", at: noon }]);
    expect(await found("zoe")).toEqual([]);
    await directory.configure([user("u-3", "tom")]);
    expect(await found("tom")).toEqual(["u-3"]);
    await directory.configure([]);
    expect(await found("tom")).toEqual([]);
  });

  test.each([
    ["%", "p-percent"],
    ["_", "p-line"],
    ["\\", "p-slash"],
    ["100%_", "p-both"],
  ])("a search takes %s literally", async (text, id) => {
    const names: Record<string, string> = {
      "p-percent": "half %",
      "p-line": "snake_case",
      "p-slash": "back\\slash",
      "p-plain": "plain",
    };
    const both = text === "100%_" ? [project("p-both", "100%_sure"), project("p-near", "1000 sure")] : [];
    const directory = await openWith(...Object.entries(names).map(([key, name]) => project(key, name)), ...both);
    expect(idsOf(await directory.search("project", text, 10))).toEqual([id]);
  });

  test("finds an expired exclusion by id, but no longer by name", async () => {
    const nightly = (id: string, expiryDate: string | null) => exclusion(id, { expiryDate, name: "nightly" });
    const directory = await openWith(
      nightly("ae-1", "2026-11-20T12:00:00Z"),
      nightly("ae-2", "2026-11-20T12:00:01Z"),
      nightly("ae-3", null),
    );
    expect(idsOf(await directory.match("exclusion", "nightly"))).toEqual(["ae-2", "ae-3"]);
    expect(idsOf(await directory.search("exclusion", "ae", 10)).sort()).toEqual(["ae-2", "ae-3"]);
    expect(idsOf(await directory.match("exclusion", "ae-1"))).toEqual(["ae-1"]);
  });

  test("lists exclusions that have neither ended nor expired, soonest end first", async () => {
    const ends = {
      "ae-late": "2026-11-21T12:00:00Z",
      "ae-over": "2026-11-20T12:00:00Z",
      "ae-soon": "2026-11-20T12:00:01Z",
      "ae-ended": "2026-11-22T12:00:00Z",
      "ae-unknown": null,
    };
    const directory = await openWith(...Object.entries(ends).map(([id, expiryDate]) => exclusion(id, { expiryDate })));
    await directory.remember([{ kind: "exclusion", id: "ae-ended", at: noon }]);
    expect(idsOf(await directory.liveExclusions(noon))).toEqual(["ae-soon", "ae-late"]);
  });

  test("stores an exclusion once when several store it concurrently", async () => {
    const directory = await openTestStore();
    const resourceIds = ["i-1", "i-2"];
    const expiryDate = "2026-11-21T12:00:00Z";
    const store = (id: string) => directory.remember([exclusion(id, { resourceIds, expiryDate })]);
    const ids = ["ae-1", "ae-2", "ae-3", "ae-4"];
    await Promise.all(ids.flatMap((id) => Array.from({ length: 5 }, () => store(id))));
    expect(idsOf(await directory.liveExclusions(noon, resourceIds))).toEqual(ids);
  });

  test("lists live exclusions by their present resources", async () => {
    const of = (id: string, resourceIds: string[], expiryDate = "2026-11-21T12:00:00Z") =>
      exclusion(id, { resourceIds, expiryDate });
    const directory = await openWith(
      of("ae-1", ["i-1", "I-2"]),
      of("ae-2", ["i-2", "i-3"]),
      of("ae-3", ["i-2"]),
      of("ae-over", ["i-2"], "2026-11-20T12:00:00Z"),
    );
    await directory.remember([
      of("ae-3", ["i-3"]),
      { kind: "exclusion", id: "ae-1", at: noon },
      of("ae-4", ["i-2"], "2026-11-20T13:00:00Z"),
    ]);
    const about = async (...ids: readonly string[]) => idsOf(await directory.liveExclusions(noon, ids));
    expect(await about("I-2")).toEqual(["ae-4", "ae-2"]);
    expect([await about("i-1"), await about("i-9"), await about()]).toEqual([[], [], []]);
    expect(await about("i-3", "i-2")).toEqual(["ae-4", "ae-2", "ae-3"]);
  });

  test("finds ended exclusions by resource, and an ARN by its name", async () => {
    const arn = "arn:aws:rds:eu-west-1:1:db:orders";
    const of = (id: string, resourceIds: string[], expiryDate: string) => exclusion(id, { resourceIds, expiryDate });
    const directory = await openWith(
      of("ae-expired", ["i-1"], "2026-11-20T11:00:00Z"),
      of("ae-ended", ["I-1", "i-2"], "2026-11-21T12:00:00Z"),
      of("ae-arn", [arn], "2026-11-21T12:00:00Z"),
    );
    await directory.remember([{ kind: "exclusion", id: "ae-ended", at: noon }]);
    const naming = async (...ids: readonly string[]) => [...idsOf(await directory.exclusionsNaming(ids))].sort();
    expect(await naming("i-1")).toEqual(["ae-ended", "ae-expired"]);
    expect(await naming("ORDERS")).toEqual(["ae-arn"]);
    expect([await naming("i-9"), await naming()]).toEqual([[], []]);
  });

  test("remembers the live exclusions until one is written or over", async () => {
    const of = (id: string, expiryDate: string) => exclusion(id, { resourceIds: ["i-1"], expiryDate });
    const directory = await openWith(of("ae-1", "2026-11-21T12:00:00Z"), of("ae-2", "2026-11-21T13:00:00Z"));
    const live = async (at = noon) => idsOf(await directory.liveExclusions(at));
    expect([await live(), await live()]).toEqual([
      ["ae-1", "ae-2"],
      ["ae-1", "ae-2"],
    ]);
    expect(await live(Date.parse("2026-11-21T12:30:00Z"))).toEqual(["ae-2"]);
    await directory.remember([of("ae-3", "2026-11-21T11:00:00Z")]);
    expect(await live()).toEqual(["ae-3", "ae-1", "ae-2"]);
    await directory.remember([of("ae-3", "2026-11-21T14:00:00Z")]);
    expect(await live()).toEqual(["ae-1", "ae-2", "ae-3"]);
    await directory.remember([{ kind: "exclusion", id: "ae-1", at: noon }]);
    expect(await live()).toEqual(["ae-2", "ae-3"]);
    expect(await live(noon - 1)).toEqual(["ae-2", "ae-3"]);
  });

  test("lists exclusions since a moment, also those that ended or expired after it", async () => {
    const of = (id: string, expiryDate: string) => exclusion(id, { resourceIds: ["i-1"], expiryDate });
    const directory = await openWith(
      of("ae-live", "2026-11-21T12:00:00Z"),
      of("ae-expired", "2026-11-20T11:00:00Z"),
      of("ae-ended", "2026-11-21T12:00:00Z"),
    );
    await directory.remember([{ kind: "exclusion", id: "ae-ended", at: noon }]);
    const since = async (at: number) => idsOf(await directory.exclusionsSince(at));
    expect(await since(noon - 2 * 3_600_000)).toEqual(["ae-expired", "ae-live", "ae-ended"]);
    expect(await since(noon - 1)).toEqual(["ae-live", "ae-ended"]);
    expect(await since(noon)).toEqual(["ae-live"]);
  });
});

test("live exclusions are as another connection wrote them", async () => {
  const file = await newDatabase();
  const directory = await openTestStore(file);
  const live = async () => idsOf(await directory.liveExclusions(noon));
  await directory.remember([exclusion("ae-1", { resourceIds: ["i-1"], expiryDate: "2026-11-21T12:00:00Z" })]);
  expect(await live()).toEqual(["ae-1"]);
  await execute(file, `update entity set ended_at = ${noon} where id = 'ae-1'`);
  expect(await live()).toEqual([]);
});

test("a search sees what another connection wrote since the last one", async () => {
  const file = await newDatabase();
  const directory = await openTestStore(file);
  const found = async (text: string) => idsOf(await directory.search("user", text, 10));
  await directory.remember([user("u-1", "bob", "someone@example.com")]);
  expect(await found("bob")).toEqual(["u-1"]);
  await execute(file, "update entity set name = 'rob', name_key = 'rob' where id = 'u-1'");
  expect(await found("bob")).toEqual([]);
  expect(await found("rob")).toEqual(["u-1"]);
});
