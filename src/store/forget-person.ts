import { sql, type Transaction } from "kysely";
import { forgottenPerson, forgottenText } from "../changes/change.ts";
import { type Database, isPostgres } from "./db/database.ts";
import { openExisting } from "./db/open-database.ts";
import { holdFile } from "./db/sqlite/open-sqlite.ts";
import { anchorOf, isApart, keyIn, leftHash, lockAnchor, sealOf } from "./history/history-chain.ts";
import { appendTransition } from "./history/transition-table.ts";
import { describeBreak, openHistory } from "./history/verify-history.ts";
import { copied, type Row, rowsOf } from "./move-database.ts";
import { clearPeopleList } from "./tables/people-list-table.ts";

/** A change may be looked into, or undone, for so long. */
const waitMs = 30 * 24 * 3_600_000;

/**
 * Makes the names, addresses, reasons and notes of a person unreadable in the whole database. `given`: Slack ids, ids and addresses of
 * accounts, and other names. Keeps nothing of it when there is an obstacle, or `isTrial`.
 */
export async function forgetPerson(database: string, given: readonly string[], isTrial: boolean, now = Date.now()) {
  const db = await openExisting(database, "write");
  let release = () => {};
  try {
    if (!isPostgres(db)) release = await holdFile(database);
    // Under a new seal, what was altered would look right.
    const history = await openHistory(database);
    const check = await history.verify().finally(history.close);
    if (check.kind === "broken") throw new Error(describeBreak(check));
    const trx = await db.startTransaction().execute();
    const done = await forgetIn(trx, given, now).catch(async (error: unknown) => {
      await trx.rollback().execute();
      throw error;
    });
    const isKept = !isTrial && done.obstacles.length === 0;
    await (isKept ? trx.commit() : trx.rollback()).execute();
    // What was overwritten is still in free pages, and in the log.
    for (const rewriting of isKept && !isPostgres(db) ? ["vacuum", "pragma wal_checkpoint(truncate)"] : [])
      await sql.raw(rewriting).execute(db);
    return done;
  } finally {
    await db.destroy();
    release();
  }
}

async function forgetIn(trx: Transaction<Database>, given: readonly string[], now: number) {
  await lockAnchor(trx);
  const records = await recordsOf(trx, given);
  const { slack, accounts, linked } = records;
  const { names, texts } = wordsOf(records, given);
  const people = await everybody(trx);
  const obstacles = [...unclear(records, given, people), ...(await obstaclesTo(trx, records, now))];
  const posted = trx.selectFrom("outbox").select(["change_id as id", "posted_channel as channel"]).distinct().execute();
  const channels = (await posted).flatMap(({ id, channel }) => (linked.has(id) && channel ? channel : []));
  await trx
    .deleteFrom("entity")
    .where("kind", "=", "user")
    .where("id", "in", ["", ...accounts])
    .execute();
  const shared = await namesOfOthers(trx, records, names, people);
  const scrub = createScrub(names, texts, shared);
  const counts = new Map<string, number>();
  const things: string[] = [];
  for (const table of copied)
    for await (const rows of rowsOf(trx, table))
      for (const row of rows) {
        const set = scrubbed(row, table.key, scrub(linked.has(row.change_id ?? row.id)));
        if (Object.keys(set).length === 0) continue;
        // Later changes send its name to the service, from which it would come back.
        if (isThere(table.name, row, now)) {
          things.push(`${row.kind ?? "action"} ${row.id}`);
          continue;
        }
        const assigned = Object.entries(table.name === "transition" ? unsalted({ ...row, ...set }) : set);
        const same = table.key.map((column) => sql`${sql.ref(column)} = ${row[column]}`);
        await sql`update ${sql.table(table.name)}
          set ${sql.join(assigned.map(([column, value]) => sql`${sql.ref(column)} = ${value}`))}
          where ${sql.join(same, sql` and `)}`.execute(trx);
        counts.set(table.name, (counts.get(table.name) ?? 0) + 1);
      }
  if (obstacles.length + counts.size + things.length + accounts.length + linked.size === 0)
    obstacles.push("nothing here is about them");
  await clearPeopleList(trx);
  const anchor = await anchorOf(trx);
  const entries = counts.get("transition") ?? 0;
  const event = { actor: "operator:forget", person: [...slack, ...accounts], count: entries, ...anchor };
  const facts = { event: { ...event, ...(await sealOf(trx, anchor.through)) } };
  await appendTransition(trx, { state: "forgotten", at: now, facts });
  const head = await trx.selectFrom("history_head").select(["length", "hash"]).executeTakeFirstOrThrow();
  return { ids: event.person, names, shared, obstacles, entries, channels: [...new Set(channels)], things, head };
}

