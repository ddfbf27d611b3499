import type { Workflow } from "../default-seed.ts";
import type { Channel } from "../state/channels.ts";
import type { ExecutionEnd } from "../state/executions.ts";
import type { User } from "../state/people.ts";
import type { DeliveryOutcome, Exchange } from "./exchange.ts";
import { runStep } from "./run-step.ts";

/** Runs a workflow: its step, then a message with what the step gave. A step that fails ends it, and its starter reads why. */
export async function runWorkflow(
  exchange: Exchange,
  user: User,
  channel: Channel,
  { name, step, inputs, message }: Workflow,
): Promise<DeliveryOutcome> {
  const { messages, executions } = exchange.workspace;
  const post = (text: string, ephemeralTo?: string) =>
    messages.post({ channelId: channel.id, userId: "USLACK", text, ...(ephemeralTo ? { ephemeralTo } : {}) });
  post(`<@${user.id}> started the workflow *${name}*.`);
  const { execution, delivered } = await runStep(exchange, step, inputs);
  void executions.ended(execution.id).then((end) => {
    if (end.kind === "completed") post(`*${name}*: ${filledIn(message, end)}`);
    else post(`The workflow *${name}* stopped: ${escaped(end.error)}`, user.id);
  });
  return delivered;
}

/** `{{outcome}}` is the step's output of that name. */
const filledIn = (message: string, { outputs }: Extract<ExecutionEnd, { kind: "completed" }>): string =>
  message.replaceAll(/\{\{(\w+)\}\}/g, (_all, output: string) => escaped(String(outputs[output] ?? "")));

const escaped = (text: string): string => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
