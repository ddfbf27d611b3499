import { beforeEach, expect, it } from "vitest";
import { ask, buttonsOn, changesSentTo, openForm } from "../support/journey.ts";
import { lastBody, oneBot } from "../support/one-bot.ts";
import { unlimitedConfig } from "../support/start-curfew.ts";

const hourMs = 3_600_000;
/** A help desk that may exclude but not read, and two databases of the same name. */
const config = unlimitedConfig
  .replace("allow: [ModifyUser, RemoveUserMfa]", "allow: [ModifyUser, RemoveUserMfa, CreateActionExclusion]")
  .replace(
    "resourceGroups:\n",
    `resourceGroups:
  orders: { type: amazon-rds-instance, project: p-dev, ids: [orders-db] }
  orders-by-arn: { type: amazon-rds-instance, project: p-dev, ids: ["arn:aws:rds:eu-west-1:123456789012:db:orders-db"] }
  live-orders: { type: amazon-rds-instance, project: p-prod, ids: [orders-db] }
`,
  );
const { curfew, clock } = oneBot({ config });
// Earlier exclusions have ended.
beforeEach(() => void clock.advance(24 * hourMs));

const endOf = (id: string) => Date.parse(curfew().service.account.exclusions.get(id)?.expiryDate ?? "");
const excluded = async (who: string, line: string) => (await ask(curfew(), who, line)).exclusionId;

it("an exclusion of what is excluded for as long makes nothing, and says so", async () => {
  await excluded("alice", "exclude staging for 2h --name First");
  await curfew().app.idle();
  const sent = changesSentTo(curfew());
  clock.advance(30_000);
  for (const line of ["exclude staging for 2h", "exclude i-0a2 for 1h"]) {
    const { text, message } = await ask(curfew(), "alice", line);
    expect(text).toMatch(/(?:staging|i-0a2) is kept running already until .*, by you\. Nothing was changed\./);
    expect(buttonsOn(message)).toEqual(["Extend 1 h", "Extend…", "Make another"]);
  }
  expect(sent()).toEqual([]);
});

it("a longer one extends the one in force", async () => {
  const id = await excluded("alice", "exclude staging for 2h");
  const end = endOf(id);
  const { text } = await ask(curfew(), "alice", "exclude staging for 5h");
  expect(text).toContain("staging: now until");
  expect(endOf(id) - end).toBeGreaterThan(2.9 * hourMs);
});

it("an exclusion of other processes or of more resources is made", async () => {
  await excluded("alice", "exclude i-0a1 for 5h");
  for (const line of ["exclude i-0a1 --process start for 1h", "exclude staging for 1h"])
    expect((await ask(curfew(), "alice", line)).text).toContain("Keeping ");
});

it("an exclusion that is switched off does not count", async () => {
  const id = await excluded("alice", "exclude staging for 5h");
  await ask(curfew(), "alice", `exclusion edit ${id} --enabled no`);
  expect((await ask(curfew(), "alice", "exclude staging for 1h")).text).toContain("Keeping ");
});

it("a resource of the same name in another project does not count", async () => {
  await excluded("carol", "exclude orders for 5h");
  expect((await ask(curfew(), "carol", "exclude live-orders for 1h")).text).toContain("Keeping orders-db");
  expect(lastBody(curfew(), "CreateActionExclusion")).toMatchObject({ projectId: "p-prod" });
});

it.each([
  ["orders-by-arn", "orders"],
  ["orders", "orders-by-arn"],
])("an exclusion of %s counts for %s: one of them is the ARN of the other", async (excludedBefore, group) => {
  await excluded("carol", `exclude ${excludedBefore} for 5h --name First`);
  const { text } = await ask(curfew(), "carol", `exclude ${group} for 1h`);
  expect(text).toContain("kept running already");
  expect(text).toContain("by you");
});

it("an exclusion is named only to those who may see it, and extended only by those who may", async () => {
  await excluded("carol", "exclude staging for 2h --name Secret");
  const bobs = await ask(curfew(), "bob", "exclude i-0a1 i-0a2 for 5h");
  expect(bobs.text).toContain("kept running already");
  expect(bobs.text).not.toContain("Secret");
  const alices = await ask(curfew(), "alice", "exclude staging for 5h");
  expect(alices.text).toContain("by carol");
  for (const { message } of [bobs, alices]) expect(buttonsOn(message)).toEqual(["Make another"]);
});

it("a form stays open with the problem", async () => {
  await excluded("alice", "exclude staging for 6h");
  const sent = changesSentTo(curfew());
  await openForm(curfew(), "alice", "exclude");
  await curfew().workspace.as("alice").fill({ What: "i-0a1, i-0a2" });
  expect(await curfew().workspace.as("alice").submit()).toMatchObject({
    kind: "errors",
    errors: { What: expect.stringContaining("staging is kept running already until ") },
  });
  expect(sent()).toEqual([]);
});
