import { createHash } from "node:crypto";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { StoredMessage } from "../../src/sandbox/workspace/state.ts";
import { verify } from "../store/history-file.ts";
import { configWith } from "../support/approval-journey.ts";
import { eventsExported, eventsLogged } from "../support/audit-events.ts";
import { createClock } from "../support/clock.ts";
import { type FollowedFile, followFile } from "../support/follow-file.ts";
import { ask, buttonsOn, cardsIn, messagesAfter, nowOf, textOf } from "../support/journey.ts";
import { samplesIn } from "../support/prometheus-samples.ts";
import { createSignal } from "../support/signal.ts";
import { type Curfew, startCurfew } from "../support/start-curfew.ts";

/** A request of bob's that an admin must approve. */
const strict = configWith("{ operations: [ModifyUser], approvers: [admin] }");
const loose = strict.slice(0, strict.indexOf("\napprovals:"));
const looser = strict.replace("longest: 14d", "longest: 15d");

const clock = createClock();
let curfew: Curfew;
let followed: FollowedFile | undefined;
afterEach(async () => {
  await followed?.stop();
  followed = undefined;
  await curfew.stop();
});

async function startWith(config: string, pollMs?: number): Promise<void> {
  curfew = await startCurfew({ config, now: clock.now });
  followed = await followFile(curfew.app, config, pollMs === undefined ? {} : { pollMs });
}

const write = (text: string) => followed?.write(text);
const admins = () => cardsIn(curfew.workspace, "admins");
const said = () => admins().map(textOf).join("\n");
/** The current message with the buttons in the admins' channel. */
const question = (channel = "admins"): Promise<StoredMessage> =>
  curfew.workspace.waitFor(
    () => cardsIn(curfew.workspace, channel).findLast((card) => buttonsOn(card).includes("Use it")),
    { what: "the question" },
  );
const saying = (card: StoredMessage, part: string) =>
  curfew.workspace.waitFor(() => textOf(nowOf(curfew, card)).includes(part), { what: `“${part}” on the card` });
const press = (who: string, label: string, card: StoredMessage, times = 1) =>
  curfew.workspace.as(who).press(label, card, { times });
/** Whether bob's change needs an approval; if so, it is withdrawn. */
async function needsApproval(): Promise<boolean> {
  await curfew.app.idle();
  clock.advance(1000);
  const { text, changeId } = await ask(curfew, "bob", "user disable dave@example.com");
  await curfew.app.idle();
  if (text.includes("You disabled")) return false;
  // While the only admin is deactivated.
  if (text.includes("nobody could give it")) return true;
  expect(text).toContain("waits for approval");
  await ask(curfew, "bob", `withdraw ${changeId}`);
  await curfew.app.idle();
  return true;
}

describe("a config without the approvals", () => {
  beforeEach(() => startWith(strict));

  it("changes nothing until an admin accepts it, and then names the admin", async () => {
    write(loose);
    const card = await question();
    expect(textOf(card)).toContain("ModifyUser no longer needs approval");
    expect(await needsApproval()).toBe(true);
    await press("carol", "Use it", card);
    await saying(card, "carol chose to use the new config. It is taken over now.");
    expect(buttonsOn(nowOf(curfew, card))).toEqual([]);
    expect(await needsApproval()).toBe(false);
  });

  it("changes nothing when an admin keeps the old one, even when the file is touched", async () => {
    write(loose);
    const card = await question();
    await press("carol", "Keep the old one", card);
    await saying(card, "carol chose to keep the old config. The old one stays in force.");
    expect(buttonsOn(nowOf(curfew, card))).toEqual([]);
    write(loose);
    expect(await needsApproval()).toBe(true);
    expect(admins().filter((each) => buttonsOn(each).length > 0)).toEqual([]);
  });

  it("is applied once on repeated clicks, and only the first button counts", async () => {
    write(loose);
    const card = await question();
    await Promise.all([press("carol", "Use it", card, 3), press("carol", "Keep the old one", card, 2)]);
    await saying(card, "carol chose");
    const isUsed = textOf(nowOf(curfew, card)).includes("to use the new config");
    expect(await needsApproval()).toBe(!isUsed);
  });

  it("is applied on SIGHUP, and its question is removed", async () => {
    write(loose);
    const card = await question();
    await followed?.reload();
    // The text is “in force already” when the reload came while the question was being posted.
    await curfew.workspace.waitFor(() => /operator \(SIGHUP\)|in force already/.test(textOf(nowOf(curfew, card))));
    expect(buttonsOn(nowOf(curfew, card))).toEqual([]);
    expect(said()).toMatch(/It loosens:\n• \S/);
    expect(await needsApproval()).toBe(false);
  });

  it("withdraws its question when the file is reverted", async () => {
    write(loose);
    const card = await question();
    write(strict);
    await saying(card, "has changed since");
    expect(buttonsOn(nowOf(curfew, card))).toEqual([]);
    expect(await needsApproval()).toBe(true);
  });

  it("is asked about again after it was accepted and the file was reverted", async () => {
    write(loose);
    const card = await question();
    await press("carol", "Use it", card);
    await saying(card, "taken over now");
    write(strict);
    await curfew.workspace.waitFor(() => said().includes("It tightens"), { what: "that it was tightened" });
    write(loose);
    await question();
    expect(await needsApproval()).toBe(true);
  });

  it("is asked about after a Slack outage", async () => {
    curfew.workspace.faults.failNext("chat.postMessage", { error: "internal_error" });
    write(loose);
    await vi.waitFor(() => expect(curfew.logged.join("")).toContain("could not be looked after"));
    clock.advance(61_000);
    await question();
  });
});

