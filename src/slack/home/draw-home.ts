import type { HomeView, KnownBlock } from "@slack/types";
import { isOffered, refusalOf } from "../../changes/queries/queries.ts";
import { approvalList } from "../../commands/about-changes/approval.ts";
import { history } from "../../commands/about-changes/history.ts";
import type { CommandContext, QueryCommand } from "../../commands/command.ts";
import { exclusionCreate, exclusionList } from "../../commands/exclusion/exclusion.ts";
import type { Input } from "../../commands/field.ts";
import { next } from "../../commands/lookup/next.ts";
import { rolesHeld } from "../../permissions/roles-held.ts";
import { within } from "../../time/within.ts";
import { answerBlocks } from "../messages/answer-message.ts";
import { date, escapeWithin, limits, mrkdwn } from "../messages/message.ts";
import { refusalWords } from "../messages/outcome-message.ts";
import { type HomeSources, offers } from "./offers.ts";

/** One list on the Home tab: the answer to a query under its own heading. */
interface Section {
  readonly title: string;
  readonly query: QueryCommand;
  readonly input: Input;
  /** The most items to show; without it, as many as fit. */
  readonly items?: number;
  readonly blocks: number;
  /** Also shows the note of the answer. */
  readonly hasNote?: true;
  /** Without it an empty list is left out. */
  readonly whenEmpty?: string;
  readonly whenUnread: string;
}

/** With the buttons above them they fit into Slack's 100 blocks. */
const sections: readonly Section[] = [
  {
    title: "Waiting for you",
    query: approvalList,
    input: { whose: "for-me" },
    blocks: 12,
    whenUnread: "Curfew could not load what is waiting for you.",
  },
  {
    title: "Your pending requests",
    query: approvalList,
    input: { whose: "mine" },
    blocks: 8,
    whenUnread: "Curfew could not load your pending requests.",
  },
  {
    title: "Your exclusions",
    query: exclusionList,
    input: { which: "mine" },
    blocks: 17,
    whenEmpty: "You have none in force.",
    whenUnread: "Curfew could not load your exclusions.",
  },
  {
    title: "The team's exclusions",
    query: exclusionList,
    input: { which: "others" },
    blocks: 17,
    hasNote: true,
    whenEmpty: "Curfew knows of none in force.",
    whenUnread: "Curfew could not load the team's exclusions.",
  },
  {
    title: "Next runs",
    query: next,
    input: {},
    items: 5,
    blocks: 13,
    whenEmpty: "Nothing that you may see runs in the next 24 hours.",
    whenUnread: "Curfew could not load the next runs.",
  },
  {
    title: "Your latest changes",
    query: history,
    input: { which: "mine" },
    items: 5,
    blocks: 13,
    whenEmpty: "You have changed nothing yet.",
    whenUnread: "Curfew could not load your changes.",
  },
];

/** How long the tab waits for one list. */
const waitMs = 3000;

/** One person's Home tab: what they may do outside any channel, then their lists. */
export async function drawHome(sources: HomeSources, userId: string): Promise<HomeView> {
  const context = await sources.contextFor(userId);
  const refusal = refusalReason(sources, context);
  if (refusal) return view([line(`:no_entry: ${refusal}`)]);
  const offered = offers(sources, context);
  const lists = await Promise.all(sections.map((section) => drawSection(sources, section, context)));
  const asOf = `As of ${date(context.now, context.actor.timeZone)}. Open this tab again to refresh it.`;
  return view([...offered, ...lists.flat(), { type: "context", elements: [mrkdwn(asOf)] }]);
}

/** Why this person may not use Curfew at all; undefined when they may. */
function refusalReason({ settings }: HomeSources, context: CommandContext): string | undefined {
  if (context.actor.membership !== "member") return refusalWords(refusalOf(settings(), exclusionCreate, context));
  if (rolesHeld(settings().policy, context.actor).length > 0) return undefined;
  return "You may not use Curfew: nobody has given you a role. Ask those who run it.";
}

/** Shown when a Home tab could not be drawn. */
export function unavailableHome(): HomeView {
  return view([line(":warning: Curfew could not load this tab. Open it again in a moment.")]);
}

async function drawSection(
  { settings, queries, log }: HomeSources,
  section: Section,
  context: CommandContext,
): Promise<KnownBlock[]> {
  const { title, query, input, items, blocks, hasNote, whenEmpty, whenUnread } = section;
  if (!isOffered(settings(), query, context)) return [];
  const running = queries.run(query, input, context).catch((error: unknown) => {
    log.warn({ err: error, title }, "could not load a list of a Home tab");
    return undefined;
  });
  const outcome = await within(waitMs, running);
  if (outcome?.kind === "refused") return [];
  if (outcome?.kind !== "answered") return [line(`*${title}*`), line(`:warning: ${whenUnread}`)];
  const { answer } = outcome;
  const shown = answer.items.slice(0, items);
  if (shown.length === 0) return whenEmpty ? [line(`*${title}*\n${whenEmpty}`)] : [];
  // The first page of a list: what follows it is counted as well.
  const more = items === undefined ? (answer.count ?? shown.length) - shown.length : 0;
  const list = { title, items: shown, note: hasNote && answer.note };
  return answerBlocks(list, context.actor.timeZone, { blocks, characters: limits.messageCharacters }, more);
}

function view(blocks: KnownBlock[]): HomeView {
  return { type: "home", blocks };
}

function line(text: string): KnownBlock {
  return { type: "section", text: mrkdwn(escapeWithin(text, limits.sectionText)) };
}
