import type { ConfigDecision, ConfigRequests, ConfigVerdict } from "../../../changes/config-requests.ts";
import { noticeMessage } from "../../messages/notices.ts";
import type { Icon } from "../../messages/text.ts";
import type { Actors } from "../../people/actors.ts";
import type { Replies } from "../replies.ts";
import type { Press } from "./handle-press.ts";

/** The ports of `handleConfigPress`. */
export interface ConfigPressPorts {
  readonly actors: Pick<Actors, "actor">;
  readonly configRequests: Pick<ConfigRequests, "decide">;
  readonly replies: Replies;
}

/** Handles a pressed button of the card about a config that loosens something. The card is replaced by who decided. */
export async function handleConfigPress(
  { actors, configRequests, replies }: ConfigPressPorts,
  press: Omit<Press, "arrivedAt">,
): Promise<void> {
  const responder = replies.to(press);
  const actor = await actors.actor(press.userId, "change");
  const verdict = press.actionId.endsWith(":use") ? "use" : "keep";
  const decision = await configRequests.decide({ id: press.value, verdict, actor, channelId: press.channelId });
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

const iconOf = ({ kind }: ConfigDecision, verdict: ConfigVerdict): Icon =>
  kind === "decided" && verdict === "use" ? ":unlock:" : ":information_source:";

function inWords(decision: Exclude<ConfigDecision, { kind: "refused" }>, verdict: ConfigVerdict, name: string): string {
  if (decision.kind === "too-late") return decision.text;
  const chose = verdict === "use" ? "to use the new config" : "to keep the old config";
  return `${name} chose ${chose}. ${decision.text}`;
}
