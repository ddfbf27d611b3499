import { describe, expect, test } from "vitest";
import type { Entity, EntityKind, NewEntity } from "../../src/directory/directory.ts";
import { resolveName } from "../../src/directory/resolve-name.ts";
import { createMemoryDirectory } from "../commands/memory-directory.ts";

const user = (id: string, username: string, emailAddress = `${id}@example.com`): NewEntity => ({
  kind: "user",
  id,
  body: { userId: id, username, emailAddress },
});
const people = [
  user("u-1", "Francesca Rossi", "francesca.rossi@example.com"),
  user("u-2", "Frank Fischer", "ff@example.com"),
  user("u-3", "Ann-Marie O'Neil"),
  user("u-4", "anna"),
  user("u-5", "Ørjan"),
];
const ids = (entities: readonly Entity[]) => entities.map(({ id }) => id);

async function read(text: string, known: readonly NewEntity[] = people, kind: EntityKind = "user") {
  const read = await resolveName(kind, text, createMemoryDirectory(known));
  if (read.kind === "found") return read.entity.id;
  return read.kind === "several" ? ids(read.entities) : { nearest: ids(read.nearest), couldBeId: read.couldBeId };
}

describe("a name is found", () => {
  test.each([
    ["u-2", "u-2"],
    ["frank fischer", "u-2"],
    ["FF@example.com", "u-2"],
    ["franc", "u-1"],
    ["FRANCESCA R", "u-1"],
    ["rossi", "u-1"],
    ["fis", "u-2"],
    ["marie", "u-3"],
    ["ør", "u-5"],
  ])("by %s", async (text, id) => {
    expect(await read(text)).toBe(id);
  });

  test("by its exact text rather than by a longer name that starts with it", async () => {
    expect(await read("anna", [...people, user("u-6", "Anna Bauer")])).toBe("u-4");
  });

  test("by its id after it was deleted", async () => {
    const directory = createMemoryDirectory(people);
    await directory.remember([{ kind: "user", id: "u-4", at: 1 }]);
    expect(await resolveName("user", "u-4", directory)).toMatchObject({ kind: "found", entity: { id: "u-4" } });
    expect(await resolveName("user", "anna", directory)).toMatchObject({ kind: "none" });
  });
});

describe("a name is not guessed", () => {
  test("when several start with the text", async () => {
    expect(await read("fran")).toEqual(["u-1", "u-2"]);
    expect(await read("ann")).toEqual(["u-3", "u-4"]);
  });

  test("by one letter, or by the middle of a word", async () => {
    expect(await read("ø")).toMatchObject({ nearest: ["u-5"] });
    expect(await read("ossi")).toMatchObject({ nearest: ["u-1"] });
  });

  test("when there are more matches than are compared", async () => {
    const many = Array.from({ length: 400 }, (_none, index) => user(`u-${index}`, `host ${index} lab`));
    expect(await read("lab", [...many, user("u-lab", "zz laboratory")])).toHaveLength(300);
  });
});

describe("without a match", () => {
  test.each([
    ["frnak", ["u-2"]],
    ["rosi", ["u-1"]],
    ["anne@example.com", ["u-3", "u-4"]],
    ["u-77", []],
    ["somebody else", []],
  ])("the nearest of %s are offered", async (text, nearest) => {
    expect(await read(text)).toMatchObject({ nearest });
  });

  test.each([
    ["u-77", true],
    ["x".repeat(150), true],
    ["x".repeat(151), false],
    ["two words", false],
    ["<b>", false],
    ["müller", false],
  ])("%s could be an id: %s", async (text, couldBeId) => {
    expect(await read(text)).toMatchObject({ couldBeId });
  });
});

describe("names that the requester may not see", () => {
  const project = (id: string, name: string): NewEntity => ({ kind: "project", id, body: { projectId: id, name } });
  const directory = createMemoryDirectory([
    project("p-1", "Development"),
    project("p-2", "Devices"),
    project("p-3", "Twin"),
    project("p-4", "twin"),
  ]);
  const only = (...seen: readonly string[]) => ({
    nameable: async (entities: readonly Entity<"project">[]) => entities.filter(({ id }) => seen.includes(id)),
  });

  test("are neither found by a part of them nor offered, and make nothing ambiguous", async () => {
    expect(await resolveName("project", "dev", directory, only("p-1"))).toMatchObject({ entity: { id: "p-1" } });
    expect(await resolveName("project", "twin", directory, only("p-4"))).toMatchObject({ entity: { id: "p-4" } });
    for (const text of ["devi", "Devicse", "twin"])
      expect(await resolveName("project", text, directory, only("p-1"))).toMatchObject({ kind: "none", nearest: [] });
  });

  test("are found when they are named exactly: the refusal says why", async () => {
    expect(await resolveName("project", "devices", directory, only("p-1"))).toMatchObject({ entity: { id: "p-2" } });
  });
});
