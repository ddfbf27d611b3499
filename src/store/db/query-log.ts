import { type CompiledQuery, type KyselyConfig, type RootOperationNode, TableNode } from "kysely";

/** Called after every statement with its duration. */
export type OnQuery = (statement: Statement, outcome: "ok" | "failed", ms: number, error?: unknown) => void;

/** Called with the table after every insert, update and delete. */
export type OnWrite = (table: string) => void;

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

/** The table that a statement writes to. */
function writtenTable({ query }: CompiledQuery): string | undefined {
  const [table] =
    query.kind === "InsertQueryNode"
      ? [query.into]
      : query.kind === "UpdateQueryNode"
        ? [query.table]
        : query.kind === "DeleteQueryNode"
          ? query.from.froms
          : [];
  return table && TableNode.is(table) ? table.table.identifier.name : undefined;
}

export interface QueryEvents {
  readonly onQuery?: OnQuery | undefined;
  readonly onWrite?: OnWrite | undefined;
}

/** Kysely's `log` setting. */
export function queryLog({ onQuery, onWrite }: QueryEvents): Pick<KyselyConfig, "log"> {
  if (onQuery === undefined) return {};
  return {
    log: (event) => {
      const [statement, ms] = [statementOf(event.query), event.queryDurationMillis];
      if (event.level === "error") return onQuery(statement, "failed", ms, event.error);
      onQuery(statement, "ok", ms);
      const table = onWrite && writtenTable(event.query);
      if (table !== undefined) onWrite?.(table);
    },
  };
}