/** Who has an account or did something, by each name that is known. */
async function everybody(trx: Transaction<Database>) {
  const users = trx.selectFrom("entity").where("kind", "=", "user");
  const rows = [
    ...(await users.select(["id", "name", "email_key"]).execute()),
    ...(await trx.selectFrom("change").select(["actor_id as id", "actor_name as name"]).distinct().execute()),
    ...(await trx.selectFrom("decision").select(["approver_id as id", "approver_name as name"]).distinct().execute()),
  ];
  return rows.map((row) => ({ email_key: null, ...row, name: row.name ?? "" }));
}
type People = Awaited<ReturnType<typeof everybody>>;

/** A name, or an address of several accounts, does not say whom. */
function unclear({ slack, accounts }: Records, given: readonly string[], people: People): readonly string[] {
  const lowered = new Set(given.map((word) => word.toLowerCase()));
  const unnamed = people.filter(({ id }) => !lowered.has(id.toLowerCase()));
  return given.flatMap((word) => {
    const pattern = wordsPattern([word]);
    const sharing = people.filter(({ email_key: key }) => key === word.toLowerCase());
    const several = sharing.length > 1 ? sharing.filter((one) => unnamed.includes(one)) : [];
    const named = [...slack, ...accounts].length > 0 ? [] : unnamed.filter(({ name }) => name.search(pattern) >= 0);
    const ids = [...new Set([...several, ...named].map(({ id }) => id))];
    return ids.length === 0 ? [] : `${word} may be ${ids.join(" or ")}: name the ids of the one you mean`;
  });
}

/** Whether it is a thing that the service has, as far as is known. */
const isThere = (table: string, { ended_at: endedAt, expires_at: expiresAt }: Row, now: number): boolean =>
  table === "watched_action" || (table === "entity" && endedAt === null && !(expiresAt && Number(expiresAt) <= now));

type Records = Awaited<ReturnType<typeof recordsOf>>;

