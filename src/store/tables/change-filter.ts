import { type ExpressionBuilder, type RawBuilder, sql } from "kysely";
import type { ChangeStore } from "../../changes/ports.ts";
import type { HistorySubjects, Person } from "../../commands/about-changes/about-changes.ts";
import { mainAccount } from "../../service/account-ids.ts";
import { resourceKeys } from "../../service/resources.ts";
import { type Database, type Db, isPostgres, isSameId, textsIn } from "../db/database.ts";

/** The latest changes that match the filter, the latest first. */
export async function latestChanges(db: Db, filter: Parameters<ChangeStore["list"]>[0]) {
  const { id, actorId, ticket, account, about, commands, states, since, until, kinds, limit, before } = filter;
  // PostgreSQL does not know an empty list.
  if (commands?.length === 0 || states?.length === 0) return [];
  return db
    .selectFrom("change")
    .selectAll()
    .$if(id !== undefined, (query) => query.where("id", "=", id ?? ""))
    .$if(actorId !== undefined, (query) => query.where("actor_id", "=", actorId ?? ""))
    .$if(ticket !== undefined, (query) => query.where(holds(db, sql.ref("input_json"), ticketJson(ticket ?? ""))))
    .$if(account !== undefined, (query) => query.where((row) => isOfAccount(db, row, account ?? { name: "", all: [] })))
    .$if(about !== undefined, (query) => query.where("id", "in", (row) => idsAbout(db, row, about ?? nothing)))
    .$if(commands !== undefined, (query) => query.where("words", "in", commands ?? []))
    .$if(id === undefined && commands === undefined, (query) => query.where(isShownByItself(about !== undefined)))
    .$if(states !== undefined, (query) => query.where("state", "in", states ?? []))
    .$if(since !== undefined, (query) => query.where("requested_at", ">=", since ?? 0))
    .$if(until !== undefined, (query) => query.where("requested_at", "<", until ?? 0))
    .$if(kinds !== undefined, (query) => query.where("subject_kind", "in", kinds ?? []))
    .$if(before !== undefined, (query) =>
      query.where(({ eb, refTuple, tuple }) =>
        eb(refTuple("requested_at", "id"), "<", tuple(before?.requestedAt ?? 0, before?.id ?? "")),
      ),
    )
    .orderBy("requested_at", "desc")
    .orderBy("id", "desc")
    .limit(limit)
    .execute();
}

/** As `JSON.stringify` writes it. Within other text its quotes would be escaped. */
const ticketJson = (ticket: string): string => `"ticket":${JSON.stringify(ticket)}`;

/** What names nothing of another account is of the main one. */
function isOfAccount(
  db: Db,
  row: ExpressionBuilder<Database, "change">,
  { name, all }: NonNullable<Parameters<ChangeStore["list"]>[0]["account"]>,
) {
  const isIn = (account: string) =>
    row.or([
      row(row.fn.coalesce("subject_id", sql.lit("")), "like", `${account}/%`),
      holds(db, sql.ref("request_json"), `"${account}/`),
    ]);
  return name === mainAccount ? row.not(row.or(all.map(isIn))) : isIn(name);
}

const holds = (db: Db, whole: RawBuilder<unknown>, part: string | RawBuilder<unknown>) =>
  isPostgres(db) ? sql<boolean>`strpos(${whole}, ${part}) > 0` : sql<boolean>`instr(${whole}, ${part}) > 0`;

/** In one condition: of twenty texts, twenty would take longer to write than to run. */
const holdsAny = (db: Db, whole: RawBuilder<unknown>, parts: readonly string[]) =>
  sql<boolean>`exists (select 1 from ${textsIn(db, parts)} as part where ${holds(db, whole, sql.ref("part.value"))})`;

/** A step is shown by its series; `about`: unless it is about another thing than its series. */
function isShownByItself(about: boolean) {
  return ({ exists, not, or, eb, selectFrom }: ExpressionBuilder<Database, "change">) => {
    const series = selectFrom("change as series").select("series.id").whereRef("series.id", "=", "change.parent_id");
    const ofSame = series
      .whereRef("series.subject_kind", "=", "change.subject_kind")
      // A part has the words of its whole.
      .where(({ eb, or, ref }) =>
        or([eb("series.subject_id", "=", ref("change.subject_id")), eb("series.words", "=", ref("change.words"))]),
      );
    return or([eb("parent_id", "is", null), ...(about ? [not(exists(ofSame))] : [])]);
  };
}

const nothing: HistorySubjects = { subjects: [], resourceIds: [] };

/** By subject, which is indexed. The text of a request is searched only for groups, and for exclusions that were never made. */
function idsAbout(db: Db, row: ExpressionBuilder<Database, "change">, { subjects, resourceIds }: HistorySubjects): Ids {
  const ofKind = (kind: string) => idQuery(row).where("subject_kind", "=", kind);
  const bySubject = subjects.map(({ kind, id }) => ofKind(kind).where(isSameId("subject_id", id)));
  const keys = [...new Set(resourceIds.flatMap(resourceKeys))];
  if (keys.length === 0) return unionOf(row, bySubject);
  const naming = row
    .selectFrom("excluded_resource")
    .select("exclusion_id")
    .where("resource_key", "in", textsIn(db, keys));
  const searched = keys.slice(0, maxSearched).map((key) => JSON.stringify(key));
  const inText = (text: "request_json" | "before_json") =>
    holdsAny(db, sql`lower(coalesce(${sql.ref(text)}, ''))`, searched);
  return unionOf(row, [
    ...bySubject,
    ofKind("exclusion").where("subject_id", "in", naming),
    ofKind("exclusion").where("subject_id", "is", null).where(inText("request_json")),
    ofKind("group").where(({ or }) => or([inText("request_json"), inText("before_json")])),
  ]);
}

/** Every text is searched for each key. What names a whole group names the first of its resources too. */
const maxSearched = 20;

type Ids = ReturnType<typeof idQuery>;
const idQuery = (row: ExpressionBuilder<Database, "change">) => row.selectFrom("change as about").select("about.id");

function unionOf(row: ExpressionBuilder<Database, "change">, [first, ...others]: readonly Ids[]): Ids {
  return others.reduce((all, each) => all.union(each), first ?? idQuery(row).where("about.id", "=", ""));
}

/** The latest name of each person who asked for a change. Steps through the index from person to person. */
export async function requesters(db: Db): Promise<readonly Person[]> {
  const rows = await db
    .withRecursive("person(id)", (each) =>
      each
        .selectFrom("change")
        .select(({ fn }) => fn.min<string | null>("actor_id").as("id"))
        .unionAll(
          each
            .selectFrom("person")
            .select((person) =>
              person
                .selectFrom("change")
                .select(({ fn }) => fn.min<string | null>("actor_id").as("id"))
                .whereRef("actor_id", ">", "person.id")
                .as("id"),
            )
            .where("person.id", "is not", null),
        ),
    )
    .selectFrom("person")
    .select((person) => [
      "person.id",
      person
        .selectFrom("change")
        .select("actor_name")
        .whereRef("actor_id", "=", "person.id")
        .orderBy("requested_at", "desc")
        .limit(1)
        .as("name"),
    ])
    .execute();
  return rows.flatMap(({ id, name }) => (id === null || name === null ? [] : [{ userId: id, name }]));
}
