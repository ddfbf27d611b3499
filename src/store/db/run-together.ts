import type { CompiledQuery, Transaction } from "kysely";
import type { Database } from "./database.ts";

/**
 * PostgreSQL: runs several statements in one journey there and back, as parts of the last one, and gives the rows of that. None of them
 * sees what another does, and nothing tells in what order they are done.
 */
export async function runTogether<Row>(
  trx: Transaction<Database>,
  statements: readonly CompiledQuery[],
  last: CompiledQuery<Row>,
): Promise<readonly Row[]> {
  const parts: string[] = [];
  const parameters: unknown[] = [];
  for (const statement of statements) {
    parts.push(`part_${parts.length} as (${renumbered(statement.sql, parameters.length)})`);
    parameters.push(...statement.parameters);
  }
  const end = renumbered(last.sql, parameters.length);
  // What alters something may stand only in the outermost `with`.
  const sql =
    parts.length === 0 ? end : `with ${parts.join(", ")}${end.startsWith("with ") ? `, ${end.slice(5)}` : ` ${end}`}`;
  const whole: CompiledQuery<Row> = { ...last, sql, parameters: [...parameters, ...last.parameters] };
  return (await trx.executeQuery(whole)).rows;
}

function renumbered(sql: string, by: number): string {
  return by === 0 ? sql : sql.replace(/\$(\d+)/g, (_, number) => `$${Number(number) + by}`);
}
