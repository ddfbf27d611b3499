import { type RawBuilder, sql } from "kysely";

/** Whether a column holds this id, as the service compares ids: without regard to case. */
export const isSameId = (column: string, id: string): RawBuilder<boolean> =>
  sql<boolean>`lower(${sql.ref(column)}) = lower(${id})`;
