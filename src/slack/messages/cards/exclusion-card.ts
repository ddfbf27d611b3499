import type { KnownBlock } from "@slack/types";
import { type Change, isCreation, isRemoval, isShortened, whenExclusionEnds } from "../../../changes/change.ts";
import { describeChange } from "../../../changes/change-command.ts";
import type { CommandButton } from "../../../commands/answer.ts";
import { exclusionEdit } from "../../../commands/exclusion/exclusion-edit.ts";
import { ActionExclusion } from "../../../service/resources.ts";
import { formatDuration } from "../../../time/duration.ts";
import { cardButtons } from "../button.ts";
import { factLine } from "../facts.ts";
import {
  code,
  contextBlock,
  date,
  greyText,
  type Icon,
  literal,
  type Mrkdwn,
  md,
  mention,
  mrkdwn,
} from "../message.ts";
import { approvedWords } from "./approval-blocks.ts";
import type { CardContext } from "./card-context.ts";
import { verifiedOnCard } from "./change-state.ts";
import { endButton, extendButtons } from "./exclusion-buttons.ts";
import { bodyAfter, type ExclusionBody, type ExclusionState, exclusionState, isPast } from "./exclusion-state.ts";
import { again, givenName, keeping, subject, where, wordsFor } from "./exclusion-words.ts";
import { ticketLink } from "./ticket-link.ts";

/**
 * The card of an exclusion, from making to end: what is kept how, until when and by whom; one grey line; its buttons. `change` is the
 * succeeded change that the card was posted for.
 */
export function exclusionBlocks(change: Change, context: CardContext): KnownBlock[] {
  const { later, now } = context;
  const state = exclusionState(change, later, now, context.goneAt);
  return [
    { type: "section", text: mrkdwn(md`${stateIcon(state)} ${headline(change, state, context)}`) },
    contextBlock(greyLine(change, state, context)),
    ...(isPast(state) ? [] : cardButtons(change.id, ...buttonsFor(change, state, context))),
  ];
}

function stateIcon(state: ExclusionState | undefined): Icon {
  if (isPast(state)) return ":white_circle:";
  return state?.kind === "off" ? ":mute:" : ":large_green_circle:";
}

function headline(change: Change, state: ExclusionState | undefined, context: CardContext): Mrkdwn {
  const { later, stillHeld } = context;
  const body = bodyAfter([change, ...later]);
  const what = subject(body, context);
  // Who made it is not known here when the card was posted for a later change.
  const who = isCreation(change) ? mention(change.actor.userId) : "An exclusion";
  const zone = change.actor.timeZone;
  switch (state?.kind) {
    case "ended": {
      const removal = [change, ...later].find(isRemoval);
      const by = endedBy(removal, change, context);
      const starts = removal || context.goneAt === undefined ? "" : stillHeld ? "It " : "it ";
      if (stillHeld) return md`${starts}${by}${stillCovered(stillHeld, what)}`;
      return isScheduledAgain(context, body)
        ? md`${again(what, body, context)}: ${starts}${by}`
        : md`The exclusion of ${what} is over: ${starts}${by}`;
    }
    case "over":
      if (stillHeld) return md`This ended ${date(state.endsAt, zone)}${stillCovered(stillHeld, what)}`;
      return isScheduledAgain(context, body)
        ? md`${again(what, body, context)} since ${date(state.endsAt, zone)}`
        : md`The exclusion of ${what} is over since ${date(state.endsAt, zone)}`;
    case "off":
      return md`The exclusion of ${what} is switched off, so it has no effect. It would last until *${date(state.endsAt, zone)}*`;
    case "off-and-over":
      return md`The exclusion of ${what} was switched off. Its end has passed: ${date(state.endsAt, zone)}`;
    case "in-force":
      return md`${who} is ${keeping(body, what)} until *${date(state.endsAt, zone)}*`;
    default:
      return md`${who} is ${keeping(body, what)}`;
  }
}

/** Nobody knows who ended it in the service, nor when. */
function endedBy(removal: Change | undefined, change: Change, { goneAt }: CardContext): Mrkdwn {
  const zone = change.actor.timeZone;
  if (!removal && goneAt !== undefined)
    return md`was ended in the service, not by Curfew (noticed ${date(goneAt, zone)})`;
  const end = removal ?? change;
  return md`${mention(end.actor.userId)} ended it ${date(end.settledAt ?? end.requestedAt, zone)}`;
}

/** Whether it had an effect until its end, and other exclusions of the same resources could be looked up by their ids. */
function isScheduledAgain({ later }: CardContext, { resourceIds }: ExclusionBody): boolean {
  const last = later.findLast((each) => !isRemoval(each));
  const isOff = last !== undefined && whenExclusionEnds([last])?.isEnabled === false;
  return !isOff && (resourceIds?.length ?? 0) > 0;
}

/** In the past, since the card is not drawn again when the others end. */
function stillCovered({ by, isWhole }: NonNullable<CardContext["stillHeld"]>, what: Mrkdwn): Mrkdwn {
  const others = by === 1 ? "another exclusion" : md`${by} other exclusions`;
  return md`, while ${others} still covered ${isWhole ? "" : "some of "}${what}`;
}

const shownReason = 300;

/** Why it was made, or what an edit that still holds says instead. */
function reasonAfter([change, ...later]: readonly [Change, ...Change[]]): string | null {
  const undone = new Set(later.map(({ undoes }) => undoes));
  const edits = later.filter(({ id, words, undoes }) => words === exclusionEdit.words && !undoes && !undone.has(id));
  return edits.findLast(({ reason }) => reason)?.reason ?? change.reason;
}

