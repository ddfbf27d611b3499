import { afterEach, describe, expect, it } from "vitest";
import { defaultSeed } from "../../src/sandbox/workspace/default-seed.ts";
import {
  askFor,
  buttonsNow,
  cardSaying,
  configWith,
  directMessage,
  press,
  withdrawAll,
} from "../support/approval-journey.ts";
import { ask, buttonsOn, changesSentTo, type nowOf, textOf } from "../support/journey.ts";
import { oneBot } from "../support/one-bot.ts";

/** Needs two of the admins and deputies. bob is an admin; deputies are those in the engineers' user group. */
const config = configWith(
  "{ operations: [ModifyUser], approvers: [admin, deputy], count: 2 }",
  "{ operations: [ModifyProject, DeleteActionExclusion, ModifyActionExclusion], approvers: [deputy, helpdesk] }",
  "{ operations: [CreateActionExclusion], approvers: [helpdesk] }",
)
  .replace("deputy: { members: [S0ENGINEERS]", "deputy: { members: [S0ENGINEERS, U02BOB]")
  .replace("allow: [reads, CreateActionExclusion", "allow: [reads, ModifyProject, CreateActionExclusion")
  .replace(" # asked for in one of these channels", "");

const henry = { id: "U10HENRY", handle: "henry", realName: "Henry", email: "henry@example.com" };
const seed = { ...defaultSeed, people: [...defaultSeed.people, henry] };
const { curfew, clock, person } = oneBot({ config, seed });
const isWaiting = (card: Parameters<typeof nowOf>[1]) => buttonsNow(curfew(), card).includes("Approve");

afterEach(async () => {
  await curfew().workspace.changes.setGroup("engineers", ["alice"]);
  await curfew().workspace.changes.changePerson("alice", { deleted: false, isRestricted: false });
  await curfew().workspace.changes.changePerson("bob", { deleted: false });
  curfew().workspace.faults.clear();
  clock.advance(31_000);
  for (const who of ["alice", "bob", "carol"]) await withdrawAll(curfew(), who);
});

describe("a change that needs two approvals", () => {
  it("counts each approver once and is performed after the second", async () => {
    const { card, changeId } = await askFor(curfew());
    const sent = changesSentTo(curfew());
    expect((await press(curfew(), "carol", "Approve", card)).text).toContain(
      "It is waiting for 2 approvals (1 given): nothing was changed yet.",
    );
    await cardSaying(curfew(), card, "Approved by <@U03CAROL>");
    expect((await press(curfew(), "carol", "Approve", card)).text).toContain("You already approved this.");
    expect((await ask(curfew(), "carol", `deny ${changeId} no`)).text).toContain(
      "Your denial had no effect. You approved this before, and each person decides once.",
    );
    expect((await ask(curfew(), "carol", `approve ${changeId} --note again`)).text).toContain("already approved this");
    expect(sent()).toEqual([]);
    await press(curfew(), "alice", "Approve", card);
    expect(sent()).toEqual(["ModifyUser"]);
    const settled = textOf(await cardSaying(curfew(), card, "<@U02BOB> disabled dave"));
    expect(settled).toContain("approved by <@U03CAROL> · approved by <@U01ALICE>");
    await directMessage(curfew(), "bob", "You disabled dave", changeId);
  });

  it("is performed once when both approve at the same moment", async () => {
    const { card, changeId } = await askFor(curfew());
    const sent = changesSentTo(curfew());
    await Promise.all(["carol", "alice"].map((who) => person(who).press("Approve", card, { times: 2 })));
    await directMessage(curfew(), "bob", "You disabled dave", changeId);
    await curfew().app.idle();
    expect(sent()).toEqual(["ModifyUser"]);
  });

  it("is denied by an approver even if Slack does not say whose account it is", async () => {
    const { card, changeId } = await askFor(curfew());
    clock.advance(600_000);
    curfew().workspace.faults.failNext("users.lookupByEmail", { error: "internal_error", times: 20 });
    await ask(curfew(), "carol", `deny ${changeId} no`);
    await cardSaying(curfew(), card, "Denied by <@U03CAROL>");
  });

  it("is denied by one approver", async () => {
    const { card, changeId } = await askFor(curfew());
    await press(curfew(), "alice", "Approve", card);
    await ask(curfew(), "carol", `deny ${changeId} no`);
    const denied = textOf(await cardSaying(curfew(), card, "Denied by "));
    expect(denied).toContain("Approved by <@U01ALICE>");
    expect(denied).toContain("Denied by <@U03CAROL>");
    await directMessage(curfew(), "bob", "Nothing was changed.", changeId);
  });
});

