import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { cardSaying, directMessage } from "../support/approval-journey.ts";
import { callLine } from "../support/as-caller.ts";
import { ask, buttonsOn, cardOf, cardsIn, changesSentTo, menusOn } from "../support/journey.ts";
import { oneBot } from "../support/one-bot.ts";
import { reload, unlimitedConfig } from "../support/start-curfew.ts";
import { configWithSteps, errorOf, outputsOf, startWithSteps } from "../support/workflow-steps.ts";

const usual = "i-0d1, i-0d2";
const withGroups = (payments = usual, ledger = "i-0e1, i-0e2") => `resourceGroups:
  payments: { type: amazon-ec2-instance, project: p-dev, ids: [${payments}], actions: [a-00000002] }
  ledger: { type: amazon-ec2-instance, project: p-dev, ids: [${ledger}], actions: [] }
  ours: { type: amazon-ec2-instance, project: p-dev, ids: [i-0f1], actions: [] }
`;
const roles = `permissions:
  roles:
    payments: { members: [U01ALICE], allow: &keep [reads, CreateActionExclusion, ModifyActionExclusion, DeleteActionExclusion], where: { groups: [payments] } }
    ledger: { members: [U02BOB], allow: *keep, where: { groups: [ledger] } }
    both: { members: [U04DAVE], allow: *keep, where: { groups: [payments, ledger] } }
    bot: { members: [], allow: *keep, where: { groups: [payments] } }
    admin: { members: [U03CAROL], allow: ["*"] }
`;
const announce = `announce:
  - { operations: ["*"], channel: C0SEC, groups: [ledger] }
  - { operations: ["*"], channel: C0OPS, groups: [payments, ours] }
`;
const base = unlimitedConfig
  .replace(/^permissions:\n(?: .*\n|\n)+/m, roles)
  .replace(/^announce:\n(?: .*\n)+/m, announce)
  .replace(/^workflows: .*\n/m, "")
  .replace(/^(callers:\n(?: .*\n)*? +role: )\w+/m, "$1bot")
  .replace(/(name: deploy-bot.*role: )\w+/, "$1bot");
const configOf = (groups = withGroups(), more = "") =>
  `${base.replace(/^resourceGroups:\n(?: .*\n)+/m, groups)}${more}`;

const { curfew, clock } = oneBot({ config: configOf() });
const hourMs = 3_600_000;
beforeEach(() => void clock.advance(25 * hourMs));
afterEach(() => reload(curfew(), configOf()));
const reply = async (who: string, line: string) => (await ask(curfew(), who, line)).text;
const notOurs = (ids: string) => `only for the group payments. ${ids} not in it.`;

