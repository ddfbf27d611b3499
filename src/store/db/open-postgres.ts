import {
  Kysely,
  type PostgresCursor,
  PostgresDialect,
  type PostgresPool,
  type PostgresPoolClient,
  type PostgresQueryResult,
} from "kysely";
import pg from "pg";
import { storable } from "../tables/read-rows.ts";
import type { Database, Db } from "./database.ts";
import { lockWaitMs } from "./lock-wait.ts";
import { type OnQuery, queryLog } from "./query-log.ts";
import { createStallMeter, type StallMeter } from "./stall-meter.ts";

/** Told of a connection that was lost, also of one that nobody was using. The next query opens another. */
export type OnConnectionLost = (reason: string) => void;

/** Ten instances then take fifty of the hundred connections that a PostgreSQL has by default. */
const mostConnections = 5;

const limits = {
  connectionTimeoutMillis: 10_000,
  lock_timeout: lockWaitMs,
  statement_timeout: 30_000,
  // Behind the server's own limit: for a server that no longer answers at all.
  query_timeout: 40_000,
  idle_in_transaction_session_timeout: 60_000,
  keepAlive: true,
};

interface PostgresEvents {
  readonly onConnectionLost?: OnConnectionLost;
  readonly onQuery?: OnQuery;
  readonly stalls?: StallMeter;
}

/** What the URL itself says (`application_name`, `statement_timeout`, `sslmode`, …) goes before what is set here. */
export function openPostgres(url: string, events: PostgresEvents = {}): Db {
  const { onConnectionLost = () => undefined, onQuery, stalls = createStallMeter() } = events;
  const pool = new pg.Pool({
    connectionString: url,
    max: mostConnections,
    application_name: "curfew",
    types: numbersAsNumbers(),
    ...limits,
  });
  // Without a listener on each, a connection that breaks while a transaction holds it would end the process. The error itself is
  // not handed on, since the driver hangs its whole client on it.
  pool.on("connect", (client) => client.on("error", ({ message }) => onConnectionLost(message)));
  // The pool repeats what was told of the connections that nobody held.
  pool.on("error", () => undefined);
  const dialect = new PostgresDialect({ pool: asKyselyTakesIt(pool, stalls) });
  return new Kysely<Database>({ dialect, ...queryLog(onQuery) });
}

/** int8 comes as text, for numbers beyond 2^53, which no column here holds. */
function numbersAsNumbers(): pg.CustomTypesConfig {
  const types = new pg.TypeOverrides();
  types.setTypeParser(pg.types.builtins.INT8, Number);
  return types;
}

function asKyselyTakesIt(pool: pg.Pool, stalls: StallMeter): PostgresPool {
  return {
    connect: async () => {
      // Whoever waits for a connection that others use waits for their statements, which count themselves.
      const connected = pool.totalCount < mostConnections && pool.idleCount === 0 ? stalls.wait() : undefined;
      try {
        return new CheckedClient(await pool.connect(), stalls);
      } finally {
        connected?.();
      }
    },
    end: () => pool.end(),
  };
}

/** Checks values as for SQLite, and gives a connection on which an answer did not come to nobody else. */
class CheckedClient implements PostgresPoolClient {
  readonly #client: pg.PoolClient;
  readonly #stalls: StallMeter;
  #isSilent = false;

  constructor(client: pg.PoolClient, stalls: StallMeter) {
    this.#client = client;
    this.#stalls = stalls;
  }

  query<R>(sql: string, parameters: readonly unknown[]): Promise<PostgresQueryResult<R>>;
  query<R>(cursor: PostgresCursor<R>): PostgresCursor<R>;
  query<R>(
    sql: string | PostgresCursor<R>,
    parameters: readonly unknown[] = [],
  ): Promise<PostgresQueryResult<R>> | PostgresCursor<R> {
    // Kysely has cursors only for streams, which no query here uses.
    if (typeof sql !== "string") throw new TypeError("queries are not streamed");
    return this.#query<R>(sql, parameters);
  }

  release(): void {
    this.#client.release(this.#isSilent);
  }

  async #query<R>(sql: string, parameters: readonly unknown[]): Promise<PostgresQueryResult<R>> {
    const answered = this.#stalls.wait();
    try {
      const { command, rowCount, rows } = await this.#client.query(sql, storable(parameters));
      // Kysely compares it with the commands it knows, and has no others in its type.
      return { command: command as PostgresQueryResult<R>["command"], rowCount: rowCount ?? 0, rows };
    } catch (error) {
      if (error instanceof Error && error.message === readTimeout) this.#isSilent = true;
      throw error;
    } finally {
      answered();
    }
  }
}

/** The driver's message; there is no code. */
const readTimeout = "Query read timeout";
