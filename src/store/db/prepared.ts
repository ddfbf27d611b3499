import type { Compilable, CompiledQuery, Kysely } from "kysely";
import type { Database } from "./database.ts";
import { ShortcutAdapter } from "./query-log.ts";

/** A query that is compiled once. */
export interface Prepared<Values, Row> {
  (db: Kysely<Database>, values: Values, variant?: string): Promise<readonly Row[]>;
  /** Compiles without running; run it with `run`. */
  query(db: Kysely<Database>, values: Values, variant?: string): CompiledQuery<Row>;
}

/**
 * Compiles a hot query once per database, then only fills in values: Kysely takes longer to build a query than SQLite to run it.
 * `build` must use each value as it comes. A query whose text depends on a value needs a `variant`. A value may be a list
 * of rows with the same columns: each length is a separate statement, so keep lists short. In a transaction it must be
 * awaited before the transaction ends; nothing checks that.
 */
export function prepared<Values extends object, Row>(
  build: (db: Kysely<Database>, values: Values, variant: string) => Compilable<Row>,
): Prepared<Values, Row> {
  const compiledFor = new WeakMap<object, Map<string, CompiledQuery<Row>>>();
  const query = (db: Kysely<Database>, values: Values, variant = ""): CompiledQuery<Row> => {
    const { adapter } = db.getExecutor();
    const queries = compiledFor.get(adapter) ?? new Map<string, CompiledQuery<Row>>();
    compiledFor.set(adapter, queries);
    const shape = `${variant}:${shapeOf(values)}`;
    const compiled = queries.get(shape) ?? build(db, placeholdersFor(values), variant).compile();
    queries.set(shape, compiled);
    return { ...compiled, parameters: filled(compiled.parameters, values) };
  };
  return Object.assign(
    (db: Kysely<Database>, values: Values, variant?: string) => run(db, query(db, values, variant)),
    {
      query,
    },
  );
}

/** Runs a compiled query. */
export async function run<Row>(db: Kysely<Database>, query: CompiledQuery<Row>): Promise<readonly Row[]> {
  const { adapter } = db.getExecutor();
  const done = adapter instanceof ShortcutAdapter ? adapter.run(query, db.isTransaction) : db.executeQuery(query);
  return (await done).rows;
}

function shapeOf(values: object): string {
  let shape = "";
  for (const [name, value] of Object.entries(values))
    shape += Array.isArray(value) ? `,${name}*${value.length}(${Object.keys(value[0] ?? {})})` : `,${name}`;
  return shape;
}

/** Stands for a value in a compiled query. */
class Placeholder {
  readonly of: (values: object) => unknown;
  constructor(of: (values: object) => unknown) {
    this.of = of;
  }
}

/** The builder keeps these as parameters, as it keeps values. */
function placeholdersFor<Values extends object>(values: Values): Values {
  const placeholders = (holder: object, of: (values: object) => unknown): unknown =>
    Object.fromEntries(
      Object.entries(holder).map(([name, value]) => {
        const at = (all: object) => Reflect.get(Object(of(all)), name);
        if (!Array.isArray(value)) return [name, new Placeholder(at)];
        return [name, value.map((row, index) => placeholders(row, (all) => Reflect.get(Object(at(all)), index)))];
      }),
    );
  return placeholders(values, (all) => all) as Values;
}

function filled(parameters: readonly unknown[], values: object): readonly unknown[] {
  return parameters.map((parameter) => (parameter instanceof Placeholder ? parameter.of(values) : parameter));
}
