import { describe, expect, test } from "vitest";
import { type Input, resourceIds } from "../../../../src/commands/field.ts";
import type { NewEntity } from "../../../../src/directory/directory.ts";
import type { ReadingContext } from "../../../../src/slack/fields/field-kind.ts";
import { resourceIdsKind } from "../../../../src/slack/fields/kinds/resource-ids.ts";
import { anExclusion, someSettings } from "../../../changes/build.ts";
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
  ["the look-alikes of a message", "arn∶aws∶rds∶eu-west-1∶123456789012∶db∶x", "x"],
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

const azure = "/subscriptions/1/resourceGroups/rg/providers/Microsoft.Compute/virtualMachines/vm-build";
const console = "https://eu-west-1.console.aws.amazon.com";
const field = resourceIds({ label: "Resource ids", typedBy: "type", placedBy: "project" });
const ec2 = { type: "amazon-ec2-instance", project: "p-dev", ids: ["i-0a1", "i-0a2"] } as const;
const named = {
  ...someSettings(),
  resourceGroups: {
    staging: ec2,
    production: { ...ec2, ids: ["i-0b1"] },
    "web-servers": { ...ec2, ids: ["i-0c1"] },
    qa: { ...ec2, ids: ["i-0d1"] },
    stock: groupOf("stock-db"),
  },
};
const exclusionOf = (id: string, resourceType: string): NewEntity => ({
  kind: "exclusion",
  id: `ae-${id}`,
  body: anExclusion({ actionExclusionId: `ae-${id}`, resourceType, resourceIds: [id] }),
});
const seen = createMemoryDirectory(
  [exclusionOf("billing", "amazon-rds-instance"), exclusionOf("servers-1", "amazon-ec2-instance")],
  () => 0,
  named.resourceGroups,
);
const typed = (line: string, given: Input = {}, more: Partial<ReadingContext> = {}) =>
  resourceIdsKind.fromLine(
    field,
    words(...line.split(" ")),
    aReadingContext({ settings: named, directory: seen, given, ...more }),
  );

test("the word group beside a group's name says nothing more", async () => {
  expect(await typed("staging group")).toMatchObject({ value: ["i-0a1", "i-0a2"] });
  expect(await typed("group staging")).toMatchObject({ value: ["i-0a1", "i-0a2"] });
  expect(await typed("group i-0a1")).toMatchObject({ kind: "problem" });
});

describe("an address, path or ARN", () => {
  test.each([
    [azure, azure, "azure-virtual-machine"],
    [
      "projects/demo-1/zones/europe-west1-b/instances/web",
      "projects/demo-1/zones/europe-west1-b/instances/web",
      "google-vm-instance",
    ],
    [
      "https://www.googleapis.com/compute/v1/projects/demo-1/zones/europe-west1-b/instances/web",
      "projects/demo-1/zones/europe-west1-b/instances/web",
      "google-vm-instance",
    ],
    [`${console}/ec2/home?region=eu-west-1#InstanceDetails:instanceId=i-0f12ab34`, "i-0f12ab34", "amazon-ec2-instance"],
    [`<${console}/ec2/home?a=1&amp;b=2#VolumeDetails:volumeId=vol-0f|vol-0f>`, "vol-0f", "amazon-ebs-volume"],
    [`<${console}/rds/home?region=x#database:id=orders;is-cluster=false>`, "orders", "amazon-rds-instance"],
    ["arn:aws:rds:eu-west-1:123456789012:db:orders", "orders", "amazon-rds-instance"],
    ["arn:aws:ec2:eu-west-1:123456789012:instance/i-0a9", "i-0a9", "amazon-ec2-instance"],
  ])("gives the id and the type: %s", async (line, id, type) => {
    expect(await typed(line)).toMatchObject({ kind: "value", value: [id], implied: { type } });
  });

  test("with a label of several words, and beside other ids, is read as Slack wraps it", async () => {
    const link = `<${console}/ec2/home#InstanceDetails:instanceId=i-0a1|my instance, i-0a9>`;
    expect(await typed(`i-0a3,${link} i-0a4`)).toMatchObject({ value: ["i-0a3", "i-0a1", "i-0a4"] });
  });

  test("of a machine stays whole where only its name was seen before: another project may have one of that name", async () => {
    const directory = createMemoryDirectory([exclusionOf("vm-build", "azure-virtual-machine")], () => 0, {});
    expect(await typed(azure, {}, { directory })).toMatchObject({ kind: "value", value: [azure] });
  });

  test("of a cluster leaves its type open until it is given", async () => {
    const cluster = "arn:aws:rds:eu-west-1:123456789012:cluster:sales";
    expect(await typed(cluster)).not.toHaveProperty("implied");
    expect(await typed(cluster)).toMatchObject({ value: [cluster] });
    expect(await typed(cluster, { type: "amazon-documentdb-cluster" })).toMatchObject({ value: ["sales"] });
  });

  test("that says another type than the given one is no id of it", async () => {
    expect(await typed(`<${console}/rds/home#database:id=orders>`, { type: "amazon-ec2-instance" })).toEqual({
      kind: "problem",
      problem: expect.stringMatching(/is amazon-rds-instance, and this says amazon-ec2-instance/),
    });
  });

  test("with ids of several types is refused", async () => {
    expect(await typed(`<${console}/ec2/home#i-0a1/vol-0a1>`)).toEqual({
      kind: "problem",
      problem: expect.stringContaining("names resources of several types"),
    });
  });

  test("without a resource in it is no id, even where names are free", async () => {
    for (const line of ["https://wiki.example.com/x", "arn:aws:sns:eu-west-1:1:alarms", "/subscriptions/1/x"])
      expect(await typed(line, { type: "amazon-rds-instance" })).toMatchObject({ kind: "problem" });
  });
});

