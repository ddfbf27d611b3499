import {
  CompiledQuery,
  type DatabaseConnection,
  type Driver,
  PostgresDialect,
  type PostgresDialectConfig,
  PostgresDriver,
  type QueryResult,
  type TransactionSettings,
} from "kysely";

/** PostgreSQL with fewer round trips: `begin`, and statements whose rows nobody needs, are sent together with the next statement. */
export class PipelinedDialect extends PostgresDialect {
  readonly #config: PostgresDialectConfig;

  constructor(config: PostgresDialectConfig) {
    super(config);
    this.#config = config;
  }

  override createDriver(): Driver {
    return new PipelinedDriver(this.#config);
  }
}

const unawaited = new WeakSet<CompiledQuery>();

/** For a statement in a transaction whose rows nobody needs: it resolves when it is sent. If it fails, the commit fails. */
export function sentAhead(query: CompiledQuery): CompiledQuery {
  unawaited.add(query);
  return query;
}

class PipelinedDriver extends PostgresDriver {
  /** What was sent ahead on a connection since its last `begin`. */
  readonly #ahead = new WeakMap<DatabaseConnection, Promise<unknown>[]>();

  override async acquireConnection(): Promise<DatabaseConnection> {
    const connection = await super.acquireConnection();
    if (this.#ahead.has(connection)) return connection;
    this.#ahead.set(connection, []);
    const execute = connection.executeQuery.bind(connection);
    connection.executeQuery = async <R>(query: CompiledQuery): Promise<QueryResult<R>> => {
      const sent = execute<R>(query);
      if (!unawaited.has(query)) return sent.catch((error: unknown) => this.#fail(connection, error));
      // The commit reports a failure, and so does any statement before it.
      sent.catch(() => undefined);
      this.#ahead.get(connection)?.push(sent);
      return { rows: [] };
    };
    return connection;
  }

  override async beginTransaction(connection: DatabaseConnection, settings: TransactionSettings): Promise<void> {
    if (settings.isolationLevel !== undefined || settings.accessMode !== undefined)
      return super.beginTransaction(connection, settings);
    await connection.executeQuery(sentAhead(CompiledQuery.raw("begin")));
  }

  override async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    this.#ahead.set(connection, []);
    await super.rollbackTransaction(connection);
  }

  override async commitTransaction(connection: DatabaseConnection): Promise<void> {
    await Promise.all(this.#ahead.get(connection) ?? []);
    this.#ahead.set(connection, []);
    await super.commitTransaction(connection);
  }

  /** What was sent ahead failed first, if it did. */
  async #fail(connection: DatabaseConnection, error: unknown): Promise<never> {
    await Promise.all(this.#ahead.get(connection) ?? []);
    throw error;
  }
}
