import type { KnownBlock } from "@slack/types";
import type { Change } from "../../../changes/change.ts";
import { planOf } from "../../../changes/planned/plans.ts";
import { planButtons } from "../../../commands/exclusion/planned/plans.ts";
import type { Plan } from "../../../commands/query-ports.ts";
import { cardButtons } from "../button.ts";
import { contextBlock, date, escapeWithin, greyText, mention, mrkdwn } from "../message.ts";
import { approvedWords } from "./approval-blocks.ts";
import type { CardContext } from "./card-context.ts";
import { cardIcons } from "./change-state.ts";
import { bodyAfter, type ExclusionBody } from "./exclusion-state.ts";
import { givenName, subject, toKeep, where } from "./exclusion-words.ts";
import { ticketLink } from "./ticket-link.ts";

const shownReason = 300;

/** The card of an exclusion that is planned for later: what is to be kept how, from when until when, and by whom. */
export function planBlocks(change: Change, plan: Plan, context: CardContext): KnownBlock[] {
  const body = bodyAfter([change]);
  return [
    { type: "section", text: mrkdwn(`${cardIcons.planned} ${headline(change, plan, body, context)}`) },
    contextBlock(greyLine(change, plan, body, context)),
    ...cardButtons(change.id, planButtons(plan)),
  ];
}

/** The plan of a change, while it is one. */
export const shownPlan = (change: Change): Plan | undefined =>
  change.state === "planned" ? planOf(change) : undefined;

function headline({ actor }: Change, { spans, repeats }: Plan, body: ExclusionBody, context: CardContext): string {
  const plans = `${mention(actor.userId)} plans to ${toKeep(body, subject(body, context))}`;
  if (repeats !== undefined) return `${plans} *${escapeWithin(repeats, 300)}*`;
  const [span] = spans;
  return span
    ? `${plans} from *${date(span.startsAt, actor.timeZone)}* until *${date(span.endsAt, actor.timeZone)}*`
    : plans;
}

function greyLine(change: Change, { spans, repeats }: Plan, body: ExclusionBody, context: CardContext): string {
  const [next] = spans;
  const left =
    repeats === undefined || !next
      ? []
      : [`Next: ${date(next.startsAt, change.actor.timeZone)}`, leftWords(spans.length)];
  const parts = [
    ...(change.reason ? [escapeWithin(change.reason, shownReason)] : []),
    ...ticketLink(change, context.ticketUrl),
    ...givenName(change, body),
    where(body, context),
    ...left,
    ...approvedWords(change),
  ];
  return greyText(parts, change.id);
}

const leftWords = (count: number): string => (count === 1 ? "the last one" : `${count} left`);
