import type { ContextBlock, KnownBlock } from "@slack/types";
import {
  type Change,
  endBefore,
  endSetBy,
  isCreation,
  isRemoval,
  isShortened,
  whenExclusionEnds,
} from "../../../changes/change.ts";
import { describeChange } from "../../../changes/change-command.ts";
import { planOf } from "../../../changes/planned/plans.ts";
import { isTimedSeries } from "../../../changes/steps/series.ts";
import type { CommandButton, Sentence } from "../../../commands/answer.ts";
import { plannedStart } from "../../../commands/command.ts";
import { byEnd, instant, resourceWords, verbsFor } from "../../../commands/exclusion/exclusion-body.ts";
import { exclusionEdit } from "../../../commands/exclusion/exclusion-edit.ts";
import { anHourMore, exclusionExtend, shortenButton } from "../../../commands/exclusion/exclusion-extend.ts";
import { isSoonAfter } from "../../../commands/exclusion/next-run.ts";
import { planButtons } from "../../../commands/exclusion/planned/plans.ts";
import { ticketOf } from "../../../commands/field.ts";
import type { Plan } from "../../../commands/query-ports.ts";
import { ticketAddress } from "../../../permissions/requirements.ts";
import { resourceTypeLabel } from "../../../service/action-types.ts";
import { ActionExclusion } from "../../../service/resources.ts";
import { formatDuration } from "../../../time/duration.ts";
import { cardButtons } from "../button.ts";
import { factLine } from "../facts.ts";
import { greyLine, section } from "../message.ts";
import { bold, boldLink, date, type Icon, join, link, literal, type Mrkdwn, md, mention } from "../text.ts";
import {
  bodyAfter,
  type CardContext,
  type ExclusionBody,
  type ExclusionState,
  exclusionState,
  isPast,
} from "./card-context.ts";
import { approvedWords, cardIcons, verifiedOnCard } from "./change-state.ts";

/**
 * The card of an exclusion, from making to end: what is kept how, until when and by whom; one grey line; its buttons. `change` is the
 * succeeded change that the card was posted for.
 */
