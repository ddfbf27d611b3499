import { z } from "zod";
import { type Operation, type OperationName, operations } from "../service/operations.ts";
import { type EntityKind, entityKind, type NewEntity } from "./directory.ts";

/** The entities in an answer of the service. `ownerId`: the creator, for a creation through Curfew. */
export function entitiesIn(operation: OperationName, answer: unknown, ownerId?: string): readonly NewEntity[] {
  const { answers: kind }: Operation = operations[operation];
  // Actions are not remembered, since the service lists them all; only their projects are.
  if (kind === "action") return projectsOf(answer);
  const entity = kind && entities(kind, answer);
  return entity ? [{ ...entity, ...(ownerId ? { ownerId } : {}) }] : [];
}

/** The entity of a body; undefined if the body has no id. */
export function entities<K extends EntityKind>(kind: K, body: unknown): NewEntity | undefined {
  const read = entityKind(kind).schema.safeParse(withoutKeys(body));
  if (!read.success) return undefined;
  const id: unknown = new Map<string, unknown>(Object.entries(read.data)).get(entityKind(kind).idField);
  return typeof id === "string" ? { kind, id, body: read.data } : undefined;
}

/** Reads only this field, since there may be many actions. */
const inProjects = z.object({ projectId: z.string().nullish() }).array();

/** The projects of listed actions, by id alone. */
function projectsOf(answer: unknown): readonly NewEntity[] {
  const actions = inProjects.safeParse(Array.isArray(answer) ? answer : [answer]);
  const ids = new Set((actions.data ?? []).flatMap(({ projectId }) => (projectId ? [projectId] : [])));
  return [...ids].map((projectId) => ({ kind: "project", id: projectId, body: { projectId }, weak: true }));
}

const keyFields: ReadonlySet<string> = new Set(["amazoniamaccesskey", "googleserviceaccountkey"]);

/** An answer without the objects that carry keys, at any depth: they are neither kept nor shown (API.md, "Left open"). */
export function withoutKeys(answer: unknown): unknown {
  if (Array.isArray(answer)) return answer.map(withoutKeys);
  if (typeof answer !== "object" || answer === null) return answer;
  const kept = Object.entries(answer).filter(([name]) => !keyFields.has(name.toLowerCase()));
  return Object.fromEntries(kept.map(([name, value]) => [name, withoutKeys(value)]));
}
