import type { CompiledQuery, KyselyConfig, RootOperationNode } from "kysely";

/** Called after every statement with its duration. */
export type OnQuery = (statement: Statement, outcome: "ok" | "failed", ms: number, error?: unknown) => void;

export type Statement = "select" | "insert" | "update" | "delete" | "other";

const statements: Readonly<Partial<Record<RootOperationNode["kind"], Statement>>> = {
  SelectQueryNode: "select",
  InsertQueryNode: "insert",
  UpdateQueryNode: "update",
  DeleteQueryNode: "delete",
};

function statementOf({ query }: CompiledQuery): Statement {
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
