import type { ChangeOperation } from "../commands/command.ts";
import { operations } from "../service/operations.ts";
import { announcements } from "./announce.ts";
import type { Change, ServiceChange, Settlement } from "./change.ts";
import { jobsAfter } from "./jobs-after.ts";
import { entitiesIn } from "./learn.ts";
import type { ChangeSettings, ChangeStore, OutboxStore, NewOutboxMessage } from "./ports.ts";

/** Settles a performed change: outcome, history, what was learnt, what must be announced and what is to be done later, all in one transaction. */
export async function record(
  store: ChangeStore & Pick<OutboxStore, "cardChannels">,
  settings: Pick<ChangeSettings, "announce" | "exclusions">,
  change: ServiceChange,
  settlement: Settlement,
  alsoSend: readonly NewOutboxMessage[] = [],
): Promise<Change> {
  const { operation, subjectId, subjectKind, actor } = change;
  const succeeded = settlement.state === "succeeded";
  const learnt = succeeded
    ? entitiesIn(operation, settlement.answer, isCreation(change) ? actor.userId : undefined)
    : [];
  const isGone = settlement.isSubjectGone || (succeeded && removesSubject(operation));
  const forgotten =
    isGone && subjectId !== null ? [{ kind: subjectKind, id: subjectId, at: settlement.settledAt }] : [];
  const outbox = [...(await announcements(change, settlement, settings, store)), ...alsoSend];
  const jobs = jobsAfter(change, settlement, settings);
  await store.settle(change.id, settlement, { entities: [...learnt, ...forgotten], outbox, jobs });
  return { ...change, ...settlement };
}

const removesSubject = (operation: ChangeOperation): boolean => operations[operation].effect === "delete";
const isCreation = ({ before, subjectId }: Change): boolean => before === null && subjectId === null;
