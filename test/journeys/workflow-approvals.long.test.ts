import { afterEach, beforeEach, expect, it } from "vitest";
import type { Execution } from "../../src/sandbox/workspace/state.ts";
import { openStore, type Store } from "../../src/store/open-store.ts";
import { openRaw } from "../store/history-file.ts";
import { cardSaying, press } from "../support/approval-journey.ts";
import { type Clock, createClock } from "../support/clock.ts";
import { ask, cardsIn, changeIdIn, changesSentTo, send, textOf } from "../support/journey.ts";
import type { Curfew } from "../support/start-curfew.ts";
import { configWithSteps, deliveryOf, endOf, errorOf, startWithSteps } from "../support/workflow-steps.ts";

const approvals = "{ operations: [ModifyUser], approvers: [admin, helpdesk], expires: 48h, channel: C0OPS }";
const config = `${configWithSteps(", approvers: [admin]")}approvals:\n  - ${approvals}\n`;

let clock: Clock;
let curfew: Curfew;
beforeEach(async () => {
  clock = createClock();
  curfew = await startWithSteps({ config, now: clock.now });
});
afterEach(async () => {
  await curfew.stop();
});

/** A step that waits, with its card. */
async function waiting() {
  const before = cardsIn(curfew.workspace, "ops").length;
  const run = await curfew.workspace.runStep("disable_user", { user: "dave", reason: "left" });
  const card = await curfew.workspace.waitFor(() => cardsIn(curfew.workspace, "ops")[before], { what: "a card" });
  await curfew.app.idle();
  return { run, card };
}

it("a step that needs an approval waits for it, also across restarts, and then has its outputs", async () => {
  const { run, card } = await waiting();
  const sent = changesSentTo(curfew);
  expect(textOf(card)).toContain("Workflow Builder wants to disable");
  expect(textOf(card)).toContain("needs <@U03CAROL>");
  expect(curfew.workspace.execution(run.execution.id)?.end).toBeUndefined();
  expect(await errorOf(curfew, "disable_user", { user: "dave" })).toMatch(
    /already asked for this.*Wait for that change/,
  );
  await curfew.restart();
  // A late repeat of Slack's changes nothing.
  await curfew.workspace.redeliver(deliveryOf(curfew, run));
  clock.advance(30 * 3_600_000);
  expect((await press(curfew, "bob", "Approve", card)).text).toContain("it takes admin");
  await curfew.restart();
  await press(curfew, "carol", "Approve", card);
  const end = await endOf(curfew, run);
  expect(end).toMatchObject({ kind: "completed", outputs: { outcome: expect.stringContaining("Disabled dave") } });
  expect(sent()).toEqual(["ModifyUser"]);
  await cardSaying(curfew, card, "<@U03CAROL>");
});

it("a step fails with who denied it and why, and when nobody answered in time", async () => {
  const first = await waiting();
  const carol = curfew.workspace.as("carol");
  await carol.press("Deny…", first.card);
  await curfew.workspace.waitFor(() => carol.openView());
  await send(curfew, "carol", { Reason: "ask me first" });
  const denied = await errorIn(first.run.execution);
  expect(denied).toMatch(/It was denied: nothing was changed\. carol denied it: “ask me first”\. Ask them .*chg-/);

  const second = await waiting();
  clock.advance(49 * 3_600_000);
  await ask(curfew, "carol", `approve ${changeIdIn(textOf(second.card))}`);
  expect(await errorIn(second.run.execution)).toMatch(/It was not approved in time: nothing was changed\. Run /);
});

it("without approvers for workflows, a step that needs an approval is refused", async () => {
  await curfew.restart({}, config.replace("C0OPS, approvers: [admin] }", "C0OPS }"));
  const sent = changesSentTo(curfew);
  const error = await errorOf(curfew, "disable_user", { user: "dave" });
  expect(error).toMatch(/names nobody who may give it for workflows.*workflows\.approvers/);
  expect(sent()).toEqual([]);
});

it("a step that was received before a crash is done after it, and one that Slack could not be told is told later", async () => {
  await curfew.app.stop();
  const run = await curfew.workspace.runStep("keep_running", { resource_ids: "staging", until: "1h" });
  const word = (value: string) => [{ value, isQuoted: true }];
  const parts = { resourceIds: word("staging"), until: word("1h") };
  const receipt = {
    ...{ id: `execution:${run.execution.id}`, instance: "gone", kind: "step", words: "exclusion create" },
    ...{ said_json: JSON.stringify({ parts, sets: { process: "stop" } }), received_at: clock.now() },
    ...{ actor_id: "workflow:steps", channel_id: "C0OPS" },
  };
  await openRaw(curfew.database).insertInto("receipt").values(receipt).execute();
  const sent = changesSentTo(curfew);
  await curfew.restart();
  const { faults } = curfew.workspace;
  faults.failNext("functions.completeSuccess", { status: 500 });
  faults.failNext("functions.completeSuccess", { error: "internal_error" });
  for (const pauseMs of [2000, 4000]) {
    await curfew.workspace.waitFor(() => sent().length === 1);
    await curfew.app.idle();
    clock.advance(pauseMs);
  }
  await curfew.app.idle();
  expect(await endOf(curfew, run)).toMatchObject({ kind: "completed" });
  expect(sent()).toEqual(["CreateActionExclusion"]);
});

it("a step that cannot be recorded is not acknowledged, and Slack's repeat is done", async () => {
  let failures = 0;
  await curfew.app.stop();
  await curfew.restart({
    openStore: async (...given) => {
      const store = await openStore(...given);
      const receive: Store["receive"] = async (receipt) => {
        failures += 1;
        if (failures === 1) throw new Error("the database is away");
        await store.receive(receipt);
      };
      return { ...store, receive };
    },
  });
  const sent = changesSentTo(curfew);
  const run = await curfew.workspace.runStep("keep_running", { resource_ids: "staging", until: "1h" });
  expect(run.delivered).toMatchObject({ ok: false });
  expect(await endOf(curfew, run)).toMatchObject({ kind: "completed" });
  expect(deliveryOf(curfew, run).answer).toMatchObject({ kind: "failed" });
  expect(sent()).toEqual(["CreateActionExclusion"]);
});

it.each([
  ["access_denied", "could not be ended (access_denied)"],
  ["parameter_validation_failed", "could not be ended (parameter_validation_failed)"],
  ["execution_not_in_running_state", undefined],
])("when Slack does not take the end of a step (%s), it is not tried again, and reported", async (error, report) => {
  curfew.workspace.faults.failNext("functions.completeSuccess", { error });
  const run = await curfew.workspace.runStep("keep_running", { resource_ids: "staging", until: "1h" });
  const isEnd = ({ method }: { readonly method: string }) => method === "functions.completeSuccess";
  await curfew.workspace.waitFor(() => curfew.workspace.calls.some(isEnd));
  await curfew.app.idle();
  clock.advance(3_600_000);
  await curfew.app.idle();
  expect(curfew.workspace.calls.filter(isEnd)).toHaveLength(1);
  const reports = cardsIn(curfew.workspace, "admins").map(textOf).join("\n");
  if (report === undefined) expect(reports).toBe("");
  else expect(reports).toContain(report);
  if (error === "parameter_validation_failed")
    expect(await errorIn(run.execution)).toMatch(/It was done \(change chg-\w+\), but Slack does not take the outputs/);
});

async function errorIn(execution: Execution): Promise<string> {
  const end = await endOf(curfew, { execution, delivered: { ok: true } });
  return end.kind === "failed" ? end.error : `completed: ${JSON.stringify(end.outputs)}`;
}
