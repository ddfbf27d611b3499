import { verifyHistory } from "../../src/store/history/verify-history.ts";
import { type CrashRequest, messagesTo } from "./ask.ts";
import type { Scene } from "./scene.ts";

/** The outcome of all requests, as the service, the database, each requester and the channel show it. */
export interface Verdict {
  /** Each a sentence about a violated guarantee. */
  readonly violations: readonly string[];
  readonly counts: Counts;
}

interface Counts {
  readonly requests: number;
  readonly succeeded: number;
  readonly failed: number;
  readonly unknown: number;
  /** Not recorded, and the requester read that nothing was changed. */
  readonly refused: number;
  /** Acknowledged, then neither recorded nor answered. */
  readonly untraced: number;
  readonly twice: number;
  readonly notified: number;
  readonly notifiedTwice: number;
  readonly cards: number;
  /** Changes with more than one card in the channel. */
  readonly cardsTwice: number;
}

interface Result extends CrashRequest {
  readonly change: { readonly id: string; readonly state: string } | undefined;
  /** How often the service performed it. */
  readonly done: number;
  readonly notified: readonly string[];
  readonly cards: number;
}

export async function judge(scene: Scene, requests: readonly CrashRequest[]): Promise<Verdict> {
  const results = await resultsOf(scene, requests);
  const history = await scene.db.transaction().execute(verifyHistory);
  const inState = (state: string) => results.filter(({ change }) => change?.state === state).length;
  const untraced = results.filter((result) => result.isAcknowledged && !result.change && result.notified.length === 0);
  return {
    violations: [
      ...results.flatMap((result) =>
        violationsOf(result).map((violation) => `${result.name} (${result.change?.id}) ${violation}`),
      ),
      ...(history.kind === "broken" ? [`the history is broken: ${history.reason}`] : []),
    ],
    counts: {
      requests: results.length,
      succeeded: inState("succeeded"),
      failed: inState("failed"),
      unknown: inState("unknown"),
      refused: results.filter((result) => !result.change && result.notified.length > 0).length,
      untraced: untraced.length,
      twice: results.filter(({ done }) => done > 1).length,
      notified: results.filter(({ notified }) => notified.length > 0).length,
      notifiedTwice: results.filter(({ notified }) => notified.length > 1).length,
      cards: results.filter(({ cards }) => cards > 0).length,
      cardsTwice: results.filter(({ cards }) => cards > 1).length,
    },
  };
}

export function summaryOf({ counts }: Verdict): string {
  const { requests, succeeded, failed, unknown, refused, untraced, twice, notified, notifiedTwice, cards, cardsTwice } =
    counts;
  const some = Object.entries({ succeeded, failed, unknown, refused }).filter(([, count]) => count > 0);
  const outcomes = some.map(([name, count]) => `${count} ${name}`).join(", ") || "none recorded";
  return `${requests} changes: ${outcomes}, ${untraced} lost, ${twice} twice, ${notified} notified (${notifiedTwice} twice), ${cards} announced (${cardsTwice} twice)`;
}

/** The violated guarantees of one change. A second card is allowed: a process that dies between a post and its record posts again. */
function violationsOf({ change, done, notified, cards }: Result): readonly string[] {
  const rules: readonly (readonly [boolean, string])[] = [
    [done > 1, `was done ${done} times`],
    [change === undefined && done > 0, "was done and not recorded"],
    [
      change === undefined && notified.some((text) => !/Nothing was (?:changed|done)/.test(text)),
      "is not recorded, but its requester was notified",
    ],
    [change?.state === "performing", "was never settled"],
    [change?.state === "succeeded" && done !== 1, "is recorded as done and was not"],
    [change?.state === "failed" && done !== 0, "is recorded as failed and was done"],
    [change !== undefined && notified.length === 0, `is ${change?.state} and its requester was never notified`],
    [
      change !== undefined && notified.some((text) => !statesOutcome(text, change)),
      `is ${change?.state} but the requester read: ${notified.join(" / ")}`,
    ],
    [change !== undefined && change.state !== "failed" && cards === 0, `is ${change?.state} and was never announced`],
    [change?.state === "failed" && cards > 0, "failed and was announced"],
  ];
  return rules.flatMap(([isSo, violation]) => (isSo ? [violation] : []));
}

const outcomeTexts: Readonly<Record<string, string>> = {
  succeeded: "Keeping ",
  failed: "othing was changed",
  unknown: "Curfew does not know whether",
};

function statesOutcome(text: string, { id, state }: { readonly id: string; readonly state: string }): boolean {
  return (text.includes(id) || state === "failed") && text.includes(outcomeTexts[state] ?? "");
}

async function resultsOf(
  { db, service, workspace }: Scene,
  requests: readonly CrashRequest[],
): Promise<readonly Result[]> {
  const rows = await db.selectFrom("change").select(["id", "state", "idempotency_key"]).execute();
  const changes = new Map(rows.map(({ id, state, idempotency_key: key }) => [key, { id, state }]));
  const done = tally([...service.account.exclusions.values()].map(({ name }) => name));
  const posts = workspace.channel("ops").messages.filter(({ isFromApp }) => isFromApp);
  const cards = tally(posts.map(changeOf));
  return requests.map((each) => {
    const change = changes.get(`command:${each.triggerId}`);
    return {
      ...each,
      change,
      done: done.get(each.name) ?? 0,
      notified: repliesTo(each, requests, messagesTo(workspace, each.handle)),
      cards: (change && cards.get(change.id)) ?? 0,
    };
  });
}

/** The messages a person got between this request and their next one. */
function repliesTo(
  one: CrashRequest,
  requests: readonly CrashRequest[],
  messages: readonly string[],
): readonly string[] {
  const next = requests.slice(requests.indexOf(one) + 1).find(({ handle }) => handle === one.handle);
  return messages.slice(one.seenBefore, next?.seenBefore);
}

/** The changes in the queued and in the posted order of their cards. */
export async function announcedOrder({ db, workspace }: Scene) {
  const cards = db.selectFrom("outbox").select("change_id").where("kind", "=", "card").orderBy("id");
  return {
    queued: (await cards.execute()).map((row) => row.change_id),
    posted: workspace
      .channel("ops")
      .messages.map(changeOf)
      .filter((id) => id !== ""),
  };
}

function changeOf({ text }: { readonly text: string }): string {
  return / · change (chg-\w+)$/.exec(text)?.[1] ?? "";
}

function tally(names: readonly string[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return counts;
}
