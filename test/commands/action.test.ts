import { expect, test } from "vitest";
import { readableActions } from "../../src/commands/action.ts";
import { aFillContext } from "./fill-context.ts";

test("lists nothing to a person who may see no action, whoever listed before", async () => {
  const context = await aFillContext({}, { "Stop staging at 19:00": { projectId: "" } });
  const namesFor = async (...projects: readonly (string | undefined)[]) => {
    const listed = await readableActions({ ...context, may: (_name, { projectId }) => projects.includes(projectId) });
    return "problem" in listed ? listed.problem : listed.map(({ action }) => action.name);
  };
  // Without a project.
  expect(await namesFor("")).toEqual(["Stop staging at 19:00"]);
  expect(await namesFor("p-none")).toEqual([]);
  expect(await namesFor("")).toEqual(["Stop staging at 19:00"]);
});
