import { afterEach, expect, it } from "vitest";
import { press } from "../support/approval-journey.ts";
import { cardsIn, changesSentTo, textOf } from "../support/journey.ts";
import type { Curfew } from "../support/start-curfew.ts";
import { configWithSteps, deliveryOf, endOf, startWithSteps } from "../support/workflow-steps.ts";

let running: Curfew | undefined;
afterEach(async () => {
  await running?.stop();
  running = undefined;
});

it("a step that two instances get is done once, and the approval that the other one gets ends it", async () => {
  const approvals = "approvals:\n  - { operations: [ModifyUser], approvers: [admin], channel: C0OPS }\n";
  const config = `${configWithSteps(", approvers: [admin]")}${approvals}`;
  const curfew = await startWithSteps({ config, instances: 2 });
  running = curfew;
  const { workspace, others } = curfew;
  const [other] = others;
  if (!other) throw new Error("There is one instance only.");
  const sent = changesSentTo(curfew);

  const running1 = workspace.runStep("keep_running", { resource_ids: "staging", until: "1h" });
  await workspace.waitFor(() => workspace.appRequests.some(({ type }) => type === "function_executed"));
  curfew.deliverTo(other);
  const [delivery] = workspace.appRequests.filter(({ type }) => type === "function_executed");
  if (delivery) await workspace.redeliver(delivery);
  const kept = await running1;
  expect(await endOf(curfew, kept)).toMatchObject({ kind: "completed" });
  expect(sent()).toEqual(["CreateActionExclusion"]);

  curfew.deliverTo(curfew);
  const run = await workspace.runStep("disable_user", { user: "dave" });
  const find = () => cardsIn(workspace, "ops").find((each) => textOf(each).includes("wants to disable"));
  const card = await workspace.waitFor(find, { what: "the card" });
  curfew.deliverTo(other);
  await workspace.redeliver(deliveryOf(curfew, run));
  await press(curfew, "carol", "Approve", card);
  expect(await endOf(curfew, run)).toMatchObject({ kind: "completed" });
  for (const { app } of [curfew, other]) await app.idle();
  expect(sent()).toEqual(["CreateActionExclusion", "ModifyUser"]);
});
