import type { Actor } from "./actor.ts";
import type { Policy } from "./policy.ts";
import { holdsRole } from "./roles-held.ts";

/** The channels to which some of the actor's roles are limited, each once. */
export function channelsHeld({ roles }: Policy, actor: Actor): readonly string[] {
  return [
    ...new Set(roles.filter((role) => holdsRole(actor, role)).flatMap(({ where }) => [...(where.channels ?? [])])),
  ];
}
