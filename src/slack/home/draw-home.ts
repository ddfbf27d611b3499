import type { HomeView, KnownBlock } from "@slack/types";
import { refusalOf } from "../../changes/queries/queries.ts";
import { nextRuns } from "../../commands/action.ts";
import { approvalList } from "../../commands/approval.ts";
import type { QueryCommand } from "../../commands/command.ts";
import { exclusionCreate, exclusionList } from "../../commands/exclusion/exclusion.ts";
import type { Input } from "../../commands/field.ts";
import { history } from "../../commands/history.ts";
import { rolesHeld } from "../../permissions/roles-held.ts";
import { within } from "../../time/within.ts";
import { contextFor, type Desk, type DeskContext, isCommandOffered } from "../listeners/desk.ts";
import { answerBlocks } from "../messages/answer-message.ts";
import { date, escapeWithin, limits, mrkdwn } from "../messages/message.ts";
import { offers } from "./offers.ts";

/** One list on the Home tab: the answer to a query, under a heading of its own. */
interface Section {
  readonly title: string;
  readonly query: QueryCommand;
  readonly input: Input;
  /** At most so many items; without it, as many as there is room for. */
  readonly items?: number;
  readonly blocks: number;
  /** Says beside it what the query says of its answer. */
  readonly hasNote?: true;
  /** Without it nothing is said of a list in which nothing is. */
  readonly whenEmpty?: string;
  readonly whenUnread: string;
}

/** Together with what is offered they fit into Slack's 100 blocks. */
const sections: readonly Section[] = [
  {
    title: "Waits for me",
    query: approvalList,
    input: { whose: "for-me" },
    blocks: 12,
    whenUnread: "What waits for you could not be read.",
  },
  {
    title: "You asked for, and it waits",
    query: approvalList,
    input: { whose: "mine" },
    blocks: 8,
    whenUnread: "What you asked for could not be read.",
  },
  {
    title: "Your exclusions",
    query: exclusionList,
    input: { whose: "mine" },
    blocks: 17,
    whenEmpty: "None of yours is in force.",
    whenUnread: "Your exclusions could not be read.",
  },
  {
    title: "The team's exclusions",
    query: exclusionList,
    input: { whose: "others" },
    blocks: 17,
    hasNote: true,
    whenEmpty: "None of other people is in force, as far as Curfew knows.",
    whenUnread: "The team's exclusions could not be read.",
  },
  {
    title: "Next runs",
    query: nextRuns,
    input: {},
    blocks: 8,
    whenEmpty: "Nothing is scheduled that you may see.",
    whenUnread: "The next runs could not be read.",
  },
  {
    title: "Your latest changes",
    query: history,
    input: { which: "mine" },
    items: 5,
    blocks: 13,
    whenEmpty: "You have changed nothing yet.",
    whenUnread: "Your changes could not be read.",
  },
];

/** How long the whole tab waits for one of its lists. */
const waitMs = 3000;

/** What one person sees in their Home tab: what they may do outside any channel, and what concerns them now. */
export async function drawHome(desk: Desk, userId: string): Promise<HomeView> {
  const context = await contextFor(desk, { userId, channelId: null, responseUrl: undefined });
  const refusal = whyNotAtAll(desk, context);
  if (refusal) return view([line(`:no_entry: ${refusal}`)]);
  const offered = offers(desk, context);
  const lists = await Promise.all(sections.map((section) => drawSection(desk, section, context)));
  const asOf = `As of ${date(context.now, context.actor.timeZone)}. Opening this tab draws it anew.`;
  return view([...offered, ...lists.flat(), { type: "context", elements: [mrkdwn(asOf)] }]);
}

function whyNotAtAll({ settings }: Desk, context: DeskContext): string | undefined {
  if (context.actor.membership !== "member") return refusalOf(settings(), exclusionCreate, context).reason;
  if (rolesHeld(settings().policy, context.actor).length > 0) return undefined;
  return "You may not use Curfew: nobody has given you a role. Ask those who run it.";
}

/** In place of a Home tab that could not be drawn. */
export function unavailableHome(): HomeView {
  return view([line(":warning: Curfew could not put this together just now. Open the tab again in a moment.")]);
}

async function drawSection(desk: Desk, section: Section, context: DeskContext): Promise<KnownBlock[]> {
  const { title, query, input, items, blocks, hasNote, whenEmpty, whenUnread } = section;
  if (!isCommandOffered(desk, query, context)) return [];
  const asked = desk.queries.run(query, input, context).catch((error: unknown) => {
    desk.log.warn({ err: error, title }, "a list for a Home tab could not be read");
    return undefined;
  });
  const outcome = await within(waitMs, asked);
  if (outcome?.kind === "refused") return [];
  if (outcome?.kind !== "answered") return [line(`*${title}*`), line(`:warning: ${whenUnread}`)];
  const answer = { title, items: outcome.answer.items.slice(0, items), note: hasNote && outcome.answer.note };
  if (answer.items.length === 0) return whenEmpty ? [line(`*${title}*\n${whenEmpty}`)] : [];
  return answerBlocks(answer, context.actor.timeZone, { blocks, characters: limits.messageCharacters });
}

function view(blocks: KnownBlock[]): HomeView {
  return { type: "home", blocks };
}

function line(text: string): KnownBlock {
  return { type: "section", text: mrkdwn(escapeWithin(text, limits.sectionText)) };
}
