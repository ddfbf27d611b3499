import { verifyHistory } from "../../src/store/history/verify-history.ts";
import { type Asked, saidTo } from "./asked.ts";
import type { Scene } from "./scene.ts";

/** What became of everything that was asked, as the service, the database, each requester and the channel have it. */
export interface Verdict {
  /** Each a sentence about something that must never be. */
  readonly wrongs: readonly string[];
  readonly counts: Counts;
}

interface Counts {
  readonly asked: number;
  readonly succeeded: number;
  readonly failed: number;
  readonly unknown: number;
  /** Not recorded, and the requester was told that nothing was changed. */
  readonly refused: number;
  /** Acknowledged, and then neither recorded nor spoken of. */
  readonly untraced: number;
  readonly twice: number;
  readonly told: number;
  readonly toldTwice: number;
  readonly cards: number;
  /** Changes whose card stands in the channel more than once. */
  readonly cardsTwice: number;
}

interface Fate extends Asked {
  readonly change: { readonly id: string; readonly state: string } | undefined;
  /** How often the service did it. */
  readonly done: number;
  readonly told: readonly string[];
  readonly cards: number;
}

export async function judge(scene: Scene, asked: readonly Asked[]): Promise<Verdict> {
  const fates = await fatesOf(scene, asked);
  const history = await scene.db.transaction().execute(verifyHistory);
  const inState = (state: string) => fates.filter(({ change }) => change?.state === state).length;
  const untraced = fates.filter((fate) => fate.isAcknowledged && !fate.change && fate.told.length === 0);
  return {
    wrongs: [
      ...fates.flatMap((fate) => wrongsOf(fate).map((wrong) => `${fate.name} (${fate.change?.id}) ${wrong}`)),
      ...(history.kind === "broken" ? [`the history is broken: ${history.reason}`] : []),
    ],
    counts: {
      asked: fates.length,
      succeeded: inState("succeeded"),
      failed: inState("failed"),
      unknown: inState("unknown"),
      refused: fates.filter((fate) => !fate.change && fate.told.length > 0).length,
      untraced: untraced.length,
      twice: fates.filter(({ done }) => done > 1).length,
      told: fates.filter(({ told }) => told.length > 0).length,
      toldTwice: fates.filter(({ told }) => told.length > 1).length,
      cards: fates.filter(({ cards }) => cards > 0).length,
      cardsTwice: fates.filter(({ cards }) => cards > 1).length,
    },
  };
}

export function inWords({ counts }: Verdict): string {
  const { asked, succeeded, failed, unknown, refused, untraced, twice, told, toldTwice, cards, cardsTwice } = counts;
  const some = Object.entries({ succeeded, failed, unknown, refused }).filter(([, count]) => count > 0);
  const outcomes = some.map(([name, count]) => `${count} ${name}`).join(", ") || "none recorded";
  return `${asked} changes: ${outcomes}, ${untraced} lost, ${twice} twice, ${told} told (${toldTwice} twice), ${cards} announced (${cardsTwice} twice)`;
}

/** What must never be, of one change. That a card stands twice can be: a process that dies between a post and its record posts it again. */
function wrongsOf({ change, done, told, cards }: Fate): readonly string[] {
  const rules: readonly (readonly [boolean, string])[] = [
    [done > 1, `was done ${done} times`],
    [change === undefined && done > 0, "was done and not recorded"],
    [
      change === undefined && told.some((text) => !text.includes("Nothing was changed")),
      "is not recorded and was told",
    ],
    [change?.state === "performing", "was never settled"],
    [change?.state === "succeeded" && done !== 1, "is recorded as done and was not"],
    [change?.state === "failed" && done !== 0, "is recorded as failed and was done"],
    [change !== undefined && told.length === 0, `is ${change?.state} and its requester was never told`],
    [
      change !== undefined && told.some((text) => !saysSo(text, change)),
      `is ${change?.state} and was told: ${told.join(" / ")}`,
    ],
    [change !== undefined && change.state !== "failed" && cards === 0, `is ${change?.state} and was never announced`],
    [change?.state === "failed" && cards > 0, "failed and was announced"],
  ];
  return rules.flatMap(([isSo, wrong]) => (isSo ? [wrong] : []));
}

const sayings: Readonly<Record<string, string>> = {
  succeeded: "You excluded",
  failed: "othing was changed",
  unknown: "It is not known whether",
};

function saysSo(text: string, { id, state }: { readonly id: string; readonly state: string }): boolean {
  return (text.includes(id) || state === "failed") && text.includes(sayings[state] ?? "");
}

async function fatesOf({ db, service, workspace }: Scene, asked: readonly Asked[]): Promise<readonly Fate[]> {
  const rows = await db.selectFrom("change").select(["id", "state", "idempotency_key"]).execute();
  const changes = new Map(rows.map(({ id, state, idempotency_key: key }) => [key, { id, state }]));
  const done = tally([...service.account.exclusions.values()].map(({ name }) => name));
  const posts = workspace.channel("ops").messages.filter(({ isFromApp }) => isFromApp);
  const cards = tally(posts.map(changeOf));
  return asked.map((each) => {
    const change = changes.get(`command:${each.triggerId}`);
    return {
      ...each,
      change,
      done: done.get(each.name) ?? 0,
      told: toldOf(each, asked, saidTo(workspace, each.handle)),
      cards: (change && cards.get(change.id)) ?? 0,
    };
  });
}

/** What a person was told between this and what they asked next. */
function toldOf(one: Asked, asked: readonly Asked[], said: readonly string[]): readonly string[] {
  const next = asked.slice(asked.indexOf(one) + 1).find(({ handle }) => handle === one.handle);
  return said.slice(one.seenBefore, next?.seenBefore);
}

/** The changes in the order in which their cards were to be posted, and in which they were. */
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
