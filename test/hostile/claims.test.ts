import { afterEach, describe, expect, it } from "vitest";
import { someSettings } from "../changes/build.ts";
import { askFor, cardSaying, directMessage, press } from "../support/approval-journey.ts";
import { ask, changesSentTo, exclusionIdIn, messagesAfter, openForm, send, textOf } from "../support/journey.ts";
import { lastBody, oneBot } from "../support/one-bot.ts";
import { unlimitedConfig } from "../support/start-curfew.ts";

/** The shop's machine and database are production's; dave may do anything with exclusions, and bob approves the long ones of machines. */
const config = unlimitedConfig
  .replace(
    "resourceGroups:\n",
    [
      "resourceGroups:",
      "  shop: { type: amazon-ec2-instance, project: p-prod, ids: [i-0b1] }",
      "  orders: { type: amazon-rds-instance, project: p-prod, ids: [orders-db] }",
      "",
    ].join("\n"),
  )
  .replace(
    "    admin:\n",
    [
      "    operator: { members: [U04DAVE], allow: [reads, CreateActionExclusion, ModifyActionExclusion, DeleteActionExclusion, ModifyManagedServicesSelector] }",
      "    admin:",
      "",
    ].join("\n"),
  )
  .replace(
    "\nannounce:\n",
    [
      "",
      "approvals:",
      "  - { operations: [CreateActionExclusion], approvers: [helpdesk], channel: C0OPS, when: { longerThan: 8h, resourceTypes: [amazon-ec2-instance] } }",
      "  - { operations: [ModifyManagedServicesSelector], approvers: [helpdesk, admin], channel: C0OPS, when: { resourceTypes: [amazon-rds-instance] } }",
      "  - { operations: [ModifyManagedServicesSelector], approvers: [helpdesk], channel: C0OPS, when: { resourceTypes: [amazon-ec2-instance] } }",
      "  - { operations: [ModifyManagedServicesSelector], approvers: [admin], channel: C0OPS, when: { resourceTypes: [amazon-ebs-volume] } }",
      "announce:",
      "",
    ].join("\n"),
  );
const { curfew, clock } = oneBot({ config });
const told = async (who: string, line: string) => (await ask(curfew(), who, line)).text;
const refusedBoth = (text: string, directory: string, said: string) => {
  expect(text).toContain(directory);
  expect(text).toContain(said);
  expect(text).toContain("Nothing was changed");
};
const made = async (who: string, line: string) => exclusionIdIn(await told(who, line));
const inProduction = config.replace("ids: [i-0b1] }", "ids: [i-0b1, i-0c7] }");

afterEach(async () => {
  await curfew().app.reload(someSettings(config));
});