describe("the “Use it” button of a new config", () => {
  // Everybody is in this channel.
  const open = strict.replace("channel: C0ADMINS", "channel: C0OPS");

  it.each([
    ["holds another role", "bob", open],
    ["holds no role", "dave", open],
    [
      "holds a role for everything in one project",
      "alice",
      open.replace(
        "    admin:\n",
        '    limited: { members: [S0ENGINEERS], allow: ["*"], where: { projects: [p-dev] } }\n    admin:\n',
      ),
    ],
    ["is a guest", "gina", open.replace("members: [U03CAROL]", "members: [U03CAROL, U05GINA]")],
    ["is from another workspace", "erin", open.replace("members: [U03CAROL]", "members: [U03CAROL, U06ERIN]")],
  ])("refuses a person who %s", async (_what, who, config) => {
    await startWith(config);
    write(config.slice(0, config.indexOf("\napprovals:")));
    const card = await question("ops");
    const { text } = await messagesAfter(curfew, who, () => press(who, "Use it", card));
    expect(text).toContain("Only a full member whose role allows everything may decide this: ask admin.");
    expect(text).toContain("Nothing was changed.");
    await press(who, "Keep the old one", card);
    await curfew.app.idle();
    const refused = eventsLogged(curfew).filter(({ event }) => event === "refused");
    expect(refused.map(({ command, rule }) => [command, rule])).toEqual([
      ["config use", "admins"],
      ["config keep", "admins"],
    ]);
    expect(await needsApproval()).toBe(true);
    expect(buttonsOn(nowOf(curfew, card))).toContain("Use it");
  });

  it("refuses someone whom only the new config makes an admin, and stays in the old channel", async () => {
    await startWith(open);
    write(open.replace("members: [U03CAROL]", "members: [U02BOB]").replace("channel: C0OPS", "channel: C0SEC"));
    const card = await question("ops");
    expect(cardsIn(curfew.workspace, "security")).toEqual([]);
    const { text } = await messagesAfter(curfew, "bob", () => press("bob", "Use it", card));
    expect(text).toContain("Only a full member");
    await press("carol", "Use it", card);
    await saying(card, "taken over now");
  });

  it("refuses an admin whose account was deactivated since", async () => {
    await startWith(strict);
    write(loose);
    const card = await question();
    await curfew.workspace.changes.changePerson("carol", { deleted: true });
    clock.advance(5000);
    const { text } = await messagesAfter(curfew, "carol", () => press("carol", "Use it", card), "admins");
    expect(text).toContain("Only a full member");
    expect(await needsApproval()).toBe(true);
  });
});

it("a config that changed after the question is not applied by a click", async () => {
  await startWith(strict);
  await followed?.stop();
  let pause = async (): Promise<void> => undefined;
  followed = await followFile(curfew.app, strict, { pause: () => pause() });
  write(looser);
  const card = await question();
  // The change is not read again before the click counts.
  const { given: pressed, give: goOn } = createSignal();
  pause = () => pressed;
  write(loose);
  await press("carol", "Use it", card);
  await vi.waitFor(() => expect(curfew.logged.join("")).toContain("was decided on"));
  goOn();
  await saying(card, "Nothing was changed.");
  const next = await question();
  expect(textOf(next)).toContain("ModifyUser no longer needs approval");
  expect(await needsApproval()).toBe(true);
});

it("a looser config is applied only on SIGHUP when there is no admins' channel", async () => {
  const alone = strict.replace("admins:\n  channel: C0ADMINS", "");
  await startWith(alone);
  write(alone.slice(0, alone.indexOf("\napprovals:")));
  expect(await needsApproval()).toBe(true);
  await followed?.reload();
  expect(await needsApproval()).toBe(false);
});

it("a config is asked about without buttons when nobody may press them", async () => {
  const noAdmin = strict.replace('allow: ["*"]', "allow: [reads]");
  await startWith(noAdmin);
  write(noAdmin.slice(0, noAdmin.indexOf("\napprovals:")));
  await curfew.workspace.waitFor(() => said().includes("would loosen"), { what: "the question" });
  expect(admins().flatMap(buttonsOn)).toEqual([]);
});

