import { afterEach, describe, expect, it } from "vitest";
import { someSettings } from "../changes/build.ts";
import { askFor, cardSaying, directMessage, press } from "../support/approval-journey.ts";
import { ask, changesSentTo, end, fillIn, messagesAfter, openForm, textOf } from "../support/journey.ts";
import { lastBody, oneBot } from "../support/one-bot.ts";
import { unlimitedConfig } from "../support/start-curfew.ts";

/** The shop's machine and database are in production; dave may do anything with exclusions, and bob approves long ones of machines. */
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
const replyTo = async (who: string, line: string) => (await ask(curfew(), who, line)).text;
const refusedBoth = (text: string, directory: string, said: string) => {
  expect(text).toContain(directory);
  expect(text).toContain(said);
  expect(text).toContain("Nothing was changed");
};
const made = async (who: string, line: string) => (await ask(curfew(), who, line)).exclusionId;
const inProduction = config.replace("ids: [i-0b1] }", "ids: [i-0b1, i-0c7] }");

afterEach(async () => {
  await curfew().app.reload(someSettings(config));
});

describe("a line that contradicts a known resource", () => {
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
      "selector edit plan-00000001 sel-00000001 --resource-type amazon-ec2-instance --resource-ids i-0b1",
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
  ])("is refused for %s, and both are named", async (_what, who, line, directory, said) => {
    const sent = changesSentTo(curfew());
    refusedBoth(await replyTo(who, `${line}${line.startsWith("exclude") ? " for 1h" : ""}`), directory, said);
    expect(sent()).toEqual([]);
  });

  it("does not contradict it by the project's id in other letters", async () => {
    expect(await replyTo("carol", "exclude i-0b1 --project P-PROD for 1h")).toContain("Keeping shop running until ");
    expect(lastBody(curfew(), "CreateActionExclusion")).toMatchObject({ projectId: "p-prod" });
  });

  it("is refused at the field in a form as well", async () => {
    await openForm(curfew(), "alice", "exclude");
    await fillIn(curfew(), "alice", { What: "i-0b1", Project: "p-dev" });
    expect(await curfew().workspace.as("alice").submit()).toMatchObject({
      kind: "errors",
      errors: { Project: expect.stringContaining("i-0b1 is in project p-prod") },
    });
  });

  it("is refused in an edit, unless the edit leaves the resource out", async () => {
    const id = await made("dave", "exclude i-0c1 --project p-dev for 1h");
    refusedBoth(await replyTo("dave", `exclusion edit ${id} --resource-ids "i-0c1 i-0b1"`), "p-prod", "p-dev");
    refusedBoth(await replyTo("dave", `exclusion edit ${id} --type amazon-ebs-volume`), "ec2", "ebs");
    expect(await replyTo("dave", `exclusion edit ${id} --resource-ids i-0c2`)).toContain("You changed");
  });

  it("is refused because of an earlier exclusion, and needs rights in both projects afterwards", async () => {
    const id = await made("carol", "exclude i-0b9 --project p-prod for 1h");
    const claim = "exclude i-0b9 --project p-dev for 1h";
    refusedBoth(await replyTo("alice", claim), `i-0b9 is in project p-prod, as exclusion ${id} says`, "p-dev");
    refusedBoth(await replyTo("carol", claim), "p-prod", "p-dev");
    await end(curfew(), "carol", id);
    refusedBoth(await replyTo("alice", claim), "p-prod", "only in Development");
    expect(await replyTo("carol", claim)).toContain("Keeping i-0b9");
  });

  it("is refused after that exclusion expired, and after many other exclusions", async () => {
    await ask(curfew(), "carol", "exclude i-0b8 --project p-prod for 1h");
    clock.advance(30 * 3_600_000);
    for (let count = 0; count < 8; count++)
      expect(await replyTo("alice", "exclude i-0c5 --project p-dev for 1h --another")).toContain("Keeping ");
    refusedBoth(await replyTo("alice", "exclude i-0c5 i-0b8 --project p-dev for 1h"), "p-prod", "p-dev");
  });
});

