import type { Denied } from "../../changes/authorise.ts";
import type { Change } from "../../changes/change.ts";
import type { ChangeOutcome } from "../../changes/changes.ts";
import type { QueryOutcome } from "../../changes/queries.ts";
import type { CommandButton, Problem } from "../../commands/answer.ts";
import { answerMessage } from "./answer-message.ts";
import { buttonRow } from "./button.ts";
import { describe, undoButtons } from "./change-card.ts";
import { clip } from "./clip.ts";
import { factFields } from "./facts.ts";
import { limits } from "./limits.ts";
import type { Message } from "./message.ts";
import { escapeMrkdwn, escapeWithin, mention, mrkdwn } from "./mrkdwn.ts";

/** What the asker is told: what happened, whether anything changed, what to do next, and the change id. `zone` is theirs. */
export function outcomeMessage(outcome: ChangeOutcome | QueryOutcome, zone: string, askerId?: string): Message {
  switch (outcome.kind) {
    case "answered":
      return answerMessage(outcome.answer, zone);
    case "refused":
      return refusalMessage(outcome.decision);
    case "invalid":
      return problemMessage(outcome.problem);
    case "repeated":
      return repeatedMessage(outcome.change, askerId);
    case "settled":
      return settledMessage(outcome.change);
    case "not-recorded":
      return noticeMessage(
        ":warning:",
        "Curfew could not write down this change, so it did not make it. Nothing was changed. Try again in a moment; if it goes on, tell those who run Curfew.",
      );
    case "outcome-not-recorded":
      return noticeMessage(
        ":warning:",
        `${settledSentence(outcome.change)} Curfew could not write this down, so \`history\` may show it as unknown. Tell those who run Curfew. (change ${outcome.change.id})`,
      );
  }
}

/** A refusal, with who could do it instead. Mentions in a message that only one person sees notify nobody. */
export function refusalMessage({ reason, couldDo }: Denied): Message {
  const ask = couldDo.length ? ` Who could: ${several(couldDo.map(holders), "; ")}.` : "";
  return {
    text: escapeMrkdwn(`${reason} Nothing was changed.`),
    blocks: [
      {
        type: "section",
        text: mrkdwn(`:no_entry: ${escapeWithin(reason, 1500)} Nothing was changed.${ask}`),
      },
    ],
  };
}

/** Why nothing was done, with buttons that lead on. */
export function problemMessage({ problem }: Problem, buttons: readonly CommandButton[] = []): Message {
  return noticeMessage(":warning:", problem, buttons);
}

export function noticeMessage(icon: string, text: string, buttons: readonly CommandButton[] = []): Message {
  return {
    text: escapeMrkdwn(clip(text, 1000)),
    blocks: [
      { type: "section", text: mrkdwn(clip(`${icon} ${escapeMrkdwn(text)}`, limits.sectionText)) },
      ...buttonRow(buttons),
    ],
  };
}

/** How a change ended, for its asker. */
export function settledMessage(change: Change, note?: string): Message {
  const { state, words, input, actor, id } = change;
  const sentence = settledSentence(change);
  const facts = state === "succeeded" ? describe(change).facts.slice(0, limits.fieldsInSection) : [];
  const next: readonly CommandButton[] =
    state === "failed" ? [{ label: "Change and try again", words, opens: "form", input }] : undoButtons(change);
  return {
    text: escapeMrkdwn(clip(`${sentence} (change ${id})`, 1000)),
    blocks: [
      { type: "section", text: mrkdwn(clip(`${icons[state]} ${escapeMrkdwn(sentence)}`, limits.sectionText)) },
      ...(facts.length ? [{ type: "section", fields: factFields(facts, actor.timeZone) } as const] : []),
      {
        type: "context",
        elements: [mrkdwn([`Change \`${id}\``, ...(note ? [escapeWithin(note, 1000)] : [])].join(" · "))],
      },
      ...buttonRow(next),
    ],
  };
}

/** For those who run Curfew: what they must mend, and which change it is about. */
export function reportMessage({ actor, id, words }: Change, note: string): Message {
  return noticeMessage(":wrench:", `Change ${id} (${words}, by ${actor.name}): ${note}`);
}

const icons = {
  performing: ":hourglass_flowing_sand:",
  succeeded: ":white_check_mark:",
  failed: ":x:",
  unknown: ":grey_question:",
} as const;

function settledSentence(change: Change): string {
  const { done, asked } = describe(change);
  const said = change.error
    ? ` ${change.error.message}${change.error.message.endsWith(".") ? "" : "."} (${change.error.code})`
    : "";
  switch (change.state) {
    case "succeeded":
      return `You ${done}.${change.note ? ` ${change.note}` : ""}`;
    case "failed":
      return `Curfew could not ${asked}: nothing was changed.${said}`;
    case "unknown":
      return `It is not known whether Curfew did ${asked}: it may have happened.${said} Look in the service before asking again.`;
    case "performing":
      return `Curfew is about to ${asked}.`;
  }
}

function repeatedMessage(change: Change, askerId: string | undefined): Message {
  if (change.state === "performing") {
    return noticeMessage(
      icons.performing,
      `This is under way already (change ${change.id}); \`history ${change.id}\` tells how it ends.`,
    );
  }
  if (askerId !== undefined && askerId !== change.actor.userId) {
    const { done, asked } = describe(change);
    const what = change.state === "succeeded" ? `has ${done}` : `has asked to ${asked}; the outcome is ${change.state}`;
    return noticeMessage(":information_source:", `${change.actor.name} ${what} already (change ${change.id}).`);
  }
  const { blocks, text } = settledMessage(change);
  const notice =
    change.state === "succeeded" ? "This was sent twice, and done once." : "This was sent twice, and tried once.";
  return { text: `${notice} ${text}`, blocks: [{ type: "context", elements: [mrkdwn(notice)] }, ...blocks] };
}

function holders({ role, members }: Denied["couldDo"][number]): string {
  return `${escapeWithin(role, 100)} (${several(members.map(holder), ", ")})`;
}

/** The first few: a role may have more members than a message has room for. */
function several(all: readonly string[], separator: string): string {
  const shown = 5;
  return [...all.slice(0, shown), ...(all.length > shown ? ["…"] : [])].join(separator);
}

function holder(id: string): string {
  return id.startsWith("S") ? `<!subteam^${id}>` : mention(id);
}
