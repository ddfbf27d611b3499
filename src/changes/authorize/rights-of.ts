import type { FillContext } from "../../commands/command.ts";
import type { Actor } from "../../permissions/actor.ts";
import { decide } from "../../permissions/decide.ts";
import type { ChangeSettings } from "../ports.ts";

/** Whether the actor may call an operation on a target in this channel. Hours are counted when they do. */
export function rightsOf(
  { policy }: Pick<ChangeSettings, "policy">,
  actor: Actor,
  channelId: string | null,
): FillContext["may"] {
  return (operation, target) =>
    decide(policy, { actor, operation, channelId, hours: [], ...target }).kind === "allowed";
}