/** What there is of a person. `linked`: ids of changes in which their texts may stand, and of the things that were changed. */
async function recordsOf(trx: Transaction<Database>, given: readonly string[]) {
  // PostgreSQL knows no empty list.
  const slack = ["", ...given.filter((id) => /^[UW][A-Z0-9]+$/.test(id))];
  const lowered = given.map((id) => id.toLowerCase());
  const users = await trx
    .selectFrom("entity")
    .selectAll()
    .where("kind", "=", "user")
    .where(({ eb, or }) => or([eb(sql`lower(id)`, "in", lowered), eb("email_key", "in", lowered)]))
    .execute();
  const ids = [...lowered, ...users.map(({ id }) => id.toLowerCase())];
  const about = trx.selectFrom("change").where("subject_kind", "=", "user").where(sql`lower(subject_id)`, "in", ids);
  const ownIds = about.select("id").union(trx.selectFrom("change").select("id").where("actor_id", "in", slack));
  const own = await trx.selectFrom("change").selectAll().where("id", "in", ownIds).execute();
  const notices = await trx.selectFrom("notice").selectAll().where("user_id", "in", slack).execute();
  const decided = trx
    .selectFrom("decision")
    .selectAll()
    .where(({ eb, or }) => or([eb("approver_id", "in", slack), eb("change_id", "in", ownIds)]));
  const decisions = await decided.execute();
  // A later change of the same thing may quote the reason of an earlier one.
  const ofSame = await trx
    .selectFrom("change")
    .innerJoin("change as own", (join) =>
      join.onRef("own.subject_kind", "=", "change.subject_kind").onRef("own.subject_id", "=", "change.subject_id"),
    )
    .select(["change.id", "change.subject_id"])
    .where("own.id", "in", ownIds)
    .execute();
  const linked = new Set<unknown>([
    ...ofSame.flatMap(({ id, subject_id: subject }) => [id, subject]),
    ...[...own, ...decisions.map(({ change_id: id }) => ({ id }))].map(({ id }) => id),
  ]);
  const accounts = [
    ...users.map(({ id }) => id),
    ...(await about.select("subject_id").execute()).map((row) => row.subject_id),
  ];
  const known = [...new Set(accounts)].flatMap((id) => id ?? []);
  return { slack: slack.slice(1), accounts: known, users, own, notices, decisions, linked };
}

function wordsOf({ slack, accounts, users, own, notices, decisions }: Records, given: readonly string[]) {
  const bodies = own.filter(({ subject_id: id }) => id !== null && accounts.includes(id));
  const names = [
    ...[...given, ...notices.map(({ name }) => name)],
    ...own.filter(({ actor_id: id }) => slack.includes(id)).map(({ actor_name: name }) => name),
    ...decisions.filter(({ approver_id: id }) => slack.includes(id)).map(({ approver_name: name }) => name),
    ...users.flatMap(({ body_json: body, imported_json: imported }) => [body, imported].flatMap(namesIn)),
    ...bodies.flatMap((row) => [row.before_json, row.answer_json, row.request_json, row.input_json].flatMap(namesIn)),
  ];
  const texts = [
    ...own.flatMap(({ reason, note, input_json: input }) => [reason, note, ...stringsUnder(freeKeys, input)]),
    ...decisions.map(({ note }) => note),
  ];
  const known = new Set(["", forgottenPerson, forgottenText, ...slack, ...accounts]);
  return {
    names: [...new Set(names.map((name) => name.trim()))].filter((name) => !known.has(name)),
    texts: [...new Set(texts.flatMap((text) => (text?.trim() ? text : [])))],
  };
}

const freeKeys = /reason|note|comment|description/i;
const namesIn = (json: string | null) => stringsUnder(/^(?:name|username|email|emailAddress)$/, json);

/** The texts under these keys in JSON. */
function stringsUnder(keys: RegExp, json: string | null): readonly string[] {
  const found: string[] = [];
  JSON.parse(json ?? "null", (key, value) => {
    if (typeof value === "string" && keys.test(key)) found.push(value);
    return value;
  });
  return found;
}

async function obstaclesTo(trx: Transaction<Database>, { slack, own, linked }: Records, now: number) {
  const open = await trx.selectFrom("change").select("id").where("settled_at", "is", null).execute();
  const exclusions = trx.selectFrom("entity").select(["id", "owner_id"]).where("kind", "=", "exclusion");
  const lasting = exclusions.where(({ eb, or }) => or([eb("expires_at", "is", null), eb("expires_at", ">", now)]));
  const running = await lasting.where("ended_at", "is", null).execute();
  return [
    ...open.flatMap(({ id }) => (linked.has(id) ? `change ${id} is open` : [])),
    ...own.flatMap(({ id, settled_at: at }) => ((at ?? 0) > now - waitMs ? `change ${id} is of the last 30 days` : [])),
    ...running.flatMap(({ id, owner_id: by }) =>
      linked.has(id) || slack.includes(by ?? "") ? `exclusion ${id} is running` : [],
    ),
  ];
}

