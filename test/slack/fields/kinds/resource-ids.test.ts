import { expect, test } from "vitest";
import { resourceIds } from "../../../../src/commands/field.ts";
import { resourceIdsKind } from "../../../../src/slack/fields/kinds/resource-ids.ts";
import { someSettings } from "../../../changes/build.ts";
import { createMemoryDirectory } from "../../../commands/memory-directory.ts";
import { aReadingContext, words } from "../../build.ts";

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
/** The reading without its `meanings`. */
const read = async (...typed: readonly string[]) => {
  const context = aReadingContext({ settings, directory });
  const reading = await resourceIdsKind.fromLine(resourceIds({ label: "Resource ids" }), words(...typed), context);
  return reading.kind === "value" ? { kind: reading.kind, value: reading.value } : reading;
};

test.each([
  ["by its shape", "i-0a1", ["i-0a1"]],
  ["of another group", "shop", ["shop"]],
])("an id %s stands for itself, even if a group has its name", async (_how, typed, value) => {
  expect(await read(typed)).toEqual({ kind: "value", value });
});

test("a group's name stands for its ids, in any letter case, even if one of them has that name", async () => {
  expect(await read("STOCK", "Orders", "orders")).toEqual({
    kind: "value",
    value: ["shop", "orders", "orders-replica"],
  });
});

test.each([
  ["a zero-width character", "i-0\u200ba1\u2060b", "i-0a1b"],
  ["bidi characters", "\u202ei-0a2\u202c", "i-0a2"],
  ["a soft hyphen", "i-0\u00ada3", "i-0a3"],
])("drops %s from an id", async (_what, typed, id) => {
  expect(await read(typed)).toEqual({ kind: "value", value: [id] });
});

test.each([
  ["full width", "ｉ-0a1", "“ｉ” (U+FF49)"],
  ["another alphabet", "і-0a1", "“і” (U+0456)"],
  ["another digit", "i-0a١", "“١” (U+0661)"],
  ["full width, in a path", "/subscriptions/a/resourceGroups/ｇ/providers/x", "“ｇ” (U+FF47)"],
])("rejects and names lookalike letters (%s)", async (_what, typed, odd) => {
  expect(await read("i-0a2", typed)).toEqual({ kind: "problem", problem: expect.stringContaining(odd) });
});

test("allows any letters in an Azure group name and in the ids of a resource group", async () => {
  const path = "/subscriptions/1/resourceGroups/größe/providers/Microsoft.Compute/virtualMachines/web";
  expect(await read(path)).toEqual({ kind: "value", value: [path] });
  expect(await read("umlaut", "größe")).toEqual({ kind: "value", value: ["größe"] });
});