export function exclusionBlocks(change: Change, context: CardContext): KnownBlock[] {
  const { later, now } = context;
  const state = exclusionState(change, later, now, context.goneAt);
  return [
    section(md`${stateIcon(state)} ${headline(change, state, context)}`),
    ...greyBlocks(change, state, context),
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
  const who = isCreation(change) ? mention(change.actor.userId) : "Somebody";
  const zone = change.actor.timeZone;
  switch (state?.kind) {
    case "ended": {
      const removal = [change, ...later].find(isRemoval);
      const by = endedBy(removal, change, context);
      const starts = removal || context.goneAt === undefined ? "" : stillHeld ? "It " : "it ";
      if (stillHeld) return md`${starts}${by}${stillKept(stillHeld, what, body)}`;
      return isScheduledAgain(context, body)
        ? md`${again(what, body, context)}: ${starts}${by}`
        : md`${noLonger(what, body, context)}: ${starts}${by}`;
    }
    case "over":
      if (stillHeld) return md`This ended ${date(state.endsAt, zone)}${stillKept(stillHeld, what, body)}`;
      return isScheduledAgain(context, body)
        ? md`${again(what, body, context)} since ${date(state.endsAt, zone)}`
        : md`${noLonger(what, body, context)} since ${date(state.endsAt, zone)}`;
    case "off":
      return md`${noLonger(what, body, context)}: this is switched off, and would last until *${date(state.endsAt, zone)}*`;
    case "off-and-over":
      return md`${noLonger(what, body, context)}: this was switched off, and its end has passed: ${date(state.endsAt, zone)}`;
    case "in-force":
      return md`${who} is ${keeping(body, what)} until *${date(state.endsAt, zone)}*${offWords(context, zone)}`;
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
function stillKept(
  { by, isWhole }: NonNullable<CardContext["stillHeld"]>,
  what: Mrkdwn,
  { processes }: ExclusionBody,
): Mrkdwn {
  const { did, how } = verbsFor(processes);
  const others = by === 1 ? "another" : md`${by} others`;
  return md`, while ${others} still ${did} ${isWhole ? "" : "some of "}${what} ${literal(how, 200)}`;
}

const shownReason = 300;

/** Why it was made, or what an edit that still holds says instead. */
function reasonAfter([change, ...later]: readonly [Change, ...Change[]]): string | null {
  const undone = new Set(later.map(({ undoes }) => undoes));
  const edits = later.filter(({ id, words, undoes }) => words === exclusionEdit.words && !undoes && !undone.has(id));
  return edits.findLast(({ reason }) => reason)?.reason ?? change.reason;
}

/** Why, what and where, and how it came about since. */
function greyBlocks(change: Change, state: ExclusionState | undefined, context: CardContext): readonly ContextBlock[] {
  const { later, nextStop } = context;
  const body = bodyAfter([change, ...later]);
  const { timeZone } = change.actor;
  const reason = reasonAfter([change, ...later]);
  const stopsAt = state?.kind === "in-force" ? nextStop?.at : undefined;
  const next = stopsAt === undefined ? "" : md`Next stop: ${date(stopsAt, timeZone)}`;
  const isSoon = state?.kind === "in-force" && stopsAt !== undefined && isSoonAfter(state.endsAt, stopsAt);
  const parts = [
    ...(isSoon ? [next] : []),
    ...(reason ? [literal(reason, shownReason)] : []),
    ...ticketLink(change, context.ticketUrl),
    ...givenName(change, body),
    where(body, context),
    ...(isPast(state) ? [keptFor(change, state, later, body)] : earlierEnds(body, timeZone)),
    ...approvedWords(change),
    // A card that was posted for a later change is the first that this channel sees of the exclusion.
    ...(isCreation(change) ? [] : [alteredIn(change)]),
    ...sinceWords(isCreation(change) ? later : [change, ...later]),
    ...(isSoon ? [] : [next]),
    ...(change.note ? [literal(change.note, shownReason)] : []),
    ...(context.askedIn ?? []),
    ...verifiedOnCard(change),
  ];
  return greyLine(parts);
}

/** "i-1, i-2 and 198 more until 14:00", of parts that end before the whole. */
function earlierEnds(body: ExclusionBody, zone: string): readonly Mrkdwn[] {
  const [, ...all] = byEnd(body).toSorted((one, other) => endOf(other) - endOf(one));
  return all.map(
    (each) => md`${literal(resourceWords(each.resourceIds ?? [], shownIds))} until ${date(endOf(each), zone)}`,
  );
}

const endOf = ({ expiryDate }: ExclusionBody): number => instant(expiryDate) ?? Number.POSITIVE_INFINITY;

/** What is off is not running yet. */
function offWords({ off }: CardContext, zone: string): Mrkdwn | "" {
  if (!off) return "";
  const until = off.startsAt === undefined ? "" : md` until ${date(off.startsAt, zone)}`;
  return md`. Off now${until}: Curfew can't start it.`;
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
  const { did, how } = verbsFor(body.processes);
  return md`${did} ${literal(how, 200)} by ${mention(change.actor.userId)}${lasted}`;
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

/** "extended by @bob", of the last one: the thread has all. */
function sinceWords(later: readonly Change[]): readonly Mrkdwn[] {
  const last = later.findLast((change) => !isRemoval(change));
  return last ? [md`${verbOf(last)} by ${mention(last.actor.userId)}`] : [];
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
    [shortenButton(subjectId), edit, history, ...(groupName !== undefined && nextStop ? [warnButton(groupName)] : [])],
  ];
}

const warnButton = (group: string): CommandButton => ({
  ...{ label: "Warn me", words: "warn me", opens: "result", input: { group } },
});

/** One line about a later change, for the card's thread: "⏰ @bob: Fri 18:00 → Sat 00:23". */
export function exclusionThreadText(change: Change): Mrkdwn {
  const { actor, undoes } = change;
  const by = mention(actor.userId);
  if (isRemoval(change)) return md`:checkered_flag: ${by} ended it`;
  const altered = describeChange(change).facts.filter(({ before }) => before !== undefined);
  const [only] = altered;
  const isMoved = altered.length === 1 && only?.label === "Until";
  const facts = isMoved ? [{ ...only, label: "" }] : altered;
  const what = factLine(facts, actor.timeZone, 1500, ", ");
  const icon = undoes !== null ? ":leftwards_arrow_with_hook:" : isMoved ? ":alarm_clock:" : ":pencil2:";
  const verb = undoes !== null ? " undid a change" : what ? "" : " edited it";
  return md`${icon} ${by}${verb}${what ? md`: ${what}` : ""}`;
}

/** The card of an exclusion that is planned for later: what is to be kept how, from when until when, and by whom. */
export function planBlocks(change: Change, plan: Plan, context: CardContext): KnownBlock[] {
  const body = bodyAfter([change]);
  return [
    section(
      md`${context.running ? ":large_green_circle:" : cardIcons.planned} ${planHeadline(change, plan, body, context)}`,
    ),
    ...planGreyBlocks(change, plan, body, context),
    ...cardButtons(change.id, ...planButtonsFor(change, plan, context)),
  ];
}

/** The plan of a change, while it is one; of a series also when its last time has begun. */
export const shownPlan = (change: Change): Plan | undefined =>
  change.state === "planned" ? planOf(change, { mayBeBegun: true }) : undefined;

/** While a time of a series runs, mostly that one is ended. The version makes a press on the redrawn card a new one. */
function planButtonsFor({ id }: Change, plan: Plan, { running }: CardContext): Buttons {
  const buttons = planButtons(plan);
  if (!running) return [buttons, []];
  const { exclusionId, endsAt } = running;
  const [leaveOut, ...whole] = buttons;
  const more = { ...anHourMore(exclusionId, endsAt), version: `${id}-${endsAt}` };
  return [
    [endButton(exclusionId), ...whole],
    [more, ...(leaveOut ? [leaveOut] : [])],
  ];
}

function planHeadline({ actor }: Change, { spans, repeats }: Plan, body: ExclusionBody, context: CardContext): Mrkdwn {
  const plans = md`${mention(actor.userId)} plans to ${toKeep(body, subject(body, context))}`;
  if (repeats !== undefined) {
    const { running } = context;
    const now = running ? md`. It is running until *${date(running.endsAt, actor.timeZone)}*` : "";
    return md`${plans} ${bold(repeats, 300)}${now}`;
  }
  const [span] = spans;
  return span
    ? md`${plans} from *${date(span.startsAt, actor.timeZone)}* until *${date(span.endsAt, actor.timeZone)}*`
    : plans;
}

function planGreyBlocks(
  change: Change,
  { spans, repeats }: Plan,
  body: ExclusionBody,
  context: CardContext,
): readonly ContextBlock[] {
  const [next] = spans;
  const left =
    repeats === undefined || !next
      ? [...(repeats !== undefined ? [md`no time is left`] : [])]
      : [md`Next: ${date(next.startsAt, change.actor.timeZone)}`, leftWords(spans.length)];
  const missed = (change.children ?? []).filter(({ state }) => state === "expired").length;
  const parts = [
    ...(change.reason ? [literal(change.reason, shownReason)] : []),
    ...ticketLink(change, context.ticketUrl),
    ...givenName(change, body),
    where(body, context),
    ...left,
    ...(missed > 0 ? [md`${missed} missed`] : []),
    ...approvedWords(change),
    ...(context.askedIn ?? []),
  ];
  return greyLine(parts);
}

const leftWords = (count: number): Mrkdwn => (count === 1 ? md`the last one` : md`${count} left`);

/* What an exclusion keeps, and how, in the words of its card and its reminders. */

export function again(what: Mrkdwn, body: ExclusionBody, context: CardContext): Mrkdwn {
  return md`${what} ${isOne(body, context) ? "follows its schedule" : "follow their schedule"} again`;
}

const isOne = ({ resourceIds }: ExclusionBody, { groupName }: CardContext): boolean =>
  groupName !== undefined || resourceIds?.length === 1;

/** "*staging* is no longer kept running". */
function noLonger(what: Mrkdwn, body: ExclusionBody, context: CardContext): Mrkdwn {
  const { did, how } = verbsFor(body.processes);
  return md`${what} ${isOne(body, context) ? "is" : "are"} no longer ${did} ${literal(how, 200)}`;
}

/** "keeping *staging* running". */
export function keeping(body: ExclusionBody, what: Mrkdwn): Mrkdwn {
  const { doing, how } = verbsFor(body.processes);
  return md`${doing} ${what} ${literal(how, 200)}`;
}

/** "keep *staging* running". */
export function toKeep(body: ExclusionBody, what: Mrkdwn): Mrkdwn {
  const { want, how } = verbsFor(body.processes);
  return md`${want} ${what} ${literal(how, 200)}`;
}

const shownIds = 2;

/** The group's name, or the first ids. Not every exclusion names its resources. */
export function subject(body: ExclusionBody, { groupName, projectName, address }: CardContext): Mrkdwn {
  const { resourceIds, resourceIdentificationMethod: method, resourceType, projectId } = body;
  if (method && method !== "by-resource-id") {
    const type = resourceTypeLabel(resourceType ?? "resources");
    const which = method === "all" ? `everything of ${type}` : `${type} (${method})`;
    return bold(`${which}${projectId ? ` in ${projectName ?? projectId}` : ""}`, 300);
  }
  if (groupName !== undefined) return boldLink(address, groupName, 200);
  const ids = resourceIds ?? [];
  if (ids.length === 0) return md`its resources`;
  const shown = ids.slice(0, shownIds).map((id) => boldLink(address, id, 200));
  const more = ids.length - shownIds;
  return more > 0 ? md`${join(shown, ", ")} and ${more} more` : join(shown, " and ");
}

/** The name that somebody gave it. Without one it was made from its maker and resources, which the card shows anyway. */
export function givenName({ actor }: Pick<Change, "actor">, { name }: ExclusionBody): readonly Mrkdwn[] {
  return name && !name.startsWith(`${actor.name}: `) ? [md`“${literal(name, 200)}”`] : [];
}

/** "2 × EC2 in Development" for a group, else "EC2 in Development". */
function where(
  { resourceIds, resourceType, projectId }: ExclusionBody,
  { groupName, projectName }: CardContext,
): Mrkdwn {
  const count = groupName === undefined ? "" : `${resourceIds?.length ?? 0} × `;
  const type = resourceType ? `${count}${resourceTypeLabel(resourceType)}` : "";
  const project = projectName ?? projectId;
  return literal(`${type}${project ? ` in ${project}` : ""}`.trim(), 300);
}

const minuteMs = 60_000;
const inMinutes = (ms: number): string => formatDuration(Math.max(1, Math.round(Math.abs(ms) / minuteMs)) * minuteMs);

/**
 * " for 4 h, until Thu 26 Nov 22:00" for what a change makes, " to Thu 26 Nov 22:00, 1 h later" for an end that it moves; empty for
 * others.
 */
export function lastingWords(change: Change): Sentence {
  const endsAt = change.subjectKind === "exclusion" && !isTimedSeries(change) ? endSetBy(change) : undefined;
  if (endsAt === undefined) return [];
  const former = endBefore(change);
  if (isCreation(change)) {
    const begun = change.state === "succeeded" ? (change.settledAt ?? change.requestedAt) : change.requestedAt;
    const start = plannedStart(change.input) ?? begun;
    // A time of a series that was missed is recorded after its end.
    const from = begun < endsAt ? Math.max(begun, start) : start;
    const when: Sentence = change.state !== "succeeded" && start > begun ? [", from ", { at: start }] : [","];
    return [` for ${inMinutes(endsAt - from)}`, ...when, " until ", { at: endsAt }];
  }
  if (change.words !== exclusionExtend.words) return [];
  const moved = former === undefined ? "" : `, ${inMinutes(endsAt - former)} ${endsAt < former ? "earlier" : "later"}`;
  return [" to ", { at: endsAt }, moved];
}

/** The version makes a press on the redrawn card a new one, and a double click one. */
export function extendButtons(
  exclusionId: string,
  endsAt: number | undefined,
  version: string,
): readonly CommandButton[] {
  return [
    { ...anHourMore(exclusionId, endsAt), version },
    { label: "Extend…", words: "exclusion extend", opens: "form", input: { exclusion: exclusionId } },
  ];
}

export function endButton(exclusionId: string): CommandButton {
  return { label: "End now", words: "exclusion end", opens: "result", input: { exclusion: exclusionId } };
}

/** The ticket of a change: a link where the config says where tickets are found. */
export function ticketLink({ input }: Pick<Change, "input">, ticketUrl: string | undefined): readonly Mrkdwn[] {
  const ticket = ticketOf(input);
  if (ticket === null) return [];
  const address = ticketAddress(ticketUrl, ticket);
  return [address === undefined ? literal(ticket) : link(address, ticket)];
}