describe("a line that contradicts what is known of a resource", () => {
  it.each([
    ["its group's project", "alice", "exclude i-0b1 --project p-dev", "p-prod", "p-dev"],
    ["the same in other letters", "alice", "exclude I-0B1 --project p-dev", "p-prod", "p-dev"],
    ["one of several ids", "alice", "exclude i-0a1 i-0a2 i-0b1 --project p-dev", "p-prod", "p-dev"],
    [
      "the id in its ARN",
      "alice",
      "exclude arn:aws:ec2:eu-west-1:123456789012:instance/i-0b1 --type amazon-ec2-instance --project p-dev",
      "p-prod",
      "p-dev",
    ],
    ["the project in other letters", "carol", "exclude i-0b1 --project P-PROD", "p-prod", "P-PROD"],
    ["its group's type", "carol", "exclude orders-db --type amazon-ec2-instance --project p-prod", "rds", "ec2"],
    [
      "the name in its ARN",
      "carol",
      "exclude arn:aws:rds:eu-west-1:123456789012:db:orders-db --type amazon-rds-instance --project p-dev",
      "p-prod",
      "p-dev",
    ],
    ["the form of its id", "carol", "exclude i-0a9 --type amazon-rds-instance --project p-dev", "ec2", "rds"],
    ["the form of a volume's id", "carol", "exclude vol-049d --type amazon-ec2-instance --project p-dev", "ebs", "ec2"],
    [
      "the ARN of a machine",
      "carol",
      "exclude arn:aws:ec2:eu-west-1:123456789012:instance/i-0a9 --type amazon-rds-instance --project p-dev",
      "ec2",
      "rds",
    ],
    [
      "the ARN of a cluster",
      "carol",
      "exclude arn:aws:rds:eu-west-1:123456789012:cluster:sales --type amazon-ec2-instance --project p-dev",
      "amazon-rds-cluster or amazon-documentdb-cluster",
      "ec2",
    ],
    ["a group by its id", "alice", "group save mine i-0b1 --project p-dev", "p-prod", "p-dev"],
    ["a group by its type", "carol", "group save mine i-0a9 --type amazon-rds-instance --project p-dev", "ec2", "rds"],
    [
      "a selector's new id",
      "dave",
      "selector edit plan-00000001 sel-00000001 --resource-ids i-0b1",
      "p-prod",
      "project p-dev",
    ],
    [
      "a selector's new type",
      "dave",
      "selector edit plan-00000001 sel-00000001 --resource-type amazon-rds-instance --resource-ids i-0a9",
      "ec2",
      "rds",
    ],
  ])("such as %s is refused, and both are named", async (_what, who, line, directory, said) => {
    const sent = changesSentTo(curfew());
    refusedBoth(await told(who, `${line}${line.startsWith("exclude") ? " for 1h" : ""}`), directory, said);
    expect(sent()).toEqual([]);
  });

  it("is refused in a form as well, at the field", async () => {
    await openForm(curfew(), "alice", "exclude i-0b1");
    await curfew().workspace.as("alice").fill({ Project: "p-dev" });
    expect(await curfew().workspace.as("alice").submit()).toMatchObject({
      kind: "errors",
      errors: { Project: expect.stringContaining("i-0b1 is in project p-prod") },
    });
  });

  it("is refused by an edit, and one that leaves the resource out is not", async () => {
    const id = await made("dave", "exclude i-0c1 --project p-dev for 1h");
    refusedBoth(await told("dave", `exclusion edit ${id} --resource-ids "i-0c1 i-0b1"`), "p-prod", "p-dev");
    refusedBoth(await told("dave", `exclusion edit ${id} --type amazon-ebs-volume`), "ec2", "ebs");
    expect(await told("dave", `exclusion edit ${id} --resource-ids i-0c2`)).toContain("You changed exclusion");
  });

  it("is refused where only an earlier exclusion tells, and still takes its right when that has ended", async () => {
    const id = await made("carol", "exclude billing --type amazon-ec2-instance --project p-prod for 1h");
    const claim = "exclude billing --type amazon-ec2-instance --project p-dev for 1h";
    refusedBoth(await told("alice", claim), `billing is in project p-prod, as exclusion ${id} says`, "p-dev");
    refusedBoth(await told("carol", claim), "p-prod", "p-dev");
    await openForm(curfew(), "carol", `exclusion end ${id}`);
    await send(curfew(), "carol");
    refusedBoth(await told("alice", claim), "p-prod", "only in the project p-dev");
    expect(await told("carol", claim)).toContain("You excluded billing");
  });

  it("is refused also after it has expired, and after many exclusions of something else", async () => {
    await ask(curfew(), "carol", "exclude old-one --type amazon-ec2-instance --project p-prod for 1h");
    clock.advance(30 * 3_600_000);
    for (let count = 0; count < 8; count++) await ask(curfew(), "alice", "exclude i-0c5 --project p-dev for 1h");
    refusedBoth(
      await told("alice", "exclude i-0c5 old-one --type amazon-ec2-instance --project p-dev for 1h"),
      "p-prod",
      "p-dev",
    );
  });
});

