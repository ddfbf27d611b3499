import { operations } from "../../../src/service/operations.ts";
import { verifyHistory } from "../../../src/store/history/verify-history.ts";
import { messagesTo } from "../ask.ts";
import type { Scene } from "../scene.ts";
import type { Asked } from "./ways-in.ts";

/** The outcome of requests of any kind, as the database, the service and each requester show it. */
export interface AskedVerdict {
  /** Each a sentence about a violated guarantee. */
  readonly violations: readonly string[];
  readonly acknowledged: number;
  readonly recorded: number;
  /** Acknowledged and not recorded: the requester read that nothing was done, or about somebody else's change. */
  readonly answeredOnly: number;
}

interface Row {
  readonly id: string;
  readonly state: string;
  readonly operation: string;
  readonly idempotency_key: string;
  readonly subject_id: string | null;
  readonly actor_id: string;
  readonly request_json: string;
}

interface Result extends Asked {
  readonly userId: string;
  /** Changes that this request may have made, also those of others who asked for the same. */
  readonly changes: readonly Row[];
  readonly own: Row | undefined;
  readonly read: readonly string[];
}

export async function judgeAsked(scene: Scene, asked: readonly Asked[]): Promise<AskedVerdict> {
  const { db, workspace } = scene;
  const rows = await db
    .selectFrom("change")
    .select(["id", "state", "operation", "idempotency_key", "subject_id", "actor_id", "request_json"])
    .execute();
  const decisions = await db.selectFrom("decision").select(["change_id", "approver_id"]).execute();
  const results = asked.map((each): Result => {
    const userId = workspace.as(each.handle).id;
    const changes = rows.filter(each.isOf);
    const isDecided = decisions.some((one) => one.change_id === each.decides && one.approver_id === userId);
    const own = changes.find(({ actor_id: actor }) => (each.decides === undefined ? actor === userId : isDecided));
    return { ...each, userId, changes, own, read: messagesTo(workspace, each.handle).slice(each.seenBefore) };
  });
  const acknowledged = results.filter(({ isAcknowledged }) => isAcknowledged);
  return {
    violations: results.flatMap((result) =>
      violationsOf(result, scene).map((text) => `${result.name} (${result.own?.id}) ${text}`),
    ),
    acknowledged: acknowledged.length,
    recorded: results.filter(({ own }) => own !== undefined).length,
    answeredOnly: acknowledged.filter(({ own }) => own === undefined).length,
  };
}

function violationsOf(result: Result, { workspace }: Scene): readonly string[] {
  const { own, read, changes, decides, isAcknowledged } = result;
  // The card says who approved, also to somebody whose answer was lost.
  const isOnCard =
    own !== undefined && decides === own.id && isApprovedOnCard(workspace.channel("ops").messages, result);
  const isAnswered = read.length > 0 || isOnCard;
  const rules: readonly (readonly [boolean, string])[] = [
    [isAcknowledged && !isAnswered, "was acknowledged, and its requester never got an answer"],
    [own !== undefined && !isAnswered, `is ${own?.state}, and its requester never got an answer`],
    [own !== undefined && ["performing", "approved"].includes(own.state), `was never settled: it is ${own?.state}`],
    [changes.filter(({ actor_id: actor }) => actor === own?.actor_id).length > 1, "was recorded twice"],
    [
      !read.every((text) => isTrue(text, result)),
      `is ${own?.state ?? "not recorded"}, but they read: ${read.join(" / ")}`,
    ],
  ];
  return rules.flatMap(([isSo, violation]) => (isSo ? [violation] : []));
}

function isApprovedOnCard(
  messages: readonly { readonly text: string; readonly blocks: unknown }[],
  { userId, decides }: Result,
) {
  return messages.some(
    ({ text, blocks }) => text.endsWith(`change ${decides}`) && JSON.stringify(blocks).includes(userId),
  );
}

const nothingDone = /[Nn]othing was (?:changed|done)/;
const outcomes: Readonly<Record<string, RegExp>> = {
  succeeded: /^Keeping |: now until |You stopped keeping /,
  failed: nothingDone,
  unknown: /does not know whether|[Oo]utcome is unknown/,
};

function isTrue(text: string, { own, changes, decides }: Result): boolean {
  const namesOther = changes.some((each) => each !== own && text.includes(each.id));
  if (own === undefined) return nothingDone.test(text) || namesOther;
  if (decides !== undefined) return text.includes("You approved it.") && text.includes(own.id);
  return outcomes[own.state]?.test(text) === true && (own.state === "failed" || text.includes(own.id));
}

/**
 * The violated guarantees of all requests so far together: the service did what is recorded as done, and nothing that is not
 * recorded, and the history verifies. Nothing in these tests makes the service refuse or forget a request.
 */
export async function judgeDeeds({ db, service }: Scene): Promise<readonly string[]> {
  const rows = await db.selectFrom("change").select(["id", "state", "operation", "request_json"]).execute();
  const history = await db.transaction().execute(verifyHistory);
  const tally = new Map<string, { done: number; succeeded: number; possible: number; ids: string[] }>();
  const entryOf = (deed: string) => {
    const entry = tally.get(deed) ?? { done: 0, succeeded: 0, possible: 0, ids: [] };
    tally.set(deed, entry);
    return entry;
  };
  for (const { operation, path, body, status = 200 } of service.requests) {
    if (operation === undefined || operations[operation].effect === "read" || status >= 300) continue;
    const id = /ActionExclusions\/(.+)$/.exec(path)?.[1];
    entryOf(deedOf(operation, { ...(id ? { id } : {}), ...Object(body) })).done += 1;
  }
  for (const { id, state, operation, request_json: request } of rows) {
    const entry = entryOf(deedOf(operation, JSON.parse(request)));
    entry.ids.push(id);
    if (state === "succeeded") entry.succeeded += 1;
    if (state === "succeeded" || state === "unknown") entry.possible += 1;
  }
  return [
    ...(history.kind === "broken" ? [`the history is broken: ${history.reason}`] : []),
    ...[...tally].flatMap(([deed, { done, succeeded, possible, ids }]) => {
      if (done > possible) return [`${deed} was done ${done} times, and is recorded ${possible} times (${ids.join()})`];
      return done < succeeded ? [`${deed} is recorded as done (${ids.join()}), and was done ${done} times`] : [];
    }),
  ];
}

function deedOf(operation: string, request: object): string {
  const sorted = Object.entries(request).sort(([one], [other]) => one.localeCompare(other));
  return `${operation} ${JSON.stringify(sorted)}`;
}
