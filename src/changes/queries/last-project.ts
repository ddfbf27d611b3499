import { exclusionOperation } from "../../commands/exclusion/exclusion-body.ts";
import type { ChangeStore } from "../ports.ts";

const lookedAt = 10;
const maxAgeMs = 24 * 60 * 60_000;

/** The project of this person's latest exclusion within a day. */
export async function lastProject(
  store: Pick<ChangeStore, "list">,
  actorId: string,
  now: number,
): Promise<string | undefined> {
  const latest = await store.list({ actorId, limit: lookedAt });
  const recent = latest.filter(
    ({ requestedAt, operation, state }) =>
      now - requestedAt < maxAgeMs && operation === exclusionOperation && state === "succeeded",
  );
  for (const { request } of recent) {
    const project = new Map<string, unknown>(Object.entries(request ?? {})).get("projectId");
    if (typeof project === "string") return project;
  }
  return undefined;
}