describe("a change of an exclusion", () => {
  it("is judged by where its resources are known to be by now, by a line, a button and an undo", async () => {
    const { message, text } = await ask(curfew(), "alice", "exclude i-0c7 --project p-dev for 1h");
    const id = exclusionIdIn(text);
    const extended = await ask(curfew(), "alice", `exclusion extend ${id} for 1h`);
    await curfew().app.reload(someSettings(inProduction));
    const sent = changesSentTo(curfew());
    refusedBoth(await told("alice", `exclusion extend ${id} for 1h`), "p-prod", "p-dev");
    const undo = () => curfew().workspace.as("alice").press("Undo", extended.message);
    refusedBoth((await messagesAfter(curfew(), "alice", undo)).text, "p-prod", "p-dev");
    const undoMade = () => curfew().workspace.as("alice").press("Undo", message);
    expect((await messagesAfter(curfew(), "alice", undoMade)).text).toContain("changed the same thing since");
    await openForm(curfew(), "alice", `exclusion extend ${id}`);
    expect(await curfew().workspace.as("alice").submit()).toMatchObject({ kind: "errors" });
    await curfew().workspace.as("alice").cancel();
    await openForm(curfew(), "alice", `exclusion end ${id}`);
    const ended = await curfew().workspace.as("alice").submit();
    expect(JSON.stringify(ended)).toContain("i-0c7 is amazon-ec2-instance of project p-prod");
    expect(sent()).toEqual([]);
    await openForm(curfew(), "carol", `exclusion end ${id}`);
    expect((await send(curfew(), "carol")).text).toContain("You ended exclusion");
  });

  it("that makes it one that needs approval when it is made needs that approval", async () => {
    const sent = changesSentTo(curfew());
    const id = await made("dave", "exclude depot --type amazon-rds-instance --project p-dev for 4h");
    expect(await told("dave", `exclusion extend ${id} for 13d`)).toContain("You moved the end");
    expect(await told("dave", `exclusion edit ${id} --type amazon-ec2-instance`)).toContain("waits for");
    const other = await made("dave", "exclude depot-2 --type amazon-ec2-instance --project p-dev for 4h");
    expect(await told("dave", `exclusion extend ${other} for 13d`)).toContain("waits for");
    expect(await told("dave", `exclusion edit ${other} --process both`)).toContain("You changed exclusion");
    expect(await told("dave", `exclusion edit ${other} --name Less --enabled no`)).toContain("You changed exclusion");
    expect(sent()).toHaveLength(5);
  });

  it("made by others with a longer length than any new one may have is not turned into another one", async () => {
    const id = await made("dave", "exclude attic --type amazon-rds-instance --project p-dev for 13d");
    const config = unlimitedConfig.replace("longest: 14d", "longest: 2d");
    await curfew().app.reload(someSettings(config.replace("members: [U03CAROL]", "members: [U03CAROL, U04DAVE]")));
    expect(await told("dave", `exclusion edit ${id} --resource-ids cellar`)).toContain("may last 2 d at most");
    expect(await told("dave", `exclusion edit ${id} --name Attic`)).toContain("You changed exclusion");
  });

  it("is judged anew when it is approved: a resource that belongs elsewhere by then stays as it is", async () => {
    const { card, changeId } = await askFor(curfew(), "dave", "exclude i-0c7 --project p-dev for 9h");
    await curfew().app.reload(someSettings(inProduction));
    const sent = changesSentTo(curfew());
    const { text } = await press(curfew(), "bob", "Approve", card);
    refusedBoth(text.replace("nothing was changed", "Nothing was changed"), "p-prod", "p-dev");
    expect(sent()).toEqual([]);
    await directMessage(curfew(), "dave", "(NotPossibleNow)", changeId);
  });

  it("of a saved group is performed as it was approved, also under the group's name", async () => {
    await ask(curfew(), "alice", "group save fleet i-0d1 i-0d2 --project p-dev");
    const { card } = await askFor(curfew(), "alice", "exclude fleet for 9h");
    await ask(curfew(), "alice", "group save fleet i-0d3 --project p-dev");
    await press(curfew(), "bob", "Approve", card);
    expect(textOf(await cardSaying(curfew(), card, "<@U01ALICE> excluded"))).toContain("alice: fleet");
    expect(lastBody(curfew(), "CreateActionExclusion")).toMatchObject({ resourceIds: ["i-0d1", "i-0d2"] });
    await ask(curfew(), "alice", "group delete fleet");
  });
});

describe("a change that several approval rules are about", () => {
  const edit = "selector edit plan-00000001 sel-00000001 --resource-type";

  it("is refused where nobody may give them all", async () => {
    const sent = changesSentTo(curfew());
    expect(await told("dave", `${edit} amazon-ebs-volume`)).toContain("need approvals of different people");
    expect(sent()).toEqual([]);
  });

  it("is put to those alone who may give every approval", async () => {
    const { card } = await askFor(curfew(), "dave", `${edit} amazon-rds-instance`);
    expect(textOf(card)).toContain("of helpdesk (<@U02BOB>)");
    expect((await press(curfew(), "carol", "Approve", card)).text).toContain("it takes helpdesk");
    expect((await press(curfew(), "bob", "Approve", card)).text).toContain("You approved it.");
  });
});
