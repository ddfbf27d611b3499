import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { amongResources, resourcesIn, resourcesInWord, resourceTypeOf } from "../../src/directory/resources.ts";
import { type ResourceType, resourceKeys, resourceTypes } from "../../src/service/resources.ts";
import { hostileText } from "../slack/hostile-text.ts";
import { cpuMsOf, growth } from "../support/cpu-time.ts";
import { anyText } from "../time/any-text.ts";

const none = new Map<string, ResourceType>();
const machine =
  "/subscriptions/6f3c1d0a-58b2-4e7f-9a41-2b7c90d1e364/resourceGroups/rg-dev-tools/providers/Microsoft.Compute/virtualMachines/vm-tools-01";
const lightsail = "arn:aws:lightsail:eu-west-1:123456789012:Instance/6f3c1d0a-58b2-4e7f-9a41-2b7c90d1e364";
const googleMachine = "projects/example-demo/zones/europe-west1-b/instances/demo-eu-1";

const oneOf = (text: string, id: string, type: ResourceType | undefined) => [text, [{ id, type }]] as const;

describe("finds a resource by its form", () => {
  test.each([
    oneOf("i-0a1 is down", "i-0a1", "amazon-ec2-instance"),
    oneOf("(i-07d51f0e3c8ab2964)", "i-07d51f0e3c8ab2964", "amazon-ec2-instance"),
    oneOf("_i-0a1_, *urgent*", "i-0a1", "amazon-ec2-instance"),
    oneOf("arn:aws:ec2:eu-west-1:123456789012:instance/i-0a1", "i-0a1", "amazon-ec2-instance"),
    oneOf("https://aws.example.com/ec2#Instance:instanceId=i-0a1", "i-0a1", "amazon-ec2-instance"),
    oneOf("i-deadbeef", "i-deadbeef", "amazon-ec2-instance"),
    oneOf(
      "https://eu-west-1.console.aws.amazon.com/ec2/home?region=eu-west-1#VolumeDetails:volumeId=vol-049d",
      "vol-049d",
      "amazon-ebs-volume",
    ),
    oneOf("https://aws.example.com/rds/home?region=x#database:id=orders-db", "orders-db", "amazon-rds-instance"),
    oneOf("https://aws.example.com/rds/home#database:id=orders;is-cluster=false", "orders", "amazon-rds-instance"),
    oneOf("https://aws.example.com/rds/home#database:id=sales;is-cluster=true", "sales", "amazon-rds-cluster"),
    oneOf("vol-049df61146c4d7901.", "vol-049df61146c4d7901", "amazon-ebs-volume"),
    oneOf("fs-0d2b7f4e91c6a8053", "fs-0d2b7f4e91c6a8053", "amazon-fsx-filesystem"),
    oneOf("arn:aws:fsx:eu-west-1:123456789012:file-system/fs-0d2b", "fs-0d2b", "amazon-fsx-filesystem"),
    oneOf("arn:aws:rds:eu-west-1:123456789012:db:staging-orders.", "staging-orders", "amazon-rds-instance"),
    oneOf("arn:aws-us-gov:rds:us-gov-west-1:123456789012:db:orders", "orders", "amazon-rds-instance"),
    // RDS and DocumentDB write their clusters alike.
    oneOf("arn:aws:rds:eu-west-1:123456789012:cluster:catalog", "catalog", undefined),
    oneOf("arn:aws:redshift:us-east-1:123456789012:cluster:warehouse-dev", "warehouse-dev", "amazon-redshift-cluster"),
    oneOf(
      "arn:aws:appstream:us-east-1:123456789012:fleet/design-desktops",
      "design-desktops",
      "amazon-appstream-fleet",
    ),
    oneOf(`see ${lightsail}`, lightsail, "amazon-lightsail-instance"),
    oneOf(`${machine}.`, machine, "azure-virtual-machine"),
    oneOf(`https://portal.example.com/#@x/resource${machine}/overview`, machine, "azure-virtual-machine"),
    oneOf(`https://compute.example.com/v1/${googleMachine}`, googleMachine, "google-vm-instance"),
    oneOf(
      "example-analytics:europe-west1:reports",
      "example-analytics:europe-west1:reports",
      "google-cloudsql-instance",
    ),
    oneOf("amazon-rds-cluster: staging-search-cluster", "staging-search-cluster", "amazon-rds-cluster"),
    oneOf("amazon-documentdb-cluster: `catalog-docs-dev`", "catalog-docs-dev", "amazon-documentdb-cluster"),
    oneOf("*amazon-lightsail-instance*: blog-preview.", "blog-preview", "amazon-lightsail-instance"),
  ])("%s", (text, found) => {
    expect(resourcesIn(text, none).map(({ id, type }) => ({ id, type }))).toEqual(found);
  });

  test("recognizes each of the service's resource types", () => {
    const named = resourceTypes.map((type) => `${type}: some-name`);
    expect(named.flatMap((text) => resourcesIn(text, none).map(({ type }) => type))).toEqual(resourceTypes);
  });

  test.each([
    "i-face and i-beam are words",
    "ami-0a1, eni-0a1 and sg-0a1 are other resources",
    "i-0a1-disk is the name of something else",
    "arn:aws:elasticfilesystem:eu-west-1:123456789012:file-system/fs-0d2b",
    "arn:aws:rds:eu-west-1:123456789012:snapshot:orders",
    "at 10:30:45, see https://example.com:8080/a:b",
    "amazon-ec2-instance is a type",
    "",
  ])("finds nothing in: %s", (text) => {
    expect(resourcesIn(text, none)).toEqual([]);
  });
});

