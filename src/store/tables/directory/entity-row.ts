import type { Selectable } from "kysely";
import { z } from "zod";
import { type Entity, entityKind, entityKinds } from "../../../directory/directory.ts";
import { parseJson } from "../../../service/read-answer.ts";
import type { EntityTable } from "../../db/database.ts";

const facts = z.looseObject({
  name: z.string().nullish().catch(null),
  username: z.string().nullish().catch(null),
  emailAddress: z.string().nullish().catch(null),
  projectId: z.string().nullish().catch(null),
  expiryDate: z.string().nullish().catch(null),
  lastModifiedDate: z.string().nullish().catch(null),
});

export function columnsOf(body: object) {
  const { name, username, emailAddress, projectId, expiryDate } = facts.parse(body);
  const displayName = name ?? username ?? null;
  const expiresAt = expiryDate ? Date.parse(expiryDate) : Number.NaN;
  return {
    name: displayName,
    name_key: displayName?.toLowerCase() ?? null,
    email: emailAddress ?? null,
    email_key: emailAddress?.toLowerCase() ?? null,
    project_id: projectId ?? null,
    expires_at: Number.isNaN(expiresAt) ? null : expiresAt,
    body_json: JSON.stringify(body),
  };
}

const kindOf = z.enum(entityKinds);

export function entityOf(row: Selectable<EntityTable>): Entity {
  const kind = kindOf.parse(row.kind);
  return {
    kind,
    id: row.id,
    name: row.name,
    email: row.email,
    projectId: row.project_id,
    ownerId: row.owner_id,
    endedAt: row.ended_at,
    // The same schema read this answer before it was stored.
    body: entityKind(kind).schema.parse(JSON.parse(row.body_json)),
  };
}

/** An unreadable body must not block its successor. */
export const parsedOrEmpty = (json: string): object => facts.safeParse(parseJson(json)).data ?? {};

/** NaN without a date; it compares as neither older nor newer. */
export function modifiedAt(body: object): number {
  return Date.parse(facts.parse(body).lastModifiedDate ?? "");
}