describe("a word that is no id by its form", () => {
  test("is an id where its type has free names and is given", async () => {
    expect(await typed("orders", { type: "amazon-rds-instance" })).toMatchObject({
      value: ["orders"],
      newNames: { names: ["orders"], type: "amazon-rds-instance" },
    });
    expect(await typed("vm-01", { type: "azure-virtual-machine" })).not.toHaveProperty("newNames");
  });

  test("is an id where Curfew has seen it as one", async () => {
    expect(await typed("billing")).toMatchObject({ kind: "value", value: ["billing"] });
    expect(await typed("stock-db")).toMatchObject({ kind: "value", value: ["stock-db"] });
    // Somebody once took the word for an EC2 id.
    expect(await typed("servers-1")).toMatchObject({ kind: "problem" });
  });

  test("is nothing else, and all such words are named", async () => {
    expect(await typed("servers")).toEqual({
      kind: "problem",
      problem: "I don't know “servers”. If it names a machine, say its type too.",
    });
    expect(await typed("i-0a1 load balancers now")).toMatchObject({
      problem: expect.stringMatching(/^I don't know “load”, “balancers” and “now”\./),
    });
    expect(await typed("servers", { type: "amazon-ec2-instance" })).toEqual({
      kind: "problem",
      problem: "“servers” is not an EC2 instance id: those look like i-0f12ab34.",
    });
  });

  test("is an id of the edited thing, or one of its type", async () => {
    const edit = resourceIds({ label: "Resource ids", typedBy: "type", of: { kind: "exclusion", field: "exclusion" } });
    const read = (exclusion: string, ...line: readonly string[]) =>
      resourceIdsKind.fromLine(edit, words(...line), aReadingContext({ directory: seen, given: { exclusion } }));
    expect(await read("ae-billing", "billing", "cellar")).toMatchObject({ value: ["billing", "cellar"] });
    expect(await read("ae-servers-1", "servers-1", "i-0a1")).toMatchObject({ value: ["servers-1", "i-0a1"] });
    expect(await read("ae-servers-1", "cellar")).toMatchObject({ kind: "problem" });
  });
});

describe("words near a group's name", () => {
  const choice = (...options: readonly (readonly [label: string, value: readonly string[]])[]) => ({
    kind: "choice",
    text: expect.stringMatching(/^I don't know .* Nothing was changed\. Did you mean /),
    options: options.map(([label, value]) => ({ label, value })),
  });

  test.each([
    ["stagng", ["staging", ["i-0a1", "i-0a2"]]],
    ["prod", ["production", ["i-0b1"]]],
    ["web servers", ["web-servers", ["i-0c1"]]],
    ["Webserver", ["web-servers", ["i-0c1"]]],
    ["qa machines", ["qa", ["i-0d1"]]],
    ["i-0e1 stagng", ["i-0e1 and staging", ["i-0e1", "i-0a1", "i-0a2"]]],
    ["qa prodction", ["qa and production", ["i-0d1", "i-0b1"]]],
  ] as const)("are offered as the group, with the whole line's ids: %s", async (line, option) => {
    expect(await typed(line)).toEqual(choice(option));
  });

  test("are not offered when another word stays unknown, or the group is of another type or project", async () => {
    expect(await typed("stagng tonite")).toMatchObject({ kind: "problem" });
    expect(await typed("stagng", { type: "amazon-ebs-volume" })).toMatchObject({ kind: "problem" });
    expect(await typed("stagng", { project: "p-prod" })).toMatchObject({ kind: "problem" });
    expect(await typed("stagng", { type: "amazon-ec2-instance" })).toMatchObject({
      text: expect.stringMatching(/^“stagng” is not an EC2 instance id/),
      options: [{ label: "staging" }],
    });
  });
});
