import type { ChangeOperation } from "../commands/command.ts";
import { operations } from "../service/operations.ts";
import { announcements } from "./announce.ts";
import type { Change, ServiceChange, Settlement } from "./change.ts";
import { jobsAfter } from "./jobs-after.ts";
import { learnFrom } from "./learn.ts";
import type { ChangeSettings, ChangeStore, DeliveryStore, NewDelivery } from "./ports.ts";

/** Settles a performed change: outcome, history, what was learnt, what must be announced and what is to be done later, all in one transaction. */
export async function record(
  store: ChangeStore & Pick<DeliveryStore, "cardChannels">,
  settings: Pick<ChangeSettings, "announce" | "exclusions">,
  change: ServiceChange,
  settlement: Settlement,
  alsoDeliver: readonly NewDelivery[] = [],
): Promise<Change> {
  const { operation, subjectId, subjectKind, actor } = change;
  const succeeded = settlement.state === "succeeded";
  const learnt = succeeded
    ? learnFrom(operation, settlement.answer, isCreation(change) ? actor.userId : undefined)
    : [];
  const isGone = settlement.isSubjectGone || (succeeded && removesSubject(operation));
  const forgotten =
    isGone && subjectId !== null ? [{ kind: subjectKind, id: subjectId, at: settlement.settledAt }] : [];
  const deliveries = [...(await announcements(change, settlement, settings, store)), ...alsoDeliver];
  const jobs = jobsAfter(change, settlement, settings);
  await store.settle(change.id, settlement, { learned: [...learnt, ...forgotten], deliveries, jobs });
  return { ...change, ...settlement };
}

const removesSubject = (operation: ChangeOperation): boolean => operations[operation].effect === "delete";
const isCreation = ({ before, subjectId }: Change): boolean => before === null && subjectId === null;
