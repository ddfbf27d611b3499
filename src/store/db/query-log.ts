import { type CompiledQuery, type KyselyConfig, type QueryResult, type RootOperationNode, SqliteAdapter } from "kysely";
import type { SqliteFileDriver } from "./sqlite/sqlite-driver.ts";

/** Passes compiled statements straight to the driver: Kysely's own way there costs more than SQLite does. */
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

/** Called after every statement with its duration. */
export type OnQuery = (statement: Statement, outcome: "ok" | "failed", ms: number, error?: unknown) => void;

export type Statement = "select" | "insert" | "update" | "delete" | "other";

const statements: Readonly<Partial<Record<RootOperationNode["kind"], Statement>>> = {
  SelectQueryNode: "select",
  InsertQueryNode: "insert",
  UpdateQueryNode: "update",
  DeleteQueryNode: "delete",
};

export function statementOf({ query }: CompiledQuery): Statement {
  return statements[query.kind] ?? "other";
}

/** Kysely's `log` setting. */
export function queryLog(onQuery: OnQuery | undefined): Pick<KyselyConfig, "log"> {
  if (onQuery === undefined) return {};
  return {
    log: (event) => {
      const [statement, ms] = [statementOf(event.query), event.queryDurationMillis];
      if (event.level === "query") onQuery(statement, "ok", ms);
      else onQuery(statement, "failed", ms, event.error);
    },
  };
}
