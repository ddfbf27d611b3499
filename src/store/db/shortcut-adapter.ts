import { type CompiledQuery, type QueryResult, SqliteAdapter } from "kysely";
import { type OnQuery, statementOf } from "./query-log.ts";
import type { SqliteFileDriver } from "./sqlite-driver.ts";

/** Hands prepared statements to the driver itself: on their way there the query builder would cost more than SQLite does. */
export class ShortcutAdapter extends SqliteAdapter {
  readonly #driver: SqliteFileDriver;
  readonly #onQuery: OnQuery | undefined;

  constructor(driver: SqliteFileDriver, onQuery: OnQuery | undefined) {
    super();
    this.#driver = driver;
    this.#onQuery = onQuery;
  }

  async run<R>(query: CompiledQuery<R>, isInTransaction: boolean): Promise<QueryResult<R>> {
    const startedAt = performance.now();
    try {
      const result = await this.#driver.run<R>(query, isInTransaction);
      this.#onQuery?.(statementOf(query), "ok", performance.now() - startedAt);
      return result;
    } catch (error) {
      this.#onQuery?.(statementOf(query), "failed", performance.now() - startedAt, error);
      throw error;
    }
  }
}
