import type { Compilable, CompiledQuery, Kysely } from "kysely";
import type { Database } from "./database.ts";
import { ShortcutAdapter } from "./shortcut-adapter.ts";

/**
 * A query of the busiest ways, put into words once for each database and then only given other values: building one costs Kysely
 * more than SQLite needs to run it. `build` must let each value stand in the query as it comes; a query that looks different for some
 * values is another one, which `variant` tells.
 */
export function prepared<Values extends object, Row>(
  build: (db: Kysely<Database>, values: Values, variant: string) => Compilable<Row>,
): (db: Kysely<Database>, values: Values, variant?: string) => Promise<readonly Row[]> {
  const known = new WeakMap<object, Map<string, CompiledQuery<Row>>>();
  return async (db, values, variant = "") => {
    const { adapter } = db.getExecutor();
    const queries = known.get(adapter) ?? new Map<string, CompiledQuery<Row>>();
    known.set(adapter, queries);
    const shape = `${variant}:${Object.keys(values)}`;
    const query = queries.get(shape) ?? build(db, placesFor(values), variant).compile();
    queries.set(shape, query);
    const complete: CompiledQuery<Row> = { ...query, parameters: filled(query.parameters, values) };
    const done =
      adapter instanceof ShortcutAdapter ? adapter.run(complete, db.isTransaction) : db.executeQuery(complete);
    return (await done).rows;
  };
}

/** Stands in a query where a value will be. */
class Place {
  readonly name: string;
  constructor(name: string) {
    this.name = name;
  }
}

/** The query is built with these in place of the values. What the builder would do with a value, it does with its place: keep it. */
function placesFor<Values extends object>(values: Values): Values {
  return Object.fromEntries(Object.keys(values).map((name) => [name, new Place(name)])) as Values;
}

function filled(parameters: readonly unknown[], values: object): readonly unknown[] {
  const given = values as Readonly<Record<string, unknown>>;
  return parameters.map((parameter) => (parameter instanceof Place ? given[parameter.name] : parameter));
}
