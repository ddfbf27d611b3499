import type { Denied } from "../../changes/decide-change.ts";
import { decide } from "../../permissions/decide.ts";
import type { Desk, DeskContext } from "./desk.ts";

/**
 * Why a guest, a bot or a stranger may use nothing; undefined for members. Asked before anything they sent is parsed, so that they
 * cannot keep Curfew busy.
 */
export function refusalOfOutsider(
  { settings, onCommand }: Pick<Desk, "settings" | "onCommand">,
  { actor, channelId }: Pick<DeskContext, "actor" | "channelId">,
): Denied | undefined {
  if (actor.membership === "member") return undefined;
  const decision = decide(settings().policy, { actor, operation: "ListActions", channelId });
  if (decision.kind === "allowed") return undefined;
  onCommand?.("any command", "refused");
  return decision;
}
