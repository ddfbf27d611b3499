import { beforeAll, describe, expect, it } from "vitest";
import type { StoredMessage } from "../../src/sandbox/workspace/state.ts";
import { holdsName, hostileName, misdrawn } from "../support/hostile-name.ts";
import { ask, messagesAfter, openForm, send } from "../support/journey.ts";
import { oneBot } from "../support/one-bot.ts";
import { readMrkdwn } from "../support/read-mrkdwn.ts";
import { unlimitedConfig } from "../support/start-curfew.ts";

const named = (id: string) => `${hostileName} ${id}`;

/** Every name in the directory is hostile; dave's MFA and his account need an approval. */
const config = `${unlimitedConfig.replace(
  /\{ id: ([\w-]+), name: [^,}]+/g,
  (_entry, id: string) => `{ id: ${id}, name: ${JSON.stringify(named(id))}`,
)}
digest: { channel: C0OPS, day: mon, at: "09:00" }
approvals:
  - { operations: [RemoveUserMfa, ModifyUser], approvers: [admin, helpdesk], count: 1, expires: 4h, channel: C0SEC }
`;

/** A Monday, 10:00 in Berlin. */
const { curfew, clock, person } = oneBot({ config, startAt: Date.parse("2026-11-23T09:00:00Z") });
const minuteMs = 60_000;
const poll = async (afterMs = minuteMs) => {
  clock.advance(afterMs);
  await curfew().app.watch();
  await curfew().app.idle();
};
const rename = <T extends object>(things: Map<string, T>, key: string, more: object = {}) => {
  for (const [id, thing] of things) things.set(id, { ...thing, [key]: named(id), ...more });
};
const everything = (): readonly StoredMessage[] =>
  ["ops", "security", "admins"].flatMap((channel) => curfew().workspace.channel(channel).messages);
const direct = (who: string) => person(who).messages("dm");

beforeAll(async () => {
  await poll();
  const { account } = curfew().service;
  rename(account.actions, "name", { comments: hostileName, tags: [hostileName], lastModifiedBy: "u-00000002" });
  rename(account.projects, "name");
  rename(account.users, "username", { status: hostileName, state: hostileName });
  rename(account.managedPolicies, "name");
  rename(account.credentials, "name");
  rename(account.plans, "name", { planType: hostileName });
  rename(account.selectors, "name", { regionNames: [hostileName] });
  await poll();
  await poll();
});

describe("what people and the service wrote is one line of literal text", () => {
  it("where actions were changed in the service", () => {
    const said = everything().filter(holdsName);
    expect(said.length).toBeGreaterThan(0);
    expect(misdrawn(said)).toEqual([]);
  });

  it.each([
    "user show u-00000001",
    "user list",
    "policy show mp-00000001",
    "plan list",
    "selector show plan-00000001 sel-00000001",
    "selector list",
    "project list",
    "credential list",
    "action show a-00000002",
    "action list",
    "next",
    "why i-0a1",
    "find u-00000001",
    "status staging",
    "disable u-0000000",
    `frobnicate "${hostileName}"`,
  ])("in the answer to %s", async (line) => {
    const { message } = await ask(curfew(), "carol", line);
    expect(holdsName(message), JSON.stringify(message.blocks)).toBe(true);
    expect(misdrawn(message)).toEqual([]);
  });

  it("on the card of an exclusion, in its thread, its reminder, its lists and on Home", async () => {
    await openForm(curfew(), "carol", "exclude --another");
    const made = await send(curfew(), "carol", { What: "staging", Why: hostileName, Name: named("exclusion") });
    expect(made.text).toContain("Keeping ");
    expect(misdrawn(made.message)).toEqual([]);
    await ask(curfew(), "carol", `exclusion extend ${made.exclusionId} for 1h because ${hostileName}`);
    await ask(curfew(), "carol", `exclusion edit ${made.exclusionId} --name "${hostileName} later"`);
    for (const line of ["exclusion list", "status i-0a1", "history", `history ${made.changeId}`, "why i-0a1"])
      expect(misdrawn((await ask(curfew(), "carol", line)).message), line).toEqual([]);
    await person("carol").openHome();
    const home = await curfew().workspace.waitFor(() => holdsName(person("carol").home()) && person("carol").home());
    expect(misdrawn(home)).toEqual([]);
    clock.advance(4 * 60 * minuteMs + 35 * minuteMs);
    await curfew().app.idle();
    expect(misdrawn([everything(), direct("carol")])).toEqual([]);
  });

  it("in the warning before a stop", async () => {
    const isWarning = ({ text }: StoredMessage) => /[Ss]tops? /.test(text) && text.includes("in 30 min");
    const before = everything().length;
    for (let polls = 0; polls < 30 && !everything().slice(before).some(isWarning); polls++) await poll(60 * minuteMs);
    const warnings = everything().slice(before).filter(holdsName);
    expect(warnings.length).toBeGreaterThan(0);
    expect(misdrawn(warnings)).toEqual([]);
  });

  it("in a form, filled and sent back", async () => {
    const form = await openForm(curfew(), "carol", "selector edit plan-00000001 sel-00000001");
    expect(holdsName(form.blocks)).toBe(true);
    expect(misdrawn(form.blocks)).toEqual([]);
  });

  it("above the Approve button, in what was decided, and for the account's owner", async () => {
    await ask(curfew(), "bob", `disable u-00000004 because ${hostileName}`);
    await curfew().app.idle();
    const card = everything().findLast(({ text }) => text.includes("disable"));
    if (!card) throw new Error("There is no card.");
    expect(holdsName(card)).toBe(true);
    await person("carol").press("Deny…", card);
    await curfew().workspace.waitFor(() => person("carol").openView());
    await person("carol").fill({ Reason: hostileName });
    await messagesAfter(curfew(), "carol", () => person("carol").submit(), "security");
    await curfew().app.idle();
    const shown = [everything(), ...["alice", "bob", "carol", "dave"].map(direct)];
    expect(misdrawn(shown)).toEqual([]);
  });

  it("in refusals, and in the digest of the week", async () => {
    await curfew().workspace.changes.changePerson("alice", { displayName: hostileName, realName: hostileName });
    await poll();
    expect((await ask(curfew(), "alice", "exclude staging for 3h --another")).text).toContain("Keeping ");
    await ask(curfew(), "alice", `disable u-00000004 ${hostileName}`);
    for (let days = 0; days < 8; days++) await poll(24 * 60 * minuteMs);
    const digest = everything().findLast(({ text }) => text.includes("Resources were kept running"));
    expect(holdsName(digest)).toBe(true);
    expect(misdrawn([everything(), ...["alice", "carol"].map(direct)])).toEqual([]);
  });
});

it("reads mrkdwn as Slack formats it", () => {
  const kinds = (text: string) => readMrkdwn(text).map(({ kind }) => kind);
  expect(kinds("*a* _b_ ~c~ `d` :x: <@U1>")).toEqual(["tag", "bold", "italic", "struck", "code", "emoji"]);
  expect(kinds("&gt; a\nweb_01_prod, 2 * 3, 18:00 to 19:00")).toEqual(["quote"]);
  expect(misdrawn({ text: hostileName })).not.toEqual([]);
});
