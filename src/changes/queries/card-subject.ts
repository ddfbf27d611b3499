import type { CommandContext, Inverse } from "../../commands/command.ts";
import { exclusionOperation } from "../../commands/exclusion/exclusion-body.ts";
import { madeAgain } from "../../commands/exclusion/exclusion-over.ts";
import type { Plan } from "../../commands/query-ports.ts";
import { ActionExclusion, User } from "../../service/resources.ts";
import type { Change } from "../change.ts";
import { planOf } from "../planned/plans.ts";
import type { ChangeStore, OutboxStore } from "../ports.ts";

/** What the card of a message in Slack is about. */
export interface CardSubject {
  /** The change that the card announced, or that waits on it. */
  readonly changeId: string;
  /** The last change that was made to the same thing. */
  readonly lastChangeId: string;
  /** Whether the change was made, at least in part. */
  readonly isMade: boolean;
  /** What questions are about, as it is typed: the thing that was changed, or the resources of what is asked for. */
  readonly thing: string | undefined;
  /** The thing that was changed, if it is an exclusion. */
  readonly exclusionId: string | undefined;
  /** Whose account it is about, as it is typed. */
  readonly user?: string | undefined;
  /** It waits for an approval. */
  readonly isWaiting: boolean;
  /** Whether an exclusion is to be made by it, once it is approved. */
  readonly isExclusionWaiting: boolean;
  /** What is planned by it, while it is, or is to be. */
  readonly plan: Plan | undefined;
  /** What it holds out of its schedule. */
  readonly held: Held | undefined;
}

export interface Held {
  /** Of a new exclusion of the same. */
  readonly input: Inverse["input"] & { readonly resourceIds: readonly string[] };
  /** In epoch ms, as it is now. */
  readonly from: number;
  readonly until: number;
  readonly reason: string | null;
}

/** The subject of the card at this place; undefined when there is no card. */
export async function cardSubject(
  store: Pick<OutboxStore, "changeOfCard"> & Pick<ChangeStore, "find" | "lastAbout">,
  channelId: string,
  ts: string,
): Promise<CardSubject | undefined> {
  const changeId = await store.changeOfCard(channelId, ts);
  const change = changeId === undefined ? undefined : await store.find(changeId);
  if (!change) return undefined;
  const { id, subjectKind, subjectId } = change;
  const isAhead = change.state === "planned" || change.state === "awaiting-approval";
  const last = subjectId === null ? undefined : await store.lastAbout(subjectKind, subjectId);
  return {
    changeId: id,
    lastChangeId: last?.id ?? id,
    isMade: change.state === "succeeded" || change.state === "partly",
    thing: thingOf(change),
    exclusionId: subjectKind === "exclusion" ? (subjectId ?? undefined) : undefined,
    user: subjectKind === "user" ? (User.safeParse(change.before).data?.username ?? subjectId ?? undefined) : undefined,
    isWaiting: change.state === "awaiting-approval",
    isExclusionWaiting: change.state === "awaiting-approval" && subjectKind === "exclusion" && subjectId === null,
    plan: isAhead ? planOf(change) : undefined,
    held: heldBy(change, last ?? change),
  };
}

/** An end or an edit may have changed what was made. */
function heldBy({ request, requestedAt, input, reason }: Change, last: Change): Held | undefined {
  const made = ActionExclusion.partial().safeParse(request).data;
  const now = ActionExclusion.partial().safeParse(last.request).data;
  const body = { ...made, ...(now?.resourceIds ? now : {}) };
  const again = madeAgain(body);
  const { type, project, process, until } = again?.input ?? {};
  if (!body.resourceIds || typeof until !== "number") return undefined;
  const from = typeof input.from === "number" ? input.from : requestedAt;
  return {
    input: { ...{ type, project, process }, resourceIds: body.resourceIds },
    ...{ from, until, reason: last.reason ?? reason },
  };
}

/** A longer text is no thing. */
const longestThing = 200;
const asked: ReadonlySet<string> = new Set(["exclusion", "user", "project", "action"]);

function thingOf({ subjectKind, subjectId, request }: Change): string | undefined {
  if (subjectId !== null) return asked.has(subjectKind) ? subjectId : undefined;
  const { resourceIds } = ActionExclusion.pick({ resourceIds: true }).partial().safeParse(request).data ?? {};
  const ids = resourceIds?.join(" ") ?? "";
  return ids === "" || ids.length > longestThing ? undefined : ids;
}

const lookedAt = 10;
const maxAgeMs = 24 * 60 * 60_000;

/** The project of this person's latest exclusion within a day. */
export async function lastProject(
  store: Pick<ChangeStore, "list">,
  actorId: string,
  now: number,
): Promise<string | undefined> {
  const latest = await store.list({ actorId, limit: lookedAt });
  const recent = latest.filter(
    ({ requestedAt, operation, state }) =>
      now - requestedAt < maxAgeMs && operation === exclusionOperation && state === "succeeded",
  );
  for (const { request } of recent) {
    const project = new Map<string, unknown>(Object.entries(request ?? {})).get("projectId");
    if (typeof project === "string") return project;
  }
  return undefined;
}

/** The changes of an entity that were made, the latest first. */
export const createChangesAbout =
  ({ about }: Pick<ChangeStore, "about">): NonNullable<CommandContext["changesAbout"]> =>
  async (kind, id) => {
    const changes = await about(kind, id);
    return changes
      .map(({ actor, answer, settledAt, requestedAt }) => ({
        actorId: actor.userId,
        answer,
        at: settledAt ?? requestedAt,
      }))
      .reverse();
  };