/** Whoever chose another's name would else have it taken from that one. A part of a name counts too: “Will” of “Will Smith”. */
async function namesOfOthers(
  trx: Transaction<Database>,
  { slack, accounts }: Records,
  names: readonly string[],
  people: People,
): Promise<ReadonlySet<string>> {
  const others = people.filter(({ id }) => !slack.includes(id) && !accounts.includes(id));
  const theirs = others.map(({ name }) => name).join("\n");
  // Things too: a project that was renamed is known by its name.
  const things = await trx
    .selectFrom("entity")
    .select("name_key")
    .where("kind", "!=", "user")
    .where("name_key", "in", ["", ...names.map((name) => name.toLowerCase())])
    .execute();
  const taken = new Set(things.map(({ name_key: key }) => key));
  return new Set(names.filter((name) => taken.has(name.toLowerCase()) || theirs.search(wordsPattern([name])) >= 0));
}

const longestFirst = (words: readonly string[]) => words.toSorted((one, other) => other.length - one.length);

/** These as whole words, so that “Will” is not found in “willing”. */
export function wordsPattern(words: readonly string[]): RegExp {
  const escaped = longestFirst(words).map((word) => word.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&"));
  return new RegExp(`(?<![\\p{L}\\p{N}_-])(?:${escaped.join("|") || "(?!)"})(?![\\p{L}\\p{N}_-])`, "giu");
}

/** A shorter text counts only where it is the whole; a shorter name, only in what is theirs. */
const [minQuoted, minName] = [8, 3];

type Scrub = (text: string, key: string) => string;

/** `shared`: names that others have too, which stay in what is not theirs. Ids and other facts are no texts, so they stay proven. */
function createScrub(names: readonly string[], texts: readonly string[], shared: ReadonlySet<string>) {
  const elsewhere = wordsPattern(names.filter((name) => !shared.has(name) && name.length >= minName));
  const [named, written] = [wordsPattern(names), longestFirst(texts)];
  return (isTheirs: boolean): Scrub =>
    (text, key) => {
      if (!isApart(key, text)) return text;
      let rest = text;
      for (const each of isTheirs ? written : [])
        if (each.length >= minQuoted) rest = rest.replaceAll(each, forgottenText);
        else if (each === rest) rest = forgottenText;
      return rest.replace(isTheirs ? named : elsewhere, forgottenPerson);
    };
}

/** The columns of a row that are no longer the same. */
function scrubbed(row: Row, keys: readonly string[], scrub: Scrub): Row {
  const set: Record<string, unknown> = {};
  for (const [column, text] of Object.entries(row)) {
    if (typeof text !== "string" || keys.includes(column)) continue;
    // The texts of an entry are a list, and all are texts.
    const next = column.endsWith("_json")
      ? inJson(text, column === "texts_json" ? "note" : "", scrub)
      : scrub(text, column);
    if (next !== text) set[column] = next;
  }
  return set;
}

/** As the history tells texts from facts, so that a change and its entries stay the same. */
function inJson(json: string, key: string, scrub: Scrub): string {
  let isAltered = false;
  const walk = (value: unknown, under: string): unknown => {
    if (Array.isArray(value)) return value.map((each) => walk(each, under));
    if (typeof value === "object" && value !== null)
      return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, walk(each, keyIn(under, name))]));
    const next = typeof value === "string" ? scrub(value, under) : value;
    isAltered ||= next !== value;
    return next;
  };
  const walked = JSON.stringify(walk(JSON.parse(json), key));
  return isAltered ? walked : json;
}

/** Without the salt nobody can try out what the hash is of. */
function unsalted({ content_json, texts_json: apart }: Row): Row {
  const texts_json = typeof apart === "string" ? JSON.stringify({ texts: JSON.parse(apart).texts }) : null;
  return { content_json, texts_json, forgotten: leftHash({ content_json: String(content_json), texts_json }) };
}
