import {
  Kysely,
  type PostgresCursor,
  PostgresDialect,
  type PostgresPoolClient,
  type PostgresQueryResult,
} from "kysely";
import pg from "pg";
import type { Database, Db } from "./database.ts";
import { lockWaitMs } from "./lock-wait.ts";
import { type QueryEvents, queryLog } from "./query-log.ts";
import { storable } from "./read-rows.ts";
import { withCommit } from "./transact.ts";

/** Ten instances then use fifty of PostgreSQL's default hundred connections. */
const maxConnections = 5;

const limits = {
  connectionTimeoutMillis: 10_000,
  lock_timeout: lockWaitMs,
  statement_timeout: 30_000,
  // Longer than the server's own limit: for a server that no longer answers.
  query_timeout: 40_000,
  idle_in_transaction_session_timeout: 60_000,
  keepAlive: true,
};

export interface PostgresEvents extends QueryEvents {
  /** Called when a connection is lost, also an idle one. The next query opens another. */
  readonly onConnectionLost?: (reason: string) => void;
  /** The URL for new connections, where its password may have changed. */
  readonly currentUrl?: () => string;
}

/** Settings in the URL (`application_name`, `statement_timeout`, `sslmode`, …) win over those set here. */
export function openPostgres(url: string, events: PostgresEvents = {}): Db {
  const { onConnectionLost = () => undefined, currentUrl = () => url } = events;
  const pool = new pg.Pool({
    connectionString: url,
    max: maxConnections,
    application_name: "curfew",
    types: numbersAsNumbers(),
    // Statements that do not wait for each other take one round trip.
    pipeline: true,
    ...limits,
  });
  // The pool reads its options for each connection.
  Object.defineProperty(pool.options, "connectionString", { get: currentUrl });
  // Without a listener, a connection that breaks during a transaction ends the process. Only the message is passed on:
  // the driver attaches its whole client to the error.
  pool.on("connect", (client) => client.on("error", ({ message }) => onConnectionLost(message)));
  // The pool repeats the errors of idle connections.
  pool.on("error", () => undefined);
  const dialect = new PostgresDialect({ pool: { connect: () => connect(pool), end: () => pool.end() } });
  return new Kysely<Database>({ dialect, ...queryLog(events) });
}

/** Where the driver connects to, and to which tables: settings in the URL win over its host and path. */
export function placeOf(url: string): string {
  const { host, port, database } = new pg.Client({ connectionString: url });
  return JSON.stringify([host, port, database, new URL(url).searchParams.get("options")]);
}

/** pg returns int8 as text; no column here exceeds 2^53. */
function numbersAsNumbers(): pg.CustomTypesConfig {
  const types = new pg.TypeOverrides();
  types.setTypeParser(pg.types.builtins.INT8, Number);
  return types;
}

/** Checks values as SQLite does, and discards a connection whose query got no answer. */
async function connect(pool: pg.Pool): Promise<PostgresPoolClient> {
  const client = await pool.connect();
  let isSilent = false;
  /** Sends the statement that waits for the commit. */
  let held: (() => Promise<void>) | undefined;
  const ask = async <R>(statement: string, parameters: readonly unknown[]): Promise<PostgresQueryResult<R>> => {
    try {
      const { command, rowCount, rows } = await client.query(statement, storable(parameters));
      // pg types the command as a plain string.
      return { command: command as PostgresQueryResult<R>["command"], rowCount: rowCount ?? 0, rows };
    } catch (error) {
      if (error instanceof Error && error.message === readTimeout) isSilent = true;
      throw error;
    }
  };
  const hold = <R>(statement: string, parameters: readonly unknown[]): PostgresQueryResult<R> => {
    const rows: R[] = [];
    const values = storable(parameters);
    held = async () => void rows.push(...(await ask<R>(statement, values)).rows);
    return { command: "INSERT", rowCount: 0, rows };
  };
  const askAfterHeld = async <R>(statement: string, parameters: readonly unknown[]) => {
    const last = statement === "rollback" ? undefined : held;
    held = undefined;
    // The driver sends both without waiting. After an error of the first, PostgreSQL does not commit.
    const [, result] = await Promise.all([
      last?.(),
      statement.endsWith(withCommit) ? hold<R>(statement, parameters) : ask<R>(statement, parameters),
    ]);
    return result;
  };
  function query<R>(statement: string, parameters: readonly unknown[]): Promise<PostgresQueryResult<R>>;
  function query<R>(cursor: PostgresCursor<R>): PostgresCursor<R>;
  function query<R>(
    asked: string | PostgresCursor<R>,
    parameters: readonly unknown[] = [],
  ): Promise<PostgresQueryResult<R>> | PostgresCursor<R> {
    // Kysely uses cursors only for streams; no query here streams.
    if (typeof asked !== "string") throw new TypeError("queries are not streamed");
    return askAfterHeld<R>(asked, parameters);
  }
  return { query, release: () => client.release(isSilent) };
}

/** The driver sets no code. */
const readTimeout = "Query read timeout";
