import { readdirSync, readFileSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";
import pg from "pg";
import { useOf } from "./process-use.ts";

/** What a PostgreSQL server did so far. */
export interface DatabaseUse {
  readonly processorSeconds: number;
  /** By table: rows inserted, updated and deleted. */
  readonly rows: ReadonlyMap<string, readonly [inserted: number, updated: number, deleted: number]>;
  readonly commits: number;
  /** The statements that take the head of the history: how many, and how long they took with their waits. */
  readonly headCalls: number;
  readonly headMs: number;
  /** All statements, and their time in the server. */
  readonly statements: number;
  readonly statementMs: number;
}

/** For the server's start. */
export const watchedSettings = { shared_preload_libraries: "pg_stat_statements" };

/** Looks at one database of a server that was started with `watchedSettings`. */
export async function watchDatabase(url: string) {
  const client = new pg.Client(url);
  await client.connect();
  await client.query("create extension pg_stat_statements");
  const one = async (text: string): Promise<Readonly<Record<string, string>>> => (await client.query(text)).rows[0];
  const { pid } = await one("select pg_backend_pid() as pid");
  const postmaster = parentOf(Number(pid));
  const seen = { looks: 0, waiting: 0, most: 0, active: 0 };
  let timer: NodeJS.Timeout | undefined;
  return {
    use: async (): Promise<DatabaseUse> => {
      // A backend reports what it did a second later.
      await delay(1200);
      const { rows } = await client.query(
        "select relname, n_tup_ins i, n_tup_upd u, n_tup_del d from pg_stat_user_tables order by relname",
      );
      const { commits } = await one(
        "select xact_commit commits from pg_stat_database where datname = current_database()",
      );
      const all = await one(`select sum(calls) statements, sum(total_exec_time) ms,
        sum(calls) filter (where query like ${headRead}) heads, sum(total_exec_time) filter (where query like ${headRead}) head_ms
        from pg_stat_statements where dbid = (select oid from pg_database where datname = current_database())
          and query not like '%pg_stat%' and query not like '%pg_locks%'`);
      return {
        processorSeconds: familyUse(postmaster),
        rows: new Map(rows.map(({ relname, i, u, d }) => [relname, [Number(i), Number(u), Number(d)]])),
        commits: Number(commits),
        headCalls: Number(all.heads),
        headMs: Number(all.head_ms),
        statements: Number(all.statements),
        statementMs: Number(all.ms),
      };
    },
    /** The dearest statements, for a look by hand. */
    dearest: async (): Promise<string> => {
      const { rows } =
        await client.query(`select calls, round(mean_exec_time::numeric, 2) mean, round(total_exec_time) ms,
        left(regexp_replace(query, '\\s+', ' ', 'g'), 170) query from pg_stat_statements order by total_exec_time desc limit 12`);
      return rows.map(({ calls, mean, ms, query }) => `${ms} ms, ${calls} times ${mean}: ${query}\n`).join("");
    },
    /** Looks every few milliseconds who waits for the head of the history. */
    lookForWaits: () => {
      const look = async () => {
        const { waiting, active } = await one(`select
          count(*) filter (where wait_event_type = 'Lock' and query like '%history_head%') waiting,
          count(*) filter (where state <> 'idle' and pid <> pg_backend_pid()) active
          from pg_stat_activity where datname = current_database()`);
        seen.looks += 1;
        seen.waiting += Number(waiting);
        seen.most = Math.max(seen.most, Number(waiting));
        seen.active += Number(active);
        timer = setTimeout(() => void look().catch(() => undefined), 20);
      };
      void look();
    },
    waits: () => seen,
    sizes: async (): Promise<string> => {
      const { rows } = await client.query(`select relname, n_live_tup live, pg_total_relation_size(relid) size
        from pg_stat_user_tables where n_live_tup > 0 order by size desc limit 8`);
      return rows
        .map(({ relname, live, size }) => `${relname} ${live} rows ${(Number(size) / 2 ** 20).toFixed(1)} MiB`)
        .join(", ");
    },
    query: async (text: string): Promise<readonly Readonly<Record<string, string | null>>[]> =>
      (await client.query(text)).rows,
    close: async () => {
      clearTimeout(timer);
      await client.end();
    },
  };
}

const headRead = `'%"history_head" for update%'`;

const fieldsOf = (pid: number): readonly string[] => {
  const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
  return stat.slice(stat.lastIndexOf(")") + 2).split(" ");
};
const parentOf = (pid: number): number => Number(fieldsOf(pid)[1]);

/** Of a process and its children, also those that ended. */
function familyUse(pid: number): number {
  const [ended = 0, endedSystem = 0] = fieldsOf(pid).slice(13, 15).map(Number);
  const living = readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .reduce((sum, each) => sum + useOfChild(Number(each), pid), useOf(pid).processorSeconds);
  return living + (ended + endedSystem) / 100;
}

function useOfChild(pid: number, parent: number): number {
  try {
    return parentOf(pid) === parent ? useOf(pid).processorSeconds : 0;
  } catch {
    // It has ended.
    return 0;
  }
}