describe("a team's role", () => {
  it("is for the machines of its group: by the group's name, by ids, longer, and to the end", async () => {
    const sent = changesSentTo(curfew());
    const made = await ask(curfew(), "alice", "keep payments up for 2h");
    expect(made.text).toContain("Keeping payments running until");
    await ask(curfew(), "alice", "extend payments 1h");
    await ask(curfew(), "alice", `end ${made.exclusionId}`);
    await ask(curfew(), "alice", "exclude i-0d1 for 2h");
    expect(sent()).toEqual([
      ...["CreateActionExclusion", "ModifyActionExclusion", "DeleteActionExclusion", "CreateActionExclusion"],
    ]);
  });

  it("is for no other machine, alone or beside its own, whatever project and type are said", async () => {
    const sent = changesSentTo(curfew());
    expect(await reply("alice", "exclude i-0e1 for 2h")).toContain(notOurs("i-0e1 is"));
    expect(await reply("alice", "exclude i-0d1 i-0e1 i-0e2 for 2h")).toContain(notOurs("i-0e1, i-0e2 are"));
    expect(await reply("alice", "exclude i-0ab1 for 2h --project p-dev")).toContain(notOurs("i-0ab1 is"));
    expect(await reply("alice", "exclude i-0d1 for 2h --project p-prod")).toContain("only for the group payments");
    expect(await reply("dave", "exclude i-0d1 i-0e1 for 2h")).toContain("Keeping ");
    expect(sent()).toEqual(["CreateActionExclusion"]);
  });

  it("does not grow by a saved group, of whatever name", async () => {
    const ofConfig = "comes from the config file";
    expect(await reply("alice", "group save payments i-0d1 --project p-dev")).toContain(ofConfig);
    expect(await reply("alice", "group add payments i-0ab2")).toContain(ofConfig);
    expect(await reply("alice", "group save mine i-0d1 i-0ab2 --project p-dev")).toContain("You can't keep");
    expect(await reply("alice", "group save mine i-0d1 i-0d2 --project p-dev")).toContain("Saved group mine");
    expect(await reply("alice", "group delete mine")).toContain("Deleted group mine");
    await ask(curfew(), "carol", "group save Payments2 i-0ab2 --project p-dev");
    expect(await reply("alice", "exclude i-0ab2 for 2h --project p-dev")).toContain(notOurs("i-0ab2 is"));
  });

  it("does not take an exclusion over: not by an edit, an extension, an end or an undo", async () => {
    const own = await ask(curfew(), "alice", "exclude i-0d1 for 2h --another");
    const theirs = await ask(curfew(), "bob", "exclude i-0e1 for 2h");
    const sent = changesSentTo(curfew());
    expect(await reply("alice", `exclusion edit ${own.exclusionId} --resource-ids "i-0d1 i-0e1"`)).toContain(
      notOurs("i-0e1 is"),
    );
    expect(await reply("alice", `exclusion edit ${theirs.exclusionId} --resource-ids i-0d1`)).not.toContain("Changed");
    expect(await reply("alice", `extend ${theirs.exclusionId} 1h`)).toContain("only for the group payments");
    expect(await reply("alice", `end ${theirs.exclusionId}`)).toContain("only for the group payments");
    expect(await reply("alice", `undo ${theirs.changeId}`)).toContain("only for the group payments");
    expect(sent()).toEqual([]);
    // What carol makes of alice's own is not alice's to take back.
    const moved = await ask(curfew(), "carol", `exclusion edit ${own.exclusionId} --resource-ids i-0e2`);
    expect(await reply("alice", `undo ${moved.changeId}`)).toContain("only for the group payments");
    expect(await reply("alice", `extend ${own.exclusionId} 1h`)).toContain("only for the group payments");
    expect(sent()).toEqual(["ModifyActionExclusion"]);
  });

  it("has nothing to do with an exclusion by tags, whatever machines it named before", async () => {
    const own = await ask(curfew(), "alice", "exclude i-0d2 for 2h --another");
    const sent = changesSentTo(curfew());
    for (const method of ["all", "by-resource-tag"])
      expect(await reply("alice", `exclusion edit ${own.exclusionId} --method ${method}`)).toContain(
        "This names no machine by its id",
      );
    await ask(curfew(), "carol", `exclusion edit ${own.exclusionId} --method all`);
    expect(await reply("alice", `extend ${own.exclusionId} 1h`)).toContain("This names no machine by its id");
    expect(await reply("alice", `end ${own.exclusionId}`)).toContain("This names no machine by its id");
    expect(sent()).toEqual(["ModifyActionExclusion"]);
    await ask(curfew(), "carol", `end ${own.exclusionId}`);
  });

  it("holds for a pipeline as for a person", async () => {
    expect(await callLine(curfew(), "keep payments up for 1h")).toMatchObject({ body: { outcome: "succeeded" } });
    expect(await callLine(curfew(), "exclude i-0d1 i-0e1 for 1h")).toMatchObject({
      status: 403,
      body: { detail: expect.stringContaining(notOurs("i-0e1 is")) },
    });
  });

  it("without reads finds and names its own group, and nothing of the others beside it", async () => {
    await reload(curfew(), configOf().replace("&keep [reads, ", "&keep ["));
    const sent = changesSentTo(curfew());
    expect(await reply("alice", "keep payments up for 2h --another")).toContain("Keeping payments running until");
    expect(await reply("alice", "keep ledger up for 2h")).not.toMatch(/Keeping|i-0e1/);
    expect(sent()).toEqual(["CreateActionExclusion"]);
  });

  it("is decided by the machines of each time: a series ends for those that leave the group", async () => {
    const planned = await ask(curfew(), "alice", "exclude payments from tomorrow 10:00 until tomorrow 12:00");
    await reload(curfew(), configOf(withGroups("i-0d1", "i-0e1, i-0e2, i-0d2")));
    const sent = changesSentTo(curfew());
    clock.advance(34 * hourMs);
    await curfew().app.idle();
    await directMessage(curfew(), "alice", planned.changeId, "not");
    expect(sent()).toEqual([]);
  });
});

