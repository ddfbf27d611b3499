import type { CommandButton } from "../../commands/answer.ts";
import { processWords, resourceWords } from "../../commands/exclusion-body.ts";
import type { KnownThing } from "../../commands/known.ts";
import { formatDuration } from "../../time/duration.ts";
import { buttonRow } from "./button.ts";
import { clip } from "./clip.ts";
import { limits } from "./limits.ts";
import type { Message } from "./message.ts";
import { date, escapeMrkdwn, escapeWithin, mention, mrkdwn } from "./mrkdwn.ts";

export interface EndingExclusion {
  readonly exclusion: KnownThing<"exclusion">;
  /** In epoch ms. */
  readonly endsAt: number;
  readonly now: number;
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
  const what = `${resourceWords(body.resourceIds)} will then no longer be kept from ${processWords(body.processes)}.`;
  const where = elsewhere ? ` You can extend or end it in <#${elsewhere}>.` : "";
  const sentence = `:alarm_clock: ${whose} exclusion *${escapeWithin(name, 200)}* ends ${date(endsAt, zone)}: ${escapeWithin(what, 1000)}${where}`;
  return {
    text: escapeMrkdwn(
      clip(`${isToOwner ? "Your" : "The"} exclusion ${name} ends in ${formatDuration(endsAt - now)}`, 1000),
    ),
    blocks: [{ type: "section", text: mrkdwn(clip(sentence, limits.sectionText)) }, ...buttonRow(buttons)],
  };
}
