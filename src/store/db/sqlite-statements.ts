import type { DatabaseSyncInstance, StatementSyncInstance } from "@photostructure/sqlite";
import type { CompiledQuery, QueryResult } from "kysely";
import { storable } from "../tables/read-rows.ts";

export interface Statements {
  execute<R>(query: CompiledQuery): QueryResult<R>;
}

interface Prepared {
  readonly statement: StatementSyncInstance;
  readonly givesRows: boolean;
}

/** Far more than there are queries; those with lists of any length must not pile up. */
const mostKept = 200;

/** Runs queries on one connection, each prepared once and kept while it is used. */
export function createStatements(file: DatabaseSyncInstance): Statements {
  const kept = new Map<string, Prepared>();
  const prepare = (sql: string): Prepared => {
    const statement = file.prepare(sql);
    return { statement, givesRows: statement.columns().length > 0 };
  };
  const preparedFor = (sql: string): Prepared => {
    const prepared = kept.get(sql) ?? prepare(sql);
    kept.delete(sql);
    kept.set(sql, prepared);
    const [oldest] = kept.keys();
    if (kept.size > mostKept && oldest !== undefined) kept.delete(oldest);
    return prepared;
  };
  return {
    execute: <R>({ sql, parameters }: CompiledQuery): QueryResult<R> => {
      const { statement, givesRows } = preparedFor(sql);
      // Kysely's type for the rows follows from the query; the driver cannot know it.
      if (givesRows) return { rows: statement.all(...storable(parameters)) as R[] };
      const { changes } = statement.run(...storable(parameters));
      return { numAffectedRows: BigInt(changes), rows: [] };
    },
  };
}
