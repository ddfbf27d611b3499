import { sql } from "kysely";
import { type Db, isPostgres } from "../db/database.ts";
import { atDatabase } from "./instance-table.ts";

/** The accounts of the config are not those whose things the database holds. */
class AccountsError extends Error {
  readonly code = "Accounts";
  constructor(found: string, next: string) {
    super(`${found} Nothing was changed: ${next}.`);
    this.name = "AccountsError";
  }
}

const aliveMs = 30_000;

type Accounts = Readonly<Record<string, { readonly url: string; readonly was?: string | undefined }>>;

/** Remembers the further accounts of the service, since the ids of their things in the database begin with their names. */
export const createAccountStore = (db: Db, instance: string) => ({
  /** Throws where the accounts of the config are others than before, or another running instance lacks one of them. */
  fitAccounts: async (accounts: Accounts): Promise<void> => {
    const known = await db.selectFrom("account").selectAll().execute();
    for (const { name, url } of known) {
      const account = accounts[name];
      if (!account)
        throw new AccountsError(
          `The database holds things of the account “${name}”, which the config does not have.`,
          "put it back under “accounts”, or name this config's own database",
        );
      if (account.url !== url && account.was !== url)
        throw new AccountsError(
          `The account “${name}” was at ${url}, and the config says ${account.url}.`,
          `if it is the same account at a new address, add “was: ${url}” to it, else give the new account another name`,
        );
    }
    const added = Object.entries(accounts).filter(
      ([name, { url }]) => !known.some((each) => each.name === name && each.url === url),
    );
    if (added.length === 0) return;
    if (known.length < Object.keys(accounts).length && (await runsElsewhere(db, instance)))
      throw new AccountsError(
        "Another Curfew runs on this database, without the new account.",
        "stop the others, and start them again with this config",
      );
    await db
      .insertInto("account")
      .values(added.map(([name, { url }]) => ({ name, url })))
      .onConflict((conflict) => conflict.column("name").doUpdateSet(({ ref }) => ({ url: ref("excluded.url") })))
      .execute();
  },
});

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
