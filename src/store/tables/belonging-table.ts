import { setTimeout } from "node:timers/promises";
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
  /**
   * Throws where the database belongs to another workspace. An organization takes over that of one of its `teams`, and a workspace
   * that of its organization where `teams` lists it.
   */
  fitWorkspace: async (id: string, teams: ReadonlySet<string> = new Set()): Promise<void> => {
    const [known] = await db.selectFrom("belonging").selectAll().where("name", "=", workspace).execute();
    if (known?.value === id) return;
    const isTheirs = known && (teams.has(known.value) || (known.value.startsWith("E") && teams.has(id)));
    if (known && !isTheirs)
      throw new BelongingError(
        `The database belongs to ${known.value} in Slack, and Curfew is installed in ${id}.`,
        "name this workspace's own database, or list the workspaces under “teams” if they are one organization's",
      );
    await keep(db, [{ name: workspace, value: id }]);
  },
  /**
   * Throws where the accounts of the config do not fit: one of which something still runs or waits is missing or has another address, or
   * another running instance lacks a new one. Gives what remembers them, for when nothing else stops the start, and before the first
   * heartbeat.
   */
  fitAccounts: async (accounts: Accounts, now: number): Promise<() => Promise<void>> => {
    const added = Object.entries(accounts).map(([name, { url }]) => ({ name, url }));
    const known = await knownToOthers(
      db,
      instance,
      added.map(({ name }) => name),
    );
    for (const { name, url } of known) {
      const config = accounts[name];
      if (!config && (await isInUse(db, name, now)))
        throw new BelongingError(
          `Something of the account “${name}” still runs or waits, and the config does not have it.`,
          "put it back under “accounts” until that is over, or name this config's own database",
        );
      if (config && config.url !== url && config.was !== url)
        throw new BelongingError(
          `The account “${name}” was at ${url}, and the config says ${config.url}.`,
          `if it is the same account at a new address, add “was: ${url}” to it, else give the new account another name`,
        );
    }
    const left = known.filter(({ name }) => !accounts[name]).map(({ name }) => name);
    return async () => {
      // Else they would be taken for deleted in the service. The name stays that of the account that had it.
      for (const name of left) await db.deleteFrom("watched_action").where("id", "like", `${name}/%`).execute();
      const changed = added.filter(({ name, url }) => !known.some((each) => each.name === name && each.url === url));
      await keep(
        db,
        changed.map(({ name, url }) => ({ name: `${account}${name}`, value: url })),
      );
    };
  },
});

/** Whether an exclusion of an account is in force, or a change of it is not over. */
async function isInUse(db: Db, name: string, now: number): Promise<boolean> {
  const exclusion = await db
    .selectFrom("entity")
    .select("id")
    .where("kind", "=", "exclusion")
    .where("id", "like", `${name}/%`)
    .where("ended_at", "is", null)
    .where(({ eb, or }) => or([eb("expires_at", ">", now), eb("expires_at", "is", null)]))
    .executeTakeFirst();
  const change = await db
    .selectFrom("change")
    .select("id")
    .where("settled_at", "is", null)
    .where("request_json", "like", `%"${name}/%`)
    .executeTakeFirst();
  return exclusion !== undefined || change !== undefined;
}

const workspace = "workspace";
/** Begins the name of an account's row. */
const account = "account ";

async function keep(db: Db, rows: readonly Insertable<BelongingTable>[]): Promise<void> {
  if (rows.length === 0) return;
  await db
    .insertInto("belonging")
    .values([...rows])
    .onConflict((conflict) => conflict.column("name").doUpdateSet(({ ref }) => ({ value: ref("excluded.value") })))
    .execute();
}

const lookMs = 500;

/** The accounts that the database remembers. Throws where another instance runs that lacks one of these. Waits for one that may be gone. */
async function knownToOthers(db: Db, instance: string, names: readonly string[]) {
  const first = await heartbeats(db, instance);
  let others = first;
  for (;;) {
    // Read after the heartbeats: who has one has remembered its accounts.
    const rows = await db.selectFrom("belonging").selectAll().where("name", "like", `${account}%`).execute();
    const known = rows.map(({ name, value }) => ({ name: name.slice(account.length), url: value }));
    if (others.size === 0 || names.every((name) => known.some((each) => each.name === name))) return known;
    if ([...others].some(([id, seenAt]) => first.get(id) !== seenAt))
      throw new BelongingError(
        "Another Curfew runs on this database, without the new account.",
        "stop the others, and start them again with this config",
      );
    await setTimeout(lookMs);
    others = await heartbeats(db, instance);
  }
}

/** Of the other instances that may be alive. A SQLite file has one process. */
async function heartbeats(db: Db, instance: string): Promise<ReadonlyMap<string, number>> {
  if (!isPostgres(db)) return new Map();
  const others = await db
    .selectFrom("instance")
    .selectAll()
    .where("id", "!=", instance)
    .where("seen_at", ">", sql<number>`${atDatabase} - ${aliveMs}`)
    .execute();
  return new Map(others.map(({ id, seen_at: seenAt }) => [id, seenAt]));
}
