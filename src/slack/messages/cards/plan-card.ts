import type { KnownBlock } from "@slack/types";
import type { Change } from "../../../changes/change.ts";
import { planOf } from "../../../changes/planned/plans.ts";
import type { CommandButton } from "../../../commands/answer.ts";
import { anHourMore } from "../../../commands/exclusion/exclusion-extend.ts";
import { planButtons } from "../../../commands/exclusion/planned/plans.ts";
import type { Plan } from "../../../commands/query-ports.ts";
import { cardButtons } from "../button.ts";
import { bold, contextBlock, date, greyText, literal, type Mrkdwn, md, mention, mrkdwn } from "../message.ts";
import { approvedWords } from "./approval-blocks.ts";
import type { CardContext } from "./card-context.ts";
import { cardIcons } from "./change-state.ts";
import { endButton } from "./exclusion-buttons.ts";
import { bodyAfter, type ExclusionBody } from "./exclusion-state.ts";
import { givenName, subject, toKeep, where } from "./exclusion-words.ts";
import { ticketLink } from "./ticket-link.ts";

const shownReason = 300;

/** The card of an exclusion that is planned for later: what is to be kept how, from when until when, and by whom. */
export function planBlocks(change: Change, plan: Plan, context: CardContext): KnownBlock[] {
  const body = bodyAfter([change]);
  return [
    {
      type: "section",
      text: mrkdwn(
        md`${context.running ? ":large_green_circle:" : cardIcons.planned} ${headline(change, plan, body, context)}`,
      ),
    },
    contextBlock(greyLine(change, plan, body, context)),
    ...cardButtons(change.id, ...buttonsFor(change, plan, context)),
  ];
}

/** The plan of a change, while it is one; of a series also when its last time has begun. */
export const shownPlan = (change: Change): Plan | undefined =>
  change.state === "planned" ? planOf(change, { mayBeBegun: true }) : undefined;

type Buttons = readonly [shown: readonly CommandButton[], menu: readonly CommandButton[]];

/** While a time of a series runs, mostly that one is ended. The version makes a press on the redrawn card a new one. */
function buttonsFor({ id }: Change, plan: Plan, { running }: CardContext): Buttons {
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

function headline({ actor }: Change, { spans, repeats }: Plan, body: ExclusionBody, context: CardContext): Mrkdwn {
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

function greyLine(change: Change, { spans, repeats }: Plan, body: ExclusionBody, context: CardContext): Mrkdwn {
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
  return greyText(parts, change.id);
}

const leftWords = (count: number): Mrkdwn => (count === 1 ? md`the last one` : md`${count} left`);
