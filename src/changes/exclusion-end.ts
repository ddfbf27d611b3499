import { instant } from "../commands/exclusion/exclusion-body.ts";
import { ActionExclusion } from "../service/resources.ts";
import type { Change } from "./change.ts";

/** An exclusion that nobody has ended, as its changes left it. */
export interface LastingExclusion {
  /** In epoch ms; that moment may have passed. */
  readonly endsAt: number;
  /** Switched off, it lasts as well, but holds nothing back. */
  readonly isEnabled: boolean;
}

/** What the succeeded changes about one exclusion, oldest first, left of it; undefined when one ended it, or when they are about something else. */
export function whenExclusionEnds(changes: readonly Change[]): LastingExclusion | undefined {
  const last = changes.at(-1);
  if (last?.subjectKind !== "exclusion" || changes.some(({ operation }) => operation === "DeleteActionExclusion"))
    return undefined;
  // An answer that could not be read leaves what was asked for.
  const [answered, asked] = [toldOf(last.answer), toldOf(last.request)];
  const endsAt = instant(answered?.expiryDate) ?? instant(asked?.expiryDate);
  return endsAt === undefined ? undefined : { endsAt, isEnabled: answered?.isEnabled ?? asked?.isEnabled ?? true };
}

/** The end that a change gave its exclusion; undefined when it left the end where it was. */
export function endSetBy(change: Change): number | undefined {
  const { endsAt } = whenExclusionEnds([change]) ?? {};
  return endsAt === instant(toldOf(change.before)?.expiryDate) ? undefined : endsAt;
}

/** The exclusion, as long as it still ends when this change said; undefined when another change has moved its end since, or ended it. */
export function stillEndsBy(changeId: string, changes: readonly Change[]): LastingExclusion | undefined {
  const last = changes.findLast((change) => endSetBy(change) !== undefined);
  return last?.id === changeId ? whenExclusionEnds(changes) : undefined;
}

const told = ActionExclusion.pick({ expiryDate: true, isEnabled: true });
const toldOf = (body: unknown) => told.safeParse(body).data;
