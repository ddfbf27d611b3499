import { expect, test } from "vitest";
import { resourceIds } from "../../../src/commands/field.ts";
import { resourceIdsKind } from "../../../src/slack/fields/resource-ids.ts";
import { someSettings } from "../../changes/build.ts";
import { createMemoryDirectory } from "../../commands/memory-known.ts";
import { aReadingContext, words } from "../build.ts";

const groupOf = (...ids: readonly string[]) => ({ type: "amazon-rds-instance", project: "p-dev", ids }) as const;
const settings = {
  ...someSettings(),
  resourceGroups: {
    "i-0a1": groupOf("i-0b1"),
    orders: groupOf("orders", "orders-replica"),
    stock: groupOf("shop"),
    shop: groupOf("shop-replica"),
    umlaut: groupOf("größe"),
  },
};
const directory = createMemoryDirectory([], () => 0, settings.resourceGroups);
/** Without what a form would remember of it. */
const read = async (...said: readonly string[]) => {
  const context = aReadingContext({ settings, directory });
  const reading = await resourceIdsKind.fromLine(resourceIds({ label: "Resource ids" }), words(...said), context);
  return reading.kind === "value" ? { kind: reading.kind, value: reading.value } : reading;
};

test.each([
  ["by its form", "i-0a1", ["i-0a1"]],
  ["as one that another group names", "shop", ["shop"]],
])("what is an id %s stands for itself although a group is called so", async (_how, said, value) => {
  expect(await read(said)).toEqual({ kind: "value", value });
});

test("a group's name stands for its ids in any case, also when one of them is its name", async () => {
  expect(await read("STOCK", "Orders", "orders")).toEqual({
    kind: "value",
    value: ["shop", "orders", "orders-replica"],
  });
});

test.each([
  ["a sign of no width", "i-0\u200ba1\u2060b", "i-0a1b"],
  ["signs that turn the writing around", "\u202ei-0a2\u202c", "i-0a2"],
  ["a soft hyphen", "i-0\u00ada3", "i-0a3"],
])("%s is no part of an id", async (_what, said, id) => {
  expect(await read(said)).toEqual({ kind: "value", value: [id] });
});

test.each([
  ["full width", "ｉ-0a1", "“ｉ” (U+FF49)"],
  ["another alphabet", "і-0a1", "“і” (U+0456)"],
  ["another digit", "i-0a١", "“١” (U+0661)"],
  ["full width, in a path", "/subscriptions/a/resourceGroups/ｇ/providers/x", "“ｇ” (U+FF47)"],
])("letters of %s that look like those of an id are refused, and named", async (_what, said, odd) => {
  expect(await read("i-0a2", said)).toEqual({ kind: "problem", problem: expect.stringContaining(odd) });
});

test("an Azure group may be written in any letters, and what a group of resources names is taken as it is", async () => {
  const path = "/subscriptions/1/resourceGroups/größe/providers/Microsoft.Compute/virtualMachines/web";
  expect(await read(path)).toEqual({ kind: "value", value: [path] });
  expect(await read("umlaut", "größe")).toEqual({ kind: "value", value: ["größe"] });
});