describe("a change of an exclusion", () => {
  it("is checked against the current places of its resources, by line, button and undo", async () => {
    const { message, exclusionId } = await ask(curfew(), "alice", "exclude i-0c7 --project p-dev for 1h");
    const id = exclusionId;
    const extended = await ask(curfew(), "alice", `exclusion extend ${id} for 1h`);
    await curfew().app.reload(someSettings(inProduction));
    const sent = changesSentTo(curfew());
    refusedBoth(await replyTo("alice", `exclusion extend ${id} for 1h`), "p-prod", "p-dev");
    const undo = () => curfew().workspace.as("alice").press("Undo", extended.message);
    refusedBoth((await messagesAfter(curfew(), "alice", undo)).text, "p-prod", "p-dev");
    const undoMade = () => curfew().workspace.as("alice").press("Undo", message);
    expect((await messagesAfter(curfew(), "alice", undoMade)).text).toContain("changed the same thing since");
    await openForm(curfew(), "alice", `exclusion extend ${id}`);
    expect(await curfew().workspace.as("alice").submit()).toMatchObject({ kind: "errors" });
    await curfew().workspace.as("alice").cancel();
    const ended = await replyTo("alice", `exclusion end ${id}`);
    expect(ended).toContain("i-0c7 is amazon-ec2-instance of project p-prod");
    expect(sent()).toEqual([]);
    expect((await end(curfew(), "carol", id)).text).toContain("You stopped keeping");
  });

  it("needs approval when it turns the exclusion into one that needs approval", async () => {
    const sent = changesSentTo(curfew());
    const id = await made("dave", "exclude depot --type amazon-rds-instance --project p-dev for 4h");
    expect(await replyTo("dave", `exclusion extend ${id} for 13d`)).toContain(": now until");
    expect(await replyTo("dave", `exclusion edit ${id} --type amazon-ec2-instance`)).toContain(
      "This waits for approval.",
    );
    const other = await made("dave", "exclude i-0d2 --project p-dev for 4h");
    expect(await replyTo("dave", `exclusion extend ${other} for 13d`)).toMatch(
      /^:raised_hand: This waits for approval\.\nWithdraw/,
    );
    expect(await replyTo("dave", `exclusion edit ${other} --process both`)).toContain("You changed");
    expect(await replyTo("dave", `exclusion edit ${other} --name Less --enabled no`)).toContain("You changed");
    expect(sent()).toHaveLength(5);
  });

  it("cannot move an overlong exclusion to other resources, but can rename it", async () => {
    const id = await made("dave", "exclude attic --type amazon-rds-instance --project p-dev for 13d");
    const config = unlimitedConfig.replace("longest: 14d", "longest: 2d");
    await curfew().app.reload(someSettings(config.replace("members: [U03CAROL]", "members: [U03CAROL, U04DAVE]")));
    expect(await replyTo("dave", `exclusion edit ${id} --resource-ids cellar`)).toContain(
      "Nothing is kept for more than 2 d in a row.",
    );
    expect(await replyTo("dave", `exclusion edit ${id} --name Attic`)).toContain("You changed");
  });

  it("is checked again at approval, and is not made when a resource has moved", async () => {
    const { card, changeId } = await askFor(curfew(), "dave", "exclude i-0c7 --project p-dev for 9h");
    await curfew().app.reload(someSettings(inProduction));
    const sent = changesSentTo(curfew());
    const { text } = await press(curfew(), "bob", "Approve", card);
    refusedBoth(text.replace("nothing was changed", "Nothing was changed"), "p-prod", "p-dev");
    expect(sent()).toEqual([]);
    await directMessage(curfew(), "dave", "(NotPossibleNow)", changeId);
  });

  it("of a saved group is performed as approved, also under the group's name", async () => {
    await ask(curfew(), "alice", "group save fleet i-0d1 i-0d2 --project p-dev");
    const { card } = await askFor(curfew(), "alice", "exclude fleet for 9h");
    await ask(curfew(), "alice", "group save fleet i-0d3 --project p-dev");
    await press(curfew(), "bob", "Approve", card);
    await cardSaying(curfew(), card, "<@U01ALICE> is keeping *i-0d1* and *i-0d2* running");
    expect(lastBody(curfew(), "CreateActionExclusion")).toMatchObject({ resourceIds: ["i-0d1", "i-0d2"] });
    await ask(curfew(), "alice", "group delete fleet");
  });
});

describe("a change with several approval rules", () => {
  const edit = "selector edit plan-00000001 sel-00000001 --resource-type";

  it("is refused when nobody may give all approvals", async () => {
    const sent = changesSentTo(curfew());
    expect(await replyTo("dave", `${edit} amazon-ebs-volume`)).toContain("need approvals of different people");
    expect(sent()).toEqual([]);
  });

  it("is offered only to people who may give every approval", async () => {
    const { card } = await askFor(curfew(), "dave", `${edit} amazon-rds-instance`);
    expect(textOf(card)).toContain("needs <@U02BOB>");
    expect((await press(curfew(), "carol", "Approve", card)).text).toContain("it takes helpdesk");
    expect((await press(curfew(), "bob", "Approve", card)).text).toContain("You approved it.");
    await curfew().app.idle();
    // Another test may need the type that the selector had.
    const { card: back } = await askFor(curfew(), "dave", `${edit} amazon-ec2-instance`);
    await press(curfew(), "bob", "Approve", back);
    await curfew().app.idle();
  });
});
