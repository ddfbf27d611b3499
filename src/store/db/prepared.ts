import type { Compilable, CompiledQuery, Kysely } from "kysely";
import type { Database } from "./database.ts";
import { ShortcutAdapter } from "./shortcut-adapter.ts";

/** A query that is put into words once. */
export interface Prepared<Values, Row> {
  (db: Kysely<Database>, values: Values, variant?: string): Promise<readonly Row[]>;
  /** The same, to be run with `run`. */
  query(db: Kysely<Database>, values: Values, variant?: string): CompiledQuery<Row>;
}

/**
 * A query of the busiest ways, put into words once for each database and then only given other values: building one costs Kysely
 * more than SQLite needs to run it. `build` must let each value stand in the query as it comes; a query that looks different for some
 * values is another one, which `variant` tells. A value may be a list of rows that have the same columns; then there is a query for each
 * length of it, so let no list be long. In a transaction it must be awaited before that ends, as nothing looks whether it has.
 */
export function prepared<Values extends object, Row>(
  build: (db: Kysely<Database>, values: Values, variant: string) => Compilable<Row>,
): Prepared<Values, Row> {
  const known = new WeakMap<object, Map<string, CompiledQuery<Row>>>();
  const query = (db: Kysely<Database>, values: Values, variant = ""): CompiledQuery<Row> => {
    const { adapter } = db.getExecutor();
    const queries = known.get(adapter) ?? new Map<string, CompiledQuery<Row>>();
    known.set(adapter, queries);
    const shape = `${variant}:${shapeOf(values)}`;
    const worded = queries.get(shape) ?? build(db, placesFor(values), variant).compile();
    queries.set(shape, worded);
    return { ...worded, parameters: filled(worded.parameters, values) };
  };
  return Object.assign(
    (db: Kysely<Database>, values: Values, variant?: string) => run(db, query(db, values, variant)),
    {
      query,
    },
  );
}

/** Runs a query that is in words already. */
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

/** Stands in a query where a value will be. */
class Place {
  readonly of: (values: object) => unknown;
  constructor(of: (values: object) => unknown) {
    this.of = of;
  }
}

/** The query is built with these in place of the values. What the builder would do with a value, it does with its place: keep it. */
function placesFor<Values extends object>(values: Values): Values {
  const place = (holder: object, of: (values: object) => unknown): unknown =>
    Object.fromEntries(
      Object.entries(holder).map(([name, value]) => {
        const at = (all: object) => Reflect.get(Object(of(all)), name);
        if (!Array.isArray(value)) return [name, new Place(at)];
        return [name, value.map((row, index) => place(row, (all) => Reflect.get(Object(at(all)), index)))];
      }),
    );
  return place(values, (all) => all) as Values;
}

function filled(parameters: readonly unknown[], values: object): readonly unknown[] {
  return parameters.map((parameter) => (parameter instanceof Place ? parameter.of(values) : parameter));
}
