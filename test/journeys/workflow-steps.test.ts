import { readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { cardOf, changesSentTo, textOf } from "../support/journey.ts";
import type { Curfew } from "../support/start-curfew.ts";
import {
  configWithSteps,
  deliveryOf,
  endOf,
  errorOf,
  orgSeed,
  outputsOf,
  startWithSteps,
} from "../support/workflow-steps.ts";

describe("steps of workflows", () => {
  let curfew: Curfew;
  beforeAll(async () => {
    curfew = await startWithSteps();
  });
  afterAll(async () => {
    await curfew.stop();
  });

  it("keep a group running, extend it, say what is excluded, and end it", async () => {
    const sent = changesSentTo(curfew);
    const kept = await outputsOf(curfew, "keep_running", { resource_ids: "staging", until: "2h", reason: "release 4" });
    const { exclusion_id, ends_at, outcome } = kept;
    expect(outcome).toMatch(/^Kept .* until .* \(change chg-\w+\)\./);
    expect(curfew.service.account.exclusions.get(String(exclusion_id))?.expiryDate).toBe(
      new Date(Number(ends_at) * 1000).toISOString(),
    );
    const until = Number(ends_at) + 3600;
    const extended = await outputsOf(curfew, "extend_exclusion", { exclusion: exclusion_id, until_time: until });
    expect(extended).toMatchObject({ exclusion_id, ends_at: until });
    expect(String((await outputsOf(curfew, "check_status", { thing: "staging" })).outcome)).toContain("staging");
    const ended = await outputsOf(curfew, "end_exclusion", { exclusion: exclusion_id });
    expect(ended).toMatchObject({ exclusion_id, outcome: expect.stringMatching(/^Stopped keeping/) });
    expect(ended).not.toHaveProperty("ends_at");
    expect(sent()).toEqual(["CreateActionExclusion", "ModifyActionExclusion", "DeleteActionExclusion"]);
  });

  it("disable somebody by their Slack profile, enable them by their address, and look up an action", async () => {
    const disabled = await outputsOf(curfew, "disable_user", { user_in_slack: "U04DAVE" });
    expect(disabled.outcome).toMatch(/^Disabled dave \(change chg-\w+\)\.$/);
    const enabled = await outputsOf(curfew, "enable_user", { user: "dave@example.com" });
    expect(enabled.outcome).toMatch(/^Enabled dave/);
    const action = await outputsOf(curfew, "look_up_action", { action: "a-00000001" });
    expect(action.outcome).toContain("Next run");
  });

  it("fail with what a person would be asked, and change nothing", async () => {
    const sent = changesSentTo(curfew);
    const { service } = curfew;
    for (const user of ["u-00000005", "erin@example.com u-00000005", "tom"])
      expect(await errorOf(curfew, "disable_user", { user })).toContain("only change users that Curfew knows");
    expect(await errorOf(curfew, "keep_running", { resource_ids: "stagin" })).toContain("Did you mean “staging”");
    expect(await errorOf(curfew, "keep_running", { resource_ids: "00000000-0000-4000-8000-00000000000f" })).toMatch(
      /type/i,
    );
    expect(await errorOf(curfew, "keep_running", { resource_ids: "staging", until: "someday" })).toContain('"someday"');
    expect(await errorOf(curfew, "keep_running", { resource_ids: "staging", until_time: 1 })).toContain(
      "already passed",
    );
    expect(await errorOf(curfew, "extend_exclusion", { exclusion: "no such one", until: "2h" })).toContain("Nothing");
    expect(await errorOf(curfew, "disable_user", {})).toContain("This step lacks “User”");
    const both = { user: "dave", user_in_slack: "U04DAVE" };
    expect(await errorOf(curfew, "disable_user", both)).toContain("not both");
    expect(sent()).toEqual([]);
    service.faults.next({ kind: "status", status: 422, operation: "ModifyUser" });
    expect(await errorOf(curfew, "disable_user", { user: "dave" })).toMatch(/It failed: nothing was changed\..*Run /);
    service.faults.next({ kind: "status", status: 500, operation: "DeleteActionExclusion", times: 10 });
    const { exclusion_id } = await outputsOf(curfew, "keep_running", {
      resource_ids: "i-0f9",
      type: "amazon-ec2-instance",
    });
    const unknown = await errorOf(curfew, "end_exclusion", { exclusion: exclusion_id });
    service.faults.clear();
    expect(unknown).toContain("Its outcome is unknown: it may have happened");
  });

  it.each([
    ["a mention of everybody", "<!channel> @here"],
    ["flags and another command", 'staging --project p-prod --another" because `x`'],
    ["markup", "*staging* <https://x.example|staging>\n> quote"],
    ["a very long text", "x".repeat(3900)],
    ["invisible characters", "stag\u202eing\u200b"],
  ])("do nothing wrong with %s as an input", async (_title, text) => {
    const sent = changesSentTo(curfew);
    const error = await errorOf(curfew, "keep_running", { resource_ids: text, until: text, reason: text });
    expect(error.length).toBeLessThanOrEqual(2500);
    expect(await errorOf(curfew, "disable_user", { user: text })).toContain("Nothing was changed");
    expect(sent()).toEqual([]);
    const kept = await outputsOf(curfew, "keep_running", {
      resource_ids: "staging",
      until: "30m",
      reason: text.slice(0, 400),
    });
    await outputsOf(curfew, "end_exclusion", { exclusion: kept.exclusion_id });
    await curfew.app.idle();
    expect(JSON.stringify(curfew.workspace.channel("ops").messages)).not.toContain("<!channel>");
  });

  it("keep no token and no trigger", async () => {
    const { token } = (await curfew.workspace.runStep("check_status", {})).execution;
    await curfew.app.idle();
    expect(readFileSync(curfew.database).includes(token.slice(0, 5))).toBe(false);
    expect(curfew.logged.join("\n")).not.toContain("xwfp-");
  });

  it("are done once, however often Slack delivers them", async () => {
    const sent = changesSentTo(curfew);
    const run = await curfew.workspace.runStep("keep_running", { resource_ids: "staging", until: "1h" });
    const again = deliveryOf(curfew, run);
    await Promise.all([curfew.workspace.redeliver(again), curfew.workspace.redeliver(again)]);
    const end = await endOf(curfew, run);
    expect(end).toMatchObject({ kind: "completed", outputs: { exclusion_id: expect.any(String) } });
    await curfew.restart();
    expect(await curfew.workspace.redeliver(again)).toEqual({ ok: true });
    await curfew.app.idle();
    expect(sent()).toEqual(["CreateActionExclusion"]);
    const calls = curfew.workspace.calls.filter(({ method }) => method.startsWith("functions."));
    expect(calls.filter(({ arguments: given }) => given.function_execution_id === run.execution.id)).toHaveLength(1);
    const { exclusion_id } = end.kind === "completed" ? end.outputs : {};
    await outputsOf(curfew, "end_exclusion", { exclusion: exclusion_id });
  });
});

it("steps come over Socket Mode too, and are refused where the config does not allow them", async () => {
  const config = configWithSteps("", "", "check_status");
  const curfew = await startWithSteps({ mode: "socket", config });
  expect((await outputsOf(curfew, "check_status", {})).outcome).toContain("kept running or off");
  const closed = await errorOf(curfew, "keep_running", { resource_ids: "staging" });
  expect(closed).toContain(
    "does not allow workflows this step. Nothing was changed. Ask the people who run Curfew to add keep_running",
  );
  await curfew.restart({}, config.replace(/^workflows:.*\n/m, ""));
  expect(await errorOf(curfew, "check_status", {})).toContain("does not let workflows do anything");
  // A workflow in a workspace that does not count, and one with inputs of a newer manifest.
  await curfew.restart({}, `${config}teams: [T0ELSEWHERE]\n`);
  expect(await errorOf(curfew, "check_status", {})).toContain("does not work for workflows of the workspace T0CURFEW");
  await curfew.stop();
});

it("the role of workflows says what they may do, and where", async () => {
  const where = ", where: { channels: [C0OPS], projects: [p-dev], maxExclusion: 4h }";
  const curfew = await startWithSteps({ config: configWithSteps("", where), seed: orgSeed });
  const kept = await outputsOf(curfew, "keep_running", { resource_ids: "staging", until: "2h", reason: "release 4" });
  const card = textOf(await cardOf(curfew, String(kept.change_id)));
  expect(card).toContain("Workflow Builder is keeping *staging* running");
  expect(card).toContain("release 4");
  const sent = changesSentTo(curfew);
  expect(await errorOf(curfew, "keep_running", { resource_ids: "staging", until: "9h" })).toContain("at most 4 h");
  const elsewhere = { resource_ids: "i-0f7", type: "amazon-ec2-instance", project: "Production" };
  expect(await errorOf(curfew, "keep_running", elsewhere)).toContain("only in Development");
  // Persons in an input prove nothing: carol could.
  expect(await errorOf(curfew, "disable_user", { user_in_slack: "U03CAROL" })).toContain("only in Development");
  expect(sent()).toEqual([]);
  await curfew.stop();
});
