import type { JsonObject } from "../json-object.ts";
import type { ApiArguments } from "./api-arguments.ts";

const maxPageSize = 1000;

export interface CursorPage<T> {
  readonly items: readonly T[];
  readonly metadata: JsonObject;
}

/** One page of a list, or the error code for a bad `cursor` or `limit` (PLATFORM.md §11.1, cursors). */
export function cursorPage<T>(all: readonly T[], args: ApiArguments, defaultLimit: number): CursorPage<T> | string {
  const limit = args.has("limit") ? args.integer("limit") : defaultLimit;
  if (limit === undefined || limit < 1 || limit > maxPageSize) return "invalid_limit";
  const start = readCursor(args.text("cursor"));
  if (start === undefined || start > all.length) return "invalid_cursor";
  const end = start + limit;
  const next = end < all.length ? Buffer.from(`next:${end}`).toString("base64") : "";
  return { items: all.slice(start, end), metadata: { next_cursor: next } };
}

function readCursor(cursor: string | undefined): number | undefined {
  if (cursor === undefined) return 0;
  const [, start] = /^next:(\d+)$/.exec(Buffer.from(cursor, "base64").toString()) ?? [];
  return start === undefined ? undefined : Number(start);
}