test("finds each resource once, in text order, with a type given later", () => {
  const text = "catalog: arn:aws:rds:x:1:cluster:catalog, vol-1 vol-1 amazon-rds-cluster: catalog i-2";
  expect(resourcesIn(text, none).map(({ id, type }) => `${id} ${type}`)).toEqual([
    "catalog amazon-rds-cluster",
    "vol-1 amazon-ebs-volume",
    "i-2 amazon-ec2-instance",
  ]);
});

test("finds a known id as a separate word, with its type", () => {
  const known = new Map<string, ResourceType | undefined>([
    ["web-01", "google-vm-instance"],
    ["db", undefined],
    ["i-0a1", "amazon-ec2-instance"],
  ]);
  const text = '*web-01*: down. (db), web-011, my-db arn:aws:rds:x:1:db:orders "i-0a1"';
  expect(resourcesIn(text, known).map(({ id, type }) => `${id} ${type}`)).toEqual([
    "web-01 google-vm-instance",
    "db undefined",
    "orders amazon-rds-instance",
    "i-0a1 amazon-ec2-instance",
  ]);
});

test.each([
  ["an id", "i-0a1", ["i-0a1"]],
  ["an ARN", "arn:aws:ec2:eu-west-1:123456789012:instance/i-0a1", ["i-0a1"]],
  ["the ARN of a database", "arn:aws:rds:eu-west-1:123456789012:db:orders", ["orders"]],
  ["a link to Azure's portal", `https://portal.example.com/#@x/resource${machine}/overview`, [machine]],
  ["a link of Google's API", `https://www.googleapis.com/compute/v1/${googleMachine}`, [googleMachine]],
  ["a link to AWS's console", "https://aws.example.com/ec2/home#Instances:instanceIds=i-0a1,i-0a2", ["i-0a1", "i-0a2"]],
  ["no link to another page", "https://wiki.example.com/runbook", []],
  ["no name that contains an id", "web-i-0a1", []],
  ["no id in brackets", "(i-0a1)", []],
  ["no part of a machine", `${machine}/extensions/x`, []],
])("reads a single word: %s", (_name, word, ids) => {
  expect(resourcesInWord(word).map(({ id }) => id)).toEqual(ids);
});

test("returns the type of ids only when all of them agree", () => {
  expect(resourceTypeOf(["i-0a1", "i-0a2"])).toBe("amazon-ec2-instance");
  expect(resourceTypeOf(["i-0a1", "vol-1"])).toBeUndefined();
  expect(resourceTypeOf(["i-0a1", "web-01"])).toBeUndefined();
  expect(resourceTypeOf(["i-0a1."])).toBeUndefined();
  expect(resourceTypeOf([])).toBeUndefined();
});

const hex = fc.string({ unit: fc.constantFrom(..."0123456789abcdef"), minLength: 1, maxLength: 17 });
const name = fc.stringMatching(/^[a-z][a-z0-9]{0,10}$/);
const planted = fc.oneof(
  fc
    .tuple(fc.constantFrom("i", "vol", "fs"), hex)
    .map(([kind, tail]) => ({ text: `${kind}-0${tail}`, id: `${kind}-0${tail}` })),
  name.map((db) => ({ text: `arn:aws:rds:eu-west-1:123456789012:db:${db}`, id: db })),
  name.map((fleet) => ({ text: `arn:aws:appstream:eu-west-1:123456789012:fleet/${fleet}`, id: fleet })),
  name.map((vm) => ({ text: machine.replace("vm-tools-01", vm), id: machine.replace("vm-tools-01", vm) })),
  name.map((vm) => ({ text: googleMachine.replace("demo-eu-1", vm), id: googleMachine.replace("demo-eu-1", vm) })),
  name.map((db) => ({ text: `example-data:us-central1:${db}`, id: `example-data:us-central1:${db}` })),
  fc.constant({ text: "known-thing", id: "known-thing" }),
);

test("finds ids inside any surrounding text", () => {
  const known = new Map([["known-thing", undefined]]);
  const written = fc.array(fc.tuple(fc.oneof(anyText, hostileText), planted), { minLength: 1, maxLength: 8 });
  fc.assert(
    fc.property(written, fc.constantFrom(" ", "\n", ", "), anyText, (parts, gap, end) => {
      const text = [...parts.flatMap(([around, { text: one }]) => [around, one]), end].join(gap);
      const found = resourcesIn(text, known).map(({ id }) => id);
      expect(found).toEqual(expect.arrayContaining(parts.map(([, { id }]) => id)));
    }),
    { numRuns: 500 },
  );
});

test("takes linear time on text full of near misses", async () => {
  const texts = [
    "i-0",
    "a-",
    "a.",
    "arn:aws:rds:",
    "projects/",
    "aaaaaa:",
    "/subscriptions/x",
    "amazon-ec2-instance:  ",
    "#database:id=",
    "#database:id=a;is-cluster=",
    "i-abcdef-",
  ];
  const read = (text: string, length: number) => () => resourcesIn(text.repeat(length / text.length), none);
  for (const text of texts) {
    const short = await cpuMsOf(read(text, 4000));
    expect(growth(short, await cpuMsOf(read(text, 40_000))), text).toBeLessThan(50);
  }
});

test("finds the same resource among many as a look at each does", () => {
  const id = fc.constantFrom(
    "i-0a1",
    "I-0A1",
    "orders",
    "arn:aws:rds:eu-west-1:1:db:orders",
    "arn:aws:rds:us-east-1:1:db:Orders",
  );
  fc.assert(
    fc.property(fc.array(id), id, (others, one) => {
      const isSame = (other: string) =>
        resourceKeys(one).includes(other.toLowerCase()) || resourceKeys(other).includes(one.toLowerCase());
      expect(amongResources(others)(one)).toBe(others.some(isSame));
    }),
  );
});
