import { instant, isSameMoment } from "../commands/exclusion/exclusion-body.ts";
import { ActionExclusion } from "../service/resources.ts";
import { type Change, isRemoval } from "./change.ts";

/** An exclusion that was not ended, after its changes. */
export interface LastingExclusion {
  /** In epoch ms; may be in the past. */
  readonly endsAt: number;
  /** If false, the exclusion still exists but prevents no run. */
  readonly isEnabled: boolean;
}

/**
 * The exclusion after its succeeded changes, oldest first; undefined if one ended it or they are about another kind of
 * entity.
 */
export function whenExclusionEnds(changes: readonly Change[]): LastingExclusion | undefined {
  const last = changes.at(-1);
  if (last?.subjectKind !== "exclusion" || changes.some(isRemoval)) return undefined;
  // When the answer could not be read, the request counts.
  const [answered, asked] = [endIn(last.answer), endIn(last.request)];
  const endsAt = instant(answered?.expiryDate) ?? instant(asked?.expiryDate);
  return endsAt === undefined ? undefined : { endsAt, isEnabled: answered?.isEnabled ?? asked?.isEnabled ?? true };
}

/** The end that a change gave its exclusion; undefined if it did not move the end. */
export function endSetBy(change: Change): number | undefined {
  const { endsAt } = whenExclusionEnds([change]) ?? {};
  return isSameMoment(endsAt, endBefore(change)) ? undefined : endsAt;
}

/** The end that its exclusion had before a change. */
export const endBefore = ({ before }: Pick<Change, "before">): number | undefined => instant(endIn(before)?.expiryDate);

/** Whether a change moved the end to an earlier moment. */
export function isShortened(change: Change): boolean {
  const former = endBefore(change);
  const end = endSetBy(change);
  return former !== undefined && end !== undefined && end < former;
}

/** The exclusion, if it still has the end that this change set; undefined if another change moved or ended it since. */
export function stillEndsBy(changeId: string, changes: readonly Change[]): LastingExclusion | undefined {
  const last = changes.findLast((change) => endSetBy(change) !== undefined);
  return last?.id === changeId ? whenExclusionEnds(changes) : undefined;
}

const endFields = ActionExclusion.pick({ expiryDate: true, isEnabled: true });
const endIn = (body: unknown) => endFields.safeParse(body).data;
