import type { Action } from "../../service/resources.ts";
import { shortMoment } from "../../time/format-moment.ts";
import type { CommandButton, Line, Sentence } from "../answer.ts";
import { elsewhereWords, type SeenAction, withNames } from "../changed-elsewhere.ts";
import type { QueryContext } from "../command.ts";

const latelyMs = 7 * 24 * 3_600_000;

/** What somebody did to an action in the service within a week. */
export const changedLately = (seen: SeenAction | undefined, now: number): SeenAction["change"] =>
  seen?.change && seen.change.seenAt > now - latelyMs ? seen.change : undefined;

/** "Stop staging · changed in the service by bob, today 14:02: 19:00 → 18:00"; none where nothing was seen within a week. */
export async function changeLines(action: Action, context: QueryContext): Promise<readonly Line[]> {
  const { now, directory, actor } = context;
  const { actionId: id, name } = action;
  const change = changedLately(await context.seenAction(id), now);
  if (!change) return [];
  const named = await withNames(change, async (kind, of) => (await directory.get(kind, of))?.name ?? of);
  const moment = (at: number) => shortMoment(at, actor.timeZone, now);
  const inWords = (words: Sentence) =>
    words.map((part) => (typeof part === "string" ? part : "at" in part ? moment(part.at) : "")).join("");
  const found = elsewhereWords(named);
  const [verb, details] = [inWords(found.verb), inWords(found.details)];
  const by = [...(named.by === null ? [] : [` by ${named.by}`]), ...(named.at === null ? [] : [moment(named.at)])].join(
    ", ",
  );
  const what = `${verb} in the service${by}`;
  const whole = `${what}${details && `: ${details}`}`;
  // A part is cut where it is long.
  const parts = whole.length > longestPart && details ? [what, details] : [whole];
  const menu: readonly CommandButton[] = [
    { label: "Details", words: "action show", opens: "result", input: { action: id } },
  ];
  return [{ id: `${id} changed`, sign: "none", name: name || id, parts, menu }];
}

const longestPart = 100;