describe("the requester", () => {
  it("cannot approve or deny their own change, even with the role", async () => {
    const { card, changeId } = await askFor(curfew());
    expect(textOf(card)).toContain("needs 2 of <@U03CAROL> or <!subteam^S0ENGINEERS> until <!date");
    const sent = changesSentTo(curfew());
    const own =
      /You asked for this yourself, so you can't decide on it\. You can withdraw it\..* Nothing was changed\./;
    const { text } = await press(curfew(), "bob", "Approve", card);
    expect(text).toMatch(own);
    expect(text).toContain("Ask <@U03CAROL> or <!subteam^S0ENGINEERS>.");
    expect((await ask(curfew(), "bob", `approve ${changeId}`)).text).toMatch(own);
    expect((await ask(curfew(), "bob", `deny ${changeId} me`)).text).toMatch(own);
    await person("bob").openHome();
    const home = await curfew().workspace.waitFor(() => person("bob").home());
    const values = JSON.stringify(home.blocks);
    expect(values).toContain(`run:withdraw:withdraw`);
    expect(values).not.toContain("run:approve:approve");
    expect(isWaiting(card)).toBe(true);
    expect(sent()).toEqual([]);
    await ask(curfew(), "bob", `withdraw ${changeId}`);
  });

  it("is the only person who can withdraw it", async () => {
    const { card, changeId } = await askFor(curfew());
    expect((await ask(curfew(), "carol", `withdraw ${changeId}`)).text).toContain(
      "Only who asked for a change can withdraw it: ask bob. Nothing was changed.",
    );
    expect(isWaiting(card)).toBe(true);
  });
});

describe("the account owner", () => {
  it("cannot give the second approval but can deny", async () => {
    await curfew().workspace.changes.setGroup("engineers", ["alice", "dave"]);
    clock.advance(31_000);
    const { card, changeId } = await askFor(curfew(), "bob", "user disable carol@example.com");
    const sent = changesSentTo(curfew());
    const own = "This is about your own account, so somebody else must approve it.";
    expect((await press(curfew(), "carol", "Approve", card)).text).toContain(own);
    expect((await ask(curfew(), "carol", `approve ${changeId}`)).text).toContain(own);
    expect((await press(curfew(), "alice", "Approve", card)).text).toContain("(1 given)");
    expect((await ask(curfew(), "carol", `deny ${changeId} not me`)).text).toContain("You denied it.");
    expect(sent()).toEqual([]);
  });
});

describe("someone who may not approve", () => {
  it.each(["dave", "gina", "erin"])("as %s is refused, changes nothing and sees who can approve", async (who) => {
    await curfew().workspace.changes.setGroup("engineers", ["alice", "henry"]);
    clock.advance(31_000);
    const { card, changeId } = await askFor(curfew(), "bob", "user disable alice@example.com");
    const sent = changesSentTo(curfew());
    const pressed = await press(curfew(), who, "Approve", card);
    expect(pressed.text).toMatch(/^:no_entry: .* Nothing was changed\./);
    if (who === "dave") {
      expect(pressed.text).toContain("You can't decide this: it takes admin");
      expect(pressed.text).toContain("Ask <@U03CAROL> or <!subteam^S0ENGINEERS>.");
    }
    for (const line of [`approve ${changeId}`, `deny ${changeId} no`, `withdraw ${changeId}`, "approve chg-nowhere"])
      expect((await ask(curfew(), who, line)).text).toContain("Nothing was changed.");
    await person(who).press("Deny…", card);
    await curfew().app.idle();
    expect(person(who).openView()).toBeUndefined();
    expect(isWaiting(card)).toBe(true);
    expect(sent()).toEqual([]);
  });

  it("is refused when their role covers other changes only", async () => {
    const { card } = await askFor(curfew(), "carol", "project rename p-dev Workshop");
    expect((await press(curfew(), "carol", "Approve", card)).text).toContain("Ask <!subteam^S0ENGINEERS>");
  });

  it("sees an error for a change that does not exist", async () => {
    expect((await ask(curfew(), "carol", "approve chg-nowhere")).text).toContain(
      "There is no change chg-nowhere that needs an approval or is planned.",
    );
  });

  it.each([
    ["was just removed from the group", () => curfew().workspace.changes.setGroup("engineers", [])],
    ["has left", () => curfew().workspace.changes.changePerson("alice", { deleted: true })],
    ["is now a guest", () => curfew().workspace.changes.changePerson("alice", { isRestricted: true })],
    [
      "is in a group that cannot be read",
      async () => curfew().workspace.faults.failNext("usergroups.list", { error: "internal_error", times: 9 }),
    ],
  ])("includes a deputy who %s", async (_why, lose) => {
    const { card } = await askFor(curfew());
    await press(curfew(), "carol", "Approve", card);
    const sent = changesSentTo(curfew());
    await lose();
    clock.advance(60_000);
    expect((await press(curfew(), "alice", "Approve", card)).text).toContain("Nothing was changed");
    expect(isWaiting(card)).toBe(true);
    expect(sent()).toEqual([]);
  });
});

