import { afterEach, describe, expect, it } from "vitest";
import { someSettings } from "../changes/build.ts";
import { ask, changesSentTo, openForm } from "../support/journey.ts";
import { oneBot } from "../support/one-bot.ts";
import { unlimitedConfig } from "../support/start-curfew.ts";

/** Alice sees Development only. */
const config = unlimitedConfig
  .replace(
    "resourceGroups:\n",
    `resourceGroups:
  vault: { type: amazon-ec2-instance, project: p-prod, ids: [i-0f1], actions: [a-00000020] }
  twin: { type: amazon-ec2-instance, project: p-dev, ids: [i-0a1], actions: [a-00000001] }
  i-0c5: { type: amazon-ec2-instance, project: p-dev, ids: [i-0c6] }
`,
  )
  .replace(/ {6}mayAsk: .*\n/, "");
const { curfew } = oneBot({ config });
const alice = () => curfew().workspace.as("alice");

afterEach(async () => {
  if (alice().openView()) await alice().cancel();
});

/** The answer to the exclusion form, sent with these values of options that nobody offered. */
async function sentWith(values: readonly string[], change: () => Promise<unknown> = async () => undefined) {
  await openForm(curfew(), "alice", "exclude");
  await alice().fill({ "Or choose": ["staging — group"], Until: Math.floor(Date.now() / 1000) - 60 });
  await change();
  expect(await alice().submit()).toMatchObject({ kind: "errors" });
  const request = curfew().workspace.appRequests.findLast(({ type }) => type === "view_submission");
  const option = /\{[^{}]*\{[^{}]*\}[^{}]*"group:staging"[^{}]*\}/g;
  const forged = values.map((value) => ({ text: { type: "plain_text", text: "x", emoji: false }, value }));
  const payload = JSON.stringify(request?.payload)
    .replaceAll(option, () => JSON.stringify(forged).slice(1, -1))
    .replace(/"selected_date_time":\d+/, `"selected_date_time":${Math.floor(Date.now() / 1000) + 7200}`);
  if (!request) throw new Error("No form was sent.");
  const before = curfew().workspace.appRequests.length;
  await curfew().workspace.redeliver({ ...request, payload: JSON.parse(payload) });
  const answer = await curfew().workspace.waitFor(() => curfew().workspace.appRequests.slice(before)[0]?.answer);
  return JSON.stringify(answer);
}

describe("options that nobody offered", () => {
  it.each([
    ["a group of a project that its sender may not see", ["group:vault"]],
    ["a machine of that project", ["machine:i-0f1"]],
    ["an action of that project", ["action:a-00000020"]],
    ["an action of several groups", ["action:a-00000001"]],
    ["a group that is gone", ["group:gone"]],
    ["no option at all", ["staging", "group:", "user:u-00000001", "__proto__"]],
    ["markup", ["group:<!channel>", "machine:\u0000"]],
  ])("are refused, and nothing is named: %s", async (_what, values) => {
    const sent = changesSentTo(curfew());
    const answer = await sentWith(values);
    expect(answer).toContain("can't be chosen any more");
    expect(answer).not.toMatch(/Production|p-prod/);
    expect(sent()).toEqual([]);
  });

  it("are refused where there are more than a form takes", async () => {
    const sent = changesSentTo(curfew());
    const many = Array.from({ length: 100 }, (_none, index) => `machine:i-${index}`);
    expect(await sentWith(many)).toContain("at most 20 can be chosen");
    expect(sent()).toEqual([]);
  });
});

it("offers nothing of a project that its reader may not see, and no word that means something else", async () => {
  await ask(curfew(), "carol", "exclude i-0f7 --project p-prod for 2h");
  await openForm(curfew(), "alice", "exclude");
  for (const query of ["vault", "i-0f", "a-00000020"]) expect(await alice().suggest("Or choose", query)).toEqual([]);
  // A typed word of this name would be the group.
  const texts = (await alice().suggest("Or choose", "i-0c")).map(({ text }) => text);
  expect(texts).toEqual(["i-0c5 — group", "i-0c6 — machine"]);
});

it("a group that changed while it was chosen is not excluded as it is now", async () => {
  const sent = changesSentTo(curfew());
  const moved = config.replace("ids: [i-0a1, i-0a2]", "ids: [i-0a1, i-0a9]");
  const answer = await sentWith(["group:staging"], async () => {
    await curfew().workspace.waitFor(() => alice().openView()?.text.includes("staging: "));
    await curfew().app.reload(someSettings(moved));
  });
  expect(answer).toContain("The group changed");
  expect(sent()).toEqual([]);
  await curfew().app.reload(someSettings(config));
});
