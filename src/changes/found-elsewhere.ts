import { isDeepStrictEqual } from "node:util";
import type { ActionDifference } from "../commands/changed-elsewhere.ts";
import { instant } from "../commands/exclusion/exclusion-body.ts";
import { ActionExclusion } from "../service/resources.ts";
import { type Change, isCreation, isRemoval, type ServiceChange, type Settlement } from "./change.ts";
import type { NewOutboxMessage } from "./outbox-message.ts";
import { isAbout } from "./perform/perform.ts";
import type { ChangeSettings } from "./ports.ts";

/** What a change found that somebody had done to its exclusion in the service. */
export type FoundElsewhere =
  | { readonly what: "ended" }
  | { readonly what: "changed"; readonly differences: readonly ActionDifference[] };

/**
 * The service does not list exclusions, so only a change of one shows what became of it: the service knows it no longer before its
 * end, or its answer has other values where the request set none. What the request sets is overwritten unseen.
 */
export function foundElsewhere(change: Change): FoundElsewhere | undefined {
  if (change.subjectKind !== "exclusion" || isCreation(change) || change.before === null) return undefined;
  if (change.state === "failed") return isEndedElsewhere(change) ? { what: "ended" } : undefined;
  if (change.state !== "succeeded" || isRemoval(change)) return undefined;
  const differences = unsentDifferences(change);
  return differences.length > 0 ? { what: "changed", differences } : undefined;
}

/** An exclusion that is over may be removed by the service itself. */
function isEndedElsewhere(change: Change): boolean {
  const { error, before, settledAt, requestedAt } = change;
  const endsAt = instant(ActionExclusion.safeParse(before).data?.expiryDate);
  return error !== null && isAbout(change, error.code) && (endsAt ?? 0) > (settledAt ?? requestedAt);
}

/** They differ after every change. */
const ownFields: readonly string[] = ["lastModifiedDate", "lastModifiedBy", "createdDate", "status", "projectId"];

function unsentDifferences({ before, request, answer }: Change): readonly ActionDifference[] {
  const [one, other] = [before, answer].map((body) => Object.entries(body ?? {}));
  const now = new Map<string, unknown>(other);
  return (one ?? []).flatMap(([part, was]) => {
    const is = now.get(part);
    const isUnsent = !(part in request) && !ownFields.includes(part) && now.has(part);
    return isUnsent && !isSame(was, is) ? [{ part, before: textOf(was), after: textOf(is) }] : [];
  });
}

const isSame = (one: unknown, other: unknown): boolean =>
  isDeepStrictEqual(one ?? null, other ?? null) || (momentOf(one) !== undefined && momentOf(one) === momentOf(other));

/** In whole seconds: the same moment may be written with or without its milliseconds. */
function momentOf(value: unknown): number | undefined {
  const at = typeof value === "string" && /^\d{4}-\d\d-\d\dT/.test(value) ? instant(value) : undefined;
  return at === undefined ? undefined : Math.floor(at / 1000);
}

function textOf(value: unknown): string | number | null {
  const seconds = momentOf(value);
  if (seconds !== undefined) return seconds * 1000;
  if (value === null || value === undefined) return null;
  return typeof value === "string" ? value : JSON.stringify(value);
}

/** The messages about it, to the channels that want to know. */
export function foundMessages(
  change: ServiceChange,
  settlement: Settlement,
  { announce }: Pick<ChangeSettings, "announce">,
): readonly NewOutboxMessage[] {
  if (!foundElsewhere({ ...change, ...settlement })) return [];
  const channels = new Set(announce.filter(({ isElsewhere }) => isElsewhere).map(({ channel }) => channel));
  return [...channels].map((to) => ({ changeId: change.id, kind: "found-elsewhere", to, underChangeId: null }));
}
