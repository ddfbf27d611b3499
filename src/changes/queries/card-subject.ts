import type { Plan } from "../../commands/query-ports.ts";
import { planOf } from "../planned/plans.ts";
import type { ChangeStore, OutboxStore } from "../ports.ts";

/** What the card of a message in Slack is about. */
export interface CardSubject {
  /** The change that the card announced, or that waits on it. */
  readonly changeId: string;
  /** The last change that was made to the same thing. */
  readonly lastChangeId: string;
  /** The thing that was changed; undefined while that is not known. */
  readonly subjectId: string | undefined;
  /** The same if it is an exclusion. */
  readonly exclusionId: string | undefined;
  /** What is planned by it, while it is. */
  readonly plan: Plan | undefined;
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
  const last = subjectId === null ? undefined : await store.lastAbout(subjectKind, subjectId);
  return {
    changeId: id,
    lastChangeId: last?.id ?? id,
    subjectId: subjectId ?? undefined,
    exclusionId: subjectKind === "exclusion" ? (subjectId ?? undefined) : undefined,
    plan: change.state === "planned" ? planOf(change) : undefined,
  };
}
