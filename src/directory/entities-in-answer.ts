import { z } from "zod";
import type { NewEntity } from "../changes/ports.ts";
import type { EntityKind } from "../commands/field.ts";
import type { OperationName } from "../service/operations.ts";
import { entityBodies } from "./directory.ts";

/** What each operation's answer is about, and where its id stands. Listed actions are not kept: they are fetched whole. */
const answersAbout: Partial<Record<OperationName, EntityKind>> = {
  CreateManagedServicesPlan: "plan",
  ModifyManagedServicesSelector: "selector",
  GetManagedServicesSelector: "selector",
  CreateActionExclusion: "exclusion",
  ModifyActionExclusion: "exclusion",
  ModifyCredential: "credential",
  ModifyUser: "user",
  RemoveUserMfa: "user",
  DetachManagedPolicy: "user",
  ModifyProject: "project",
  GetManagedPolicy: "policy",
};

const idFields = {
  action: "actionId",
  credential: "credentialId",
  exclusion: "actionExclusionId",
  group: "group",
  plan: "planId",
  policy: "managedPolicyId",
  project: "projectId",
  selector: "selectorId",
  user: "userId",
} as const satisfies Record<EntityKind, string>;

/** What a service's answer tells of its things. `ownerId`: who made it, for a creation through Curfew. */
export function entitiesIn(operation: OperationName, answer: unknown, ownerId?: string): readonly NewEntity[] {
  if (operation === "ListActions" || operation === "GetAction") return projectsOf(answer);
  const kind = answersAbout[operation];
  const thing = kind && entities(kind, answer);
  return thing ? [{ ...thing, ...(ownerId ? { ownerId } : {}) }] : [];
}

/** A thing from a body that names it; undefined from one that does not. */
export function entities<K extends EntityKind>(kind: K, body: unknown): NewEntity | undefined {
  const read = entityBodies[kind].safeParse(withoutKeys(body));
  if (!read.success) return undefined;
  const id: unknown = new Map<string, unknown>(Object.entries(read.data)).get(idFields[kind]);
  return typeof id === "string" ? { kind, id, body: read.data } : undefined;
}

/** All that is looked at of actions, of which there may be many. */
const inProjects = z.object({ projectId: z.string().nullish() }).array();

/** Actions tell which projects there are, by id alone. */
function projectsOf(answer: unknown): readonly NewEntity[] {
  const actions = inProjects.safeParse(Array.isArray(answer) ? answer : [answer]);
  const ids = new Set((actions.data ?? []).flatMap(({ projectId }) => (projectId ? [projectId] : [])));
  return [...ids].map((projectId) => ({ kind: "project", id: projectId, body: { projectId }, weak: true }));
}

const keyFields: ReadonlySet<string> = new Set(["amazoniamaccesskey", "googleserviceaccountkey"]);

/** An answer without the objects that carry keys, wherever they stand: they are neither kept nor shown (design.md, "Left open by spec.md"). */
export function withoutKeys(answer: unknown): unknown {
  if (Array.isArray(answer)) return answer.map(withoutKeys);
  if (typeof answer !== "object" || answer === null) return answer;
  const kept = Object.entries(answer).filter(([name]) => !keyFields.has(name.toLowerCase()));
  return Object.fromEntries(kept.map(([name, value]) => [name, withoutKeys(value)]));
}
