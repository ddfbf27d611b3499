import { type Change, isRemoval, whenExclusionEnds } from "../../../changes/change.ts";
import { ActionExclusion } from "../../../service/resources.ts";

/** The state of an exclusion: ended by somebody, over by its end time, switched off, or in force. */
export type ExclusionState =
  | { readonly kind: "ended" }
  | { readonly kind: "over" | "off" | "off-and-over" | "in-force"; readonly endsAt: number };

/** Derived from a succeeded change, the later ones and the clock. `goneAt`: when the service no longer knew it. Undefined for other things, and when the end is not known. */
export function exclusionState(
  change: Change,
  later: readonly Change[],
  now: number,
  goneAt?: number | undefined,
): ExclusionState | undefined {
  if (change.subjectKind !== "exclusion" || change.state !== "succeeded") return undefined;
  const changes = [change, ...later];
  const lasting = whenExclusionEnds(changes.filter((each) => !isRemoval(each)));
  const removal = changes.find(isRemoval);
  const removedAt = removal ? (removal.settledAt ?? now) : goneAt;
  if (removedAt !== undefined && !(lasting && lasting.endsAt <= removedAt)) return { kind: "ended" };
  if (!lasting) return undefined;
  const { endsAt, isEnabled } = lasting;
  const isOver = endsAt <= (removedAt ?? now);
  if (!isEnabled) return { kind: isOver ? "off-and-over" : "off", endsAt };
  return { kind: isOver ? "over" : "in-force", endsAt };
}

/** Whether it is over: all that can still be done is to make it last again. */
export function isPast(state: ExclusionState | undefined): boolean {
  return state?.kind === "ended" || state?.kind === "over" || state?.kind === "off-and-over";
}

const bodyShown = ActionExclusion.pick({
  name: true,
  projectId: true,
  resourceIds: true,
  resourceType: true,
  processes: true,
  resourceIdentificationMethod: true,
}).partial();
export type ExclusionBody = ReturnType<typeof bodyShown.parse>;

/** The exclusion after its changes: what each asked for and what the service answered. */
export function bodyAfter(changes: readonly Change[]): ExclusionBody {
  const parts = changes.flatMap(({ before, request, answer }) => [before, request, answer]);
  const known = parts.flatMap((part) => Object.entries(bodyShown.safeParse(part).data ?? {}));
  return Object.fromEntries(known.filter(([, value]) => value !== undefined && value !== null));
}
