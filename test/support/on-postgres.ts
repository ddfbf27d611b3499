import { inject } from "vitest";

/** Whether the present tests run on PostgreSQL. */
export const isOnPostgres = inject("postgresUrl") !== undefined;
