import { afterEach, expect, it } from "vitest";
import { defaultSeed } from "../../src/sandbox/workspace/default-seed.ts";
import { configWith } from "../support/approval-journey.ts";
import { ask, cardsIn, messagesAfter, openForm, send, textOf } from "../support/journey.ts";
import { type Curfew, startCurfew } from "../support/start-curfew.ts";

const config = configWith("{ operations: [ModifyUser], approvers: [admin, helpdesk], channel: C0SEC }").replace(
  "perPersonPerMinute: 30",
  "perPersonPerMinute: 0",
);
const left = "left after a quarrel";

let curfew: Curfew;
afterEach(() => curfew.stop());
const crowd = Array.from({ length: 100 }, (_none, index) => ({
  ...{ id: `U9${index}`, handle: `person${index}`, realName: `Person ${index}` },
}));
const start = async (security: object = {}, more: object = {}) => {
  const channels = defaultSeed.channels.map((each) => (each.name === "security" ? { ...each, ...security } : each));
  curfew = await startCurfew({
    config,
    seed: { ...defaultSeed, people: [...defaultSeed.people, ...crowd], channels },
    ...more,
  });
};
/** All that the channel read. */
const readIn = (channel: string) =>
  curfew.workspace.channel(channel).messages.filter(({ ephemeralTo }) => !ephemeralTo);
const isAbout = (message: Parameters<typeof textOf>[0]) => textOf(message).includes("dave");
const asked = async () => {
  const { changeId } = await ask(curfew, "bob", `disable dave because ${left}`, "security");
  const card = await curfew.workspace.waitFor(() => cardsIn(curfew.workspace, "security").find(isAbout));
  return { changeId, card };
};

it("shows why on the card where only full members read, and never in the shared #ops", async () => {
  await start();
  const { card, changeId } = await asked();
  expect(textOf(card)).toContain(left);
  await messagesAfter(curfew, "carol", () => curfew.workspace.as("carol").press("Approve", card), "security");
  await curfew.app.idle();
  const shown = readIn("ops").filter(isAbout);
  expect(shown.map(textOf).join()).toContain("<@U02BOB> disabled dave");
  expect(JSON.stringify(shown)).not.toContain(left);
  expect((await ask(curfew, "carol", `history ${changeId}`)).text).toContain(left);
});

it.each([
  ["is shared with another organization", { isShared: true }],
  ["has a guest", { members: ["bob", "carol", "gina"] }],
  ["has more people than can be looked up", { members: ["bob", "carol", ...crowd.map(({ handle }) => handle)] }],
  ["has somebody of another workspace", { members: ["bob", "carol", "erin"] }],
])("keeps the card without the reason in a channel that %s; approvers read it in private", async (_what, security) => {
  await start(security);
  const { card, changeId } = await asked();
  expect(textOf(card)).not.toContain(left);
  const mine = await ask(curfew, "carol", "approvals", "security");
  expect(mine.text).toContain(left);
  expect((await ask(curfew, "carol", `history ${changeId}`, "security")).text).toContain(left);
  const note = "he shouted at everybody";
  await ask(curfew, "carol", `deny ${changeId} ${note}`, "security");
  await curfew.app.idle();
  expect(textOf(readIn("security").findLast(isAbout) ?? card)).toContain("Denied by <@U03CAROL>");
  for (const said of [left, note]) expect(JSON.stringify(readIn("security"))).not.toContain(said);
  expect((await ask(curfew, "bob", `history ${changeId}`, "security")).text).toContain(note);
});

it.each(["conversations.info", "conversations.members"])(
  "leaves the reason out while Slack does not answer %s",
  async (method) => {
    await start();
    for (let time = 0; time < 20; time++) curfew.workspace.faults.failNext(method, { error: "missing_scope" });
    const { card } = await asked();
    expect(textOf(card)).toContain("wants to disable dave");
    expect(JSON.stringify(card)).not.toContain(left);
    const isLook = (call: { method: string; arguments: object }) =>
      call.method === method && JSON.stringify(call.arguments).includes("C0SEC");
    const looks = () => curfew.workspace.calls.filter(isLook).length;
    expect(looks()).toBe(1);
    await messagesAfter(curfew, "carol", () => curfew.workspace.as("carol").press("Approve", card), "security");
    await curfew.app.idle();
    expect(looks()).toBe(1);
  },
);

it("leaves out why somebody was offboarded, also where their exclusions end", async () => {
  await start();
  await ask(curfew, "alice", "exclude staging for 2h");
  await openForm(curfew, "carol", `offboard u-00000002 --policy mp-00000001 --reason "${left}"`);
  const { changeId } = await send(curfew, "carol");
  await ask(curfew, "bob", `approve ${changeId}`, "security");
  await curfew.app.idle();
  expect(readIn("ops").map(textOf).join()).toContain("offboard");
  expect(JSON.stringify(readIn("ops"))).not.toContain(left);
});