/** Why, what and where, how it came about since, and the change's id. */
function greyLine(change: Change, state: ExclusionState | undefined, context: CardContext): Mrkdwn {
  const { later, nextStop } = context;
  const body = bodyAfter([change, ...later]);
  const { timeZone } = change.actor;
  const reason = reasonAfter([change, ...later]);
  const parts = [
    ...(reason ? [literal(reason, shownReason)] : []),
    ...ticketLink(change, context.ticketUrl),
    ...givenName(change, body),
    where(body, context),
    ...(isPast(state) ? [keptFor(change, state, later, body)] : []),
    ...approvedWords(change),
    // A card that was posted for a later change is the first that this channel sees of the exclusion.
    ...(isCreation(change) ? [] : [alteredIn(change)]),
    ...sinceWords(isCreation(change) ? later : [change, ...later]),
    ...(nextStop === undefined || state?.kind !== "in-force" ? [] : [md`Next stop: ${date(nextStop.at, timeZone)}`]),
    ...(change.note ? [literal(change.note, shownReason)] : []),
    ...(context.askedIn ?? []),
    ...verifiedOnCard(change),
  ];
  return greyText(parts, change.id);
}

/** "kept running by @alice for 2 h", without the length where it was not kept so all the time. */
function keptFor(
  change: Change,
  state: ExclusionState | undefined,
  later: readonly Change[],
  body: ExclusionBody,
): Mrkdwn {
  if (!isCreation(change) || state?.kind === "off-and-over") return "";
  const end = state?.kind === "over" ? state.endsAt : [change, ...later].find(isRemoval)?.settledAt;
  const start = change.settledAt ?? change.requestedAt;
  // Switched off or changed in between, it was not kept so all the time.
  const isWhole = !later.some(altersEffect);
  const isKnown = isWhole && end !== undefined && end !== null && end > start;
  const lasted = isKnown ? literal(` for ${formatDuration(wholeMinutes(end - start))}`) : "";
  return md`${wordsFor(body)[2]} by ${mention(change.actor.userId)}${lasted}`;
}

/** Whether a change switched it off or on, or altered what it holds back. */
function altersEffect(change: Change): boolean {
  const before = ActionExclusion.safeParse(change.before).data;
  const after = ActionExclusion.partial().safeParse(change.request).data;
  if (isRemoval(change) || !before || !after) return false;
  const isSame = (one: unknown, other: unknown) => other === undefined || JSON.stringify(one) === JSON.stringify(other);
  return !isSame(before.isEnabled ?? true, after.isEnabled) || !isSame(before.processes, after.processes);
}

const wholeMinutes = (ms: number): number => Math.max(60_000, Math.round(ms / 60_000) * 60_000);

/** What a change altered, in short. */
function alteredIn(change: Change): Mrkdwn {
  const altered = describeChange(change).facts.filter(({ before }) => before !== undefined);
  return factLine(altered, change.actor.timeZone, 600, ", ");
}

const shownPeople = 3;

/** "extended by @bob", each once. */
function sinceWords(later: readonly Change[]): readonly Mrkdwn[] {
  const words = later
    .filter((change) => !isRemoval(change))
    .map((change) => md`${verbOf(change)} by ${mention(change.actor.userId)}`);
  return [...new Set(words)].slice(-shownPeople);
}

function verbOf(change: Change) {
  if (change.undoes !== null) return "set back";
  if (change.words !== "exclusion extend") return "edited";
  return isShortened(change) ? "shortened" : "extended";
}

type Buttons = readonly [shown: readonly CommandButton[], menu: readonly CommandButton[]];

/** The version makes a press on the redrawn card a new one, and a double click one. */
function buttonsFor(
  { id, subjectId }: Change,
  state: ExclusionState | undefined,
  { later, groupName, nextStop }: CardContext,
): Buttons {
  if (subjectId === null) return [[], []];
  const input = { exclusion: subjectId };
  const version = later.at(-1)?.id ?? id;
  const edit: CommandButton = { label: "Edit…", words: "exclusion edit", opens: "form", input };
  const end = endButton(subjectId);
  const history: CommandButton = { label: "History", words: "history", opens: "result", input: { which: subjectId } };
  if (state?.kind === "off") return [[edit, end], [history]];
  return [
    [...extendButtons(subjectId, state?.kind === "in-force" ? state.endsAt : undefined, version), end],
    // Only of a group whose actions are known.
    [edit, history, ...(groupName !== undefined && nextStop ? [warnButton(groupName)] : [])],
  ];
}

const warnButton = (group: string): CommandButton => ({
  ...{ label: "Warn me", words: "warn me", opens: "result", input: { group } },
});

/** One line about a later change, for the card's thread: "⏰ @bob: Fri 18:00 → Sat 00:23 (chg-q7g)". */
export function exclusionThreadText(change: Change): Mrkdwn {
  const { actor, id, undoes } = change;
  const by = mention(actor.userId);
  const which = md`(${code(id)})`;
  if (isRemoval(change)) return md`:checkered_flag: ${by} ended it ${which}`;
  const altered = describeChange(change).facts.filter(({ before }) => before !== undefined);
  const [only] = altered;
  const isMoved = altered.length === 1 && only?.label === "Until";
  const facts = isMoved ? [{ ...only, label: "" }] : altered;
  const what = factLine(facts, actor.timeZone, 1500, ", ");
  const icon = undoes !== null ? ":leftwards_arrow_with_hook:" : isMoved ? ":alarm_clock:" : ":pencil2:";
  const verb = undoes !== null ? " undid a change" : what ? "" : " edited it";
  return md`${icon} ${by}${verb}${what ? md`: ${what}` : ""} ${which}`;
}
