import { type Insertable, sql } from "kysely";
import { type BelongingTable, type Db, isPostgres } from "../db/database.ts";
import { atDatabase } from "./instance-table.ts";

/** The database holds what belongs to another workspace, or to other accounts of the service. */
class BelongingError extends Error {
  readonly code = "Belonging";
  constructor(found: string, next: string) {
    super(`${found} Nothing was changed: ${next}.`);
    this.name = "BelongingError";
  }
}

const aliveMs = 30_000;

type Accounts = Readonly<Record<string, { readonly url: string; readonly was?: string | undefined }>>;

/**
 * Remembers to what the database belongs: the workspace or organization, whose people and channels it names, and the further accounts
 * of the service, whose names stand before the ids of their things.
 */
export const createBelongingStore = (db: Db, instance: string) => ({
  /** Throws where the database belongs to another workspace. An organization takes over that of one of its `teams`. */
  fitWorkspace: async (id: string, teams: ReadonlySet<string> | undefined): Promise<void> => {
    const [known] = await db.selectFrom("belonging").selectAll().where("name", "=", workspace).execute();
    if (known?.value === id) return;
    if (known && !teams?.has(known.value))
      throw new BelongingError(
        `The database belongs to the workspace ${known.value}, and Curfew is installed in ${id}.`,
        "name this workspace's own database, or list both under “teams” if they are one organization's",
      );
    await keep(db, [{ name: workspace, value: id }]);
  },
  /** Throws where the accounts of the config are others than before, or another running instance lacks one of them. */
  fitAccounts: async (accounts: Accounts): Promise<void> => {
    const rows = await db.selectFrom("belonging").selectAll().where("name", "like", `${account}%`).execute();
    const known = rows.map(({ name, value }) => ({ name: name.slice(account.length), url: value }));
    for (const { name, url } of known) {
      const now = accounts[name];
      if (!now)
        throw new BelongingError(
          `The database holds things of the account “${name}”, which the config does not have.`,
          "put it back under “accounts”, or name this config's own database",
        );
      if (now.url !== url && now.was !== url)
        throw new BelongingError(
          `The account “${name}” was at ${url}, and the config says ${now.url}.`,
          `if it is the same account at a new address, add “was: ${url}” to it, else give the new account another name`,
        );
    }
    const added = Object.entries(accounts).filter(
      ([name, { url }]) => !known.some((each) => each.name === name && each.url === url),
    );
    if (added.length === 0) return;
    if (known.length < Object.keys(accounts).length && (await runsElsewhere(db, instance)))
      throw new BelongingError(
        "Another Curfew runs on this database, without the new account.",
        "stop the others, and start them again with this config",
      );
    await keep(
      db,
      added.map(([name, { url }]) => ({ name: `${account}${name}`, value: url })),
    );
  },
});

const workspace = "workspace";
/** Begins the name of an account's row. */
const account = "account ";

const keep = (db: Db, rows: readonly Insertable<BelongingTable>[]) =>
  db
    .insertInto("belonging")
    .values([...rows])
    .onConflict((conflict) => conflict.column("name").doUpdateSet(({ ref }) => ({ value: ref("excluded.value") })))
    .execute();

/** A SQLite file has one process. */
async function runsElsewhere(db: Db, instance: string): Promise<boolean> {
  if (!isPostgres(db)) return false;
  const other = await db
    .selectFrom("instance")
    .select("id")
    .where("id", "!=", instance)
    .where("seen_at", ">", sql<number>`${atDatabase} - ${aliveMs}`)
    .executeTakeFirst();
  return other !== undefined;
}