describe("a team's series", () => {
  const plan = () => ask(curfew(), "alice", "keep payments up every day 10:00-12:00 for 3 days");

  it("ends for machines that leave the group", async () => {
    const planned = await plan();
    // Today's time may be over.
    expect(planned.text).toMatch(/Planned\. [23] times/);
    await reload(curfew(), configOf(withGroups("i-0d1", "i-0e1, i-0e2, i-0d2")));
    const sent = changesSentTo(curfew());
    clock.advance(96 * hourMs);
    await curfew().app.idle();
    expect(sent()).toEqual([]);
  });

  it("is withdrawn, and times of it left out, by who may end such exclusions", async () => {
    const { changeId } = await plan();
    expect(await reply("bob", `withdraw ${changeId}`)).toContain("only for the group ledger");
    expect(await reply("bob", `leave out ${changeId} tomorrow`)).not.toMatch(/Left out/);
    expect(await reply("dave", `withdraw ${changeId}`)).toContain("You withdrew it.");
  });
});

describe("others' changes", () => {
  it("are in the history of those who may make or read them", async () => {
    const { changeId } = await ask(curfew(), "alice", "keep payments up for 2h --another");
    expect(await reply("bob", `history ${changeId}`)).toContain("alice");
    await reload(curfew(), configOf().replace("&keep [reads, ", "&keep ["));
    expect(await reply("bob", `history ${changeId}`)).not.toContain("alice");
    expect(await reply("dave", `history ${changeId}`)).toContain("alice");
  });

  it("can be asked of somebody who has the machines, and of nobody else", async () => {
    const asks = "where: { groups: [payments] }, mayAsk: { operations: [CreateActionExclusion], approvers: [both] } }";
    const mayAsk = configOf().replace("where: { groups: [payments] } }", asks);
    await reload(curfew(), `${mayAsk}\n`);
    const offered = await ask(curfew(), "alice", "exclude i-0e1 for 2h --another");
    expect(buttonsOn(offered.message)).toContainEqual(expect.stringMatching(/^Ask dave/));
    const others = await ask(curfew(), "alice", "exclude i-0e1 i-0f1 for 2h --another");
    expect(buttonsOn(others.message)).not.toContainEqual(expect.stringMatching(/^Ask dave/));
  });
});

describe("what a team is offered", () => {
  it("is what a press then does: groups, runs and plans of its own", async () => {
    const listed = await ask(curfew(), "alice", "groups");
    expect(listed.text).toContain("payments");
    const own = await ask(curfew(), "alice", "next payments");
    const others = await ask(curfew(), "bob", "next payments");
    const keeps = ({ message }: typeof own) =>
      [...buttonsOn(message), ...menusOn(message).flat()].filter((label) => /^Keep/.test(label));
    expect(keeps(own)).not.toEqual([]);
    expect(keeps(others)).toEqual([]);
  });

  it("is told with the group's name: whoami, who may, my rights", async () => {
    expect(await reply("alice", "my rights")).toContain("only for the group payments");
    expect(await reply("alice", "who may keep i-0e1")).toMatch(/You may not.*i-0e1/s);
    expect(await reply("alice", "who may keep ledger")).toContain("You may not");
    expect(await reply("alice", "who may keep payments")).toContain("You may keep machines running or off");
  });
});