describe("an approved change", () => {
  it.each([
    ["lost their role", () => curfew().workspace.changes.setGroup("engineers", [])],
    ["left", () => curfew().workspace.changes.changePerson("alice", { deleted: true })],
  ])("is not performed when the requester has %s since", async (how, lose) => {
    const { card, changeId } = await askFor(curfew(), "alice", "exclude staging for 2h --another");
    const sent = changesSentTo(curfew());
    await lose();
    clock.advance(5000);
    const { text } = await press(curfew(), "bob", "Approve", card);
    expect(text).toContain("You approved it. alice wanted to keep staging running. It failed:");
    expect(text).toContain("Who asked may not do this any more");
    expect(sent()).toEqual([]);
    const failed = await cardSaying(curfew(), card, "It failed: nothing was changed.");
    expect(textOf(failed)).toContain("Approved by <@U02BOB>");
    expect(buttonsOn(failed)).toEqual([]);
    if (how !== "lost their role") return;
    const notice = await directMessage(curfew(), "alice", "(NotAllowedNow)", changeId);
    expect(textOf(notice)).toContain("nothing was changed. You may no longer do this: “whoami” shows what you may do.");
    expect(buttonsOn(notice)).toEqual([]);
  });

  const exclusionOf = async () => {
    const made = await askFor(curfew(), "alice", "exclude staging for 2h --another");
    await press(curfew(), "bob", "Approve", made.card);
    await cardSaying(curfew(), made.card, "<@U01ALICE> is keeping *staging* running");
    return [...curfew().service.account.exclusions.keys()].at(-1) ?? "";
  };

  it("is not performed when the exclusion has moved since", async () => {
    const id = await exclusionOf();
    const extended = await askFor(curfew(), "carol", `exclusion extend ${id} for 1h`);
    const ended = await askFor(curfew(), "carol", `exclusion extend ${id} for 3h`);
    await press(curfew(), "bob", "Approve", extended.card);
    await cardSaying(curfew(), extended.card, "extended");
    const sent = changesSentTo(curfew());
    const { text } = await press(curfew(), "bob", "Approve", ended.card);
    expect(text).toContain("It failed: nothing was changed. Its subject was changed after the request");
    expect(sent()).toEqual([]);
    await directMessage(curfew(), "carol", "(ChangedSince)", ended.changeId);
  });

  it("is not performed when its end has passed", async () => {
    const { card } = await askFor(curfew(), "alice", "exclude staging for 30m --another");
    const sent = changesSentTo(curfew());
    clock.advance(1_801_000);
    expect((await press(curfew(), "bob", "Approve", card)).text).toContain("That moment has already passed.");
    expect(sent()).toEqual([]);
  });

  it("is performed when only the requester's display name has changed", async () => {
    const { card } = await askFor(curfew(), "alice", "exclude staging for 2h --another");
    const sent = changesSentTo(curfew());
    await curfew().workspace.changes.changePerson("alice", { displayName: "Alice B." });
    clock.advance(5000);
    expect((await press(curfew(), "bob", "Approve", card)).text).toContain("You approved it. alice kept");
    expect(sent()).toEqual(["CreateActionExclusion"]);
    await curfew().workspace.changes.changePerson("alice", { displayName: "alice" });
  });
});