describe("the config in force", () => {
  const since = /in force since (\S+), by (\S+)/;
  const hashOf = (text: string) => createHash("sha256").update(text).digest("hex");
  const readiness = async () => (await fetch(`${curfew.url}/readyz`)).text();
  const inForce = async () => since.exec(await readiness())?.slice(1);
  const measured = async () =>
    samplesIn(await (await fetch(`${curfew.url}/metrics`)).text()).filter(({ name }) =>
      name.startsWith("curfew_config"),
    );
  const events = () => eventsLogged(curfew).filter(({ event }) => event.startsWith("config"));

  it("is named with who let it in, and whether a newer file waits or is invalid, to operators and admins", async () => {
    await startWith(strict);
    const [startedAt = "", by] = (await inForce()) ?? [];
    expect(await readiness()).toBe(`ready\nconfig ${hashOf(strict)} in force since ${startedAt}, by ${by}\n`);
    expect(by).toBe("operator:start");
    clock.advance(60_000);
    write(loose);
    const card = await question();
    expect(await readiness()).toContain("it loosens something and waits for the admins");
    expect(await measured()).toMatchObject([
      { labels: { hash: hashOf(strict), by: "operator" }, value: Date.parse(startedAt) / 1000 },
      { labels: { state: "held" }, value: 1 },
      { labels: { state: "invalid" }, value: 0 },
    ]);
    expect((await ask(curfew, "carol", "whoami")).text).toMatch(/an operator, by a start.*waits for the admins/s);
    expect((await ask(curfew, "alice", "whoami")).text).not.toContain("an operator");
    await press("carol", "Use it", card);
    await saying(card, "It is taken over now.");
    const [takenAt = "", admin] = (await inForce()) ?? [];
    expect([Date.parse(takenAt) > Date.parse(startedAt) + 60_000, admin]).toEqual([true, "U03CAROL"]);
    expect((await ask(curfew, "carol", "whoami")).text).toMatch(/Let in by.*carol/s);
    clock.advance(60_000);
    write("permissions: none");
    await vi.waitFor(async () => expect(await readiness()).toContain("it has errors, which the log names"));
    expect(await measured()).toMatchObject([
      { labels: { hash: hashOf(loose), by: "admin" } },
      { labels: { state: "held" }, value: 0 },
      { labels: { state: "invalid" }, value: 1 },
    ]);
    write(loose);
    await vi.waitFor(async () => expect(await readiness()).not.toContain("a newer file"));
    expect(await inForce()).toEqual([takenAt, "U03CAROL"]);
  });

  it("is in the history for ever, with what it loosens and who let it in, and in each entry", async () => {
    await startWith(strict);
    write(loose);
    const card = await question();
    await press("carol", "Keep the old one", card);
    await saying(card, "carol chose to keep");
    const { changeId: first } = await ask(curfew, "alice", "exclude i-0a1 for 1h");
    write(looser);
    await press("carol", "Use it", await question());
    await vi.waitFor(async () => expect(await inForce()).toEqual([expect.any(String), "U03CAROL"]));
    const { changeId: second } = await ask(curfew, "alice", "exclude i-0a2 for 1h");
    write(strict);
    await vi.waitFor(async () => expect(await inForce()).toEqual([expect.any(String), "curfew"]));
    write(loose);
    await followed?.reload();
    await curfew.app.idle();
    await curfew.restart({}, loose);
    expect(await inForce()).toEqual([expect.any(String), "operator:sighup"]);
    const dropped = ["ModifyUser no longer needs approval in every case."];
    expect(events()).toMatchObject([
      { event: "config-in-force", config: hashOf(strict), actor: "operator:start" },
      { event: "config-held", newer: hashOf(loose), loosens: dropped },
      { event: "config-decided", actor: "U03CAROL", verdict: "keep" },
      { event: "config-held", newer: hashOf(looser), loosens: [expect.stringContaining("exclusions.longest")] },
      { event: "config-decided", actor: "U03CAROL", verdict: "use" },
      { event: "config-in-force", config: hashOf(looser), actor: "U03CAROL", loosens: [expect.any(String)] },
      { event: "config-in-force", config: hashOf(strict), actor: "curfew", loosens: [] },
      { event: "config-in-force", config: hashOf(loose), actor: "operator:sighup", loosens: dropped },
    ]);
    const configOf = (id: string | undefined) =>
      new Set(eventsLogged(curfew).flatMap(({ change, config }) => (change === id ? [config] : [])));
    expect([configOf(first), configOf(second)]).toEqual([new Set([hashOf(strict)]), new Set([hashOf(looser)])]);
    expect(await eventsExported(curfew)).toEqual(eventsLogged(curfew));
    expect(await verify(curfew.database)).toMatchObject({ kind: "intact" });
  });
});
