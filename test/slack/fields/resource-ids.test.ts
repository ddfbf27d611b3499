import { expect, test } from "vitest";
import { resourceIds } from "../../../src/commands/field.ts";
import { resourceIdsKind } from "../../../src/slack/fields/resource-ids.ts";
import { someSettings } from "../../changes/build.ts";
import { aReadingContext, words } from "../build.ts";

const groupOf = (...ids: readonly string[]) => ({ type: "amazon-rds-instance", project: "p-dev", ids }) as const;
const settings = {
  ...someSettings(),
  resourceGroups: {
    "i-0a1": groupOf("i-0b1"),
    orders: groupOf("orders", "orders-replica"),
    stock: groupOf("shop"),
    shop: groupOf("shop-replica"),
  },
};
const read = (...said: readonly string[]) =>
  resourceIdsKind.fromLine(resourceIds({ label: "Resource ids" }), words(...said), aReadingContext({ settings }));

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
