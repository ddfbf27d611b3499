import type { CardSubject } from "../../../changes/queries/card-subject.ts";
import { namesFrom } from "../../../language/sense/names.ts";
import type { Actor } from "../../../permissions/actor.ts";
import { attend } from "../attend.ts";
import type { Deps } from "../deps.ts";
import { receiptOfLine } from "../receipt-of.ts";
import { understandInThread } from "./about-card.ts";
import { handleLine } from "./handle-line.ts";
import type { Line } from "./line.ts";

interface Taking {
  /** Acknowledges the line, or may do so later. */
  readonly recorded: () => void;
  /** Slack sends the line again if it is not acknowledged. */
  readonly isRepeated?: boolean;
}

/** Records a line that may change something, wherever it was typed, and handles it. */
export async function takeLine(deps: Deps, line: Line, taking: Taking): Promise<void> {
  let { split, card } = line;
  const receipt = async () => {
    const known = deps.actors.known(line.userId);
    // Somebody who is known to be an outsider is turned away before anything is read or recorded for them.
    if (known && deps.access.isOutsider({ actor: known, channelId: line.channelId })) return undefined;
    if (split) return undefined;
    const asked = askedBy(deps, line, known);
    card = await cardOf(deps, line);
    const early = await understandInThread(line.text, asked, card, async () =>
      known ? deps.names(known) : namesFrom([]),
    );
    // The times of somebody unknown are read again when their zone is known, and what was not understood when their groups are.
    split = known && early.kind === "split" ? early : undefined;
    return receiptOfLine(line, early, asked.now);
  };
  await attend(deps, line, (origin) => handleLine(deps, { ...origin, split, card }), { ...taking, receipt });
}

/** The card in whose thread the line was written. */
async function cardOf({ cardSubject, log }: Deps, { place }: Line): Promise<CardSubject | undefined> {
  if (place?.threadTs === undefined || place.isDirect) return undefined;
  return cardSubject(place.channelId, place.threadTs).catch((error: unknown) => {
    log.warn({ err: error }, "could not look up the card of a thread; its lines are read without it");
    return undefined;
  });
}

const askedBy = ({ settings, now }: Deps, { channelId, askedAt = now() }: Line, known: Actor | undefined) => ({
  ...{ channelId, settings: settings(), now: askedAt },
  actor: { timeZone: known?.timeZone ?? "UTC" },
});