it("announces an exclusion in the channel of its team, and what names no machines in those of its project", async () => {
  const channelsOf = async (changeId: string) => {
    await curfew().app.idle();
    const saying = (channel: string) =>
      cardsIn(curfew().workspace, channel).some(({ text }) => text.includes(changeId));
    return ["ops", "security"].filter(saying);
  };
  const made = async (who: string, line: string) => channelsOf((await ask(curfew(), who, line)).changeId);
  expect(await made("alice", "exclude i-0d1 for 2h --another")).toEqual(["ops"]);
  expect(await made("bob", "exclude i-0e1 for 2h --another")).toEqual(["security"]);
  expect(await made("dave", "exclude i-0d2 i-0e2 for 2h --another")).toEqual(["ops", "security"]);
  expect(await made("carol", "exclude i-0ab7 for 2h --project p-dev")).toEqual([]);
  expect(await made("carol", 'plan create "Weekend" --project p-dev --start 08:00 --stop 9am --days monday')).toEqual([
    ...["ops", "security"],
  ]);
});

describe("an approval for a team's machines", () => {
  const approvals = `
approvals:
  - { operations: [CreateActionExclusion, ModifyActionExclusion], approvers: [ledger], when: { groups: [ledger] }, channel: C0SEC }
  - { operations: [CreateActionExclusion, ModifyActionExclusion], approvers: [payments, admin], when: { groups: [payments] }, channel: C0OPS }
`;
  const guarded = (groups?: string) => configOf(groups, approvals);

  it("is asked for by the machines, and for each of two teams apart", async () => {
    await reload(curfew(), guarded());
    const sent = changesSentTo(curfew());
    expect(await reply("carol", "exclude i-0f1 for 2h --another")).toContain("Keeping ");
    expect(await reply("dave", "exclude i-0d1 i-0e1 for 2h --another")).toContain("Ask for each of them apart");
    expect(await reply("dave", "exclude i-0d1 for 2h --another")).toContain("This waits for approval.");
    expect(sent()).toEqual(["CreateActionExclusion"]);
  });

  it("is another one once the machine moves to another team while it waits", async () => {
    await reload(curfew(), guarded());
    const asked = await ask(curfew(), "dave", "exclude i-0d2 for 3h --another");
    const card = await cardOf(curfew(), asked.changeId, "ops");
    const sent = changesSentTo(curfew());
    await reload(curfew(), guarded(withGroups("i-0d1", "i-0e1, i-0e2, i-0d2")));
    expect(await reply("alice", `approve ${asked.changeId}`)).not.toContain("You approved it.");
    await cardSaying(curfew(), card, "By now it takes the approval of “ledger”");
    expect(sent()).toEqual([]);
  });
});

it("a step of a workflow has the group of its role and no more", async () => {
  const groups = withGroups().replace("resourceGroups:\n", "");
  const config = configWithSteps("", ", where: { groups: [payments] }").replace("resourceGroups:\n", `$&${groups}`);
  const steps = await startWithSteps({ config });
  try {
    const kept = await outputsOf(steps, "keep_running", { resource_ids: "payments", until: "2h" });
    expect(kept.outcome).toMatch(/^Kept payments running/);
    for (const resource_ids of ["i-0e1", "i-0d1 i-0e1"])
      expect(await errorOf(steps, "keep_running", { resource_ids, until: "2h", project: "p-dev" })).toContain(
        "only for the group payments. i-0e1 is not in it.",
      );
    const sent = changesSentTo(steps);
    const other = await ask(steps, "carol", "exclude i-0e1 for 2h --project p-dev");
    const { exclusionId: exclusion } = other;
    for (const [step, inputs] of [
      ["extend_exclusion", { exclusion, until: "4h" }],
      ["end_exclusion", { exclusion }],
    ] as const)
      expect(await errorOf(steps, step, inputs)).toContain("the group payments");
    expect(sent()).toEqual(["CreateActionExclusion"]);
  } finally {
    await steps.stop();
  }
});
