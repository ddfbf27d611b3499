import type { CommandButton } from "../../commands/answer.ts";
import { expiryOf, processWords, resourceWords } from "../../commands/exclusion/exclusion-body.ts";
import type { AlsoHeld } from "../../commands/exclusion/overlapping-exclusions.ts";
import type { Entity } from "../../directory/directory.ts";
import { formatDuration } from "../../time/duration.ts";
import { buttonRow } from "./button.ts";
import type { Message } from "./message.ts";
import { clip, date, escapeMrkdwn, escapeWithin, limits, mention, mrkdwn } from "./message.ts";

export interface EndingExclusion {
  readonly exclusion: Entity<"exclusion">;
  /** In epoch ms. */
  readonly endsAt: number;
  readonly now: number;
  /** By other exclusions, when this one ends. */
  readonly alsoHeld: readonly AlsoHeld[];
  readonly zone: string;
  /** To its owner alone, rather than in the thread of its card. */
  readonly isToOwner: boolean;
  readonly buttons: readonly CommandButton[];
  /** A channel where the owner may do what they may not do here. */
  readonly elsewhere: string | undefined;
}

/** That an exclusion ends soon, and what can be done about it. */
export function exclusionReminder(ending: EndingExclusion): Message {
  const { exclusion, endsAt, now, zone, isToOwner, buttons, elsewhere } = ending;
  const { body, ownerId } = exclusion;
  const name = exclusion.name ?? exclusion.id;
  const whose = isToOwner ? "Your" : ownerId ? `${mention(ownerId)}’s` : "The";
  const others = otherLines(ending);
  const what =
    others.length === 0
      ? `${resourceWords(body.resourceIds)} will then no longer be kept from ${processWords(body.processes)}.`
      : `It will then no longer keep ${resourceWords(body.resourceIds)} from ${processWords(body.processes)}.`;
  const where = elsewhere ? ` You can extend or end it in <#${elsewhere}>.` : "";
  const sentence = `:alarm_clock: ${whose} exclusion *${escapeWithin(name, 200)}* ends ${date(endsAt, zone)}: ${escapeWithin(what, 1000)}${where}`;
  return {
    text: escapeMrkdwn(
      clip(`${isToOwner ? "Your" : "The"} exclusion ${name} ends in ${formatDuration(endsAt - now)}`, 1000),
    ),
    blocks: [
      { type: "section", text: mrkdwn(clip(sentence, limits.sectionText)) },
      ...(others.length ? [{ type: "section", text: mrkdwn(others.join("\n")) } as const] : []),
      ...buttonRow(buttons),
    ],
  };
}

const shownOthers = 3;

/** What others hold all the same: of another project they are not named, since who reads this may not know of it. */
function otherLines({ alsoHeld, exclusion, zone }: EndingExclusion): readonly string[] {
  const lines = alsoHeld.slice(0, shownOthers).map(({ by, resourceIds, processes }) => {
    const isNamed = by.projectId === exclusion.projectId;
    const who = isNamed
      ? `*${escapeWithin(by.name ?? by.id, 100)}* (\`${escapeWithin(by.id, 50)}\`)`
      : "Another exclusion";
    const what = escapeWithin(`${resourceWords(resourceIds)} from ${processWords(processes)}`, 300);
    const end = expiryOf(by.body);
    return `${who} keeps ${what} all the same${end === undefined ? "" : ` until ${date(end, zone)}`}.`;
  });
  const more = alsoHeld.length - shownOthers;
  return more > 0 ? [...lines, `So ${more === 1 ? "does 1 more exclusion" : `do ${more} more exclusions`}.`] : lines;
}
