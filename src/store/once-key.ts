import { createHash } from "node:crypto";
import { sql } from "kysely";
import { type Change, type ChangeState, isOver } from "../changes/change.ts";
import { canonicalJson } from "./canonical-json.ts";

/** What only one change at a time may hold: the taking back of a certain change, or a person's very same request that others must approve. */
export function onceKeyOf({ undoes, approval, actor, words, request }: Change): string | null {
  if (undoes !== null) return `undo:${undoes}`;
  if (approval === null) return null;
  const asked = createHash("sha256").update(canonicalJson({ words, request })).digest("hex");
  return `asked:${actor.userId}:${asked}`;
}

/** A change that is over gives it up, so that the same may be asked for again; but what was taken back stays taken back. */
export function onceKeyIn(state: ChangeState) {
  if (!isOver(state)) return {};
  if (state !== "succeeded") return { once_key: null };
  return { once_key: sql<string | null>`case when undoes is null then null else once_key end` };
}
