import type { App } from "@slack/bolt";
import { acknowledgementIn } from "../connection/held-events.ts";
import { arrivalIn } from "../connection/measured-client.ts";
import { createOnce, isRepeatedBySlack } from "../listeners/mention/once.ts";
import { readStep } from "./read-step.ts";
import { stepKey, type TakeStepPorts, takeStep } from "./take-step.ts";

/** Listens to the steps of workflows, also to those of a manifest that is newer than this code. */
export function listenToSteps(app: App, ports: TakeStepPorts): void {
  const once = createOnce(() => performance.now());
  app.event("function_executed", async ({ event, body, context }) => {
    const todo = readStep(body, event);
    if (!todo) return;
    const taking = {
      arrivedAt: arrivalIn(context),
      recorded: acknowledgementIn(context),
      isRepeated: isRepeatedBySlack(context.retryNum),
    };
    await once(stepKey(todo.executionId), () => takeStep(ports, todo, taking));
  });
}
