import type { ConfigDecision, ConfigVerdict } from "../../changes/config-requests.ts";
import { noticeMessage } from "../messages/outcome-message.ts";
import { type Desk, responderFor } from "./desk.ts";
import type { Press } from "./handle-press.ts";

/** A pressed button of the message about a config that loosens something; the message gives way to who decided. */
export async function handleConfigPress(desk: Desk, press: Press): Promise<void> {
  const responder = responderFor(desk, press);
  const actor = await desk.actors.actor(press.userId, "change");
  const verdict = press.actionId.endsWith(":use") ? "use" : "keep";
  const decision = await desk.configRequests.decide({ id: press.value, verdict, actor, channelId: press.channelId });
  if (decision.kind === "refused") {
    await responder.send(noticeMessage(":no_entry:", `${decision.reason} Nothing was changed.`));
    return;
  }
  if (decision.kind === "too-late" && !decision.isGone) {
    await responder.send(noticeMessage(":information_source:", decision.text));
    return;
  }
  await responder.replace(noticeMessage(iconOf(decision, verdict), inWords(decision, verdict, actor.name)));
}

const iconOf = ({ kind }: ConfigDecision, verdict: ConfigVerdict): string =>
  kind === "decided" && verdict === "use" ? ":unlock:" : ":information_source:";

function inWords(decision: Exclude<ConfigDecision, { kind: "refused" }>, verdict: ConfigVerdict, name: string): string {
  if (decision.kind === "too-late") return decision.text;
  const chose = verdict === "use" ? "to use the new config" : "to keep the old config";
  return `${name} chose ${chose}. ${decision.text}`;
}
